/** Stepping through the run of a solution: a replay of its recorded steps, in the document that shows it. */
import * as vscode from 'vscode';
import type { StepsParams, StepsResult } from '../../../schemas/steps.ts';
import { STEPS } from '../../../schemas/steps.ts';
import { VIEW_SCHEME } from '../../../schemas/views.ts';
import { COMMANDS, STEPPING_CONTEXT } from '../ids.ts';
import type { Server } from '../server.ts';
import { mayRun } from '../trust.ts';
import { momentAt, stepLabel, stepText, variablesText } from './replay.ts';
import type { Moment } from './replay.ts';

interface Replay {
  readonly uri: string;
  readonly run: Extract<StepsResult, { kind: 'steps' }>;
  at: number;
}

/** Characters of the values beside a line. */
const BESIDE = 120;

export function registerStepping(context: vscode.ExtensionContext, server: Server): void {
  const currentLine = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor('editor.stackFrameHighlightBackground'),
    overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.infoForeground'),
    overviewRulerLane: vscode.OverviewRulerLane.Full,
    light: { gutterIconPath: arrow('#8a6100') },
    dark: { gutterIconPath: arrow('#ffcc00') },
    gutterIconSize: 'contain',
  });
  const valuesBeside = vscode.window.createTextEditorDecorationType({
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
  const status = vscode.window.createStatusBarItem('auditableQa.step', vscode.StatusBarAlignment.Left, 10);
  status.name = 'Auditable QA: step of a solution';
  status.command = COMMANDS.nextStep;
  let replay: Replay | undefined;

  async function start(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (editor?.document.uri.scheme !== VIEW_SCHEME) return;
    const uri = editor.document.uri.toString();
    if (replay?.uri === uri) return show(replay.at + 1);
    if (!(await mayRun())) return;
    const { version } = editor.document;
    const params: StepsParams = { uri };
    const run = await server.request<StepsResult>(STEPS, params);
    if (run === null || editor.document.version !== version) return;
    if (run.kind === 'problem') {
      void vscode.window.showInformationMessage(`Auditable QA: ${run.message}`);
      return;
    }
    stop();
    replay = { uri, run, at: 0 };
    server.showValues(editor.document.uri, false);
    void vscode.commands.executeCommand('setContext', STEPPING_CONTEXT, true);
    show(0);
  }

  function stop(): void {
    if (replay === undefined) return;
    for (const editor of editorsOf(replay.uri)) clear(editor);
    server.showValues(vscode.Uri.parse(replay.uri, true), true);
    replay = undefined;
    status.hide();
    void vscode.commands.executeCommand('setContext', STEPPING_CONTEXT, false);
  }

  function show(at: number): void {
    if (replay === undefined) return;
    const last = replay.run.steps.length - 1;
    replay.at = Math.min(Math.max(at, 0), last);
    const moment = momentAt(replay.run, replay.at);
    if (moment === undefined) return;
    status.text = `$(debug-step-over) ${stepText(moment)}`;
    status.tooltip = variablesMarkdown(moment);
    status.accessibilityInformation = { label: stepLabel(moment) };
    status.show();
    for (const editor of editorsOf(replay.uri)) decorate(editor, replay, moment);
    const line = rangeOf(replay, moment.line);
    const editor = vscode.window.activeTextEditor;
    if (line === undefined || editor?.document.uri.toString() !== replay.uri) return;
    // The cursor goes along: that is what screen readers read.
    editor.selection = new vscode.Selection(line.start, line.start);
    editor.revealRange(line, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }

  function decorate(editor: vscode.TextEditor, { run }: Replay, moment: Moment): void {
    const line = rangeOf({ run }, moment.line);
    if (line === undefined) return clear(editor);
    editor.setDecorations(currentLine, [{ range: line, hoverMessage: variablesMarkdown(moment) }]);
    const beside = new Map(moment.beside);
    const results = new Map<number, string>();
    if (moment.kind !== 'line')
      results.set(moment.line, `${moment.kind === 'return' ? '→' : '✗'} ${moment.value ?? ''}`);
    for (const number of results.keys()) if (!beside.has(number)) beside.set(number, []);
    editor.setDecorations(
      valuesBeside,
      [...beside].flatMap(([number, variables]) => {
        const range = rangeOf({ run }, number);
        if (range === undefined) return [];
        const text = [variablesText(variables, BESIDE), results.get(number) ?? '']
          .filter((part) => part !== '')
          .join('  ');
        const end = editor.document.lineAt(range.end.line).range.end;
        return [{ range: new vscode.Range(end, end), renderOptions: { after: besideStyle(text) } }];
      }),
    );
  }

  function clear(editor: vscode.TextEditor): void {
    editor.setDecorations(currentLine, []);
    editor.setDecorations(valuesBeside, []);
  }

  const step = (to: (now: Replay) => number) => (): void => {
    if (replay !== undefined) show(to(replay));
  };

  context.subscriptions.push(
    currentLine,
    valuesBeside,
    status,
    vscode.commands.registerCommand(COMMANDS.stepSolution, start),
    vscode.commands.registerCommand(
      COMMANDS.nextStep,
      step(({ at }) => at + 1),
    ),
    vscode.commands.registerCommand(
      COMMANDS.previousStep,
      step(({ at }) => at - 1),
    ),
    vscode.commands.registerCommand(
      COMMANDS.lastStep,
      step(({ run }) => run.steps.length - 1),
    ),
    vscode.commands.registerCommand(COMMANDS.stopStepping, stop),
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0 && document.uri.toString() === replay?.uri) stop();
    }),
    vscode.window.onDidChangeVisibleTextEditors(() => {
      if (replay === undefined) return;
      const editors = editorsOf(replay.uri);
      const moment = momentAt(replay.run, replay.at);
      if (editors.length === 0) stop();
      else if (moment !== undefined) for (const editor of editors) decorate(editor, replay, moment);
    }),
  );
}

function editorsOf(uri: string): readonly vscode.TextEditor[] {
  return vscode.window.visibleTextEditors.filter(({ document }) => document.uri.toString() === uri);
}

function rangeOf({ run }: Pick<Replay, 'run'>, line: number): vscode.Range | undefined {
  const range = run.lines[line - 1];
  if (range === undefined) return undefined;
  const { start, end } = range;
  return new vscode.Range(start.line, start.character, end.line, end.character);
}

/** As debuggers mark the line that is about to run. */
function arrow(color: string): vscode.Uri {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="${color}" d="M3 4h5l5 4-5 4H3z"/></svg>`;
  return vscode.Uri.parse(`data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`);
}

function besideStyle(contentText: string): vscode.ThemableDecorationAttachmentRenderOptions {
  return {
    contentText,
    color: new vscode.ThemeColor('editorCodeLens.foreground'),
    fontStyle: 'italic',
    margin: '0 0 0 2em',
  };
}

/** All variables, as code: record text never becomes markup. */
function variablesMarkdown({ variables, function: name, kind, value }: Moment): vscode.MarkdownString {
  const text = new vscode.MarkdownString();
  const lines = variables.map((variable) => `${variable.name} = ${variable.value}`);
  if (kind === 'return') lines.push(`return ${value ?? 'None'}`);
  if (kind === 'raise') lines.push(`raise ${value ?? ''}`);
  text.appendText(name === '' ? 'Variables' : `Variables of ${name}`);
  text.appendCodeblock(lines.length === 0 ? '# none yet' : lines.join('\n'), 'python');
  return text;
}
