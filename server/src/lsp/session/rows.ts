import type { Finding, LocalFinding } from '../../core/finding.ts';
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
  /** undefined until it was checked. */
  checked: CheckedText | undefined;
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
