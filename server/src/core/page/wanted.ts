import type { CitedPage, DocumentFacts } from '../ports.ts';
import type { FileSettings } from '../profile/types.ts';
import type { CanonicalRecord } from '../record/types.ts';

/** More pages than any record has regions on; bounds the work for one. */
const MAX_PAGES = 50;

/**
 * The cited pages whose content can tell something: those with boxes, and all of them where the record has an answer in
 * text and no solution. Pages that are not in the document are left out.
 */
export function pagesWanted(
  record: CanonicalRecord,
  settings: Pick<FileSettings, 'pageBase'>,
  document: DocumentFacts,
): readonly CitedPage[] {
  const { pages, boxes, relativeBoxes } = record;
  if (pages === undefined) return [];
  const hasText = document.pdf?.state === 'ok';
  const answers = record.solution === undefined && typeof record.answer === 'string' && hasText;
  const wanted = new Map<number, CitedPage>();
  for (let i = 0; i < pages.length && wanted.size < MAX_PAGES; i++) {
    const number = pages[i];
    if (typeof number !== 'number' || !Number.isInteger(number) || wanted.has(number)) continue;
    if (!answers && !isFilled(boxes?.[i]) && !isFilled(relativeBoxes?.[i])) continue;
    const index = number - settings.pageBase;
    const inPdf = document.pdf?.state === 'ok' && index >= 0 && index < document.pdf.pages.length;
    if (inPdf || document.images?.get(number)?.state === 'ok') wanted.set(number, { number, index });
  }
  return [...wanted.values()];
}

function isFilled(boxes: unknown): boolean {
  return Array.isArray(boxes) && boxes.length > 0;
}
