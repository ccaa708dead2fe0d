/** From offsets in a text to offsets in the bytes that it was decoded from, while both stream by. */
import { characterSize } from '../files/decode.ts';

export interface BytePlaces {
  /** The next bytes, and the text that they are. */
  push(bytes: Uint8Array, text: string): void;
  /** The byte at a UTF-16 offset; offsets are asked for in ascending order, or not far back. undefined: what it was is forgotten. */
  byteAt(offset: number): number | undefined;
  /** What lies before this offset is not asked for any more. */
  forget(offset: number): void;
}

interface Piece {
  /** UTF-16 offset and byte of its start. */
  readonly unit: number;
  readonly byte: number;
  readonly units: number;
  /** undefined: each unit is one byte. */
  readonly bytes: Uint8Array | undefined;
  /** How far it was walked through: the next question is most often about what follows. */
  walkedUnits: number;
  walkedBytes: number;
}

/** Bytes of pieces that are kept at most; a record that begins before them is too long to be found again. */
export const MOST_KEPT = 128 * 1024 * 1024;

export function createBytePlaces(): BytePlaces {
  let pieces: Piece[] = [];
  let unit = 0;
  let byte = 0;
  let kept = 0;

  return {
    push(bytes, text) {
      const isPlain = text.length === bytes.length;
      const own = isPlain ? undefined : Uint8Array.from(bytes);
      pieces.push({ unit, byte, units: text.length, bytes: own, walkedUnits: 0, walkedBytes: 0 });
      unit += text.length;
      byte += bytes.length;
      kept += own?.length ?? 0;
      while (kept > MOST_KEPT) kept -= pieces.shift()?.bytes?.length ?? 0;
    },
    byteAt(offset) {
      if (offset === unit) return byte;
      const piece = pieces.findLast((one) => one.unit <= offset);
      return piece && piece.byte + walk(piece, offset - piece.unit);
    },
    forget(offset) {
      const first = pieces.findIndex((one) => one.unit + one.units > offset);
      const gone = first < 0 ? pieces : pieces.slice(0, first);
      if (gone.length === 0) return;
      for (const { bytes } of gone) kept -= bytes?.length ?? 0;
      pieces = first < 0 ? [] : pieces.slice(first);
    },
  };
}

function walk(piece: Piece, units: number): number {
  const { bytes } = piece;
  if (bytes === undefined) return units;
  if (units < piece.walkedUnits) {
    piece.walkedUnits = 0;
    piece.walkedBytes = 0;
  }
  let { walkedUnits: at, walkedBytes: byte } = piece;
  while (at < units) {
    const size = characterSize(bytes, byte);
    byte += size;
    at += size === 4 ? 2 : 1;
  }
  piece.walkedUnits = at;
  piece.walkedBytes = byte;
  return byte;
}
