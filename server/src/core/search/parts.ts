/** What is searched in a text: the rows of a table, the passages of long prose, and short texts as a whole. */
import { isTable, rowSpans } from '../evidence/blocks.ts';
import type { Span } from '../finding.ts';

export interface Part extends Span {
  /** 0-based row of the table; absent: prose, or the text as a whole. */
  readonly row?: number;
}

/** Texts up to so many UTF-16 units are searched as a whole; longer prose by passages of about half of it. */
const WHOLE = 3000;
const PASSAGE = 1500;

export function partsOf(text: string): Part[] {
  if (text.length <= WHOLE) return isTable(text) ? [{ start: 0, end: text.length }, ...rowsOf(text)] : [whole(text)];
  if (!isTable(text)) return passages(text, 0, text.length);
  const rows = rowsOf(text);
  const first = rows[0]?.start ?? text.length;
  const last = rows.at(-1)?.end ?? text.length;
  return [...passages(text, 0, first), ...rows, ...passages(text, last, text.length)];
}

function whole(text: string): Part {
  return { start: 0, end: text.length };
}

function rowsOf(text: string): Part[] {
  return rowSpans(text).map(({ start, end }, row) => ({ start, end, row }));
}

/** Cut at the end of a line or sentence, where there is one. */
function passages(text: string, start: number, end: number): Part[] {
  const parts: Part[] = [];
  for (let from = start; from < end;) {
    let to = Math.min(end, from + PASSAGE);
    if (to < end) to = cutBefore(text, from + PASSAGE / 2, to);
    if (text.slice(from, to).trim() !== '') parts.push({ start: from, end: to });
    from = to;
  }
  return parts;
}

function cutBefore(text: string, least: number, most: number): number {
  const stretch = text.slice(least, most);
  for (const end of ['\n', '. ', ' ']) {
    const at = stretch.lastIndexOf(end);
    if (at >= 0) return least + at + end.length;
  }
  return most;
}
