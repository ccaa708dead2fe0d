import type { Severity } from '../../../../schemas/report.ts';
import { keyOf } from '../../core/checker.ts';
import type { Finding, LocalFinding } from '../../core/finding.ts';
import type { RecordFacts } from '../../core/list/summary.ts';
import type { CheckedText } from '../../core/pipeline.ts';
import type { DocumentFacts, RunResult } from '../../core/ports.ts';
import type { RecordSlot } from '../../core/text/types.ts';
import type { CancelSource } from '../cancel.ts';

/**
 * A record of an open document with all that is known of it. The row itself is the record's slot: its place is written
 * anew when the record moves, what was found out stays.
 */
export interface Row {
  index: number;
  line: number;
  column: number;
  offset: number;
  readonly text: string;
  readonly outer?: NonNullable<RecordSlot['outer']>;
  /** Where a document shows the record otherwise than its file does. */
  readonly lens?: NonNullable<RecordSlot['lens']>;
  /** undefined until it was checked. Of a record of a large file it is made anew when it is asked for: see `brief`. */
  checked: CheckedText | undefined;
  /**
   * Of a record of a large file, once it was checked: what lists and counts need of it. Loops over all records of a file use the
   * functions below (`isRecord` …), which never read a record from the disk.
   */
  readonly brief?: Brief | undefined;
  /** Of the same: what is kept of `findings`; undefined: to be laid (anew). */
  readonly found?: readonly FoundBrief[] | undefined;
  run: RunResult | undefined;
  document: DocumentFacts | undefined;
  /** What the rules on page content found; undefined until the pages were read. */
  pageFindings: readonly LocalFinding[] | undefined;
  /** Placed when the row was at `laidLine` and `laidIndex`; undefined: to be laid (anew). */
  findings: readonly Finding[] | undefined;
  laidLine: number;
  laidIndex: number;
  /** How many records before it have the same key; for fingerprints. */
  ordinal: number;
  /** Whether the run yields the gold. */
  passed: boolean;
  /** The revision of the table with which the record came; one that takes another's place has come with that. */
  since: number;
  /** The record is not in the file any more. */
  gone: boolean;
  /** The revision with which it went. */
  until: number | undefined;
  /** The record that took its place in the file. */
  successor: Row | undefined;
  /** Cancels what is being found out about the record. */
  cancel: CancelSource | undefined;
}

/** What is kept of `checked` where it is not kept itself. */
export interface Brief {
  readonly isRecord: boolean;
  /** See `keyOf`. */
  readonly key: string;
  readonly ordinalKey: number;
  /** What lists show and search, long texts cut off; undefined: it is no record. */
  readonly facts: RecordFacts | undefined;
  readonly solution: 'python' | 'program' | undefined;
  readonly runnable: boolean;
  /** It names a document. */
  readonly hasDocument: boolean;
  /** How many boxes it has, relative ones too. */
  readonly boxes: number;
}

/** What is kept of a finding where it is not kept itself. */
export interface FoundBrief {
  readonly code: string;
  readonly severity: Severity;
  readonly fingerprint: string;
  /** See `floodKey`. */
  readonly flood: string | undefined;
}

/** Whether it was checked, whatever it is. */
export function isChecked(row: Row): boolean {
  return row.brief !== undefined || row.checked !== undefined;
}

/** Whether its findings are in step with all that is known. */
export function isLaid(row: Row): boolean {
  return row.brief === undefined ? row.findings !== undefined : row.found !== undefined;
}

/** Whether it was checked and is a record. */
export function isRecord(row: Row): boolean {
  return row.brief === undefined ? row.checked?.record !== undefined : row.brief.isRecord;
}

/** Whether it was checked and has a solution that can be run. */
export function isRunnable(row: Row): boolean {
  return row.brief === undefined ? row.checked?.solution?.runnable === true : row.brief.runnable;
}

