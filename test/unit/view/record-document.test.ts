import assert from 'node:assert/strict';
import fc from 'fast-check';
import { applyEdits } from '../../../server/src/core/edit/edits.ts';
import { spanOfPointer } from '../../../server/src/core/text/offsets.ts';
import { parseRecordText } from '../../../server/src/core/text/parse.ts';
import { recordDocument } from '../../../server/src/core/view/document.ts';
import { formatRecordDocument } from '../../../server/src/core/view/format.ts';
import { mergeRecord } from '../../../server/src/core/view/merge.ts';
import { readRecordDocument } from '../../../server/src/core/view/read.ts';
import { oddRecord, realRecords, token } from './odd-records.ts';

const RUNS = process.env['SOAK'] === undefined ? 1000 : 50_000;

function documentOf(text: string): string {
  const document = recordDocument(text);
  assert.ok(document !== undefined, text);
  return document;
}

/** What holds for every record that can be read. */
function checkUnchanged(text: string): void {
  const document = documentOf(text);
  const viewed = readRecordDocument(document);
  assert.deepEqual(viewed.faults, [], document);
  assert.deepEqual(mergeRecord({ base: text, edited: viewed, current: text }), { kind: 'edits', edits: [] }, document);
  assert.equal(recordDocument(viewed.text), document, 'rendered again');
  assert.deepEqual(formatRecordDocument(document), [], 'formatted already');
  // A literal control character, or what reorders and hides text, is never shown as such.
  assert.doesNotMatch(document, /[\p{Zl}\p{Zp}\p{Cs}\u202a-\u202e\u2066-\u2069\u200b\ufeff]|[^\P{Cc}\t\n]/u);
  assert.doesNotMatch(document, /[ \t]$/m.test(text) ? /(?!)/ : /\r/);
}

describe('a record document', () => {
  it('shows a record over many lines, code and tables as they are', () => {
    const text =
      '{"id": "q1", "box": [[300, 600.0, 1e3, -0]], "labels": ["\\u20ac", "and\\/or", "a\\u200bb", "a\\u00a0b"], ' +
      '"paragraphs": ["one", "| a |\\n| b |"], "n": NaN, "id": null, "none": [], "empty": {}, ' +
      '"python_solution": "def solution():\\n    \\"\\"\\"Doc\\\\s.\\"\\"\\"\\n\\n\\treturn 1\\n"}';
    assert.equal(
      documentOf(text),
      `{
  "id": "q1",
  "box": [
    [300, 600.0, 1e3, -0]
  ],
  "labels": ["€", "and/or", "a\\u200bb", "a\\u00a0b"],
  "paragraphs": [
    "one",
    """
      | a |
      | b |
      """
  ],
  "n": NaN,
  "id": null,
  "none": [],
  "empty": {},
  "python_solution": """"
    def solution():
        """Doc\\s."""

    \treturn 1

    """"
}
`,
    );
    checkUnchanged(text);
  });

  it('keeps strings with other line ends and hidden characters as strings of JSON', () => {
    const text = '{"a": "x\\r\\ny", "b": "x\\n\\u202ey", "c": "x\\n\\u0007", "d": "x\\n\\ud800", "e": "x\\n\u2028"}';
    const expected = [
      '  "a": "x\\r\\ny",',
      '  "b": "x\\n\\u202ey",',
      '  "c": "x\\n\\u0007",',
      '  "d": "x\\n\\ud800",',
      '  "e": "x\\n\\u2028"',
    ];
    assert.equal(documentOf(text), `{\n${expected.join('\n')}\n}\n`);
  });

  it('breaks lists that do not fit on their line', () => {
    const long = Array.from({ length: 40 }, (_, i) => 1000 + i);
    assert.equal(documentOf(JSON.stringify({ long })).split('\n').length, 40 + 5);
  });

  it('is none where the text is no object', () => {
    for (const text of ['', '[1]', '{"a": 1', '{"a": 1,}', '"x"']) assert.equal(recordDocument(text), undefined);
  });

  it('is written for records nested as deep as they are long', () => {
    const text = `{"a":${'['.repeat(100_000)}"x\\ny"${']'.repeat(100_000)}}`;
    const document = documentOf(text);
    assert.ok(document.length < 3 * text.length);
    const viewed = readRecordDocument(document);
    assert.deepEqual(mergeRecord({ base: text, edited: viewed, current: text }), { kind: 'edits', edits: [] });
    const changed = readRecordDocument(document.replace('"x\\ny"', '7'));
    const merge = mergeRecord({ base: text, edited: changed, current: text });
    assert.deepEqual(merge, { kind: 'edits', edits: [{ span: { start: 100_005, end: 100_011 }, text: '7' }] });
  });

  it('changes nothing when it is saved as it is: records in every spelling', function () {
    this.timeout(600_000);
    fc.assert(fc.property(oddRecord, checkUnchanged), { numRuns: RUNS, seed: 11 });
  });

  it('changes nothing when it is saved as it is: all real records', function () {
    this.timeout(600_000);
    const files = realRecords();
    if (files === undefined) {
      console.log('      skipped: no shared files');
      return this.skip();
    }
    let count = 0;
    for (const { texts } of files) {
      for (const text of texts) {
        if (parseRecordText(text).value === undefined) continue;
        checkUnchanged(text);
        count++;
      }
    }
    assert.ok(count > 3000);
  });

  it('takes time in proportion to its length', function () {
    this.timeout(60_000);
    const record = (lines: number): string => {
      const code = Array.from({ length: lines }, (_, i) => `    value_${i} = "row" + '\\t' + str(${i})`).join('\n');
      return JSON.stringify({ code, list: Array.from({ length: lines }, (_, i) => `paragraph ${i}`) });
    };
    const cost = (text: string, times: number): number => {
      const run = (): void => {
        const viewed = readRecordDocument(documentOf(text));
        mergeRecord({ base: text, edited: viewed, current: text });
      };
      run();
      let best = Infinity;
      for (let round = 0; round < 3; round++) {
        const start = performance.now();
        for (let i = 0; i < times; i++) run();
        best = Math.min(best, (performance.now() - start) / times / text.length);
      }
      return best;
    };
    const small = cost(record(200), 100);
    const large = cost(record(20_000), 1);
    assert.ok(large < small * 4, `per character: ${small} ms at 10 KB, ${large} ms at 1 MB`);
  });
});

