import { copyValue, fixByChoice, isPlainList, removeElement, removeValue, withFixes } from '../edit/fixes.ts';
import type { Edit, Fix } from '../edit/types.ts';
import { pageCountOf } from '../evidence/measure.ts';
import type { DocumentFacts } from '../ports.ts';
import type { FileSettings } from '../profile/types.ts';
import { pointerTo } from '../record/canonical.ts';
import type { CanonicalRecord } from '../record/types.ts';
import { documentMissingRule, documentUnreadableRule } from './documents.ts';
import { imageMismatchRule } from './image-mismatch.ts';
import { count, keyOfField, lastPart, placeOfElement, rangeOf, relativeTo } from './messages.ts';
import type { Report, Rule, SizeInput } from './types.ts';

const NOTE = 'demo-doc has three pages.';

function example(evidence_page: readonly number[], note = NOTE) {
  const record = {
    query: 'Which row of the table has the largest total?',
    answer: 'North',
    doc_name: 'demo-doc',
    evidence_page,
    bbox: evidence_page.map(() => [[300, 600, 2100, 1500]]),
    subimg_type: evidence_page.map(() => ['table']),
    category: 'cs',
  };
  return { profile: 'sciegqa', lines: [record], note };
}

function pdfExample(evidence_pages: string, note: string) {
  const record = {
    doc_id: 'demo-doc.pdf',
    doc_type: 'Report',
    question: 'How many parcels did North handle?',
    answer: '2550',
    evidence_pages,
    evidence_sources: "['Table']",
    answer_format: 'Int',
  };
  return { profile: 'mmlongbench-doc', lines: [record], note };
}

export const pageRules: readonly Rule[] = [
  {
    code: 'page/out-of-range',
    severity: 'error',
    needs: 'size',
    title: 'A cited page does not exist in the document',
    why: `The record cites a page before the first or after the last page of its document. The number of pages comes from the PDF, else from page images that run without a gap.

Pages are counted by their position in the file, from 1 unless \`pageBase\` says 0. Likely causes: the number printed on the page was entered (an excerpt may begin at page 288), two numbers lost the comma between them (23 for 2, 3), or the pages were counted from the other base.`,
    fires: example([1, 23]),
    quiet: example([2, 3]),
    checkSize(input, report) {
      const pages = input.record.pages;
      if (pages === undefined || pages.length === 0) return;
      const length = pageCountOf(input.document);
      const first = input.settings.pageBase;
      for (let i = 0; i < pages.length; i++) {
        const page = pages[i];
        if (typeof page !== 'number' || !Number.isInteger(page)) continue;
        // What lies before the first page needs no document to be seen.
        if (page < first || (length !== undefined && page >= first + length)) {
          reportOutside(input, i, page, length, report);
        }
      }
    },
  },
  {
    code: 'page/duplicate',
    severity: 'info',
    needs: 'record',
    title: 'A page is cited twice in one record',
    why: `The same page stands twice in the record's list of pages. People are not misled, but boxes and labels run parallel to the pages, and a reader that looks a page up by its number finds only one of the two groups.

Merge the two into one page with all its boxes. The order of pages is never reported: it carries the order of the boxes.`,
    fires: example([3, 2, 2]),
    quiet: example([3, 2]),
    checkRecord({ record }, report) {
      const pages = record.pages;
      if (pages === undefined || pages.length < 2) return;
      for (let i = 1; i < pages.length; i++) {
        const first = pages.indexOf(pages[i]);
        // A page is told once, at its second place, however often it comes.
        if (first === i || pages.indexOf(pages[i], first + 1) !== i || typeof pages[i] !== 'number') continue;
        // Pages gathered from a list of evidence: two pieces of it may well stand on one page.
        if ([record.profile.fields.pages?.at].flat().some((at) => at?.includes('/*'))) return;
        report({
          ...placeOfElement(record, 'pages', i),
          message: `${keyOfField(record, 'pages')} cites page ${String(pages[i])} more than once.`,
          found: String(pages[i]),
          related: [{ message: 'First cited here', pointer: placeOfElement(record, 'pages', first).pointer }],
          ...withFixes(mergePages(record, first, i)),
        });
      }
    },
  },
  documentMissingRule,
  documentUnreadableRule,
  {
    code: 'page/image-missing',
    severity: 'warning',
    needs: 'size',
    title: 'The image of a cited page is not there',
    why: `The document was found, but the image of a page that the record cites is not in the configured place (\`pageImage\`). Boxes in pixels refer to that image.

Perhaps only some pages were rendered, or images are numbered from 0 while pages are numbered from 1: then set \`imageBase\`. Where the dataset has no page images at all, leave \`pageImage\` out.`,
    fires: pdfExample('[2]', 'demo-doc.pdf is there, images of its pages under documents/demo-doc.pdf_2.png are not.'),
    quiet: example([2], 'demo-doc.pdf and documents/demo-doc_2.png are there.'),
    checkSize(input, report) {
      const { record, document, settings } = input;
      if (!settings.locationsConfigured || document.images === undefined || !isThere(document)) return;
      const length = pageCountOf(document);
      for (const [i, page] of (record.pages ?? []).entries()) {
        if (typeof page !== 'number' || record.pages!.indexOf(page) !== i) continue;
        const image = document.images.get(page);
        if (image?.state !== 'missing') continue;
        // A page that does not exist has no image either.
        if (length !== undefined && (page < settings.pageBase || page >= settings.pageBase + length)) continue;
        const looked = image.looked.map((path) => relativeTo(settings.base, path));
        report({
          ...placeOfElement(record, 'pages', i),
          message: `The image of page ${page} of "${document.name}" is not there: no ${looked[0] ?? 'location'}.${baseHint(document, settings)}`,
          found: String(page),
        });
      }
    },
  },
  imageMismatchRule,
];

