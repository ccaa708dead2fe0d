import { CancellationTokenSource } from 'vscode-languageserver/node';
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
    connection.onRequest(method, (params: P, token: CancellationToken) => {
      const { work, wanted } = workOf(params.work, token);
      const answered = guarded<P, R | typeof PROBLEM>(method, log, PROBLEM, async (given) => {
        try {
          return await answer(given, work);
        } catch (error) {
          // The answer to a cancelled request is sent by the guard.
          if (isAbort(error) && wanted.isCancellationRequested) return PROBLEM;
          throw error;
        }
      });
      return answered(params, wanted);
    });
  }

  /** `wanted`: cancelled as the request is, until a file is being written. */
  function workOf(
    name: string,
    token: CancellationToken,
  ): { readonly work: BulkWork; readonly wanted: CancellationToken } {
    const stop = new AbortController();
    const wanted = new CancellationTokenSource();
    let hasBegun = false;
    const cancel = (): void => {
      if (hasBegun) return;
      stop.abort();
      wanted.cancel();
    };
    if (token.isCancellationRequested) cancel();
    else token.onCancellationRequested(cancel);
    let told = 0;
    const work: BulkWork = {
      stop: stop.signal,
      progress(part) {
        const now = Date.now();
        if (now - told < PROGRESS_MS) return;
        told = now;
        const params: BulkProgress = { work: name, percent: Math.round(100 * part) };
        void connection.sendNotification(BULK_PROGRESS, params);
      },
      begin() {
        stop.signal.throwIfAborted();
        hasBegun = true;
      },
    };
    return { work, wanted: wanted.token };
  }

  on<BulkParams, BulkPlan>(BULK_PLAN, editing.plan);
  on<BulkParams, BulkPreview>(BULK_PREVIEW, editing.preview);
  on<BulkApplyParams, BulkApplied>(BULK_APPLY, editing.apply);
  on<BulkMakeParams, BulkMade>(BULK_MAKE, ({ make }, work) => makeFiles(make, services, work));
}
