/** Boxes that somebody found to be read in another way than declared, written as what is declared. */
import type { CoordinateReading } from '../../../../schemas/regions.ts';
import { citedRegions, pageNumberAt } from '../evidence/cited-regions.ts';
import type { CitedRegion } from '../evidence/cited-regions.ts';
import { convertBox, convertBoxes } from '../evidence/conversion.ts';
import type { ConvertedBoxes } from '../evidence/conversion.ts';
import { nameOf } from '../evidence/coordinates.ts';
import { isBox } from '../evidence/geometry.ts';
import type { BoxNumbers, PageMeasure } from '../evidence/geometry.ts';
import { measureOf } from '../evidence/measure.ts';
import { coordinatesIn, readingName } from '../evidence/spaces.ts';
import { distanceOf, printedDecimals } from '../evidence/twins.ts';
import type { DocumentFacts } from '../ports.ts';
import type { Coordinates, FileSettings } from '../profile/types.ts';
import type { CanonicalRecord } from '../record/types.ts';
import { CANNOT_SAY, changed, problem, together } from './changed.ts';
import type { Changed } from './changed.ts';
import { writeEntry } from './region-lists.ts';
import { nameOfRegion, numbersEdits, pathOf } from './region-parts.ts';
import type { Edit } from './types.ts';

export interface ReadAnew {
  readonly record: CanonicalRecord;
  readonly settings: FileSettings;
  /** With its pages counted as the reading counts them. */
  readonly document: DocumentFacts | undefined;
  readonly reading: CoordinateReading;
}

/**
 * All boxes of a record, or the one at `pointer`; none where one of them read so is not on its page: a record is not half
 * converted. A relative twin that agrees with the box afterwards stays as it is, another one is made anew from the box. Page
 * numbers follow where pages are counted from another number.
 */
export function convertReading(subject: ReadAnew, pointer?: string): Changed {
  const { record, settings, reading } = subject;
  const { coordinates, pageBase } = settings;
  if (coordinates === undefined) return problem('It is not declared what the boxes are in.');
  const shift = pageBase - reading.pageBase;
  if (pointer !== undefined && shift !== 0) {
    return problem('Page numbers are of all boxes of a page: convert the record or the file.');
  }
  const all = citedRegions(record);
  const regions = pointer === undefined ? all : all.filter((region) => region.pointer === pointer);
  if (regions.length === 0) return problem(pointer === undefined ? 'The record has no boxes.' : NO_REGION);
  const edits: Edit[] = [];
  if (!isSame(coordinatesIn(reading), coordinates)) {
    for (const region of regions) {
      const own = convertRegion(subject, coordinates, region);
      if (typeof own === 'string') return problem(own);
      edits.push(...own);
    }
  }
  const pages = pageEdits(record, shift);
  if (pages === undefined) return problem(CANNOT_SAY);
  edits.push(...pages);
  if (edits.length === 0) return problem('Read so, the numbers are the same.');
  const [only] = regions;
  const what =
    pointer !== undefined
      ? nameOfRegion(record, only!)
      : regions.length === 1
        ? 'the box of this record'
        : `the ${regions.length} boxes of this record`;
  const title = `Convert ${what} from ${readingName(reading, pageBase)} to ${nameOf(coordinates)}`;
  return changed(edits, pointer ?? null, title);
}

const NO_REGION = 'The record has no such region.';

/**
 * The same for one record of a file whose records are converted together: it stays as it is where it does not make sense so, or where
 * its relative boxes speak for what is declared.
 */
