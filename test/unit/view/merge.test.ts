import assert from 'node:assert/strict';
import fc from 'fast-check';
import { applyEdits, placeEdits } from '../../../server/src/core/edit/edits.ts';
import type { Edit } from '../../../server/src/core/edit/types.ts';
import { spanOfPointer } from '../../../server/src/core/text/offsets.ts';
import { parseRecordText } from '../../../server/src/core/text/parse.ts';
import { valueAt } from '../../../server/src/core/text/pointer.ts';
import { recordDocument } from '../../../server/src/core/view/document.ts';
import { mergeRecord } from '../../../server/src/core/view/merge.ts';
import { readRecordDocument } from '../../../server/src/core/view/read.ts';
import type { ViewedRecord } from '../../../server/src/core/view/types.ts';
import { pointersIn, tokensOf } from '../edit/odd-json.ts';
import type { Json } from '../edit/odd-json.ts';
import { oddLine, oddLines } from '../edit/odd-json.ts';
import type { Spelled } from '../edit/odd-json.ts';
import { oddRecordWithMembers } from './odd-records.ts';

const RUNS = process.env['SOAK'] === undefined ? 500 : 50_000;

function merged(base: string, edited: string | ViewedRecord, current = base): string {
  const merge = mergeRecord({ base, edited, current });
  assert.equal(merge.kind, 'edits', JSON.stringify(merge));
  return merge.kind === 'edits' ? applyEdits(current, merge.edits) : '';
}

function conflicts(base: string, edited: string, current: string): readonly string[] {
  const merge = mergeRecord({ base, edited, current });
  assert.equal(merge.kind, 'conflict', JSON.stringify(merge));
  return merge.kind === 'conflict' ? merge.pointers : [];
}

