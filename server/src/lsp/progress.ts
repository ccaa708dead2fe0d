import { randomUUID } from 'node:crypto';
import type { Connection } from 'vscode-languageserver/node';
import { WorkDoneProgressCreateRequest } from 'vscode-languageserver/node';
import type { Log } from './guard.ts';

/** Shows how far something is that takes long and that nobody started. */
export interface Progress {
  /** 0 to 1. */
  report(share: number): void;
  done(): void;
}

/** `able`: the client shows progress. A piece of work that it does not let be shown goes on all the same. */
export function createProgress(connection: Connection, able: () => boolean, log: Log): (title: string) => Progress {
  return (title) => {
    let isShown = false;
    let isOver = false;
    let last = -1;
    const token = randomUUID();
    const send = (value: object): void => void connection.sendNotification('$/progress', { token, value });
    if (able()) {
      connection
        .sendRequest(WorkDoneProgressCreateRequest.type, { token })
        .then(() => {
          if (isOver) return;
          isShown = true;
          send({ kind: 'begin', title, percentage: 0 });
        })
        .catch((error: unknown) => log(`Progress is not shown: ${String(error)}`));
    }
    return {
      report(share) {
        const percentage = Math.floor(100 * share);
        if (!isShown || isOver || percentage === last) return;
        last = percentage;
        send({ kind: 'report', percentage });
      },
      done() {
        if (isShown && !isOver) send({ kind: 'end' });
        isOver = true;
      },
    };
  };
}
