/** Records in every spelling that JSON allows, and some that it does not: for tests of documents that show them. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { readRecords } from '../../../server/src/core/text/reader.ts';

const pieces = fc.constantFrom(
  'a',
  'solution',
  ' ',
  '  ',
  '€',
  '😀',
  '👩\u200d💻',
  '❤\ufe0f',
  '/',
  '\\/',
  '\\n',
  '\\n',
  '\\n',
  '\\n\\n',
  '\\r\\n',
  '\\t',
  '\\"',
  '\\"\\"\\"',
  '\\"\\"\\"\\"',
  '\\\\',
  '\\u20ac',
  '\\u20AC',
  '\\u0041',
  '\\u000a',
  '\\ud83d\\ude00',
  '\\ud83d',
  '\\ude00',
  '\\u2028',
  '\u2028',
  '\u00a0',
  '\\u00a0',
  '\u202e',
  '\\ufeff',
  '\\u0000',
  '\\b',
  '\u007f',
  ',',
  ':',
  '}',
  ']',
);
export const token: fc.Arbitrary<string> = fc.array(pieces, { maxLength: 10 }).map((parts) => `"${parts.join('')}"`);
const scalar = fc.oneof(
  token,
  fc.constantFrom('1.0', '1e3', '-0', '0.10', '2E-2', '12', '-7.50', '300', '12345678901234567890'),
  fc.constantFrom('true', 'false', 'null', 'NaN', '-Infinity', '1e999'),
);
const blank = fc.constantFrom('', '', '', ' ', '  ', '\t', '\n', '\r\n', '\n  ');

const { value } = fc.letrec<{ value: string; list: string; box: string; object: string }>((tie) => ({
  value: fc.oneof({ maxDepth: 3, withCrossShrink: true }, scalar, tie('box'), tie('list'), tie('object')),
  box: fc.array(fc.integer({ min: 0, max: 3000 }), { minLength: 4, maxLength: 4 }).map((box) => JSON.stringify(box)),
  list: fc
    .array(fc.tuple(blank, tie('value'), blank), { maxLength: 4 })
    .map((parts) => `[${parts.map((part) => part.join('')).join(',')}]`),
  object: members(tie('value'), 0),
}));

/** Keys may repeat. */
function members(child: fc.Arbitrary<string>, minLength: number): fc.Arbitrary<string> {
  const key = fc.oneof(fc.constantFrom('"a"', '"b"', '"c"', '"d"'), token);
  return fc
    .array(fc.tuple(blank, key, blank, fc.constant(':'), blank, child, blank), { minLength, maxLength: 5 })
    .map((parts) => `{${parts.map((part) => part.join('')).join(',')}}`);
}

export const oddRecord: fc.Arbitrary<string> = members(value, 0);
export const oddRecordWithMembers: fc.Arbitrary<string> = members(value, 2);

const DATA = fileURLToPath(new URL('../../../../shared/data/', import.meta.url));

/** All records of all real files, with the file's path; undefined where the folder is missing. */
export function realRecords(): { readonly file: string; readonly texts: readonly string[] }[] | undefined {
  if (!existsSync(DATA)) return undefined;
  const files = readdirSync(DATA, { recursive: true, encoding: 'utf8' }).filter((name) => /\.jsonl?$/.test(name));
  return files
    .filter((name) => statSync(path.join(DATA, name)).isFile())
    .map((file) => {
      const text = readFileSync(path.join(DATA, file), 'utf8');
      const { slots } = readRecords(text, file.endsWith('.jsonl') ? 'lines' : 'json');
      return { file, texts: slots.map((slot) => slot.text) };
    });
}
