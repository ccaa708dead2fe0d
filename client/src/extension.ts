import * as vscode from 'vscode';
import type { StatusParams } from '../../schemas/protocol.ts';
import { registerAcceptance } from './acceptance.ts';
import { registerBulk } from './bulk/commands.ts';
import { registerConfiguration } from './configuration.ts';
import { registerDiskUndo } from './large/disk-undo.ts';
import { registerLargeFiles } from './large/notice.ts';
import { registerFindEvidence } from './evidence/find.ts';
import { COMMANDS } from './ids.ts';
import { registerPreview } from './preview/host.ts';
import type { Preview } from './preview/host.ts';
import { registerRecords } from './records.ts';
import { registerRecordTriage } from './records-view/commands.ts';
import { registerRulePages } from './rule-pages.ts';
import { createServer } from './server.ts';
import type { Server } from './server.ts';
import { registerSolutions } from './solutions.ts';
import { registerStepping } from './solutions/stepping.ts';
import { registerStatus } from './status.ts';
import { registerTests } from './tests/explorer.ts';
import type { SolutionTests } from './tests/explorer.ts';
import { registerViewCommands } from './views/commands.ts';
import { registerViewFiles } from './views/file-system.ts';
import { createSaver } from './views/saving.ts';
import { registerSolutionFiles } from './views/solution-files.ts';

/** What `activate` returns, for tests. */
export interface Api {
  /** Settled when the language server answers. */
  readonly ready: Promise<void>;
  readonly onDidChangeStatus: vscode.Event<StatusParams>;
  readonly tests: SolutionTests;
  readonly preview: Preview;
}

let server: Server | undefined;

export function activate(context: vscode.ExtensionContext): Api {
  const started = createServer(context);
  server = started;
  registerStatus(context, started);
  registerRecords(context, started);
  const { problems, view } = registerRecordTriage(context, started);
  registerLargeFiles(context, started);
  registerDiskUndo(context, started, view);
  registerBulk(context, started, view);
  const saver = createSaver(started);
  registerViewFiles(context, started, saver);
  registerSolutionFiles(context, started, saver);
  const tests = registerTests(context, started, saver);
  registerViewCommands(context, started);
  registerSolutions(context, started);
  registerStepping(context, started);
  registerRulePages(context, started);
  registerConfiguration(context, started);
  registerAcceptance(context, started);
  registerFindEvidence(context, started);
  const preview = registerPreview(context, started, problems);
  context.subscriptions.push(
    vscode.commands.registerCommand(COMMANDS.showOutput, () => started.output.show()),
    vscode.commands.registerCommand(COMMANDS.restartServer, () => started.restart()),
  );
  const ready = started.start().catch((error: unknown) => started.output.error(String(error)));
  return { ready, onDidChangeStatus: started.onDidChangeStatus, tests, preview };
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}
