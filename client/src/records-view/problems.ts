/** Next and previous problem: through the file, or through the list of the Records view where it is in sight. */
import * as vscode from 'vscode';
import type { CursorParams, LocateParams, ProtocolRange } from '../../../schemas/protocol.ts';
import { LOCATE } from '../../../schemas/protocol.ts';
import type { ProblemStep, ProblemStepParams } from '../../../schemas/records.ts';
import { PROBLEM_STEP } from '../../../schemas/records.ts';
import { VIEW_SCHEME } from '../../../schemas/views.ts';
import { COMMANDS } from '../ids.ts';
import { activeWithoutDocument } from '../large/documents.ts';
import { cursorOf } from '../records.ts';
import type { Server } from '../server.ts';
import { refOf } from '../views/address.ts';
import { showPlace, showRange } from './deeds.ts';
import type { RecordsView } from './host.ts';

const TOLD_MS = 10_000;

/** Where one steps from. */
export interface ProblemOrigin extends CursorParams {
  /** The record file; the same as `uri` but for documents that show one record. */
  readonly file: string;
}

export interface ProblemSteps {
  /** The problem after a place (or before it); null: there is none. It is told in the status bar. */
  step(from: ProblemOrigin, by: 1 | -1): Promise<ProblemStep | null>;
  /** It was shown in another document than the file. */
  shownAs(step: ProblemStep): void;
}

export function createProblemSteps(server: Server, view: RecordsView): ProblemSteps {
  let last: ProblemStep | undefined;

  return {
    async step({ uri, position, file }, by) {
      const { showing } = view;
      const params: ProblemStepParams = {
        uri,
        position,
        by,
        ...(showing?.uri === file && { within: { filter: showing.filter, order: showing.order } }),
        ...(last?.uri === uri && { last: last.fingerprint }),
      };
      const found = await server.request<ProblemStep>(PROBLEM_STEP, params);
      if (found === null) {
        vscode.window.setStatusBarMessage('No problem here.', TOLD_MS);
        return null;
      }
      last = found;
      const { number, of, severity, code, message } = found;
      const told = `Problem ${number} of ${of}: ${severity}, ${code}: ${oneLine(message)}`;
      vscode.window.setStatusBarMessage(told, TOLD_MS);
      return found;
    },
    shownAs: (step) => void (last = step),
  };
}

export function registerProblems(
  context: vscode.ExtensionContext,
  server: Server,
  view: RecordsView,
  steps: ProblemSteps,
): void {
  async function step(by: 1 | -1): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    const from = editor && isRecords(editor.document) ? cursorOf(editor) : undefined;
    const uri = from?.uri ?? view.showing?.uri ?? activeWithoutDocument()?.toString();
    if (uri === undefined) return;
    const file = editor && from ? (refOf(editor.document.uri)?.file ?? uri) : uri;
    const found = await steps.step({ uri, position: from?.position ?? { line: 0, character: 0 }, file }, by);
    if (found !== null) steps.shownAs(await show(found, editor));
  }

  /** In the kind of document that the editor shows; gives the step as it lies there. */
  async function show(found: ProblemStep, editor: vscode.TextEditor | undefined): Promise<ProblemStep> {
    const here = editor?.document.uri;
    if (editor !== undefined && here?.toString() === found.uri) {
      showRange(editor, found.range);
      return found;
    }
    const kind = here?.scheme === VIEW_SCHEME ? refOf(here)?.kind : undefined;
    if (kind === undefined) {
      return showPlace(server, found, false);
    }
    const command = kind === 'record' ? COMMANDS.editRecord : COMMANDS.editSolution;
    await vscode.commands.executeCommand(command, found.uri, found.index);
    const opened = vscode.window.activeTextEditor;
    if (opened?.document.uri.scheme !== VIEW_SCHEME) return found;
    const uri = opened.document.uri.toString();
    const params: LocateParams = { uri, index: found.index, pointer: found.pointer };
    const range = await server.request<ProtocolRange>(LOCATE, params);
    if (range === null) return found;
    showRange(opened, range);
    return { ...found, uri, range };
  }

  context.subscriptions.push(
    vscode.commands.registerCommand(COMMANDS.nextProblem, () => step(1)),
    vscode.commands.registerCommand(COMMANDS.previousProblem, () => step(-1)),
  );
}

/** What the server is asked about: files, and documents that show one record. */
function isRecords({ uri, languageId }: vscode.TextDocument): boolean {
  return uri.scheme === VIEW_SCHEME || (uri.scheme === 'file' && /^jsonl?$/.test(languageId));
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').slice(0, 200);
}
