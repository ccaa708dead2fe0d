import type { PageUnits } from '../../../../schemas/regions.ts';
import type { FileSettings, SpaceName } from '../profile/types.ts';
import type { CanonicalRecord } from '../record/types.ts';
import { extentOf, writtenDecimals } from './geometry.ts';
import type { PageMeasure } from './geometry.ts';
import { printedDecimals } from './twins.ts';

/** A page in the units of the record's boxes; undefined where the page's size does not tell them. */
export function unitsOf(
  record: Pick<CanonicalRecord, 'boxes'>,
  { coordinates }: Pick<FileSettings, 'coordinates'>,
  page: PageMeasure,
): PageUnits | undefined {
  const extent = coordinates && extentOf(coordinates, page);
  if (coordinates === undefined || extent === undefined || !(extent.width > 0 && extent.height > 0)) return undefined;
  const { width, height } = extent;
  const decimals = decimalsOfBoxes(record.boxes, coordinates.space);
  return { width, height, step: Number((10 ** -decimals).toFixed(decimals)) };
}

/** With how many decimals boxes are written: like those that are there, else as usual for the space. */
export function decimalsOfBoxes(boxes: readonly unknown[] | undefined, space: SpaceName): number {
  return hasNumber(boxes) ? Math.min(printedDecimals(boxes, space), MOST_DECIMALS) : writtenDecimals(space);
}

/** Further ones are noise of floats. */
const MOST_DECIMALS = 6;

export function hasNumber(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.some((one) => typeof one === 'number' || hasNumber(one));
}
