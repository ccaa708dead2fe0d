/** The tokens of a JSON text one after the other, for texts that have been read without fault. */
import { BACKSLASH, isBlank, OPEN_ARRAY, OPEN_OBJECT, QUOTE } from '../text/chars.ts';

/** After the string that opens at `at`; the text's end where it does not close. */
export function endOfString(text: string, at: number): number {
  for (let from = at + 1; ;) {
    const close = text.indexOf('"', from);
    if (close < 0) return text.length;
    let backslashes = 0;
    while (close - backslashes - 1 > at && text.charCodeAt(close - backslashes - 1) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return close + 1;
    from = close + 1;
  }
}

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