export function convertWithOthers({ record, settings, document, reading }: ReadAnew): ConvertedBoxes {
  const { coordinates, pageBase } = settings;
  if (coordinates === undefined) return { state: 'left' };
  const shift = pageBase - reading.pageBase;
  const pages = pageEdits(record, shift);
  if (pages === undefined) return { state: 'left' };
  const from = coordinatesIn(reading);
  if (isSame(from, coordinates)) {
    return pages.length === 0 ? { state: 'left' } : { state: 'converted', boxes: pages.length, edits: pages };
  }
  const read = { ...settings, pageBase: reading.pageBase };
  const converted = convertBoxes(record, read, document, { field: 'boxes', from, exchanged: false });
  if (converted.state !== 'converted') return converted;
  return { ...converted, edits: [...converted.edits, ...pages] };
}

/** "Convert 12 boxes in 4 records from 0-1000 to pixels at 300 dpi (2 records stay as they are)". */
export function fileTitle(
  reading: CoordinateReading,
  { coordinates, pageBase }: Pick<FileSettings, 'coordinates' | 'pageBase'>,
  { boxes, records, left }: { readonly boxes: number; readonly records: number; readonly left: number },
): string {
  const count = (number: number, noun: string, plural = `${noun}s`): string =>
    `${number.toLocaleString('en')} ${number === 1 ? noun : plural}`;
  const to = coordinates === undefined ? 'what is declared' : nameOf(coordinates);
  const staying = left === 0 ? '' : ` (${count(left, 'record')} ${left === 1 ? 'stays as it is' : 'stay as they are'})`;
  return `Convert ${count(boxes, 'box', 'boxes')} in ${count(records, 'record')} from ${readingName(reading, pageBase)} to ${to}${staying}`;
}

function isSame(one: Coordinates, other: Coordinates): boolean {
  return one.space === other.space && one.dpi === other.dpi && one.order === other.order && one.origin === other.origin;
}

/** A text says why the box cannot be converted. */
function convertRegion(
  { record, settings, document, reading }: ReadAnew,
  declared: Coordinates,
  region: CitedRegion,
): readonly Edit[] | string {
  const { box } = region;
  const name = nameOfRegion(record, region);
  if (!isBox(box)) return `${upperFirst(name)} has no four numbers.`;
  const page = pageNumberAt(record, region.page);
  const measure = document && page !== undefined ? measureOf(document, page, reading) : undefined;
  if (measure === undefined) return `The size of page ${page ?? region.page + 1} is not known.`;
  const from = coordinatesIn(reading);
  const converted = convertBox(box, { from, exchanged: false }, declared, measure);
  if (converted === undefined) {
    return `${upperFirst(name)}, ${JSON.stringify(box)}, does not lie on page ${page} as ${nameOf(from)}.`;
  }
  const twin = isBox(region.relative) ? region.relative : undefined;
  if (twin === undefined || agrees(record, settings, declared, converted, twin, measure)) {
    return writeEntry(record, 'boxes', pathOf(region), converted) ?? NO_REGION;
  }
  return numbersEdits(record, { ...region, box: undefined }, converted, measure, { settings, document }) ?? NO_REGION;
}

function agrees(
  record: CanonicalRecord,
  { relativeCoordinates }: FileSettings,
  coordinates: Coordinates,
  box: BoxNumbers,
  relative: BoxNumbers,
  page: PageMeasure,
): boolean {
  if (relativeCoordinates === undefined) return true;
  const relativeDecimals = printedDecimals(record.relativeBoxes ?? [], relativeCoordinates.space);
  return distanceOf({ box, coordinates, relative, relativeCoordinates, relativeDecimals, page }) === undefined;
}

/** undefined: the record keeps its pages in a way that they cannot be written in. */
function pageEdits(record: CanonicalRecord, shift: number): readonly Edit[] | undefined {
  const pages = shift === 0 ? [] : (record.pages ?? []);
  const parts = pages.map((page, at) => {
    const isText = typeof page === 'string' && /^\d+$/.test(page);
    if (typeof page !== 'number' && !isText) return [];
    const number = Number(page) + shift;
    return writeEntry(record, 'pages', [at], isText ? String(number) : number);
  });
  return together(...parts);
}

function upperFirst(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
