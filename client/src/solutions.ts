import * as vscode from 'vscode';
import type { RecordParams, RunAllParams, RunAllResult, SolutionOutcome } from '../../schemas/protocol.ts';
import { RUN_ALL, RUN_SOLUTION } from '../../schemas/protocol.ts';
import { COMMANDS } from './ids.ts';
import { activeUri } from './large/documents.ts';
import { outcomeText } from './outcome-text.ts';
import { recordOf } from './records.ts';
import type { Server } from './server.ts';
import { mayRun } from './trust.ts';

/** Running solutions by hand: one record's, or all of the active file. */
export function registerSolutions(context: vscode.ExtensionContext, server: Server): void {
  async function runSolution(uri?: unknown, index?: unknown): Promise<void> {
    if (!(await mayRun())) return;
    const record = await recordOf(server, uri, index);
    if (record === null) return;
    const params: RecordParams = record;
    const outcome = await server.request<SolutionOutcome>(RUN_SOLUTION, params);
    const text = outcomeText(record.index, outcome);
    server.output.info(text);
    if (outcome !== null && outcome.stdout !== '') server.output.info(`printed:\n${outcome.stdout}`);
    vscode.window.setStatusBarMessage(text, 10_000);
  }

  async function runAllSolutions(): Promise<void> {
    if (!(await mayRun())) return;
    const uri = activeUri()?.toString();
    if (uri === undefined) return;
    const params: RunAllParams = { uri };
    const result = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title: 'Running all solutions', cancellable: true },
      (_progress, token) => server.request<RunAllResult>(RUN_ALL, params, token),
    );
    if (result === null) return;
    const { run, passed, failed, skipped } = result;
    const text = `${run} solutions run: ${passed} yield the gold, ${failed} differ or fail, ${skipped} skipped.`;
    server.output.info(text);
    void vscode.window.showInformationMessage(`Auditable QA: ${text}`);
  }

  context.subscriptions.push(
    vscode.commands.registerCommand(COMMANDS.runSolution, runSolution),
    vscode.commands.registerCommand(COMMANDS.runAllSolutions, runAllSolutions),
  );
}