/** One entry of a page for two: the boxes and labels of the later one go to the first. */
function mergePages(record: CanonicalRecord, first: number, later: number): Fix | undefined {
  const drop = removeElement(record, 'pages', later);
  const edits: Edit[] = drop === undefined ? [] : [drop];
  const pages = record.pages!.length;
  for (const field of ['boxes', 'relativeBoxes', 'labels', 'images'] as const) {
    const list = record[field];
    if (list === undefined) continue;
    if (!isPlainList(record, field) || !isPlainList(record, 'pages') || list.length !== pages) return undefined;
    edits.push(removeValue(pointerTo(record, field, later)));
    if (field === 'images') continue;
    const [kept, moved] = [list[first], list[later]];
    if (!Array.isArray(kept) || !Array.isArray(moved)) return undefined;
    const end = pointerTo(record, field, first, '-');
    edits.push(...moved.map((_, at) => copyValue(pointerTo(record, field, later, at), end)));
  }
  const page = String(record.pages![later]);
  const title = edits.length === 1 ? `Remove the repeated ${page}` : `Merge the two entries of page ${page}`;
  return edits.length === 0 ? undefined : fixByChoice(title, ...edits);
}

/** Whether anything of the document was found. */
function isThere({ pdf, images, imageNumbers }: DocumentFacts): boolean {
  if (pdf?.state === 'ok' || (imageNumbers !== undefined && imageNumbers.length > 0)) return true;
  for (const image of images?.values() ?? []) if (image.state === 'ok') return true;
  return false;
}

/** Images that begin at the other base than is set. */
function baseHint({ imageNumbers }: DocumentFacts, { imageBase }: FileSettings): string {
  const least = imageNumbers?.[0];
  if (least === undefined) return '';
  if (least === 0 && imageBase === 1) return ' Images are numbered from 0: set "imageBase" to 0.';
  if (least === 1 && imageBase === 0) return ' Images are numbered from 1: set "imageBase" to 1.';
  return ` There are images of ${rangeOf(least, imageNumbers!.at(-1)! - least + 1)}.`;
}

function reportOutside(
  { record, settings, document }: SizeInput,
  i: number,
  page: number,
  length: number | undefined,
  report: Report,
): void {
  const first = settings.pageBase;
  const source =
    document.pdf?.state === 'ok' ? `${lastPart(document.pdf.path)} has` : `"${document.name}" has images of`;
  const known = length === undefined ? '' : `: ${source} ${count(length, 'page')} (${rangeOf(first, length)})`;
  report({
    ...placeOfElement(record, 'pages', i),
    message: `There is no page ${page}${known}.${outsideHint(page, length ?? 0, first)}`,
    found: String(page),
    related: record.document === undefined ? [] : [{ message: 'The document', pointer: pointerTo(record, 'document') }],
  });
}

function outsideHint(page: number, length: number, first: 0 | 1): string {
  if (page === 0) return ' Pages are counted from 1 here; this one looks as if counted from 0.';
  if (page < 0) return '';
  if (first === 0 && page === length) return ' Pages are counted from 0 here; this one looks as if counted from 1.';
  const parts = splitPages(String(page), first, first + length - 1);
  if (parts === undefined) return ' Perhaps it is the number printed on the page.';
  const comma = `a comma is missing: ${parts.join(', ')}`;
  return isLikely(parts)
    ? ` Perhaps ${comma}; else it may be the number printed on the page.`
    : ` Perhaps it is the number printed on the page, or ${comma}.`;
}

/** The digits as two pages (else three) that exist: ascending ones first, of like length before others. */
function splitPages(digits: string, first: number, last: number): readonly number[] | undefined {
  const splits: number[][] = [];
  for (let i = 1; i < digits.length; i++) {
    splits.push(numbers(digits.slice(0, i), digits.slice(i)));
    for (let j = i + 1; j < digits.length; j++) {
      splits.push(numbers(digits.slice(0, i), digits.slice(i, j), digits.slice(j)));
    }
  }
  const fitting = splits.filter(
    (parts) => parts.every((part) => part >= first && part <= last) && parts.join('') === digits,
  );
  return fitting.sort((a, b) => rank(a) - rank(b))[0];
}

function numbers(...parts: readonly string[]): number[] {
  return parts.map(Number);
}

/** People list pages ascending, and neighbours are of like length: 14 and 18 rather than 28 and 9 or 3 and 17. */
function isLikely(parts: readonly number[]): boolean {
  return rank(parts) % 100 === 0;
}

function rank(parts: readonly number[]): number {
  const ascending = parts.every((part, i) => i === 0 || part > parts[i - 1]!);
  const lengths = parts.map((part) => String(part).length);
  return parts.length * 100 + (ascending ? 0 : 10) + (Math.max(...lengths) - Math.min(...lengths));
}
