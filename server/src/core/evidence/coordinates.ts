import type { DocumentFacts } from '../ports.ts';
import type { Coordinates, CornerOrder, FileSettings, Origin, SpaceName } from '../profile/types.ts';
import type { CanonicalRecord } from '../record/types.ts';
import { shortNumber } from '../solution/numbers.ts';
import { pageNumberAt } from './cited-regions.ts';
import { conversionKey, isOnPage } from './conversion.ts';
import type { Conversion } from './conversion.ts';
import { extentOf, isBox, largestNumber } from './geometry.ts';
import type { BoxNumbers, PageMeasure } from './geometry.ts';
import { measureOf, pageCountOf } from './measure.ts';
import { exchange, readingOf } from './readings.ts';
import { distanceOf, printedDecimals } from './twins.ts';
import type { Twins } from './twins.ts';

/** What the boxes of a whole file tell of their coordinates, as counts and extremes: it does not grow with the file. */
export interface FileBoxFacts {
  readonly boxes: number;
  /** The largest number in x and y, corners taken as declared. */
  readonly maxX: number;
  readonly maxY: number;
  readonly min: number;
  /** Boxes whose second corner lies before the first, read as two corners. */
  readonly disordered: number;
  /** Of them, those that lie on the page as x, y, width and height, and as width, height, x and y. */
  readonly asXywh: number;
  readonly asWhxy: number;
  /** Records with boxes. */
  readonly records: number;
  /** By smaller space: the records all of whose boxes would fit it, and the others that lie on their page as declared. */
  readonly fitting: Readonly<Record<SmallSpace, number>>;
  readonly elsewhere: Readonly<Record<SmallSpace, number>>;
  /** Boxes whose page's size is known, and those of them that lie on it as declared. */
  readonly located: number;
  readonly onPage: number;
  /** The smallest extents of the declared space over all pages whose size is known. */
  readonly leastWidth: number;
  readonly leastHeight: number;
  /** Boxes with a relative twin, those that agree with it, and the readings that would make the others agree. */
  readonly twins: number;
  readonly agreeing: number;
  readonly readings: ReadonlyMap<
    string,
    { readonly coordinates: Coordinates; readonly exchanged: boolean; readonly count: number }
  >;
  /** Cited pages: all, those with number 0, those beyond the last page counted from the declared base. */
  readonly pages: number;
  readonly zeros: number;
  readonly beyond: number;
}

/** Spaces in which the numbers of a page are smaller than in pixels, the smallest first. */
const SMALL_SPACES = ['unit', 'percent', 'point', 'permille'] as const;
export type SmallSpace = (typeof SMALL_SPACES)[number];
const LARGEST = SMALL_SPACES.map(largestNumber);

export interface FileBoxes {
  add(record: CanonicalRecord, settings: FileSettings, document: DocumentFacts | undefined): void;
  /** Adds what was read of a record elsewhere; twins are then known to be there, and no more of them. */
  join(item: BoxItem): void;
  facts(): FileBoxFacts;
}

/** What the boxes of one record tell (see `FileBoxFacts`); 0: they have relative twins, which tell more than all of it. */
export type BoxItem = 0 | BoxNumbersOfRecord;
type BoxNumbersOfRecord = [
  boxes: number,
  maxX: number,
  maxY: number,
  min: number,
  disordered: number,
  asXywh: number,
  asWhxy: number,
  /** A bit for each of the smaller spaces. */
  fitting: number,
  elsewhere: number,
  located: number,
  onPage: number,
  /** 0: not known. */
  leastWidth: number,
  leastHeight: number,
  pages: number,
  zeros: number,
  beyond: number,
];

/** undefined: the record has none. */
export function boxItem(
  record: CanonicalRecord,
  settings: FileSettings,
  document: DocumentFacts | undefined,
): BoxItem | undefined {
  if (record.boxes === undefined || record.boxes.length === 0) return undefined;
  one.start();
  one.add(record, settings, document);
  const facts = one.facts();
  if (facts.twins > 0) return 0;
  const { boxes, maxX, maxY, min, leastWidth, leastHeight } = facts;
  const isAny = boxes > 0;
  const isKnown = leastWidth < Infinity;
  return [
    boxes,
    isAny ? maxX : 0,
    isAny ? maxY : 0,
    isAny ? min : 0,
    facts.disordered,
    facts.asXywh,
    facts.asWhxy,
    bitsOf(facts.fitting),
    bitsOf(facts.elsewhere),
    facts.located,
    facts.onPage,
    isKnown ? leastWidth : 0,
    isKnown ? leastHeight : 0,
    facts.pages,
    facts.zeros,
    facts.beyond,
  ];
}

