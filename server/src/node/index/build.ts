/** Makes the index of a file in one pass over its bytes. Runs on a thread of its own: see `index-worker.ts`. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { createNesting } from '../../core/text/nested.ts';
import { createRecordReader } from '../../core/text/reader.ts';
import type { RecordReader } from '../../core/text/reader.ts';
import { BOM } from '../../core/text/chars.ts';
import type { FileFault, FileForm, RecordSlot } from '../../core/text/types.ts';
import { createByteDecoder } from '../files/decode.ts';
import { createBytePlaces, MOST_KEPT } from './byte-places.ts';
import { createPlacesBuilder, markOf, NO_ELEMENT } from './record-index.ts';
import type { FileStamp, RecordIndex } from './record-index.ts';

export interface IndexRequest {
  readonly file: string;
  readonly form: FileForm;
  /** Where records lie in the elements of the file (`Profile.records`); undefined: the elements are the records. */
  readonly records: string | undefined;
}

/** A file cannot be indexed; the message stands after its name. */
export class NotIndexed extends Error {}

const CHUNK_BYTES = 64 * 1024;

/** Throws NotIndexed, or an error of the file system. `told` hears how many bytes were read so far. */
export function buildIndex({ file, form, records }: IndexRequest, told: (bytes: number) => void): RecordIndex {
  const handle = openSync(file, 'r');
  try {
    const stamp = stampOf(handle);
    const builder = createIndexBuilder(form, records);
    const buffer = new Uint8Array(CHUNK_BYTES);
    let bytes = 0;
    for (let held = 0; ;) {
      const read = readSync(handle, buffer, held, CHUNK_BYTES - held, null);
      bytes += read;
      const filled = held + read;
      const end = read === 0 ? filled : wholeCharacters(buffer, filled);
      builder.push(buffer.subarray(0, end));
      buffer.copyWithin(0, end, filled);
      held = filled - end;
      if (read === 0) break;
      told(bytes);
    }
    const index = builder.end(stamp);
    if (bytes !== stamp.size || stampOf(handle).mtimeMs !== stamp.mtimeMs) {
      throw new NotIndexed('changed while it was read');
    }
    return index;
  } finally {
    closeSync(handle);
  }
}

function stampOf(handle: number): FileStamp {
  const { size, mtimeMs, ino } = fstatSync(handle);
  return { size, mtimeMs, ino };
}

/**
 * Up to where bytes can be decoded on their own: behind the last ASCII character; without one, before the last one that begins. Bytes
 * that are no UTF-8 may look like beginnings, one beside the other: the decoder would keep one back.
 */
function wholeCharacters(bytes: Uint8Array, end: number): number {
  for (let at = end; at > 0; at--) if (bytes[at - 1]! < 0x80) return at;
  for (let at = end; at > 1; at--) if (bytes[at - 1]! >= 0xc0) return at - 1;
  return end;
}

interface IndexBuilder {
  push(bytes: Uint8Array): void;
  end(stamp: FileStamp): RecordIndex;
}

function createIndexBuilder(form: FileForm, records: string | undefined): IndexBuilder {
  const decoder = createByteDecoder();
  const bytePlaces = createBytePlaces();
  const nesting = createNesting(records);
  const places = createPlacesBuilder();
  const elements = createPlacesBuilder();
  const elementOf: number[] = [];
  const reader = createRecordReader(form);
  /** Bytes that were not decoded yet: the first ones, by which the encoding is told. */
  let waiting: Uint8Array[] = [];
  /** 1: the text begins with a byte order mark, which offsets do not count. */
  let mark: number | undefined;

  function text(piece: string): void {
    if (piece === '') return;
    mark ??= piece.charCodeAt(0) === BOM ? 1 : 0;
    bytePlaces.push(waiting.length === 1 ? waiting[0]! : Buffer.concat(waiting), piece);
    waiting = [];
    take(reader.push(piece));
  }

  function take(slots: readonly RecordSlot[]): void {
    for (const element of slots) {
      const before = elements.count;
      for (const slot of records === undefined ? [element] : nesting.expand([element])) {
        places.add(placeOf(slot), markOf(slot.text));
        if (records === undefined) continue;
        // A record that is an element itself: one that cannot be read, or has no list.
        if (slot.outer !== undefined && elements.count === before) elements.add(placeOf(element), markOf(element.text));
        elementOf.push(slot.outer === undefined ? NO_ELEMENT : elements.count - 1);
      }
      bytePlaces.forget(element.offset + element.text.length + (mark ?? 0));
    }
  }

  function placeOf({ offset, line, column, text: { length } }: RecordSlot) {
    const start = bytePlaces.byteAt(offset + (mark ?? 0));
    const end = bytePlaces.byteAt(offset + length + (mark ?? 0));
    if (start === undefined || end === undefined) {
      throw new NotIndexed(`holds a record of more than ${MOST_KEPT >> 20} MB, in line ${line + 1}`);
    }
    return { start, length: end - start, offset, line, column };
  }

  function finish(readable: boolean, fault: FileFault | undefined): readonly FileFault[] {
    const last: ReturnType<RecordReader['end']> = reader.end();
    take(last.slots);
    // Bytes that are no text have no further faults as a text.
    return [...(fault === undefined ? [] : [fault]), ...(readable ? [...last.faults, ...nesting.faults] : [])];
  }

  return {
    push(bytes) {
      waiting.push(Uint8Array.from(bytes));
      text(decoder.push(bytes));
    },
    end(stamp) {
      const { text: rest, readable, fault } = decoder.end();
      text(rest);
      const faults = finish(readable, fault);
      return {
        form,
        records,
        stamp,
        places: places.end(),
        elements: records === undefined ? undefined : elements.end(),
        elementOf: records === undefined ? undefined : Uint32Array.from(elementOf),
        faults,
      };
    },
  };
}
