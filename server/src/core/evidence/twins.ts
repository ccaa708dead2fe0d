import type { Coordinates, SpaceName } from '../profile/types.ts';
import { decimalsOf } from '../solution/numbers.ts';
import { edgesOf, extentAt300, extentOf } from './geometry.ts';
import type { BoxNumbers, Corners, Extent, PageMeasure } from './geometry.ts';

/** A box and its relative twin: the same region, written in two coordinate spaces. */
export interface Twins {
  readonly box: BoxNumbers;
  readonly coordinates: Coordinates;
  readonly relative: BoxNumbers;
  readonly relativeCoordinates: Coordinates;
  /** Decimals with which the record prints relative boxes. */
  readonly relativeDecimals: number;
  readonly page: PageMeasure;
}

/** Per axis, in pixels at 300 dpi. */
export type PerAxis = readonly [x: number, y: number];

export interface Distance {
  /** Of the edge that is farthest off, in pixels at 300 dpi. */
  readonly pixels: number;
  readonly edge: 'x1' | 'y1' | 'x2' | 'y2';
}

/** What the rounding of a box to whole pixels explains, in pixels at 300 dpi. */
const HALF_PIXEL = 0.5;
/** Fewer decimals are taken for round numbers and not for the precision that a file is printed with. */
const LEAST_DECIMALS: Readonly<Partial<Record<SpaceName, number>>> = { unit: 2 };
const EDGES = ['x1', 'y1', 'x2', 'y2'] as const;

/** How far the twins are apart; undefined: one region within half a pixel and the printed precision, or the page's size is not known. */
export function distanceOf(twins: Twins): Distance | undefined {
  const { box, coordinates, relative, relativeCoordinates, page } = twins;
  const edges = edgesOf(box, coordinates, page);
  const relativeEdges = edgesOf(relative, relativeCoordinates, page);
  const extent = extentAt300(coordinates, page);
  if (edges === undefined || relativeEdges === undefined || extent === undefined) return undefined;
  const [ownX, ownY] = slackOf(box, coordinates, page, extent);
  const [otherX, otherY] = precisionOf(relativeCoordinates, twins.relativeDecimals, page, extent);
  const [sizeX, sizeY] = uncertaintyOf(coordinates, page, extent);
  return farthest(ordered(edges), ordered(relativeEdges), extent, [ownX + otherX + sizeX, ownY + otherY + sizeY]);
}

/** Decimals of the numbers of all relative boxes of a record: the precision that they are printed with. */
export function printedDecimals(boxes: readonly unknown[], space: SpaceName): number {
  let decimals = LEAST_DECIMALS[space] ?? 0;
  for (const value of boxes) {
    if (Array.isArray(value)) decimals = Math.max(decimals, printedDecimals(value, space));
    else if (typeof value === 'number') decimals = Math.max(decimals, decimalsOf(value));
  }
  return decimals;
}

/** What rounding lets a box be off by: half a pixel, or half a unit of its own last digit where that is coarser. */
export function slackOf(box: BoxNumbers, coordinates: Coordinates, page: PageMeasure, at300: Extent): PerAxis {
  const [x, y] = precisionOf(coordinates, printedDecimals(box, coordinates.space), page, at300);
  return [Math.max(HALF_PIXEL, x), Math.max(HALF_PIXEL, y)];
}

/** Half a unit of the last printed digit, in pixels at 300 dpi. */
export function precisionOf(coordinates: Coordinates, decimals: number, page: PageMeasure, at300: Extent): PerAxis {
  const extent = extentOf(coordinates, page);
  if (extent === undefined) return [0, 0];
  const half = 0.5 / 10 ** decimals;
  return [(half * at300.width) / extent.width, (half * at300.height) / extent.height];
}

/**
 * Without a page image at this resolution the page's size is known but for the renderer's rounding of a broken pixel; in
 * pixels at 300 dpi.
 */
export function uncertaintyOf({ space, dpi }: Coordinates, { points, pixels }: PageMeasure, at300: Extent): PerAxis {
  if (space !== 'pixel' || dpi === undefined || points === undefined || pixels !== undefined) return [0, 0];
  const width = (points.width * dpi) / 72;
  const height = (points.height * dpi) / 72;
  return [(brokenPixel(width) * at300.width) / width, (brokenPixel(height) * at300.height) / height];
}

function brokenPixel(size: number): number {
  return Math.abs(size - Math.round(size)) < 1e-6 ? 0 : 1;
}

/** Edges with the smaller numbers first. */
export function ordered([x1, y1, x2, y2]: Corners): Corners {
  return [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)];
}

/** The edge farthest beyond the tolerance; undefined: all are within it, give or take the error of floats. */
function farthest(a: Corners, b: Corners, extent: Extent, tolerance: PerAxis): Distance | undefined {
  let far: Distance | undefined;
  for (let i = 0; i < 4; i++) {
    const pixels = edgeDistance(a, b, i, extent);
    if (pixels > tolerance[i % 2]! + 1e-6 && pixels > (far?.pixels ?? 0)) far = { pixels, edge: EDGES[i]! };
  }
  return far;
}

/** Distance of the worst edge as a share of the tolerance: above 1 the two are not one region. */
export function misfitOf(a: Corners, b: Corners, extent: Extent, tolerance: PerAxis): number {
  let worst = 0;
  for (let i = 0; i < 4; i++) {
    worst = Math.max(worst, edgeDistance(a, b, i, extent) / (tolerance[i % 2]! + 1e-6));
  }
  return worst;
}

function edgeDistance(a: Corners, b: Corners, edge: number, extent: Extent): number {
  return Math.abs(a[edge]! - b[edge]!) * (edge % 2 === 0 ? extent.width : extent.height);
}
