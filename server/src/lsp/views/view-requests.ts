import type { Connection } from 'vscode-languageserver/node';
import type { RecordParams } from '../../../../schemas/protocol.ts';
import type {
  ViewReadParams,
  ViewReadResult,
  ViewRefParams,
  ViewRefResult,
  ViewSaveParams,
  ViewSaveResult,
} from '../../../../schemas/views.ts';
import { VIEW_FORGET, VIEW_READ, VIEW_RECORD, VIEW_REF, VIEW_SAVE } from '../../../../schemas/views.ts';
import { guarded, guardedNotification } from '../guard.ts';
import type { Log } from '../guard.ts';
import type { Views } from './views.ts';

const FAILED = { kind: 'problem', message: 'The language server failed on this; its output says why.' } as const;

/** What a client asks about documents that show one record. */
export function registerViewRequests(connection: Connection, log: Log, views: Views): void {
  connection.onRequest(
    VIEW_REF,
    guarded<ViewRefParams, ViewRefResult | null>('view reference', log, null, (params) => views.reference(params)),
  );
  connection.onRequest(
    VIEW_READ,
    guarded<ViewReadParams, ViewReadResult>('view read', log, FAILED, (params) => views.read(params)),
  );
  connection.onRequest(
    VIEW_RECORD,
    guarded<ViewReadParams, RecordParams | null>('view record', log, null, async ({ uri }) => {
      const record = await views.recordOf(uri);
      return record === undefined ? null : { uri: record.file.uri, index: record.row.index };
    }),
  );
  connection.onRequest(
    VIEW_SAVE,
    guarded<ViewSaveParams, ViewSaveResult>('view save', log, FAILED, (params) => views.save(params)),
  );
  connection.onNotification(
    VIEW_FORGET,
    guardedNotification<ViewReadParams>('view forget', log, (params) => views.forget(params)),
  );
}
