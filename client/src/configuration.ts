import * as vscode from 'vscode';
import type { ConfigurationParams, ConfigurationProposal } from '../../schemas/protocol.ts';
import { CONFIGURATION } from '../../schemas/protocol.ts';
import { COMMANDS } from './ids.ts';
import type { Server } from './server.ts';

/** "Create configuration": writes what was recognised for the active file. A file that is there is opened, never replaced. */
export function registerConfiguration(context: vscode.ExtensionContext, server: Server): void {
  async function create(): Promise<void> {
    const uri = vscode.window.activeTextEditor?.document.uri.toString();
    if (uri === undefined) return;
    const params: ConfigurationParams = { uri };
    const proposal = await server.request<ConfigurationProposal>(CONFIGURATION, params);
    if (proposal === null) {
      void vscode.window.showInformationMessage('Auditable QA: no profile fits this file, so nothing was recognised.');
      return;
    }
    const target = vscode.Uri.parse(proposal.uri);
    if (await exists(target)) {
      void vscode.window.showInformationMessage(
        'Auditable QA: the configuration is there already; it was left as it is.',
      );
    } else {
      await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(proposal.content));
    }
    await vscode.window.showTextDocument(target);
  }
  context.subscriptions.push(vscode.commands.registerCommand(COMMANDS.createConfiguration, create));
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}
