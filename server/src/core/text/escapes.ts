import type { Span } from '../finding.ts';
import { QUOTE } from './chars.ts';

/**
 * Follows a decoded JSON string through the text that it is written in. To be called with spans of the decoded string (UTF-16 units) in
 * ascending order; gives the pieces of the text that write the span, without the escapes in it: what an escape stands for has
 * no character of its own there. One pass for all calls together, where `spanInString` begins anew for each.
 */
export type EscapeFollower = (start: number, end: number, piece: (start: number, end: number) => void) => void;

/** @param token the string's token with its quotation marks */
export function followEscapes(text: string, token: Span): EscapeFollower {
  const close = text.charCodeAt(token.end - 1) === QUOTE && token.end - token.start > 1 ? token.end - 1 : token.end;
  /** Where the next character is written, and how many units of the decoded string come before it. */
  let at = token.start + 1;
  let unit = 0;
  let escape = nextEscape();

  function nextEscape(): number {
    const found = text.indexOf('\\', at);
    return found < 0 || found > close ? close : found;
  }

  function skipEscape(): void {
    at = Math.min(close, escape + (text.charAt(escape + 1) === 'u' ? 6 : 2));
    unit++;
    escape = nextEscape();
  }

  return (start, end, piece) => {
    while (unit < end && at < close) {
      if (at === escape) {
        skipEscape();
        continue;
      }
      const run = Math.min(escape - at, end - unit);
      const from = Math.max(0, start - unit);
      if (from < run) piece(at + from, at + run);
      at += run;
      unit += run;
    }
  };
}
