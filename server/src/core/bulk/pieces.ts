/**
 * Cuts a file into its records and the text between them, so that what is no record is never passed over: whoever writes the
 * records elsewhere knows what else there was.
 */
import { BOM } from '../text/chars.ts';
import { createRecordReader } from '../text/reader.ts';
import type { FileFault, FileForm, RecordSlot } from '../text/types.ts';

export interface Piece {
  /** Between the record before (or the file's start) and this one; without a byte order mark at the file's start. */
  readonly gap: string;
  readonly slot: RecordSlot;
}

export interface PieceReader {
  push(text: string): readonly Piece[];
  end(): {
    readonly pieces: readonly Piece[];
    /** Behind the last record. */
    readonly rest: string;
    readonly faults: readonly FileFault[];
  };
}

/** The text may come in pieces of any size, but not cut inside a surrogate pair. */
export function createPieceReader(form: FileForm): PieceReader {
  const reader = createRecordReader(form);
  /** Text that no record has been found in yet, and its offset. */
  let waiting: string[] = [];
  let base = 0;
  let isStarted = false;

  function cut(slots: readonly RecordSlot[]): Piece[] {
    if (slots.length === 0) return [];
    const text = waiting.length === 1 ? waiting[0]! : waiting.join('');
    let at = 0;
    const pieces = slots.map((slot) => {
      const start = slot.offset - base;
      const gap = text.slice(at, start);
      at = start + slot.text.length;
      return { gap, slot };
    });
    base += at;
    waiting = [text.slice(at)];
    return pieces;
  }

  return {
    push(text) {
      if (text === '') return [];
      waiting.push(!isStarted && text.charCodeAt(0) === BOM ? text.slice(1) : text);
      isStarted = true;
      return cut(reader.push(text));
    },
    end() {
      const { slots, faults } = reader.end();
      return { pieces: cut(slots), rest: waiting.join(''), faults };
    },
  };
}
