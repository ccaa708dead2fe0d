import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describePointer, joinPointer, parsePointer, valueAt } from '../../../server/src/core/text/pointer.ts';
import { parseRecordText } from '../../../server/src/core/text/parse.ts';
import { isAscii } from '../../../server/src/core/text/ascii.ts';
import { scan } from '../../../server/src/core/text/scan.ts';
import type { TextFault } from '../../../server/src/core/text/types.ts';

function only(text: string): TextFault {
  const { faults } = parseRecordText(text);
  assert.equal(faults.length, 1, JSON.stringify(faults));
  return faults[0] as TextFault;
}

/** What the fault's span covers. */
const covered = (text: string, { span }: TextFault): string => text.slice(span.start, span.end);

describe('reading one record', () => {
  it('reads good records without a fault', () => {
    for (const text of [
      '{}',
      ' {"a":[1,-2.5e-3,{"b":null}],"c":{"a":true}} ',
      '{"a":{"x":1},"b":{"x":1},"c":[{"x":1},{"x":1}]}',
      '{"a":"b\\":1,\\"a\\":2","b":"a"}',
      '{"a":9007199254740991,"b":-9007199254740992,"c":12345678901234567890.5,"d":0.12345678901234567890,"e":1e300}',
      '{"uid":"7e123456-1234567890123456789","u":"Infinity NaN"}',
      '{"\\u0061":1,"b":1}',
      '{"a":{"a":{"a":1}}}',
    ]) {
      const { value, faults, nonFinite } = parseRecordText(text);
      assert.deepEqual({ value, faults, nonFinite }, { value: JSON.parse(text), faults: [], nonFinite: [] }, text);
    }
  });

  it('keeps __proto__ a key like any other', () => {
    const text = '{"__proto__":{"polluted":1},"constructor":{"prototype":2},"a":NaN}';
    const { value, nonFinite } = parseRecordText(text);
    assert.equal(valueAt(value, '/__proto__/polluted'), 1);
    assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
    assert.deepEqual(nonFinite, ['/a']);
    assert.equal(only('{"__proto__":1,"__proto__":2}').code, 'file/duplicate-key');
    assert.equal(valueAt({}, '/constructor'), undefined);
  });

  it('names a repeated key at its later place, with both', () => {
    const text = '{"id":"a","deep":[{"k":1,"l":{"k":3},"k":2}]}';
    const fault = only(text);
    assert.deepEqual(
      [fault.code, fault.pointer, fault.span, fault.found],
      ['file/duplicate-key', '/deep/0/k', { start: 37, end: 40 }, 'k'],
    );
    assert.match(fault.message, /"k".*column 20.*column 38/s);
    assert.equal(valueAt(parseRecordText(text).value, '/deep/0/k'), 2);
  });

  it('compares keys as they are after unescaping', () => {
    assert.equal(only('{"a":1,"\\u0061":2}').pointer, '/a');
    assert.equal(only('{"a\\/b":1,"a/b":2}').pointer, '/a~1b');
    assert.equal(parseRecordText('{"k":1,"k":2,"k":3}').faults.length, 2);
  });

  it('names integers beyond 2^53 and what becomes of them', () => {
    const text = '{"id":2158705376953327917,"n":[9007199254740993]}';
    const [first, second] = parseRecordText(text).faults;
    assert.deepEqual(
      [first?.code, first?.pointer, covered(text, first as TextFault)],
      ['file/unsafe-number', '/id', '2158705376953327917'],
    );
    assert.match(first?.message ?? '', /2158705376953327917.*2158705376953327872/s);
    assert.deepEqual([second?.pointer, second?.found], ['/n/0', '9007199254740993']);
    assert.match(second?.message ?? '', /make it 9007199254740992/);
    assert.equal(only('{"n":-9007199254740993}').code, 'file/unsafe-number');
    assert.match(only('{"n":10000000000000000000}').message, /survives/);
  });

  it('reads a number beyond all doubles as null', () => {
    for (const literal of ['1e999', '-1E+400', '9'.repeat(400), `1.5e${'9'.repeat(30)}`]) {
      const { value, faults, nonFinite } = parseRecordText(`{"a":[${literal}]}`);
      assert.deepEqual([value, nonFinite, faults.length], [{ a: [null] }, ['/a/0'], 1]);
    }
  });

  it('reads NaN and Infinity as null, all of them at their place', () => {
    const text = '{"a":NaN,"b":[1,Infinity,{"c/d":-Infinity}],"e":"NaN"}';
    const { value, faults, nonFinite } = parseRecordText(text);
    assert.deepEqual(value, { a: null, b: [1, null, { 'c/d': null }], e: 'NaN' });
    assert.deepEqual(nonFinite, ['/a', '/b/1', '/b/2/c~1d']);
    assert.deepEqual(
      faults.map((fault) => [fault.code, fault.pointer, covered(text, fault)]),
      [
        ['file/non-finite-number', '/a', 'NaN'],
        ['file/non-finite-number', '/b/1', 'Infinity'],
        ['file/non-finite-number', '/b/2/c~1d', '-Infinity'],
      ],
    );
  });

  it('reports line separators once per kind and string', () => {
    const text = '{"a":"x\u2028y\u2028z\u0085","b":["\u2029"],"c\u2028":1,"d":"\\u2028"}';
    assert.deepEqual(
      parseRecordText(text).faults.map((fault) => [fault.code, fault.pointer, fault.found, fault.span.start]),
      [
        ['file/line-separator', '/a', 'U+2028', 7],
        ['file/line-separator', '/a', 'U+0085', 11],
        ['file/line-separator', '/b/0', 'U+2029', text.indexOf('\u2029')],
        ['file/line-separator', '/c\u2028', 'U+2028', text.indexOf('c\u2028') + 1],
      ],
    );
    assert.match(parseRecordText(text).faults[0]?.message ?? '', /U\+2028 .*2 times/);
  });

  for (const [text, column, words] of [
    ['{"a":1,}', 7, 'trailing comma'],
    ['{"a":[1,2,]}', 10, 'trailing comma'],
    ["{'a':1}", 2, 'single quotation mark'],
    ['{"a":None}', 6, '`None`.*null'],
    ['{"a":[True]}', 7, '`True`.*true'],
    ['{"a":False}', 6, '`False`.*false'],
    ['{"a":undefined}', 6, '`undefined`.*null'],
    ['{"a":nan}', 6, '`nan`'],
    ['{"a":"x', 6, 'without its closing quotation mark'],
    ['{"a":"x}', 6, 'without its closing quotation mark'],
    ['{"a":1}{"b":2}', 8, 'second object.*line break is missing'],
    ['{"a":1}\r{"b":2}', 9, 'second object.*carriage return'],
    ['{"a":1},', 8, 'comma.*no comma between records'],
    ['[{"a":1}]', 1, 'an array'],
    ['"{}"', 1, 'a string'],
    ['12', 1, 'a number'],
    ['null', 1, 'null'],
    ['NaN', 1, 'a number'],
    ['{"a":"x\ty"}', 8, 'raw tab.*\\\\t'],
    ['{"a":"x\u0000y"}', 8, 'NUL.*\\\\u0000'],
    ['{"a":"say "yes" now"}', 12, 'right after a string'],
    ['{"a" 1}', 6, 'colon'],
    ['{"a":1 "b":2}', 8, 'comma is missing'],
    ['{"a":{"b":1} {"c":1}}', 14, 'comma is missing'],
    ['{"a":007}', 6, 'leading zero'],
    ['{"a":.5}', 6, 'digit before'],
    ['{"a":5.}', 6, 'digit after'],
    ['{"a":+1}', 6, 'plus sign'],
    ['{"a":12abc}', 6, '`12abc`'],
    ['{a:1}', 2, 'double quotes'],
    ['{"a":1 // note', 8, 'comment'],
    ['{"a":“x”}', 6, 'U\\+201C'],
    ['{"a":"C:\\qux"}', 9, 'escape \\\\q'],
    ['{"a":"\\u12"}', 7, 'escape \\\\u12'],
    ['{"a":[1,2}', 10, '`}`.*`]`.*column 6'],
    ['{"a":1}}', 8, 'bracket too many'],
    ['{"a":1,,"b":2}', 8, 'second comma'],
    ['{"a":\u00a01}', 6, 'U\\+00A0'],
    ['{"a":{"b":[1,', 13, 'end of the record.*cut off'],
    ['{"a"', 4, 'end of the record'],
    ['', 1, 'nothing'],
    ['two","b":1}', 1, 'rest of the record before'],
  ] as const) {
    it(`says what is wrong with ${JSON.stringify(text)}`, () => {
      const parsed = parseRecordText(text);
      assert.equal(parsed.value, undefined);
      const fault = only(text);
      assert.equal(fault.code, 'file/invalid-json');
      assert.match(fault.message, new RegExp(`column ${column}\\b`));
      assert.match(fault.message, new RegExp(words, 's'));
      assert.match(fault.message, /found .*expected /s);
      assert.ok(fault.span.start <= fault.span.end && fault.span.end <= text.length);
    });
  }

  it('names line and column in records of several lines', () => {
    assert.match(only('{\n  "a": 1,\n  "b": 2,\n}').message, /line 3 of the record, column 9/);
    assert.match(only('{\n  "a": \'x\'\n}').message, /line 2 of the record, column 8/);
  });

  it('reads strings of megabytes and 10,000 keys', () => {
    const long = JSON.stringify({ a: 'x"\\\n'.repeat(500_000), b: '\u2028' });
    assert.deepEqual(
      parseRecordText(long).faults.map(({ code, pointer }) => [code, pointer]),
      [['file/line-separator', '/b']],
    );
    const wide = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`key${index}`, index]));
    const text = JSON.stringify(wide);
    assert.deepEqual(parseRecordText(text).faults, []);
    assert.equal(only(text.slice(0, -1) + ',"key77":1}').pointer, '/key77');
  });
});

