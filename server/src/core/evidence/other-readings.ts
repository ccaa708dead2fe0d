/** Ways to read the boxes of a record that make sense beside the one in use, best first, each with the reason. */
import type { CoordinateReading, EvidenceCoordinates } from '../../../../schemas/regions.ts';
import type { DocumentFacts } from '../ports.ts';
import type { Coordinates, CornerOrder, FileSettings } from '../profile/types.ts';
import type { CanonicalRecord } from '../record/types.ts';
import { inferCoordinates, pageBaseReason } from './coordinates.ts';
import type { FileBoxFacts, InferredCoordinates } from './coordinates.ts';
import { agreementOf, isAlike, makesSense, placedBoxes } from './placed-boxes.ts';
import type { PlacedBox } from './placed-boxes.ts';
import { readingOf } from './readings.ts';
import { coordinatesIn, readingFrom, readingKey, readingName } from './spaces.ts';
import { printedDecimals } from './twins.ts';

export interface ReadingSubject {
  readonly record: CanonicalRecord;
  readonly document: DocumentFacts | undefined;
  /** As declared. */
  readonly settings: FileSettings & { readonly coordinates: Coordinates };
  /** Of the whole file; absent: not known (yet). */
  readonly facts?: FileBoxFacts;
}

type Other = EvidenceCoordinates['others'][number];

/** More than anybody looks through. */
const MOST = 10;
const USUAL_DPI = [96, 100, 144, 150, 200, 300, 600];
const ORDERS: readonly CornerOrder[] = ['xyxy', 'xywh', 'whxy'];

/** `used`: the reading in use, as declared or as it is tried; where it is tried, the declared one comes first. */
export function otherReadings(subject: ReadingSubject, used: CoordinateReading): readonly Other[] {
  const { settings, facts } = subject;
  const declared = readingFrom(settings.coordinates, settings.pageBase);
  const inferred = facts && inferCoordinates(facts, settings.coordinates);
  const known = new Set([readingKey(used)]);
  const found: Other[] = [];
  const add = (reading: CoordinateReading, why: string): void => {
    const key = readingKey(reading);
    if (known.has(key)) return;
    known.add(key);
    found.push({ reading, name: readingName(reading, settings.pageBase), why });
  };
  add(declared, 'It is what is declared.');
  const boxes = placedBoxes(subject.record, subject.document, settings);
  for (const candidate of ranked(subject, boxes, used, inferred)) add(candidate.reading, candidate.why);
  for (const { reading, why } of otherBases(subject, used)) add(reading, why);
  return found.slice(0, MOST);
}

interface Candidate {
  readonly reading: CoordinateReading;
  readonly why: string;
  /** The smaller the better. */
  readonly rank: number;
}

/** Of the page base in use. */
function ranked(
  subject: ReadingSubject,
  boxes: readonly PlacedBox[],
  used: CoordinateReading,
  inferred: InferredCoordinates | undefined,
): readonly Candidate[] {
  const candidates: Candidate[] = [];
  const isOfFile = inferred !== undefined && !inferred.exchanged;
  if (isOfFile && (boxes.length === 0 || makesSense(boxes, inferred.coordinates))) {
    const reading = readingFrom(inferred.coordinates, used.pageBase);
    candidates.push({ reading, why: inferred.reason, rank: 0 });
  }
  const consider = (coordinates: Coordinates): void => {
    if (!makesSense(boxes, coordinates) || isAlike(boxes, coordinates, coordinatesIn(used))) return;
    candidates.push({ reading: readingFrom(coordinates, used.pageBase), ...reasonFor(subject, boxes, coordinates) });
  };
  for (const coordinates of [...fromTwins(subject, boxes), ...usual(subject, boxes, used)]) consider(coordinates);
  // A resolution is guessed only where nothing speaks for another way.
  if (!candidates.some(({ rank }) => rank <= 2)) for (const dpi of USUAL_DPI) consider(pixelsAt(dpi, used));
  return candidates.sort((a, b) => a.rank - b.rank);
}

/** Boxes whose twins are asked: a reading is of all boxes, and to find one takes long. */
const MOST_TWINS = 5;

/** Those that make a box and its relative twin one region. */
function fromTwins({ settings }: ReadingSubject, boxes: readonly PlacedBox[]): Coordinates[] {
  const { coordinates, relativeCoordinates } = settings;
  if (relativeCoordinates === undefined) return [];
  const paired = boxes.filter(({ relative }) => relative !== undefined).slice(0, MOST_TWINS);
  return paired.flatMap(({ box, relative, measure: page }) => {
    if (relative === undefined) return [];
    const relativeDecimals = printedDecimals(relative, relativeCoordinates.space);
    const reading = readingOf({ box, coordinates, relative, relativeCoordinates, relativeDecimals, page });
    return reading?.of === 'box' && !reading.exchanged ? [reading.coordinates] : [];
  });
}

