import type { FileRepair } from '../edit/types.ts';
import type { Span } from '../finding.ts';
import type { Lens } from '../view/types.ts';

/** How records lie in a file. */
export type FileForm = 'lines' | 'json';

/** One record as it stands in the file. */
export interface RecordSlot {
  /** 0-based position among the records. */
  readonly index: number;
  /** 0-based line and UTF-16 column of the record's first character. */
  readonly line: number;
  readonly column: number;
  /** Absolute UTF-16 offset of the record's first character in the file's text (without a byte order mark). */
  readonly offset: number;
  /** The record's own text: one line without its line end, or one array element. */
  readonly text: string;
  /** The element of the file that a nested record lies in (`Profile.records`). */
  readonly outer?: { readonly text: string; readonly value: Readonly<Record<string, unknown>> };
  /** Where a document shows the record otherwise than its file does: then places are the document's, whatever `line` says. */
  readonly lens?: Lens;
}

/** A fault of the bytes or lexemes. With a record: offsets inside its text; without: line and columns in the file. */
export interface TextFault {
  readonly code: string;
  readonly message: string;
  readonly span: Span;
  /** JSON pointer of the value it is about, where there is one. */
  readonly pointer?: string;
  readonly found?: string;
}

/** A fault of the file and not of one record. */
export interface FileFault {
  readonly code: string;
  readonly message: string;
  /** 0-based line; columns in UTF-16 units. */
  readonly line: number;
  readonly startColumn: number;
  readonly endColumn: number;
  readonly found?: string;
  /** What puts it right without changing any record, where something does. */
  readonly repair?: FileRepair;
}

/** What reading a record's text yields. Parsing never fails: what could be read stands beside the faults. */
export interface ParsedText {
  /** The object; undefined where the text is not one JSON object. Non-finite numbers are read as null. */
  readonly value: Readonly<Record<string, unknown>> | undefined;
  readonly faults: readonly TextFault[];
  /** Pointers of the values that were NaN or Infinity in the text. */
  readonly nonFinite: readonly string[];
  /** Whether the text is all ASCII; absent: not looked at. */
  readonly isAscii?: boolean;
  /** Whether a point or an exponent stands in a member that is a number or a list of numbers; absent: not looked at. */
  readonly hasDecimals?: boolean;
}
