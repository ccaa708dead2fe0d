/** Edges of a roughly drawn box go to where content begins and ends. */
import { bandsOf } from './bands.ts';
import type { Axis, Band } from './bands.ts';
import type { PageLayout, Rect } from './layout.ts';
import type { Margins } from './margins.ts';

/** Pixels at 300 dpi that an edge may move to: a fifth of an inch, and a bit. */
const REACH = 75;
/** Distance whose square counts as 1 against the strength of a boundary. */
const USUAL_MISS = 60;
/** How much a boundary between blocks is preferred to one between lines. */
const BLOCK = 2;
/** Gaps, in heights of a line: lines of a paragraph are so much more apart where letters reach neither up nor down. */
const UNEVEN = 0.15;
/** From which on a gap parts blocks; and from which on it parts groups of them, as above a heading. */
const BLOCK_GAP = 0.3;
const GROUP_GAP = 1.5;
/** Share of the strength that the second one has. */
const GROUP = 0.2;
const COLUMN_GAP = 4;

/** The box with its edges at boundaries near them; edges without one near stay. */
export function snapBox(layout: PageLayout, box: Rect, margins: Margins): Rect {
  let { left, top, right, bottom } = box;
  for (let round = 0; round < 2; round++) {
    const rows = bandsOf(layout, 'y', left, right);
    const [newTop, newBottom] = edgesAt(rows, 'y', box.top, box.bottom, margins.top, margins.bottom, layout);
    [top, bottom] = [newTop, newBottom];
    const columns = bandsOf(layout, 'x', top, bottom);
    [left, right] = edgesAt(columns, 'x', box.left, box.right, margins.left, margins.right, layout);
  }
  return { left, top, right, bottom };
}

interface Choice {
  readonly edge: number;
  readonly cost: number;
}

function edgesAt(
  bands: readonly Band[],
  axis: Axis,
  from: number,
  to: number,
  before: number,
  after: number,
  layout: PageLayout,
): readonly [number, number] {
  const middle = (from + to) / 2;
  let first: Choice = { edge: from, cost: Infinity };
  let last: Choice = { edge: to, cost: Infinity };
  for (let i = 0; i < bands.length; i++) {
    const band = bands[i]!;
    const gapBefore = i === 0 ? Infinity : band.start - bands[i - 1]!.end;
    const gapAfter = i === bands.length - 1 ? Infinity : bands[i + 1]!.start - band.end;
    const start = band.start - Math.min(before, gapBefore / 2);
    const end = band.end + Math.min(after, gapAfter / 2);
    if (band.start < middle) {
      first = better(first, start, from, strength(bands[i - 1], band, gapBefore, axis, layout));
    }
    if (band.end > middle) last = better(last, end, to, strength(band, bands[i + 1], gapAfter, axis, layout));
  }
  return [first.edge, last.edge];
}

function better(best: Choice, edge: number, drawn: number, strong: number): Choice {
  const miss = Math.abs(edge - drawn);
  if (miss > REACH) return best;
  const cost = (miss / USUAL_MISS) ** 2 - BLOCK * strong;
  return cost < best.cost ? { edge, cost } : best;
}

/** How much a gap parts what stands to both sides of it, 0–1. */
function strength(
  one: Band | undefined,
  two: Band | undefined,
  gap: number,
  axis: Axis,
  { lineHeight, lineGap }: PageLayout,
): number {
  if (one === undefined || two === undefined) return 1;
  if (axis === 'x') return part(gap / (COLUMN_GAP * lineHeight));
  if (one.kind !== two.kind && (one.kind === 'figure' || two.kind === 'figure')) return 1;
  const wide = gap - lineGap - UNEVEN * lineHeight;
  return (1 - GROUP) * part(wide / (BLOCK_GAP * lineHeight)) + GROUP * part(wide / (GROUP_GAP * lineHeight));
}

function part(share: number): number {
  return Math.min(1, Math.max(0, share));
}