describe('saving a record document', () => {
  const cases: readonly (readonly [string, string, string, string])[] = [
    [
      'writes numbers as they are typed',
      '{"a": 1, "b": [1.0, 2e3]}',
      '{"a": 1.0, "b": [1.0, 2000]}',
      '{"a": 1.0, "b": [1.0, 2000]}',
    ],
    ['writes what is not a number too', '{"a": 1}', '{"a": NaN}', '{"a": NaN}'],
    [
      'escapes as the record does',
      '{"a": "\\u20AC", "b": "x"}',
      '{"a": "€é", "b": "ü\\n"}',
      '{"a": "\\u20AC\\u00E9", "b": "\\u00FC\\n"}',
    ],
    [
      'does not escape where the record does not',
      '{"a": "€", "b": "x"}',
      '{"a": "€", "b": "\\u00fc"}',
      '{"a": "€", "b": "ü"}',
    ],
    [
      'changes part of a string',
      '{"a": "\\u0041 and\\/or \\u0042"}',
      '{"a": "A and/or C"}',
      '{"a": "\\u0041 and\\/or C"}',
    ],
    [
      'adds members with the blanks of the others',
      '{"a":1,"b":{}}',
      '{"a": 1, "b": {"x": [1, {"y": null}]}, "c": 2}',
      '{"a":1,"b":{"x":[1,{"y":null}]},"c":2}',
    ],
    ['adds members where they were typed', '{"a": 1, "b": 2}', '{"a": 1, "n": 0, "b": 2}', '{"a": 1, "n": 0, "b": 2}'],
    ['adds members before the first', '{ "a": 1 }', '{"n": 0, "m": "x", "a": 1}', '{ "n": 0, "m": "x", "a": 1 }'],
    ['removes members', '{"a": 1 , "b": 2, "c": 3}', '{"b": 2}', '{"b": 2}'],
    ['removes all there is', '{"a": [1, 2], "b": 1}', '{"a": []}', '{"a": []}'],
    ['renames keys', '{"a" : "\\u0041", "b": 2}', '{"x": "A", "b": 2}', '{"x" : "\\u0041", "b": 2}'],
    [
      'renames keys and changes values',
      '{"a" : "\\u0041", "b": 2}',
      '{"x": "AB", "b": 3}',
      '{"x" : "\\u0041B", "b": 3}',
    ],
    [
      'puts keys in another order',
      '{"a":1, "b": "\\u0041","c":3}',
      '{"c":3,"a":1,"b":"AB"}',
      '{"c":3, "a":1, "b": "\\u0041B"}',
    ],
    [
      'changes one of several members of one key',
      '{"a": 1, "a": 2, "a": 1}',
      '{"a": 1, "a": 3, "a": 1}',
      '{"a": 1, "a": 3, "a": 1}',
    ],
    ['removes one of several members of one key', '{"a": 1, "a": 2}', '{"a": 1}', '{"a": 1}'],
    ['keeps a member that is typed twice', '{"a": 1}', '{"a": 1, "a": 1}', '{"a": 1, "a": 1}'],
    [
      'inserts into the middle of a list',
      '{"p": ["\\u0041", "\\u0042"]}',
      '{"p": ["A", "new", "B"]}',
      '{"p": ["\\u0041", "new", "\\u0042"]}',
    ],
    [
      'moves elements with their spelling',
      '{"p": ["\\u0041", "\\u0042" , "c"]}',
      '{"p": ["c", "A", "B"]}',
      '{"p": ["c", "\\u0041", "\\u0042"]}',
    ],
    [
      'inserts beside what is changed',
      '{"p": ["the \\u0041rst", "b"]}',
      '{"p": ["the Arst!", "new", "b"]}',
      '{"p": ["the \\u0041rst!", "new", "b"]}',
    ],
    [
      'changes elements of nested lists',
      '{"b": [[[1, 2.0, 3, 4]], [[5,6,7,8]]]}',
      '{"b": [[[1, 2.0, 3, 9]], [[5,6,7,8],[1,2,3,4]]]}',
      '{"b": [[[1, 2.0, 3, 9]], [[5,6,7,8], [1, 2, 3, 4]]]}',
    ],
    [
      'changes the kind of a value',
      '{"a": {"b": 1}, "c": [1]}',
      '{"a": [{"b": 1.50}], "c": "x"}',
      '{"a": [{"b": 1.50}], "c": "x"}',
    ],
    [
      'escapes slashes where the record does',
      '{"a": "x\\/y"}',
      '{"a": "x/y", "b": "and/or"}',
      '{"a": "x\\/y", "b": "and\\/or"}',
    ],
  ];
  for (const [title, base, edited, expected] of cases) {
    it(title, () => assert.equal(merged(base, edited), expected));
  }

  it('follows the indentation of a record on several lines', () => {
    const base = '{\n      "a": [\n        1,\n        2\n      ],\n      "e": [],\n      "o": {"x": 1}\n    }';
    const edited = '{"a": [1, 2, 3], "e": [{"x": [1, 2], "y": {}}], "o": {"x": 1, "y": {"z": 1}}, "n": ["k"]}';
    assert.equal(
      merged(base, edited),
      '{\n      "a": [\n        1,\n        2,\n        3\n      ],\n      "e": [\n        {\n          "x": [\n            1,\n            2\n          ],\n' +
        '          "y": {}\n        }\n      ],\n      "o": {"x": 1, "y": {"z": 1}},\n      "n": [\n        "k"\n      ]\n    }',
    );
    const flat = '{\r\n  "a": [1, 2],\r\n  "b": null\r\n}';
    assert.equal(
      merged(flat, '{"a": [1, 2], "b": {"c": [3, 4]}}'),
      '{\r\n  "a": [1, 2],\r\n  "b": {\r\n    "c": [3, 4]\r\n  }\r\n}',
    );
  });

  it('says why a document cannot be saved, with its own line and column', () => {
    const base = '{"a": "x\\ny", "b": 1}';
    const document = recordDocument(base)!.replace('"b": 1', '"b": 1,');
    const merge = mergeRecord({ base, edited: readRecordDocument(document), current: base });
    const message = merge.kind === 'unreadable' ? merge.message : '';
    assert.match(message, /^Not valid JSON at line 6, column 9: found a trailing comma/);
    const list = mergeRecord({ base, edited: readRecordDocument('\n[1]'), current: base });
    assert.match(list.kind === 'unreadable' ? list.message : '', /^Not a record at line 2, column 1: found an array/);
  });
});

