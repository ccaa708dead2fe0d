/** Where a picture of the preview is saved: asked for each time, beginning where the last one went. */
import * as vscode from 'vscode';
import { VIEW_SCHEME } from '../../../schemas/views.ts';

let lastFolder: vscode.Uri | undefined;

/** `recordFile`: beside it, as long as nothing was saved. undefined: the user would rather not. */
export async function askForFile(recordFile: string, name: string): Promise<vscode.Uri | undefined> {
  const file = vscode.Uri.parse(recordFile);
  const beside = file.scheme === VIEW_SCHEME ? vscode.workspace.workspaceFolders?.[0]?.uri : folderOf(file);
  const folder = lastFolder ?? beside;
  const target = await vscode.window.showSaveDialog({
    title: 'Save crop',
    filters: { 'PNG image': ['png'] },
    ...(folder && { defaultUri: vscode.Uri.joinPath(folder, name) }),
  });
  if (target !== undefined) lastFolder = folderOf(target);
  return target;
}

/** Whole or not at all: what was there before stays until the new picture is complete. */
export async function writePicture(target: vscode.Uri, bytes: Uint8Array): Promise<void> {
  const unfinished = vscode.Uri.joinPath(folderOf(target), `.${fileName(target)}.${process.pid}.tmp`);
  try {
    await vscode.workspace.fs.writeFile(unfinished, bytes);
    await vscode.workspace.fs.rename(unfinished, target, { overwrite: true });
  } catch (error) {
    await vscode.workspace.fs.delete(unfinished).then(undefined, () => undefined);
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${fileName(target)} was not saved: ${reason}`, { cause: error });
  }
}

export function fileName({ path }: vscode.Uri): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function folderOf(file: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(file, '..');
}
