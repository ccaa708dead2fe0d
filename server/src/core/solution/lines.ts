import type { Span } from '../finding.ts';

/** Places inside a solution's text, in UTF-16 units. */

/** The line `line` (1-based, as Python counts: LF, CRLF or CR end a line) without its indentation; undefined past the end. */
export function spanOfLine(source: string, line: number): Span | undefined {
  const whole = wholeLine(source, line);
  if (whole === undefined) return undefined;
  const text = source.slice(whole.start, whole.end);
  const start = whole.start + (text.length - text.trimStart().length);
  const end = whole.start + text.trimEnd().length;
  return start < end ? { start, end } : whole;
}

/**
 * The word or sign at a column that CPython gives (1-based, counting code points). Without a column, or where it lies
 * past the text of the line: the whole line.
 */
export function spanOfColumn(source: string, line: number, column: number | undefined): Span | undefined {
  const whole = wholeLine(source, line);
  if (whole === undefined || column === undefined || column < 1) return spanOfLine(source, line);
  const text = source.slice(whole.start, whole.end);
  const before = [...text].slice(0, column - 1).join('').length;
  const word = /^(?:[\p{L}\p{N}_]+|\S)/u.exec(text.slice(before));
  if (word === null) return spanOfLine(source, line);
  return { start: whole.start + before, end: whole.start + before + word[0].length };
}

function wholeLine(source: string, line: number): Span | undefined {
  let start = 0;
  for (let i = 1; i < line; i++) {
    const end = endOfLine(source, start);
    if (end >= source.length) return undefined;
    start = end + (source.startsWith('\r\n', end) ? 2 : 1);
  }
  return { start, end: endOfLine(source, start) };
}

function endOfLine(source: string, from: number): number {
  for (let i = from; i < source.length; i++) {
    const unit = source.charCodeAt(i);
    if (unit === 10 || unit === 13) return i;
  }
  return source.length;
}

/** The line that defines the function: the head of what was run. */
export function spanOfFunction(source: string, name: string): Span | undefined {
  const escaped = name.replace(/[^\w]/g, '');
  const definition = `(?:async[ \\t]+)?def[ \\t]+${escaped}\\b[^\\n\\r]*`;
  const head =
    new RegExp(`^${definition}|^${escaped}[ \\t]*=[^\\n\\r]*`, 'm').exec(source) ??
    // One that stands inside something else.
    new RegExp(`(?<=^[ \\t]+)${definition}`, 'm').exec(source);
  return head === null ? undefined : { start: head.index, end: head.index + head[0].trimEnd().length };
}

/** The only `return` statement, else the head of the function: where a wrong result comes from. */
export function spanOfReturn(source: string, name: string): Span | undefined {
  const returns = [...source.matchAll(/^[ \t]+return\b[^\n\r]*/gm)];
  if (returns.length !== 1) return spanOfFunction(source, name);
  const [found] = returns;
  const start = found!.index + (found![0].length - found![0].trimStart().length);
  return { start, end: found!.index + found![0].trimEnd().length };
}
