import * as vscode from 'vscode';
import type { LocateParams, ProtocolRange } from '../../../schemas/protocol.ts';
import { LOCATE } from '../../../schemas/protocol.ts';
import type { ViewKind } from '../../../schemas/views.ts';
import { COMMANDS } from '../ids.ts';
import { documentOf } from '../large/documents.ts';
import { recordOf } from '../records.ts';
import type { Server } from '../server.ts';
import { openView, recordInFile } from './open.ts';

/** "Edit record" and "Edit solution", and the way back to the record's place in its file. */
export function registerViewCommands(context: vscode.ExtensionContext, server: Server): void {
  async function open(kind: ViewKind, uri: unknown, index: unknown): Promise<void> {
    const record = await recordOf(server, uri, index);
    if (record === null) return;
    const { uri: file, index: at } = (await recordInFile(server, record.uri)) ?? record;
    await openView(server, kind, { uri: file, index: at }, { preview: false });
  }

  async function showInFile(): Promise<void> {
    const address = vscode.window.activeTextEditor?.document.uri.toString();
    const record = address === undefined ? null : await recordInFile(server, address);
    if (record === null) return;
    const params: LocateParams = { ...record, pointer: '' };
    const file = vscode.Uri.parse(record.uri, true);
    const document = await documentOf(record.uri);
    if (document === null) {
      // No extension has the text, but the editor shows it.
      const place = await server.request<ProtocolRange>(LOCATE, params);
      const line = place?.start.line ?? 0;
      await vscode.commands.executeCommand('vscode.open', file, { selection: new vscode.Range(line, 0, line, 0) });
      return;
    }
    const editor = await vscode.window.showTextDocument(document);
    const range = await server.request<ProtocolRange>(LOCATE, params);
    if (range === null) return;
    const start = new vscode.Position(range.start.line, range.start.character);
    editor.selection = new vscode.Selection(start, start);
    editor.revealRange(new vscode.Range(start, start), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }

  context.subscriptions.push(
    vscode.commands.registerCommand(COMMANDS.showInFile, showInFile),
    vscode.commands.registerCommand(COMMANDS.editRecord, (uri?: unknown, index?: unknown) =>
      open('record', uri, index),
    ),
    vscode.commands.registerCommand(COMMANDS.editSolution, (uri?: unknown, index?: unknown) =>
      open('solution', uri, index),
    ),
  );
}
