/** Reading order: lines of a page in the columns they stand in. */

interface Placed {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** A column of prose is at least so many times as wide as a line is high. */
const PROSE = 9;
/** Share of a row that its words cover: less, and they are cells. */
export const FILLED = 0.7;
/** Headings and footers are looked for in so many places from either end; and not at all in drawings with more labels than a page has lines. */
const MOST_CUTS = 25;
const MOST_LINES = 600;
/** Lines that each column must have. */
const LEAST_LINES = 3;
/** Share of the whole width that no line of a column exceeds. */
const NARROW = 0.7;
/** A gap between columns, in heights of a line. */
const GUTTER = 0.7;

/**
 * Groups of lines in reading order: what runs over all columns, then each column from the top; lines of a group by rows from the
 * top, in a row from the left. Everything in one unit of length.
 */
export function columnsOf<T extends Placed>(lines: readonly T[]): T[][] {
  if (lines.length === 0) return [];
  const sorted = [...lines].sort((a, b) => a.top - b.top);
  const parted = atGutter(sorted);
  if (parted !== undefined) return parted.flatMap(columnsOf);
  const [from, to] = columnPart(sorted) ?? [0, 0];
  if (to === 0) return [rowsOf(sorted).flat()];
  return [sorted.slice(0, from), sorted.slice(from, to), sorted.slice(to)].flatMap(columnsOf);
}

/** Lines that stand beside each other, from the left; rows from the top. */
export function rowsOf<T extends Placed>(lines: readonly T[]): T[][] {
  const rows: { top: number; bottom: number; lines: T[] }[] = [];
  for (const line of [...lines].sort((a, b) => a.top + a.bottom - b.top - b.bottom)) {
    const last = rows.at(-1);
    const shared = last === undefined ? 0 : Math.min(last.bottom, line.bottom) - Math.max(last.top, line.top);
    if (last === undefined || shared < 0.5 * Math.min(last.bottom - last.top, line.bottom - line.top)) {
      rows.push({ top: line.top, bottom: line.bottom, lines: [line] });
      continue;
    }
    last.lines.push(line);
    last.top = Math.min(last.top, line.top);
    last.bottom = Math.max(last.bottom, line.bottom);
  }
  return rows.map((row) => row.lines.sort((a, b) => a.left - b.left));
}

/** Left and right of a gap that nothing crosses, where prose stands on both sides. */
function atGutter<T extends Placed>(lines: readonly T[]): [T[], T[]] | undefined {
  if (lines.length < 2 * LEAST_LINES) return undefined;
  const height = medianOf(lines.map(({ top, bottom }) => bottom - top));
  const byLeft = [...lines].sort((a, b) => a.left - b.left);
  let right = byLeft[0]!.right;
  for (let i = 1; i < byLeft.length; i++) {
    const gap = byLeft[i]!.left - right;
    if (gap >= GUTTER * height && i >= LEAST_LINES && byLeft.length - i >= LEAST_LINES) {
      const sides: [T[], T[]] = [byLeft.slice(0, i), byLeft.slice(i)];
      if (sides.every((side) => isProse(side, height))) return sides;
    }
    right = Math.max(right, byLeft[i]!.right);
  }
  return undefined;
}

/** Wide, and filled from side to side: cells of a table leave room between them. */
function isProse(lines: readonly Placed[], height: number): boolean {
  const left = Math.min(...lines.map((line) => line.left));
  const width = Math.max(...lines.map((line) => line.right)) - left;
  return width >= PROSE * height && medianOf(rowsOf(lines).map((row) => lengthOf(row) / width)) >= FILLED;
}

/** Of the lines of a row, without the gaps between them. */
export function lengthOf(row: readonly Placed[]): number {
  return row.reduce((sum, { left, right }) => sum + right - left, 0);
}

/** The lines, as indices from and to, that stand in columns between a heading and a footer over all of them; as many as possible. */
function columnPart(lines: readonly Placed[]): readonly [number, number] | undefined {
  const left = Math.min(...lines.map((line) => line.left));
  const width = Math.max(...lines.map((line) => line.right)) - left;
  if (lines.length > MOST_LINES) return undefined;
  const narrow = lines.filter((line) => line.right - line.left < NARROW * width);
  if (narrow.length < 2 * LEAST_LINES) return undefined;
  const cuts = [0];
  for (let at = 1; at < lines.length; at++) if (isCut(lines, at)) cuts.push(at);
  cuts.push(lines.length);
  let best: readonly [number, number] | undefined;
  for (const from of cuts.slice(0, MOST_CUTS)) {
    for (let i = cuts.length - 1; i > Math.max(0, cuts.length - MOST_CUTS); i--) {
      const to = cuts[i]!;
      if (to - from < 2 * LEAST_LINES || (best !== undefined && to - from <= best[1] - best[0])) break;
      if (atGutter(lines.slice(from, to)) !== undefined) best = [from, to];
    }
  }
  return best;
}

/** Whether the lines before the index, which are ordered by their tops, end above those from it on. */
function isCut(lines: readonly Placed[], at: number): boolean {
  const { top, bottom } = lines[at]!;
  const limit = top + 0.3 * (bottom - top);
  for (let i = 0; i < at; i++) if (lines[i]!.bottom > limit) return false;
  return true;
}

function medianOf(values: number[]): number {
  values.sort((a, b) => a - b);
  return values[values.length >> 1] ?? 0;
}
