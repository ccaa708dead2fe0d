/**
 * Context blocks: prose, or a table as datasets publish them: pipe rows without a separator row, of ragged widths, with
 * caption lines in the same string; Markdown tables; HTML tables; tab-separated rows.
 */

export interface Block {
  readonly kind: 'text' | 'table';
  /** Text before the first row; for prose the whole text. */
  readonly before: string;
  /** Cells, trimmed; rows may differ in length. Lines between rows that are none stand as rows of one cell. */
  readonly rows: readonly (readonly string[])[];
  readonly after: string;
}

/** `| a | b |`, `| a |`: begins with a pipe and ends with one, or has further ones. */
const PIPE_ROW = /^[^\S\n]*\|(?:[^\n]*\|[^\S\n]*|[^|\n]+\|[^\n]*)$/;
/** `|---|:-:|` or `--- | ---`; single dashes without a colon are cells. */
const SEPARATOR_ROW = /^\s*\|?\s*(?::?-{2,}:?|:-+:?|-+:)\s*(?:\|\s*(?::?-{2,}:?|:-+:?|-+:)\s*)*\|?\s*$/;
/** `| a | b |` with blanks inside the pipes: enough to be a table alone, which `|x| is below |y|` is not. */
const LONE_ROW = /^\s*\|\s[^\n]*\s\|\s[^\n]*\|\s*$/;
const HTML_TABLE = /<(?:table|tr)\b/i;

export function isTable(text: string): boolean {
  if (text.includes('|') && pipeRows(text.split('\n')) !== undefined) return true;
  if (text.includes('<') && HTML_TABLE.test(text)) return true;
  return text.includes('\t') && tabRows(text.split('\n')) !== undefined;
}

export function parseBlock(text: string): Block {
  if (text.includes('<') && HTML_TABLE.test(text)) return parseHtml(text);
  const lines = text.split('\n');
  const piped = text.includes('|') ? pipeRows(lines) : undefined;
  if (piped !== undefined) return cut(lines, piped, (line) => pipeCells(line));
  const tabbed = text.includes('\t') ? tabRows(lines) : undefined;
  if (tabbed !== undefined) return cut(lines, tabbed, (line) => line.split('\t').map((cell) => cell.trim()));
  return { kind: 'text', before: text, rows: [], after: '' };
}

/** 0-based row and column of `parseBlock(text).rows`. */
export interface CellPlace {
  readonly row: number;
  readonly column: number;
}

/**
 * Tells the cell of a table that an offset of the block's text lies in; undefined outside the rows, and in prose. The rows are
 * found once, since many numbers of one table are asked for.
 */
export function cellFinder(text: string): (offset: number) => CellPlace | undefined {
  const isHtml = text.includes('<') && HTML_TABLE.test(text);
  const rows = isHtml ? htmlRowSpans(text) : lineRowSpans(text);
  return (offset) => {
    const row = rows.spans.findLastIndex(({ start }) => start <= offset);
    const span = rows.spans[row];
    if (span === undefined || offset >= span.end) return undefined;
    const column = rows.columnAt(text.slice(span.start, offset));
    return column < 0 ? undefined : { row, column };
  };
}

/** Where the rows of a table stand in its text, in the order of `parseBlock(text).rows`; none in prose. */
export function rowSpans(text: string): readonly { readonly start: number; readonly end: number }[] {
  const isHtml = text.includes('<') && HTML_TABLE.test(text);
  return (isHtml ? htmlRowSpans(text) : lineRowSpans(text)).spans;
}

/**
 * Where the cells of a table stand in its text, as `parseBlock(text).rows`, blanks around them left out; empty cells stand where a text
 * would be put in. undefined: what the cell shows is not to be found in one stretch, as where tags part it. None in prose.
 */
