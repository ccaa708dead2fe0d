/** Where a region lies on its page, by its box or else by the relative twin. */
import type { Coordinates, FileSettings } from '../profile/types.ts';
import type { CitedRegion } from './cited-regions.ts';
import { isBox, toFractions } from './geometry.ts';
import type { BoxNumbers, Fractions, PageMeasure } from './geometry.ts';

export interface RegionPlace {
  readonly place: Fractions;
  /** The numbers that say so, as written, and what they mean. */
  readonly box: BoxNumbers;
  readonly coordinates: Coordinates;
}

/** undefined: neither is a box whose place the page's size tells. */
export function placeOfRegion(
  { box, relative }: Pick<CitedRegion, 'box' | 'relative'>,
  measure: PageMeasure,
  { coordinates, relativeCoordinates }: Pick<FileSettings, 'coordinates' | 'relativeCoordinates'>,
): RegionPlace | undefined {
  return placeOfBox(box, coordinates, measure) ?? placeOfBox(relative, relativeCoordinates, measure);
}

function placeOfBox(box: unknown, coordinates: Coordinates | undefined, measure: PageMeasure): RegionPlace | undefined {
  if (coordinates === undefined || !isBox(box)) return undefined;
  const place = toFractions(box, coordinates, measure);
  return place && { place, box, coordinates };
}