function bitsOf(spaces: FileBoxFacts['fitting']): number {
  let bits = 0;
  for (let i = 0; i < SMALL_SPACES.length; i++) if (spaces[SMALL_SPACES[i]!] > 0) bits |= 1 << i;
  return bits;
}

function addBits(spaces: Record<SmallSpace, number>, bits: number): void {
  for (let i = 0; i < SMALL_SPACES.length; i++) if ((bits & (1 << i)) !== 0) spaces[SMALL_SPACES[i]!] += 1;
}

/** Collects over the records of a file; call once per record. `readsTwins` false: that relative twins are there is enough. */
export function createFileBoxes(readsTwins = true): FileBoxes {
  const { add, join, facts } = createBoxes(readsTwins);
  return { add, join, facts };
}

function noBoxes() {
  return {
    boxes: 0,
    maxX: -Infinity,
    maxY: -Infinity,
    min: Infinity,
    disordered: 0,
    asXywh: 0,
    asWhxy: 0,
    records: 0,
    fitting: { unit: 0, percent: 0, point: 0, permille: 0 },
    elsewhere: { unit: 0, percent: 0, point: 0, permille: 0 },
    located: 0,
    onPage: 0,
    leastWidth: Infinity,
    leastHeight: Infinity,
    twins: 0,
    agreeing: 0,
    pages: 0,
    zeros: 0,
    beyond: 0,
  };
}

