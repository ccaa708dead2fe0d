/** Citing what was found, and taking citations out again. */
import * as vscode from 'vscode';
import type { Citable, CiteParams, CiteResult } from '../../../schemas/search.ts';
import { CITE } from '../../../schemas/search.ts';
import { replaceIn } from '../edits.ts';
import { stepOnDisk } from '../large/disk-undo.ts';
import type { Server } from '../server.ts';
import { applyToFile } from '../views/saving.ts';

export interface RecordAddress {
  readonly uri: string;
  /** 0-based. */
  readonly index: number;
}

/** An edit is asked for anew when its document was typed in meanwhile. */
const TRIES = 5;

/** Cites, or takes a citation out; says on the screen what was done, or why it could not be. */
export async function cite(server: Server, record: RecordAddress, target: Citable, remove: boolean): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    const open = vscode.workspace.textDocuments;
    const dirty = open.filter(({ isDirty }) => isDirty).map(({ uri }) => uri.toString());
    const params: CiteParams = { ...record, target, remove, dirty };
    const result = await server.request<CiteResult>(CITE, params);
    if (result === null || result.kind === 'problem') {
      const why = result?.message ?? 'The language server does not answer.';
      void vscode.window.showWarningMessage(`Auditable QA: ${why}`);
      return;
    }
    if (result.kind === 'written') {
      void offerUndo(server, result.uri, remove, result.name);
      return;
    }
    if (await make(result, record.uri)) {
      vscode.window.setStatusBarMessage(`${remove ? 'Citation removed' : 'Cited'}: ${result.name}`, 5000);
      return;
    }
  }
  void vscode.window.showWarningMessage('Auditable QA: The document is being changed all the time: try again.');
}

/** false: the document was typed in meanwhile. */
async function make({ uri, version, edits }: Extract<CiteResult, { kind: 'edits' }>, asked: string): Promise<boolean> {
  const address = vscode.Uri.parse(uri, true);
  // Asked for in the solution's document, the file is saved like the solution would be.
  if (address.scheme === 'file' && vscode.Uri.parse(asked, true).scheme !== 'file') {
    return applyToFile({ file: uri, version, edits });
  }
  const document = await vscode.workspace.openTextDocument(address);
  if (document.version !== version) return false;
  return replaceIn(document, edits);
}

/** A file that no editor shows has no undo of its own. */
async function offerUndo(server: Server, uri: string, remove: boolean, name: string): Promise<void> {
  const file = vscode.workspace.asRelativePath(vscode.Uri.parse(uri, true));
  const undo = 'Undo';
  const done = remove ? `The citation of ${name} was removed` : `${name} is cited`;
  if ((await vscode.window.showInformationMessage(`Auditable QA: ${done} in ${file}.`, undo)) !== undo) return;
  const result = await stepOnDisk(server, uri, false);
  if (result?.kind === 'done') return;
  void vscode.window.showWarningMessage(`Auditable QA: ${result?.message ?? 'The language server does not answer.'}`);
}
