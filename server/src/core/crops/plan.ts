/**
 * Which pictures the evidence of a record is: the regions cut out of their pages, the cited pages, or all pages of the
 * document. Nothing is drawn here; what cannot be had is said in words.
 */
import { absence } from '../evidence/absence.ts';
import { pageNumberAt, regionsOnPage } from '../evidence/cited-regions.ts';
import type { CitedRegion } from '../evidence/cited-regions.ts';
import { numbersOfPages } from '../evidence/document-pages.ts';
import { extentOf, isBox } from '../evidence/geometry.ts';
import type { BoxNumbers, Extent, Fractions, PageMeasure } from '../evidence/geometry.ts';
import { measureOf } from '../evidence/measure.ts';
import { exchange } from '../evidence/readings.ts';
import { placeOfRegion } from '../evidence/region-place.ts';
import { pixelsOf } from '../page/ink.ts';
import type { PixelBox } from '../page/ink.ts';
import type { DocumentFacts } from '../ports.ts';
import type { FileSettings, SpaceName } from '../profile/types.ts';
import type { CanonicalRecord } from '../record/types.ts';

export const CROP_KINDS = ['crops', 'pages', 'documents'] as const;
export type CropKind = (typeof CROP_KINDS)[number];

export interface CropOptions {
  readonly what: CropKind;
  /** Of pages that are drawn from a PDF; absent: what the boxes of the file are in, else `USUAL_DPI`. */
  readonly dpi?: number;
  /** The boxes of the file have x and y in each other's place. */
  readonly exchanged?: boolean;
}

/** For PDFs of files whose boxes are in no dpi: as annotators of SciEGQA saw their pages. */
export const USUAL_DPI = 300;

/** Where a page's picture comes from. Page images go before PDFs: their pixels are those of the data set. */
export type PictureSource =
  | { readonly kind: 'image'; readonly path: string }
  /** `index`: 0-based; `points`: the page as displayed. */
  | {
      readonly kind: 'pdf';
      readonly path: string;
      readonly index: number;
      readonly points: Extent;
      readonly dpi: number;
    };

export interface PlannedRegion {
  /** 1-based over the record, as the preview counts them. */
  readonly region: number;
  readonly pointer: string;
  readonly label: string | null;
  /** As written, and the space that it is in. */
  readonly box: BoxNumbers;
  readonly space: SpaceName;
  /** On the page's picture, cut at its edges. */
  readonly pixels: PixelBox;
  /** It reaches beyond the page. */
  readonly clipped: boolean;
}

export interface PlannedImage {
  readonly kind: 'crop' | 'page';
  readonly document: string;
  /** As the record writes it. */
  readonly page: number;
  readonly source: PictureSource;
  /** Of the page's picture, in px. */
  readonly pageSize: Extent;
  /** The part of the page that is the image. */
  readonly pixels: PixelBox;
  /** null: not known, as of page images whose boxes are in no dpi. */
  readonly dpi: number | null;
  /** What is marked in it; one for a crop. */
  readonly regions: readonly PlannedRegion[];
}

export interface CropPlan {
  readonly images: readonly PlannedImage[];
  /** Why images are missing, as sentences. */
  readonly problems: readonly string[];
}

