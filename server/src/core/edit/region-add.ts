/** Regions that come, go, and change places; every list that says something of them follows. */
import type { PlaceOnPage } from '../../../../schemas/regions.ts';
import { citedRegions, pageNumberAt, positionsOf, regionPointer, regionsOnPage } from '../evidence/cited-regions.ts';
import type { CitedRegion } from '../evidence/cited-regions.ts';
import { extentOf, isBox, toFractions } from '../evidence/geometry.ts';
import type { BoxNumbers, PageMeasure } from '../evidence/geometry.ts';
import { pointerTo } from '../record/canonical.ts';
import type { CanonicalRecord } from '../record/types.ts';
import { changed, problem, together } from './changed.ts';
import type { Changed } from './changed.ts';
import { replaceValue } from './fixes.ts';
import { noLabel } from './region-labels.ts';
import { beginValue, copyEntries, insertEntries, MARKS, objectAt, removeEntries } from './region-lists.ts';
import type { Entry, ListField, Mark, Path } from './region-lists.ts';
import { insertPage, isFlatRecord, noPages, outOfStep, pageLists } from './region-pages.ts';
import type { NewMarks } from './region-pages.ts';
import { boxFor, measureAt, twinFor } from './region-twins.ts';
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

/** Lists that say something of each region of a page, as many as it has boxes. Others are left as they are. */
export function regionLists(record: CanonicalRecord, page: number): readonly Mark[] {
  const onPage = record.boxes?.[page];
  if (!Array.isArray(onPage)) return [];
  return MARKS.filter((field) => {
    const own = record[field]?.[page];
    return Array.isArray(own) && own.length === onPage.length;
  });
}

/** Lists that go with one region, where it stands. */
export function listsOf(record: CanonicalRecord, { page, isFlat }: CitedRegion): readonly ListField[] {
  return isFlat ? pageLists(record) : regionLists(record, page);
}

export function pathOf({ page, at, isFlat }: CitedRegion): Path {
  return isFlat ? [page] : [page, at];
}

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
  if (at === undefined) {
    const reason = outOfStep(record);
    if (reason !== undefined) return problem(reason);
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
    ? insertEntries(record, [at, last], entriesOf(regionLists(record, at), marks), false)
    : firstOnPage(record, at, marks);
  return changed(edits, regionPointer(record, at, last), title);
}

export function entriesOf(lists: readonly ListField[], marks: NewMarks): readonly Entry[] {
  return lists.flatMap((field): Entry[] => (field === 'pages' ? [] : [[field, marks[field]]]));
}

/** The first region of a page for which the lists have nothing yet: the pages before it and after it get empty lists, too. */
function firstOnPage(record: CanonicalRecord, at: number, marks: NewMarks): readonly Edit[] | undefined {
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
  const edits = insertEntries(record, [at, region.at + 1], entriesOf(regionLists(record, at), marks), false, like);
  return changed(edits, regionPointer(record, at, region.at + 1), title);
}

export function removeRegion(record: CanonicalRecord, region: CitedRegion): Changed {
  const edits = removeEntries(record, pathOf(region), listsOf(record, region), region.isFlat);
  return changed(edits, null, `Delete ${nameOfRegion(record, region)}`);
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

/** `to`: 0-based position among the regions of its page afterwards. */
export function orderRegion(record: CanonicalRecord, region: CitedRegion, to: number): Changed {
  const all = neighboursOf(record, region);
  const from = all.findIndex(({ pointer }) => pointer === region.pointer);
  const target = Math.max(0, Math.min(Math.trunc(to), all.length - 1));
  const title = `Move ${nameOfRegion(record, region)} to place ${target + 1}`;
  const other = all[target];
  if (target === from || other === undefined) return changed([], region.pointer, title);
  const lists = listsOf(record, region);
  const own = pathOf(other);
  const position = own.at(-1)! + (target > from ? 1 : 0);
  const before: Path = region.isFlat ? [position] : [region.page, position];
  const edits = together(
    copyEntries(record, pathOf(region), before, lists, region.isFlat),
    removeEntries(record, pathOf(region), lists, region.isFlat),
  );
  return changed(edits, regionPointer(record, ...own), title);
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
  const own = replaceValue(pointerTo(record, 'boxes', ...path), box);
  if (region.relative === undefined) return [own];
  const twin = measure && twinFor(record, box, measure, context, region);
  return twin && [own, replaceValue(pointerTo(record, 'relativeBoxes', ...path), twin)];
}

/** To the end of another page's regions; the numbers stay, as far as they lie on that page. */
export function moveToPage(
  record: CanonicalRecord,
  region: CitedRegion,
  page: number,
  context: RegionContext,
): Changed {
  const missing = noPages(record);
  if (missing !== undefined) return problem(missing);
  const from = pageNumberAt(record, region.page);
  const title = `Move ${nameOfRegion(record, region)} to page ${page}`;
  if (from === page) return changed([], region.pointer, title);
  const moved = onOtherPage(record, region, from, page, context);
  if (region.isFlat) {
    const written = typeof record.pages?.[region.page] === 'string' ? String(page) : page;
    const number = [replaceValue(pointerTo(record, 'pages', region.page), written)];
    const numbers =
      moved === undefined ? [] : numbersEdits(record, region, moved.box, measureAt(record, page, context), context);
    return changed(together(number, numbers), region.pointer, title);
  }
  const removal = removeEntries(record, pathOf(region), listsOf(record, region), false);
  const marks: NewMarks = {
    boxes: moved?.box ?? region.box,
    relativeBoxes: moved?.relative ?? region.relative,
    labels: region.label ?? noLabel(record),
  };
  const at = positionsOf(record, page).at(-1);
  if (at === undefined) {
    const reason = outOfStep(record);
    if (reason !== undefined) return problem(reason);
    const { edits, at: position } = insertPage(record, page, marks);
    return changed(together(edits, removal), regionPointer(record, position, 0), title);
  }
  const onPage = record.boxes?.[at];
  const last = Array.isArray(onPage) ? onPage.length : 0;
  const pointer = regionPointer(record, at, last);
  if (!Array.isArray(onPage) || isBox(onPage))
    return changed(together(firstOnPage(record, at, marks), removal), pointer, title);
  const lists = regionLists(record, at);
  const isSame = moved === undefined && String(lists) === String(listsOf(record, region));
  const arrival = isSame
    ? copyEntries(record, pathOf(region), [at, last], lists, false)
    : insertEntries(record, [at, last], entriesOf(lists, marks), false, objectAt(record, pathOf(region), false));
  return changed(together(arrival, removal), pointer, title);
}

/** The numbers on a page of another size; undefined: they are the same there, or the sizes are not known. */
function onOtherPage(
  record: CanonicalRecord,
  region: CitedRegion,
  from: number | undefined,
  to: number,
  context: RegionContext,
): { readonly box: BoxNumbers; readonly relative: BoxNumbers | undefined } | undefined {
  const { coordinates } = context.settings;
  const old = from === undefined ? undefined : measureAt(record, from, context);
  const measure = measureAt(record, to, context);
  if (!isBox(region.box) || coordinates === undefined || old === undefined || measure === undefined) return undefined;
  const [before, after] = [extentOf(coordinates, old), extentOf(coordinates, measure)];
  if (before?.width === after?.width && before?.height === after?.height) return undefined;
  const place = toFractions(region.box, coordinates, measure);
  const box = place && boxFor(record, place, measure, context, region.box);
  return box && { box, relative: isBox(region.relative) ? twinFor(record, box, measure, context) : undefined };
}
