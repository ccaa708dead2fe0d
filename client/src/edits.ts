import * as vscode from 'vscode';
import type { ProtocolRange } from '../../schemas/protocol.ts';

/** Makes replacements that the server gave, as one edit to undo. false: VS Code did not, as where the document was typed in. */
export function replaceIn(
  { uri }: vscode.TextDocument,
  edits: readonly { readonly range: ProtocolRange; readonly newText: string }[],
): Thenable<boolean> {
  const edit = new vscode.WorkspaceEdit();
  edit.set(
    uri,
    edits.map(({ range: { start, end }, newText }) => {
      const range = new vscode.Range(start.line, start.character, end.line, end.character);
      return vscode.TextEdit.replace(range, newText);
    }),
  );
  return vscode.workspace.applyEdit(edit);
}
