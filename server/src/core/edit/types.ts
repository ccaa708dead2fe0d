import type { Conversion } from '../evidence/conversion.ts';
import type { Span } from '../finding.ts';

/**
 * One change to a record, said by JSON pointer; the edit engine (`edits.ts`) turns it into replacements of text that leave every
 * other byte as it is. Values are written in the spelling of their surroundings.
 */
export type Edit =
  /** Another value in the place of the one at `pointer`. Numbers whose spelling matters are given as `lexeme`. */
  | { readonly kind: 'replace'; readonly pointer: string; readonly value: unknown }
  | { readonly kind: 'lexeme'; readonly pointer: string; readonly lexeme: string }
  /** A member or element, with the comma that goes with it. */
  | { readonly kind: 'remove'; readonly pointer: string }
  /** A new member at the end of the object, or a new element before index (the length, or `-`: at the end). `pointer` names it. */
  | { readonly kind: 'insert'; readonly pointer: string; readonly value: unknown }
  | { readonly kind: 'renameKey'; readonly pointer: string; readonly key: string }
  /** The value at `from` once more, byte for byte, at a place as for `insert`. */
  | { readonly kind: 'copy'; readonly from: string; readonly pointer: string }
  /** Part of a string: offsets in its decoded value. */
  | { readonly kind: 'string'; readonly pointer: string; readonly inString: Span; readonly text: string }
  /** Offsets in the record's own text, for lexical faults. */
  | { readonly kind: 'text'; readonly span: Span; readonly text: string };

/** A replacement in the record's text. Offsets in UTF-16 units; those of one fix do not overlap. */
export interface TextEdit {
  readonly span: Span;
  readonly text: string;
}

/**
 * A repair of what belongs to no record: said as an operation, since offsets in a file are known only to who streams it.
 * Lines are 0-based and end at LF or CRLF.
 */
export type FileRepair =
  /** `column` counts UTF-16 units; in line 0 the mark is the file's first character. */
  | { readonly kind: 'byteOrderMark'; readonly line: number; readonly column: number }
  | { readonly kind: 'blankLines'; readonly line: number; readonly count: number }
  | { readonly kind: 'lineEnds'; readonly end: '\n' | '\r\n' };

/** A repair of a finding. */
export interface Fix {
  /** As on a menu: "Order the corners: [300, 600, 2100, 1500]". */
  readonly title: string;
  /** Whether fix-all and fix-on-save may apply it: it cannot change what the record means. */
  readonly safe: boolean;
  readonly edits: readonly Edit[];
  /** Where it writes boxes in other coordinates: what further boxes of the record and the file may need too. */
  readonly conversion?: Conversion;
}
