/** All pages of a document, numbered as a record would cite them. */
import type { DocumentFacts, DocumentRequest } from '../ports.ts';
import { documentRequest } from '../profile/locations.ts';
import type { FileSettings } from '../profile/types.ts';
import type { CanonicalRecord } from '../record/types.ts';

type Bases = Pick<FileSettings, 'pageBase' | 'imageBase'>;

/** More page images than a record's document has; bounds the work for one. */
const MAX_IMAGES = 1000;

/** Numbers under which a record would cite the page images that lie in the document's folder, ascending. */
export function numbersOfImages({ imageNumbers = [] }: DocumentFacts, { pageBase, imageBase }: Bases): number[] {
  return imageNumbers
    .map((number) => number - imageBase + pageBase)
    .filter((number) => number >= pageBase)
    .slice(0, MAX_IMAGES);
}

/**
 * Numbers of all pages that are there, ascending: those of the PDF, and images beyond it or without one. `document` is as it
 * was read with `numbersOfImages` for the pages.
 */
export function numbersOfPages({ pdf, images }: DocumentFacts, { pageBase }: Pick<Bases, 'pageBase'>): number[] {
  const numbers = new Set<number>();
  for (const [number, image] of images ?? []) if (image.state !== 'missing') numbers.add(number);
  const count = pdf?.state === 'ok' ? pdf.pages.length : 0;
  for (let index = 0; index < count; index++) numbers.add(index + pageBase);
  return [...numbers].sort((a, b) => a - b);
}

/** Asks for the document with all its page images and not the cited ones alone; undefined: `known` has them. */
export function allPagesRequest(
  record: CanonicalRecord,
  known: DocumentFacts,
  settings: FileSettings,
): DocumentRequest | undefined {
  const numbers = numbersOfImages(known, settings);
  const cited = record.pages ?? [];
  if (numbers.every((number) => cited.includes(number))) return undefined;
  return documentRequest({ ...record, pages: [...new Set([...cited, ...numbers])] }, settings);
}

/** Numbers between the first and the last page that have no page, ascending. */
export function gapsIn(numbers: readonly number[]): number[] {
  const gaps: number[] = [];
  for (let i = 1; i < numbers.length && gaps.length < MAX_IMAGES; i++) {
    for (let number = numbers[i - 1]! + 1; number < numbers[i]! && gaps.length < MAX_IMAGES; number++) {
      gaps.push(number);
    }
  }
  return gaps;
}

/** The label under which readers show a page, where the document has labels that tell more than the number. */
export function labelOf({ pdf }: DocumentFacts, number: number, { pageBase }: Pick<Bases, 'pageBase'>): string | null {
  const index = number - pageBase;
  const label = pdf?.state === 'ok' && index >= 0 ? pdf.labels?.[index] : undefined;
  return label === undefined || label === '' ? null : label;
}