describe('saving when the record has changed in its file', () => {
  const cases: readonly (readonly [string, string, string, string, string])[] = [
    ['members', '{"a":1,"b":2}', '{"a":9,"b":2}', '{"a":1,"b":8}', '{"a":9,"b":8}'],
    ['new members on both sides', '{"a":1}', '{"a":1,"n":1}', '{"a":1,"m":2}', '{"a":1,"n":1,"m":2}'],
    ['the same new member', '{"a":1}', '{"a":1,"n":1}', '{"n": 1, "a":1}', '{"n": 1, "a":1}'],
    ['a rename and a new value', '{"a":1,"b":2}', '{"x":1,"b":2}', '{"a":5,"b":2}', '{"x":5,"b":2}'],
    [
      'a new order and a new value',
      '{"a":1,"b":2,"c":3}',
      '{"c":3,"b":2,"a":1}',
      '{"a":1,"b":7,"n":0,"c":3}',
      '{"c":3,"b":7,"n":0,"a":1}',
    ],
    ['a new order there and a new value here', '{"a":1,"b":2}', '{"a":5,"b":2}', '{"b":2,"a":1}', '{"b":2,"a":5}'],
    ['corners of one box', '{"b":[1,1,2,3]}', '{"b":[1,2,3,3]}', '{"b":[1,1,2,9]}', '{"b":[1,2,3,9]}'],
    [
      'elements of one list',
      '{"p":["a","b","c","d"]}',
      '{"p":["new","a","b","c","d"]}',
      '{"p":["a","b","c","d!","e"]}',
      '{"p":["new","a","b","c","d!","e"]}',
    ],
    [
      'a removed and a changed element',
      '{"p":["a","long text","c"]}',
      '{"p":["long text","c"]}',
      '{"p":["a","long texts","c"]}',
      '{"p":["long texts","c"]}',
    ],
    ['the same removed', '{"p":["a","b"],"q":1}', '{"p":["b"]}', '{"p":["b"],"q":1}', '{"p":["b"]}'],
    ['the same change and another', '{"a":1,"b":2}', '{"a":3,"b":2}', '{"a":3,"b":5}', '{"a":3,"b":5}'],
    ['the same inserted', '{"p":["a"]}', '{"p":["a","b"],"n":1}', '{"p":["a","b"] }', '{"p":["a","b"],"n":1 }'],
    [
      'its spelling',
      '{"a":"€","b":2}',
      '{"a":"€","b":3}',
      '{ "a" : "\\u20ac", "b" : 2 }',
      '{ "a" : "\\u20ac", "b" : 3 }',
    ],
  ];
  for (const [title, base, edited, current, expected] of cases) {
    it(`keeps both: ${title}`, () => assert.equal(merged(base, edited, current), expected));
  }

  const clashes: readonly (readonly [string, string, string, string, readonly string[]])[] = [
    ['one value', '{"a":1}', '{"a":2}', '{"a":3}', ['/a']],
    ['one number in two spellings', '{"a":1}', '{"a":2}', '{"a":2.0}', ['/a']],
    ['one string', '{"a":{"b/c":["x y"]}}', '{"a":{"b/c":["x z"]}}', '{"a":{"b/c":["z y"]}}', ['/a/b~1c/0']],
    ['removed here, changed there', '{"a":1,"b":2}', '{"b":2}', '{"a":5,"b":2}', ['/a']],
    ['changed here, removed there', '{"a":1,"b":2}', '{"a":5,"b":2}', '{"b":2}', ['/a']],
    ['two values for one new key', '{"a":1}', '{"a":1,"n":1}', '{"a":1,"n":2}', ['/n']],
    ['two names for one key', '{"a":1}', '{"x":1}', '{"y":1}', ['/y']],
    ['a name that is taken', '{"a":1}', '{"n":1}', '{"a":1,"n":5}', ['/n']],
    ['two orders', '{"a":1,"b":2,"c":3}', '{"c":3,"b":2,"a":1}', '{"b":2,"a":1,"c":3}', ['']],
    ['two elements at one place', '{"p":["a"]}', '{"p":["a","b"]}', '{"p":["a","c"]}', ['/p/1']],
    ['several', '{"a":1,"b":{"c":2}}', '{"a":2,"b":{"c":3}}', '{"a":3,"b":{"c":4}}', ['/a', '/b/c']],
    ['a record that cannot be read', '{"a":1}', '{"a":2}', '{"a":1', ['']],
  ];
  for (const [title, base, edited, current, pointers] of clashes) {
    it(`asks: ${title}`, () => assert.deepEqual(conflicts(base, edited, current), pointers));
  }

  it('writes nothing where the document changed nothing, whatever the file holds', () => {
    for (const current of ['{"a":2}', '{"b"', '']) {
      assert.deepEqual(mergeRecord({ base: '{"a":1}', edited: '{\n"a": 1}', current }), { kind: 'edits', edits: [] });
    }
  });
});

