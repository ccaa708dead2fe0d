/**
 * What the Records view asks of the language server: the record files of the workspace, a file's records as a list that the
 * server filters, counts and sorts, and what is done to several records at once. Clients ask for windows of rows and are told
 * when the list has changed. Records are named by a key that stays theirs while the file is edited, opened or closed.
 */
import type { ProtocolRange } from './protocol.ts';
import type { Severity, Verdict } from './report.ts';

/** Client → server: the record files of the workspace that are known by now, the open ones first. Starts the look for them. */
export const RECORD_FILES = 'auditableQa/records/files';
export interface RecordFile {
  readonly uri: string;
  /** As people know it: relative to the folder of the workspace, with forward slashes. */
  readonly name: string;
  /** An editor has it open. */
  readonly open: boolean;
  /** Title of the profile that fits. */
  readonly profile: string;
  /** null: the file has not been read yet. */
  readonly records: number | null;
  /** Findings. null: as `records`. */
  readonly counts: Readonly<Record<Severity, number>> | null;
  /** A record has a solution; of a file that has not been read: may have one. */
  readonly solutions: boolean;
}
export interface RecordFilesResult {
  readonly files: readonly RecordFile[];
  /** More are being looked for. */
  readonly looking: boolean;
}

/** Server → client: another answer to `RECORD_FILES`. */
export const RECORD_FILES_CHANGED = 'auditableQa/records/filesChanged';

/** What records are filtered by, in the order in which the view shows it. */
export const FACETS = ['severity', 'rule', 'solution', 'type', 'label', 'document', 'category', 'split'] as const;
export type Facet = (typeof FACETS)[number];

/** A facet's value for records that have none: no finding, no solution, no label. */
export const NO_VALUE = '';

export interface RecordFilter {
  /** Words that must all stand in the id, question, answer or document; `#12` is the 12th record. */
  readonly text: string;
  /** Values of which a record must have one; an absent or empty list asks for nothing. */
  readonly facets: Readonly<Partial<Record<Facet, readonly string[]>>>;
}

export const NO_FILTER: RecordFilter = { text: '', facets: {} };

export const COLUMNS = [
  'state',
  'index',
  'id',
  'question',
  'type',
  'document',
  'category',
  'split',
  'findings',
] as const;
export type Column = (typeof COLUMNS)[number];

export interface RecordOrder {
  readonly column: Column;
  readonly descending: boolean;
}

export const FILE_ORDER: RecordOrder = { column: 'index', descending: false };

/** Which records of a file, in which order. */
export interface RecordQuery {
  readonly uri: string;
  readonly filter: RecordFilter;
  readonly order: RecordOrder;
}

/** Client → server: the list's head and a window of its rows. Reads a file that is not open. */
export const RECORD_LIST = 'auditableQa/records/list';
export interface RecordListParams extends RecordQuery {
  /** Position in the list of the first row. */
  readonly offset: number;
  readonly limit: number;
  /** Keys of which the client wants to know whether the list still has them. */
  readonly selection?: readonly number[];
}

export interface CodeCount {
  readonly code: string;
  readonly severity: Severity;
  readonly count: number;
}

export interface ListedRecord {
  readonly key: number;
  /** 0-based. */
  readonly index: number;
  readonly id: string | null;
  /** Its beginning. */
  readonly question: string | null;
  readonly type: string | null;
  readonly document: string | null;
  readonly category: string | null;
  readonly split: string | null;
  /** The worst; null: no finding. */
  readonly severity: Severity | null;
  /** false: the server has not come to it yet. */
  readonly checked: boolean;
  /** null: it has no solution. */
  readonly solution: Verdict | 'running' | null;
  /** Errors first, then by code. */
  readonly findings: readonly CodeCount[];
}

export interface FacetValue {
  readonly value: string;
  /** Records that have it, of those that the other facets and the text let through. */
  readonly count: number;
}

