/** "Undo last change on disk" and "Redo …": of the file that the window is about, where the server has changed it on disk. */
import * as vscode from 'vscode';
import type { DiskChangedParams, DiskHistory, DiskParams, DiskUndoResult } from '../../../schemas/disk.ts';
import { DISK_CHANGED, DISK_HISTORY, REDO_ON_DISK, UNDO_ON_DISK } from '../../../schemas/disk.ts';
import { COMMANDS, REDO_ON_DISK_CONTEXT, UNDO_ON_DISK_CONTEXT } from '../ids.ts';
import type { RecordsView } from '../records-view/host.ts';
import type { Server } from '../server.ts';
import { refOf } from '../views/address.ts';
import { activeUri } from './documents.ts';

const TOLD_MS = 8000;

export function stepOnDisk(server: Server, uri: string, redo: boolean): Promise<DiskUndoResult | null> {
  const params: DiskParams = { uri };
  return server.request<DiskUndoResult>(redo ? REDO_ON_DISK : UNDO_ON_DISK, params);
}

export function registerDiskUndo(context: vscode.ExtensionContext, server: Server, records: RecordsView): void {
  const histories = new Map<string, DiskHistory>();
  const asked = new Set<string>();
  let changed: string | undefined;

  /** The file of the active tab or of the record that it shows; else the one of the Records view; else the one changed last. */
  function fileNow(): string | undefined {
    const active = activeUri();
    const file = active && (refOf(active)?.file ?? (active.scheme === 'file' ? active.toString() : undefined));
    const candidates = [file, records.showing?.uri, changed].filter((uri) => uri !== undefined);
    const known = (uri: string): boolean => {
      const history = histories.get(uri);
      return (history?.undo ?? history?.redo ?? null) !== null;
    };
    return candidates.find(known) ?? candidates[0];
  }

  async function show(): Promise<void> {
    for (const uri of [
      refOf(activeUri() ?? vscode.Uri.file(''))?.file ?? activeUri()?.toString(),
      records.showing?.uri,
    ]) {
      if (uri === undefined || !uri.startsWith('file:') || asked.has(uri)) continue;
      asked.add(uri);
      // Of a session before this one.
      const history = await server.request<DiskHistory>(DISK_HISTORY, { uri } satisfies DiskParams);
      if (history !== null && !histories.has(uri)) histories.set(uri, history);
    }
    const uri = fileNow();
    const history = uri === undefined ? undefined : histories.get(uri);
    const set = (key: string, title: string | null | undefined): Thenable<unknown> =>
      vscode.commands.executeCommand('setContext', key, (title ?? null) !== null);
    await Promise.all([set(UNDO_ON_DISK_CONTEXT, history?.undo), set(REDO_ON_DISK_CONTEXT, history?.redo)]);
  }

  const soon = (): void => {
    show().catch((error: unknown) => server.output.warn(`What can be undone on disk is not known: ${String(error)}`));
  };

  async function step(redo: boolean): Promise<void> {
    const uri = fileNow();
    if (uri === undefined) return;
    const name = vscode.workspace.asRelativePath(vscode.Uri.parse(uri));
    const result = await stepOnDisk(server, uri, redo);
    if (result === null || result.kind === 'problem') {
      const why = result?.message ?? 'The language server does not answer.';
      void vscode.window.showWarningMessage(`Auditable QA: ${why}`);
      return;
    }
    vscode.window.setStatusBarMessage(`${redo ? 'Made again' : 'Undone'} in ${name}: ${result.title}`, TOLD_MS);
  }

  context.subscriptions.push(
    server.onNotification<DiskChangedParams>(DISK_CHANGED, ({ uri, undo, redo }) => {
      histories.set(uri, { undo, redo });
      asked.add(uri);
      changed = uri;
      soon();
    }),
    server.onDidStart(() => {
      asked.clear();
      soon();
    }),
    records.onDidChangeShowing(soon),
    vscode.window.onDidChangeActiveTextEditor(soon),
    vscode.window.tabGroups.onDidChangeTabs(soon),
    vscode.commands.registerCommand(COMMANDS.undoOnDisk, () => step(false)),
    vscode.commands.registerCommand(COMMANDS.redoOnDisk, () => step(true)),
  );
}
