import type { Span } from '../finding.ts';
import type { PagePlace } from '../ports.ts';
import type { Program } from './program.ts';
import type { StatedScale } from './scale.ts';

/** Where a number stands in the evidence. */
export interface NumberPlace {
  /** Pointer of the block or page field, e.g. `/paragraphs/3`. */
  readonly pointer: string;
  /** As in messages: `paragraphs[3]`, with row and column for tables: `paragraphs[3] row "Widget revenue", column "2032"`. */
  readonly name: string;
  /** 0-based row and column among the block's table rows; tables only. */
  readonly cell?: { readonly row: number; readonly column: number };
  /** Offsets of the number in the decoded text of the block. */
  readonly inString: Span;
  readonly cited: boolean;
  /** Index of the block in the context. */
  readonly block: number;
  /** What row and column are called, in tables. */
  readonly row?: string;
  readonly column?: string;
  /** Accounting brackets or a minus stand around it. */
  readonly isNegative: boolean;
  readonly isPercent: boolean;
  /** The scale that its surroundings state: the word behind it, its column's heading, the table's caption. */
  readonly scale?: StatedScale;
}

/** How a literal of a solution, or a number of an answer, relates to the evidence. */
export type TraceVerdict =
  'cited' | 'context' | 'scaled' | 'negated' | 'digits-exchanged' | 'derived' | 'constant' | 'question' | 'nowhere';

export interface TracedNumber {
  readonly value: number;
  /** As it is spelled. */
  readonly text: string;
  /** Pointer of the solution or the answer, and the number's offsets in its decoded text. */
  readonly pointer: string;
  readonly inString: Span;
  /** The variable it is assigned to, where it is one of a solution. */
  readonly name?: string;
  readonly verdict: TraceVerdict;
  /** 10^power by which it was scaled (`scaled`); 0 where it was rounded only. */
  readonly power?: number;
  /** Its places have more digits (`scaled`). */
  readonly isRounded?: true;
  /** Best first; near misses for `digits-exchanged`. */
  readonly places: readonly NumberPlace[];
}

/** All numbers of a record's solution (or answer), in order. There is none where the context is blank. */
export interface Trace {
  readonly numbers: readonly TracedNumber[];
  /** What the solution computes; its literals are `numbers`, in the same order. Absent for answers. */
  readonly program?: Program;
  /** Indices of the blocks that the record cites, ascending, each once. */
  readonly cited: readonly number[];
}

/** Where a number stands on a cited page: fractions of the page as displayed. */
export interface PlaceOnPage extends PagePlace {
  /** The page as the record writes it, and its position among the pages that the record cites. */
  readonly page: number;
  readonly pageAt: number;
  /** Position among the page's boxes; absent outside of them. */
  readonly box?: number;
  /** As people call it: `page 12, inside box 2`. */
  readonly name: string;
  /** Inside a box, or anywhere on a page without boxes. */
  readonly cited: boolean;
  readonly isNegative: boolean;
  /** What stands beside it, cells parted by bars, and the number's offsets in that. */
  readonly row: string;
  readonly inRow: Span;
}

export interface PageTracedNumber extends Omit<TracedNumber, 'places'> {
  readonly places: readonly PlaceOnPage[];
}

/** A number with its places in the context and on pages. */
export interface LocatedNumber extends TracedNumber {
  readonly onPages: readonly PlaceOnPage[];
}

/** Words of an answer with the places at which they stand, in any case, cells and lines parted or not. */
export interface LocatedPhrase {
  readonly text: string;
  /** Pointer of the answer, or of one of its elements, and offsets in its text. */
  readonly pointer: string;
  readonly inString: Span;
  readonly places: readonly NumberPlace[];
  readonly onPages: readonly PlaceOnPage[];
}
