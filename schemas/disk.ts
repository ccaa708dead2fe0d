/**
 * Changes that the server makes in record files on disk: of files that no editor has open, or that VS Code does not hand to extensions.
 * The editor's undo knows nothing of them, so the server has one of its own.
 */

/** Client → server: takes the last change of a file back. Refused where the file was changed by somebody else since. */
export const UNDO_ON_DISK = 'auditableQa/disk/undo';
/** Client → server: makes the change again that was taken back last. */
export const REDO_ON_DISK = 'auditableQa/disk/redo';
/** Client → server: what could be taken back or made again. */
export const DISK_HISTORY = 'auditableQa/disk/history';

export interface DiskParams {
  /** Of the record file. */
  readonly uri: string;
}

/** To take a change back, or make it again. */
export interface DiskStepParams extends DiskParams {
  /** The title of the change that is meant: refused where another one came later. */
  readonly only?: string;
}

/** What the changes are called, for people: "Move box 2". null: there is none. */
export interface DiskHistory {
  readonly undo: string | null;
  readonly redo: string | null;
}

/** `problem`: why nothing was changed, as a sentence. `record`: 0-based index of the record that the change is of, where it is one. */
export type DiskUndoResult =
  | ({ readonly kind: 'done'; readonly title: string; readonly record: number | null } & DiskHistory)
  | ({ readonly kind: 'problem'; readonly message: string } & DiskHistory);

/** Server → client: the server has written a file, or what can be taken back in it is something else now. */
export const DISK_CHANGED = 'auditableQa/disk/changed';
export type DiskChangedParams = DiskParams & DiskHistory;

/**
 * Client → server, notification: the active tab shows a file that the client has no document of; its status is told (`STATUS`) as long
 * as it does. null: the active tab shows none such.
 */
export const SHOWN_FROM_DISK = 'auditableQa/disk/shown';
export interface ShownFromDiskParams {
  readonly uri: string | null;
}
