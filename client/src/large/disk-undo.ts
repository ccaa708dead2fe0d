/** "Undo last change on disk" and "Redo …": of the file that the window is about, where the server has changed it on disk. */
import * as vscode from 'vscode';
import type {
  DiskChangedParams,
  DiskHistory,
  DiskParams,
  DiskStepParams,
  DiskUndoResult,
} from '../../../schemas/disk.ts';
import { DISK_CHANGED, DISK_HISTORY, REDO_ON_DISK, UNDO_ON_DISK } from '../../../schemas/disk.ts';
import { COMMANDS, REDO_ON_DISK_CONTEXT, UNDO_ON_DISK_CONTEXT } from '../ids.ts';
import type { RecordsView } from '../records-view/host.ts';
import type { Server } from '../server.ts';
import { refOf } from '../views/address.ts';
import { activeUri } from './documents.ts';

const TOLD_MS = 8000;

/** `only`: the title of the change that is meant, where it may not be the last one any more. */
export function stepOnDisk(server: Server, uri: string, redo: boolean, only?: string): Promise<DiskUndoResult | null> {
  const params: DiskStepParams = { uri, ...(only !== undefined && { only }) };
  return server.request<DiskUndoResult>(redo ? REDO_ON_DISK : UNDO_ON_DISK, params);
}

const nameIn = (uri: string): string => vscode.workspace.asRelativePath(vscode.Uri.parse(uri));

export function registerDiskUndo(context: vscode.ExtensionContext, server: Server, records: RecordsView): void {
  const histories = new Map<string, DiskHistory>();
  const asked = new Set<string>();
  let changed: string | undefined;

  /** The file of the active tab or of the record that it shows, that of the Records view, and the one changed last. */
  function filesAtHand(): readonly string[] {
    const active = activeUri();
    const file = active && (refOf(active)?.file ?? (active.scheme === 'file' ? active.toString() : undefined));
    return [...new Set([file, records.showing?.uri, changed].filter((uri) => uri !== undefined))];
  }

  const titleIn = (uri: string, redo: boolean): string | null => histories.get(uri)?.[redo ? 'redo' : 'undo'] ?? null;

  /** Where there is something to be taken back, or made again. Files changed by nobody but others are not asked about. */
  const filesToStep = (redo: boolean): readonly string[] => filesAtHand().filter((uri) => titleIn(uri, redo) !== null);

  /** Nobody can be expected to know which of several files is meant. */
  async function fileToStep(redo: boolean): Promise<string | undefined> {
    const candidates = filesToStep(redo);
    if (candidates.length < 2) return candidates[0] ?? filesAtHand()[0];
    const items = candidates.map((uri) => ({ label: nameIn(uri), description: titleIn(uri, redo) ?? '', uri }));
    const title = redo ? 'Make the last change again in' : 'Undo the last change in';
    return (await vscode.window.showQuickPick(items, { title }))?.uri;
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
    const set = (key: string, redo: boolean): Thenable<unknown> =>
      vscode.commands.executeCommand('setContext', key, filesToStep(redo).length > 0);
    await Promise.all([set(UNDO_ON_DISK_CONTEXT, false), set(REDO_ON_DISK_CONTEXT, true)]);
  }

  const soon = (): void => {
    show().catch((error: unknown) => server.output.warn(`What can be undone on disk is not known: ${String(error)}`));
  };

  async function step(redo: boolean): Promise<void> {
    const uri = await fileToStep(redo);
    if (uri === undefined) return;
    const result = await stepOnDisk(server, uri, redo);
    if (result !== null) {
      histories.set(uri, { undo: result.undo, redo: result.redo });
      soon();
    }
    if (result === null || result.kind === 'problem') {
      const why = result?.message ?? 'The language server does not answer.';
      void vscode.window.showWarningMessage(`Auditable QA: ${why}`);
      return;
    }
    vscode.window.setStatusBarMessage(`${redo ? 'Made again' : 'Undone'} in ${nameIn(uri)}: ${result.title}`, TOLD_MS);
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
      histories.clear();
      soon();
    }),
    records.onDidChangeShowing(soon),
    vscode.window.onDidChangeActiveTextEditor(soon),
    vscode.window.tabGroups.onDidChangeTabs(soon),
    vscode.commands.registerCommand(COMMANDS.undoOnDisk, () => step(false)),
    vscode.commands.registerCommand(COMMANDS.redoOnDisk, () => step(true)),
  );
}
