/** Regions that go, or change places on their page and between pages. */
import { pageNumberAt, positionsOf, regionPointer } from '../evidence/cited-regions.ts';
import type { CitedRegion } from '../evidence/cited-regions.ts';
import { extentOf, isBox, toFractions } from '../evidence/geometry.ts';
import type { BoxNumbers, Fractions } from '../evidence/geometry.ts';
import type { CanonicalRecord } from '../record/types.ts';
import { changed, problem, together } from './changed.ts';
import type { Changed } from './changed.ts';
import { firstOnPage } from './region-add.ts';
import { noLabel } from './region-labels.ts';
import { copyEntries, insertEntries, objectAt, removeEntries, writeEntry } from './region-lists.ts';
import type { Path } from './region-lists.ts';
import { insertPage, noPages, outOfStep } from './region-pages.ts';
import type { NewMarks } from './region-pages.ts';
import { entriesOf, listsOf, listsTaking, nameOfRegion, neighboursOf, numbersEdits, pathOf } from './region-parts.ts';
import { boxFor, measureAt, twinFor } from './region-twins.ts';
import type { RegionContext } from './region-twins.ts';

export function removeRegion(record: CanonicalRecord, region: CitedRegion): Changed {
  const edits = removeEntries(record, pathOf(region), listsOf(record, region), region.isFlat);
  return changed(edits, null, `Delete ${nameOfRegion(record, region)}`);
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
  // A list that ends between the two places would say of one region what it said of another.
  if (String(lists) !== String(listsOf(record, other))) return changed(undefined, null, title);
  const own = pathOf(other);
  const position = own.at(-1)! + (target > from ? 1 : 0);
  const before: Path = region.isFlat ? [position] : [region.page, position];
  const edits = together(
    copyEntries(record, pathOf(region), before, lists, region.isFlat),
    removeEntries(record, pathOf(region), lists, region.isFlat),
  );
  return changed(edits, regionPointer(record, ...own), title);
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
    const number = writeEntry(record, 'pages', [region.page], written);
    const numbers =
      moved === undefined ? [] : numbersEdits(record, region, moved.box, measureAt(record, page, context), context);
    return changed(together(number, numbers), region.pointer, title);
  }
  const removal = removeEntries(record, pathOf(region), listsOf(record, region), false);
  const marks: NewMarks = {
    boxes: moved?.box ?? region.box,
    relativeBoxes: moved?.relative ?? region.relative ?? twinOn(record, region, page, context),
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
  const lists = listsTaking(record, at, last);
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
  const box = place && boxFor(record, withinPage(place), measure, context, region.box);
  return box && { box, relative: isBox(region.relative) ? twinFor(record, box, measure, context) : undefined };
}

/** The relative twin of a box that has none; undefined: it cannot be told. */
function twinOn(
  record: CanonicalRecord,
  { box }: CitedRegion,
  page: number,
  context: RegionContext,
): BoxNumbers | undefined {
  return isBox(box) ? twinFor(record, box, measureAt(record, page, context), context) : undefined;
}

/** Moved onto the page, cut where it is larger. */
function withinPage({ left, top, width, height }: Fractions): Fractions {
  const size = { width: Math.min(width, 1), height: Math.min(height, 1) };
  const start = (wanted: number, length: number): number => Math.max(0, Math.min(wanted, 1 - length));
  return { left: start(left, size.width), top: start(top, size.height), ...size };
}
