import { closeSync, openSync, readSync, statSync } from 'node:fs';
import type { TextEdit } from '../../core/edit/types.ts';
import type { IndexCache } from './index-cache.ts';
import { isMarkedSo, isSameStamp, markOf, NO_ELEMENT } from './record-index.ts';
import type { FileStamp, Places, RecordIndex } from './record-index.ts';
import { updateIndex } from './update.ts';
import type { Patch, Updated } from './update.ts';

/** A file whose records are read one by one, each time from the disk. */
export interface IndexedFile {
  readonly path: string;
  readonly index: RecordIndex;
  /**
   * The text of a record as the file has it, CRLF included. undefined: what stands there is not what was indexed, or cannot be
   * read. Reads the record's bytes and no others, at once.
   */
  textOf(record: number): string | undefined;
  /** The same of the element that a nested record lies in; null: it lies in none. */
  elementTextOf(record: number): string | null | undefined;
  /** Whether the file is still the one that was indexed, as far as size, time and number tell. */
  isCurrent(): boolean;
  /** From now on the index is another one. `keep`: it comes from no pass over the file and is not in the cache yet. */
  adopt(index: RecordIndex, keep: boolean): void;
  /**
   * The index after the product has made these patches in the file that was indexed, which is now as `stamp` says. undefined: it takes
   * a pass over the file to tell.
   */
  updated(patches: readonly Patch[], stamp: FileStamp): Updated | undefined;
  /** Edits of a record's text, CRLF counted as LF, as patches of the file. undefined: the record is not there any more as it was, or is no UTF-8. */
  patchesOf(record: number, edits: readonly TextEdit[]): readonly Patch[] | undefined;
  close(): void;
}

/** After so many ms without a question the file is closed: systems such as Windows do not replace a file that is open. */
const IDLE_MS = 1000;

export function openIndexed(path: string, first: RecordIndex, cache: IndexCache): IndexedFile {
  let index = first;
  let handle: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

  function release(): void {
    clearTimeout(timer);
    timer = undefined;
    if (handle !== undefined) closeSync(handle);
    handle = undefined;
  }

  function readBytes(start: number, length: number): Uint8Array | undefined {
    try {
      handle ??= openSync(path, 'r');
      if (timer === undefined) timer = setTimeout(release, IDLE_MS).unref();
      else timer.refresh();
      const bytes = Buffer.allocUnsafe(length);
      for (let filled = 0; filled < length;) {
        const more = readSync(handle, bytes, filled, length - filled, start + filled);
        if (more === 0) return undefined;
        filled += more;
      }
      return bytes;
    } catch {
      // The file has gone, or the disk does not answer: there is no such record to be had.
      return undefined;
    }
  }

  function read(places: Places, at: number): string | undefined {
    const bytes = readBytes(places.starts[at]!, places.lengths[at]!);
    const text = bytes && decoder.decode(bytes);
    return text !== undefined && isMarkedSo(places, at, markOf(text)) ? text : undefined;
  }

  return {
    path,
    get index() {
      return index;
    },
    textOf: (record) => read(index.places, record),
    elementTextOf(record) {
      const element = index.elementOf?.[record] ?? NO_ELEMENT;
      return element === NO_ELEMENT || index.elements === undefined ? null : read(index.elements, element);
    },
    isCurrent() {
      return isSameStamp(stampOf(path) ?? NOTHING, index.stamp);
    },
    adopt(fresh, keep) {
      index = fresh;
      release();
      if (keep) void cache.keep(path, fresh);
    },
    updated(patches, stamp) {
      release();
      return updateIndex(index, patches, stamp, readBytes);
    },
    patchesOf(record, edits) {
      const text = read(index.places, record);
      const { starts, lengths } = index.places;
      if (text === undefined || Buffer.byteLength(text) !== lengths[record]) return undefined;
      const hasReturns = text.includes('\r\n');
      const inFile = (offset: number): number => (hasReturns ? withReturns(text, offset) : offset);
      return edits.map(({ span, text: written }) => {
        const [start, end] = [inFile(span.start), inFile(span.end)];
        return {
          at: starts[record]! + Buffer.byteLength(text.slice(0, start)),
          removed: Buffer.from(text.slice(start, end)),
          added: Buffer.from(hasReturns ? written.replace(/\r?\n/g, '\r\n') : written),
        };
      });
    },
    close: release,
  };
}

/** The offset in a text with CRLF of an offset that counts it as one. */
function withReturns(text: string, offset: number): number {
  let at = 0;
  for (let left = offset; left > 0; left--) at += text.startsWith('\r\n', at) ? 2 : 1;
  return at;
}

const NOTHING: FileStamp = { size: -1, mtimeMs: 0, ino: 0 };

/** undefined: there is no such file, or it may not be looked at. */
export function stampOf(path: string): FileStamp | undefined {
  try {
    const { size, mtimeMs, ino } = statSync(path);
    return { size, mtimeMs, ino };
  } catch {
    return undefined;
  }
}
