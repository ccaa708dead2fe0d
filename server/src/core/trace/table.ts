import type { Block } from '../evidence/blocks.ts';

/** Labels of a cell: what its row and its column are called. */
export interface CellLabels {
  readonly row?: string;
  readonly column?: string;
}

/** Cells that hold a sign or a bracket of their neighbour: `$`, `(`, `)`, `%`, `)%`. */
const FRAGMENT = /^[\s$€£¥₹()%\-–—−]*$/u;
const YEAR = /^(?:(?:FY|CY|['’])\s?(?:\d\d)?\d\d|(?:19|20)\d\d)[AE]?(?:\s?[-–/]\s?(?:\d\d){1,2})?$/i;

/**
 * Labels of the cell at `row` and `column`. Rows are ragged as published: a header has fewer cells than its rows where
 * currency signs stand in cells of their own, so that the n-th figure belongs to the n-th heading.
 */
export function labelsOf(block: Block, row: number, column: number): CellLabels {
  const cells = block.rows[row];
  if (cells === undefined) return {};
  const label = rowLabel(cells, column);
  const heading = columnLabel(block.rows, row, column);
  return { ...(label !== undefined && { row: label }), ...(heading !== undefined && { column: heading }) };
}

/** The first cell with words. */
export function rowLabel(cells: readonly string[], column?: number): string | undefined {
  const at = cells.findIndex((cell) => /\p{L}{2}/u.test(cell));
  if (at < 0 || at === column) {
    const first = cells[0];
    return first !== undefined && first !== '' && column !== 0 ? first : undefined;
  }
  // A label stands in front of its figures.
  return column === undefined || at < column ? cells[at] : undefined;
}

/** Whether a row holds figures rather than headings: a number other than a year, behind its label. */
function isDataRow(cells: readonly string[]): boolean {
  return cells.some((cell, i) => i > 0 && isFigure(cell));
}

/** `1,234`, `(12.5)%`, `£50 million`, `TP=182`, `14.0x`: a number with a unit at most. */
const FIGURE = /^(?:\p{L}{1,3}\s?[=:]?)?[^\p{L}\d]*\d[\d.,]*[^\p{L}\d]*(?:\p{L}{1,8}|\/\s?\p{L}{1,8})?[^\p{L}\d]*$/u;
const TIME = /year|month|day|week|quarter|^[^\d]*(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|q|fy|cy)/i;

function isFigure(cell: string): boolean {
  return /\d/.test(cell) && FIGURE.test(cell) && !YEAR.test(cell.trim()) && !TIME.test(cell);
}

/** Headings of up to so many rows are joined. */
const HEADER_ROWS = 3;
/** A header further above belongs to another part of the table only where one stands between. */
const FAR = 400;

function columnLabel(rows: Block['rows'], row: number, column: number): string | undefined {
  const own = rows[row]!;
  const headers = headersOf(rows);
  let at = headers.findLastIndex((header) => header < row);
  if (at < 0 || row - headers[at]! > FAR) return undefined;
  at = headers[at]!;
  const parts: string[] = [];
  for (let used = 0; used < HEADER_ROWS && headers.includes(at); at--, used++) {
    const heading = headingFor(rows[at]!, own, column);
    if (heading !== undefined && !parts.includes(heading)) parts.unshift(heading);
  }
  return parts.length === 0 ? undefined : parts.join(' ');
}

const headerRows = new WeakMap<Block['rows'], readonly number[]>();

/** Indices of the rows that hold headings. */
function headersOf(rows: Block['rows']): readonly number[] {
  let known = headerRows.get(rows);
  if (known === undefined) {
    known = rows.flatMap((cells, i) => (isHeader(cells) ? [i] : []));
    headerRows.set(rows, known);
  }
  return known;
}

function isHeader(cells: readonly string[]): boolean {
  return !isDataRow(cells) && cells.some((cell, i) => i > 0 && cell !== '' && !FRAGMENT.test(cell));
}

function headingFor(header: readonly string[], own: readonly string[], column: number): string | undefined {
  if (header.length === own.length) return filled(header[column]);
  // The n-th figure from the right belongs to the n-th heading from the right.
  const figures = positions(own, 1, (cell) => !FRAGMENT.test(cell) || /^[-–—−]+$/.test(cell));
  const rank = figures.length - 1 - lastAtMost(figures, column);
  const headings = positions(header, header.length > figures.length ? 1 : 0, (cell) => cell !== '');
  if (headings.length !== figures.length || rank < 0 || rank >= headings.length) return undefined;
  return filled(header[headings[headings.length - 1 - rank]!]);
}

function filled(cell: string | undefined): string | undefined {
  return cell === undefined || cell === '' ? undefined : cell;
}

function positions(cells: readonly string[], from: number, keep: (cell: string) => boolean): number[] {
  return cells.flatMap((cell, i) => (i >= from && cell !== '' && keep(cell) ? [i] : []));
}

/** Index of the last position at or before `column`; -1: none. */
function lastAtMost(sorted: readonly number[], column: number): number {
  return sorted.findLastIndex((position) => position <= column);
}
