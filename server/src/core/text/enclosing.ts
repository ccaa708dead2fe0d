/** What encloses a place in a record's text. */
import type { Span } from '../finding.ts';
import { spanInString } from './offsets.ts';
import { visit } from './visit.ts';

interface Opened {
  readonly start: number;
  readonly keyStart: number;
  readonly keyEnd: number;
}

/** Levels of nesting that are told; deeper ones are left out. */
const LEVELS = 200;

/**
 * Spans of the text around an offset, each inside the next: the content of the string, the string or other value, the member with its key, the
 * object or list around it, and so on to the whole first value of the text. Linear in the text.
 */
export function enclosingValues(text: string, offset: number): readonly Span[] {
  const spans: Span[] = [];
  const open: (Opened | undefined)[] = [];
  const add = (start: number, end: number): void => {
    const last = spans.at(-1);
    const isAround =
      last === undefined || (start <= last.start && last.end <= end && start + last.end < end + last.start);
    if (start <= offset && offset <= end && isAround) spans.push({ start, end });
  };
  visit(text, {
    start(depth, start, _index, keyStart, keyEnd) {
      open[depth] = { start, keyStart, keyEnd };
      return false;
    },
    end(depth, end) {
      const value = open[depth];
      open[depth] = undefined;
      if (value === undefined || depth > LEVELS || end < offset) return false;
      const { start, keyStart, keyEnd } = value;
      if (keyStart >= 0 && offset <= keyEnd) {
        addToken(keyStart, keyEnd);
      } else if (start <= offset) addToken(start, end);
      if (keyStart >= 0) add(keyStart, end);
      return false;
    },
  });
  function addToken(start: number, end: number): void {
    if (text.charAt(start) === '"' && end - start > 2) add(start + 1, end - 1);
    add(start, end);
  }
  const whole = /^\s*/.exec(text)![0].length;
  add(whole, text.trimEnd().length);
  return spans;
}

/** The word and the line of a decoded string around an offset in it; what is blank is left out. */
export function enclosingInString(value: string, offset: number): readonly Span[] {
  const isWord = (at: number): boolean => /[\p{L}\p{N}_]/u.test(value.charAt(at));
  let start = offset;
  let end = offset;
  while (start > 0 && isWord(start - 1)) start--;
  while (end < value.length && isWord(end)) end++;
  const lineStart = value.lastIndexOf('\n', offset - 1) + 1;
  const found = value.indexOf('\n', offset);
  const line = { start: lineStart, end: found < 0 ? value.length : found };
  return [{ start, end }, line].filter((span) => span.end > span.start);
}

/** Spans of a decoded string as spans of the text; `token` is the string with its quotation marks. */
export function inText(text: string, token: Span, spans: readonly Span[]): readonly Span[] {
  return spans.map((span) => spanInString(text, token, span));
}
