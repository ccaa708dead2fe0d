/** A box and its relative twin for a place: both are written from the same numbers, so that they stay one region. */
import { regionsOnPage, pageNumberAt } from '../evidence/cited-regions.ts';
import type { CitedRegion } from '../evidence/cited-regions.ts';
import { cornersOf, isBox, largestNumber, toFractions } from '../evidence/geometry.ts';
import type { BoxNumbers, Fractions, PageMeasure } from '../evidence/geometry.ts';
import { measureOf } from '../evidence/measure.ts';
import { distanceOf, printedDecimals } from '../evidence/twins.ts';
import { decimalsOfBoxes, hasNumber } from '../evidence/units.ts';
import type { DocumentFacts } from '../ports.ts';
import type { Coordinates, FileSettings } from '../profile/types.ts';
import type { CanonicalRecord } from '../record/types.ts';
import { numbersFor } from './region-numbers.ts';

/** What of a file and its document regions follow from. */
export interface RegionContext {
  readonly settings: Pick<FileSettings, 'coordinates' | 'relativeCoordinates' | 'pageBase'>;
  /** With the pages that the change is about, also where they are not cited yet. */
  readonly document: DocumentFacts | undefined;
}

/** Decimals of relative boxes where the record has none to go by. */
const TWIN_DECIMALS = 6;

/** Size of a page; where no document tells it, what the twins of a region on it tell, or nothing: some spaces need none. */
export function measureAt(record: CanonicalRecord, page: number, { settings, document }: RegionContext): PageMeasure {
  const known = document && measureOf(document, page, settings);
  return known ?? measureOfTwins(record, page, settings) ?? {};
}

function measureOfTwins(
  record: CanonicalRecord,
  page: number,
  { coordinates, relativeCoordinates }: RegionContext['settings'],
): PageMeasure | undefined {
  const scale = relativeCoordinates && largestNumber(relativeCoordinates.space);
  if (coordinates === undefined || relativeCoordinates === undefined || scale === undefined) return undefined;
  if (coordinates.origin !== relativeCoordinates.origin || largestNumber(coordinates.space) !== undefined)
    return undefined;
  for (let at = 0; at < (record.boxes?.length ?? 0); at++) {
    if (pageNumberAt(record, at) !== page) continue;
    for (const { box, relative } of regionsOnPage(record, at)) {
      if (!isBox(box) || !isBox(relative)) continue;
      const [, , x, y] = cornersOf(box, coordinates.order);
      const [, , relativeX, relativeY] = cornersOf(relative, relativeCoordinates.order);
      if (!(relativeX > 0 && relativeY > 0 && x > 0 && y > 0)) continue;
      const isPixel = coordinates.space === 'pixel';
      const size = (own: number, other: number): number => (isPixel ? Math.round : Number)((own / other) * scale);
      const extent = { width: size(x, relativeX), height: size(y, relativeY) };
      const measure = isPixel ? { pixels: extent } : { points: extent };
      if (agree({ box, relative }, measure, coordinates, relativeCoordinates)) return measure;
    }
  }
  return undefined;
}

interface Pair {
  readonly box: BoxNumbers;
  readonly relative: BoxNumbers;
}

function agree(
  { box, relative }: Pair,
  page: PageMeasure,
  coordinates: Coordinates,
  relativeCoordinates: Coordinates,
): boolean {
  const relativeDecimals = printedDecimals(relative, relativeCoordinates.space);
  return distanceOf({ box, coordinates, relative, relativeCoordinates, relativeDecimals, page }) === undefined;
}

/** The numbers of a box at a place. `old`: those that stand there. undefined: the page's size does not tell them. */
export function boxFor(
  record: CanonicalRecord,
  place: Fractions,
  page: PageMeasure,
  { settings: { coordinates } }: RegionContext,
  old?: BoxNumbers,
): BoxNumbers | undefined {
  if (coordinates === undefined) return undefined;
  return numbersFor(place, coordinates, page, decimalsOfBoxes(record.boxes, coordinates.space), old);
}

/** The relative twin of a box. `old`: the region as it stands, whose numbers are kept where they still say the same. */
export function twinFor(
  record: CanonicalRecord,
  box: BoxNumbers,
  page: PageMeasure,
  { settings: { coordinates, relativeCoordinates } }: RegionContext,
  old?: CitedRegion,
): BoxNumbers | undefined {
  const place = coordinates && toFractions(box, coordinates, page);
  if (coordinates === undefined || relativeCoordinates === undefined || place === undefined) return undefined;
  const decimals = hasNumber(record.relativeBoxes)
    ? Math.min(printedDecimals(record.relativeBoxes, relativeCoordinates.space), TWIN_DECIMALS)
    : TWIN_DECIMALS;
  const written = closest(place, { box, coordinates }, relativeCoordinates, page, decimals);
  if (written === undefined || old === undefined || !isBox(old.box) || !isBox(old.relative)) return written;
  const { box: oldBox, relative } = old;
  if (!agree({ box: oldBox, relative }, page, coordinates, relativeCoordinates)) return written;
  return keepEdges(written, { box: oldBox, relative }, box, coordinates, relativeCoordinates);
}

/** With the decimals that are usual, or with more where the twin of a small box would else be another region. */
function closest(
  place: Fractions,
  { box, coordinates }: { readonly box: BoxNumbers; readonly coordinates: Coordinates },
  relativeCoordinates: Coordinates,
  page: PageMeasure,
  decimals: number,
): BoxNumbers | undefined {
  let relative = numbersFor(place, relativeCoordinates, page, decimals);
  for (let finer = decimals + 1; relative !== undefined && finer <= TWIN_DECIMALS; finer++) {
    if (agree({ box, relative }, page, coordinates, relativeCoordinates)) break;
    relative = numbersFor(place, relativeCoordinates, page, finer);
  }
  return relative;
}

/** Where the box keeps an edge and is written alike, the twin keeps it too, however it was rounded. */
function keepEdges(
  written: BoxNumbers,
  old: Pair,
  box: BoxNumbers,
  coordinates: Coordinates,
  relativeCoordinates: Coordinates,
): BoxNumbers {
  if (coordinates.order !== relativeCoordinates.order || coordinates.origin !== relativeCoordinates.origin)
    return written;
  const keep = (at: 0 | 1 | 2 | 3): number => (box[at] === old.box[at] ? old.relative[at] : written[at]);
  return [keep(0), keep(1), keep(2), keep(3)];
}
