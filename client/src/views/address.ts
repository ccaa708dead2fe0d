import * as vscode from 'vscode';
import type { ViewRef } from '../../../schemas/views.ts';
import { VIEW_SCHEME } from '../../../schemas/views.ts';

/** Address of the document that shows a record; its last part is what the tab says. */
export function viewUri(ref: ViewRef, title: string): vscode.Uri {
  const file = vscode.Uri.parse(ref.file, true);
  const name = `${title}.${ref.kind === 'record' ? 'record' : 'py'}`;
  return vscode.Uri.from({ scheme: VIEW_SCHEME, path: `${file.path}/${name}`, query: JSON.stringify(ref) });
}

/** undefined: the address was not made by `viewUri`. */
export function refOf(uri: vscode.Uri): ViewRef | undefined {
  if (uri.scheme !== VIEW_SCHEME) return undefined;
  try {
    return JSON.parse(uri.query) as ViewRef;
  } catch {
    return undefined;
  }
}
