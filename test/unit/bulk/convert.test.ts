/** Array to JSONL and back: what is written, what is refused, and that it does not depend on where the text is cut. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createConverter } from '../../../server/src/core/bulk/convert.ts';
import type { Kind, Unsound } from '../../../server/src/core/bulk/sound.ts';
import { oddLine, oddLines, tokensOf } from '../edit/odd-json.ts';

interface Converted {
  readonly text: string;
  readonly records: number;
  readonly problems: readonly Unsound[];
}

/** `cuts`: where the text is cut, as parts of its length. */
function convert(text: string, to: Kind, cuts: readonly number[] = []): Converted {
  const converter = createConverter(to === 'lines' ? 'json' : 'lines', to);
  const places = [0, ...cuts.map((cut) => Math.floor(cut * text.length)).sort((a, b) => a - b), text.length]
    // Readers of files do not cut characters in two.
    .map((at) => (/[\ud800-\udbff]/.test(text.charAt(at - 1)) ? at - 1 : at));
  let written = '';
  for (let at = 1; at < places.length; at++) written += converter.push(text.slice(places[at - 1], places[at]));
  const { text: last, records, problems } = converter.end();
  return { text: written + last, records, problems };
}

const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 4 });

describe('conversion', () => {
  it('keeps every spelling: numbers, escapes, repeated keys, the order of keys', () => {
    const odd = '{"b":1.0,"a":1e3,"a":"\\u20ac \\/ €","c":[ 2E-2 , -0 ],"__proto__":9007199254740993}';
    assert.equal(convert(`[${odd},${odd}]`, 'lines').text, `${odd}\n${odd}`);
    assert.equal(convert(`${odd}\n${odd}\n`, 'array').text, `[\n${odd},\n${odd}\n]\n`);
  });

  it('takes blanks only from between tokens, and only where a record stands on several lines', () => {
    const pretty = '[\n  {\n    "a b": "c  d \\" [ ,",\n    "e": [1,\t2]\n  },\n  { "on": "one line" }\n]\n';
    assert.equal(convert(pretty, 'lines').text, '{"a b":"c  d \\" [ ,","e":[1,2]}\n{ "on": "one line" }\n');
  });

  it('array to JSONL to array gives the same bytes where each record has its line', () => {
    fc.assert(
      fc.property(
        fc.array(oddLine, { minLength: 1, maxLength: 5 }),
        fc.constantFrom('\n', '\r\n'),
        fc.boolean(),
        cuts,
        (records, end, ended, at) => {
          // One line without an end does not tell what its line end would be.
          fc.pre(records.length > 1 || ended || end === '\n');
          const array = `[${end}${records.map(({ text }) => text).join(`,${end}`)}${end}]${ended ? end : ''}`;
          const lines = convert(array, 'lines', at);
          assert.deepEqual(lines.problems, []);
          assert.equal(lines.text, records.map(({ text }) => text).join(end) + (ended ? end : ''));
          assert.equal(convert(lines.text, 'array', at).text, array);
        },
      ),
      { numRuns: 150 },
    );
  });

  it('keeps each token of records that are laid out over several lines', () => {
    fc.assert(
      fc.property(fc.array(oddLines, { minLength: 1, maxLength: 4 }), cuts, (records, at) => {
        const { text, problems } = convert(`\ufeff[${records.map((one) => one.text).join(' ,\n')}]`, 'lines', at);
        assert.deepEqual(problems, []);
        const lines = text.split('\n');
        assert.equal(lines.length, records.length);
        for (const [index, line] of lines.entries()) assert.deepEqual(tokensOf(line), tokensOf(records[index]!.text));
      }),
      { numRuns: 100 },
    );
  });

  it('knows an array under the name of JSONL, and JSONL under that of an array', () => {
    assert.equal(createConverter('lines', 'lines').push(''), '');
    const misnamed = createConverter('lines', 'lines');
    assert.equal(misnamed.push('[\n  {"a": 1},\n  {"a": 2}\n]\n') + misnamed.end().text, '{"a": 1}\n{"a": 2}\n');
    assert.equal(convert('{"a":1}\n\n{"a":2}', 'array').text, '[\n{"a":1},\n{"a":2}\n]');
  });

  it('makes of nothing an empty file of the other kind', () => {
    assert.equal(convert('[ ]\n', 'lines').text, '');
    assert.equal(convert('', 'array').text, '[]');
    assert.deepEqual(convert('[]', 'lines').problems, []);
  });

  const refused = (text: string, to: Kind): string[] =>
    convert(text, to).problems.map(
      ({ line, index, message }) => `${line + 1} ${index === null ? '-' : index + 1} ${message}`,
    );

  it('tells each record that cannot be read, with its line', () => {
    const told = refused('{"a":1}\n{"a":\n{"a":2}\n"text"\n{"b":[1,}\n', 'array');
    assert.deepEqual(
      told.map((one) => one.split(' ').slice(0, 2).join(' ')),
      ['2 2', '4 4', '5 5'],
    );
    assert.match(told[1]!, /found a string, expected one JSON object|Not valid JSON/);
  });

  it('refuses what would be lost beside the records', () => {
    assert.match(
      refused('{"version": 1, "data": [{"a":1},{"a":2}]}', 'lines')[0]!,
      /^1 - The records lie in an object/,
    );
    assert.match(refused('[[{"a":1}],\n[{"a":2}]]', 'lines')[0]!, /several arrays/);
    assert.match(refused('[{"a":1},\n{"a":2},\n]', 'lines')[0]!, /trailing comma/);
    assert.match(refused('[{"a":1},\n{"a":2}', 'lines')[0]!, /not closed/);
    assert.match(refused('[{"a":1} {"a":2}]', 'lines')[0]!, /comma/);
    assert.match(refused('{"a":1}\n{"a":"broken\nhere"}\n{"a":3}\n', 'array')[0]!, /^2 - .*raw line break/);
    assert.match(refused('[{"a":1}] trailing', 'lines')[0]!, /nothing after the value/);
    assert.notEqual(refused('nothing like it', 'lines').length, 0);
  });

  it('never gives out what reads otherwise, whatever the text', () => {
    const pieces = fc.constantFrom(
      '{"a":1}',
      '{"a":',
      '[',
      ']',
      ',',
      '\n',
      '{',
      '}',
      '"',
      ' ',
      '{"b":[{"c":2}]}',
      'x',
      '\r\n',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 9 }), cuts, (parts, at) => {
        const text = parts.join('');
        const { text: lines, problems } = convert(text, 'lines', at);
        if (problems.length > 0) return;
        // Every sign but those that part records is there.
        const signs = (one: string): string => one.replace(/[\s,[\]]/g, '');
        assert.equal(signs(lines), signs(text));
        for (const line of lines.split('\n')) if (line !== '') assert.doesNotThrow(() => void JSON.parse(line));
      }),
      { numRuns: 400 },
    );
  });
});
