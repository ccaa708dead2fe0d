/** Labels of regions, and what stands for none. */
import type { CitedRegion } from '../evidence/cited-regions.ts';
import { pointerTo } from '../record/canonical.ts';
import type { CanonicalRecord } from '../record/types.ts';
import { beginValue, writeEntry } from './region-lists.ts';
import type { Edit } from './types.ts';

/** In the place of a label that nobody has given: the dataset's own word for it where it has one. */
export function noLabel({ profile }: CanonicalRecord): string {
  return profile.enums.labels?.includes(UNKNOWN) === true ? UNKNOWN : '';
}

const UNKNOWN = 'unknown';

/** Labels one region; where the record has no labels, all others get the one for none. undefined: the record cannot say it. */
export function labelEdits(
  record: CanonicalRecord,
  region: CitedRegion,
  label: string | null,
): readonly Edit[] | undefined {
  const { labels, boxes } = record;
  const { page, at, isFlat } = region;
  const written = label ?? noLabel(record);
  const path = isFlat ? [page] : [page, at];
  const pointer = pointerTo(record, 'labels', ...path);
  if (labels === undefined) {
    if (label === null) return [];
    const filled = boxes?.map((onPage, i) => {
      const own = (j: number): string => (i === page && j === at ? label : noLabel(record));
      return isFlat || !Array.isArray(onPage) ? own(0) : onPage.map((_, j) => own(j));
    });
    const begun = beginValue(record, pointerTo(record, 'labels'), filled);
    return begun && [begun];
  }
  if (region.label !== undefined) return region.label === written ? [] : writeEntry(record, 'labels', path, written);
  // Of a list that ends before, or of an object without one.
  const onPage = isFlat ? labels : labels[page];
  if (Array.isArray(onPage) && onPage.length >= (path.at(-1) ?? 0)) {
    const begun = beginValue(record, pointer, written);
    return [begun ?? { kind: 'insert', pointer, value: written }];
  }
  return undefined;
}
