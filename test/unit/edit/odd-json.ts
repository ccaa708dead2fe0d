/** JSON in odd but valid spellings, with a reader that tells where every value stands: for tests of minimal edits. */
import fc from 'fast-check';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** A value as a tree that remembers how each part is spelled. */
export interface Spelled {
  readonly text: string;
  readonly value: Json;
}

const blanks = fc.constantFrom('', '', '', ' ', '  ', '\t');
const numbers = fc.constantFrom('1.0', '1e3', '-0', '0.10', '2E-2', '12', '-7.50', '100', '1E+2', '3', '0', '150.0');
const inKeys = [
  'a',
  'b',
  'Z',
  '0',
  ' ',
  '€',
  'é',
  '😀',
  '\\u20ac',
  '\\u20AC',
  '\\u0041',
  '\\ud83d\\ude00',
  '\\n',
  '\\t',
  '\\"',
  '\\/',
  '/',
  ',',
  ':',
  '{',
  ']',
  '\\u2028',
];
const token = tokenOf([...inKeys, '\\\\']);
/**
 * Without backslashes: JSON.parse of V8 13.6 takes a key with an escape for one with a backslash that it has met after the same
 * keys before, as `\\` and then `\t`.
 */
const keyToken = tokenOf(inKeys);
const scalar = fc.oneof(numbers, token, fc.constantFrom('true', 'false', 'null')).map(spelled);

function tokenOf(characters: readonly string[]): fc.Arbitrary<string> {
  return fc.array(fc.constantFrom(...characters), { maxLength: 8 }).map((parts) => `"${parts.join('')}"`);
}

function spelled(text: string): Spelled {
  return { text, value: JSON.parse(text) as Json };
}

const { value: anyValue } = fc.letrec<{ value: Spelled; list: Spelled; object: Spelled }>((tie) => ({
  value: fc.oneof({ maxDepth: 3, withCrossShrink: true }, scalar, tie('list'), tie('object')),
  list: fc
    .array(fc.record({ child: tie('value'), before: blanks, after: blanks }), { maxLength: 4 })
    .map((parts) => spelled(`[${parts.map(({ child, before, after }) => before + child.text + after).join(',')}]`)),
  object: members(tie('value'), 0, 4),
}));

function members(value: fc.Arbitrary<Spelled>, least: number, most: number): fc.Arbitrary<Spelled> {
  const member = fc.record({ key: keyToken, child: value, a: blanks, b: blanks, c: blanks, d: blanks });
  return fc
    .uniqueArray(member, { minLength: least, maxLength: most, selector: ({ key }) => String(JSON.parse(key)) })
    .map((parts) =>
      spelled(`{${parts.map(({ key, child, a, b, c, d }) => `${a}${key}${b}:${c}${child.text}${d}`).join(',')}}`),
    );
}

/** A record on one line, its keys in any order. */
export const oddLine: fc.Arbitrary<Spelled> = members(anyValue, 1, 6);

/** A record written over several lines, as an element of an array file is. */
export const oddLines: fc.Arbitrary<Spelled> = fc
  .record({ record: oddLine, indent: fc.constantFrom(1, 2, 4, '\t'), lineEnd: fc.constantFrom('\n', '\r\n') })
  .map(({ record, indent, lineEnd }) => spelled(JSON.stringify(record.value, null, indent).replaceAll('\n', lineEnd)));

/** The text of every scalar and key, by pointer: `/a/0` a value, `/a#` the key of `/a`. */
export function tokensOf(text: string): ReadonlyMap<string, string> {
  const tokens = new Map<string, string>();
  let at = 0;
  const skip = (): void => {
    while (' \t\r\n'.includes(text[at] ?? 'x')) at++;
  };
  const scalarToken = (): string => {
    const pattern = /"(?:[^"\\]|\\.)*"|[^\s,\]}]+/y;
    pattern.lastIndex = at;
    const found = pattern.exec(text)![0];
    at += found.length;
    return found;
  };
  const read = (pointer: string): void => {
    skip();
    const open = text[at];
    if (open !== '{' && open !== '[') {
      tokens.set(pointer, scalarToken());
      return;
    }
    at++;
    for (let index = 0; ; index++) {
      skip();
      if (text[at] === ',') at++;
      skip();
      if (text[at] === '}' || text[at] === ']') {
        at++;
        return;
      }
      if (open === '[') {
        read(`${pointer}/${index}`);
        continue;
      }
      const key = scalarToken();
      const name = String(JSON.parse(key)).replaceAll('~', '~0').replaceAll('/', '~1');
      tokens.set(`${pointer}/${name}#`, key);
      skip();
      at++;
      read(`${pointer}/${name}`);
    }
  };
  read('');
  return tokens;
}

/** All pointers of a value but its own, with what stands there. */
export function* pointersIn(value: Json, pointer = ''): Generator<readonly [string, Json]> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, child] of Object.entries(value)) {
    const own = `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    yield [own, child as Json];
    yield* pointersIn(child as Json, own);
  }
}

/** A value spelled oddly, in a way that follows from the seed. */
export function respell(value: Json, seed: number): string {
  let state = (seed ^ 0x9e3779b9) >>> 0;
  const chance = (of: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * of);
  };
  const blank = (): string => ['', '', '', ' ', '  ', '\t'][chance(6)]!;
  const character = (one: string): string => {
    if (one === '/' && chance(2) === 0) return '\\/';
    const code = one.charCodeAt(0);
    const mayEscape = code > 0x7f || chance(25) === 0;
    if (mayEscape && chance(2) === 0) return `\\u${code.toString(16).padStart(4, '0')}`;
    return JSON.stringify(one).slice(1, -1);
  };
  const text = (string: string): string => `"${string.split('').map(character).join('')}"`;
  const number = (one: number): string => {
    if (!Number.isInteger(one) || Math.abs(one) > 1e6) return JSON.stringify(one);
    // Whole numbers that must be written as such keep to it.
    return [String(one), String(one), `${one}.0`, `${one}e0`, `${one}.00`][chance(5)]!;
  };
  const write = (one: Json, mayBeDecimal: boolean): string => {
    if (typeof one === 'string') return text(one);
    if (typeof one === 'number') return mayBeDecimal ? number(one) : JSON.stringify(one);
    if (typeof one !== 'object' || one === null) return String(one);
    if (Array.isArray(one)) {
      return `[${(one as readonly Json[]).map((each) => blank() + write(each, mayBeDecimal) + blank()).join(',')}]`;
    }
    const members = Object.entries(one).sort(() => chance(3) - 1);
    const written = members.map(([key, each]) => {
      const decimal = /bbox|ground_truth/.test(key);
      return `${blank()}${text(key)}${blank()}:${blank()}${write(each as Json, decimal)}${blank()}`;
    });
    return `{${written.join(',')}}`;
  };
  return write(value, true);
}
