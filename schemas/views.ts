/**
 * Documents that show one record of a file: the record formatted, or its solution as Python. Their addresses are made by the client
 * and read by both sides; what they show and what saving them changes comes from the server.
 */
import type { ProtocolRange } from './protocol.ts';

/** Scheme of their addresses: `auditable-qa:/PATH/OF/FILE/TITLE?QUERY`, the query being a `ViewRef` as JSON. */
export const VIEW_SCHEME = 'auditable-qa';

/** Language of record documents: JSON with raw text blocks. */
export const RECORD_LANGUAGE = 'auditable-qa-record';

export type ViewKind = 'record' | 'solution';

/** Which record a document shows. */
export interface ViewRef {
  readonly kind: ViewKind;
  /** Address of the record file. */
  readonly file: string;
  /** Key of the record when the document was opened (see the report's fingerprints); null: it had none that could be read. */
  readonly key: string | null;
  /** 0-based index when it was opened: tells records with the same key apart, and finds those that have none. */
  readonly index: number;
  /** Present where another document shows another record that had this key at this index. */
  readonly twin?: number;
}

/** Client → server: the reference for the record at an index. null: the file has no such record. */
export const VIEW_REF = 'auditableQa/view/ref';
export interface ViewRefParams {
  readonly file: string;
  readonly index: number;
  readonly kind: ViewKind;
}
export interface ViewRefResult {
  readonly ref: ViewRef;
  /** For the tab: the record's id, or its number. Holds no character that a file name may not hold. */
  readonly title: string;
  /** Why the record cannot be shown so, as a sentence; null: it can. */
  readonly problem: string | null;
}

/** Client → server: what a document shows now. Until it is forgotten, changes of its record are told (`VIEW_CHANGED`). */
export const VIEW_READ = 'auditableQa/view/read';
export interface ViewReadParams {
  readonly uri: string;
  /** The record's text as it was last: tells records with the same key apart when the server did not see them move. */
  readonly record?: string;
}
export type ViewReadResult =
  | {
      readonly kind: 'text';
      /** The document's text, LF as the line end. */
      readonly text: string;
      /** The record's text in the file that was shown: the base of what is changed. */
      readonly record: string;
      /** Of a solution: the pointer at which it stands, or would stand. */
      readonly place?: string;
    }
  /** As a sentence. */
  | { readonly kind: 'problem'; readonly message: string };

/** Client → server: the record in its file that a document shows. null: it is gone. */
export const VIEW_RECORD = 'auditableQa/view/record';

/** Server → client: the record that a document shows has changed, come or gone. */
export const VIEW_CHANGED = 'auditableQa/view/changed';
export interface ViewChangedParams {
  readonly uri: string;
}

/** Client → server: no editor shows the document any more. */
export const VIEW_FORGET = 'auditableQa/view/forget';

/** Client → server: makes what a document says the record in the file. Changes only the values that were changed since `base`. */
export const VIEW_SAVE = 'auditableQa/view/save';
export interface ViewSaveParams {
  readonly uri: string;
  /** The document's text. */
  readonly text: string;
  /**
   * The record's text that the document was changed from; null where that is not known any more: then nothing may have changed since.
   * Where the user decided that the document wins, the record's text that the decision was about.
   */
  readonly base: string | null;
  /** `place` as it was read: nothing is written where another profile has the solution elsewhere by now. */
  readonly place?: string;
  /** Only says what would happen. */
  readonly dryRun?: boolean;
  /** The record file is open and its text is not saved: it must not be changed on disk. */
  readonly dirty: boolean;
}
/** `record`: the record's text as the document says it, the base of what is changed next. */
export type ViewSaveResult =
  /** Nothing is to be changed. */
  | { readonly kind: 'same'; readonly record: string }
  /** The file is open: to be applied there, and to be asked for anew where the version is another by then. */
  | {
      readonly kind: 'edits';
      readonly record: string;
      readonly file: string;
      readonly version: number;
      readonly edits: readonly { readonly range: ProtocolRange; readonly newText: string }[];
    }
  /** The server wrote the file on disk. */
  | { readonly kind: 'written'; readonly record: string }
  /** The same values were changed in the file. `names` for people: `question`, `bbox 2`. */
  | { readonly kind: 'conflict'; readonly names: readonly string[] }
  /** It cannot be saved; as a sentence. */
  | { readonly kind: 'problem'; readonly message: string };
