import * as vscode from 'vscode';
import type { ExplainParams, RuleSummary } from '../../schemas/protocol.ts';
import { EXPLAIN, RULE_LIST } from '../../schemas/protocol.ts';
import { COMMANDS, RULE_SCHEME } from './ids.ts';
import type { Server } from './server.ts';

/** "Explain rule": the rule's page as a rendered document; without an argument the rule is picked, those at the cursor first. */
export function registerRulePages(context: vscode.ExtensionContext, server: Server): void {
  async function pick(): Promise<string | undefined> {
    const rules = (await server.request<readonly RuleSummary[]>(RULE_LIST, {})) ?? [];
    const here = codesAtCursor();
    const ordered = [...rules].sort((a, b) => Number(here.has(b.code)) - Number(here.has(a.code)));
    const items = ordered.map((rule) => ({ label: rule.code, description: rule.severity, detail: rule.title }));
    const picked = await vscode.window.showQuickPick(items, {
      title: 'Explain rule',
      placeHolder: 'Rule, or words of its title',
      matchOnDetail: true,
    });
    return picked?.label;
  }

  async function explain(argument?: unknown): Promise<void> {
    const code = typeof argument === 'string' ? argument : await pick();
    if (code === undefined) return;
    const uri = vscode.Uri.from({ scheme: RULE_SCHEME, path: `/${code}.md` });
    await vscode.commands.executeCommand('markdown.showPreview', uri);
  }

  context.subscriptions.push(
    vscode.workspace.registerTextDocumentContentProvider(RULE_SCHEME, {
      async provideTextDocumentContent(uri, token) {
        const code = uri.path.slice(1).replace(/\.md$/, '');
        const params: ExplainParams = { code };
        const page = await server.request<string>(EXPLAIN, params, token);
        return page ?? `# ${code}\n\nNo rule has this code.\n`;
      },
    }),
    vscode.commands.registerCommand(COMMANDS.explainRule, explain),
  );
}

function codesAtCursor(): ReadonlySet<string> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) return new Set();
  const { active } = editor.selection;
  return new Set(
    vscode.languages
      .getDiagnostics(editor.document.uri)
      .filter((diagnostic) => diagnostic.range.contains(active))
      .flatMap(({ code }) => (typeof code === 'object' ? [String(code.value)] : [])),
  );
}
