/** Opening record files inside the extension host, and waiting until everything about them is known. */
import assert from 'node:assert/strict';
import path from 'node:path';
import * as vscode from 'vscode';
import type { StatusParams } from '../../../schemas/protocol.ts';

interface Api {
  readonly ready: Promise<void>;
  readonly onDidChangeStatus: vscode.Event<StatusParams>;
}

/** The installed extension, active. */
export async function activated(): Promise<vscode.Extension<Api>> {
  const extension = vscode.extensions.getExtension<Api>('auditable-qa.auditable-qa');
  assert.ok(extension !== undefined, 'The extension is not installed.');
  await extension.activate();
  await extension.exports.ready;
  return extension;
}

/** Opens a new record file with this text and returns it once nothing about it is being computed any more. */
export async function openSettled(
  name: string,
  text: string,
): Promise<{ document: vscode.TextDocument; status: StatusParams }> {
  const { exports } = await activated();
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(folder !== undefined);
  const uri = vscode.Uri.joinPath(folder.uri, name);
  await vscode.workspace.fs.writeFile(uri, Buffer.from(text));
  const settled = new Promise<StatusParams>((resolve) => {
    const listener = exports.onDidChangeStatus((status) => {
      if (status.running || path.basename(vscode.Uri.parse(status.uri).path) !== path.basename(name)) return;
      listener.dispose();
      resolve(status);
    });
  });
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document);
  return { document, status: await settled };
}

/** Text of a file of the workspace. */
export async function textOf(name: string): Promise<string> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(folder !== undefined);
  return Buffer.from(await vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder.uri, name))).toString('utf8');
}

/** `code` and the text that each of our diagnostics of a document underlines, in the order of the file. */
export function underlinedBy(document: vscode.TextDocument): { code: string; line: number; text: string }[] {
  const found = vscode.languages.getDiagnostics(document.uri).filter(({ source }) => source === 'Auditable QA');
  found.sort((a, b) => a.range.start.compareTo(b.range.start));
  return found.map(({ code, range }) => ({
    code: String(typeof code === 'object' ? code.value : code),
    line: range.start.line + 1,
    text: document.getText(range),
  }));
}

/** Closes all editors; what was not saved is taken back. */
export async function closeAll(): Promise<void> {
  for (const document of vscode.workspace.textDocuments) {
    if (!document.isDirty) continue;
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  }
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
}
