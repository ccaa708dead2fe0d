/** How much a record cites: its regions, and which of the three types of question they make it. */
import type { CanonicalRecord } from './types.ts';

/** Single-page single-region, single-page multi-region, multi-page multi-region. */
export type EvidenceType = 'SPSR' | 'SPMR' | 'MPMR';

/** Boxes of all pages; undefined where the record has no list of them. */
export function regionsOf({ boxes, relativeBoxes }: CanonicalRecord): number | undefined {
  const list = boxes ?? relativeBoxes;
  return list?.reduce<number>((sum, ofPage) => {
    if (!Array.isArray(ofPage)) return sum;
    // A box where a page's list of boxes belongs is one region all the same.
    return sum + (ofPage.every((value) => typeof value === 'number') ? Math.min(1, ofPage.length) : ofPage.length);
  }, 0);
}

/** From the different pages that a record cites and its regions; undefined: it has none, or is none of the three. */
export function evidenceTypeOf({ pages }: CanonicalRecord, regions: number | undefined): EvidenceType | undefined {
  if (pages === undefined || regions === undefined || regions === 0) return undefined;
  const different = new Set(pages).size;
  if (different === 1) return regions === 1 ? 'SPSR' : 'SPMR';
  return different > 1 && regions > 1 ? 'MPMR' : undefined;
}