export function cellSpans(
  text: string,
): readonly (readonly ({ readonly start: number; readonly end: number } | undefined)[])[] {
  const { kind, rows } = parseBlock(text);
  if (kind === 'text') return [];
  const isHtml = text.includes('<') && HTML_TABLE.test(text);
  const { spans, cellSpan } = isHtml ? htmlRowSpans(text) : lineRowSpans(text);
  return rows.map((cells, row) => {
    const span = spans[row];
    const line = span && text.slice(span.start, span.end);
    return cells.map((shown, column) => {
      const within = line === undefined ? undefined : cellSpan(line, column);
      if (span === undefined || line === undefined || within === undefined) return undefined;
      const raw = line.slice(within.start, within.end);
      const filled = raw.trim();
      const lead = filled === '' ? Math.min(1, raw.length) : raw.length - raw.trimStart().length;
      const start = span.start + within.start + lead;
      const spelled = isHtml ? filled : filled.replaceAll('\\|', '|');
      return spelled === shown ? { start, end: start + filled.length } : undefined;
    });
  });
}

/** A part of what `parseBlock` gives: offsets in the text before or after the table, in that of a cell, or in prose. */
export interface ShownPlace {
  readonly part: 'text' | 'before' | 'cell' | 'after';
  /** Cells only. */
  readonly cell?: CellPlace;
  readonly start: number;
  readonly end: number;
}

/**
 * Tells where a part of a block's text stands in what `parseBlock` makes of it, which trims cells and takes out markup;
 * undefined for what is not shown, such as markup itself.
 */
export function shownFinder(text: string): (start: number, end: number) => ShownPlace | undefined {
  const block = parseBlock(text);
  if (block.kind === 'text') return (start, end) => ({ part: 'text', start, end });
  const isHtml = text.includes('<') && HTML_TABLE.test(text);
  const { spans, table, cellSpan } = isHtml ? htmlRowSpans(text) : lineRowSpans(text);
  const cellAt = cellFinder(text);
  const asShown = isHtml ? unmarked : (raw: string): string => raw.replaceAll('\\|', '|');
  return (start, end) => {
    const cell = start >= table.start && start < table.end ? cellAt(start) : undefined;
    if (cell !== undefined) {
      const row = spans[cell.row]!;
      const within = cellSpan(text.slice(row.start, row.end), cell.column);
      const shown = block.rows[cell.row]?.[cell.column];
      if (within === undefined || shown === undefined) return undefined;
      const raw = { start: row.start + within.start, end: row.start + within.end };
      const found = shownWithin(text, raw, start, end, shown, asShown);
      return found && { part: 'cell', cell, ...found };
    }
    const part = start < table.start ? 'before' : start >= table.end ? 'after' : undefined;
    if (part === undefined) return undefined;
    const raw = part === 'before' ? { start: 0, end: table.start } : { start: table.end, end: text.length };
    const found = shownWithin(text, raw, start, end, block[part], isHtml ? unmarked : asIs);
    return found && { part, ...found };
  };
}

function asIs(raw: string): string {
  return raw;
}

/** Offsets in the shown form of a stretch of text; undefined where it does not show the part. */
function shownWithin(
  text: string,
  raw: { readonly start: number; readonly end: number },
  start: number,
  end: number,
  shown: string,
  asShown: (raw: string) => string,
): { readonly start: number; readonly end: number } | undefined {
  const whole = asShown(text.slice(raw.start, raw.end));
  const lead = whole.length - whole.trimStart().length;
  const at = asShown(text.slice(raw.start, start)).length - lead;
  const part = asShown(text.slice(start, Math.min(end, raw.end)));
  return at >= 0 && shown.startsWith(part, at) ? { start: at, end: at + part.length } : undefined;
}

interface RowSpans {
  readonly spans: readonly { readonly start: number; readonly end: number }[];
  /** From the first row to the last. */
  readonly table: { readonly start: number; readonly end: number };
  /** Column of what follows this beginning of a row. */
  columnAt(before: string): number;
  /** What lies between the borders of a cell, as offsets in the row's text. */
  cellSpan(row: string, column: number): { readonly start: number; readonly end: number } | undefined;
}

