/** The tokens of a JSON text one after the other, for texts that have been read without fault. */
import { isBlank, OPEN_ARRAY, OPEN_OBJECT, QUOTE } from '../text/chars.ts';
import { endOfString, skipBlanks } from '../text/visit.ts';

/** After the token that begins at `at`, which is no blank: a sign, a string, a number or a word. */
export function endOfToken(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code === QUOTE) return endOfString(text, at);
  let end = at + 1;
  if (isSign(code)) return end;
  while (end < text.length && !endsWord(text.charCodeAt(end))) end++;
  return end;
}

/** The string that a token spells. The token is a whole string of JSON. */
export function decodeToken(text: string, start: number, end: number): string {
  const token = text.slice(start, end);
  return token.includes('\\') ? (JSON.parse(token) as string) : token.slice(1, -1);
}

export function isOpening(code: number): boolean {
  return code === OPEN_OBJECT || code === OPEN_ARRAY;
}

function isSign(code: number): boolean {
  // { } [ ] , :
  return code === 123 || code === 125 || code === 91 || code === 93 || code === 44 || code === 58;
}

function endsWord(code: number): boolean {
  return isBlank(code) || isSign(code) || code === QUOTE;
}

/** Whether two records say the same: strings by what they spell, numbers by how they are spelled, keys in order. */
export function saySame(one: string, two: string): boolean {
  let at = skipBlanks(one, 0);
  let other = skipBlanks(two, 0);
  while (at < one.length && other < two.length) {
    const end = endOfToken(one, at);
    const otherEnd = endOfToken(two, other);
    if (one.slice(at, end) !== two.slice(other, otherEnd)) {
      const areStrings = one.charCodeAt(at) === QUOTE && two.charCodeAt(other) === QUOTE;
      if (!areStrings || decodeToken(one, at, end) !== decodeToken(two, other, otherEnd)) return false;
    }
    at = skipBlanks(one, end);
    other = skipBlanks(two, otherEnd);
  }
  return at >= one.length && other >= two.length;
}
