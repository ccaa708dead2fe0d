/** The boxes of a record on pages whose size is known, and what they say of a way to read them. */
import type { DocumentFacts } from '../ports.ts';
import type { Coordinates, FileSettings } from '../profile/types.ts';
import type { CanonicalRecord } from '../record/types.ts';
import { citedRegions, pageNumberAt } from './cited-regions.ts';
import { isOnPage } from './conversion.ts';
import { extentAt300, isBox, toFractions } from './geometry.ts';
import type { BoxNumbers, Fractions, PageMeasure } from './geometry.ts';
import { measureOf } from './measure.ts';
import { distanceOf, printedDecimals } from './twins.ts';

export interface PlacedBox {
  readonly box: BoxNumbers;
  readonly relative: BoxNumbers | undefined;
  /** As the record writes it. */
  readonly page: number;
  readonly measure: PageMeasure;
}

/** Boxes whose page's size is known, pages counted from `pageBase`. */
export function placedBoxes(
  record: CanonicalRecord,
  document: DocumentFacts | undefined,
  settings: Pick<FileSettings, 'pageBase'>,
): readonly PlacedBox[] {
  return citedRegions(record).flatMap(({ box, relative, page: at }) => {
    const page = pageNumberAt(record, at);
    const measure = document && page !== undefined ? measureOf(document, page, settings) : undefined;
    if (page === undefined || measure === undefined || !isBox(box)) return [];
    return [{ box, relative: isBox(relative) ? relative : undefined, page, measure }];
  });
}

/** How many boxes lie on their page, with an area. */
export function countOnPage(boxes: readonly PlacedBox[], coordinates: Coordinates): number {
  return boxes.filter(({ box, measure }) => isOnPage(box, coordinates, measure)).length;
}

/** Sides in pixels at 300 dpi: no region of a page is smaller than that both ways. */
const LEAST_SIDE = 8;

/** Whether all boxes lie on their pages so, at least one of them large enough to be a region. */
export function makesSense(boxes: readonly PlacedBox[], coordinates: Coordinates): boolean {
  if (boxes.length === 0 || countOnPage(boxes, coordinates) < boxes.length) return false;
  return boxes.some(({ box, measure }) => {
    const place = toFractions(box, coordinates, measure);
    const extent = extentAt300(coordinates, measure);
    if (place === undefined || extent === undefined) return false;
    return Math.max(place.width * extent.width, place.height * extent.height) >= LEAST_SIDE;
  });
}

/** Fractions of the page that no eye tells apart. */
const ALIKE = 0.002;

/** Whether all boxes lie at the same places both ways. */
export function isAlike(boxes: readonly PlacedBox[], one: Coordinates, other: Coordinates): boolean {
  return boxes.every(({ box, measure }) => {
    const a = toFractions(box, one, measure);
    const b = toFractions(box, other, measure);
    return a !== undefined && b !== undefined && EDGES.every((edge) => Math.abs(a[edge] - b[edge]) <= ALIKE);
  });
}

const EDGES: readonly (keyof Fractions)[] = ['left', 'top', 'width', 'height'];

export interface Agreement {
  /** Boxes with a relative twin, and those of them that mean the same region. */
  readonly twins: number;
  readonly agreeing: number;
}

export function agreementOf(
  boxes: readonly PlacedBox[],
  coordinates: Coordinates,
  relativeCoordinates: Coordinates | undefined,
): Agreement {
  let [twins, agreeing] = [0, 0];
  if (relativeCoordinates === undefined) return { twins, agreeing };
  const relativeDecimals = printedDecimals(
    boxes.flatMap(({ relative }) => (relative === undefined ? [] : [relative])),
    relativeCoordinates.space,
  );
  for (const { box, relative, measure: page } of boxes) {
    if (relative === undefined) continue;
    twins += 1;
    if (distanceOf({ box, coordinates, relative, relativeCoordinates, relativeDecimals, page }) === undefined) {
      agreeing += 1;
    }
  }
  return { twins, agreeing };
}
