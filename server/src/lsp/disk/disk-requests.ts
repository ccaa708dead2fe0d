import type { Connection } from 'vscode-languageserver/node';
import type { DiskHistory, DiskParams, DiskStepParams, DiskUndoResult } from '../../../../schemas/disk.ts';
import { DISK_HISTORY, REDO_ON_DISK, UNDO_ON_DISK } from '../../../../schemas/disk.ts';
import { guarded } from '../guard.ts';
import type { Log } from '../guard.ts';
import type { DiskWriter } from './writer.ts';

const NOTHING: DiskHistory = { undo: null, redo: null };
const FAILED: DiskUndoResult = {
  kind: 'problem',
  message: 'The language server failed on this; its output says why.',
  ...NOTHING,
};

/** What a client asks about changes that were made on disk. */
export function registerDiskRequests(connection: Connection, log: Log, disk: DiskWriter): void {
  for (const method of [UNDO_ON_DISK, REDO_ON_DISK]) {
    connection.onRequest(
      method,
      guarded<DiskStepParams, DiskUndoResult>(method, log, FAILED, ({ uri, only }) =>
        disk.step(uri, method === REDO_ON_DISK, only),
      ),
    );
  }
  connection.onRequest(
    DISK_HISTORY,
    guarded<DiskParams, DiskHistory>(DISK_HISTORY, log, NOTHING, ({ uri }) => disk.history(uri)),
  );
}
