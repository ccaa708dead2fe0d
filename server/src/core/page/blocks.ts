/** Paragraphs, tables and figures of a page, from its layout. */
import { columnsOf, FILLED, lengthOf, rowsOf } from './columns.ts';
import type { LayoutBlock, LayoutItem, PageLayout } from './layout-types.ts';
import { areaOf, isInside, union } from './rects.ts';
import type { Rect } from './rects.ts';

/** A layout as far as it is known before its blocks are. */
type Items = Omit<PageLayout, 'blocks'>;

/** In heights of a line. */
const PARAGRAPH_GAP = 0.35;
const ROW_GAP = 2.2;
const RULE_NEAR = 1.2;
const FIGURE_GAP = 0.8;
const LEAST_FIGURE = 3;
/** Ends of the rules of one table differ by less; pixels at 300 dpi. */
const SAME_ENDS = 24;
/** Rows with several cells that make a table; with rules fewer do. */
const TABLE_ROWS = 3;
/** Share of a frame that text covers, from which on it is a table. */
const FRAMED_TEXT = 0.25;
/** Share of a ruled area that a picture covers: then it is a figure between rules. */
const PICTURED = 0.25;
/** A label of a drawing, as at an axis. */
const LABEL_WIDTH = 5;
/** Share of a page that is its frame or background, and no figure on it. */
const WHOLE_PAGE = 0.8;

export function blocksOf(layout: Items): LayoutBlock[] {
  const figures = figuresOf(layout);
  const isFree = (item: LayoutItem): boolean => !figures.some((figure) => isInside(item, figure));
  const lines = layout.items.filter((item) => item.kind === 'line' && isFree(item));
  const rules = layout.items.filter((item) => item.kind === 'rule' && isLevel(item) && isFree(item));
  const ruled = ruledTables(rules, lines, layout).map((table) => asFigure(table, layout));
  const rest = lines.filter((line) => !ruled.some((table) => isInside(line, table)));
  const blocks = columnsOf(rest).flatMap((group) => inColumn(group, rules, layout));
  const tables = figures.map((figure) => asTable(figure, layout) ?? figure);
  return [...tables, ...ruled, ...blocks].sort((a, b) => a.top - b.top || a.left - b.left);
}

function isLevel({ left, top, right, bottom }: Rect): boolean {
  return right - left > bottom - top;
}

/** Pictures and parts of drawings that are close together, with the text in them. */
function figuresOf({ items, lineHeight, width, height }: Items): LayoutBlock[] {
  const gap = FIGURE_GAP * lineHeight;
  const parts = items.filter(
    ({ kind, left, top, right, bottom }) =>
      kind === 'figure' && (right - left) * (bottom - top) < WHOLE_PAGE * width * height,
  );
  const groups: Rect[] = [];
  for (const part of parts) {
    let whole: Rect = part;
    // What the new part brings together becomes one.
    for (let i = groups.length - 1; i >= 0; i--) {
      if (!areClose(groups[i]!, whole, gap)) continue;
      whole = union(whole, groups[i]!);
      groups.splice(i, 1);
      i = groups.length;
    }
    groups.push(whole);
  }
  const least = LEAST_FIGURE * lineHeight;
  return groups.flatMap((group) => {
    if (group.right - group.left < least || group.bottom - group.top < least) return [];
    const whole = withLabels(group, items, lineHeight);
    return [{ kind: 'figure' as const, lines: 0, ...edgesOf(whole) }];
  });
}

/** Text in a drawing, and labels at its edges: those of an axis, and what stands next to them. */
function withLabels(group: Rect, items: readonly LayoutItem[], lineHeight: number): Rect {
  let whole = group;
  for (let round = 0; round < 2; round++) {
    const reach = whole;
    for (const item of items) {
      if (item.kind !== 'line') continue;
      const isLabel =
        item.right - item.left < LABEL_WIDTH * lineHeight && areClose(item, reach, FIGURE_GAP * lineHeight);
      if (isLabel || isInside(item, reach)) whole = union(whole, item);
    }
  }
  return whole;
}

function edgesOf({ left, top, right, bottom }: Rect): Rect {
  return { left, top, right, bottom };
}

function areClose(a: Rect, b: Rect, gap: number): boolean {
  return a.left - b.right < gap && b.left - a.right < gap && a.top - b.bottom < gap && b.top - a.bottom < gap;
}

/** A frame that holds nothing but rows of cells is a table with lines around it. */
function asTable(figure: LayoutBlock, { items, lineHeight }: Items): LayoutBlock | undefined {
  const inside = items.filter((item) => item.kind === 'line' && isInside(item, figure));
  const rows = rowsOf(inside);
  const celled = rows.filter((row) => row.length > 1).length;
  const covered = inside.reduce((sum, { left, right }) => sum + (right - left) * lineHeight, 0);
  const area = (figure.right - figure.left) * (figure.bottom - figure.top);
  return celled >= TABLE_ROWS && celled >= 0.6 * rows.length && covered > FRAMED_TEXT * area
    ? { ...figure, kind: 'table', lines: rows.length }
    : undefined;
}

