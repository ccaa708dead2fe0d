/** Work of the language server that takes a while: shown with how far it is, and a way to stop it. */
import * as vscode from 'vscode';
import type { BulkProgress } from '../../../schemas/bulk.ts';
import { BULK_PROGRESS } from '../../../schemas/bulk.ts';
import type { Server } from '../server.ts';

let works = 0;

/** null: it was stopped, or the server is not there. */
export function withWork<R>(server: Server, title: string, method: string, params: object): Promise<R | null> {
  const work = `bulk-${++works}`;
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  return Promise.resolve(
    vscode.window.withProgress(options, async (progress, token) => {
      let told = 0;
      const listener = server.onNotification<BulkProgress>(BULK_PROGRESS, ({ work: whose, percent }) => {
        if (whose !== work || percent <= told) return;
        progress.report({ increment: percent - told, message: `${percent} %` });
        told = percent;
      });
      try {
        return await server.request<R>(method, { ...params, work }, token);
      } finally {
        listener.dispose();
      }
    }),
  );
}

/** The name of a file, for people. */
export function shownName(uri: string): string {
  return vscode.workspace.asRelativePath(vscode.Uri.parse(uri, true));
}

export function tellProblem(message: string): void {
  void vscode.window.showWarningMessage(`Auditable QA: ${message}`);
}
