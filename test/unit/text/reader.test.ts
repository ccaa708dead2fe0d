import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseRecordText } from '../../../server/src/core/text/parse.ts';
import { createRecordReader, readRecords } from '../../../server/src/core/text/reader.ts';
import type { ReadRecords } from '../../../server/src/core/text/reader.ts';
import type { FileForm } from '../../../server/src/core/text/types.ts';

function inPieces(text: string, form: FileForm, cuts: readonly number[]): ReadRecords {
  const reader = createRecordReader(form);
  const slots = [];
  let from = 0;
  for (const cut of [...cuts].sort((a, b) => a - b)) {
    const to = Math.min(cut, text.length);
    slots.push(...reader.push(text.slice(from, to)));
    from = to;
  }
  slots.push(...reader.push(text.slice(from)));
  const last = reader.end();
  return { slots: [...slots, ...last.slots], faults: last.faults, form: last.form };
}

/** Texts of the slots, and code and 1-based line of the faults of file and records. */
function read(
  text: string,
  form: FileForm = 'lines',
): { texts: string[]; faults: string[]; values: unknown[]; form: string } {
  const found = readRecords(text, form);
  const parsed = found.slots.map((slot) => ({ slot, ...parseRecordText(slot.text) }));
  return {
    texts: found.slots.map((slot) => slot.text),
    values: parsed.map(({ value }) => value),
    faults: [
      ...found.faults.map(({ code, line }) => `${code}:${line + 1}`),
      ...parsed.flatMap(({ slot, faults }) => faults.map(({ code }) => `${code}:${slot.line + 1}`)),
    ],
    form: found.form,
  };
}

const A = '{"id":"a","q":"one"}';
const B = '{"id":"b","q":"two"}';
const C = '{"id":"c","q":"three"}';

