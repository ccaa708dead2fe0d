/** Where the records of a file on disk stand, so that texts around them can be read one at a time. */
import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createPieceReader } from '../../core/bulk/pieces.ts';
import type { Piece } from '../../core/bulk/pieces.ts';
import type { FileText, RecordPlaces } from '../../core/bulk/records.ts';
import { createNesting } from '../../core/text/nested.ts';
import type { RecordSlot } from '../../core/text/types.ts';
import type { RecordLayout } from '../files/locate.ts';
import { textOf } from '../files/write.ts';
import type { FileState } from '../files/write.ts';
import type { BulkRun } from './source.ts';

export interface RecordIndex {
  /** Offsets count UTF-16 units, without a byte order mark at the file's start. */
  readonly places: RecordPlaces;
  /** Read from the disk when it is asked for. */
  readonly text: FileText;
  /** 1 where the file begins with a byte order mark, else 0. */
  readonly mark: number;
  /** As the file was read. */
  readonly state: FileState;
  close(): void;
}

const MARK_BYTES = 3;

/** `seen` hears of each record with its text. Throws NotWritten where the file is not UTF-8, and file system errors. */
export async function indexRecords(
  file: string,
  { form, records }: RecordLayout,
  seen: (slot: RecordSlot) => void,
  { stop, advanced }: BulkRun,
): Promise<RecordIndex> {
  const { size, mtimeMs, ino } = await stat(file);
  const hash = createHash('sha256');
  const reader = createPieceReader(form);
  const nesting = createNesting(records);
  /** The file's start, then start and end of each record, then the file's end: in UTF-16 units and in bytes. */
  const units: number[] = [0];
  const bytes: number[] = [0];
  /** Text behind the last place. */
  let behind = '';
  let isMarked: boolean | undefined;

  function reach(unit: number): void {
    bytes.push(bytes.at(-1)! + Buffer.byteLength(behind));
    units.push(unit);
    behind = '';
  }

  function take(pieces: readonly Piece[]): void {
    for (const { gap, slot } of pieces) {
      behind += gap;
      let at = 0;
      for (const record of nesting.expand([slot])) {
        const start = record.offset - slot.offset;
        behind += slot.text.slice(at, start);
        reach(record.offset);
        behind = record.text;
        at = start + record.text.length;
        reach(record.offset + record.text.length);
        seen(record);
      }
      behind += slot.text.slice(at);
    }
  }

  const pieces = textOf(file, (piece) => {
    hash.update(piece);
    advanced(piece.length);
  });
  for await (const text of pieces) {
    stop.throwIfAborted();
    isMarked ??= text.charCodeAt(0) === 0xfeff;
    take(reader.push(text));
  }
  const last = reader.end();
  take(last.pieces);
  behind += last.rest;
  reach(units.at(-1)! + behind.length);
  const skipped = isMarked === true ? MARK_BYTES : 0;
  return {
    places: {
      count: (units.length - 2) / 2,
      start: (index) => units[2 * index + 1]!,
      end: (index) => units[2 * index + 2]!,
    },
    ...openText(file, units, bytes, skipped),
    mark: isMarked === true ? 1 : 0,
    state: { size, mtimeMs, ino, hash: hash.digest('hex') },
  };
}

/** Reads from the last known place before what is wanted to the first one behind it. */
function openText(
  file: string,
  units: readonly number[],
  bytes: readonly number[],
  skipped: number,
): Pick<RecordIndex, 'text' | 'close'> {
  const handle = openSync(file, 'r');
  let isOpen = true;
  /** Position of the last place at or before an offset. */
  const before = (unit: number): number => {
    let low = 0;
    let high = units.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (units[middle]! <= unit) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  return {
    text: {
      length: units.at(-1)!,
      slice(start, end) {
        if (end <= start) return '';
        const from = before(start);
        let to = before(end);
        if (units[to]! < end) to++;
        const buffer = Buffer.alloc(bytes[to]! - bytes[from]!);
        readSync(handle, buffer, 0, buffer.length, skipped + bytes[from]!);
        return buffer.toString('utf8').slice(start - units[from]!, end - units[from]!);
      },
    },
    close() {
      if (isOpen) closeSync(handle);
      isOpen = false;
    },
  };
}
