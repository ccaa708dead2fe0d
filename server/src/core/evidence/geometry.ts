import type { Coordinates, CornerOrder, SpaceName } from '../profile/types.ts';

/** Conversions of bounding boxes between coordinate spaces, corner orders and origins, through the page's own size. */

export type BoxNumbers = readonly [number, number, number, number];

export interface Extent {
  readonly width: number;
  readonly height: number;
}

/** What is known of a page's size. A page image's own pixels, and the page as displayed in PDF points of 1/72 inch. */
export interface PageMeasure {
  readonly points?: Extent;
  readonly pixels?: Extent;
}

/** A box as fractions (0–1) of the page as displayed, origin top-left; width and height are never negative. */
export interface Fractions {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Edges in the units of a space, origin top-left, before any ordering: x1 may exceed x2. */
export type Corners = readonly [x1: number, y1: number, x2: number, y2: number];

const SCALE: Readonly<Partial<Record<SpaceName, number>>> = { unit: 1, percent: 100, permille: 1000 };

/** The largest number of a space that is relative to the page; undefined for the others. */
export function largestNumber(space: SpaceName): number | undefined {
  return SCALE[space];
}

/** Whether the image is the page rendered at `dpi`, give or take the rounding of one pixel a side. */
function isRenderedAt(image: Extent, points: Extent, dpi: number): boolean {
  const scale = dpi / 72;
  return Math.abs(image.width - points.width * scale) <= 2 && Math.abs(image.height - points.height * scale) <= 2;
}

/** Whether the image is the whole page at whatever resolution. */
function isSameShape(image: Extent, points: Extent): boolean {
  const x = image.width / points.width;
  const y = image.height / points.height;
  return Math.abs(x - y) <= 0.01 * Math.max(x, y);
}

/**
 * Width and height of the page in the units of `coordinates`; undefined where the page's size does not tell it. Pixels
 * are those of the page image; where the dpi is stated and the image has another resolution, or there is none, they are
 * points × dpi / 72, rounded up as renderers do.
 */
export function extentOf(coordinates: Coordinates, page: PageMeasure): Extent | undefined {
  const { space, dpi } = coordinates;
  const { points, pixels } = page;
  const scale = SCALE[space];
  if (scale !== undefined) return { width: scale, height: scale };
  if (space === 'point') {
    if (points !== undefined) return points;
    if (pixels === undefined || dpi === undefined) return undefined;
    return { width: (pixels.width * 72) / dpi, height: (pixels.height * 72) / dpi };
  }
  if (dpi === undefined || points === undefined) return pixels;
  if (pixels !== undefined && (isRenderedAt(pixels, points, dpi) || !isSameShape(pixels, points))) return pixels;
  return { width: pixelsOf(points.width, dpi), height: pixelsOf(points.height, dpi) };
}

/** Points to pixels, rounded up; 612 pt at 300 dpi are 2550 px although the product is a hair above in floats. */
function pixelsOf(points: number, dpi: number): number {
  return Math.ceil((points * dpi) / 72 - 1e-6);
}

/** Pixels of the page at 300 dpi: the measure of all thresholds. undefined without a size in points or an image at a known dpi. */
export function extentAt300(coordinates: Coordinates | undefined, page: PageMeasure): Extent | undefined {
  if (page.points !== undefined) {
    return { width: (page.points.width * 300) / 72, height: (page.points.height * 300) / 72 };
  }
  if (page.pixels === undefined) return undefined;
  const scale = coordinates?.space === 'pixel' && coordinates.dpi !== undefined ? 300 / coordinates.dpi : 1;
  return { width: page.pixels.width * scale, height: page.pixels.height * scale };
}

/** The two corners of a box, in the units and from the origin of its own space. */
export function cornersOf(box: BoxNumbers, order: CornerOrder): Corners {
  const [a, b, c, d] = box;
  if (order === 'xyxy') return box;
  if (order === 'xywh') return [a, b, a + c, b + d];
  return [c, d, c + a, d + b];
}

function boxOf([x1, y1, x2, y2]: Corners, order: CornerOrder): BoxNumbers {
  if (order === 'xyxy') return [x1, y1, x2, y2];
  if (order === 'xywh') return [x1, y1, x2 - x1, y2 - y1];
  return [x2 - x1, y2 - y1, x1, y1];
}

/** Mirrors between origins; the first corner stays the one with the smaller numbers. */
function mirrored([x1, y1, x2, y2]: Corners, height: number): Corners {
  return [x1, height - y2, x2, height - y1];
}

/** Edges as fractions of the page, origin top-left, in the order they are written. undefined: the page's size is not known. */
export function edgesOf(box: BoxNumbers, coordinates: Coordinates, page: PageMeasure): Corners | undefined {
  const extent = extentOf(coordinates, page);
  // A page without a size has no fractions.
  if (extent === undefined || !(extent.width > 0 && extent.height > 0)) return undefined;
  const written = cornersOf(box, coordinates.order);
  const [x1, y1, x2, y2] = coordinates.origin === 'top-left' ? written : mirrored(written, extent.height);
  return [x1 / extent.width, y1 / extent.height, x2 / extent.width, y2 / extent.height];
}

/** Where a box lies on the page as displayed. undefined: the page's size is not known. */
export function toFractions(box: BoxNumbers, coordinates: Coordinates, page: PageMeasure): Fractions | undefined {
  const edges = edgesOf(box, coordinates, page);
  if (edges === undefined) return undefined;
  const [x1, y1, x2, y2] = edges;
  const left = Math.min(x1, x2);
  const top = Math.min(y1, y2);
  return { left, top, width: Math.max(x1, x2) - left, height: Math.max(y1, y2) - top };
}

/**
 * The numbers of a box at a place on the page, rounded to so many decimals: with the decimals of the box that
 * `toFractions` was given, exactly that box again (corners in order).
 */
export function fromFractions(
  { left, top, width, height }: Fractions,
  coordinates: Coordinates,
  page: PageMeasure,
  decimals: number,
): BoxNumbers | undefined {
  const extent = extentOf(coordinates, page);
  if (extent === undefined) return undefined;
  const corners: Corners = [
    left * extent.width,
    top * extent.height,
    (left + width) * extent.width,
    (top + height) * extent.height,
  ];
  const placed = coordinates.origin === 'top-left' ? corners : mirrored(corners, extent.height);
  const [a, b, c, d] = boxOf(placed, coordinates.order);
  return [rounded(a, decimals), rounded(b, decimals), rounded(c, decimals), rounded(d, decimals)];
}

/** Decimals with which a box is written where nothing tells how the file prints them. */
export function writtenDecimals(space: SpaceName): number {
  return WRITTEN_DECIMALS[space];
}

const WRITTEN_DECIMALS: Readonly<Record<SpaceName, number>> = { pixel: 0, point: 1, unit: 4, percent: 2, permille: 0 };

function rounded(value: number, decimals: number): number {
  const result = Number(value.toFixed(decimals));
  return Object.is(result, -0) ? 0 : result;
}

/** Four finite numbers. */
export function isBox(value: unknown): value is BoxNumbers {
  return (
    Array.isArray(value) &&
    value.length === 4 &&
    Number.isFinite(value[0]) &&
    Number.isFinite(value[1]) &&
    Number.isFinite(value[2]) &&
    Number.isFinite(value[3])
  );
}

/** Four finite numbers that say a place: it comes from outside. They may lie beyond the page. */
export function isFractions(value: unknown): value is Fractions {
  if (typeof value !== 'object' || value === null) return false;
  const { left, top, width, height } = value as Partial<Record<keyof Fractions, unknown>>;
  return Number.isFinite(left) && Number.isFinite(top) && Number.isFinite(width) && Number.isFinite(height);
}
