import { fixByChoice, replaceInString, replaceValue } from '../edit/fixes.ts';
import type { Fix } from '../edit/types.ts';

/** Repairs of texts. They change characters that somebody may compare, so that none is made unasked. */

/** One kind of invisible character: special blanks become plain ones where none stands beside, all others go. */
export function withoutInvisible(text: string, pointer: string, character: string, name: string): Fix {
  const isBlank = /\p{Zs}/u.test(character);
  const edits = [];
  for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) {
    const [before = ' ', after = ' '] = [text[at - 1], text[at + 1]];
    const plain = isBlank && !/\s/u.test(before) && !/[ \n]/.test(after) ? ' ' : '';
    edits.push(replaceInString(pointer, { start: at, end: at + 1 }, plain));
  }
  return fixByChoice(isBlank ? `Write plain blanks for each ${name}` : `Remove each ${name}`, ...edits);
}

export function withSingleBlanks(text: string, pointer: string): Fix {
  return fixByChoice(
    'Trim, and leave single blanks',
    replaceValue(pointer, text.trim().replace(/(?<=\S) {2,}(?=\S)/g, ' ')),
  );
}

/** Each place with what it should be; undefined where that is not known of all of them. */
export function withCharacters(
  pointer: string,
  found: readonly { readonly 0: string; readonly index: number }[],
  meantBy: (text: string) => string | undefined,
): Fix | undefined {
  const edits = [];
  for (const { 0: part, index } of found) {
    const meant = meantBy(part);
    if (meant === undefined) return undefined;
    edits.push(replaceInString(pointer, { start: index, end: index + part.length }, meant));
  }
  const [first] = found;
  return first && fixByChoice(`Write ${meantBy(first[0])} for ${first[0]}`, ...edits);
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  rsquo: '’',
  lsquo: '‘',
  rdquo: '”',
  ldquo: '“',
  euro: '€',
  pound: '£',
  copy: '©',
  reg: '®',
  deg: '°',
  times: '×',
};

/** The character of `&amp;`, `&#38;` or `&#x26;`; a blank for a no-break one. */
export function characterOf(entity: string): string | undefined {
  const body = entity.slice(1, -1).toLowerCase();
  if (!body.startsWith('#')) return ENTITIES[body];
  const code = body.startsWith('#x') ? Number.parseInt(body.slice(2), 16) : Number(body.slice(1));
  if (!(code >= 32 && code <= 0x10ffff) || (code >= 0xd800 && code < 0xe000)) return undefined;
  return code === 0xa0 ? ' ' : String.fromCodePoint(code);
}
