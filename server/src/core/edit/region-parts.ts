/** What changes of regions share: which lists go with a region, what it is called, and why it cannot be written. */
import { citedRegions, pageNumberAt, regionsOnPage } from '../evidence/cited-regions.ts';
import type { CitedRegion } from '../evidence/cited-regions.ts';
import { isBox } from '../evidence/geometry.ts';
import type { BoxNumbers, PageMeasure } from '../evidence/geometry.ts';
import type { CanonicalRecord } from '../record/types.ts';
import { together } from './changed.ts';
import { MARKS, writeEntry } from './region-lists.ts';
import type { Entry, ListField, Mark, Path } from './region-lists.ts';
import { listsAtPage } from './region-pages.ts';
import type { NewMarks } from './region-pages.ts';
import { twinFor } from './region-twins.ts';
import type { RegionContext } from './region-twins.ts';
import type { Edit } from './types.ts';

/** Why no box can be written, as a sentence. */
export function noBoxes(record: CanonicalRecord, { settings }: RegionContext): string | undefined {
  const { profile } = record;
  if (profile.fields.boxes === undefined) return `Records of ${profile.title} mark no regions on pages.`;
  if (settings.coordinates !== undefined) return undefined;
  return 'It is not known in which coordinates boxes are written; `coordinates` in `auditable-qa.json` can say it.';
}

export function noSize(page: number | undefined): string {
  const which = page === undefined ? 'its page' : `page ${page}`;
  return `The size of ${which} is not known, so the numbers of a box there cannot be told.`;
}

function lengthOn(record: CanonicalRecord, field: Mark, page: number): number | undefined {
  const own = record[field]?.[page];
  return Array.isArray(own) && !isBox(own) ? own.length : undefined;
}

/** Lists in which a region can come to stand at a position of a page; shorter ones say nothing of what is there. */
export function listsTaking(record: CanonicalRecord, page: number, at: number): readonly Mark[] {
  return MARKS.filter((field) => (lengthOn(record, field, page) ?? -1) >= at);
}

/** Lists that go with one region: all that have something where it stands. */
export function listsOf(record: CanonicalRecord, { page, at, isFlat }: CitedRegion): readonly ListField[] {
  return isFlat ? listsAtPage(record, page) : MARKS.filter((field) => (lengthOn(record, field, page) ?? 0) > at);
}

export function pathOf({ page, at, isFlat }: CitedRegion): Path {
  return isFlat ? [page] : [page, at];
}

export function entriesOf(lists: readonly ListField[], marks: NewMarks): readonly Entry[] {
  return lists.flatMap((field): Entry[] => (field === 'pages' ? [] : [[field, marks[field]]]));
}

/** Regions of the page that a region is on, in their order. */
export function neighboursOf(record: CanonicalRecord, { page, isFlat }: CitedRegion): readonly CitedRegion[] {
  if (!isFlat) return regionsOnPage(record, page);
  const number = pageNumberAt(record, page);
  return citedRegions(record).filter((other) => other.isFlat && pageNumberAt(record, other.page) === number);
}

/** "region 2", counted on its page. */
export function nameOfRegion(record: CanonicalRecord, region: CitedRegion): string {
  const at = neighboursOf(record, region).findIndex(({ pointer }) => pointer === region.pointer);
  return `region ${at + 1}`;
}

/** The numbers of a region and of its relative twin. */
export function numbersEdits(
  record: CanonicalRecord,
  region: CitedRegion,
  box: BoxNumbers,
  measure: PageMeasure | undefined,
  context: RegionContext,
): readonly Edit[] | undefined {
  const path = pathOf(region);
  const own = writeEntry(record, 'boxes', path, box);
  if (region.relative === undefined) return own;
  const twin = measure && twinFor(record, box, measure, context, region);
  return twin && together(own, writeEntry(record, 'relativeBoxes', path, twin));
}