/** A chart between two rules has rows of labels, but is no table. */
function asFigure(table: LayoutBlock, { items }: Items): LayoutBlock {
  const pictures = items.filter((item) => item.kind === 'figure' && isInside(item, table));
  const covered = Math.max(
    0,
    ...pictures.filter((one) => one.bottom - one.top > PICTURED * (table.bottom - table.top)).map(areaOf),
  );
  return covered > PICTURED * areaOf(table) ? { ...table, kind: 'figure', lines: 0 } : table;
}

/** Rules of one length above each other, with rows of cells between them. */
function ruledTables(rules: readonly LayoutItem[], lines: readonly LayoutItem[], { lineHeight }: Items): LayoutBlock[] {
  const tables: LayoutBlock[] = [];
  const used = new Set<LayoutItem>();
  for (const rule of rules) {
    if (used.has(rule)) continue;
    const group = rules.filter(
      (other) =>
        !used.has(other) &&
        Math.abs(other.left - rule.left) < SAME_ENDS &&
        Math.abs(other.right - rule.right) < SAME_ENDS,
    );
    let whole: Rect = rule;
    let rows = 0;
    for (const next of group) {
      if (next === rule) continue;
      const between = lines.filter((line) => isInside(line, { ...whole, top: whole.bottom, bottom: next.bottom }));
      const parts = rowsOf(between);
      const isCelled = parts.some((row) => row.length > 1);
      const isEmpty = parts.length === 0 && next.top - whole.bottom < lineHeight;
      if (!isCelled && !isEmpty) break;
      rows += parts.length;
      used.add(next);
      whole = between.reduce<Rect>(union, union(whole, next));
    }
    if (rows > 0) {
      used.add(rule);
      tables.push({ kind: 'table', lines: rows, ...edgesOf(whole) });
    }
  }
  // The header may stand above the first rule.
  return tables.map((table) => {
    const above = lines.filter(
      (line) =>
        line.bottom <= table.top + 2 &&
        table.top - line.bottom < 0.5 * lineHeight &&
        line.left >= table.left - SAME_ENDS &&
        line.right <= table.right + SAME_ENDS,
    );
    return above.length < 2
      ? table
      : { ...table, lines: table.lines + 1, ...edgesOf(above.reduce<Rect>(union, table)) };
  });
}

/** Paragraphs and tables without rules, among lines of one column. */
function inColumn(group: readonly LayoutItem[], rules: readonly Rect[], layout: Items): LayoutBlock[] {
  const { lineHeight, lineGap } = layout;
  const rows = rowsOf(group).map((cells) => ({ cells, box: cells.reduce<Rect>(union, cells[0]!) }));
  const blocks: LayoutBlock[] = [];
  for (let i = 0; i < rows.length;) {
    const table = tableAt(rows, i, lineHeight);
    if (table > i) {
      const box = rows.slice(i, table).reduce<Rect>((rect, row) => union(rect, row.box), rows[i]!.box);
      blocks.push({ kind: 'table', lines: table - i, ...edgesOf(withRules(box, rules, lineHeight)) });
      i = table;
      continue;
    }
    let { box } = rows[i]!;
    let end = i + 1;
    while (end < rows.length && tableAt(rows, end, lineHeight) === end) {
      const next = rows[end]!.box;
      const gap = next.top - rows[end - 1]!.box.bottom;
      const shared = Math.min(next.right, box.right) - Math.max(next.left, box.left);
      if (gap > lineGap + PARAGRAPH_GAP * lineHeight || shared <= 0) break;
      box = union(box, next);
      end += 1;
    }
    blocks.push({ kind: 'text', lines: end - i, ...edgesOf(box) });
    i = end;
  }
  return blocks;
}

interface TextRow {
  readonly cells: readonly LayoutItem[];
  readonly box: Rect;
}

/** Where a table that begins at a row ends (exclusive); the row itself: none does. One row of a single cell may lie between. */
function tableAt(rows: readonly TextRow[], from: number, lineHeight: number): number {
  if (!isCelled(rows[from]!)) return from;
  let end = from + 1;
  let celled = 1;
  for (let i = from + 1; i < rows.length; i++) {
    if (rows[i]!.box.top - rows[i - 1]!.box.bottom > ROW_GAP * lineHeight) break;
    if (isCelled(rows[i]!)) {
      celled += 1;
      end = i + 1;
    } else if (i > end) break;
  }
  return celled >= TABLE_ROWS ? end : from;
}

/** Several cells with room between them: words of a line that is spaced out have little. */
function isCelled({ cells, box }: TextRow): boolean {
  return cells.length > 1 && lengthOf(cells) < (FILLED + 0.1) * (box.right - box.left);
}

function withRules(box: Rect, rules: readonly Rect[], lineHeight: number): Rect {
  const near = RULE_NEAR * lineHeight;
  return rules.reduce((rect, rule) => {
    const isBeside =
      rule.left < box.right && rule.right > box.left && rule.right - rule.left < 1.5 * (box.right - box.left);
    return isBeside && rule.bottom > box.top - near && rule.top < box.bottom + near ? union(rect, rule) : rect;
  }, box);
}
