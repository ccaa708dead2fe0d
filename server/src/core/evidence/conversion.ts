/** Boxes of a record that are read in another way than declared, and written in what is declared. */
import { writeEntry } from '../edit/region-lists.ts';
import type { Edit } from '../edit/types.ts';
import type { DocumentFacts } from '../ports.ts';
import type { Coordinates, Field, FileSettings } from '../profile/types.ts';
import type { CanonicalRecord } from '../record/types.ts';
import { citedRegions, pageNumberAt } from './cited-regions.ts';
import {
  cornersOf,
  extentAt300,
  fromFractions,
  isBox,
  largestNumber,
  toFractions,
  writtenDecimals,
} from './geometry.ts';
import type { BoxNumbers, PageMeasure } from './geometry.ts';
import { measureOf } from './measure.ts';
import { exchange } from './readings.ts';
import { distanceOf, printedDecimals } from './twins.ts';

/** How the numbers of a field's boxes are to be read. */
export interface Conversion {
  readonly field: Extract<Field, 'boxes' | 'relativeBoxes'>;
  readonly from: Coordinates;
  /** x and y stand in each other's place. */
  readonly exchanged: boolean;
}

/** What a box may reach beyond its page, in pixels at 300 dpi; as for box/out-of-page. */
const OUTSIDE = 0.5;

/** The same for conversions that mean the same. */
export function conversionKey({ field, from, exchanged }: Conversion): string {
  const dpi = from.dpi === undefined ? '' : Math.round(from.dpi);
  return [field, from.space, dpi, from.order, from.origin, exchanged].join(' ');
}

export type ConvertedBoxes =
  | { readonly state: 'converted'; readonly boxes: number; readonly edits: readonly Edit[] }
  /** The boxes may be meant, but it is not known how large their pages are. */
  | { readonly state: 'unknown' }
  /** There are none, or one of them read so leaves its page or contradicts its relative twin, or agrees with it as declared. */
  | { readonly state: 'left' };

const LEFT: ConvertedBoxes = { state: 'left' };
const UNKNOWN: ConvertedBoxes = { state: 'unknown' };

/**
 * The edits that write all boxes of a record in the declared coordinates, or none of them: a record is not half converted.
 * Relative twins stay as they are, and agree with the boxes afterwards.
 */
export function convertBoxes(
  record: CanonicalRecord,
  settings: Pick<FileSettings, 'coordinates' | 'relativeCoordinates' | 'pageBase'>,
  document: DocumentFacts | undefined,
  conversion: Conversion,
): ConvertedBoxes {
  const { boxes, relativeBoxes } = record;
  const { coordinates, relativeCoordinates } = settings;
  if (boxes === undefined || coordinates === undefined || !boxes.every(Array.isArray)) return LEFT;
  const edits: Edit[] = [];
  let isKnown = true;
  let converting = 0;
  const relativeDecimals =
    relativeBoxes && relativeCoordinates && printedDecimals(relativeBoxes, relativeCoordinates.space);
  for (const { box, relative, page: at, at: position, isFlat } of citedRegions(record)) {
    if (!isBox(box) || !mayBe(box, conversion.from)) return LEFT;
    const page = document && measureOf(document, pageNumberAt(record, at), settings);
    if (page === undefined) {
      isKnown = false;
      continue;
    }
    const converted = convertBox(box, conversion, coordinates, page);
    if (converted === undefined) return LEFT;
    if (isBox(relative) && relativeCoordinates !== undefined && relativeDecimals !== undefined) {
      const twins = { box, coordinates, relative, relativeCoordinates, relativeDecimals, page };
      if (distanceOf(twins) === undefined || distanceOf({ ...twins, box: converted }) !== undefined) return LEFT;
    }
    const own = writeEntry(record, 'boxes', isFlat ? [at] : [at, position], converted);
    if (own === undefined) return LEFT;
    edits.push(...own);
    converting++;
  }
  if (!isKnown) return UNKNOWN;
  return edits.length === 0 ? LEFT : { state: 'converted', boxes: converting, edits };
}

/** Whether the numbers lie within what the space has on every page. */
function mayBe(box: BoxNumbers, { space, order }: Coordinates): boolean {
  const [x1, y1, x2, y2] = cornersOf(box, order);
  const most = largestNumber(space) ?? Infinity;
  return Math.min(x1, y1) >= 0 && Math.max(x2, y2) <= most;
}

/** The numbers in the declared coordinates; undefined where the box read so does not lie on its page, or has no area there. */
export function convertBox(
  box: BoxNumbers,
  { from, exchanged }: Omit<Conversion, 'field'>,
  declared: Coordinates,
  page: PageMeasure,
): BoxNumbers | undefined {
  const read = exchanged ? exchange(box) : box;
  if (!isOnPage(read, from, page)) return undefined;
  const place = toFractions(read, from, page);
  const converted = place && fromFractions(place, declared, page, decimalsFor(box, from, declared));
  return converted !== undefined && isOnPage(converted, declared, page) ? converted : undefined;
}

/** Where only order or origin change, the numbers keep their precision. */
function decimalsFor(box: BoxNumbers, from: Coordinates, declared: Coordinates): number {
  const usual = writtenDecimals(declared.space);
  const isSameUnit = from.space === declared.space && from.dpi === declared.dpi;
  return isSameUnit ? Math.max(usual, Math.min(printedDecimals(box, from.space), MOST_DECIMALS)) : usual;
}

/** Further ones are noise of floats. */
const MOST_DECIMALS = 10;

/** Whether a box has an area, its corners in order, and lies on its page; false where the page's size is not known. */
export function isOnPage(box: BoxNumbers, coordinates: Coordinates, page: PageMeasure): boolean {
  const [x1, y1, x2, y2] = cornersOf(box, coordinates.order);
  const at300 = extentAt300(coordinates, page);
  const place = toFractions(box, coordinates, page);
  if (!(x2 > x1 && y2 > y1) || at300 === undefined || place === undefined) return false;
  const x = OUTSIDE / at300.width;
  const y = OUTSIDE / at300.height;
  return (
    place.left >= -x &&
    place.top >= -y &&
    place.left + place.width <= 1 + x + 1e-12 &&
    place.top + place.height <= 1 + y + 1e-12
  );
}
