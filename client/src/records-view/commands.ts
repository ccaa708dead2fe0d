import * as vscode from 'vscode';
import type { RecordParams } from '../../../schemas/protocol.ts';
import type { RecordAction } from '../../../schemas/records-page.ts';
import type { ViewReadParams } from '../../../schemas/views.ts';
import { VIEW_RECORD, VIEW_SCHEME } from '../../../schemas/views.ts';
import { COMMANDS } from '../ids.ts';
import { activeWithoutDocument } from '../large/documents.ts';
import { recordOf } from '../records.ts';
import type { Server } from '../server.ts';
import { registerRecordsView } from './host.ts';
import type { RecordsView } from './host.ts';
import { createProblemSteps, registerProblems } from './problems.ts';
import type { ProblemSteps } from './problems.ts';

/** The Records view with its commands, and the way from problem to problem. */
export function registerRecordTriage(
  context: vscode.ExtensionContext,
  server: Server,
): { readonly problems: ProblemSteps; readonly view: RecordsView } {
  const view = registerRecordsView(context, server);
  const problems = createProblemSteps(server, view);
  registerProblems(context, server, view, problems);

  async function showInRecords(uri?: unknown, index?: unknown): Promise<void> {
    const file = typeof uri === 'string' && index === undefined ? uri : activeWithoutDocument()?.toString();
    if (file !== undefined && index === undefined) {
      await view.show(file, null);
      return;
    }
    const record = await recordOf(server, uri, index);
    const isView = record !== null && vscode.Uri.parse(record.uri).scheme === VIEW_SCHEME;
    const inFile = isView
      ? await server.request<RecordParams>(VIEW_RECORD, { uri: record.uri } satisfies ViewReadParams)
      : record;
    await view.show(inFile?.uri ?? null, inFile?.index ?? null);
  }

  const acts = (action: RecordAction) => () => view.act(action);
  context.subscriptions.push(
    vscode.commands.registerCommand(COMMANDS.showInRecords, showInRecords),
    vscode.commands.registerCommand(COMMANDS.openChosen, acts('open')),
    vscode.commands.registerCommand(COMMANDS.previewChosen, acts('preview')),
    vscode.commands.registerCommand(COMMANDS.editChosen, acts('edit')),
    vscode.commands.registerCommand(COMMANDS.editChosenSolution, acts('solution')),
    vscode.commands.registerCommand(COMMANDS.fixChosen, acts('fix')),
    vscode.commands.registerCommand(COMMANDS.acceptChosen, acts('accept')),
    vscode.commands.registerCommand(COMMANDS.runChosen, acts('run')),
    vscode.commands.registerCommand(COMMANDS.copyChosenId, acts('copyId')),
    vscode.commands.registerCommand(COMMANDS.filterRecords, acts('search')),
  );
  return { problems, view };
}
