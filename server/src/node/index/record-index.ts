/**
 * Where the records of a file lie in its bytes: some forty bytes for each, so that a file of any size can be asked for its
 * records one by one. What the records say is not in it.
 */
import { hash } from 'node:crypto';
import type { FileFault, FileForm } from '../../core/text/types.ts';

/** What a file was when it was indexed. */
export interface FileStamp {
  readonly size: number;
  readonly mtimeMs: number;
  readonly ino: number;
}

/** Places of records, or of the elements that hold them, in the order of the file; all lists are equally long. */
export interface Places {
  readonly count: number;
  /** Byte offset in the file, a byte order mark at its start counted. */
  readonly starts: Float64Array;
  /** In bytes. */
  readonly lengths: Uint32Array;
  /** UTF-16 offset in the file's text, a byte order mark at its start not counted. */
  readonly offsets: Float64Array;
  /** 0-based line and UTF-16 column. */
  readonly lines: Uint32Array;
  readonly columns: Uint32Array;
  /** Of the text (`markOf`), two numbers for each. */
  readonly marks: Uint32Array;
}

export interface RecordIndex {
  readonly form: FileForm;
  /** Where records lie in the elements (`Profile.records`); undefined: the elements are the records. */
  readonly records: string | undefined;
  readonly stamp: FileStamp;
  readonly places: Places;
  /** Of nested records: the elements that have records, and of each record which of them it lies in. */
  readonly elements: Places | undefined;
  readonly elementOf: Uint32Array | undefined;
  /** Faults of bytes and text that belong to no record, in order of place. */
  readonly faults: readonly FileFault[];
}

/** In `RecordIndex.elementOf`: the record is an element itself. */
export const NO_ELEMENT = 0xffffffff;

/** A quarter of a SHA-256: a text that has it is the one that was indexed. */
export interface Mark {
  readonly high: number;
  readonly low: number;
}

/** CRLF counts as LF: editors show it so, and a text that came from one is to be found again. */
export function markOf(text: string): Mark {
  const digest = hash('sha256', withPlainLines(text), 'buffer');
  return { high: digest.readUInt32LE(0), low: digest.readUInt32LE(4) };
}

export function withPlainLines(text: string): string {
  return text.includes('\r\n') ? text.replaceAll('\r\n', '\n') : text;
}

export function markAt({ marks }: Places, at: number): Mark {
  return { high: marks[2 * at]!, low: marks[2 * at + 1]! };
}

export function isMarkedSo({ marks }: Places, at: number, { high, low }: Mark): boolean {
  return marks[2 * at] === high && marks[2 * at + 1] === low;
}

export interface Place {
  readonly start: number;
  readonly length: number;
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

export interface PlacesBuilder {
  readonly count: number;
  add(place: Place, mark: Mark): void;
  end(): Places;
}

const FIRST_ROOM = 1024;

export function createPlacesBuilder(): PlacesBuilder {
  let room = FIRST_ROOM;
  let count = 0;
  let lists = emptyPlaces(room);

  return {
    get count() {
      return count;
    },
    add({ start, length, offset, line, column }, { high, low }) {
      if (count === room) lists = copyPlaces(lists, 0, count, emptyPlaces((room *= 2)), 0);
      lists.starts[count] = start;
      lists.lengths[count] = length;
      lists.offsets[count] = offset;
      lists.lines[count] = line;
      lists.columns[count] = column;
      lists.marks[2 * count] = high;
      lists.marks[2 * count + 1] = low;
      count++;
    },
    end: () => copyPlaces(lists, 0, count, emptyPlaces(count), 0),
  };
}

export function emptyPlaces(count: number): Places {
  return {
    count,
    starts: new Float64Array(count),
    lengths: new Uint32Array(count),
    offsets: new Float64Array(count),
    lines: new Uint32Array(count),
    columns: new Uint32Array(count),
    marks: new Uint32Array(2 * count),
  };
}

/** Copies the places from `start` to before `end` to `at` of others, which it gives back. */
export function copyPlaces(from: Places, start: number, end: number, to: Places, at: number): Places {
  to.starts.set(from.starts.subarray(start, end), at);
  to.lengths.set(from.lengths.subarray(start, end), at);
  to.offsets.set(from.offsets.subarray(start, end), at);
  to.lines.set(from.lines.subarray(start, end), at);
  to.columns.set(from.columns.subarray(start, end), at);
  to.marks.set(from.marks.subarray(2 * start, 2 * end), 2 * at);
  return to;
}

/** Their memory, to be handed to another thread. */
export function buffersOf({ places, elements, elementOf }: RecordIndex): ArrayBuffer[] {
  const lists = [places, ...(elements === undefined ? [] : [elements])].flatMap((one) => [
    one.starts,
    one.lengths,
    one.offsets,
    one.lines,
    one.columns,
    one.marks,
  ]);
  return [...lists, ...(elementOf === undefined ? [] : [elementOf])].map(({ buffer }) => buffer as ArrayBuffer);
}

export function isSameStamp(one: FileStamp, other: FileStamp): boolean {
  return one.size === other.size && one.mtimeMs === other.mtimeMs && one.ino === other.ino;
}
