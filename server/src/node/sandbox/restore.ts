/** Puts back what a run can change: the heap and the table of open files. */
import { COVER, PAGE_BITS } from './marks.ts';
import type { FileSystem, Stream } from './gate.ts';

interface HeapLayout {
  /** The heap as it is now; another array after it has grown. */
  readonly heap: () => Uint8Array;
  /** One byte for each page of the heap, not zero where the module has written since it was last cleared. */
  readonly marks: Uint8Array;
}

interface HeapImage {
  /** In bytes. */
  readonly size: number;
  /** Notes a write that was not the module's own. */
  note(start: number, length: number): void;
  /** `thorough`: every byte, whatever is noted. */
  restore(thorough: boolean): void;
}

const PAGE = 2 ** PAGE_BITS;
/** A restore is thorough at least every so many times. Nothing is known that would need it. */
const THOROUGH_EVERY = 4096;

/**
 * Remembers the heap. The quick restore rewrites the pages that are noted as written, which the module itself cannot
 * leave out (see barrier.ts); the thorough one rewrites everything, for runs after which that was not all.
 */
export function keepHeap(layout: HeapLayout): HeapImage {
  const { marks } = layout;
  if (!marks.some((mark) => mark !== 0)) throw new Error('The interpreter does not note what it writes.');
  const image = layout.heap().slice();
  marks.fill(0);
  const words = new BigUint64Array(marks.buffer);
  let sinceThorough = 0;

  const putBack = (memory: Uint8Array, start: number, end: number): void => {
    if (start < image.length) memory.set(image.subarray(start, end), start);
    if (end > image.length) memory.fill(0, Math.max(start, image.length), end);
  };
  /** `end`: behind the last page, so that a stretch that reaches it ends there. */
  const putBackWritten = (memory: Uint8Array): void => {
    const end = memory.length / PAGE;
    for (let word = 0; word < end >> 3; word++) {
      if (words[word] === 0n) continue;
      let page = word << 3;
      while (marks[page] === 0) page++;
      const first = page;
      while (page < end && marks[page] !== 0) marks[page++] = 0;
      putBack(memory, first * PAGE, Math.min(page * PAGE + COVER, memory.length));
      // The word may have more of them, and the next ones may have been cleared already.
      word = (page >> 3) - 1;
    }
  };
  return {
    size: image.length,
    note(start, length) {
      marks.fill(1, start >> PAGE_BITS, ((start + length) >> PAGE_BITS) + 1);
    },
    restore(thorough) {
      const memory = layout.heap();
      if (!thorough && ++sinceThorough < THOROUGH_EVERY) return putBackWritten(memory);
      sinceThorough = 0;
      memory.set(image);
      memory.fill(0, image.length);
      marks.fill(0);
    },
  };
}

/** Remembers the open descriptors; the function returned puts them back. */
/**
 * Makes all files as old as each other, for good: their times are the clock at which they were loaded, and those of devices change
 * where they are read.
 */
export function freezeTimes(fs: FileSystem): void {
  for (const first of fs.nameTable) {
    for (let node = first; node; node = node.name_next) {
      for (const name of ['atime', 'mtime', 'ctime'])
        Object.defineProperty(node, name, { get: () => 0, set: () => undefined });
    }
  }
}

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
