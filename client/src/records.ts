import * as vscode from 'vscode';
import type { CursorParams, LocateParams, ProtocolRange, RecordAt } from '../../schemas/protocol.ts';
import { CURSOR, LOCATE, RECORD_AT } from '../../schemas/protocol.ts';
import { COMMANDS, LANGUAGES } from './ids.ts';
import { activeWithoutDocument } from './large/documents.ts';
import type { Server } from './server.ts';
import { isViewAddress, stepView } from './views/open.ts';

/** The record that a command is about: what a lens named, else the one under the cursor of the active editor. */
export async function recordOf(
  server: Server,
  uri?: unknown,
  index?: unknown,
): Promise<{ uri: string; index: number } | null> {
  if (typeof uri === 'string' && typeof index === 'number') return { uri, index };
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) return askForRecord(server);
  const params = cursorOf(editor);
  const at = await server.request<RecordAt>(RECORD_AT, params);
  return at && { uri: params.uri, index: at.index };
}

/** In a file that VS Code has no document of, there is no cursor: the record is asked for by its number. */
async function askForRecord(server: Server): Promise<{ uri: string; index: number } | null> {
  const uri = activeWithoutDocument()?.toString();
  const params = uri && ({ uri, position: { line: 0, character: 0 } } satisfies CursorParams);
  const first = params && (await server.request<RecordAt>(RECORD_AT, params));
  if (!uri || !first) return null;
  const last = first.records;
  const isNumber = (text: string): boolean => /^\d+$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= last;
  const entered = await vscode.window.showInputBox({
    title: 'Which record?',
    prompt: `Its number, from 1 to ${last.toLocaleString('en')}. VS Code does not tell extensions where the cursor is in a file of this size.`,
    validateInput: (text) => (isNumber(text) ? undefined : `A number from 1 to ${last.toLocaleString('en')}`),
  });
  return entered === undefined ? null : { uri, index: Number(entered) - 1 };
}

/** Whether a document may hold records: a file, or what shows one record of it. */
export function isRecordDocument({ uri, languageId }: vscode.TextDocument): boolean {
  return isViewAddress(uri.toString()) || (LANGUAGES as readonly string[]).includes(languageId);
}

export function cursorOf(editor: vscode.TextEditor): CursorParams {
  const { line, character } = editor.selection.active;
  return { uri: editor.document.uri.toString(), position: { line, character } };
}

/** Next and previous record, and the server's knowledge of where the cursor is. */
export function registerRecords(context: vscode.ExtensionContext, server: Server): void {
  async function step(by: 1 | -1): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (editor === undefined) return;
    const cursor = cursorOf(editor);
    if (isViewAddress(cursor.uri)) {
      await stepView(server, cursor.uri, by, { viewColumn: editor.viewColumn ?? vscode.ViewColumn.Active });
      return;
    }
    const at = await server.request<RecordAt>(RECORD_AT, cursor);
    if (at === null) return;
    const index = Math.min(Math.max(at.index + by, 0), at.records - 1);
    const params: LocateParams = { uri: cursor.uri, index, pointer: '' };
    const range = await server.request<ProtocolRange>(LOCATE, params);
    if (range === null || index === at.index) return;
    const start = new vscode.Position(range.start.line, range.start.character);
    editor.selection = new vscode.Selection(start, start);
    editor.revealRange(new vscode.Range(start, start), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }

  context.subscriptions.push(
    vscode.commands.registerCommand(COMMANDS.nextRecord, () => step(1)),
    vscode.commands.registerCommand(COMMANDS.previousRecord, () => step(-1)),
    vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
      if (!isRecordDocument(textEditor.document)) return;
      server.notify(CURSOR, cursorOf(textEditor));
    }),
  );
}