/** `readsTwins`: else they are counted only. */
function createBoxes(readsTwins: boolean): FileBoxes & { start(): void } {
  const readings = new Map<string, { coordinates: Coordinates; exchanged: boolean; count: number }>();
  let facts = { ...noBoxes(), readings };

  let fruitless = 0;
  /** Of the record at hand. */
  const own = { boxes: 0, maxX: 0, maxY: 0, isOrdered: true, withinPoints: true, isLocated: true, onPage: true };

  function startRecord(): void {
    own.boxes = 0;
    own.maxX = own.maxY = -Infinity;
    own.isOrdered = own.withinPoints = own.isLocated = own.onPage = true;
  }

  function endRecord(): void {
    if (own.boxes === 0) return;
    facts.records += 1;
    const { fitting, elsewhere } = facts;
    for (let i = 0; i < SMALL_SPACES.length; i++) {
      const space = SMALL_SPACES[i]!;
      const most = LARGEST[i];
      const fits = most === undefined ? own.withinPoints : own.maxX <= most && own.maxY <= most;
      if (fits && own.isOrdered) fitting[space] += 1;
      else if (own.isLocated && own.onPage) elsewhere[space] += 1;
    }
  }

  function addBox(box: BoxNumbers, measure: PageMeasure | undefined, declared: Coordinates): void {
    const [a, b, c, d] = box;
    facts.boxes += 1;
    facts.maxX = Math.max(facts.maxX, a, c);
    facts.maxY = Math.max(facts.maxY, b, d);
    facts.min = Math.min(facts.min, a, b, c, d);
    own.boxes += 1;
    own.maxX = Math.max(own.maxX, a, c);
    own.maxY = Math.max(own.maxY, b, d);
    const points = measure?.points ?? POINTS;
    if (Math.max(a, c) > points.width || Math.max(b, d) > points.height) own.withinPoints = false;
    if (measure === undefined) {
      own.isLocated = false;
    } else {
      facts.located += 1;
      if (isOnPage(box, declared, measure)) facts.onPage += 1;
      else own.onPage = false;
    }
    if (Math.min(a, b, c, d) < 0 || !(c > a && d > b)) own.isOrdered = false;
    if (c > a && d > b) return;
    facts.disordered += 1;
    if (a >= 0 && b >= 0 && c > 0 && d > 0) facts.asXywh += 1;
    if (c >= 0 && d >= 0 && a > 0 && b > 0) facts.asWhxy += 1;
  }

  /** Readings that were found are asked before all ways are gone through: files have few of them, and that takes long. */
  function readTwins(twins: Twins): void {
    for (const known of readings.values()) {
      const box = known.exchanged ? exchange(twins.box) : twins.box;
      if (distanceOf({ ...twins, box, coordinates: known.coordinates }) !== undefined) continue;
      known.count += 1;
      return;
    }
    if (fruitless > MOST_FRUITLESS) return;
    const reading = readingOf(twins);
    if (reading?.of !== 'box') {
      fruitless += 1;
      return;
    }
    const { coordinates, exchanged } = reading;
    const key = conversionKey({ field: 'boxes', from: coordinates, exchanged });
    const known = readings.get(key);
    if (known === undefined) readings.set(key, { coordinates, exchanged, count: 1 });
    else known.count += 1;
  }

  return {
    add(record, settings, document) {
      const { boxes, relativeBoxes, pages } = record;
      const { coordinates, relativeCoordinates } = settings;
      const length = document && pageCountOf(document);
      for (const page of pages ?? []) {
        if (typeof page !== 'number') continue;
        facts.pages += 1;
        if (page === 0) facts.zeros += 1;
        if (length !== undefined && page >= settings.pageBase + length) facts.beyond += 1;
      }
      if (boxes === undefined || coordinates === undefined) return;
      startRecord();
      for (let i = 0; i < boxes.length; i++) {
        const inPage = boxes[i];
        if (!Array.isArray(inPage)) continue;
        const isFlat = isBox(inPage);
        const ofPage: readonly unknown[] = isFlat ? [inPage] : inPage;
        const measure = document && measureOf(document, pageNumberAt(record, i), settings);
        const extent = measure && extentOf(coordinates, measure);
        if (extent !== undefined) {
          facts.leastWidth = Math.min(facts.leastWidth, extent.width);
          facts.leastHeight = Math.min(facts.leastHeight, extent.height);
        }
        for (let j = 0; j < ofPage.length; j++) {
          const box = ofPage[j];
          if (!isBox(box)) continue;
          addBox(box, measure, coordinates);
          const relativePage = relativeBoxes?.[i];
          const relative: unknown = isFlat || !Array.isArray(relativePage) ? relativePage : relativePage[j];
          if (!isBox(relative)) continue;
          facts.twins += 1;
          if (!readsTwins || measure === undefined || relativeCoordinates === undefined) continue;
          const relativeDecimals = printedDecimals(relative, relativeCoordinates.space);
          const twins = { box, coordinates, relative, relativeCoordinates, relativeDecimals, page: measure };
          if (distanceOf(twins) === undefined) {
            facts.agreeing += 1;
            continue;
          }
          readTwins(twins);
        }
      }
      endRecord();
    },
    join(item) {
      if (item === 0) {
        facts.twins += 1;
        return;
      }
      const [boxes, maxX, maxY, min, disordered, asXywh, asWhxy, fitting, elsewhere, ...others] = item;
      const [located, onPage, leastWidth, leastHeight, pages, zeros, beyond] = others;
      facts.boxes += boxes;
      if (boxes > 0) {
        facts.records += 1;
        facts.maxX = Math.max(facts.maxX, maxX);
        facts.maxY = Math.max(facts.maxY, maxY);
        facts.min = Math.min(facts.min, min);
      }
      facts.disordered += disordered;
      facts.asXywh += asXywh;
      facts.asWhxy += asWhxy;
      addBits(facts.fitting, fitting);
      addBits(facts.elsewhere, elsewhere);
      facts.located += located;
      facts.onPage += onPage;
      if (leastWidth > 0) {
        facts.leastWidth = Math.min(facts.leastWidth, leastWidth);
        facts.leastHeight = Math.min(facts.leastHeight, leastHeight);
      }
      facts.pages += pages;
      facts.zeros += zeros;
      facts.beyond += beyond;
    },
    facts: () => facts,
    start() {
      facts = { ...noBoxes(), readings };
    },
  };
}

