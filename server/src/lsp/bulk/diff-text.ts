/** The first changes of a large file as a unified diff, record by record: an editor does not take the whole file. */
import type { FileText, RecordPlaces } from '../../core/bulk/records.ts';
import { applyEdits } from '../../core/edit/edits.ts';
import type { TextEdit } from '../../core/edit/types.ts';
import type { Changes } from '../features/code-actions.ts';
import { repairText } from '../records/record-actions.ts';
import type { Session } from '../session/session.ts';

const SHOWN = 100;
/** Of a record: records may have megabytes. Unchanged text beside a change that is shown with it. */
const LONGEST = 4000;
const AROUND = 200;

export function fixDiff({ path }: Pick<Session, 'path'>, { rows, repairs }: Changes): string {
  const parts = [...head(path), ...repairs.map((repair) => `@@ ${repairText(repair)} @@`)];
  let shown = 0;
  for (const [row, edits] of rows) {
    if (shown++ >= SHOWN) break;
    const [old, fresh] = around(row.text, edits);
    parts.push(`@@ record ${row.index + 1}, line ${row.line + 1} @@`, ...lines('-', old), ...lines('+', fresh));
  }
  return ended(parts, rows.size, 'record');
}

/** Edits of the file's text, each with what stands around it. */
export function textDiff(
  { path }: Pick<Session, 'path'>,
  edits: readonly TextEdit[],
  text: FileText,
  places: RecordPlaces,
): string {
  const parts = head(path);
  for (const { span, text: written } of edits.slice(0, SHOWN)) {
    parts.push(`@@ at record ${recordAt(places, span.start) + 1} @@`);
    if (span.end > span.start)
      parts.push(...lines('-', text.slice(span.start, Math.min(span.end, span.start + LONGEST))));
    if (written !== '') parts.push(...lines('+', written));
  }
  return ended(parts, edits.length, 'change');
}

function head(path: string): string[] {
  const name = path.replace(/^.*[\\/]/, '');
  return [`--- a/${name}`, `+++ b/${name}`];
}

function ended(parts: readonly string[], all: number, noun: string): string {
  const more = all > SHOWN ? [`@@ and ${(all - SHOWN).toLocaleString('en')} more ${noun}s, not shown @@`] : [];
  return `${[...parts, ...more].join('\n')}\n`;
}

/** The part of a record that changes, before and after. */
function around(text: string, edits: readonly TextEdit[]): readonly [string, string] {
  const start = Math.max(0, (edits[0]?.span.start ?? 0) - AROUND);
  const end = Math.min(text.length, (edits.at(-1)?.span.end ?? 0) + AROUND);
  const part = text.slice(start, end);
  const own = edits.map(({ span, text: written }) => ({
    span: { start: span.start - start, end: span.end - start },
    text: written,
  }));
  return [part, applyEdits(part, own)];
}

function lines(sign: '-' | '+', text: string): string[] {
  const shown = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  return shown
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => sign + line);
}

/** The last record that begins at or before a place. */
function recordAt(places: RecordPlaces, offset: number): number {
  let low = 0;
  let high = Math.max(0, places.count - 1);
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (places.start(middle) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
