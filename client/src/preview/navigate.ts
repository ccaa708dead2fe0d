/** What is chosen on the page, shown in the editor; and the way from record to record and from problem to problem. */
import * as vscode from 'vscode';
import type { LocateParams, ProtocolRange, TextSpan } from '../../../schemas/protocol.ts';
import { LOCATE } from '../../../schemas/protocol.ts';
import { documentOf } from '../large/documents.ts';
import { showRange } from '../records-view/deeds.ts';
import type { ProblemOrigin, ProblemSteps } from '../records-view/problems.ts';
import type { Server } from '../server.ts';
import { isViewAddress, openView, recordInFile, showInView, stepView } from '../views/open.ts';
import type { Follower } from './follow.ts';
import type { PreviewPanel } from './panel.ts';
import { columnFor, showInEditor, visibleEditor } from './record-file.ts';

export interface Navigation {
  select(index: number, pointer: string, inString?: TextSpan): Promise<void>;
  stepRecord(step: 1 | -1): Promise<void>;
  stepProblem(step: 1 | -1): Promise<void>;
  openDocument(page: number): Promise<void>;
  editSolution(index: number): Promise<void>;
}

export function createNavigation(
  server: Server,
  follower: Follower,
  problems: ProblemSteps,
  panelNow: () => PreviewPanel | null,
): Navigation {
  const locate = (params: LocateParams): Promise<ProtocolRange | null> => server.request<ProtocolRange>(LOCATE, params);
  /** Where the last problem was that was stepped to. */
  let last: ProblemOrigin | undefined;

  /**
   * A document of one record may not show all of it: what it does not show is shown in the file; where VS Code has no document of the
   * file, in the record's own one.
   */
  async function placeOf(
    params: LocateParams,
  ): Promise<{ readonly document: vscode.TextDocument; readonly range: ProtocolRange } | null> {
    const document = await documentOf(params.uri);
    if (document === null) {
      const shown = await showInView(server, params, { viewColumn: columnOf(params.uri), preserveFocus: true });
      return shown?.range ? { document: shown.editor.document, range: shown.range } : null;
    }
    const range = await locate(params);
    if (range !== null) return { document, range };
    const record = await recordInFile(server, params.uri);
    return record === null ? null : placeOf({ ...params, ...record });
  }

  /** The column beside the panel in which a document is shown, or will be. */
  function columnOf(uri: string): vscode.ViewColumn {
    return visibleEditor(uri)?.viewColumn ?? columnFor(vscode.Uri.parse(uri), panelNow()?.column);
  }

  /** The cursor where it is in the record that is shown; else where one was led last, else where the record begins. */
  async function origin(): Promise<ProblemOrigin | null> {
    const { shown, wanted } = follower;
    if (shown === null) return null;
    const { uri, index } = shown;
    const file = (await recordInFile(server, uri))?.uri ?? uri;
    if (wanted?.index !== null && last?.uri === uri && wanted?.index === index) return last;
    const active = visibleEditor(uri)?.selection.active;
    if (wanted?.index === null && active !== undefined) {
      return { uri, file, position: { line: active.line, character: active.character } };
    }
    const range = await locate({ uri, index, pointer: '' });
    return range && { uri, file, position: range.start };
  }

  return {
    async select(index, pointer, inString) {
      const { shown } = follower;
      if (shown === null) return;
      const place = await placeOf({ uri: shown.uri, index, pointer, ...(inString && { inString }) });
      if (place === null) {
        vscode.window.setStatusBarMessage('This place is not in the file any more.', 4000);
        return;
      }
      await showInEditor(place.document, place.range, panelNow()?.column);
    },

    async stepRecord(step) {
      const { shown } = follower;
      if (shown === null) return;
      const { uri, records } = shown;
      if (isViewAddress(uri)) {
        const opened = await stepView(server, uri, step, { viewColumn: columnOf(uri), preserveFocus: true });
        if (opened !== undefined) await follower.want({ uri: opened.document.uri.toString(), index: null });
        return;
      }
      const index = Math.min(records - 1, Math.max(0, shown.index + step));
      follower.wanted = { uri, index };
      const editor = visibleEditor(uri);
      const range = editor ? await locate({ uri, index, pointer: '' }) : null;
      if (editor && range) showRange(editor, range);
      await follower.refresh();
    },

    async stepProblem(step) {
      const from = await origin();
      const found = from && (await problems.step(from, step));
      if (!found) return;
      const { uri, index, pointer, range } = found;
      last = { uri, file: from.file, position: range.start };
      const isOther = isViewAddress(from.uri) && uri !== from.uri;
      if (isOther) {
        const opened = await openView(
          server,
          'record',
          { uri, index },
          { viewColumn: columnOf(from.uri), preserveFocus: true },
        );
        if (opened === undefined) return;
        const inView = await locate({ uri: opened.document.uri.toString(), index, pointer });
        if (inView !== null) {
          const view = opened.document.uri.toString();
          last = { uri: view, file: from.file, position: inView.start };
          problems.shownAs({ ...found, uri: view, range: inView });
          showRange(opened, inView);
        }
        await follower.want({ uri: opened.document.uri.toString(), index, pointer });
        return;
      }
      follower.wanted = { uri, index, pointer };
      const editor = visibleEditor(uri);
      if (editor) showRange(editor, range);
      await follower.refresh();
    },

    async openDocument(number) {
      const source = follower.shown?.pages.find((page) => page.number === number)?.source;
      if (source && source.kind !== 'missing') {
        await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(source.path), { preview: true });
      }
    },

    async editSolution(index) {
      const { shown } = follower;
      if (shown === null) return;
      const record = (await recordInFile(server, shown.uri)) ?? { uri: shown.uri, index };
      await openView(server, 'solution', record, { viewColumn: columnOf(shown.uri), preview: false });
    },
  };
}
