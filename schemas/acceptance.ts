/**
 * Findings that are known: accepted ones with a reason, in a file beside the data, and those of a baseline. As they are
 * written: see accepted.schema.json and baseline.schema.json.
 */

/** Lies beside the record files that it is about; never a record file itself. One `AcceptedLine` a line. */
export const ACCEPTED_FILE = 'auditable-qa.accepted.jsonl';

/** Name of a baseline where nothing else is said. */
export const BASELINE_FILE = 'auditable-qa.baseline.json';

/** One finding that somebody has looked at and lets stand. The fingerprint decides; code, record and pointer are for people. */
export interface AcceptedLine {
  /** Name of the record file beside; absent: any record file of the folder. */
  readonly file?: string;
  readonly code?: string;
  /** The record's key: `id:` and its id, else `hash:` and a hash of question and document. null: the finding is about the file. */
  readonly record?: string | null;
  /** JSON Pointer inside the record. */
  readonly pointer?: string;
  readonly fingerprint: string;
  readonly reason: string;
  readonly by?: string;
  /** Date, or date and time, as in ISO 8601. */
  readonly at?: string;
}

/** One finding of a baseline. */
export interface BaselineFinding {
  /** Relative to the baseline's folder, with `/`. */
  readonly file: string;
  readonly code: string;
  readonly record: string | null;
  readonly pointer: string;
  readonly fingerprint: string;
}

/** Sorted by file, record, pointer, code and fingerprint; a finding that is there twice stands there twice. */
export interface Baseline {
  readonly version: 1;
  readonly findings: readonly BaselineFinding[];
}
