/** How the boxes of a record are read, and why, in words (`EvidenceView.coordinates`). */
import type { CoordinateReading, EvidenceCoordinates } from '../../../../schemas/regions.ts';
import type { Coordinates } from '../profile/types.ts';
import { shortNumber } from '../solution/numbers.ts';
import { inferCoordinates, nameOf, pageBaseReason } from './coordinates.ts';
import type { FileBoxFacts } from './coordinates.ts';
import { extentOf, largestNumber } from './geometry.ts';
import { agreementOf, countOnPage, placedBoxes } from './placed-boxes.ts';
import type { PlacedBox } from './placed-boxes.ts';
import { otherReadings } from './other-readings.ts';
import type { ReadingSubject } from './other-readings.ts';
import { coordinatesIn, numberNames, readingFrom, readingKey, readingName, unitName } from './spaces.ts';

/** `tried`: the reading that is to be tried instead of the declared one; the document is then as it is read so. */
export function describeCoordinates(subject: ReadingSubject, tried?: CoordinateReading): EvidenceCoordinates {
  const { settings, record, document } = subject;
  const declared = readingFrom(settings.coordinates, settings.pageBase);
  const isTried = tried !== undefined && readingKey(tried) !== readingKey(declared);
  const reading = isTried ? tried : declared;
  const boxes = placedBoxes(record, document, reading);
  return {
    reading,
    name: readingName(reading, settings.pageBase),
    why: [
      ...(isTried ? triedReasons(subject) : declaredReasons(subject)),
      ...recordReasons(subject, coordinatesIn(reading), boxes),
    ],
    names: numberNames(reading.order),
    unit: unitName(reading.space),
    tried: isTried,
    others: otherReadings(subject, reading),
  };
}

/** The settings of a file whose boxes have coordinates, as `ReadingSubject` wants them. */
export function hasCoordinates<S extends { readonly coordinates: Coordinates | undefined }>(
  settings: S,
): settings is S & { readonly coordinates: Coordinates } {
  return settings.coordinates !== undefined;
}

function declaredReasons({ settings, facts, record }: ReadingSubject): string[] {
  const { profile, declaredIn = [], coordinates, pageBase } = settings;
  const by = (key: 'coordinates' | 'pageBase'): string =>
    declaredIn.includes(key) ? 'in auditable-qa.json' : `by the profile ${profile.title}`;
  const pages = profile.fields.pages !== undefined && record.pages !== undefined;
  const base = `counted from ${pageBase}`;
  const isOne = by('coordinates') === by('pageBase');
  const declared = `Declared ${by('coordinates')}`;
  const sentence = !pages
    ? `${declared}.`
    : isOne
      ? `${declared}, pages ${base}.`
      : `${declared}; that pages are ${base} ${by('pageBase') === 'in auditable-qa.json' ? 'stands in auditable-qa.json' : `comes from the profile ${profile.title}`}.`;
  return [sentence, ...(facts === undefined ? [] : fileReasons(facts, coordinates))];
}

function triedReasons({ settings }: ReadingSubject): string[] {
  return [`Tried only, nothing is changed; declared are ${nameOf(settings.coordinates)}.`];
}

/** What all boxes of the file say for or against what is declared. */
function fileReasons(facts: FileBoxFacts, declared: Coordinates): string[] {
  const { twins, agreeing, boxes, located } = facts;
  if (boxes === 0) return [];
  const inferred = inferCoordinates(facts, declared);
  const reasons: string[] = [];
  if (inferred !== undefined) reasons.push(`Against it: ${lowerFirst(inferred.reason)}`);
  if (twins > 0 && located > 0) {
    reasons.push(`${count(agreeing)} of ${count(twins)} boxes of the file agree with their relative boxes.`);
  }
  if (located > 0) {
    reasons.push(onPageReason(facts));
  } else if (inferred === undefined) {
    const { maxX, maxY } = facts;
    reasons.push(`The largest x of the file is ${shortNumber(maxX, 6)}, the largest y ${shortNumber(maxY, 6)}.`);
  }
  if (inferred?.pageBase !== undefined) reasons.push(pageBaseReason(facts, inferred.pageBase));
  return reasons;
}

function onPageReason({ boxes, located, onPage }: FileBoxFacts): string {
  const known = located === boxes ? '' : ' whose pages are known';
  if (onPage < located) return `${count(onPage)} of ${count(located)} boxes of the file${known} lie on their pages.`;
  if (located === 1) return `The box of the file${known === '' ? '' : ' whose page is known'} lies on its page.`;
  return `All ${count(located)} boxes of the file${known} lie on their pages.`;
}

function lowerFirst(sentence: string): string {
  return `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`;
}

function recordReasons(
  { settings, record }: ReadingSubject,
  coordinates: Coordinates,
  boxes: readonly PlacedBox[],
): string[] {
  const reasons: string[] = [];
  const [first] = boxes;
  if (first === undefined) {
    if ((record.boxes?.length ?? 0) > 0) reasons.push('The sizes of the cited pages are not known.');
    return reasons;
  }
  reasons.push(sizeReason(first, coordinates));
  const on = countOnPage(boxes, coordinates);
  if (on < boxes.length) {
    reasons.push(
      boxes.length === 1
        ? 'The box of this record does not lie on its page so.'
        : `${count(boxes.length - on)} of the ${count(boxes.length)} boxes of this record do not lie on their pages so.`,
    );
  }
  const { relativeCoordinates } = settings;
  const { twins, agreeing } = agreementOf(boxes, coordinates, relativeCoordinates);
  if (twins > 0 && relativeCoordinates !== undefined) {
    const name = nameOf(relativeCoordinates);
    reasons.push(
      agreeing === twins
        ? twins === 1
          ? `The relative box of this record (${name}) agrees.`
          : `${twins === 2 ? 'Both' : `All ${count(twins)}`} relative boxes of this record (${name}) agree.`
        : twins === 1
          ? `The relative box of this record (${name}) means another place.`
          : `${count(twins - agreeing)} of ${count(twins)} relative boxes of this record (${name}) mean other places.`,
    );
  }
  return reasons;
}

/** "Page 3 is 2550 × 3300 px, its PDF page 612 × 792 pt, so 300 dpi." */
function sizeReason({ page, measure }: PlacedBox, coordinates: Coordinates): string {
  const { points, pixels } = measure;
  const size = ({ width, height }: { width: number; height: number }, unit: string): string =>
    `${shortNumber(width, 5)} × ${shortNumber(height, 5)} ${unit}`;
  const extent = extentOf(coordinates, measure);
  const isFree = largestNumber(coordinates.space) !== undefined;
  if (pixels !== undefined && points !== undefined) {
    const dpi = shortNumber((pixels.width * 72) / points.width, 4);
    return `The image of page ${page} is ${size(pixels, 'px')}, its PDF page ${size(points, 'pt')}, so the image has ${dpi} dpi.`;
  }
  if (points !== undefined) {
    const isPixel = coordinates.space === 'pixel' && extent !== undefined;
    return `Page ${page} is ${size(points, 'pt')}${isPixel ? `, so ${size(extent, 'px')} at ${shortNumber(coordinates.dpi ?? 0, 4)} dpi` : ''}.`;
  }
  const image = `The image of page ${page} is ${size(pixels!, 'px')}`;
  if (isFree || coordinates.dpi === undefined) return `${image}.`;
  const inches = (pixels!.width / coordinates.dpi).toFixed(1);
  return `${image}, which at ${shortNumber(coordinates.dpi, 4)} dpi is ${inches} inches wide.`;
}

function count(number: number): string {
  return number.toLocaleString('en');
}
