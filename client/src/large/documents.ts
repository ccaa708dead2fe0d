/**
 * Documents of record files, where VS Code has them: it hands no text over 50 MB to extensions. Files without one are worked on by the
 * server, from disk; what is edited in them is edited there (schemas/disk.ts), or in the documents that show one record.
 */
import * as vscode from 'vscode';
import { LARGE_FILE_BYTES } from '../../../schemas/protocol.ts';

/** The document, opened if it was closed; null: VS Code does not hand it over. Rejects with words for people where there is no file. */
export async function documentOf(uri: string): Promise<vscode.TextDocument | null> {
  const address = vscode.Uri.parse(uri);
  const wanted = address.toString();
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === wanted);
  // One that is shown may have fewer characters than bytes.
  if (open !== undefined) return open;
  if ((await sizeOf(address)) > LARGE_FILE_BYTES) return null;
  try {
    return await vscode.workspace.openTextDocument(address);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (/50\s?MB/u.test(message)) return null;
    throw new Error(await whyNot(address, message), { cause: error });
  }
}

/** In bytes; 0: it is no file on a disk, or is gone. */
export async function sizeOf(address: vscode.Uri): Promise<number> {
  if (address.scheme !== 'file') return 0;
  try {
    return (await vscode.workspace.fs.stat(address)).size;
  } catch {
    return 0;
  }
}

async function whyNot(address: vscode.Uri, message: string): Promise<string> {
  const name = address.path.slice(address.path.lastIndexOf('/') + 1);
  try {
    await vscode.workspace.fs.stat(address);
  } catch {
    return `${name} is not there any more.`;
  }
  return `${name} could not be opened: ${message}`;
}

/** What the active tab shows, also where VS Code has no document of it: text editors only. */
export function activeUri(): vscode.Uri | undefined {
  const editor = vscode.window.activeTextEditor;
  if (editor !== undefined) return editor.document.uri;
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputText ? input.uri : undefined;
}

/** The file of the active tab that VS Code has no document of, if it may be one of records; told by its name. */
export function activeWithoutDocument(): vscode.Uri | undefined {
  if (vscode.window.activeTextEditor !== undefined) return undefined;
  const uri = activeUri();
  return uri !== undefined && isRecordFileName(uri) ? uri : undefined;
}

export function isRecordFileName({ scheme, path }: vscode.Uri): boolean {
  return scheme === 'file' && /\.(?:jsonl|ndjson|json)$/i.test(path);
}
