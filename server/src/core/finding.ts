import type { Severity } from '../../../schemas/report.ts';
import type { FileRepair, Fix, TextEdit } from './edit/types.ts';
import type { Conversion } from './evidence/conversion.ts';

/** Offsets into a text in UTF-16 units; `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Which record a finding is about, as the report prints it. */
export interface RecordRef {
  /** 0-based position among the records of the file. */
  readonly index: number;
  /** 1-based line of the file on which the record starts. */
  readonly line: number;
  readonly id: string | null;
}

/** A place that explains a finding. */
export interface RelatedPlace {
  readonly message: string;
  /** JSON pointer inside the record `recordIndex` (or inside the finding's own record). */
  readonly pointer: string;
  readonly recordIndex?: number;
  /** The place is in another file of the dataset, at the start of a record. */
  readonly file?: OtherFile;
}

export interface OtherFile {
  /** As people know it. */
  readonly name: string;
  /** Absolute; absent where only the name is known. */
  readonly path?: string;
  /** Where the record starts. */
  readonly start: Position;
}

/**
 * A fault as a rule or the text scan reports it: placed by JSON pointer inside its record, so that it stays valid when
 * the record moves in the file. The pipeline turns it into a `Finding`.
 */
export interface LocalFinding {
  readonly code: string;
  readonly message: string;
  /** JSON pointer inside the record; '' is the whole record. */
  readonly pointer: string;
  /** Where the fault is on the key of `pointer` and not on its value. */
  readonly onKey?: boolean;
  /** Offsets inside the record's text; wins over `pointer` when the range is laid. */
  readonly span?: Span;
  /** Offsets inside the *decoded* string value at `pointer`; the pipeline maps them through the escapes. */
  readonly inString?: Span;
  /** The value found, as text: part of the fingerprint. */
  readonly found?: string;
  readonly related?: readonly RelatedPlace[];
  /** Where this one finding is milder than its rule; it is never reported above the rule's level. */
  readonly severity?: Severity;
  /** Repairs, best first. */
  readonly fixes?: readonly Fix[];
}

/** A position in a file: 0-based line and UTF-16 column, as editors count. Lines end at LF or CRLF. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A repair laid in the file. */
export interface PlacedFix {
  readonly title: string;
  readonly safe: boolean;
  /** In the record's text; `Finding.record` tells which record. Apply with the record's slot. In order of place. */
  readonly edits: readonly TextEdit[];
  /** In place of `edits` (which are empty then) where the finding is about no record but about the file. */
  readonly file?: FileRepair;
  /** As in `Fix`. */
  readonly conversion?: Conversion;
}

/** A fault on its exact place in the file. Every surface shows this object. */
export interface Finding {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly record: RecordRef | null;
  /** Key of the record, with its ordinal where it repeats (`keyOf`); absent: the finding is about the file. */
  readonly recordKey?: string;
  readonly pointer: string;
  readonly start: Position;
  readonly end: Position;
  /** Stable: hash of code, record key, pointer and the value found. */
  readonly fingerprint: string;
  readonly fixes: readonly PlacedFix[];
  readonly related: readonly (RelatedPlace & { readonly start: Position; readonly end: Position })[];
}