/** Whether it was checked and has a solution in Python, or a program that is computed without it. */
export function hasSolution(row: Row): boolean {
  if (row.brief !== undefined) return row.brief.solution !== undefined;
  const { record, solution } = row.checked ?? {};
  return record !== undefined && (solution !== undefined || record.program !== undefined);
}

/** Whether it was checked and names a document. */
export function namesDocument(row: Row): boolean {
  return row.brief === undefined ? row.checked?.record?.document !== undefined : row.brief.hasDocument;
}

/** Whether it was checked and has boxes. */
export function hasBoxes(row: Row): boolean {
  return (row.brief === undefined ? (row.checked?.record?.boxes?.length ?? 0) : row.brief.boxes) > 0;
}

/** Its key (`keyOf`); undefined: it was not checked yet. */
export function keyOfRow(row: Row): string | undefined {
  return row.brief === undefined ? row.checked && keyOf(row.checked) : row.brief.key;
}

export function createRow(slot: RecordSlot): Row {
  const { index, line, column, offset, text, outer, lens } = slot;
  return {
    index,
    line,
    column,
    offset,
    text,
    ...(outer && { outer }),
    ...(lens && { lens }),
    checked: undefined,
    run: undefined,
    document: undefined,
    pageFindings: undefined,
    findings: undefined,
    laidLine: line,
    laidIndex: index,
    ordinal: 0,
    passed: false,
    since: 0,
    gone: false,
    until: undefined,
    successor: undefined,
    cancel: undefined,
  };
}

/** The record with another text. */
export function slotWith({ index, line, column, offset, outer }: Row, text: string): RecordSlot {
  return { index, line, column, offset, text, ...(outer && { outer }) };
}

export function drop(row: Row): void {
  row.gone = true;
  row.cancel?.abort();
  row.cancel = undefined;
}

/** The record as it is now, through everything that was typed in it; undefined: it is not in the file any more. */
export function follow(row: Row): Row | undefined {
  let now: Row | undefined = row;
  while (now?.gone === true) now = now.successor;
  return now;
}

/** Findings of a row where the record is now. */
export function placed(row: Row): readonly Finding[] {
  const found = row.findings ?? [];
  const lines = row.line - row.laidLine;
  if (found.length === 0 || (lines === 0 && row.index === row.laidIndex)) return found;
  return found.map((finding) => moved(finding, lines, row.index));
}

/** A finding whose record has moved by so many lines and is now the record `index`. */
export function moved(finding: Finding, lines: number, index: number): Finding {
  if (finding.record === null) return finding;
  if (lines === 0 && finding.record.index === index) return finding;
  const shift = ({ line, column }: Finding['start']): Finding['start'] => ({ line: line + lines, column });
  return {
    ...finding,
    record: { ...finding.record, index, line: finding.record.line + lines },
    start: shift(finding.start),
    end: shift(finding.end),
    related: finding.related.map((related) =>
      related.file !== undefined || (related.recordIndex !== undefined && related.recordIndex !== finding.record?.index)
        ? related
        : { ...related, start: shift(related.start), end: shift(related.end) },
    ),
  };
}

/** Whether one of these is not in the file any more; what was typed since it was looked at last is taken up for that. */
export function isAnyGone(session: { rows(): readonly Row[] }, rows: Iterable<Row>): boolean {
  session.rows();
  for (const { gone } of rows) if (gone) return true;
  return false;
}

/** The row at a line, or the first one after it; the last one where none follows. Rows ascend by line. */
export function rowAt(rows: readonly Row[], line: number, column: number): Row | undefined {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const row = rows[middle]!;
    if (row.line < line || (row.line === line && row.column <= column)) low = middle + 1;
    else high = middle;
  }
  const before = rows[low - 1];
  if (before !== undefined && (before.line === line || before.line + lineCount(before.text) > line)) return before;
  return rows[low] ?? before;
}

function lineCount(text: string): number {
  let count = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
