/** The record file behind the preview: its names, its editors, and showing a place in it. */
import * as vscode from 'vscode';
import type { ProtocolRange } from '../../../schemas/protocol.ts';
import { isViewAddress } from '../views/open.ts';

export function nameOf(uri: string): string {
  const { path } = vscode.Uri.parse(uri);
  return path.slice(path.lastIndexOf('/') + 1);
}

/** What the preview's tab says: the file, or the record that a document of its own shows. */
export function titleOf(uri: string): string {
  const name = nameOf(uri);
  return isViewAddress(uri) ? name.replace(/\.[^.]*$/u, '') : name;
}

export function visibleEditor(uri: string): vscode.TextEditor | undefined {
  const shows = (editor: vscode.TextEditor | undefined): boolean => editor?.document.uri.toString() === uri;
  const active = vscode.window.activeTextEditor;
  return shows(active) ? active : vscode.window.visibleTextEditors.find(shows);
}

/** The column where the file's tab is, else another one; never the preview's, which would be hidden. */
export function columnFor(uri: vscode.Uri, preview: vscode.ViewColumn | undefined): vscode.ViewColumn {
  for (const group of vscode.window.tabGroups.all) {
    if (group.viewColumn === preview) continue;
    const holds = group.tabs.some(
      (tab) => tab.input instanceof vscode.TabInputText && tab.input.uri.toString() === uri.toString(),
    );
    if (holds) {
      return group.viewColumn;
    }
  }
  return preview === vscode.ViewColumn.One ? vscode.ViewColumn.Two : vscode.ViewColumn.One;
}

/** Selects `range` where the document is shown, reopening it if need be. The focus stays in the preview. */
export async function showInEditor(
  document: vscode.TextDocument,
  range: ProtocolRange,
  preview: vscode.ViewColumn | undefined,
): Promise<void> {
  const selection = new vscode.Selection(range.start.line, range.start.character, range.end.line, range.end.character);
  const uri = document.uri.toString();
  const editor =
    vscode.window.visibleTextEditors.find((candidate) => candidate.document.uri.toString() === uri) ??
    (await vscode.window.showTextDocument(document, {
      viewColumn: columnFor(document.uri, preview),
      preserveFocus: true,
    }));
  editor.selection = selection;
  editor.revealRange(selection, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}
