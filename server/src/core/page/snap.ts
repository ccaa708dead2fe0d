/** Edges of a roughly drawn box go to where content begins and ends. */
import { bandsOf, endOn, startOn } from './bands.ts';
import type { Axis, Band } from './bands.ts';
import type { PageLayout } from './layout-types.ts';
import type { Margins } from './margins.ts';
import type { Rect } from './rects.ts';
import { wholesOf } from './wholes.ts';

/** Pixels at 300 dpi that an edge may move: a third of an inch. */
const REACH = 100;
/** Distance whose square counts as 1 against the strength of a boundary. */
const USUAL_MISS = 60;
/** How much a boundary between blocks is preferred to one between lines. */
const BLOCK = 2.5;
/** The same where both edges were drawn into gaps: somebody who draws with care means lines. */
const BLOCK_OF_CARE = 1.2;
/** Pixels at 300 dpi that an edge may lie within content and yet cut nothing. */
const TOUCH = 0;
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
  // What lies across depends on the other two edges, which may have been drawn into something else.
  for (let round = 0; round < 2; round++) {
    [top, bottom] = edgesOn(layout, 'y', { ...box, left, right }, margins.top, margins.bottom);
    [left, right] = edgesOn(layout, 'x', { ...box, top, bottom }, margins.left, margins.right);
  }
  return { left, top, right, bottom };
}

interface Choice {
  readonly edge: number;
  readonly cost: number;
}

/** Where the box should begin and end on an axis. */
function edgesOn(layout: PageLayout, axis: Axis, box: Rect, before: number, after: number): [number, number] {
  const across = axis === 'x' ? 'y' : 'x';
  const bands = bandsOf(layout, axis, startOn(box, across), endOn(box, across));
  const from = startOn(box, axis);
  const to = endOn(box, axis);
  const middle = (from + to) / 2;
  const cuts = bands.some(({ start, end }) => runsThrough(from, start, end) || runsThrough(to, start, end));
  const preference = cuts || axis === 'x' ? BLOCK : BLOCK_OF_CARE;
  let first: Choice = { edge: from, cost: Infinity };
  let last: Choice = { edge: to, cost: Infinity };
  bands.forEach((band, i) => {
    const previous = bands[i - 1];
    const next = bands[i + 1];
    if (band.start < middle) {
      const room = previous === undefined ? Infinity : (band.start - previous.end) / 2;
      first = better(
        first,
        band.start - Math.min(before, room),
        from,
        preference * strength(layout, axis, box, previous, band),
      );
    }
    if (band.end > middle) {
      const room = next === undefined ? Infinity : (next.start - band.end) / 2;
      last = better(last, band.end + Math.min(after, room), to, preference * strength(layout, axis, box, band, next));
    }
  });
  return [first.edge, last.edge];
}

function runsThrough(edge: number, start: number, end: number): boolean {
  return edge > start + TOUCH && edge < end - TOUCH;
}

function better(best: Choice, edge: number, drawn: number, gain: number): Choice {
  const miss = Math.abs(edge - drawn);
  if (miss > REACH) return best;
  const cost = (miss / USUAL_MISS) ** 2 - gain;
  return cost < best.cost ? { edge, cost } : best;
}

/** How much the gap between two bands parts them, 0–1. Nothing on one side: the content ends there. */
function strength(layout: PageLayout, axis: Axis, box: Rect, one: Band | undefined, two: Band | undefined): number {
  if (one === undefined || two === undefined) return 1;
  const { lineHeight, lineGap } = layout;
  const gap = two.start - one.end;
  const parts = partsAt(layout, axis, box, (one.end + two.start) / 2);
  if (axis === 'x') return parts * share(gap / (COLUMN_GAP * lineHeight));
  if (one.kind !== two.kind && (one.kind === 'figure' || two.kind === 'figure')) return parts;
  const wide = gap - lineGap - UNEVEN * lineHeight;
  return (
    parts * ((1 - GROUP) * share(wide / (BLOCK_GAP * lineHeight)) + GROUP * share(wide / (GROUP_GAP * lineHeight)))
  );
}

/** How much of the strength of a boundary is left where it would take something apart. */
function partsAt(layout: PageLayout, axis: Axis, box: Rect, at: number): number {
  const across = axis === 'x' ? 'y' : 'x';
  let parts = 1;
  for (const whole of wholesOf(layout)) {
    if (at <= startOn(whole, axis) || at >= endOn(whole, axis)) continue;
    if (startOn(whole, across) >= endOn(box, across) || endOn(whole, across) <= startOn(box, across)) continue;
    parts = Math.min(parts, whole.parts);
  }
  return parts;
}

function share(value: number): number {
  return Math.min(1, Math.max(0, value));
}