function usual({ settings }: ReadingSubject, boxes: readonly PlacedBox[], used: CoordinateReading): Coordinates[] {
  const { order, origin } = used;
  const current = coordinatesIn(used);
  const spaces: Coordinates[] = (['unit', 'permille', 'percent', 'point'] as const).map((space) => ({
    space,
    order,
    origin,
  }));
  const dpis = [undefined, ...imageDpis(boxes), settings.coordinates.dpi ?? 300];
  const pixels = dpis.map((dpi) => pixelsAt(dpi, used));
  const orders = ORDERS.map((other): Coordinates => ({ ...current, order: other }));
  const origins = (['top-left', 'bottom-left'] as const).map((other): Coordinates => ({ ...current, origin: other }));
  return [...spaces, ...pixels, ...orders, ...origins];
}

function pixelsAt(dpi: number | undefined, { order, origin }: CoordinateReading): Coordinates {
  return { space: 'pixel', ...(dpi !== undefined && { dpi }), order, origin };
}

/** Resolutions that the page images have, by their PDF pages. */
function imageDpis(boxes: readonly PlacedBox[]): number[] {
  return boxes.flatMap(({ measure: { points, pixels } }) =>
    points === undefined || pixels === undefined ? [] : [Math.round((pixels.width * 72) / points.width)],
  );
}

function reasonFor(
  { settings, facts }: ReadingSubject,
  boxes: readonly PlacedBox[],
  coordinates: Coordinates,
): { readonly why: string; readonly rank: number } {
  const { twins, agreeing } = agreementOf(boxes, coordinates, settings.relativeCoordinates);
  const lie = liesOnPage(boxes.length);
  if (twins > 0 && agreeing === twins) {
    const why =
      twins === 1
        ? 'The relative box agrees then.'
        : `${twins === 2 ? 'Both' : `All ${count(twins)}`} relative boxes agree then.`;
    return { why, rank: 1 };
  }
  const contradicts = twins === 0 ? '' : ', but the relative boxes contradict it';
  const ofFile = facts && fileReason(facts, coordinates);
  const isUsual =
    coordinates.order === settings.coordinates.order && coordinates.origin === settings.coordinates.origin;
  const rank = (twins > 0 ? 4 : 0) + (ofFile !== undefined ? 2 : isUsual ? 3 : 4);
  return { why: `${ofFile ?? lie}${contradicts}.`, rank };
}

function liesOnPage(boxes: number): string {
  if (boxes === 1) return 'The box of this record lies on its page so';
  return `${boxes === 2 ? 'Both' : `All ${count(boxes)}`} boxes of this record lie on their pages so`;
}

/** How much of the file fits, where that tells something. */
function fileReason(facts: FileBoxFacts, { space, order }: Coordinates): string | undefined {
  if (order === 'xywh' && facts.asXywh > 0) return `${count(facts.asXywh)} boxes of the file have an area only so`;
  if (order === 'whxy' && facts.asWhxy > 0) return `${count(facts.asWhxy)} boxes of the file have an area only so`;
  if (space === 'pixel' || order !== 'xyxy') return undefined;
  const fitting = facts.fitting[space];
  if (fitting * 2 <= facts.records) return undefined;
  return fitting === facts.records
    ? `All ${count(facts.boxes)} boxes of the file fit it`
    : `${count(fitting)} of ${count(facts.records)} records of the file fit it`;
}

function count(number: number): string {
  return number.toLocaleString('en');
}

/** The same with pages counted from the other number, where the pages are there and hold the boxes. */
function otherBases(subject: ReadingSubject, used: CoordinateReading): { reading: CoordinateReading; why: string }[] {
  const { record, document, settings, facts } = subject;
  const pageBase = used.pageBase === 0 ? 1 : 0;
  const pages = record.pages ?? [];
  if (document === undefined || pages.length === 0 || record.boxes === undefined) return [];
  if (!pages.every((page) => typeof page === 'number' && isThere(document, page, settings, pageBase))) return [];
  const boxes = placedBoxes(
    record,
    { ...document, images: shiftedImages(document, pageBase - settings.pageBase) },
    { pageBase },
  );
  if (boxes.length > 0 && !makesSense(boxes, coordinatesIn(used))) return [];
  const inferred = facts && inferCoordinates(facts, settings.coordinates);
  const first = pages[0] as number;
  const why =
    facts !== undefined && inferred?.pageBase === pageBase
      ? pageBaseReason(facts, pageBase)
      : `Page ${first} is the document's page ${first - pageBase + 1} then, and not its page ${first - used.pageBase + 1}.`;
  return [{ reading: { ...used, pageBase }, why }];
}

function isThere(document: DocumentFacts, page: number, settings: FileSettings, pageBase: 0 | 1): boolean {
  const { pdf, imageNumbers } = document;
  if (pdf?.state === 'ok') return pdf.pages[page - pageBase] !== undefined;
  return imageNumbers?.includes(page - pageBase + settings.imageBase) === true;
}

/** Images that are known, under the numbers by which they would be cited. */
function shiftedImages({ images }: DocumentFacts, by: number): NonNullable<DocumentFacts['images']> {
  return new Map([...(images ?? [])].map(([number, image]) => [number + by, image]));
}
