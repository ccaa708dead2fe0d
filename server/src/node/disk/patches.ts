/** Changes of a file as bytes, which can be taken back: what stood where, and what stands there instead. */
import type { TextEdit } from '../../core/edit/types.ts';
import { bytesOf, NotWritten, textOf } from '../files/write.ts';

export interface BytePatch {
  /** In bytes, in the file before all patches. */
  readonly at: number;
  readonly removed: Uint8Array;
  readonly added: Uint8Array;
}

/** Edits of a file's text (as `editedBytes` takes them) as patches of its bytes. */
export async function patchesOf(file: string, edits: readonly TextEdit[]): Promise<readonly BytePatch[]> {
  const patches: BytePatch[] = [];
  let next = 0;
  /** In UTF-16 units and in bytes: the start of the piece that is looked at. */
  let offset = 0;
  let bytes = 0;
  let open: { readonly at: number; removed: string } | undefined;
  const close = (): void => {
    if (open === undefined) return;
    patches.push({ at: open.at, removed: Buffer.from(open.removed), added: Buffer.from(edits[next]!.text) });
    open = undefined;
    next++;
  };
  for await (const text of textOf(file)) {
    const end = offset + text.length;
    let from = 0;
    while (next < edits.length) {
      const { span } = edits[next]!;
      if (open === undefined) {
        if (span.start >= end) break;
        const start = span.start - offset;
        bytes += Buffer.byteLength(text.slice(from, start));
        from = start;
        open = { at: bytes, removed: '' };
      }
      const stop = Math.min(span.end, end) - offset;
      const removed = text.slice(from, stop);
      open.removed += removed;
      bytes += Buffer.byteLength(removed);
      from = stop;
      if (span.end > end) break;
      close();
    }
    bytes += Buffer.byteLength(text.slice(from));
    offset = end;
  }
  for (close(); next < edits.length; close()) open = { at: bytes, removed: '' };
  return patches;
}

/** What takes patches back in the file that they made. */
export function inverseOf(patches: readonly BytePatch[]): readonly BytePatch[] {
  let shift = 0;
  return patches.map(({ at, removed, added }) => {
    const inverse = { at: at + shift, removed: added, added: removed };
    shift += added.length - removed.length;
    return inverse;
  });
}

/** The bytes of a file with patches made, in order of place. Throws NotWritten where it does not hold what they remove. */
export async function* patchedBytes(file: string, patches: readonly BytePatch[]): AsyncGenerator<Uint8Array> {
  let offset = 0;
  let next = 0;
  /** Bytes of the open patch that were found. */
  let found = 0;
  for await (const piece of bytesOf(file)) {
    const end = offset + piece.length;
    let from = 0;
    while (next < patches.length) {
      const { at, removed, added } = patches[next]!;
      if (at >= end && found === 0) break;
      if (found === 0) {
        if (at - offset > from) yield piece.subarray(from, at - offset);
        from = at - offset;
      }
      const length = Math.min(removed.length - found, piece.length - from);
      const there = piece.subarray(from, from + length);
      if (Buffer.compare(there, removed.subarray(found, found + length)) !== 0) throw changed();
      found += length;
      from += length;
      if (found < removed.length) break;
      if (added.length > 0) yield added;
      found = 0;
      next++;
    }
    if (from < piece.length) yield piece.subarray(from);
    offset = end;
  }
  for (; next < patches.length; next++) {
    const { at, removed, added } = patches[next]!;
    if (at !== offset || removed.length > 0) throw changed();
    if (added.length > 0) yield added;
  }
}

function changed(): NotWritten {
  return new NotWritten('has changed on disk since it was read; check it again');
}

/** Of a patch's numbers: its place takes 8 bytes, its lengths 4 each. */
const HEAD = 16;

export function sizeOf(patches: readonly BytePatch[]): number {
  return patches.reduce((sum, { removed, added }) => sum + HEAD + removed.length + added.length, 0);
}

export function packPatches(patches: readonly BytePatch[]): Uint8Array {
  const packed = Buffer.allocUnsafe(sizeOf(patches));
  let at = 0;
  for (const patch of patches) {
    packed.writeDoubleLE(patch.at, at);
    packed.writeUInt32LE(patch.removed.length, at + 8);
    packed.writeUInt32LE(patch.added.length, at + 12);
    packed.set(patch.removed, at + HEAD);
    packed.set(patch.added, at + HEAD + patch.removed.length);
    at += HEAD + patch.removed.length + patch.added.length;
  }
  return packed;
}

/** undefined: they were not packed by `packPatches`, or not all of them are there. */
export function unpackPatches(packed: Buffer): readonly BytePatch[] | undefined {
  const patches: BytePatch[] = [];
  let at = 0;
  while (at < packed.length) {
    if (at + HEAD > packed.length) return undefined;
    const middle = at + HEAD + packed.readUInt32LE(at + 8);
    const end = middle + packed.readUInt32LE(at + 12);
    if (end > packed.length) return undefined;
    const place = packed.readDoubleLE(at);
    patches.push({ at: place, removed: packed.subarray(at + HEAD, middle), added: packed.subarray(middle, end) });
    at = end;
  }
  return patches;
}
