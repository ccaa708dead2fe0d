import { isBlank, QUOTE } from '../text/chars.ts';
import { endOfString } from '../text/visit.ts';

/** A record on one line, each value spelled as before: one that is on one line already stays as it is. */
export function onOneLine(text: string): string {
  return /[\n\r]/.test(text) ? withoutBlanks(text) : text;
}

/** JSON without the blanks between its tokens. */
export function withoutBlanks(text: string): string {
  let written = '';
  let from = 0;
  for (let at = 0; at < text.length;) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at);
    } else if (isBlank(code)) {
      written += text.slice(from, at);
      while (at < text.length && isBlank(text.charCodeAt(at))) at++;
      from = at;
    } else at++;
  }
  return from === 0 ? text : written + text.slice(from);
}
