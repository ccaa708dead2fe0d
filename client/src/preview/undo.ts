/** Undo and redo from the page: VS Code's own, which work on the document of the text editor that has the focus. */
import * as vscode from 'vscode';
import type { PreviewPanel } from './panel.ts';
import { columnFor, visibleEditor } from './record-file.ts';

/**
 * Undoes the last change of a document, whoever made it, and gives the focus back to the panel. An editor that has to be opened for it is
 * closed again where the document has another tab, or nothing that is not saved.
 * @returns where the change was; undefined: there was none to be undone.
 */
export async function undoIn(
  document: vscode.TextDocument,
  redo: boolean,
  panel: PreviewPanel | null,
): Promise<vscode.Position | undefined> {
  let place: vscode.Position | undefined;
  const listener = vscode.workspace.onDidChangeTextDocument(({ document: other, contentChanges }) => {
    if (other === document) place ??= contentChanges[0]?.range.start;
  });
  const column = visibleEditor(document.uri.toString())?.viewColumn ?? columnFor(document.uri, panel?.column);
  const tabs = new Set(tabsOf(document));
  try {
    await vscode.window.showTextDocument(document, { viewColumn: column, preserveFocus: false });
    await vscode.commands.executeCommand(redo ? 'redo' : 'undo');
  } finally {
    listener.dispose();
    await panel?.focus();
  }
  const opened = tabsOf(document).filter((tab) => !tabs.has(tab));
  if (opened.length > 0 && (tabs.size > 0 || !document.isDirty)) await vscode.window.tabGroups.close(opened, true);
  return place;
}

function tabsOf({ uri }: vscode.TextDocument): vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap(({ tabs }) =>
    tabs.filter(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString()),
  );
}
