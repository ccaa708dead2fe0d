/** Large record files in the active tab: what VS Code does not do with them is said once, and what works all the same. */
import * as vscode from 'vscode';
import { SHOWN_FROM_DISK } from '../../../schemas/disk.ts';
import type { ShownFromDiskParams } from '../../../schemas/disk.ts';
import { LARGE_FILE_BYTES } from '../../../schemas/protocol.ts';
import type { StatusParams } from '../../../schemas/protocol.ts';
import { COMMANDS } from '../ids.ts';
import type { Server } from '../server.ts';
import { activeUri, activeWithoutDocument, isRecordFileName, sizeOf } from './documents.ts';

/** Above this size VS Code colours nothing and is slow, in bytes. */
export const SLOW_FILE_BYTES = 20 * 1024 * 1024;

const TOLD = 'auditableQa.toldLargeFiles';
const SILENT = 'auditableQa.noLargeFileNotice';

const OPEN = 'Open in Records view';
const NEVER = 'Don’t show again';

export type NoticeOf = (name: string, bytes: number) => string | undefined;

/** What is said of a file of records; undefined: it is not large. */
export const noticeOf: NoticeOf = (name, bytes) => {
  const megabytes = Math.round(bytes / 1024 / 1024);
  if (bytes > LARGE_FILE_BYTES) {
    return `${name} has ${megabytes} MB, and VS Code does not hand files over 50 MB to extensions: nothing is marked in the text. The Records view works on it from disk: records, findings, fixes, evidence and solutions.`;
  }
  if (bytes > SLOW_FILE_BYTES) {
    return `${name} has ${megabytes} MB: VS Code colours no text of files over 20 MB and is slow in them. The Records view shows its records one by one.`;
  }
  return undefined;
};

export function registerLargeFiles(context: vscode.ExtensionContext, server: Server): void {
  /** Files that a profile fits. */
  const fitting = new Set<string>();
  const being = new Set<string>();
  let told: string | null = null;

  /** The server tells how it is about the file of the active tab, as it does about documents. */
  function tellServer(): void {
    const uri = activeWithoutDocument()?.toString() ?? null;
    if (uri === told) return;
    told = uri;
    server.notify(SHOWN_FROM_DISK, { uri } satisfies ShownFromDiskParams);
  }

  async function look(): Promise<void> {
    tellServer();
    const address = activeUri();
    const uri = address?.toString();
    if (address === undefined || uri === undefined || !isRecordFileName(address)) return;
    if (!fitting.has(uri) || being.has(uri) || context.globalState.get(SILENT, false)) return;
    const known = context.workspaceState.get<readonly string[]>(TOLD, []);
    if (known.includes(uri)) return;
    being.add(uri);
    const text = noticeOf(address.path.slice(address.path.lastIndexOf('/') + 1), await sizeOf(address));
    if (text === undefined) {
      being.delete(uri);
      return;
    }
    await context.workspaceState.update(TOLD, [...context.workspaceState.get<readonly string[]>(TOLD, []), uri]);
    const answer = await vscode.window.showInformationMessage(`Auditable QA: ${text}`, OPEN, NEVER);
    if (answer === OPEN) await vscode.commands.executeCommand(COMMANDS.showInRecords, uri);
    if (answer === NEVER) await context.globalState.update(SILENT, true);
  }

  const soon = (): void => {
    look().catch((error: unknown) => server.output.warn(`The size of a file could not be told: ${String(error)}`));
  };

  context.subscriptions.push(
    server.onDidChangeStatus(({ uri, profile }: StatusParams) => {
      const address = vscode.Uri.parse(uri).toString();
      if (profile === null) fitting.delete(address);
      else if (!fitting.has(address)) {
        fitting.add(address);
        soon();
      }
    }),
    server.onDidStart(() => {
      told = null;
      soon();
    }),
    vscode.window.onDidChangeActiveTextEditor(soon),
    vscode.window.tabGroups.onDidChangeTabs(soon),
    vscode.window.tabGroups.onDidChangeTabGroups(soon),
  );
  soon();
}
