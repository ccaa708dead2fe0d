import type { DocumentFacts } from '../ports.ts';
import type { FileSettings } from '../profile/types.ts';
import type { PageMeasure } from './geometry.ts';

/** Size of a cited page, by its number as the record writes it; undefined where neither PDF nor image tells it. */
export function measureOf(
  document: DocumentFacts,
  page: unknown,
  settings: Pick<FileSettings, 'pageBase'>,
): PageMeasure | undefined {
  if (typeof page !== 'number') return undefined;
  const { pdf, images } = document;
  const points = pdf?.state === 'ok' ? pdf.pages[page - settings.pageBase] : undefined;
  const image = images?.get(page);
  const pixels = image?.state === 'ok' ? image : undefined;
  if (points === undefined && pixels === undefined) return undefined;
  return { ...(points && { points }), ...(pixels && { pixels }) };
}

/**
 * Number of pages of a document: of its PDF, else of its page images where these run without a gap from 0 or 1. A lone
 * image says nothing of the rest. undefined: not known.
 */
export function pageCountOf({ pdf, imageNumbers }: DocumentFacts): number | undefined {
  if (pdf?.state === 'ok') return pdf.pages.length > 0 ? pdf.pages.length : undefined;
  if (imageNumbers === undefined || imageNumbers.length < 2) return undefined;
  const first = imageNumbers[0]!;
  const isComplete = first <= 1 && imageNumbers.at(-1)! - first + 1 === imageNumbers.length;
  return isComplete ? imageNumbers.length : undefined;
}