/** For the record at hand. */
const one = createBoxes(false);

/** Boxes that contradict their relative twins in no way that can be told: more of them are not looked at one by one. */
const MOST_FRUITLESS = 500;

export interface InferredCoordinates {
  readonly coordinates: Coordinates;
  /** x and y stand in each other's place. */
  readonly exchanged: boolean;
  /** The page base, where the cited pages tell another one than is declared. */
  readonly pageBase?: 0 | 1;
  /** The space in words: "0-1000", "PDF points". */
  readonly name: string;
  /** What is declared, in words. */
  readonly declared: string;
  /** Why, as a sentence. */
  readonly reason: string;
  /** How the records vote, as a phrase: "1,598 of 1,623 records fit 0-1000, 3 fit pixels at 300 dpi". */
  readonly votes: string;
}

/** Fewer boxes than that tell nothing. */
const LEAST = 3;
/** Share of the boxes that must agree on a reading. */
const MAJORITY = 0.8;
/** Share of the records that must fit a smaller space; the others may be of another one. */
const FITTING = 0.95;
/** A space is smaller when the declared page is larger than it by this factor. */
const SMALLER = 1.4;
/** The largest common page in points, where the pages' own sizes are not known: A4 by letter. */
const POINTS = { width: 612, height: 842 };

const SPACE_NAMES: Readonly<Record<SpaceName, string>> = {
  pixel: 'pixels',
  point: 'PDF points',
  unit: '0-1',
  percent: '0-100',
  permille: '0-1000',
};

/**
 * What the numbers of a file's boxes mean, by the vote of all of them, where that is something else than is declared:
 * relative twins decide; else the smallest space that holds all boxes; else the order in which most boxes make sense.
 * undefined: nothing speaks against what is declared.
 */
export function inferCoordinates(facts: FileBoxFacts, declared: Coordinates): InferredCoordinates | undefined {
  const inferred =
    facts.twins > 0 ? fromTwins(facts, declared) : (fromExtremes(facts, declared) ?? fromOrder(facts, declared));
  const pageBase = pageBaseOf(facts);
  return inferred && { ...inferred, ...(pageBase !== undefined && { pageBase }) };
}

/** The conversion from what was inferred to what is declared. */
export function conversionOf({ coordinates, exchanged }: InferredCoordinates): Conversion {
  return { field: 'boxes', from: coordinates, exchanged };
}

/** Why pages are taken to be counted from 0 or 1, as a sentence. */
export function pageBaseReason({ zeros, beyond }: FileBoxFacts, pageBase: 0 | 1): string {
  return pageBase === 0
    ? `Pages seem to be counted from 0: page 0 is cited ${zeros} times, and none lies beyond its document.`
    : `Pages seem to be counted from 1: ${beyond} lie beyond their documents, and page 0 is never cited.`;
}

type Inferred = Omit<InferredCoordinates, 'pageBase'>;

function fromTwins(facts: FileBoxFacts, declared: Coordinates): Inferred | undefined {
  let best: { coordinates: Coordinates; exchanged: boolean; count: number } | undefined;
  for (const reading of facts.readings.values()) if (reading.count > (best?.count ?? 0)) best = reading;
  if (best === undefined || best.count < LEAST || best.count < MAJORITY * facts.twins) return undefined;
  const name = nameOf(best.coordinates) + (best.exchanged ? ', x and y exchanged' : '');
  return {
    ...best,
    name,
    declared: nameOf(declared),
    reason: `${best.count} of ${facts.twins} boxes agree with their relative boxes if they are read as ${name}.`,
    votes: `${whole(best.count)} of ${whole(facts.twins)} boxes agree as ${name}, ${whole(facts.agreeing)} as ${nameOf(declared)}`,
  };
}

