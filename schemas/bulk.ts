/**
 * Bulk work in the editor: records added, duplicated, deleted, moved and renumbered, one fix made in all records that have it, and files
 * converted, split and merged. What changes a file is planned first, shown, and then applied; nothing is changed by a plan.
 */
import type { ProtocolRange } from './protocol.ts';

/** Keys are those of the Records view (schemas/records.ts). Positions are 0-based. */
export type BulkOperation =
  /** A copy of each record behind it, with an id that no record has. */
  | { readonly kind: 'duplicate'; readonly keys: readonly number[] }
  | { readonly kind: 'delete'; readonly keys: readonly number[] }
  /** Together: the first of them becomes the record `to`; or by one place. */
  | { readonly kind: 'move'; readonly keys: readonly number[]; readonly to: number | 'up' | 'down' }
  /** Ids by a pattern such as `q-{n:4}`, counted from `first`. `keys` null: of all records. */
  | {
      readonly kind: 'renumber';
      readonly keys: readonly number[] | null;
      readonly pattern: string;
      readonly first: number;
    }
  /** A new record behind one, with its keys and its layout, and nothing said. `after` null: behind the last one. */
  | { readonly kind: 'add'; readonly after: number | null }
  /** The fix of a rule, in all records that have it and need no choice. */
  | { readonly kind: 'fix'; readonly code: string };

export interface BulkParams {
  readonly uri: string;
  readonly operation: BulkOperation;
  /** Names the work in `BULK_PROGRESS`. */
  readonly work: string;
}

/** Client → server: what an operation would do. Can be cancelled. */
export const BULK_PLAN = 'auditableQa/bulk/plan';
export type BulkPlan =
  | {
      readonly kind: 'plan';
      /** Of the change, for undo: "Delete 3 records". */
      readonly title: string;
      /** Records that are touched. */
      readonly records: number;
      /** The server writes the file, and can take that back (schemas/disk.ts); else the editor's undo does. */
      readonly onDisk: boolean;
      /** The file is too large for an editor: what changes can only be shown in part. */
      readonly large: boolean;
      /** The same for the same change: for `BULK_APPLY`. */
      readonly mark: string;
    }
  | { readonly kind: 'problem'; readonly message: string };

/** Client → server: what the file would read like. Of large files a unified diff of the first changes. */
export const BULK_PREVIEW = 'auditableQa/bulk/preview';
export type BulkPreview =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'diff'; readonly text: string }
  | { readonly kind: 'problem'; readonly message: string };

/**
 * Client → server: does it. Can be cancelled until the file is written; then nothing has changed. `edits`: the client is to make them in
 * the open document, if it still has that version.
 */
export const BULK_APPLY = 'auditableQa/bulk/apply';
export interface BulkApplyParams extends BulkParams {
  /** The file is open and its text is not saved: it must not be changed on disk. */
  readonly dirty: boolean;
  /** `mark` of the plan that was agreed to: refused where something else would be changed by now. */
  readonly expected?: string;
}
export type BulkApplied =
  | {
      readonly kind: 'edits';
      readonly title: string;
      readonly version: number;
      readonly edits: readonly { readonly range: ProtocolRange; readonly newText: string }[];
    }
  | { readonly kind: 'written'; readonly title: string }
  | { readonly kind: 'problem'; readonly message: string };

/** Server → client, seldom: how far work is. */
export const BULK_PROGRESS = 'auditableQa/bulk/progress';
export interface BulkProgress {
  readonly work: string;
  /** Of 100. */
  readonly percent: number;
}

/** Client → server: makes files of files. All paths are file URIs; files that are there already are never written over. Can be cancelled. */
export const BULK_MAKE = 'auditableQa/bulk/make';
export type BulkMake =
  | { readonly kind: 'convert'; readonly uri: string; readonly to: 'jsonl' | 'json'; readonly target: string }
  | {
      readonly kind: 'split';
      readonly uri: string;
      readonly by:
        | { readonly kind: 'field'; readonly field: string }
        | { readonly kind: 'count'; readonly count: number }
        | { readonly kind: 'ids'; readonly ids: readonly string[] };
      readonly folder: string;
    }
  | {
      readonly kind: 'merge';
      /** In the order that counts. */
      readonly uris: readonly string[];
      readonly target: string;
      readonly onConflict: 'stop' | 'first' | 'last' | 'keep-both';
    };
export interface BulkMakeParams {
  readonly make: BulkMake;
  readonly work: string;
}

/** Records of one id that differ: where both stand, and what differs. */
export interface BulkConflict {
  readonly id: string;
  readonly ours: { readonly uri: string; /** 0-based. */ readonly line: number };
  readonly theirs: { readonly uri: string; readonly line: number };
  /** The first ones; values as they are spelled, shortened; null: absent. */
  readonly differences: readonly {
    readonly pointer: string;
    readonly ours: string | null;
    readonly theirs: string | null;
  }[];
  readonly total: number;
}

export type BulkMade =
  | {
      readonly kind: 'made';
      readonly files: readonly { readonly uri: string; readonly records: number }[];
      readonly notes: readonly string[];
    }
  /** Nothing was written: the client asks what is to be done. */
  | { readonly kind: 'conflicts'; readonly total: number; readonly first: readonly BulkConflict[] }
  | {
      readonly kind: 'problem';
      readonly message: string;
      /** Where it is, for a broken record. */
      readonly at?: { readonly uri: string; readonly line: number };
    };