/** `document`: with the images of all its pages, where whole documents are wanted. */
export function planCrops(
  record: CanonicalRecord,
  document: DocumentFacts | undefined,
  settings: FileSettings,
  options: CropOptions,
): CropPlan {
  const images: PlannedImage[] = [];
  const problems: string[] = [];
  const marked = new Map<number, { readonly picture: PagePicture; readonly regions: PlannedRegion[] }>();
  let counted = 0;
  const cited = Math.max(record.pages?.length ?? 0, record.boxes?.length ?? 0);
  for (let at = 0; at < cited; at++) {
    const regions = regionsOnPage(record, at);
    const first = counted + 1;
    counted += regions.length;
    if (options.what === 'crops' && regions.length === 0) continue;
    const number = pageNumberAt(record, at);
    if (number === undefined) {
      problems.push(noNumber(record, at));
      continue;
    }
    const known = marked.get(number);
    const picture = known?.picture ?? pictureOf(number, document, settings, options);
    if ('problem' in picture) {
      problems.push(picture.problem);
      continue;
    }
    const placed = known?.regions ?? [];
    regions.forEach((region, position) => {
      const planned = planRegion(region, first + position, picture, settings, options);
      if (typeof planned !== 'string') placed.push(planned);
      // A page needs no box to be shown whole.
      else if (options.what === 'crops') problems.push(`Page ${number}, region ${first + position}: ${planned}`);
    });
    marked.set(number, { picture, regions: placed });
  }
  const name = record.document ?? '';
  if (options.what === 'documents') {
    for (const number of document === undefined ? [] : numbersOfPages(document, settings)) {
      const picture = marked.get(number)?.picture ?? pictureOf(number, document, settings, options);
      if ('problem' in picture) problems.push(picture.problem);
      else images.push(wholePage(name, number, picture, marked.get(number)?.regions ?? []));
    }
    if (document !== undefined && images.length === 0 && problems.length === 0)
      problems.push(noPages(document, settings));
    if (document === undefined && record.document !== undefined) problems.push(NO_PLACE);
  } else {
    for (const [number, { picture, regions }] of marked) {
      if (options.what === 'pages') images.push(wholePage(name, number, picture, regions));
      else for (const region of regions) images.push(cropOf(name, number, picture, region));
    }
  }
  return { images: images.sort(byRegion(options.what)), problems: [...new Set(problems)] };
}

/**
 * A part of any page of the document, or the page as a whole (`place` null), as `planCrops` would cut it. A sentence where it
 * cannot be had. `document`: with the image of the page, where there is one.
 */
export function planPart(
  name: string,
  number: number,
  place: Fractions | null,
  document: DocumentFacts | undefined,
  settings: FileSettings,
): PlannedImage | string {
  const picture = pictureOf(number, document, settings, { what: 'crops' });
  if ('problem' in picture) return picture.problem;
  const whole = wholePage(name, number, picture, []);
  if (place === null) return whole;
  const cut = cutAt(place, picture.size);
  return typeof cut === 'string' ? `The region ${cut}` : { ...whole, kind: 'crop', pixels: cut.pixels };
}

/** A page that is cited twice has its regions apart; crops stand in the order of the record. */
function byRegion(what: CropKind): (a: PlannedImage, b: PlannedImage) => number {
  return what === 'crops' ? (a, b) => (a.regions[0]?.region ?? 0) - (b.regions[0]?.region ?? 0) : () => 0;
}

interface PagePicture {
  readonly source: PictureSource;
  readonly measure: PageMeasure;
  readonly size: Extent;
  readonly dpi: number | null;
}

const NO_PLACE = 'It is not known where the documents are; auditable-qa.json can say it.';

function noNumber(record: CanonicalRecord, at: number): string {
  const written = record.pages?.[at];
  return written === undefined
    ? `There are boxes but no page for them (the ${ordinal(at)} list of boxes).`
    : `${JSON.stringify(written)} is no page number.`;
}

function ordinal(at: number): string {
  return ['first', 'second', 'third'][at] ?? `${at + 1}th`;
}

function noPages({ pdf, images }: DocumentFacts, settings: FileSettings): string {
  const [image] = images?.values() ?? [];
  if (pdf !== undefined && pdf.state !== 'ok') return absence('PDF', pdf, settings);
  if (image !== undefined && image.state !== 'ok') return absence('Page image', image, settings);
  return 'The document has no page that is known.';
}

function pictureOf(
  number: number,
  document: DocumentFacts | undefined,
  settings: FileSettings,
  options: CropOptions,
): PagePicture | { readonly problem: string } {
  if (document === undefined) return { problem: NO_PLACE };
  const { pdf } = document;
  const image = document.images?.get(number);
  const measure = measureOf(document, number, settings) ?? {};
  if (image?.state === 'ok') {
    const { path, width, height } = image;
    return {
      source: { kind: 'image', path },
      measure,
      size: { width, height },
      dpi: dpiOfImage(image, measure, settings),
    };
  }
  const index = number - settings.pageBase;
  const points = pdf?.state === 'ok' ? pdf.pages[index] : undefined;
  if (pdf?.state === 'ok' && points !== undefined) {
    const dpi = options.dpi ?? dpiOfBoxes(settings) ?? USUAL_DPI;
    const size = extentOf({ space: 'pixel', dpi, order: 'xyxy', origin: 'top-left' }, { points });
    if (size !== undefined && size.width >= 1 && size.height >= 1) {
      return { source: { kind: 'pdf', path: pdf.path, index, points, dpi }, measure, size, dpi };
    }
    return { problem: `Page ${number} of the PDF has no size.` };
  }
  const reasons = [
    ...(image === undefined ? [] : [absence('Page image', image, settings)]),
    ...(pdf === undefined
      ? []
      : [pdf.state === 'ok' ? beyond(pdf.pages.length, settings) : absence('PDF', pdf, settings)]),
  ];
  return { problem: `Page ${number}: ${reasons.join(' ') || 'no place is known for it.'}` };
}

