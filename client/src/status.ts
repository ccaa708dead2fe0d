import * as vscode from 'vscode';
import type { StatusParams } from '../../schemas/protocol.ts';
import { ACTIVE_CONTEXT, COMMANDS, SELECTOR } from './ids.ts';
import { activeWithoutDocument } from './large/documents.ts';
import { PREVIEW_VIEW_TYPE } from './preview/panel.ts';
import type { Server } from './server.ts';
import { statusText } from './status-text.ts';

/** Shows profile, counts and progress of the active file, and sets the context key that menus read. */
export function registerStatus(context: vscode.ExtensionContext, server: Server): void {
  const known = new Map<string, StatusParams>();
  const counts = vscode.window.createStatusBarItem('auditableQa.counts', vscode.StatusBarAlignment.Left, 0);
  counts.name = 'Auditable QA';
  counts.command = 'workbench.actions.view.problems';
  const item = vscode.languages.createLanguageStatusItem('auditableQa.profile', SELECTOR);
  item.name = 'Auditable QA';
  item.command = { command: COMMANDS.showOutput, title: 'Show output' };
  context.subscriptions.push(counts, item);

  let latest: string | undefined;

  /** The file the window is about: also while its preview has the focus, which is no text editor. */
  function activeFile(): string | undefined {
    const editor = vscode.window.activeTextEditor;
    if (editor !== undefined) latest = editor.document.uri.toString();
    else if (activeWithoutDocument() !== undefined) latest = activeWithoutDocument()?.toString();
    else if (!isPreview(vscode.window.tabGroups.activeTabGroup.activeTab?.input)) return undefined;
    return latest;
  }

  function show(): void {
    const uri = activeFile();
    const status = uri === undefined ? undefined : known.get(uri);
    const told = status && statusText(status, vscode.workspace.isTrusted);
    void vscode.commands.executeCommand('setContext', ACTIVE_CONTEXT, told !== undefined);
    if (told === undefined) {
      counts.hide();
      item.text = 'Auditable QA';
      item.detail = 'no profile fits this file';
      item.busy = false;
      item.severity = vscode.LanguageStatusSeverity.Information;
      return;
    }
    counts.text = told.text;
    counts.tooltip = told.detail;
    counts.accessibilityInformation = { label: told.label };
    counts.show();
    item.text = status?.profile?.title ?? '';
    item.detail = told.detail;
    item.busy = told.busy;
    item.severity = {
      error: vscode.LanguageStatusSeverity.Error,
      warning: vscode.LanguageStatusSeverity.Warning,
      info: vscode.LanguageStatusSeverity.Information,
    }[told.severity];
  }

  context.subscriptions.push(
    server.onDidChangeStatus((params) => {
      known.set(vscode.Uri.parse(params.uri).toString(), params);
      show();
    }),
    vscode.workspace.onDidCloseTextDocument((document) => known.delete(document.uri.toString())),
    vscode.window.onDidChangeActiveTextEditor(show),
    vscode.window.tabGroups.onDidChangeTabs(show),
    vscode.workspace.onDidGrantWorkspaceTrust(show),
  );
  show();
}

/** VS Code puts a prefix of its own before the view type. */
function isPreview(input: unknown): boolean {
  return input instanceof vscode.TabInputWebview && input.viewType.endsWith(PREVIEW_VIEW_TYPE);
}
