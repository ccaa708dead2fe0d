/** Edits of records of a file that is not in memory, as patches of its bytes: found by its index, without a pass over the file. */
import { isSameStamp } from '../../node/index/record-index.ts';
import type { BytePatch } from '../../node/disk/patches.ts';
import { inFile } from '../../node/files/rewrite.ts';
import { stateOf } from '../../node/files/write.ts';
import type { FileState } from '../../node/files/write.ts';
import type { Changes } from '../features/code-actions.ts';
import type { LargeRecords } from '../session/large-table.ts';

/** `expected`: the file that the patches are for. undefined: it is not as it was indexed, or a record is not what it was. */
export async function patchesOfRows(
  { file }: LargeRecords,
  rows: Changes['rows'],
): Promise<{ readonly patches: readonly BytePatch[]; readonly expected: FileState } | undefined> {
  if (!file.isCurrent()) return undefined;
  const { places, stamp } = file.index;
  const patches: BytePatch[] = [];
  for (const [row, own] of [...rows].sort(([one], [other]) => one.index - other.index)) {
    if (own.length === 0) continue;
    const text = row.gone ? undefined : file.textOf(row.index);
    const start = places.starts[row.index];
    if (text === undefined || start === undefined) return undefined;
    let offset = 0;
    let at = start;
    for (const { span, text: written } of [...inFile({ text }, own)].sort((a, b) => a.span.start - b.span.start)) {
      at += Buffer.byteLength(text.slice(offset, span.start));
      const removed = Buffer.from(text.slice(span.start, span.end));
      patches.push({ at, removed, added: Buffer.from(written) });
      at += removed.length;
      offset = span.end;
    }
  }
  const expected = await stateOf(file.path).catch(() => undefined);
  return expected === undefined || !isSameStamp(expected, stamp) ? undefined : { patches, expected };
}