describe('reading JSONL', () => {
  it('gives each line as it stands', () => {
    const { slots, faults, form } = readRecords(`${A}\n ${B} \r\n${C}`, 'lines');
    assert.deepEqual(
      slots.map(({ index, line, column, offset, text }) => [index, line, column, offset, text]),
      [
        [0, 0, 0, 0, A],
        [1, 1, 0, A.length + 1, ` ${B} `],
        [2, 2, 0, A.length + B.length + 5, C],
      ],
    );
    assert.equal(form, 'lines');
    assert.deepEqual(
      faults.map(({ code }) => code),
      ['file/mixed-line-endings'],
    );
  });

  for (const [name, text] of Object.entries({
    'no final line end': `${A}\n${B}`,
    'a final line end': `${A}\n${B}\n`,
    'CRLF throughout': `${A}\r\n${B}\r\n`,
    'nothing at all': '',
    'only blanks': ' \n\n\t\n',
  })) {
    it(`finds nothing with ${name}`, () => assert.deepEqual(read(text).faults, []));
  }

  it('reports one fault per run of blank lines', () => {
    const { faults, texts } = read(`\n${A}\n\n \n${B}\n\n\n`);
    assert.deepEqual(texts, [A, B]);
    assert.deepEqual(faults, ['file/blank-line:1', 'file/blank-line:3', 'file/blank-line:6']);
  });

  it('ends lines at LF and CRLF and at nothing else', () => {
    const strange = '{"id":"a","q":"one\u2028two\u2029three\u0085four"}';
    assert.deepEqual(read(`${strange}\n${B}\n`).texts, [strange, B]);
    const { texts, faults } = read(`${A}\r${B}\n${C}\n`);
    assert.deepEqual(texts, [`${A}\r${B}`, C]);
    assert.deepEqual(faults, ['file/invalid-json:1']);
  });

  it('skips byte order marks and keeps offsets true', () => {
    const { slots, faults } = readRecords(`\ufeff${A}\n\ufeff${B}\n`, 'lines');
    assert.deepEqual(
      slots.map(({ line, column, offset, text }) => [line, column, offset, text]),
      [
        [0, 0, 0, A],
        [1, 1, A.length + 2, B],
      ],
    );
    assert.deepEqual(
      faults.map(({ code, line, startColumn, endColumn }) => [code, line, startColumn, endColumn]),
      [
        ['file/byte-order-mark', 0, 0, 0],
        ['file/byte-order-mark', 1, 0, 1],
      ],
    );
  });

  it('names the line in which a broken string seems to go on', () => {
    const broken = `${A}\n{"id":"x","q":"first\n\nsecond","n":1}\n${B}\n`;
    const { slots, faults } = readRecords(broken, 'lines');
    assert.deepEqual(
      slots.map(({ text }) => text),
      [A, B],
    );
    assert.equal(faults.length, 1);
    assert.equal(faults[0]?.code, 'file/invalid-json');
    assert.deepEqual([faults[0]?.line, faults[0]?.startColumn], [1, 14]);
    assert.match(faults[0]?.message ?? '', /column 15.* line 3/);
  });

  it('reads an object in the middle that goes over several lines, and says so once', () => {
    const { texts, faults } = read(`${A}\n{\n  "id": "x",\n  "q": "y"\n}\n${B}\n`);
    assert.deepEqual(texts, [A, '{\n  "id": "x",\n  "q": "y"\n}', B]);
    assert.deepEqual(faults, ['file/invalid-json:2']);
  });

  for (const [name, line] of Object.entries({
    'cut off': '{"id":"x","q":',
    'cut off in a string': '{"id":"x","q":"y',
    'without its last bracket': '{"id":"x","q":"y"',
    'with a missing quotation mark': '{"id":"x","q":y"}',
    'with single quotation marks': "{'id':'x'}",
    'that is text': 'see above',
    'that is an array': '[1,2]',
    'with a bracket too many': '{"id":"x"}}',
  })) {
    it(`reads the records around a line ${name}`, () => {
      for (const text of [
        `${line}\n${A}\n${B}\n`,
        `${A}\n${line}\n${B}\n`,
        `${A}\n${B}\n${line}\n`,
        `${A}\n${line}\n${line}\n${B}`,
      ]) {
        const { values, faults } = read(text);
        assert.deepEqual(
          values.filter((value) => value !== undefined),
          [JSON.parse(A), JSON.parse(B)],
          text,
        );
        assert.ok(faults.length > 0 && faults.every((fault) => fault.startsWith('file/invalid-json:')), faults.join());
      }
    });
  }

  describe('that is no JSONL', () => {
    const pretty = (value: unknown): string => JSON.stringify(value, null, 2);
    const records = [A, B, C].map((text) => JSON.parse(text) as unknown);
    for (const [name, text] of Object.entries({
      'an indented array': pretty(records),
      'an array with one record per line': `[${A},\n${B},\n${C}]\n`,
      'an array on one line': JSON.stringify(records),
      'an array after blank lines': `\n\n  ${pretty(records)}`,
      'indented objects': records.map(pretty).join('\n') + '\n',
      'indented objects with blank lines between': records.map(pretty).join('\n\n'),
      'an object that holds the records': pretty({ version: '1', data: records }),
      'an array without its end': pretty(records).replace(/\]$/, ''),
      'an array with missing commas': `[\n${A}\n${B}\n${C}\n]`,
    })) {
      it(`is told once: ${name}`, () => {
        const found = read(text);
        assert.deepEqual(found.values, records);
        assert.deepEqual(found.faults, [`file/not-json-lines:${name.includes('after blank') ? 3 : 1}`]);
      });
    }

    it('leaves out what cannot be read and counts it', () => {
      const { slots, faults } = readRecords(`[\n${A},\n{"id":},\n${C}\n]`, 'lines');
      assert.deepEqual(
        slots.map(({ index, text }) => [index, text]),
        [
          [0, A],
          [1, C],
        ],
      );
      assert.deepEqual(
        faults.map(({ code }) => code),
        ['file/not-json-lines'],
      );
      assert.match(faults[0]?.message ?? '', /2 records could be read, 1 could not/);
    });
  });

  it('takes lines that are arrays one by one for JSONL with faults', () => {
    assert.deepEqual(read('[1]\n[2]\n').faults, ['file/invalid-json:1', 'file/invalid-json:2']);
  });
});