describe('the fast scan', () => {
  it('tells where a number of a member may have a point or an exponent', () => {
    const mayHave = (text: string): boolean | undefined => parseRecordText(text).hasDecimals;
    for (const text of ['{"a":1e3}', '{"a":[1.0]}', '{"a" : [ 1, -2.00 ]}', '{"a":5E-1}', '{"b":{"a":[3,4.5]}}']) {
      assert.equal(mayHave(text), true, text);
    }
    for (const text of ['{"a":13}', '{"a":[1,2]}', '{"a":"1.0"}', '{"a":[[0.5,10]],"b":[]}', '{"a":true}']) {
      assert.equal(mayHave(text), false, text);
    }
  });

  it('never calls a text plain in which something repeats or is lost', () => {
    const key = fc.constantFrom('a', 'b', 'a"', ':', 'a":', 'ab', '\\', '');
    const literal = fc.constantFrom(
      '1',
      '9007199254740993',
      '1.5',
      '"a"',
      '"a\\":"',
      '": "',
      '"\u2028"',
      'null',
      '1e999',
      '1e5',
      '12345678901234567.5',
      '"12345678901234567"',
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 3 }, literal, tie('list'), tie('object')),
      list: fc.array(tie('value'), { maxLength: 3 }).map((values) => `[${values.join(', ')}]`),
      object: fc
        .array(fc.tuple(key, fc.constantFrom('', ' '), tie('value')), { maxLength: 4 })
        .map(
          (members) =>
            `{${members.map(([name, blank, of]) => `${JSON.stringify(name)}${blank}:${String(of)}`).join(',')}}`,
        ),
    }));
    fc.assert(
      fc.property(value, (inner) => {
        const text = `{"v":${String(inner)}}`;
        const expected = slowAnswer(text);
        const { isPlain } = scan(text, JSON.parse(text) as Record<string, unknown>, isAscii(text));
        if (isPlain) assert.equal(expected, false, text);
        assert.equal(parseRecordText(text).faults.length > 0, expected, text);
      }),
      { numRuns: 3000 },
    );
  });
});

