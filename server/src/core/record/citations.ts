/** Which blocks of its context a record cites, and where it says so. */
import { pointerTo } from './canonical.ts';
import { compileProfile, elementPointers } from './fields.ts';
import type { CanonicalRecord } from './types.ts';

export interface Citation {
  /** Where the index is written; several share one place where a word or a list in a string cites them. */
  readonly pointer: string;
  /** 0-based index into the context. */
  readonly block: number;
}

/** In the order of the record; indices outside of the context are left out. `record` with its context (`withContext`). */
export function citationsOf(record: CanonicalRecord): readonly Citation[] {
  const blocks = record.context?.length ?? 0;
  return (['tableEvidence', 'textEvidence'] as const).flatMap((field) =>
    (record[field] ?? []).flatMap((block, at): Citation[] => {
      const isBlock = typeof block === 'number' && Number.isInteger(block) && block >= 0 && block < blocks;
      return isBlock ? [{ pointer: pointerTo(record, field, at), block }] : [];
    }),
  );
}

/** Whether a place (JSON pointer) is that of a value or lies inside it. */
export function isWithin(pointer: string, value: string): boolean {
  return value !== '' && (pointer === value || pointer.startsWith(`${value}/`));
}

const known = new WeakMap<CanonicalRecord, ReadonlyMap<string, number>>();

/** The block of the context that a pointer leads to or into; undefined: it leads to none. */
export function blockAt(record: CanonicalRecord, pointer: string): number | undefined {
  let blocks = known.get(record);
  if (blocks === undefined) {
    const pointers = blockPointers(record);
    blocks = new Map(pointers.map((at, block) => [at, block]));
    known.set(record, blocks);
  }
  for (let at = pointer; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
    const block = blocks.get(at);
    if (block !== undefined) return block;
  }
  return undefined;
}

/** Where each block of the context stands, in order. */
function blockPointers({ profile, source, context }: CanonicalRecord): readonly string[] {
  return context === undefined ? [] : elementPointers(compileProfile(profile), source, 'context', context.length);
}
