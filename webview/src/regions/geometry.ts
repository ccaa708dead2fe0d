/** Places on a page: moving, resizing and drawing them. Everything in fractions (0–1) of the page as displayed. */
import type { PageUnits, PlaceOnPage } from '../../../schemas/regions.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The edges that a handle takes along: `n` top, `e` right, `s` bottom, `w` left. */
export type Handle = 'nw' | 'n' | 'ne' | 'e' | 'se' | 's' | 'sw' | 'w';
export const HANDLES: readonly Handle[] = ['nw', 'n', 'ne', 'e', 'se', 's', 'sw', 'w'];

/** The smallest change of a page that has no units: a thousandth of it. */
const WITHOUT_UNITS: PageUnits = { width: 1, height: 1, step: 0.001 };
/** Half the float noise that sums of fractions gather. */
const NOISE = 1e-9;

/** The smallest change that is written, as fractions of the page. */
export function stepOf(units: PageUnits | null | undefined): Point {
  const { width, height, step } = units ?? WITHOUT_UNITS;
  return { x: step / width, y: step / height };
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}

/** A distance in whole steps, so that a number that was not meant to change does not. */
function inSteps(value: number, step: number): number {
  return Math.round(value / step) * step;
}

/** Moved as far as the page goes; its size stays. What stood outside of the page before may stay there. */
export function moved(place: PlaceOnPage, by: Point, units?: PageUnits | null): PlaceOnPage {
  const step = stepOf(units);
  const along = (start: number, extent: number, distance: number, size: number): number => {
    const wanted = start + inSteps(distance, size);
    return clamp(wanted, Math.min(0, start), Math.max(start, 1 - extent));
  };
  return {
    ...place,
    left: along(place.left, place.width, by.x, step.x),
    top: along(place.top, place.height, by.y, step.y),
  };
}

function span(a: number, b: number, least: number): { start: number; extent: number } {
  const start = Math.min(a, b);
  const extent = Math.max(Math.abs(b - a), least);
  return { start: start + extent > 1 + NOISE ? Math.max(0, 1 - extent) : start, extent };
}

/** With the handle's edges moved; an edge that is pulled over the other one becomes the other one. Never smaller than a step. */
export function resized(place: PlaceOnPage, handle: Handle, by: Point, units?: PageUnits | null): PlaceOnPage {
  const step = stepOf(units);
  const edge = (start: number, distance: number, size: number): number =>
    clamp(start + inSteps(distance, size), Math.min(0, start), Math.max(1, start));
  const { left, top, width, height } = place;
  const west = handle.includes('w') ? edge(left, by.x, step.x) : left;
  const east = handle.includes('e') ? edge(left + width, by.x, step.x) : left + width;
  const north = handle.includes('n') ? edge(top, by.y, step.y) : top;
  const south = handle.includes('s') ? edge(top + height, by.y, step.y) : top + height;
  const across = handle === 'n' || handle === 's' ? { start: left, extent: width } : span(west, east, step.x);
  const down = handle === 'e' || handle === 'w' ? { start: top, extent: height } : span(north, south, step.y);
  return { left: across.start, top: down.start, width: across.extent, height: down.extent };
}

/** The place between two points, cut at the page, on whole steps. */
export function between(a: Point, b: Point, units?: PageUnits | null): PlaceOnPage {
  const step = stepOf(units);
  const at = (value: number, size: number): number => inSteps(clamp(value, 0, 1), size);
  const across = span(at(a.x, step.x), at(b.x, step.x), step.x);
  const down = span(at(a.y, step.y), at(b.y, step.y), step.y);
  return { left: across.start, top: down.start, width: across.extent, height: down.extent };
}

/** A place of a fifth of `seen` around its middle, for somebody who draws by keyboard. */
export function inMiddle(seen: PlaceOnPage, units?: PageUnits | null): PlaceOnPage {
  const x = seen.left + seen.width / 2;
  const y = seen.top + seen.height / 2;
  const half = { x: seen.width / 4, y: seen.height / 8 };
  return between({ x: x - half.x, y: y - half.y }, { x: x + half.x, y: y + half.y }, units);
}

export function samePlace(a: PlaceOnPage, b: PlaceOnPage): boolean {
  const near = (one: number, other: number): boolean => Math.abs(one - other) < NOISE;
  return near(a.left, b.left) && near(a.top, b.top) && near(a.width, b.width) && near(a.height, b.height);
}

/** Four finite numbers and some extent: it can be shown on the page. */
export function isPlace({ left, top, width, height }: PlaceOnPage): boolean {
  return [left, top, width, height].every(Number.isFinite) && (width > 0 || height > 0);
}

/** "480 × 120 px", or in hundredths of the page. */
export function sizeInWords(place: PlaceOnPage, units: PageUnits | null | undefined, unit: string): string {
  if (!units) {
    return `${(place.width * 100).toFixed(1)} × ${(place.height * 100).toFixed(1)} %`;
  }
  const digits = Math.max(0, Math.ceil(-Math.log10(units.step)));
  const words = `${(place.width * units.width).toFixed(digits)} × ${(place.height * units.height).toFixed(digits)}`;
  return unit === '' ? words : `${words} ${unit}`;
}
