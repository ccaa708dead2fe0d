import * as vscode from 'vscode';
import { ACCEPTED_FILE } from '../../schemas/acceptance.ts';
import type { AcceptParams, AcceptResult } from '../../schemas/protocol.ts';
import { ACCEPT, ACCEPT_COMMAND } from '../../schemas/protocol.ts';
import type { Server } from './server.ts';

/** "Accept this finding…": asks for the reason; the server adds the line to the file beside the data. */
export function registerAcceptance(context: vscode.ExtensionContext, server: Server): void {
  async function accept(asked: Omit<AcceptParams, 'reason'>): Promise<void> {
    const reason = await vscode.window.showInputBox({
      title: 'Accept this finding',
      prompt: 'Why may it stand? The reason is kept beside the data, in auditable-qa.accepted.jsonl.',
      validateInput: (text) => (text.trim() === '' ? 'A finding is accepted with a reason.' : undefined),
    });
    if (reason === undefined) return;
    await saveAccepted(asked.uri);
    const result = await server.request<AcceptResult>(ACCEPT, { ...asked, reason } satisfies AcceptParams);
    const problem = result === null ? 'The finding was not accepted.' : result.problem;
    if (problem !== null) void vscode.window.showWarningMessage(`Auditable QA: ${problem}`);
  }

  context.subscriptions.push(vscode.commands.registerCommand(ACCEPT_COMMAND, accept));
}

/** Lines are added on disk to the file of accepted findings beside a record file: what is not saved in it would get into their way. */
export async function saveAccepted(uri: string): Promise<void> {
  const at = vscode.Uri.joinPath(vscode.Uri.parse(uri), '..', ACCEPTED_FILE).toString();
  await vscode.workspace.textDocuments.find((document) => document.isDirty && document.uri.toString() === at)?.save();
}
