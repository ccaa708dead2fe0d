/** What people do to regions in the preview, as edits of the record: its lists stay in step, nothing else is touched. */
import type { EvidenceChange } from '../../../../schemas/regions.ts';
import { citedRegions, pageNumberAt } from '../evidence/cited-regions.ts';
import type { CitedRegion } from '../evidence/cited-regions.ts';
import { isBox, toFractions } from '../evidence/geometry.ts';
import type { BoxNumbers, Fractions, PageMeasure } from '../evidence/geometry.ts';
import type { CanonicalRecord } from '../record/types.ts';
import { changed, problem } from './changed.ts';
import type { Changed } from './changed.ts';
import { addRegion, duplicateRegion } from './region-add.ts';
import { moveToPage, orderRegion, removeRegion } from './region-move.ts';
import { nameOfRegion, noBoxes, noSize, numbersEdits } from './region-parts.ts';
import { labelEdits } from './region-labels.ts';
import { citePage, noSuchPage, uncitePage } from './region-pages.ts';
import { boxFor, measureAt } from './region-twins.ts';
import type { RegionContext } from './region-twins.ts';

export type RegionChange = Exclude<EvidenceChange, { kind: 'text' | 'record' }>;

/** `record` as it stands now; the pointer in the answer is that of the region afterwards. */
export function changeRegions(record: CanonicalRecord, change: RegionChange, context: RegionContext): Changed {
  const missing = change.kind === 'citePage' || change.kind === 'page' ? noSuchPage(change.page, context) : undefined;
  if (missing !== undefined) return problem(missing);
  if (change.kind === 'citePage') return citePage(record, change.page);
  if (change.kind === 'uncitePage') return uncitePage(record, change.page);
  if (change.kind === 'add') return addRegion(record, change, context);
  const region = citedRegions(record).find(({ pointer }) => pointer === change.pointer);
  if (region === undefined) return problem('The record has no such region.');
  switch (change.kind) {
    case 'place':
      return placeRegion(record, region, change.place, context);
    case 'numbers':
      return writeNumbers(record, region, change.numbers, context);
    case 'label':
      return labelRegion(record, region, change.label);
    case 'duplicate':
      return duplicateRegion(record, region, change.by, context);
    case 'remove':
      return removeRegion(record, region);
    case 'order':
      return orderRegion(record, region, change.to);
    case 'page':
      return moveToPage(record, region, change.page, context);
  }
}

function placeRegion(record: CanonicalRecord, region: CitedRegion, place: Fractions, context: RegionContext): Changed {
  const missing = noBoxes(record, context);
  if (missing !== undefined) return problem(missing);
  const page = pageNumberAt(record, region.page);
  const measure = page === undefined ? undefined : measureAt(record, page, context);
  const old = isBox(region.box) ? region.box : undefined;
  const box = measure && boxFor(record, place, measure, context, old);
  if (measure === undefined || box === undefined) return problem(noSize(page));
  const title = `${verbFor(place, old, measure, context)} ${nameOfRegion(record, region)}`;
  // The very same place: also a twin that says otherwise stays as it is.
  if (box === old) return changed([], region.pointer, title);
  return changed(numbersEdits(record, region, box, measure, context), region.pointer, title);
}

/** Sizes in fractions of the page that are nearer are the same. */
const SAME = 1e-9;

function verbFor(
  place: Fractions,
  old: BoxNumbers | undefined,
  measure: PageMeasure,
  { settings: { coordinates } }: RegionContext,
): 'Move' | 'Resize' {
  const before = old && coordinates && toFractions(old, coordinates, measure);
  if (before === undefined) return 'Resize';
  const isMoved = Math.abs(before.width - place.width) < SAME && Math.abs(before.height - place.height) < SAME;
  return isMoved ? 'Move' : 'Resize';
}

function writeNumbers(
  record: CanonicalRecord,
  region: CitedRegion,
  numbers: BoxNumbers,
  context: RegionContext,
): Changed {
  if (!isBox(numbers)) return problem('A box has four numbers.');
  const page = pageNumberAt(record, region.page);
  const measure = page === undefined ? undefined : measureAt(record, page, context);
  const title = `Change the numbers of ${nameOfRegion(record, region)}`;
  const { box } = region;
  if (isBox(box) && numbers.every((number, at) => number === box[at])) return changed([], region.pointer, title);
  const edits = numbersEdits(record, region, numbers, measure, context);
  return edits === undefined ? problem(noSize(page)) : changed(edits, region.pointer, title);
}

function labelRegion(record: CanonicalRecord, region: CitedRegion, label: string | null): Changed {
  const { profile } = record;
  if (profile.fields.labels === undefined) return problem(`Regions of ${profile.title} have no labels.`);
  const name = nameOfRegion(record, region);
  const title = label === null ? `Take the label from ${name}` : `Label ${name} as ${label}`;
  return changed(labelEdits(record, region, label), region.pointer, title);
}
