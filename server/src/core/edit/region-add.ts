/** Regions that come; every list that says something of regions follows. */
import type { PlaceOnPage } from '../../../../schemas/regions.ts';
import { pageNumberAt, positionsOf, regionPointer } from '../evidence/cited-regions.ts';
import type { CitedRegion } from '../evidence/cited-regions.ts';
import { isBox, toFractions } from '../evidence/geometry.ts';
import { pointerTo } from '../record/canonical.ts';
import type { CanonicalRecord } from '../record/types.ts';
import { changed, problem, together } from './changed.ts';
import type { Changed } from './changed.ts';
import { noLabel } from './region-labels.ts';
import { beginValue, insertEntries, MARKS, objectAt } from './region-lists.ts';
import type { Mark } from './region-lists.ts';
import { insertPage, isFlatRecord, noPages, outOfStep } from './region-pages.ts';
import type { NewMarks } from './region-pages.ts';
import { entriesOf, listsTaking, nameOfRegion, noBoxes, noSize, pathOf } from './region-parts.ts';
import { boxFor, measureAt, twinFor } from './region-twins.ts';
import type { RegionContext } from './region-twins.ts';
import type { Edit } from './types.ts';

export function addRegion(
  record: CanonicalRecord,
  { page, place, label }: { readonly page: number; readonly place: PlaceOnPage; readonly label: string | null },
  context: RegionContext,
): Changed {
  const missing = noBoxes(record, context) ?? noPages(record);
  if (missing !== undefined) return problem(missing);
  const measure = measureAt(record, page, context);
  const box = measure && boxFor(record, place, measure, context);
  if (measure === undefined || box === undefined) return problem(noSize(page));
  const marks: NewMarks = {
    boxes: box,
    relativeBoxes: twinFor(record, box, measure, context),
    labels: label ?? noLabel(record),
  };
  const title = `Mark a region on page ${page}`;
  const at = positionsOf(record, page).at(-1);
  const reason = at === undefined || record.boxes === undefined ? outOfStep(record) : undefined;
  if (reason !== undefined) return problem(reason);
  if (at === undefined) {
    const { edits, at: position } = insertPage(record, page, marks);
    return changed(edits, regionPointer(record, position, ...(isFlatRecord(record) ? [] : [0])), title);
  }
  const onPage = record.boxes?.[at];
  if (isBox(onPage)) {
    const { edits } = insertPage(record, page, marks, at + 1);
    return changed(edits, regionPointer(record, at + 1), title);
  }
  const last = Array.isArray(onPage) ? onPage.length : 0;
  const edits = Array.isArray(onPage)
    ? insertEntries(record, [at, last], entriesOf(listsTaking(record, at, last), marks), false)
    : firstOnPage(record, at, marks);
  return changed(edits, regionPointer(record, at, last), title);
}

/** The first region of a page for which the lists have nothing yet: the pages before it and after it get empty lists, too. */
export function firstOnPage(record: CanonicalRecord, at: number, marks: NewMarks): readonly Edit[] | undefined {
  const length = record.boxes?.length ?? 0;
  const lists = MARKS.filter((field) => field === 'boxes' || record[field]?.length === length);
  return together(...lists.map((field) => firstInList(record, field, at, marks[field])));
}

function firstInList(record: CanonicalRecord, field: Mark, at: number, mark: unknown): readonly Edit[] | undefined {
  const list = record[field];
  const pages = record.pages?.length ?? 0;
  const ofPage = (i: number): readonly unknown[] => (i === at ? [mark] : []);
  if (list === undefined) {
    const whole = Array.from({ length: pages }, (_, i) => ofPage(i));
    const begun = beginValue(record, pointerTo(record, field), whole);
    return begun && [begun];
  }
  if (at < list.length) return insertEntries(record, [at, 0], [[field, mark]], false);
  const missing = Array.from({ length: pages - list.length }, (_, i) => ofPage(list.length + i));
  return together(...missing.map((value) => insertEntries(record, [list.length], [[field, value]], false)));
}

/** Once more on its page, behind itself. */
export function duplicateRegion(
  record: CanonicalRecord,
  region: CitedRegion,
  by: { readonly left: number; readonly top: number },
  context: RegionContext,
): Changed {
  const { box, page: at, isFlat } = region;
  const page = pageNumberAt(record, at);
  const { coordinates } = context.settings;
  const measure = page === undefined ? undefined : measureAt(record, page, context);
  const place = isBox(box) && coordinates && measure && toFractions(box, coordinates, measure);
  if (!place || !isBox(box) || measure === undefined || page === undefined) return problem(noSize(page));
  const moved = { ...place, left: place.left + by.left, top: place.top + by.top };
  const copy = boxFor(record, moved, measure, context, box);
  if (copy === undefined) return problem(noSize(page));
  const marks: NewMarks = {
    boxes: copy,
    relativeBoxes: twinFor(record, copy, measure, context, region),
    labels: region.label ?? noLabel(record),
  };
  const title = `Duplicate ${nameOfRegion(record, region)}`;
  const like = objectAt(record, pathOf(region), isFlat);
  if (isFlat) {
    const { edits } = insertPage(record, page, marks, at + 1);
    return changed(edits, regionPointer(record, at + 1), title);
  }
  const lists = listsTaking(record, at, region.at + 1);
  const edits = insertEntries(record, [at, region.at + 1], entriesOf(lists, marks), false, like);
  return changed(edits, regionPointer(record, at, region.at + 1), title);
}
