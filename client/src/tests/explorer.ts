import * as vscode from 'vscode';
import { RECORD_FILES_CHANGED } from '../../../schemas/records.ts';
import type { SolutionsChangedParams } from '../../../schemas/solutions.ts';
import { SOLUTIONS_CHANGED } from '../../../schemas/solutions.ts';
import type { Server } from '../server.ts';
import type { Saver } from '../views/saving.ts';
import { createSolutionRuns } from './runs.ts';
import type { SolutionRuns } from './runs.ts';
import { createSolutionTree } from './tree.ts';

export interface SolutionTests {
  readonly controller: vscode.TestController;
  readonly run: SolutionRuns['start'];
}

/** Solutions as tests in the Test Explorer. Nothing is read before somebody looks at it, but for the files that are open. */
export function registerTests(context: vscode.ExtensionContext, server: Server, saver: Saver): SolutionTests {
  const controller = vscode.tests.createTestController('auditableQa', 'Auditable QA');
  const tree = createSolutionTree(controller, server);
  const runs = createSolutionRuns(controller, tree, server);
  const open = new Set<string>();

  controller.resolveHandler = (item) => (item === undefined ? tree.lookAround() : tree.resolve(item));
  controller.refreshHandler = async () => {
    await tree.lookAround();
    for (const { uri } of tree.files()) await tree.update(uri);
  };
  controller.createRunProfile('Run', vscode.TestRunProfileKind.Run, runs.start, true, undefined, true);

  context.subscriptions.push(
    controller,
    runs,
    server.onDidChangeStatus(({ uri, running, solutions }) => {
      const isFile = vscode.Uri.parse(uri).scheme === 'file';
      if (running || !isFile || open.has(uri) || solutions.total === 0) return;
      open.add(uri);
      tree.opened(uri, solutions.total);
    }),
    server.onNotification<SolutionsChangedParams>(SOLUTIONS_CHANGED, ({ uri }) => void tree.update(uri)),
    server.onNotification(RECORD_FILES_CHANGED, () => tree.filesChanged()),
    server.onDidStart(() => {
      open.clear();
      tree.restarted();
    }),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => {
      if (open.delete(uri.toString())) tree.closed(uri.toString());
    }),
    vscode.workspace.onDidSaveTextDocument(({ uri }) => runs.saved(uri.toString())),
    saver.onDidSave((file) => runs.saved(file)),
  );
  return { controller, run: runs.start };
}
