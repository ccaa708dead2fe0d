import type { CancellationToken, Connection } from 'vscode-languageserver/node';
import type {
  BulkApplied,
  BulkApplyParams,
  BulkMade,
  BulkMakeParams,
  BulkParams,
  BulkPlan,
  BulkPreview,
  BulkProgress,
} from '../../../../schemas/bulk.ts';
import { BULK_APPLY, BULK_MAKE, BULK_PLAN, BULK_PREVIEW, BULK_PROGRESS } from '../../../../schemas/bulk.ts';
import { isAbort } from '../../node/bulk/source.ts';
import { guarded } from '../guard.ts';
import type { Log } from '../guard.ts';
import type { BulkEditing, BulkWork } from './bulk-edits.ts';
import { makeFiles } from './bulk-files.ts';
import type { BulkFilesHost } from './bulk-files.ts';

export interface BulkServices extends BulkFilesHost {
  readonly log: Log;
  readonly editing: BulkEditing;
}

const PROBLEM = { kind: 'problem', message: 'The language server failed on this; its output says why.' } as const;
/** Told at most so often. */
const PROGRESS_MS = 100;

export function registerBulkRequests(connection: Connection, services: BulkServices): void {
  const { log, editing } = services;

  function on<P extends { readonly work: string }, R>(
    method: string,
    answer: (params: P, work: BulkWork) => Promise<R | typeof PROBLEM>,
  ): void {
    connection.onRequest(
      method,
      guarded<P, R | typeof PROBLEM>(method, log, PROBLEM, async (params, token) => {
        const work = workOf(params.work, token);
        try {
          return await answer(params, work);
        } catch (error) {
          // The answer to a cancelled request is sent by the guard.
          if (isAbort(error) && token.isCancellationRequested) return PROBLEM;
          throw error;
        }
      }),
    );
  }

  function workOf(name: string, token: CancellationToken): BulkWork {
    const stop = new AbortController();
    token.onCancellationRequested(() => stop.abort());
    let told = 0;
    return {
      stop: stop.signal,
      progress(part) {
        const now = Date.now();
        if (now - told < PROGRESS_MS) return;
        told = now;
        const params: BulkProgress = { work: name, percent: Math.round(100 * part) };
        void connection.sendNotification(BULK_PROGRESS, params);
      },
    };
  }

  on<BulkParams, BulkPlan>(BULK_PLAN, editing.plan);
  on<BulkParams, BulkPreview>(BULK_PREVIEW, editing.preview);
  on<BulkApplyParams, BulkApplied>(BULK_APPLY, editing.apply);
  on<BulkMakeParams, BulkMade>(BULK_MAKE, ({ make }, work) => makeFiles(make, services, work));
}