export interface FacetState {
  readonly facet: Facet;
  /** The chosen ones and the most frequent ones. */
  readonly values: readonly FacetValue[];
  /** Values beside those. */
  readonly more: number;
}

export interface RecordList {
  readonly kind: 'list';
  readonly uri: string;
  /** Keys are good as long as this is the same: it is another one when the server was started anew. */
  readonly epoch: string;
  /** Another one than before: rows may have come, gone or changed. */
  readonly revision: number;
  /** An editor has the file open: changes can be undone there. */
  readonly open: boolean;
  /** Of the file. */
  readonly records: number;
  /** In the list. */
  readonly matched: number;
  /** Findings of the records in the list. */
  readonly counts: Readonly<Record<Severity, number>>;
  /** Only facets that tell records of this file apart. */
  readonly facets: readonly FacetState[];
  /** Columns in which a record of the file has something. */
  readonly columns: readonly Column[];
  /** Findings that belong to no record. */
  readonly file: readonly DetailFinding[];
  readonly progress: {
    /** Records that were checked. */
    readonly checked: number;
    readonly solutions: { readonly done: number; readonly total: number };
    readonly running: boolean;
  };
  /** As asked for, or less where the list is shorter. */
  readonly offset: number;
  readonly rows: readonly ListedRecord[];
  /** Those of the asked keys that are in the list. */
  readonly selection: readonly number[];
}
export type RecordListResult = RecordList | { readonly kind: 'problem'; readonly message: string };

/** Server → client: a list that was asked for lately would be answered otherwise now. */
export const RECORD_LIST_CHANGED = 'auditableQa/records/listChanged';
export interface RecordListChangedParams {
  readonly uri: string;
}

/** Client → server: keys of the rows between two positions of the list, `end` exclusive. */
export const RECORD_KEYS = 'auditableQa/records/keys';
export interface RecordKeysParams extends RecordQuery {
  readonly start: number;
  readonly end: number;
}

/** Client → server: where a record is in the list. -1: it is not in it. */
export const RECORD_POSITION = 'auditableQa/records/position';
export interface RecordPositionParams extends RecordQuery {
  /** By key, or by its 0-based index in the file. */
  readonly key?: number;
  readonly index?: number;
}
export interface RecordPosition {
  readonly position: number;
  readonly key: number;
}

/** Client → server: values of a facet that hold a text, the most frequent first. */
export const FACET_VALUES = 'auditableQa/records/values';
export interface FacetValuesParams extends RecordQuery {
  readonly facet: Facet;
  readonly search: string;
}

export interface DetailFix {
  readonly title: string;
  readonly safe: boolean;
}
export interface DetailFinding {
  readonly fingerprint: string;
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly pointer: string;
  readonly fixes: readonly DetailFix[];
}

/** Client → server: one record with its findings. null: it is gone. */
export const RECORD_DETAIL = 'auditableQa/records/detail';
export interface RecordKeyParams {
  readonly uri: string;
  readonly key: number;
}
export interface RecordDetail {
  readonly key: number;
  readonly index: number;
  readonly id: string | null;
  readonly question: string | null;
  readonly answer: string | null;
  /** What the solution yields, as in its lens; null: it has none. */
  readonly solution: string | null;
  /** It was run and does not yield the gold. */
  readonly failed: boolean;
  readonly findings: readonly DetailFinding[];
}

/** Client → server: where a record's value stands in its file. `pointer` absent: its first finding, else its start. */
export const RECORD_PLACE = 'auditableQa/records/place';
export interface RecordPlaceParams extends RecordKeyParams {
  readonly pointer?: string;
}
export interface RecordPlace {
  readonly uri: string;
  readonly index: number;
  readonly pointer: string;
  readonly range: ProtocolRange;
}

/**
 * Client → server: the finding after (or before) a place, through the whole file and round its end. null: there is none. From a
 * document that shows one record: in it, else the next one in the file.
 */
