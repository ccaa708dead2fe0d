/** How the offsets of a record's text and of a document that shows it go together, piece by piece. */
import type { Position } from '../finding.ts';
import { lineStarts, locate } from '../text/lines.ts';

/** Pieces in order; both texts are covered without gaps. */
export interface Segments {
  /** Where each piece starts, in the record's text and in the document; one more at the end: their lengths. */
  readonly texts: readonly number[];
  readonly documents: readonly number[];
  /** Whether the piece is the same in both. */
  readonly same: readonly boolean[];
}

export interface SegmentBuilder {
  /** The next characters are the same in both. */
  equal(this: void, length: number): void;
  /** The next characters stand for each other as a whole. */
  differ(this: void, textLength: number, documentLength: number): void;
  end(this: void): Segments;
}

export function createSegments(): SegmentBuilder {
  const texts = [0];
  const documents = [0];
  const same: boolean[] = [];
  const add = (textLength: number, documentLength: number, isSame: boolean): void => {
    texts.push((texts.at(-1) ?? 0) + textLength);
    documents.push((documents.at(-1) ?? 0) + documentLength);
    same.push(isSame);
  };
  return {
    equal(length) {
      if (length === 0) return;
      if (same.at(-1) !== true) return add(length, length, true);
      texts[texts.length - 1]! += length;
      documents[documents.length - 1]! += length;
    },
    differ: (textLength, documentLength) => add(textLength, documentLength, false),
    end: () => ({ texts, documents, same }),
  };
}

/** The offset in the document of one in the record's text; inside of what stands for each other as a whole, where that begins. */
export function toDocument({ texts, documents, same }: Segments, offset: number): number {
  const at = lastUpTo(texts, offset);
  if (at >= same.length) return documents.at(-1) ?? 0;
  return documents[at]! + (same[at] === true ? offset - texts[at]! : 0);
}

/** Whether an edit may begin or end at an offset of the record's text: it does not cut what stands for a whole. */
export function isBorder({ texts, same }: Segments, offset: number): boolean {
  const at = lastUpTo(texts, offset);
  return at >= same.length || same[at] === true || texts[at] === offset;
}

/** The offset in the record's text of one in the document. */
export function toText({ texts, documents, same }: Segments, offset: number): number {
  let at = lastUpTo(documents, offset);
  // What the document does not show stands before what it shows there; the value that ends there counts.
  while (at > 0 && documents[at - 1] === offset) at--;
  if (at >= same.length) return texts.at(-1) ?? 0;
  const [start, end] = [texts[at]!, texts[at + 1]!];
  const inside = offset - documents[at]!;
  if (inside === 0) return start;
  if (same[at] === true) return start + inside;
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
function lastUpTo(starts: readonly number[], value: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
