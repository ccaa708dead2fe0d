import * as vscode from 'vscode';

/** Whether solutions may run; where not, says so and leads to where trust is granted. */
export async function mayRun(): Promise<boolean> {
  if (vscode.workspace.isTrusted) return true;
  const manage = 'Manage workspace trust';
  const answer = await vscode.window.showInformationMessage(
    'Auditable QA: solutions are run in trusted workspaces only.',
    manage,
  );
  if (answer === manage) await vscode.commands.executeCommand('workbench.trust.manage');
  return false;
}
