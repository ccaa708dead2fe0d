/** Related places that lie in other records than the finding. */
import type { Finding, RelatedPlace } from '../core/finding.ts';
import type { Collection } from '../core/pipeline.ts';
import { positionIn, spanOfPointer } from '../core/text/offsets.ts';
import type { RecordSlot } from '../core/text/types.ts';

/** What a rule across the file has found. */
export type Found = Parameters<Collection['place']>[0];

/** Places in records that have passed: a repeat names the first one, which comes before it. */
export interface Places {
  /** All findings come first, then the records in order. */
  want(found: Found): void;
  pass(slot: RecordSlot): void;
  of(found: Found): Finding['related'];
}

export function createPlaces(): Places {
  const wanted = new Map<number, Set<string>>();
  const places = new Map<string, Pick<Finding, 'start' | 'end'>>();

  function* elsewhere({ index, finding }: Found): Generator<RelatedPlace & { readonly recordIndex: number }> {
    for (const related of finding.related ?? []) {
      const { recordIndex } = related;
      if (recordIndex !== undefined && recordIndex !== index) yield { ...related, recordIndex };
    }
  }

  return {
    want(found) {
      for (const { recordIndex, pointer } of elsewhere(found)) {
        const pointers = wanted.get(recordIndex);
        if (pointers === undefined) wanted.set(recordIndex, new Set([pointer]));
        else pointers.add(pointer);
      }
    },
    pass(slot) {
      for (const pointer of wanted.get(slot.index) ?? []) {
        const { start, end } = spanOfPointer(slot.text, pointer) ?? { start: 0, end: 1 };
        places.set(`${slot.index} ${pointer}`, { start: positionIn(slot, start), end: positionIn(slot, end) });
      }
    },
    of: (found) =>
      [...elsewhere(found)].flatMap((related) => {
        const place = places.get(`${related.recordIndex} ${related.pointer}`);
        return place === undefined ? [] : { ...related, ...place };
      }),
  };
}
