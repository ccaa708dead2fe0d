import * as vscode from 'vscode';
import type { LocateParams, ProtocolRange, RecordParams } from '../../../schemas/protocol.ts';
import { LOCATE } from '../../../schemas/protocol.ts';
import type { ViewKind, ViewReadParams, ViewRefParams, ViewRefResult } from '../../../schemas/views.ts';
import { VIEW_RECORD, VIEW_REF, VIEW_SCHEME } from '../../../schemas/views.ts';
import { COMMANDS } from '../ids.ts';
import { recordOf } from '../records.ts';
import type { Server } from '../server.ts';
import { viewUri } from './address.ts';

/** "Edit record" and "Edit solution", and the way back to the record's place in its file. */
export function registerViewCommands(context: vscode.ExtensionContext, server: Server): void {
  async function open(kind: ViewKind, uri: unknown, index: unknown): Promise<void> {
    const record = await recordOf(server, uri, index);
    if (record === null) return;
    const { uri: file, index: at } = (await inFile(record.uri)) ?? record;
    const params: ViewRefParams = { file, index: at, kind };
    const result = await server.request<ViewRefResult>(VIEW_REF, params);
    if (result === null) return;
    if (result.problem !== null) {
      void vscode.window.showWarningMessage(`Auditable QA: ${result.problem}`);
      return;
    }
    await vscode.window.showTextDocument(viewUri(result.ref, result.title), { preview: false });
  }

  /** The record in its file that a document shows; null where the address is another one's. */
  function inFile(address: string): Promise<RecordParams | null> {
    if (vscode.Uri.parse(address).scheme !== VIEW_SCHEME) return Promise.resolve(null);
    return server.request<RecordParams>(VIEW_RECORD, { uri: address } satisfies ViewReadParams);
  }

  async function showInFile(): Promise<void> {
    const address = vscode.window.activeTextEditor?.document.uri.toString();
    const record = address === undefined ? null : await inFile(address);
    if (record === null) return;
    const params: LocateParams = { ...record, pointer: '' };
    const editor = await vscode.window.showTextDocument(vscode.Uri.parse(record.uri, true));
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
