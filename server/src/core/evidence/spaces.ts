/** Ways to read boxes, and the settings of a file as if its boxes were read so. */
import type { CoordinateReading } from '../../../../schemas/regions.ts';
import type { Coordinates, CornerOrder, FileSettings, SpaceName } from '../profile/types.ts';
import { nameOf } from './coordinates.ts';

/** How boxes are read as declared; undefined: nothing is declared. */
export function declaredReading({
  coordinates,
  pageBase,
}: Pick<FileSettings, 'coordinates' | 'pageBase'>): CoordinateReading | undefined {
  return coordinates && readingFrom(coordinates, pageBase);
}

export function readingFrom({ space, dpi, order, origin }: Coordinates, pageBase: 0 | 1): CoordinateReading {
  return { space, dpi: dpi ?? null, order, origin, pageBase };
}

export function coordinatesIn({ space, dpi, order, origin }: CoordinateReading): Coordinates {
  return { space, ...(space === 'pixel' && dpi !== null && { dpi }), order, origin };
}

/** The same for readings that mean the same. */
export function readingKey({ space, dpi, order, origin, pageBase }: CoordinateReading): string {
  return [space, space === 'pixel' ? dpi : null, order, origin, pageBase].join(' ');
}

/** Settings under which boxes and pages are read so. Relative twins are left out: they are read as they are. */
export function settingsAs<S extends FileSettings>(settings: S, reading: CoordinateReading): S {
  return {
    ...settings,
    coordinates: coordinatesIn(reading),
    pageBase: reading.pageBase,
    relativeCoordinates: undefined,
  };
}

/** "pixels at 300 dpi"; with the page base where it is another one than is declared. */
export function readingName(reading: CoordinateReading, declaredBase: 0 | 1): string {
  const coordinates = coordinatesIn(reading);
  const name = nameOf(coordinates);
  const own =
    reading.space === 'pixel' && reading.dpi === null ? name.replace('pixels', 'pixels of the page image') : name;
  return reading.pageBase === declaredBase ? own : `${own}, pages counted from ${reading.pageBase}`;
}

const NAMES: Readonly<Record<CornerOrder, readonly [string, string, string, string]>> = {
  xyxy: ['x1', 'y1', 'x2', 'y2'],
  xywh: ['x', 'y', 'w', 'h'],
  whxy: ['w', 'h', 'x', 'y'],
};

/** What the four numbers of a box are called. */
export function numberNames(order: CornerOrder): readonly [string, string, string, string] {
  return NAMES[order];
}

const UNITS: Readonly<Record<SpaceName, string>> = { pixel: 'px', point: 'pt', unit: '', percent: '%', permille: '‰' };

export function unitName(space: SpaceName): string {
  return UNITS[space];
}

/** Whether a value is a reading: it comes from outside. */
export function isReading(value: unknown): value is CoordinateReading {
  if (typeof value !== 'object' || value === null) return false;
  const { space, dpi, order, origin, pageBase } = value as Partial<Record<keyof CoordinateReading, unknown>>;
  return (
    typeof space === 'string' &&
    Object.hasOwn(UNITS, space) &&
    (dpi === null || (typeof dpi === 'number' && dpi > 0 && dpi <= MOST_DPI)) &&
    typeof order === 'string' &&
    Object.hasOwn(NAMES, order) &&
    (origin === 'top-left' || origin === 'bottom-left') &&
    (pageBase === 0 || pageBase === 1)
  );
}

const MOST_DPI = 10_000;
