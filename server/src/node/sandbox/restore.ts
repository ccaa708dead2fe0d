/** Puts back what a run can change: the heap and the table of open files. */
import type { FileSystem, Stream } from './gate.ts';

interface HeapLayout {
  /** The heap as it is now; another array after it has grown. */
  readonly heap: () => Uint8Array;
  /** The stack grows down from above `stackPointer`, where it stands between runs, to `stackLow`. */
  readonly stackLow: number;
  readonly stackPointer: number;
  /** Where the allocator keeps the end of the memory that it has taken so far. */
  readonly breakCell: number;
}

interface HeapImage {
  /** In bytes. */
  readonly size: number;
  restore(thorough: boolean): void;
}

const STACK_BLOCK = 64 * 1024;
/** A restore is thorough at least every so many times. */
const THOROUGH_EVERY = 256;

function isZero(words: BigUint64Array): boolean {
  for (let at = 0; at < words.length; at++) if (words[at] !== 0n) return false;
  return true;
}

/**
 * Remembers the heap. A thorough restore rewrites every byte. The quick one, for runs that ended well, leaves out what
 * the allocator never took and the part of the stack that was not reached, which were zero and still are unless
 * a solution wrote where no object of its own lies.
 */
export function keepHeap(layout: HeapLayout): HeapImage {
  const image = layout.heap().slice();
  const breakOf = (memory: Uint8Array): number => new DataView(memory.buffer).getUint32(layout.breakCell, true);
  const takenAtFirst = breakOf(image);
  let sinceThorough = 0;

  const clearStack = (memory: Uint8Array): void => {
    for (let end = layout.stackPointer; end > layout.stackLow; end -= STACK_BLOCK) {
      const start = Math.max(layout.stackLow, end - STACK_BLOCK) & ~7;
      const block = new BigUint64Array(memory.buffer, start, (end - start) >> 3);
      if (isZero(block)) return;
      block.fill(0n);
    }
  };
  return {
    size: image.length,
    restore(thorough) {
      const memory = layout.heap();
      const taken = breakOf(memory);
      const plausible = taken >= takenAtFirst && taken <= memory.length;
      if (thorough || !plausible || ++sinceThorough >= THOROUGH_EVERY) {
        sinceThorough = 0;
        memory.set(image);
        memory.fill(0, image.length);
        return;
      }
      clearStack(memory);
      memory.set(image.subarray(0, layout.stackLow));
      memory.set(image.subarray(layout.stackPointer, takenAtFirst), layout.stackPointer);
      memory.fill(0, takenAtFirst, taken);
    },
  };
}

/** Remembers the open descriptors; the function returned puts them back. */
export function keepDescriptors(fs: FileSystem): () => void {
  const kept = fs.streams.map((stream) =>
    stream ? { stream, flags: stream.flags, fd: stream.fd, shared: { ...stream.shared } } : null,
  );
  return () => {
    const streams: (Stream | null)[] = fs.streams;
    for (let fd = 0; fd < streams.length; fd++) if (streams[fd]) streams[fd] = null;
    streams.length = kept.length;
    for (const entry of kept) {
      if (!entry) continue;
      streams[entry.fd] = entry.stream;
      entry.stream.fd = entry.fd;
      entry.stream.flags = entry.flags;
      Object.assign(entry.stream.shared, entry.shared);
    }
  };
}
