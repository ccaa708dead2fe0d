/** How the offsets of a record's text and of a document that shows it go together, piece by piece. */
import type { Position } from '../finding.ts';
import { lineStarts, locate } from '../text/lines.ts';

/** Pieces in order; both texts are covered without gaps. */
export interface Segments {
  /** Where each piece starts, in the record's text and in the document; one more at the end: their lengths. */
  readonly texts: Int32Array;
  readonly documents: Int32Array;
  /** 1 where the piece is the same in both, else 0. */
  readonly same: Uint8Array;
}

export interface SegmentBuilder {
  /** The next characters are the same in both. */
  equal(this: void, length: number): void;
  /** The next characters stand for each other as a whole. */
  differ(this: void, textLength: number, documentLength: number): void;
  end(this: void): Segments;
}

export function createSegments(): SegmentBuilder {
  let texts = new Int32Array(64);
  let documents = new Int32Array(64);
  let same = new Uint8Array(64);
  let size = 0;
  let text = 0;
  let document = 0;
  const grow = (): void => {
    const room = size * 2;
    texts = grown(texts, new Int32Array(room));
    documents = grown(documents, new Int32Array(room));
    same = grown(same, new Uint8Array(room));
  };
  const add = (textLength: number, documentLength: number, isSame: number): void => {
    if (size + 1 >= same.length) grow();
    texts[size] = text;
    documents[size] = document;
    same[size++] = isSame;
    text += textLength;
    document += documentLength;
  };
  return {
    equal(length) {
      if (length === 0) return;
      if (size === 0 || same[size - 1] === 0) return add(length, length, 1);
      text += length;
      document += length;
    },
    differ: (textLength, documentLength) => add(textLength, documentLength, 0),
    end() {
      texts[size] = text;
      documents[size] = document;
      return { texts: texts.slice(0, size + 1), documents: documents.slice(0, size + 1), same: same.slice(0, size) };
    },
  };
}

function grown<T extends Int32Array | Uint8Array>(old: T, larger: T): T {
  larger.set(old);
  return larger;
}

/** The offset in the document of one in the record's text; inside of what stands for each other as a whole, where that begins. */
export function toDocument({ texts, documents, same }: Segments, offset: number): number {
  const at = lastUpTo(texts, offset);
  if (at >= same.length) return documents[at]!;
  return documents[at]! + (same[at] === 1 ? offset - texts[at]! : 0);
}

/** Whether an edit may begin or end at an offset of the record's text: it does not cut what stands for a whole. */
export function isBorder({ texts, same }: Segments, offset: number): boolean {
  const at = lastUpTo(texts, offset);
  return at >= same.length || same[at] === 1 || texts[at] === offset;
}

/** The offset in the record's text of one in the document. */
export function toText({ texts, documents, same }: Segments, offset: number): number {
  let at = lastUpTo(documents, offset);
  // What the document does not show stands before what it shows there; the value that ends there counts.
  while (at > 0 && documents[at - 1] === offset) at--;
  if (at >= same.length) return texts[at]!;
  const [start, end] = [texts[at]!, texts[at + 1]!];
  const inside = offset - documents[at]!;
  if (inside === 0) return start;
  if (same[at] === 1) return start + inside;
  // Quotation marks belong to their value, the blanks that begin a line to the line.
  return end - start === 1 ? start : end;
}

export interface DocumentLines {
  position(this: void, offset: number): Position;
  /** undefined: the document has no such line. A column past the line's end is its end. */
  offset(this: void, position: Position): number | undefined;
}

export function linesOf(text: string): DocumentLines {
  let starts: readonly number[] | undefined;
  const known = (): readonly number[] => (starts ??= lineStarts(text));
  return {
    position: (offset) => locate(known(), offset),
    offset({ line, column }) {
      const start = known()[line];
      if (start === undefined || column < 0) return undefined;
      const next = known()[line + 1];
      return Math.min(start + column, next === undefined ? text.length : next - 1);
    },
  };
}

/** The last of the ascending starts that is no more than a value; 0 where all are more. */
function lastUpTo(starts: Int32Array, value: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