describe('reading a JSON document', () => {
  const ids = (values: readonly unknown[]): unknown[] =>
    values.map((value) => (value as { id?: unknown } | undefined)?.id);

  it('gives the elements of an array, nested ones too, with their places', () => {
    const text = `[\n  ${A},\n  [${B}, [${C}]]\n]\n`;
    const { slots, faults, form } = readRecords(text, 'json');
    assert.deepEqual(
      slots.map(({ index, line, column, text: own }) => [index, line, column, own]),
      [
        [0, 1, 2, A],
        [1, 2, 3, B],
        [2, 2, 4 + B.length + 2, C],
      ],
    );
    for (const slot of slots) assert.equal(text.slice(slot.offset, slot.offset + slot.text.length), slot.text);
    assert.deepEqual([faults, form], [[], 'array']);
  });

  it('gives the records that an object holds', () => {
    for (const text of [
      `{"data":[${A},${B}]}`,
      `{"version":1,"data":[${A},${B}],"note":{"x":[{"id":1}]}}`,
      `{"anything":[${A},${B}]}`,
      `{"train":[${A}],"test":[${B}]}`,
    ]) {
      const found = read(text, 'json');
      assert.deepEqual([ids(found.values), found.faults, found.form], [['a', 'b'], [], 'object'], text);
    }
  });

  it('takes any other object for one record', () => {
    for (const text of [
      A,
      '{"id":"a","evidence":[{"page":1}]}',
      '{"id":"a","table":[],"paragraphs":[{"x":1}],"other":[{"y":1}]}',
      ` ${A} `,
    ]) {
      const found = read(text, 'json');
      assert.deepEqual([found.texts, found.faults], [[text.trim()], []], text);
    }
  });

  it('finds an error outside of the records of an object', () => {
    const { faults } = readRecords(`{"version":'1',\n"data":[${A}]}`, 'json');
    assert.deepEqual(
      faults.map(({ code, line, startColumn }) => [code, line, startColumn]),
      [['file/invalid-json', 0, 11]],
    );
    const later = readRecords(`{"data":[${A}],\n"version":1,}`, 'json');
    assert.deepEqual(
      later.faults.map(({ line, startColumn }) => [line, startColumn]),
      [[1, 11]],
    );
  });

  for (const [name, broken] of Object.entries({
    'with a trailing comma': '{"id":"x","q":1,}',
    'without its closing bracket': '{"id":"x","q":[1,2]',
    'with an unclosed inner array': '{"id":"x","q":[1,2}',
    'with an unclosed inner object': '{"id":"x","q":{"r":1}',
    'with a missing quotation mark': '{"id":"x","q":"y}',
    'with a missing opening quotation mark': '{"id":"x","q":y"}',
    'with quotation marks inside a string': '{"id":"x","q":"say "yes" now"}',
    'with single quotation marks': "{'id':'x'}",
    'with a bracket too many inside': '{"id":"x","q":[1]]}',
    'that is cut off': '{"id":"x","q":',
  })) {
    for (const [layout, join] of Object.entries({ 'on one line': ', ', 'line by line': ',\n  ' })) {
      it(`reads the others around a record ${name}, ${layout}`, () => {
        const { values, faults } = read(`[${[A, broken, B, C].join(join)}]`, 'json');
        const good = ids(values.filter((value) => value !== undefined));
        assert.deepEqual(
          good.filter((id) => id !== 'x'),
          ['a', 'b', 'c'],
        );
        assert.ok(faults.length > 0 && faults.every((fault) => fault.startsWith('file/invalid-json')), faults.join());
      });
    }
  }

  it('says where commas and brackets of the array are missing', () => {
    const place = (text: string): unknown[] =>
      readRecords(text, 'json').faults.map(({ line, startColumn, message }) => [
        line + 1,
        startColumn + 1,
        /missing-?|missing|trailing|cut off|is empty|second value|found a comma/.exec(message)?.[0],
      ]);
    assert.deepEqual(place(`[${A}\n${B}]`), [[2, 1, 'missing']]);
    assert.deepEqual(place(`[${A},\n${B},]`), [[2, B.length + 2, 'trailing']]);
    assert.deepEqual(place(`[${A},\n${B}\n`), [[3, 1, 'cut off']]);
    assert.deepEqual(place(`[${A},,${B}]`), [[1, A.length + 3, 'found a comma']]);
    assert.deepEqual(place(''), [[1, 1, 'is empty']]);
    assert.deepEqual(place(`${A}\n${B}\n${C}\n`), [[2, 1, 'second value']]);
  });

  it('reads a string with a pasted line break as one broken record', () => {
    const { values, faults } = read(`[${A},\n{"id":"x","q":"one\ntwo"},\n${B}]`, 'json');
    assert.deepEqual(ids(values), ['a', undefined, 'b']);
    assert.deepEqual(faults, ['file/invalid-json:2']);
  });

  it('does not drown in faults of one kind', () => {
    const { slots, faults } = readRecords(`[${Array.from({ length: 500 }, () => A).join('\n')}]`, 'json');
    assert.equal(slots.length, 500);
    assert.ok(faults.length <= 21);
    assert.match(faults.at(-1)?.message ?? '', /478 more/);
  });
});

