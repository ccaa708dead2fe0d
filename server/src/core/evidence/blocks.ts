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

interface RowSpans {
  readonly spans: readonly { readonly start: number; readonly end: number }[];
  /** Column of what follows this beginning of a row. */
  columnAt(before: string): number;
}

function lineRowSpans(text: string): RowSpans {
  const lines = text.split('\n');
  const piped = text.includes('|') ? pipeRows(lines) : undefined;
  const rows = piped ?? (text.includes('\t') ? tabRows(lines) : undefined);
  const spans: { start: number; end: number }[] = [];
  let start = 0;
  for (const [i, line] of lines.entries()) {
    if (rows === undefined || i > rows.last) break;
    const end = start + line.length;
    const isRow = i >= rows.first && line.trim() !== '' && !(line.includes('-') && SEPARATOR_ROW.test(line));
    if (isRow) spans.push({ start, end });
    start = end + 1;
  }
  return {
    spans,
    columnAt: (before) =>
      piped === undefined ? before.split('\t').length - 1 : before.replace(/^\s*\|/, '').split(/(?<!\\)\|/).length - 1,
  };
}

function htmlRowSpans(text: string): RowSpans {
  const starts = [...text.matchAll(/<tr\b/gi)].map(({ index }) => index);
  const spans = starts.flatMap((start, i) => {
    const end = starts[i + 1] ?? text.length;
    return /<t[dh]\b/i.test(text.slice(start, end)) ? [{ start, end }] : [];
  });
  return { spans, columnAt: (before) => (before.match(/<t[dh]\b/gi)?.length ?? 0) - 1 };
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

function parseHtml(text: string): Block {
  const first = text.search(HTML_TABLE);
  const close = Math.max(text.toLowerCase().lastIndexOf('</table>'), text.toLowerCase().lastIndexOf('</tr>'));
  const end = close < first ? text.length : text.indexOf('>', close) + 1;
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
  return html
    .replace(/<br\s*\/?>/gi, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&(?:#(\d{1,6})|([a-z]+));/gi, (whole, code: string | undefined, name: string | undefined) =>
      code === undefined ? (ENTITIES[name!.toLowerCase()] ?? whole) : codePointText(Number(code), whole),
    )
    .trim();
}

function codePointText(code: number, otherwise: string): string {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : otherwise;
}
