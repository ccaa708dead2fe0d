import * as vscode from 'vscode';
import type { ConfigurationParams, ConfigurationProposal } from '../../schemas/protocol.ts';
import { CONFIGURATION } from '../../schemas/protocol.ts';
import type { CoordinateReading } from '../../schemas/regions.ts';
import { COMMANDS } from './ids.ts';
import { activeUri } from './large/documents.ts';
import type { Server } from './server.ts';
import { exists } from './exists.ts';

/**
 * "Create configuration": writes what was recognised for the active file, or for a file that is named, with a way to read its boxes. A file
 * that is there is opened, never replaced.
 */
export function registerConfiguration(context: vscode.ExtensionContext, server: Server): void {
  async function create(named?: unknown, given?: unknown): Promise<void> {
    const uri = typeof named === 'string' ? named : activeUri()?.toString();
    if (uri === undefined) return;
    // From the preview; the server looks whether it is a reading.
    const reading = typeof named === 'string' ? (given as CoordinateReading | undefined) : undefined;
    const params: ConfigurationParams = { uri, ...(reading && { reading }) };
    const proposal = await server.request<ConfigurationProposal>(CONFIGURATION, params);
    if (proposal === null) {
      void vscode.window.showInformationMessage('Auditable QA: no profile fits this file, so nothing was recognised.');
      return;
    }
    const target = vscode.Uri.parse(proposal.uri);
    if (await exists(target)) {
      if (reading !== undefined) await vscode.env.clipboard.writeText(declarationOf(reading));
      void vscode.window.showInformationMessage(
        reading === undefined
          ? 'Auditable QA: the configuration is there already; it was left as it is.'
          : 'Auditable QA: the configuration is there already. What belongs into the entry of the data set was copied: paste it there.',
      );
    } else {
      await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(proposal.content));
    }
    await vscode.window.showTextDocument(target);
  }
  context.subscriptions.push(vscode.commands.registerCommand(COMMANDS.createConfiguration, create));
}

/** As it stands in an entry of `datasets`. */
function declarationOf({ space, dpi, order, origin, pageBase }: CoordinateReading): string {
  const coordinates = { space, ...(space === 'pixel' && dpi !== null && { dpi }), order, origin };
  return `"coordinates": ${JSON.stringify(coordinates)},\n"pageBase": ${pageBase}`;
}