/** Whether parsing loses something, told in the simplest way there is: by writing the value again and counting. */
function slowAnswer(text: string): boolean {
  const tokens = text.match(/"(?:[^"\\]|\\.)*"(\s*:)?|-?\d[\d.eE+-]*/g) ?? [];
  const keys = tokens.filter((token) => token.startsWith('"') && token.endsWith(':')).length;
  const unsafe = tokens.some((token) => /^-?\d+$/.test(token) && Math.abs(Number(token)) > 2 ** 53 - 1);
  const overflow = tokens.some((token) => /^-?\d/.test(token) && !Number.isFinite(Number(token)));
  return unsafe || overflow || /[\u0085\u2028\u2029]/.test(text) || countKeys(JSON.parse(text)) !== keys;
}

function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner = Object.values(value).reduce((sum: number, child) => sum + countKeys(child), 0);
  return inner + (Array.isArray(value) ? 0 : Object.keys(value).length);
}

describe('JSON pointers', () => {
  it('escape and unescape any key', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.constantFrom('~', '/', '~1', '~01', ''))), (segments) => {
        assert.deepEqual(parsePointer(joinPointer('', ...segments)), segments);
      }),
    );
  });
  it('are shown as people write them', () => {
    assert.equal(describePointer('/paragraphs/2'), 'paragraphs[2]');
    assert.equal(describePointer('/bbox/0/1/3'), 'bbox[0][1][3]');
    assert.equal(describePointer('/table/rows/0/a~1b'), 'table.rows[0].a/b');
    assert.equal(describePointer(''), 'the record');
  });
});