function fromExtremes(facts: FileBoxFacts, declared: Coordinates): Inferred | undefined {
  const { boxes, records, maxX, maxY, fitting, elsewhere } = facts;
  const space = boxes < LEAST ? undefined : smallestOf(facts);
  if (space === undefined || space === declared.space) return undefined;
  const page = declaredExtent(facts, declared);
  const most = largestNumber(space);
  const extent = most === undefined ? POINTS : { width: most, height: most };
  if (page === undefined || page.width < SMALLER * extent.width || page.height < SMALLER * extent.height)
    return undefined;
  const coordinates: Coordinates = { space, order: declared.order, origin: declared.origin };
  const name = nameOf(coordinates);
  const others = elsewhere[space];
  const votes = `${whole(fitting[space])} of ${whole(records)} records fit ${name}${others === 0 ? '' : `, ${whole(others)} fit ${nameOf(declared)}`}`;
  const extremes = `the largest x is ${shortNumber(maxX, 6)}, the largest y ${shortNumber(maxY, 6)}`;
  return {
    coordinates,
    exchanged: false,
    name,
    declared: nameOf(declared),
    reason:
      fitting[space] === records
        ? `All ${boxes} boxes of the file fit ${SPACE_NAMES[space]}: ${extremes}.`
        : `${votes}: ${extremes}.`,
    votes,
  };
}

/** The smallest space that nearly all records fit. */
function smallestOf({ records, fitting }: FileBoxFacts): SmallSpace | undefined {
  const least = FITTING * records;
  // Ten times smaller than the next one: no other file is so by chance.
  if (fitting.unit >= least) return 'unit';
  if (fitting.percent >= least) return 'percent';
  if (fitting.point === records) return 'point';
  if (fitting.permille < least) return undefined;
  // Points are so near to 0-1000 that a single record between them decides.
  return fitting.point === fitting.permille ? 'point' : 'permille';
}

/** The page in the declared space: known, or of letter size. */
function declaredExtent({ leastWidth, leastHeight }: FileBoxFacts, declared: Coordinates) {
  if (leastWidth < Infinity) return { width: leastWidth, height: leastHeight };
  return extentOf(declared, { points: { width: 612, height: 792 } });
}

function fromOrder(facts: FileBoxFacts, declared: Coordinates): Inferred | undefined {
  if (declared.order !== 'xyxy' || facts.boxes < LEAST || facts.disordered < LEAST) return undefined;
  // Read as two corners, most boxes would have none or a negative area; as the other order none has.
  if (facts.disordered * 2 <= facts.boxes) return undefined;
  const order: CornerOrder | undefined =
    facts.asXywh === facts.disordered ? 'xywh' : facts.asWhxy === facts.disordered ? 'whxy' : undefined;
  if (order === undefined) return undefined;
  const coordinates: Coordinates = { ...declared, order };
  return {
    coordinates,
    exchanged: false,
    name: nameOf(coordinates),
    declared: nameOf(declared),
    reason: `${facts.disordered} of ${facts.boxes} boxes of the file have no area as two corners, and all of them have one as ${ORDER_NAMES[order]}.`,
    votes: `${whole(facts.disordered)} of ${whole(facts.boxes)} boxes have an area as ${ORDER_NAMES[order]} only`,
  };
}

const ORDER_NAMES: Readonly<Record<CornerOrder, string>> = {
  xyxy: 'two corners',
  xywh: 'x, y, width and height',
  whxy: 'width, height, x and y',
};
const ORIGIN_NAMES: Readonly<Record<Origin, string>> = {
  'top-left': '',
  'bottom-left': ', counted from the bottom left',
};

function whole(count: number): string {
  return count.toLocaleString('en');
}

/** "0-1000", "pixels at 300 dpi, counted from the bottom left". */
export function nameOf({ space, dpi, order, origin }: Coordinates): string {
  const unit = space === 'pixel' && dpi !== undefined ? `pixels at ${shortNumber(dpi, 4)} dpi` : SPACE_NAMES[space];
  return `${unit}${order === 'xyxy' ? '' : ` as ${ORDER_NAMES[order]}`}${ORIGIN_NAMES[origin]}`;
}

/** One page 0 is a slip; where many are cited and none is beyond the end, pages are counted from 0. */
function pageBaseOf({ pages, zeros, beyond }: FileBoxFacts): 0 | 1 | undefined {
  if (zeros >= LEAST && zeros * 20 >= pages && beyond === 0) return 0;
  return zeros === 0 && beyond >= LEAST && beyond * 20 >= pages ? 1 : undefined;
}