describe('reading a record document', () => {
  it('accepts strings of JSON in the place of blocks, and any blanks', () => {
    const document = '{"a" :\t"x\\ny", "b": """\r\n\tone\r\n\r\n\t two\r\n\t""" , "c": [ """\n""" ]}';
    const { text, faults } = readRecordDocument(document);
    assert.deepEqual(faults, []);
    assert.deepEqual(JSON.parse(text), { a: 'x\ny', b: 'one\n\n two', c: [''] });
  });

  it('keeps docstrings in blocks with as many quotation marks', () => {
    const document =
      '{\n  "a": """\n    def f():\n        """Doc\n        more\n        """\n        """One line."""\n    """,\n  "b": 1\n}';
    assert.deepEqual(JSON.parse(readRecordDocument(document).text), {
      a: 'def f():\n    """Doc\n    more\n    """\n    """One line."""',
      b: 1,
    });
  });

  it('leaves lines and columns of what follows a block as they are', () => {
    const document = documentOf('{"a": "x\\ny", "b": ["p\\nq", 1], "c": 2}');
    const { text } = readRecordDocument(document);
    const at = (whole: string, part: string): readonly number[] => {
      const before = whole.slice(0, whole.indexOf(part)).split('\n');
      return [before.length, before.at(-1)!.length];
    };
    for (const part of ['"b"', '1', '"c"', '2']) assert.deepEqual(at(text, part), at(document, part), part);
  });

  it('tells of blocks that do not end, with their place', () => {
    const { text, faults, lens } = readRecordDocument('{\n  "a": """\n    x\n  "b": 1\n}\n');
    assert.equal(parseRecordText(text).value, undefined);
    assert.equal(faults.length, 1);
    assert.match(faults[0]!.message, /at line 2, column 8: found a text block that does not end/);
    assert.deepEqual(lens.position(faults[0]!.span.start), { line: 1, column: 7 });
  });

  it('tells of lines that stand further left than the end of their block', () => {
    const { text, faults, lens } = readRecordDocument('{\n  "a": """\n    x\n\n   y\n    """,\n  "b": 1\n}\n');
    assert.equal(parseRecordText(text).value, undefined);
    assert.equal(faults.length, 1);
    assert.match(faults[0]!.message, /at line 5, column 4: .* expected column 5 or more, .* \(line 6\)/);
    assert.equal(lens.position(faults[0]!.span.end).line, 4);
  });

  it('tells of text after the opening quotation marks', () => {
    const viewed = readRecordDocument('{"a": """x""", "b": 1}');
    assert.match(viewed.faults[0]!.message, /at line 1, column 7: found text after `"""`/);
    const merge = mergeRecord({ base: '{"a":1}', edited: viewed, current: '{"a":1}' });
    assert.equal(merge.kind, 'unreadable');
  });

  it('never throws, and never gives a readable text where a block is at fault', function () {
    this.timeout(600_000);
    const cut = fc.record({
      record: oddRecord,
      from: fc.nat(),
      length: fc.nat(12),
      put: fc.constantFrom('', '"', '"""', '\n', '"""\n', ' '),
    });
    fc.assert(
      fc.property(cut, ({ record, from, length, put }) => {
        const document = documentOf(record);
        const start = from % document.length;
        const broken = document.slice(0, start) + put + document.slice(start + length);
        const { text, faults, lens } = readRecordDocument(broken);
        if (faults.length > 0) assert.equal(parseRecordText(text).value, undefined, broken);
        for (let offset = 0; offset <= text.length; offset++) lens.position(offset);
        assert.equal(lens.offset(lens.position(text.length)) !== undefined, true);
      }),
      { numRuns: RUNS, seed: 12 },
    );
  });

  it('formats what was typed otherwise', () => {
    const typed = '{"a":"x\\ny","b":[1,\n2]}';
    assert.equal(applyEdits(typed, formatRecordDocument(typed)), documentOf(typed));
    assert.deepEqual(formatRecordDocument('{"a": }'), []);
  });
});

