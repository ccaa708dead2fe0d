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

/** The files that pages are read from. */
export function documentsOf(pages: readonly { readonly source: PageSource }[]): vscode.Uri[] {
  return pages.flatMap(({ source }) => (source.kind === 'missing' ? [] : [vscode.Uri.file(source.path)]));
}

/** The extension's own page and the workspace. */
export function resourceRoots(dist: vscode.Uri): readonly vscode.Uri[] {
  return [dist, ...(vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri)];
}

/**
 * The same, and where they do not hold the documents, the record file's folder and those of the documents that lie elsewhere: the server has already
 * refused what a configuration may not name.
 */
export function withFolders(
  roots: readonly vscode.Uri[],
  recordFile: string,
  documents: readonly vscode.Uri[],
): readonly vscode.Uri[] {
  const wider = [...roots];
  const isCovered = (folder: vscode.Uri): boolean =>
    wider.some((root) => isWithin(root, folder) || root.toString() === folder.toString());
  if (documents.every((document) => isCovered(parent(document)))) return roots;
  const shown = vscode.Uri.parse(recordFile);
  // A document that shows one record lies in no folder; its file does.
  const record = vscode.Uri.parse(refOf(shown)?.file ?? recordFile);
  const folders = [...(record.scheme === 'untitled' ? [] : [parent(record)]), ...documents.map(parent)];
  for (const folder of folders) if (!isCovered(folder)) wider.push(folder);
  return wider;
}

function sourceUrl(source: PageSource, webview: vscode.Webview): PageSourceUrl {
  if (source.kind === 'missing') {
    return source;
  }
  const url = webview.asWebviewUri(vscode.Uri.file(source.path)).toString();
  return source.kind === 'pdf' ? { kind: 'pdf', url, pageIndex: source.pageIndex } : { kind: 'image', url };
}

/** Pages with addresses instead of paths. */
export function withAddresses<P extends { readonly source: PageSource }>(
  pages: readonly P[],
  webview: vscode.Webview,
): (Omit<P, 'source'> & { readonly source: PageSourceUrl })[] {
  return pages.map((page) => ({ ...page, source: sourceUrl(page.source, webview) }));
}

export function toShown(view: EvidenceView, webview: vscode.Webview): ShownEvidence {
  return { ...view, pages: withAddresses(view.pages, webview) };
}