describe('reading hostile texts', () => {
  it('survives 100,000 levels', () => {
    const deep = 100_000;
    for (const text of [
      '['.repeat(deep),
      '['.repeat(deep) + ']'.repeat(deep),
      '{"a":'.repeat(deep) + '1' + '}'.repeat(deep),
      '{"a":'.repeat(deep),
      `{"a":${'['.repeat(deep)}${']'.repeat(deep)}}`,
      ']'.repeat(deep),
    ]) {
      for (const form of ['lines', 'json'] as const) {
        for (const slot of readRecords(text, form).slots) parseRecordText(slot.text);
      }
    }
  });

  it('reads lines and elements of megabytes that come in small pieces', () => {
    const long = JSON.stringify({ id: 'a', q: 'The hall has "40" rows.\\'.repeat(60_000) });
    const cuts = Array.from({ length: 1400 }, (_, index) => index * 1024);
    for (const [text, form] of [
      [`${long}\n${B}\n`, 'lines'],
      [`[${long},${B}]`, 'json'],
    ] as const) {
      const { slots, faults } = inPieces(text, form, cuts);
      assert.deepEqual(
        slots.map((slot) => slot.text.length),
        [long.length, B.length],
      );
      assert.deepEqual(faults, []);
    }
  });

  const piece = fc.constantFrom(
    A,
    B,
    C,
    '\n',
    '\r\n',
    '\r',
    ' ',
    ',',
    '[',
    ']',
    '{',
    '}',
    '"',
    '\\',
    ':',
    '{"id":',
    '"x"',
    '"q":"y',
    '\ufeff',
    '\u2028',
    '[{"id":"a"}]',
    '{"data":[',
    '{\n  "id": "z"\n}',
    'NaN',
    '1',
    "'",
    'text',
    '{"id":"w","q":"a\nb"}',
    '\ud83d\ude00',
  );
  const texts = fc.oneof(
    fc.array(piece, { maxLength: 25 }).map((parts) => parts.join('')),
    fc.array(fc.constantFrom(A, B, C, '{"id":"x"', '', '[1]', 'x'), { maxLength: 8 }).map((parts) => parts.join('\n')),
    fc
      .array(fc.constantFrom(A, B, '{"id":"x","q":"y}', '{"id":"x"', `[${A}]`), { maxLength: 8 })
      .map((parts) => `[${parts.join(',\n')}]`),
  );

  it('gives the same wherever the text is cut', () => {
    fc.assert(
      fc.property(
        texts,
        fc.constantFrom<FileForm>('lines', 'json'),
        fc.array(fc.nat(400), { maxLength: 12 }),
        (text, form, cuts) => {
          const whole = readRecords(text, form);
          assert.deepEqual(inPieces(text, form, cuts), whole);
          assert.deepEqual(
            inPieces(
              text,
              form,
              Array.from(text, (_, index) => index),
            ),
            whole,
          );
        },
      ),
      { numRuns: 1500 },
    );
  });

  it('gives slots that are slices of the text, in order, without overlap, on true lines', () => {
    fc.assert(
      fc.property(texts, fc.constantFrom<FileForm>('lines', 'json'), (raw, form) => {
        const text = raw.startsWith('\ufeff') ? raw.slice(1) : raw;
        let end = 0;
        for (const [index, slot] of readRecords(raw, form).slots.entries()) {
          assert.equal(slot.index, index);
          assert.ok(slot.offset >= end);
          end = slot.offset + slot.text.length;
          assert.equal(text.slice(slot.offset, end), slot.text);
          const before = text.slice(0, slot.offset).split('\n');
          assert.deepEqual([slot.line, slot.column], [before.length - 1, before.at(-1)?.length]);
        }
      }),
      { numRuns: 1500 },
    );
  });

  it('reads every record of a valid file, however it is laid out', () => {
    const record = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { minKeys: 1 });
    fc.assert(
      fc.property(fc.array(record, { maxLength: 6 }), fc.constantFrom(undefined, 1, 2, '\t'), (records, indent) => {
        const expected = records.map((value) => JSON.parse(JSON.stringify(value)) as unknown);
        const values = (text: string, form: FileForm): unknown[] => {
          const { slots, faults } = readRecords(text, form);
          assert.deepEqual(faults, []);
          return slots.map((slot) => parseRecordText(slot.text).value);
        };
        assert.deepEqual(values(JSON.stringify(records, null, indent), 'json'), expected);
        assert.deepEqual(values(records.map((value) => JSON.stringify(value)).join('\n'), 'lines'), expected);
      }),
    );
  });
});