describe('the lens of a record document', () => {
  const record = '{"q": "x", "code": "def f():\\n\\n    return \\"a\\\\b\\"\\n", "list": ["p\\nq", 2]}';
  const document = documentOf(record);
  const { text, lens } = readRecordDocument(document);
  const lines = document.split('\n');

  it('finds the places of what a block shows', () => {
    const at = (part: string, inDocument = part): void => {
      const { line, column } = lens.position(text.indexOf(part));
      assert.ok(lines[line]!.slice(column).startsWith(inDocument), `${part}: ${lines[line]} at ${column}`);
      assert.equal(lens.offset({ line, column }), text.indexOf(part));
    };
    at('"q"');
    at('def f');
    at('    return');
    at('return');
    at('a\\\\b', 'a\\b');
    at('\\\\b', '\\b');
    at('\\"a', '"a');
    at('"def', '"""');
    at('"list"');
    at('2\n', '2');
  });

  it('takes quotation marks for the value, indentation for its line', () => {
    const open = lines.findIndex((line) => line.includes('"""'));
    const column = lines[open]!.indexOf('"""');
    const token = text.indexOf('"def');
    assert.equal(lens.offset({ line: open, column: column + 2 }), token);
    assert.equal(lens.offset({ line: open + 1, column: 1 }), token + 1);
    const close = lines.findIndex((line) => line.trim() === '""",');
    const { end } = spanOfPointer(text, '/code')!;
    assert.equal(lens.offset({ line: close, column: 5 }), end - 1);
    assert.equal(lens.offset({ line: close, column: 7 }), end);
    assert.equal(lens.offset({ line: close, column: 8 }), text.indexOf(',', end) + 1);
    assert.equal(lens.offset({ line: lines.length, column: 0 }), undefined);
  });

  it('leads from every offset to a place and back', function () {
    this.timeout(600_000);
    fc.assert(
      fc.property(oddRecord, (odd) => {
        const shown = documentOf(odd);
        const viewed = readRecordDocument(shown);
        const starts = shown.split('\n');
        let before = { line: 0, column: 0 };
        for (let offset = 0; offset <= viewed.text.length; offset++) {
          const position = viewed.lens.position(offset);
          assert.ok(position.column <= starts[position.line]!.length);
          assert.ok(position.line > before.line || (position.line === before.line && position.column >= before.column));
          before = position;
          const back = viewed.lens.offset(position)!;
          assert.ok(back <= offset);
          assert.deepEqual(viewed.lens.position(back), position);
        }
        for (const [line, content] of starts.entries()) {
          for (let column = 0; column <= content.length; column++) {
            const offset = viewed.lens.offset({ line, column })!;
            const { line: shownLine } = viewed.lens.position(offset);
            assert.ok(Math.abs(shownLine - line) <= 1, 'a place is shown on its line, or on the one beside its block');
          }
        }
      }),
      { numRuns: RUNS / 10, seed: 13 },
    );
  });
});

describe('strings in a record document', () => {
  it('are shown by what they spell, whatever that is', () => {
    fc.assert(
      fc.property(token, (spelled) => {
        const { text } = readRecordDocument(documentOf(`{"a": ${spelled}}`));
        assert.deepEqual(JSON.parse(text), JSON.parse(`{"a": ${spelled}}`));
      }),
      { numRuns: RUNS, seed: 14 },
    );
  });
});
