/** What is done in the editor with one record of the Records view. */
import * as vscode from 'vscode';
import type { ProtocolRange } from '../../../schemas/protocol.ts';
import type { FromRecordsPage } from '../../../schemas/records-page.ts';
import type { RecordPlace, RecordPlaceParams } from '../../../schemas/records.ts';
import { RECORD_PLACE } from '../../../schemas/records.ts';
import { COMMANDS } from '../ids.ts';
import { documentOf } from '../large/documents.ts';
import type { Server } from '../server.ts';
import { showInView } from '../views/open.ts';

type Deed = Extract<FromRecordsPage, { readonly type: 'do' }>;

export async function doDeed(server: Server, { deed, uri, key, pointer, keepFocus }: Deed): Promise<void> {
  const params: RecordPlaceParams = { uri, key, ...(pointer !== undefined && { pointer }) };
  const place = await server.request<RecordPlace>(RECORD_PLACE, params);
  if (place === null) {
    vscode.window.setStatusBarMessage('This record is not in the file any more.', 4000);
    return;
  }
  const { index } = place;
  switch (deed) {
    case 'open':
      await showPlace(server, place, keepFocus === true);
      return;
    case 'preview':
      await vscode.commands.executeCommand(COMMANDS.previewEvidence, uri, index);
      return;
    case 'edit':
      await vscode.commands.executeCommand(COMMANDS.editRecord, uri, index);
      return;
    case 'solution':
      await vscode.commands.executeCommand(COMMANDS.editSolution, uri, index);
      return;
  }
}

/**
 * Opens the file with the cursor at the start of a range; where VS Code has no document of it, the record's own document.
 * @returns where the place is shown
 */
export async function showPlace<P extends RecordPlace>(server: Server, place: P, preserveFocus: boolean): Promise<P> {
  const document = await documentOf(place.uri);
  if (document === null) {
    const shown = await showInView(server, place, { preserveFocus, preview: false });
    if (shown === undefined || shown.range === null) return place;
    showRange(shown.editor, shown.range);
    return { ...place, uri: shown.uri, range: shown.range };
  }
  const editor = await vscode.window.showTextDocument(document, { preserveFocus, preview: false });
  showRange(editor, place.range);
  return place;
}

/** Only the start is selected: the range may be a line of a megabyte. */
export function showRange(editor: vscode.TextEditor, { start }: ProtocolRange): void {
  const at = new vscode.Position(start.line, start.character);
  editor.selection = new vscode.Selection(at, at);
  editor.revealRange(new vscode.Range(at, at), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}
