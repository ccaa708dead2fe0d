/** Related places that lie in other records than the finding. */
import type { Finding } from '../core/finding.ts';
import type { Found, PlaceElsewhere } from '../core/pipeline.ts';
import { isLate } from '../core/rules/across.ts';
import { positionIn, spanOfPointer } from '../core/text/offsets.ts';
import type { RecordSlot } from '../core/text/types.ts';

/** Places in records that have passed: a repeat names the first one, which comes before it. */
export interface Places {
  /** All findings come first, then the records in order. */
  want(found: Found): void;
  pass(slot: RecordSlot): void;
  of(elsewhere: readonly PlaceElsewhere[]): Finding['related'];
}

export function createPlaces(): Places {
  const wanted = new Map<number, Set<string>>();
  const places = new Map<string, Pick<Finding, 'start' | 'end'>>();

  return {
    want(found) {
      for (const { recordIndex, pointer } of placesOf(found)) {
        if (recordIndex === undefined || recordIndex === found.index) continue;
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
    of: (elsewhere) =>
      elsewhere.flatMap((related) => {
        const place = places.get(`${related.recordIndex} ${related.pointer}`);
        return place === undefined ? [] : { ...related, ...place };
      }),
  };
}

function placesOf({ finding }: Found): readonly { readonly recordIndex?: number; readonly pointer: string }[] {
  return (isLate(finding) ? finding.places : finding.related) ?? [];
}
