/**
 * Parts of a context that datasets keep apart: sentences, paragraphs, and tables as lists of rows of cells. Each becomes a
 * block of text; tables are written as the pipe rows that other datasets publish.
 */

/**
 * The blocks of one part. `each`: the value is a list of which every element is a block. A row of cells alone has the
 * table's first row before it, so that it can be read (that row itself the one after it).
 */
export function asBlocks(value: unknown, each: boolean): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (!each) return [isTable(value) ? tableText(value) : value];
  if (!Array.isArray(value)) return [];
  return isTable(value) ? rowBlocks(value) : value;
}

type Cells = readonly unknown[];

function isTable(value: unknown): value is readonly Cells[] {
  return Array.isArray(value) && value.length > 0 && value.every((row) => Array.isArray(row));
}

function rowBlocks(rows: readonly Cells[]): string[] {
  return rows.map((row, i) => tableText(i > 0 ? [rows[0]!, row] : rows.slice(0, 2)));
}

function tableText(rows: readonly Cells[]): string {
  return rows.map((row) => `| ${row.map(cellText).join(' | ')} |`).join('\n');
}

function cellText(cell: unknown): string {
  return String(cell ?? '')
    .replaceAll('|', '\\|')
    .replace(/\s*\n\s*/g, ' ');
}
