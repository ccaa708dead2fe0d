/** Opening documents that show one record, and going from one to the next. */
import * as vscode from 'vscode';
import type { LocateParams, ProtocolRange, RecordAt, RecordAtParams, RecordParams } from '../../../schemas/protocol.ts';
import { LOCATE, RECORD_AT } from '../../../schemas/protocol.ts';
import type { ViewKind, ViewReadParams, ViewRefParams, ViewRefResult } from '../../../schemas/views.ts';
import { VIEW_RECORD, VIEW_REF, VIEW_SCHEME } from '../../../schemas/views.ts';
import type { Server } from '../server.ts';
import { refOf, viewUri } from './address.ts';

export function isViewAddress(uri: string): boolean {
  return uri.startsWith(`${VIEW_SCHEME}:`);
}

/** The record in its file that a document shows; null where the address is another one's, or the record is gone. */
export function recordInFile(server: Server, address: string): Promise<RecordParams | null> {
  if (!isViewAddress(address)) return Promise.resolve(null);
  return server.request<RecordParams>(VIEW_RECORD, { uri: address } satisfies ViewReadParams);
}

/** Opens a record of a file as a document. undefined: there is none; where it cannot be shown so, that is said. */
export async function openView(
  server: Server,
  kind: ViewKind,
  { uri, index }: RecordParams,
  options: vscode.TextDocumentShowOptions,
): Promise<vscode.TextEditor | undefined> {
  const params: ViewRefParams = { file: uri, index, kind };
  const result = await server.request<ViewRefResult>(VIEW_REF, params);
  if (result === null) return undefined;
  if (result.problem !== null) {
    void vscode.window.showWarningMessage(`Auditable QA: ${result.problem}`);
    return undefined;
  }
  return vscode.window.showTextDocument(viewUri(result.ref, result.title), options);
}

/** The document of a record; `range`: where what was looked for stands in it, null: it is not there. */
export interface ShownInView {
  readonly editor: vscode.TextEditor;
  readonly uri: string;
  readonly range: ProtocolRange | null;
}

/** A value of a record in the record's own document: where VS Code has no document of the file. */
export async function showInView(
  server: Server,
  { uri, index, pointer, inString }: LocateParams,
  options: vscode.TextDocumentShowOptions,
): Promise<ShownInView | undefined> {
  const editor = await openView(server, 'record', { uri, index }, options);
  if (editor === undefined) return undefined;
  const view = editor.document.uri.toString();
  const params: LocateParams = { uri: view, index, pointer, ...(inString && { inString }) };
  const range = await server.request<ProtocolRange>(LOCATE, params);
  return { editor, uri: view, range };
}

/** Opens the next or previous record of the file, in the same way and the same column as a document shows its own. */
export async function stepView(
  server: Server,
  address: string,
  by: 1 | -1,
  options: vscode.TextDocumentShowOptions,
): Promise<vscode.TextEditor | undefined> {
  const kind = refOf(vscode.Uri.parse(address, true))?.kind;
  const record = await recordInFile(server, address);
  const params: RecordAtParams = { uri: address, position: { line: 0, character: 0 } };
  const at = await server.request<RecordAt>(RECORD_AT, params);
  if (kind === undefined || record === null || at === null) return undefined;
  const index = record.index + by;
  if (index < 0 || index >= at.records) return undefined;
  return openView(server, kind, { ...record, index }, options);
}
