import assert from 'node:assert/strict';
import fc from 'fast-check';
import { applyEdits, placeEdits } from '../../../server/src/core/edit/edits.ts';
import type { Edit, TextEdit } from '../../../server/src/core/edit/types.ts';
import { spanOfPointer } from '../../../server/src/core/text/offsets.ts';
import { recordDocument } from '../../../server/src/core/view/document.ts';
import { readRecordDocument } from '../../../server/src/core/view/read.ts';
import { saySame } from '../../../server/src/core/view/tokens.ts';
import { pointersIn } from '../edit/odd-json.ts';
import type { Json } from '../edit/odd-json.ts';
import { oddRecordWithMembers } from './odd-records.ts';

const RUNS = process.env['SOAK'] === undefined ? 1000 : 50_000;

interface Fixed {
  readonly document: string;
  readonly edits: readonly TextEdit[];
}

/** A document with edits of its record's text made through its lens; it says what the edits say. */
function fix(document: string, ...edits: readonly Edit[]): Fixed {
  const { text, lens } = readRecordDocument(document);
  const placed = placeEdits(edits, text);
  assert.ok(placed, JSON.stringify(edits));
  return fixPlaced(document, text, placed, lens.edits(placed));
}

function fixPlaced(
  document: string,
  text: string,
  placed: readonly TextEdit[],
  own: readonly TextEdit[] | undefined,
): Fixed {
  assert.ok(own);
  for (const [i, { span }] of own.entries()) {
    assert.ok(span.start <= span.end && (i === 0 || own[i - 1]!.span.end <= span.start), 'in order, without overlap');
  }
  const fixed = applyEdits(document, own);
  const read = readRecordDocument(fixed);
  assert.deepEqual(read.faults, [], fixed);
  assert.ok(saySame(read.text, applyEdits(text, placed)), `${document}\n${JSON.stringify(own)}\n${fixed}`);
  return { document: fixed, edits: own };
}