function lineRowSpans(text: string): RowSpans {
  const lines = text.split('\n');
  const piped = text.includes('|') ? pipeRows(lines) : undefined;
  const rows = piped ?? (text.includes('\t') ? tabRows(lines) : undefined);
  const spans: { start: number; end: number }[] = [];
  const table = { start: 0, end: 0 };
  let start = 0;
  for (const [i, line] of lines.entries()) {
    if (rows === undefined || i > rows.last) break;
    const end = start + line.length;
    if (i === rows.first) table.start = start;
    table.end = end;
    const isRow = i >= rows.first && line.trim() !== '' && !(line.includes('-') && SEPARATOR_ROW.test(line));
    if (isRow) spans.push({ start, end });
    start = end + 1;
  }
  return {
    spans,
    table,
    cellSpan: (row, column) => cellOfLine(row, column, piped === undefined ? TAB : PIPE),
    columnAt: (before) =>
      piped === undefined ? before.split('\t').length - 1 : before.replace(/^\s*\|/, '').split(/(?<!\\)\|/).length - 1,
  };
}

const TAB = /\t/g;
const PIPE = /(?<!\\)\|/g;

function cellOfLine(row: string, column: number, border: RegExp): { start: number; end: number } | undefined {
  const lead = border === PIPE ? (/^\s*\|/.exec(row)?.[0].length ?? 0) : 0;
  const borders = [...row.slice(lead).matchAll(border)].map(({ index }) => lead + index);
  const start = column === 0 ? lead : (borders[column - 1] ?? -2) + 1;
  return start < 0 ? undefined : { start, end: borders[column] ?? row.length };
}

function cellOfHtml(row: string, column: number): { start: number; end: number } | undefined {
  const open = [...row.matchAll(/<t[dh]\b[^>]*>/gi)][column];
  if (open === undefined) return undefined;
  const start = open.index + open[0].length;
  const close = row.slice(start).search(/<\/?t[dhr]\b|<\/table/i);
  return { start, end: close < 0 ? row.length : start + close };
}

function htmlRowSpans(text: string): RowSpans {
  const starts = [...text.matchAll(/<tr\b/gi)].map(({ index }) => index);
  const spans = starts.flatMap((start, i) => {
    const end = starts[i + 1] ?? text.length;
    return /<t[dh]\b/i.test(text.slice(start, end)) ? [{ start, end }] : [];
  });
  return {
    spans,
    table: htmlTable(text),
    cellSpan: cellOfHtml,
    columnAt: (before) => (before.match(/<t[dh]\b/gi)?.length ?? 0) - 1,
  };
}

/** Lines that stand in columns by blanks alone: a table to people, though no row can be told for sure. */
export function hasColumns(text: string): boolean {
  let run = 0;
  for (const line of text.split('\n')) {
    const gaps = line.trim().match(/\S(?:\s{2,}|\t)(?=\S)/g)?.length ?? 0;
    run = gaps > 0 && /\d/.test(line) ? run + 1 : 0;
    if (run >= 2) return true;
  }
  return false;
}

interface Rows {
  readonly first: number;
  /** Inclusive. */
  readonly last: number;
}

function pipeRows(lines: readonly string[]): Rows | undefined {
  let first = -1;
  let last = -1;
  let rows = 0;
  let others = 0;
  for (const [i, line] of lines.entries()) {
    if (!line.includes('|')) {
      if (line.trim() !== '') others += 1;
      continue;
    }
    if (!PIPE_ROW.test(line)) {
      others += 1;
      continue;
    }
    if (first < 0) first = i;
    last = i;
    rows += 1;
  }
  // One row alone is a table only where nothing else is there.
  if (rows >= 2 || (rows === 1 && others === 0 && LONE_ROW.test(lines[first]!))) {
    return { first, last };
  }
  return openRows(lines);
}

