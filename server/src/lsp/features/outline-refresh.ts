import { DocumentSymbolRequest } from 'vscode-languageserver/node';
import type { Connection, Disposable } from 'vscode-languageserver/node';
import type { StatusParams } from '../../../../schemas/protocol.ts';
import type { Log } from '../guard.ts';

/**
 * Editors ask for an outline when a document opens or changes, long before its solutions have run, and LSP has no request that
 * makes them ask again. A provider that is registered anew does: for clients that take registrations, that is done once everything is known
 * about a document whose outline was answered before.
 */
export interface OutlineRefresh {
  /** The client is ready for registrations. */
  start(): void;
  /** An outline was asked for. */
  asked(uri: string): void;
  /** What is known of a document has changed. */
  looked(status: Pick<StatusParams, 'uri' | 'running' | 'profile'>): void;
}

export const OUTLINE_OPTIONS = { label: 'Auditable QA' } as const;

const PAUSE_MS = 500;

export function createOutlineRefresh(
  connection: Connection,
  takesRegistrations: () => boolean,
  log: Log,
): OutlineRefresh {
  /** Asked for while something was still being found out. */
  const early = new Set<string>();
  const settled = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let current: Disposable | undefined;
  let turn: Promise<void> = Promise.resolve();

  function register(): void {
    turn = turn.then(async () => {
      try {
        const fresh = await connection.client.register(DocumentSymbolRequest.type, {
          documentSelector: null,
          ...OUTLINE_OPTIONS,
        });
        current?.dispose();
        current = fresh;
      } catch (error) {
        log(`The outline was not registered: ${String(error)}`);
      }
    });
  }

  return {
    start() {
      if (takesRegistrations()) register();
    },
    asked(uri) {
      if (!settled.has(uri)) early.add(uri);
    },
    looked({ uri, running, profile }) {
      if (running || profile === null) {
        settled.delete(uri);
        return;
      }
      settled.add(uri);
      if (!early.delete(uri) || !takesRegistrations()) return;
      timer ??= setTimeout(() => {
        timer = undefined;
        register();
      }, PAUSE_MS);
    },
  };
}
