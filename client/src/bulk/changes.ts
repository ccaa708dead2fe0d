/** Shows what a change would make of a file: in the editor's own comparison, or as a diff where the file is too large for one. */
import * as vscode from 'vscode';
import type { BulkOperation, BulkPreview } from '../../../schemas/bulk.ts';
import { BULK_PREVIEW } from '../../../schemas/bulk.ts';
import { openDocument } from '../records-view/answers.ts';
import type { Server } from '../server.ts';
import { shownName, tellProblem, withWork } from './work.ts';

const SCHEME = 'auditable-qa-changes';

export interface Changes {
  /** false: it could not be shown; why was told. */
  show(uri: string, operation: BulkOperation, title: string): Promise<boolean>;
  /** Shows a text of its own. */
  showText(name: string, text: string, language: string): Promise<void>;
  /** Closes what was shown. */
  close(): Promise<void>;
}

export function createChanges(context: vscode.ExtensionContext, server: Server): Changes {
  const texts = new Map<string, string>();
  let number = 0;
  context.subscriptions.push(
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
      provideTextDocumentContent: (uri) => texts.get(uri.toString()) ?? '',
    }),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => void texts.delete(uri.toString())),
  );

  /** The name keeps its extension, which tells the language. */
  function keep(name: string, text: string): vscode.Uri {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${++number}/${name}` });
    texts.set(uri.toString(), text);
    return uri;
  }

  async function showText(name: string, text: string, language: string): Promise<void> {
    const document = await vscode.workspace.openTextDocument(keep(name, text));
    await vscode.languages.setTextDocumentLanguage(document, language);
    await vscode.window.showTextDocument(document, { preview: true });
  }

  return {
    async show(uri, operation, title) {
      const preview = await withWork<BulkPreview>(server, 'Looking at what changes', BULK_PREVIEW, { uri, operation });
      if (preview === null) return false;
      if (preview.kind === 'problem') {
        tellProblem(preview.message);
        return false;
      }
      const name = shownName(uri).replace(/^.*\//, '');
      if (preview.kind === 'diff') {
        await showText(`${name}.diff`, preview.text, 'diff');
        return true;
      }
      const document = openDocument(uri);
      // Opening the file itself would make it one that an editor has open.
      const before = document?.uri ?? keep(name, await textOf(uri));
      await vscode.commands.executeCommand('vscode.diff', before, keep(name, preview.text), `${name}: ${title}`, {
        preview: true,
      });
      return true;
    },
    showText,
    async close() {
      const shown = vscode.window.tabGroups.all
        .flatMap(({ tabs }) => tabs)
        .filter(({ input }) =>
          input instanceof vscode.TabInputTextDiff
            ? input.modified.scheme === SCHEME
            : input instanceof vscode.TabInputText && input.uri.scheme === SCHEME,
        );
      await vscode.window.tabGroups.close(shown);
    },
  };
}

async function textOf(uri: string): Promise<string> {
  const bytes = await vscode.workspace.fs.readFile(vscode.Uri.parse(uri, true));
  return new TextDecoder().decode(bytes);
}