const values: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(0, 7, -3, 2.5, 'word', 'a/b', 'é €', 'x\n"y"', 'def f():\n    """Doc"""\n', '😀', true, null),
  fc.array(fc.integer({ min: 0, max: 3000 }), { maxLength: 4 }),
  fc.constant({ label: 'table', box: [1, 2, 3, 4] }),
);
const gesture = fc.record({
  kind: fc.constantFrom('replace', 'remove', 'insert', 'renameKey', 'lexeme' as const),
  place: fc.nat(),
  value: values,
  lexeme: fc.constantFrom('3', '3.0', '-1e2', '0.50', '12'),
});
type Gesture = typeof gesture extends fc.Arbitrary<infer G> ? G : never;

/** An edit by pointer at one of the places of a value; undefined where it cannot be made there. */
function editOf(value: Json, { kind, place, value: fresh, lexeme }: Gesture): Edit | undefined {
  const places = [...pointersIn(value)];
  const [pointer] = places[place % places.length]!;
  const parent = valueAt(value, pointer.slice(0, pointer.lastIndexOf('/')));
  if (kind === 'insert') return { kind, pointer: Array.isArray(parent) ? pointer : `${pointer}-new`, value: fresh };
  if (kind === 'renameKey') return Array.isArray(parent) ? undefined : { kind, pointer, key: 'a new key é' };
  if (kind === 'lexeme') return { kind, pointer, lexeme };
  return kind === 'remove' ? { kind, pointer } : { kind, pointer, value: fresh };
}

describe('random edits of a record document', () => {
  for (const [name, records] of [
    ['records on one line', oddLine],
    ['records on several lines', oddLines],
  ] as const) {
    it(`reach the record and nothing else: ${name}`, function () {
      this.timeout(600_000);
      let tried = 0;
      const check = (record: Spelled, gestures: readonly Gesture[]): void => {
        const viewed = readRecordDocument(recordDocument(record.text)!);
        let text = viewed.text;
        for (const one of gestures) {
          const value = JSON.parse(text) as Json;
          const edit = [...pointersIn(value)].length > 0 ? editOf(value, one) : undefined;
          const edits = edit && placeEdits([edit], text);
          if (edits !== undefined) text = applyEdits(text, edits);
        }
        const edited = readRecordDocument(recordDocument(text)!);
        const result = merged(record.text, edited);
        assertSame(result, text);
        assertKept(record.text, result);
        if (!record.text.includes('\n')) assert.ok(!result.includes('\n'), result);
        tried++;
      };
      fc.assert(fc.property(records, fc.array(gesture, { minLength: 1, maxLength: 3 }), check), {
        numRuns: RUNS,
        seed: 21,
      });
      assert.equal(tried, RUNS);
    });
  }

  it('reach the record in any version, by a document of anything', function () {
    this.timeout(600_000);
    const pair = fc.tuple(oddRecordWithMembers, oddRecordWithMembers);
    fc.assert(
      fc.property(pair, ([base, other]) => {
        const result = merged(base, readRecordDocument(recordDocument(other)!));
        assert.deepEqual(mergeRecord({ base: other, edited: result, current: other }), { kind: 'edits', edits: [] });
        if (!base.includes('\n')) assert.ok(!result.includes('\n'), result);
        assert.deepEqual(mergeRecord({ base, edited: other, current: other }), { kind: 'edits', edits: [] });
      }),
      { numRuns: RUNS, seed: 22 },
    );
  });
});

