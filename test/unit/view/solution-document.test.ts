import assert from 'node:assert/strict';
import fc from 'fast-check';
import { applyEdits, placeEdits } from '../../../server/src/core/edit/edits.ts';
import { offsetIn, positionIn, spanOfPointer } from '../../../server/src/core/text/offsets.ts';
import { valueAt } from '../../../server/src/core/text/pointer.ts';
import { mergeRecord } from '../../../server/src/core/view/merge.ts';
import { readSolutionDocument, solutionDocument } from '../../../server/src/core/view/solution.ts';
import { realRecords, token } from './odd-records.ts';

const RUNS = process.env['SOAK'] === undefined ? 2000 : 50_000;

function save(record: string, document: string, pointer = '/s', current = record): string {
  const viewed = readSolutionDocument(document, record, pointer);
  const merge = mergeRecord({ base: record, edited: viewed, current });
  assert.equal(merge.kind, 'edits', JSON.stringify(merge));
  return merge.kind === 'edits' ? applyEdits(current, merge.edits) : '';
}

describe('a solution document', () => {
  const record =
    '{"a": 1.0, "s": "def f():\\n\\t\\"\\"\\"D\\u00f6c\\\\s\\/\\"\\"\\"\\n    return 1\\n", "b": "\\u20ac"}';

  it('shows the decoded text', () => {
    assert.equal(solutionDocument(record, '/s'), 'def f():\n\t"""Döc\\s/"""\n    return 1\n');
    assert.equal(solutionDocument(record, '/a'), undefined);
    assert.equal(solutionDocument(record, '/none'), undefined);
    assert.equal(solutionDocument('{"s": "x', '/s'), undefined);
  });

  it('is written back in the spelling of the record', () => {
    const changed = solutionDocument(record, '/s')!.replace('return 1', 'return "é"');
    assert.equal(save(record, changed), record.replace('return 1', 'return \\"\\u00e9\\"'));
    assert.equal(
      save(record, changed, '/s', `${record.slice(0, -1)}, "c": 2 }`),
      `${record.replace('return 1', 'return \\"\\u00e9\\"').slice(0, -1)}, "c": 2 }`,
    );
  });

  it('becomes a member where there was none', () => {
    assert.equal(save('{"a":1}', 'x = 1\n'), '{"a":1,"s":"x = 1\\n"}');
    assert.equal(save('{"a":1,"s":null}', 'x'), '{"a":1,"s":"x"}');
    assert.equal(save('{"a":1}', ''), '{"a":1}');
    assert.equal(save('{"a":1}', 'x', '/q/t'), '{"a":1,"q":{"t":"x"}}');
    assert.equal(save('{\n  "a": 1\n}', 'x'), '{\n  "a": 1,\n  "s": "x"\n}');
  });

  it('is not lost where the record has no place for it', () => {
    for (const broken of ['{"a": 1', '{"a": [1]}', '[]']) {
      const viewed = readSolutionDocument('x', broken, '/a/q/s');
      const merge = mergeRecord({ base: broken, edited: viewed, current: broken });
      assert.notEqual(merge.kind, 'edits', broken);
    }
  });

  it('asks where both sides have changed it', () => {
    const current = record.replace('return 1', 'return 2');
    const viewed = readSolutionDocument('x = 1', record, '/s');
    assert.deepEqual(mergeRecord({ base: record, edited: viewed, current }), { kind: 'conflict', pointers: ['/s'] });
  });

  it('keeps the line ends of the string', () => {
    const windows = '{"s": "a\\r\\nb\\r\\n"}';
    assert.equal(solutionDocument(windows, '/s'), 'a\nb\n');
    for (const document of ['a\nb\n', 'a\r\nb\r\n']) assert.equal(save(windows, document), windows);
    assert.equal(save(windows, 'a\nc\nb\n'), '{"s": "a\\r\\nc\\r\\nb\\r\\n"}');
    assert.equal(save('{"s": "a\\nb"}', 'a\r\nc\r\nb'), '{"s": "a\\nc\\nb"}');
    const mixed = '{"s": "\\r\\na\\rb\\n\\u000d\\u000Ac\\n"}';
    assert.equal(save(mixed, '\na\nb\n\nc\n'), mixed);
    assert.equal(save(mixed, '\na\nb\n\nc2\n'), mixed.replace('c', 'c2'));
  });

  it('keeps what editors cannot hold', () => {
    const odd = '{"s": "\\ufeffa \\ud800\\n"}';
    assert.equal(solutionDocument(odd, '/s'), 'a \ufffd\n');
    assert.equal(save(odd, 'a \ufffd\n'), odd);
    assert.equal(save(odd, '\ufeffa \ufffd\n'), odd);
    assert.equal(save(odd, 'b = 1\na \ufffd\n'), odd.replace('a ', 'b = 1\\na '));
  });

  it('changes nothing when it is saved as it is', function () {
    this.timeout(600_000);
    fc.assert(
      fc.property(token, (spelled) => {
        const text = `{"a": 1 ,"s" :${spelled}, "b": "\\u20ac"}`;
        const document = solutionDocument(text, '/s')!;
        assert.doesNotMatch(document, /[\r\p{Cs}]/u);
        for (const ended of [document, document.replaceAll('\n', '\r\n')]) {
          assert.equal(readSolutionDocument(ended, text, '/s').text, text);
          assert.equal(save(text, ended), text);
        }
      }),
      { numRuns: RUNS, seed: 41 },
    );
    for (const { texts } of realRecords() ?? []) {
      for (const text of texts.slice(0, 100)) {
        for (const pointer of ['/python_solution', '/question', '/statement']) {
          const document = solutionDocument(text, pointer);
          if (document !== undefined) assert.equal(readSolutionDocument(document, text, pointer).text, text);
        }
      }
    }
  });

  it('says what was typed', function () {
    this.timeout(600_000);
    const words = fc.constantFrom('x', 'é', '😀', '"', '"""', '\\', '\n', '\n\n', '\t', ' ', '\u2028', '/');
    const typed = fc.array(words, { maxLength: 6 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(token, fc.nat(), fc.nat(6), typed, (spelled, at, length, put) => {
        const text = `{"a": 1 ,"s" :${spelled}, "b": "\\u20ac"}`;
        const document = solutionDocument(text, '/s')!;
        const start = at % (document.length + 1);
        const changed = document.slice(0, start) + put + document.slice(start + length);
        if (/\p{Cs}/u.test(changed)) return;
        // Halves of two pairs that come together make one.
        if (/\ufffd{2}/.test(changed) && !/\ufffd{2}/.test(document)) return;
        const saved = save(text, changed);
        assert.equal(solutionDocument(saved, '/s'), changed.replace(/^\ufeff+/, ''));
        assert.ok(saved.startsWith('{"a": 1 ,"s" :"') && saved.endsWith('", "b": "\\u20ac"}'), saved);
      }),
      { numRuns: RUNS, seed: 42 },
    );
  });
});

describe('the lens of a solution document', () => {
  const record = '{"a": "x", "s": "def f():\\r\\n\\t\\"D\\u00f6c\\\\s\\"\\r\\n    return 1\\n", "b": 2}';
  const document = solutionDocument(record, '/s')!;
  const { text, lens } = readSolutionDocument(document, record, '/s');
  const slot = { index: 0, line: 0, column: 0, offset: 0, text, lens };
  const lines = document.split('\n');

  it('finds places, and the nearest ones of what is not shown', () => {
    for (const [part, shown] of [['def'], ['\\"D', '"D'], ['\\u00f6', 'ö'], ['\\\\s', '\\s'], ['return']] as const) {
      const { line, column } = positionIn(slot, text.indexOf(part));
      assert.ok(lines[line]!.slice(column).startsWith(shown ?? part), part);
      assert.equal(offsetIn(slot, { line, column }), text.indexOf(part));
    }
    assert.deepEqual(positionIn(slot, 3), { line: 0, column: 0 });
    assert.deepEqual(positionIn(slot, text.length), { line: 3, column: 0 });
    assert.equal(offsetIn(slot, { line: 4, column: 0 }), undefined);
  });

  it('tells what is shown', () => {
    const span = spanOfPointer(text, '/s')!;
    assert.ok(lens.shows(span));
    assert.ok(lens.shows({ start: 0, end: text.length }));
    assert.ok(lens.shows({ start: span.start + 3, end: span.start + 3 }));
    assert.ok(!lens.shows(spanOfPointer(text, '/a')!));
    assert.ok(!lens.shows(spanOfPointer(text, '/b')!));
  });

  it('makes fixes of the string in the document, and no others', () => {
    const inside = placeEdits(
      [{ kind: 'string', pointer: '/s', inString: { start: 24, end: 24 }, text: 'x = "é"\n    ' }],
      text,
    )!;
    const edits = lens.edits(inside)!;
    const fixed = applyEdits(document, edits);
    assert.equal(fixed, document.slice(0, 22) + 'x = "é"\n    ' + document.slice(22));
    const whole = placeEdits([{ kind: 'text', span: spanOfPointer(text, '/s')!, text: '"a\\r\\nb"' }], text)!;
    assert.equal(applyEdits(document, lens.edits(whole)!), 'a\nb');
    assert.equal(
      lens.edits([...inside, ...placeEdits([{ kind: 'replace', pointer: '/b', value: 3 }], text)!]),
      undefined,
    );
  });

  it('leads from every offset to a place and back', function () {
    this.timeout(600_000);
    fc.assert(
      fc.property(token, fc.boolean(), (spelled, windows) => {
        const odd = `{"s":${spelled}}`;
        const shown = solutionDocument(odd, '/s')!;
        const ended = windows ? shown.replaceAll('\n', '\r\n') : shown;
        const viewed = readSolutionDocument(ended, odd, '/s');
        const span = spanOfPointer(viewed.text, '/s')!;
        const value = valueAt(JSON.parse(viewed.text), '/s') as string;
        for (let offset = span.start + 1; offset < span.end; offset++) {
          const position = viewed.lens.position(offset);
          const back = viewed.lens.offset(position)!;
          assert.ok(back <= offset && back > span.start);
          assert.deepEqual(viewed.lens.position(back), position);
        }
        const end = viewed.lens.position(span.end - 1);
        const all = ended.split('\n');
        assert.deepEqual(end, { line: all.length - 1, column: all.at(-1)!.length }, value);
      }),
      { numRuns: RUNS, seed: 43 },
    );
  });
});
