/** Reading order: lines of a page in the columns they stand in. */

interface Placed {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Lines of prose are so many times as wide as high: cells of a table are not read column by column. */
const PROSE = 9;
/** Lines that each column must have. */
const LEAST_LINES = 3;
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
  const cut = belowHeading(sorted) ?? aboveRest(sorted);
  if (cut === undefined) return [rowsOf(sorted).flat()];
  return [...columnsOf(sorted.slice(0, cut)), ...columnsOf(sorted.slice(cut))];
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

function isProse(lines: readonly Placed[], height: number): boolean {
  return medianOf(lines.map(({ left, right }) => right - left)) >= PROSE * height;
}

/** How many lines from the top run over columns that begin below them. */
function belowHeading(lines: readonly Placed[]): number | undefined {
  for (let cut = 1; cut <= lines.length - 2 * LEAST_LINES; cut++) {
    if (isCut(lines, cut) && atGutter(lines.slice(cut)) !== undefined) return cut;
  }
  return undefined;
}

/** How many lines stand in columns before what runs over them. */
function aboveRest(lines: readonly Placed[]): number | undefined {
  for (let cut = lines.length - 1; cut >= 2 * LEAST_LINES; cut--) {
    if (isCut(lines, cut) && atGutter(lines.slice(0, cut)) !== undefined) return cut;
  }
  return undefined;
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
