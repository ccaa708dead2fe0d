/** What the page may read, and under which addresses. */
import * as vscode from 'vscode';
import type { PageSourceUrl, ShownEvidence } from '../../../schemas/page.ts';
import type { EvidenceView, PageSource } from '../../../schemas/protocol.ts';
import { refOf } from '../views/address.ts';

function parent(uri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(uri, '..');
}

function isWithin(root: vscode.Uri, uri: vscode.Uri): boolean {
  const folder = root.path.endsWith('/') ? root.path : `${root.path}/`;
  return root.scheme === uri.scheme && root.authority === uri.authority && uri.path.startsWith(folder);
}

function documentsOf(view: EvidenceView): vscode.Uri[] {
  return view.pages.flatMap(({ source }) => (source.kind === 'missing' ? [] : [vscode.Uri.file(source.path)]));
}

/**
 * The extension's own page, the workspace, the record file's folder; and the folders of documents that lie elsewhere: the
 * server has already refused what a configuration may not name.
 */
export function resourceRoots(dist: vscode.Uri, view: EvidenceView | null): vscode.Uri[] {
  const roots = [dist, ...(vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri)];
  if (view !== null) {
    const shown = vscode.Uri.parse(view.uri);
    // A document that shows one record lies in no folder; its file does.
    const record = vscode.Uri.parse(refOf(shown)?.file ?? view.uri);
    const folders = [...(record.scheme === 'untitled' ? [] : [parent(record)]), ...documentsOf(view).map(parent)];
    for (const folder of folders) {
      if (!roots.some((root) => isWithin(root, folder) || root.toString() === folder.toString())) {
        roots.push(folder);
      }
    }
  }
  return roots;
}

export function covers(roots: readonly vscode.Uri[], view: EvidenceView): boolean {
  return documentsOf(view).every((document) => roots.some((root) => isWithin(root, document)));
}

function sourceUrl(source: PageSource, webview: vscode.Webview): PageSourceUrl {
  if (source.kind === 'missing') {
    return source;
  }
  const url = webview.asWebviewUri(vscode.Uri.file(source.path)).toString();
  return source.kind === 'pdf' ? { kind: 'pdf', url, pageIndex: source.pageIndex } : { kind: 'image', url };
}

/** The snapshot with addresses instead of paths. */
export function toShown(view: EvidenceView, webview: vscode.Webview): ShownEvidence {
  return { ...view, pages: view.pages.map((page) => ({ ...page, source: sourceUrl(page.source, webview) })) };
}
