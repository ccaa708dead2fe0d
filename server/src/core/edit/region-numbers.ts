/** The four numbers of a box for a place on its page, written like the boxes around it. */
import { cornersOf, extentOf, toFractions } from '../evidence/geometry.ts';
import type { BoxNumbers, Fractions, PageMeasure } from '../evidence/geometry.ts';
import type { Coordinates, CornerOrder } from '../profile/types.ts';
import { decimalsOf } from '../solution/numbers.ts';

/** Edges that are nearer than this part of the smallest step are the same: what floats leave of one place. */
const SAME = 1e-6;
/** More decimals are noise of floats. */
const MOST_DECIMALS = 12;

/** One axis: from the smaller to the larger edge, in the units and from the origin of the box's space. */
interface Side {
  readonly low: number;
  readonly high: number;
}

interface Axis {
  /** Of the page. */
  readonly size: number;
  readonly decimals: number;
  readonly old: Side | undefined;
  /** Of the numbers that stand there, where these have more. */
  readonly oldDecimals: number;
}

/**
 * The numbers of a place, with so many decimals: corners in order, on the page, at least one step wide and high. `old` are the
 * numbers that stand there: edges that stay keep theirs, also where these have more decimals, and what is moved keeps its
 * size. undefined: the page's size is not known.
 */
export function numbersFor(
  place: Fractions,
  coordinates: Coordinates,
  page: PageMeasure,
  decimals: number,
  old?: BoxNumbers,
): BoxNumbers | undefined {
  const extent = extentOf(coordinates, page);
  if (extent === undefined || !(extent.width > 0 && extent.height > 0)) return undefined;
  const before = old && toFractions(old, coordinates, page);
  if (old !== undefined && before !== undefined && isSamePlace(place, before, extent, 10 ** -decimals)) return old;
  const isTop = coordinates.origin === 'top-left';
  const [oldX, oldY] = old === undefined ? [] : sidesOf(old, coordinates.order);
  const oldDecimals = Math.min(Math.max(decimals, ...(old ?? []).map(decimalsOf)), MOST_DECIMALS);
  const { left, width, height } = place;
  const top = isTop ? place.top : 1 - place.top - height;
  const wanted = (start: number, length: number, size: number): Side => ({
    low: start * size,
    high: (start + length) * size,
  });
  const x = sideFor(wanted(left, width, extent.width), { size: extent.width, decimals, old: oldX, oldDecimals });
  const y = sideFor(wanted(top, height, extent.height), { size: extent.height, decimals, old: oldY, oldDecimals });
  return boxOf(x, y, coordinates.order, oldDecimals, old);
}

function isSamePlace(a: Fractions, b: Fractions, size: { width: number; height: number }, step: number): boolean {
  const x = (SAME * step) / size.width;
  const y = (SAME * step) / size.height;
  return (
    Math.abs(a.left - b.left) <= x &&
    Math.abs(a.top - b.top) <= y &&
    Math.abs(a.left + a.width - b.left - b.width) <= x &&
    Math.abs(a.top + a.height - b.top - b.height) <= y
  );
}

function sidesOf(box: BoxNumbers, order: CornerOrder): readonly [Side, Side] {
  const [x1, y1, x2, y2] = cornersOf(box, order);
  return [
    { low: Math.min(x1, x2), high: Math.max(x1, x2) },
    { low: Math.min(y1, y2), high: Math.max(y1, y2) },
  ];
}

/** Edges that stay are the old ones; what moved without changing its size is moved by whole steps. */
function sideFor({ low, high }: Side, { size, decimals, old, oldDecimals }: Axis): Side {
  const step = 10 ** -decimals;
  const near = (a: number, b: number): boolean => Math.abs(a - b) <= SAME * step;
  const most = floored(size, decimals);
  const rounded = (edge: number): number => Math.min(fixed(Math.max(edge, 0), decimals), most);
  if (old !== undefined) {
    const [isLow, isHigh] = [near(low, old.low), near(high, old.high)];
    if (isLow && isHigh) return old;
    const length = old.high - old.low;
    if (!isLow && !isHigh && near(high - low, length) && length >= step * (1 - SAME) && length <= size) {
      const start = Math.max(0, Math.min(fixed(low, decimals), floored(size - length, decimals)));
      return { low: start, high: fixed(start + length, oldDecimals) };
    }
    if (isLow) return { low: old.low, high: Math.max(rounded(high), fixed(old.low + step, oldDecimals)) };
    if (isHigh) return { low: Math.min(rounded(low), fixed(old.high - step, oldDecimals)), high: old.high };
  }
  const side = { low: rounded(Math.min(low, high)), high: rounded(Math.max(low, high)) };
  if (side.high - side.low >= step * (1 - SAME)) return side;
  return side.low + step <= most + SAME * step
    ? { low: side.low, high: fixed(side.low + step, decimals) }
    : { low: fixed(most - step, decimals), high: most };
}

/** Lengths that did not change keep their number, whatever floats say. */
function boxOf(x: Side, y: Side, order: CornerOrder, decimals: number, old: BoxNumbers | undefined): BoxNumbers {
  if (order === 'xyxy') return [x.low, y.low, x.high, y.high];
  const length = ({ low, high }: Side, before: number | undefined): number => {
    const found = fixed(high - low, decimals);
    return before !== undefined && Math.abs(found - before) < SAME * 10 ** -decimals ? before : found;
  };
  if (order === 'xywh') return [x.low, y.low, length(x, old?.[2]), length(y, old?.[3])];
  return [length(x, old?.[0]), length(y, old?.[1]), x.low, y.low];
}

function fixed(value: number, decimals: number): number {
  const result = Number(value.toFixed(decimals));
  return Object.is(result, -0) ? 0 : result;
}

/** Down to the last step that is on the page; the error of floats does not count. */
function floored(value: number, decimals: number): number {
  const result = fixed(value, decimals);
  const step = 10 ** -decimals;
  return result > value + SAME * step ? fixed(result - step, decimals) : result;
}
