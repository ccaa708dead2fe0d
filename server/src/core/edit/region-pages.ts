/** Cited pages that come and go, with what is marked on them. */
import { positionsOf } from '../evidence/cited-regions.ts';
import { isBox } from '../evidence/geometry.ts';
import { measureOf, pageCountOf } from '../evidence/measure.ts';
import { pointerTo } from '../record/canonical.ts';
import type { CanonicalRecord } from '../record/types.ts';
import { count, keyOfField, rangeOf } from '../rules/messages.ts';
import { changed, problem, together } from './changed.ts';
import type { Changed } from './changed.ts';
import { placeFor } from './fixes.ts';
import { beginValue, insertEntries, LISTS, MARKS, removePages } from './region-lists.ts';
import type { Entry, ListField, Mark } from './region-lists.ts';
import type { RegionContext } from './region-twins.ts';
import type { Edit } from './types.ts';

/** Whether pages have a box each and not a list of boxes. */
export function isFlatRecord({ boxes = [] }: Pick<CanonicalRecord, 'boxes'>): boolean {
  return boxes.length > 0 && boxes.every(isBox);
}

/** Lists that have something at the position of a page, also where they are longer or shorter than they should be. */
export function listsAtPage(record: CanonicalRecord, at: number): readonly ListField[] {
  return LISTS.filter((field) => (record[field]?.length ?? 0) > at);
}

/** Lists in which something can come to stand there: what follows moves on in all of them. */
function listsTakingPage(record: CanonicalRecord, at: number): readonly ListField[] {
  return LISTS.filter((field) => (record[field]?.length ?? -1) >= at);
}

/** What a new page has: one region, or nothing. */
export type NewMarks = Partial<Readonly<Record<Mark, unknown>>>;

export interface NewPage {
  readonly edits: readonly Edit[] | undefined;
  /** Its position among the cited pages afterwards. */
  readonly at: number;
}

/** Cites a page: in ascending place where the cited pages ascend, else at the end. `marks`: of its one region. */
export function insertPage(record: CanonicalRecord, page: number, marks?: NewMarks, before?: number): NewPage {
  const { pages = [] } = record;
  const at = before ?? placeFor(pages, page);
  const isFlat = isFlatRecord(record);
  const written = pages.length > 0 && pages.every((one) => typeof one === 'string') ? String(page) : page;
  const lists = listsTakingPage(record, at);
  const entries: Entry[] = lists.map((field) => {
    if (field === 'pages') return [field, written];
    const mark = marks?.[field];
    return [field, isFlat ? mark : marks === undefined ? [] : mark === undefined ? undefined : [mark]];
  });
  const begun: (readonly Edit[] | undefined)[] = [];
  if (record.pages === undefined) begun.push(begin(record, 'pages', [page]));
  if (marks?.boxes !== undefined && !lists.includes('boxes')) {
    const whole = Array.from({ length: pages.length + 1 }, (_, i) => (i === at ? [marks.boxes] : []));
    begun.push(record.boxes === undefined ? begin(record, 'boxes', whole) : undefined);
  }
  return { edits: together(insertEntries(record, [at], entries, isFlat), ...begun), at };
}

function begin(record: CanonicalRecord, field: ListField, value: unknown): readonly Edit[] | undefined {
  const edit = beginValue(record, pointerTo(record, field), value);
  return edit && [edit];
}

export function citePage(record: CanonicalRecord, page: number): Changed {
  const missing = noPages(record);
  if (missing !== undefined) return problem(missing);
  if (positionsOf(record, page).length > 0) return problem(`Page ${page} is cited already.`);
  const reason = outOfStep(record);
  if (reason !== undefined) return problem(reason);
  if (isFlatRecord(record))
    return problem(`${keyOfField(record, 'boxes')} has one box per page: mark one on page ${page}.`);
  return changed(insertPage(record, page).edits, null, `Cite page ${page}`);
}

export function uncitePage(record: CanonicalRecord, page: number): Changed {
  const positions = positionsOf(record, page);
  if (positions.length === 0) return problem(`Page ${page} is not cited.`);
  const edits = removePages(record, positions, (at) => listsAtPage(record, at), isFlatRecord(record));
  return changed(edits, null, `Do not cite page ${page}`);
}

/** Why no page can be cited, as a sentence. */
export function noPages({ profile }: CanonicalRecord): string | undefined {
  return profile.fields.pages === undefined ? `Records of ${profile.title} cite no pages.` : undefined;
}

/** Why regions cannot go onto a page that is not cited yet: the lists of pages and boxes do not run parallel. */
export function outOfStep(record: CanonicalRecord): string | undefined {
  const { pages = [], boxes } = record;
  const others = boxes === undefined ? MARKS.find((field) => hasRegions(record[field])) : undefined;
  if (others !== undefined) {
    return `${keyOfField(record, others)} has regions that ${keyOfField(record, 'boxes')} does not have: that must be put right first.`;
  }
  if (boxes === undefined || boxes.length === pages.length) return undefined;
  const lists = `${keyOfField(record, 'pages')} cites ${count(pages.length, 'page')}, but ${keyOfField(record, 'boxes')} has boxes for ${boxes.length}`;
  return `${lists}: which box lies on which page must be put right first.`;
}

function hasRegions(list: readonly unknown[] | undefined): boolean {
  return list?.some((ofPage) => !Array.isArray(ofPage) || ofPage.length > 0) === true;
}

/** Why a page cannot be cited that its document does not have, as a sentence; undefined also where it is not known. */
export function noSuchPage(page: number, { document, settings }: RegionContext): string | undefined {
  const { pageBase } = settings;
  const length = document && pageCountOf(document);
  if (document === undefined || length === undefined || (page >= pageBase && page < pageBase + length))
    return undefined;
  // There may be an image of a page that the PDF does not have.
  if (measureOf(document, page, settings) !== undefined) return undefined;
  return `There is no page ${page}: the document has ${count(length, 'page')} (${rangeOf(pageBase, length)}).`;
}