export const PROBLEM_STEP = 'auditableQa/records/step';
export interface ProblemStepParams {
  readonly uri: string;
  readonly position: { readonly line: number; readonly character: number };
  readonly by: 1 | -1;
  /** Only records of this list, in its order; and where it asks for rules or severities, only findings of those. */
  readonly within?: Pick<RecordQuery, 'filter' | 'order'>;
  /** Fingerprint of the finding that was stepped to last, where the cursor still is: several may stand on one place. */
  readonly last?: string;
}
export interface ProblemStep extends RecordPlace {
  readonly fingerprint: string;
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  /** 1-based, among all findings that are stepped through, and how many these are; in a document of one record, of that record. */
  readonly number: number;
  readonly of: number;
}

/** Client → server: the rules that records have findings of. */
export const RECORD_CODES = 'auditableQa/records/codes';
export interface RecordKeysOf {
  readonly uri: string;
  readonly keys: readonly number[];
}
export interface CodeChoice extends CodeCount {
  /** Findings with a fix that needs no choice, and those among them whose fix changes nothing that the record says. */
  readonly fixable: number;
  readonly safe: number;
}

/** Which findings: one with the fix to be made (0-based among its fixes), or all of some rules in some records. */
export type Chosen =
  | { readonly kind: 'finding'; readonly fingerprint: string; readonly fix: number }
  | { readonly kind: 'records'; readonly keys: readonly number[]; readonly codes: readonly string[] };

/** Client → server: what fixing would change. Nothing is changed. */
export const FIX_PLAN = 'auditableQa/records/plan';
export interface FixParams {
  readonly uri: string;
  readonly chosen: Chosen;
}
export interface PlannedChange {
  /** 0-based; null: the change is of the file and of no record. */
  readonly index: number | null;
  readonly id: string | null;
  /** Where, as in messages; of a change of the file: what is done. */
  readonly place: string;
  /** Text of the file, shortened: what stands before the change, what goes, what comes, what stands after it. */
  readonly lead: string;
  readonly removed: string;
  readonly added: string;
  readonly tail: string;
}
export interface FixPlan {
  /** Records and changes in all; `changes` has the first of them. */
  readonly records: number;
  readonly total: number;
  readonly changes: readonly PlannedChange[];
  /** The server writes the file: the change is undone on disk (schemas/disk.ts), not in an editor. */
  readonly onDisk: boolean;
  /** Why it cannot be made, as a sentence; null: it can. */
  readonly problem: string | null;
}

/** Client → server: makes it. `edits`: the client is to make them in the open document, if it still has that version. */
export const FIX_APPLY = 'auditableQa/records/apply';
export interface FixApplyParams extends FixParams {
  /** The file is open and its text is not saved: it must not be changed on disk. */
  readonly dirty: boolean;
}
export type FixApplyResult =
  | {
      readonly kind: 'edits';
      readonly version: number;
      readonly edits: readonly { readonly range: ProtocolRange; readonly newText: string }[];
    }
  | { readonly kind: 'written' }
  | { readonly kind: 'problem'; readonly message: string };

/** Client → server: accepts findings with one reason, in one write. */
export const ACCEPT_ALL = 'auditableQa/records/accept';
export interface AcceptAllParams {
  readonly uri: string;
  readonly chosen:
    | { readonly kind: 'findings'; readonly fingerprints: readonly string[] }
    | Extract<Chosen, { readonly kind: 'records' }>;
  readonly reason: string;
  readonly by?: string;
}
export interface AcceptAllResult {
  readonly accepted: number;
  /** As a sentence; null: all were accepted. */
  readonly problem: string | null;
}

/** Client → server: runs solutions, of the records named or of all of the file; answered when the last one is done. */
export const RUN_RECORDS = 'auditableQa/records/run';
export interface RunRecordsParams {
  readonly uri: string;
  /** Absent: all that were not run yet. */
  readonly keys?: readonly number[];
}
