/** Edits of records of a file that is not in memory, as patches of its bytes: found by its index, without a pass over the file. */
import { isSameStamp } from '../../node/index/record-index.ts';
import type { BytePatch } from '../../node/disk/patches.ts';
import { stateOf } from '../../node/files/write.ts';
import type { FileState } from '../../node/files/write.ts';
import type { Changes } from '../features/code-actions.ts';
import type { LargeRecords } from '../session/large-table.ts';

/** Each record is read from the disk: requests get their turn after so many ms. */
const SLICE_MS = 25;

/** `expected`: the file that the patches are for. undefined: it is not as it was indexed, or a record is not what it was, or is no UTF-8. */
export async function patchesOfRows(
  { file }: LargeRecords,
  rows: Changes['rows'],
): Promise<{ readonly patches: readonly BytePatch[]; readonly expected: FileState } | undefined> {
  if (!file.isCurrent()) return undefined;
  const { index } = file;
  let end = performance.now() + SLICE_MS;
  const patches: BytePatch[] = [];
  for (const [row, own] of [...rows].sort(([one], [other]) => one.index - other.index)) {
    if (own.length === 0) continue;
    if (performance.now() > end) {
      await new Promise((resolve) => setImmediate(resolve));
      end = performance.now() + SLICE_MS;
      if (file.index !== index) return undefined;
    }
    const made = row.gone ? undefined : file.patchesOf(row.index, own);
    if (made === undefined) return undefined;
    patches.push(...made.toSorted((one, other) => one.at - other.at));
  }
  const expected = await stateOf(file.path).catch(() => undefined);
  return expected === undefined || !isSameStamp(expected, index.stamp) ? undefined : { patches, expected };
}