describe('fixes in a record document', () => {
  const document = recordDocument(
    '{"q": "x", "code": "def f():\\n\\n    return \\"a\\"\\n", "list": ["p\\nq", [1, 2]], "last": "m\\nn"}',
  )!;

  it('write text blocks without escapes', () => {
    const { document: fixed, edits } = fix(document, {
      kind: 'string',
      pointer: '/code',
      inString: { start: 21, end: 24 },
      text: '"b\\c"\n    # é',
    });
    assert.ok(fixed.includes('\n        return "b\\c"\n        # é\n\n    """,'), fixed);
    assert.equal(edits.length, 1);
    assert.ok(edits[0]!.text.length < 25);
  });

  it('indent what comes into an empty line', () => {
    const { document: fixed } = fix(document, {
      kind: 'string',
      pointer: '/code',
      inString: { start: 9, end: 9 },
      text: '    x = 1',
    });
    assert.ok(fixed.includes('\n        x = 1\n        return'), fixed);
  });

  it('take more quotation marks where the text needs them', () => {
    const { document: fixed } = fix(document, {
      kind: 'string',
      pointer: '/code',
      inString: { start: 9, end: 9 },
      text: '    """Doc"""',
    });
    assert.ok(fixed.includes('"code": """"\n'), fixed);
  });

  it('write another text as a block again, and others as JSON', () => {
    assert.ok(
      fix(document, { kind: 'text', span: spanIn(document, '/code'), text: '"one\\ntwo"' }).document.includes(
        '"""\n    one\n    two\n    """,',
      ),
    );
    assert.ok(
      fix(document, { kind: 'text', span: spanIn(document, '/code'), text: '"one"' }).document.includes(
        '"code": "one",',
      ),
    );
    assert.ok(
      fix(document, { kind: 'text', span: spanIn(document, '/code'), text: '17' }).document.includes('"code": 17,'),
    );
    assert.ok(
      fix(document, { kind: 'replace', pointer: '/code', value: 'x\n\u202ey' }).document.includes(
        '"code": "x\\n\\u202ey",',
      ),
    );
  });

  it('add, remove and rename around blocks', () => {
    for (const edit of [
      { kind: 'remove', pointer: '/code' },
      { kind: 'remove', pointer: '/last' },
      { kind: 'remove', pointer: '/list/0' },
      { kind: 'insert', pointer: '/list/0', value: 'new' },
      { kind: 'insert', pointer: '/list/1', value: 'new\nlines' },
      { kind: 'insert', pointer: '/n', value: { a: [1] } },
      { kind: 'renameKey', pointer: '/code', key: 'solution' },
      { kind: 'copy', from: '/code', pointer: '/list/-' },
    ] as const) {
      const { edits } = fix(document, edit);
      assert.equal(edits.length, 1, JSON.stringify(edit));
    }
  });

  it('keep the line ends of the document', () => {
    const windows = document.replaceAll('\n', '\r\n');
    const { document: fixed } = fix(windows, {
      kind: 'string',
      pointer: '/code',
      inString: { start: 9, end: 9 },
      text: '    x\n    y',
    });
    assert.doesNotMatch(fixed, /[^\r]\n/);
  });

  it('render the record anew where a fix cuts what is shown as a whole', () => {
    const { text, lens } = readRecordDocument(document);
    const start = text.indexOf('"code"');
    const end = text.indexOf('return');
    const placed = [{ span: { start, end }, text: '"code": "' }];
    fixPlaced(document, text, placed, lens.edits(placed));
    const newline = text.indexOf('\\n', text.indexOf('"code"'));
    const cut = [{ span: { start: newline + 1, end: newline + 2 }, text: 't' }];
    fixPlaced(document, text, cut, lens.edits(cut));
    assert.equal(lens.edits([{ span: { start: 0, end: 1 }, text: '' }])?.length, 1, 'a repair may take two steps');
  });

  it('say in the document what they say in the record', function () {
    this.timeout(600_000);
    const values = fc.constantFrom<Json>('w', 'x\ny', 'a\n"""b"""', 'x\r\ny', 'é\n\t\n', '', 7, null, ['p\nq', 1], {
      a: 'b\nc',
    });
    const wanted = fc.array(
      fc.record({
        kind: fc.constantFrom('replace', 'remove', 'insert', 'renameKey', 'string' as const),
        place: fc.nat(),
        value: values,
        from: fc.nat(9),
        to: fc.nat(9),
      }),
      { minLength: 1, maxLength: 3 },
    );
    let tried = 0;
    fc.assert(
      fc.property(oddRecordWithMembers, wanted, fc.boolean(), (record, gestures, windows) => {
        const shown = recordDocument(record)!;
        const changed = windows ? shown.replaceAll('\n', '\r\n') : shown;
        const { text, lens } = readRecordDocument(changed);
        let value: Json;
        try {
          value = JSON.parse(text) as Json;
        } catch {
          return;
        }
        const places = [...pointersIn(value)];
        if (places.length === 0) return;
        const edits = gestures.map(({ kind, place, value: fresh, from, to }): Edit => {
          const [pointer, here] = places[place % places.length]!;
          if (kind === 'remove') return { kind, pointer };
          if (kind === 'renameKey') return { kind, pointer, key: 'new key' };
          if (kind === 'insert') return { kind, pointer, value: fresh };
          if (kind === 'replace' || typeof here !== 'string') return { kind: 'replace', pointer, value: fresh };
          const [start, end] = [from % (here.length + 1), to % (here.length + 1)].sort((a, b) => a - b) as [
            number,
            number,
          ];
          return { kind, pointer, inString: { start, end }, text: String(fresh) };
        });
        const placed = placeEdits(edits, text);
        if (placed === undefined) return;
        fixPlaced(changed, text, placed, lens.edits(placed));
        tried++;
      }),
      { numRuns: RUNS, seed: 31 },
    );
    assert.ok(tried > RUNS / 4, String(tried));
  });
});

function spanIn(document: string, pointer: string): { start: number; end: number } {
  return spanOfPointer(readRecordDocument(document).text, pointer)!;
}