/** Rows without outer pipes: below a separator row, or two and more in a run with equally many columns. */
function openRows(lines: readonly string[]): Rows | undefined {
  const columns = lines.map((line) => (/\S[^\S\n]*\|/.test(line) ? line.split('|').length : 0));
  for (let first = 0; first < lines.length; first++) {
    const width = columns[first]!;
    if (width < 2) continue;
    let last = first;
    while (columns[last + 1] === width) last += 1;
    const separated = last > first && SEPARATOR_ROW.test(lines[first + 1]!);
    if (separated || (last > first && lines.slice(first, last + 1).every(isOpenRow))) {
      return { first, last };
    }
    first = last;
  }
  return undefined;
}

/** A row without outer pipes, and not a sentence with a bar in it, such as P(A | B) = 0.4. */
function isOpenRow(line: string): boolean {
  if (!/ \|(?: |$)/.test(line)) return false;
  const cells = line.split('|');
  if (cells.some((cell) => cell.split('(').length !== cell.split(')').length)) return false;
  return !/[a-z][.!?]["')]?\s*$/.test(line) || line.trim().split(/\s+/).length < 8;
}

function tabRows(lines: readonly string[]): Rows | undefined {
  const columns = lines.map((line) => (line.trim() === '' ? 0 : line.trimEnd().split('\t').filter(isFilled).length));
  for (let first = 0; first < lines.length; first++) {
    if (columns[first]! < 2) continue;
    let last = first;
    while ((columns[last + 1] ?? 0) >= 2) last += 1;
    if (last > first) return { first, last };
  }
  return undefined;
}

function isFilled(cell: string): boolean {
  return cell.trim() !== '';
}

function cut(lines: readonly string[], { first, last }: Rows, cells: (line: string) => string[]): Block {
  const rows: string[][] = [];
  for (const line of lines.slice(first, last + 1)) {
    if (line.trim() === '' || (line.includes('-') && SEPARATOR_ROW.test(line))) continue;
    rows.push(cells(line));
  }
  return {
    kind: 'table',
    before: lines.slice(0, first).join('\n').trim(),
    rows,
    after: lines
      .slice(last + 1)
      .join('\n')
      .trim(),
  };
}

/** Cells between pipes; `\|` is a pipe inside a cell. */
function pipeCells(line: string): string[] {
  const inner = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '');
  return inner.split(/(?<!\\)\|/).map((cell) => cell.replaceAll('\\|', '|').trim());
}

function htmlTable(text: string): { readonly start: number; readonly end: number } {
  const start = text.search(HTML_TABLE);
  const close = Math.max(text.toLowerCase().lastIndexOf('</table>'), text.toLowerCase().lastIndexOf('</tr>'));
  return { start, end: close < start ? text.length : text.indexOf('>', close) + 1 };
}

function parseHtml(text: string): Block {
  const { start: first, end } = htmlTable(text);
  const rows = text
    .slice(first, end)
    .split(/<tr\b[^>]*>/i)
    .slice(1)
    .map((row) =>
      [...row.matchAll(/<t[dh]\b[^>]*>(.*?)(?=<\/?t[dhr]\b|<\/table|$)/gis)].map(([, cell]) => plain(cell!)),
    )
    .filter((row) => row.length > 0);
  return { kind: 'table', before: plain(text.slice(0, first)), rows, after: plain(text.slice(end)) };
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** Text of an HTML fragment: tags out, the common entities decoded. */
function plain(html: string): string {
  return unmarked(html).trim();
}

function unmarked(html: string): string {
  return html
    .replace(/<br\s*\/?>/gi, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&(?:#(\d{1,6})|([a-z]+));/gi, (whole, code: string | undefined, name: string | undefined) =>
      code === undefined ? (ENTITIES[name!.toLowerCase()] ?? whole) : codePointText(Number(code), whole),
    );
}

function codePointText(code: number, otherwise: string): string {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : otherwise;
}