describe('random edits on both sides', () => {
  const two = fc.tuple(gesture, gesture);

  it('of different members both survive', function () {
    this.timeout(600_000);
    let tried = 0;
    fc.assert(
      fc.property(oddLine, two, (record, [one, other]) => {
        const keys = Object.keys(record.value as object);
        const [first, second] = [keys[one.place % keys.length]!, keys[other.place % keys.length]!];
        if (first === second) return;
        const change = (key: string, wanted: Gesture): string => {
          const pointer = `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
          const span = spanOfPointer(record.text, pointer)!;
          const inner = (record.value as Readonly<Record<string, Json>>)[key]!;
          const places = [...pointersIn(inner)].length > 0;
          const edit = places ? editOf(inner, wanted) : undefined;
          const own =
            edit === undefined
              ? [{ span: { start: 0, end: span.end - span.start }, text: JSON.stringify(wanted.value) }]
              : placeEdits([edit], record.text.slice(span.start, span.end))!;
          return (
            record.text.slice(0, span.start) +
            applyEdits(record.text.slice(span.start, span.end), own) +
            record.text.slice(span.end)
          );
        };
        const [edited, current] = [change(first, one), change(second, other)];
        const result = JSON.parse(merged(record.text, edited, current)) as Record<string, Json>;
        const expected = {
          ...(JSON.parse(current) as Record<string, Json>),
          [first]: (JSON.parse(edited) as Record<string, Json>)[first],
        };
        assert.deepEqual(result, expected);
        tried++;
      }),
      { numRuns: RUNS, seed: 23 },
    );
    assert.ok(tried > RUNS / 3);
  });

  it('of one value are a conflict there', function () {
    this.timeout(600_000);
    let tried = 0;
    fc.assert(
      fc.property(oddLine, fc.nat(), (record, place) => {
        const scalars = [...pointersIn(record.value)].filter(
          ([, value]) => typeof value !== 'object' || value === null,
        );
        if (scalars.length === 0) return;
        const [pointer] = scalars[place % scalars.length]!;
        const change = (lexeme: string): string =>
          applyEdits(record.text, placeEdits([{ kind: 'lexeme', pointer, lexeme }], record.text)!);
        const [one, other] = [change('91'), change('92')];
        assert.deepEqual(conflicts(record.text, one, other), [pointer]);
        tried++;
      }),
      { numRuns: RUNS, seed: 24 },
    );
    assert.ok(tried > RUNS / 3);
  });

  it('never lose what one side has changed without a conflict', function () {
    this.timeout(600_000);
    const three = fc.tuple(fc.array(gesture, { maxLength: 2 }), fc.array(gesture, { maxLength: 2 }));
    fc.assert(
      fc.property(oddLine, three, (record, [mine, theirs]) => {
        const change = (gestures: readonly Gesture[]): string =>
          gestures.reduce((text, one) => {
            const value = JSON.parse(text) as Json;
            const edit = [...pointersIn(value)].length > 0 ? editOf(value, one) : undefined;
            const edits = edit && placeEdits([edit], text);
            return edits === undefined ? text : applyEdits(text, edits);
          }, record.text);
        const [edited, current] = [change(mine), change(theirs)];
        const merge = mergeRecord({ base: record.text, edited, current });
        if (merge.kind !== 'edits') return;
        const result = applyEdits(current, merge.edits);
        assert.ok(parseRecordText(result).value !== undefined, result);
        // Seen from the other side it is the same record, but for the order of what both have added.
        const back = mergeRecord({ base: record.text, edited: current, current: edited });
        assert.equal(back.kind, 'edits');
        const other = back.kind === 'edits' ? applyEdits(edited, back.edits) : '';
        assert.deepEqual(JSON.parse(other), JSON.parse(result));
      }),
      { numRuns: RUNS, seed: 25 },
    );
  });
});

/** Both texts say the same, numbers by their spelling and keys in order. */
function assertSame(one: string, two: string): void {
  const meaning = (text: string): unknown =>
    [...tokensOf(text)].map(([pointer, token]) => [
      pointer,
      token.startsWith('"') ? (JSON.parse(token) as string) : token,
    ]);
  assert.deepEqual(meaning(one), meaning(two));
}

/** What says the same as before at the same place keeps its bytes, unless elements before it came or went. */
function assertKept(before: string, after: string): void {
  const old = tokensOf(before);
  const [oldValue, freshValue] = [JSON.parse(before) as Json, JSON.parse(after) as Json];
  const isShifted = (pointer: string): boolean => {
    for (let end = pointer.lastIndexOf('/'); end >= 0; end = pointer.lastIndexOf('/', end - 1)) {
      const [one, two] = [valueAt(oldValue, pointer.slice(0, end)), valueAt(freshValue, pointer.slice(0, end))];
      if (Array.isArray(one) !== Array.isArray(two)) return true;
      if (Array.isArray(one) && Array.isArray(two) && one.length !== two.length) return true;
      if (end === 0) break;
    }
    return false;
  };
  for (const [pointer, token] of tokensOf(after)) {
    const known = old.get(pointer);
    if (known === undefined || isShifted(pointer.replace(/#$/, '')) || !token.startsWith('"') || !known.startsWith('"'))
      continue;
    if (JSON.parse(token) === JSON.parse(known)) assert.equal(token, known, `${pointer}: ${before} → ${after}`);
  }
}
