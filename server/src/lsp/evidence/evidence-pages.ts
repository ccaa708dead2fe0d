import type { EvidencePage, EvidenceRegion, PageSource } from '../../../../schemas/protocol.ts';
import { labelOf } from '../../core/evidence/document-pages.ts';
import { pageNumberAt, regionsOnPage } from '../../core/evidence/cited-regions.ts';
import type { CitedRegion } from '../../core/evidence/cited-regions.ts';
import { absence, shownPath } from '../../core/evidence/absence.ts';
import { isBox } from '../../core/evidence/geometry.ts';
import type { Fractions, PageMeasure } from '../../core/evidence/geometry.ts';
import { measureOf as measureOfPage } from '../../core/evidence/measure.ts';
import { placeOfRegion } from '../../core/evidence/region-place.ts';
import { unitsOf } from '../../core/evidence/units.ts';
import type { Finding } from '../../core/finding.ts';
import type { CheckedText } from '../../core/pipeline.ts';
import type { DocumentFacts, PageImageFacts, PdfFacts } from '../../core/ports.ts';
import type { FileSettings } from '../../core/profile/types.ts';
import { pointerTo } from '../../core/record/canonical.ts';
import { isWithin } from '../../core/record/citations.ts';
import type { CanonicalRecord } from '../../core/record/types.ts';
import { spanFinder } from './located.ts';

/** The cited pages with their boxes; what could not be found is said in place of it. */
export function pagesOf(
  record: CanonicalRecord,
  checked: CheckedText,
  document: DocumentFacts | undefined,
  settings: FileSettings,
  findings: readonly Finding[],
): EvidencePage[] {
  const spanOf = spanFinder(checked.text);
  const textOf = (pointer: string): string | undefined => {
    const span = spanOf(pointer);
    return span && checked.text.slice(span.start, span.end);
  };
  const count = Math.max(record.pages?.length ?? 0, record.boxes?.length ?? 0);
  return Array.from({ length: count }, (_, at) => {
    const number = pageNumberAt(record, at);
    const measure = number === undefined ? {} : measureOf(number, document, settings);
    const label = number === undefined || document === undefined ? null : labelOf(document, number, settings);
    const units = unitsOf(record, settings, measure);
    return {
      number: number ?? 0,
      pointer: pointerTo(record, 'pages', at),
      source: number === undefined ? noNumber(record, at) : sourceOf(number, document, settings),
      aspect: aspectOf(measure),
      ...(units && { units }),
      ...(label !== null && { label }),
      regions: regionsOf(record, at, { measure, settings, findings, textOf }),
    };
  });
}

function noNumber(record: CanonicalRecord, at: number): PageSource {
  const written = record.pages?.[at];
  const what = written === undefined ? 'There are boxes' : `${JSON.stringify(written)} is no page number`;
  return {
    kind: 'missing',
    message: written === undefined ? `${what} but no page at ${pointerTo(record, 'pages', at)}.` : `${what}.`,
  };
}

/** What is known of a page's size; `number` as the record writes it. */
export function measureOf(number: number, document: DocumentFacts | undefined, settings: FileSettings): PageMeasure {
  return (document && measureOfPage(document, number, settings)) ?? {};
}

/** Width ÷ height as displayed; null where it has no size. */
export function aspectOf({ points, pixels }: PageMeasure): number | null {
  const size = points ?? pixels;
  return size === undefined || !(size.width > 0 && size.height > 0) ? null : size.width / size.height;
}

/** The PDF's page where it is there, else the page's image, else why there is neither. */
export function sourceOf(number: number, document: DocumentFacts | undefined, settings: FileSettings): PageSource {
  if (document === undefined) {
    return { kind: 'missing', message: 'It is not known where the documents are; `auditable-qa.json` can say it.' };
  }
  const { pdf } = document;
  const image = document.images?.get(number);
  const pageIndex = number - settings.pageBase;
  if (pdf?.state === 'ok' && pdf.pages[pageIndex] !== undefined) return { kind: 'pdf', path: pdf.path, pageIndex };
  if (image?.state === 'ok') return { kind: 'image', path: image.path };
  const reasons = [pdf && pdfReason(pdf, number, settings), image && imageReason(image, settings)].filter(
    (reason) => reason !== undefined,
  );
  return { kind: 'missing', message: reasons.join(' ') || `No place is known for page ${number}.` };
}

function pdfReason(pdf: PdfFacts, number: number, settings: FileSettings): string {
  if (pdf.state === 'ok') {
    const last = pdf.pages.length - 1 + settings.pageBase;
    return `Page ${number} is not in ${shownPath(pdf.path, settings)}, whose pages are ${settings.pageBase} to ${last}.`;
  }
  return absence('PDF', pdf, settings);
}

function imageReason(image: PageImageFacts, settings: FileSettings): string | undefined {
  return image.state === 'ok' ? undefined : absence('Page image', image, settings);
}

interface Shown {
  readonly measure: PageMeasure;
  readonly settings: FileSettings;
  readonly findings: readonly Finding[];
  /** A value as it is written. */
  textOf(pointer: string): string | undefined;
}

function regionsOf(
  record: CanonicalRecord,
  page: number,
  { measure, settings, findings, textOf }: Shown,
): EvidenceRegion[] {
  return regionsOnPage(record, page).map((region) => {
    const { pointer, box, label } = region;
    const place = placeOfRegion(region, measure, settings)?.place;
    const own = pointersOf(record, region);
    return {
      pointer,
      label: typeof label === 'string' ? label : null,
      ...(place ?? NOWHERE),
      text: textOf(pointer) ?? JSON.stringify(box),
      ...(isBox(box) && { numbers: box }),
      problems: findings
        .filter((finding) => own.some((one) => isWithin(finding.pointer, one)))
        .map(({ severity, code, message }) => ({ severity, code, message })),
    };
  });
}

const NOWHERE = { unplaced: true, left: 0, top: 0, width: 0, height: 0 } as const;

/** Where the record says something of a region: its box, the relative twin, its label. */
function pointersOf(record: CanonicalRecord, { page, at, isFlat, relative, label }: CitedRegion): readonly string[] {
  const path = isFlat ? [page] : [page, at];
  return [
    pointerTo(record, 'boxes', ...path),
    ...(relative === undefined ? [] : [pointerTo(record, 'relativeBoxes', ...path)]),
    ...(label === undefined ? [] : [pointerTo(record, 'labels', ...path)]),
  ];
}

/** Where the boxes of a cited page lie, by their positions; those whose place the page's size does not tell are left out. */
export function boxesOn(
  record: CanonicalRecord,
  page: number,
  document: DocumentFacts | undefined,
  settings: FileSettings,
): (Fractions & { readonly pageAt: number; readonly at: number })[] {
  const number = pageNumberAt(record, page);
  const measure = number === undefined ? {} : measureOf(number, document, settings);
  return regionsOnPage(record, page).flatMap((region) => {
    const place = placeOfRegion(region, measure, settings)?.place;
    return place === undefined ? [] : [{ ...place, pageAt: page, at: region.at }];
  });
}
