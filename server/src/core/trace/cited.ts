import type { CanonicalRecord } from '../record/types.ts';

/** Indices of the context blocks that a record cites, ascending, each once; indices outside the context are left out. */
export function citedBlocks(record: CanonicalRecord): number[] {
  const blocks = record.context?.length ?? 0;
  const indices = new Set<number>();
  for (const list of [record.tableEvidence, record.textEvidence]) {
    for (const index of list ?? []) {
      if (typeof index === 'number' && Number.isInteger(index) && index >= 0 && index < blocks) indices.add(index);
    }
  }
  return [...indices].sort((a, b) => a - b);
}
