/** Cited pages that come and go, with what is marked on them. */
import { positionsOf } from '../evidence/cited-regions.ts';
import { isBox } from '../evidence/geometry.ts';
import { pointerTo } from '../record/canonical.ts';
import type { CanonicalRecord } from '../record/types.ts';
import { count, keyOfField } from '../rules/messages.ts';
import { changed, problem, together } from './changed.ts';
import type { Changed } from './changed.ts';
import { beginValue, insertEntries, MARKS, removeEntries } from './region-lists.ts';
import type { Entry, ListField, Mark } from './region-lists.ts';
import type { Edit } from './types.ts';

/** Whether pages have a box each and not a list of boxes. */
export function isFlatRecord({ boxes = [] }: Pick<CanonicalRecord, 'boxes'>): boolean {
  return boxes.length > 0 && boxes.every(isBox);
}

/** Lists of pages that run parallel: what comes or goes in one does so in all. Others are left as they are. */
export function pageLists(record: CanonicalRecord): readonly ListField[] {
  const length = (record.pages ?? record.boxes)?.length ?? 0;
  const marks = MARKS.filter((field) => record[field]?.length === length);
  return record.pages === undefined ? marks : ['pages', ...marks];
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
  const lists = pageLists(record);
  const entries: Entry[] = lists.map((field) => {
    if (field === 'pages') return [field, written];
    const mark = marks?.[field];
    return [field, isFlat ? mark : mark === undefined ? [] : [mark]];
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

function placeFor(list: readonly unknown[], page: number): number {
  const ascends = list.every((other, at) => at === 0 || Number(list[at - 1]) < Number(other));
  const place = ascends ? list.findIndex((other) => Number(other) > page) : -1;
  return place < 0 ? list.length : place;
}

export function citePage(record: CanonicalRecord, page: number): Changed {
  const missing = noPages(record);
  if (missing !== undefined) return problem(missing);
  if (positionsOf(record, page).length > 0) return problem(`Page ${page} is cited already.`);
  if (isFlatRecord(record))
    return problem(`${keyOfField(record, 'boxes')} has one box per page: mark one on page ${page}.`);
  return changed(insertPage(record, page).edits, null, `Cite page ${page}`);
}

export function uncitePage(record: CanonicalRecord, page: number): Changed {
  const positions = positionsOf(record, page);
  if (positions.length === 0) return problem(`Page ${page} is not cited.`);
  const lists = pageLists(record);
  const edits = positions.map((at) => removeEntries(record, [at], lists, isFlatRecord(record)));
  return changed(together(...edits), null, `Do not cite page ${page}`);
}

/** Why no page can be cited, as a sentence. */
export function noPages({ profile }: CanonicalRecord): string | undefined {
  return profile.fields.pages === undefined ? `Records of ${profile.title} cite no pages.` : undefined;
}

/** Why regions cannot go onto a page that is not cited yet: the lists of pages and boxes do not run parallel. */
export function outOfStep(record: CanonicalRecord): string | undefined {
  const { pages, boxes } = record;
  if (boxes === undefined || pages === undefined || boxes.length === pages.length) return undefined;
  const lists = `${keyOfField(record, 'pages')} cites ${count(pages.length, 'page')}, but ${keyOfField(record, 'boxes')} has boxes for ${boxes.length}`;
  return `${lists}: which box lies on which page must be put right first.`;
}