function beyond(count: number, { pageBase }: FileSettings): string {
  return `the PDF has the pages ${pageBase} to ${count - 1 + pageBase}.`;
}

function dpiOfBoxes({ coordinates }: FileSettings): number | undefined {
  return coordinates?.space === 'pixel' ? coordinates.dpi : undefined;
}

/** By the size of its PDF page, where that is known; else what the boxes are in, since they are in its pixels. */
function dpiOfImage(image: Extent, { points }: PageMeasure, settings: FileSettings): number | null {
  const declared = dpiOfBoxes(settings);
  if (points === undefined || !(points.width > 0)) return declared ?? null;
  const measured = (image.width * 72) / points.width;
  return declared !== undefined && Math.abs(measured / declared - 1) < 0.01 ? declared : Math.round(measured);
}

/** A sentence where it cannot be cut out. */
function planRegion(
  region: CitedRegion,
  number: number,
  { measure, size }: PagePicture,
  settings: FileSettings,
  { exchanged }: CropOptions,
): PlannedRegion | string {
  const read = exchanged === true && isBox(region.box) ? { ...region, box: exchange(region.box) } : region;
  const found = placeOfRegion(read, measure, settings);
  if (found === undefined) {
    const written = JSON.stringify(region.box) ?? 'nothing';
    return isBox(region.box)
      ? `it is not known where ${written} lies: the size of the page does not tell.`
      : `${written.length > 60 ? `${written.slice(0, 59)}…` : written} is no box of four numbers.`;
  }
  const { place, box, coordinates } = found;
  const written = exchanged === true && coordinates === settings.coordinates ? exchange(box) : box;
  const cut = cutAt(place, size);
  if (typeof cut === 'string') return `the box ${JSON.stringify(written)} ${cut}`;
  return {
    region: number,
    pointer: region.pointer,
    label: typeof region.label === 'string' ? region.label : null,
    box: written,
    space: coordinates.space,
    ...cut,
  };
}

/** The pixels of a place, cut at the edges of the page; or why there are none. */
function cutAt(place: Fractions, size: Extent): Pick<PlannedRegion, 'pixels' | 'clipped'> | string {
  if (!(place.width > 0 && place.height > 0)) return 'has no area.';
  if (place.left >= 1 || place.top >= 1 || place.left + place.width <= 0 || place.top + place.height <= 0) {
    return 'lies outside of the page.';
  }
  const whole = pixelsOf(place, size);
  const pixels = {
    left: Math.max(0, whole.left),
    top: Math.max(0, whole.top),
    right: Math.min(size.width, whole.right),
    bottom: Math.min(size.height, whole.bottom),
  };
  const clipped = whole.left < 0 || whole.top < 0 || whole.right > size.width || whole.bottom > size.height;
  return { pixels: withArea(pixels, size), clipped };
}

/** What is thinner than a pixel is one pixel. */
function withArea({ left, top, right, bottom }: PixelBox, { width, height }: Extent): PixelBox {
  const [x, y] = [Math.min(left, width - 1), Math.min(top, height - 1)];
  return { left: x, top: y, right: Math.max(right, x + 1), bottom: Math.max(bottom, y + 1) };
}

function wholePage(
  document: string,
  page: number,
  { source, size, dpi }: PagePicture,
  regions: readonly PlannedRegion[],
): PlannedImage {
  const pixels = { left: 0, top: 0, right: size.width, bottom: size.height };
  return { kind: 'page', document, page, source, pageSize: size, pixels, dpi, regions };
}

function cropOf(
  document: string,
  page: number,
  { source, size, dpi }: PagePicture,
  region: PlannedRegion,
): PlannedImage {
  return { kind: 'crop', document, page, source, pageSize: size, pixels: region.pixels, dpi, regions: [region] };
}
