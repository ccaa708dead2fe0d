import { createHash } from 'node:crypto';
import * as vscode from 'vscode';

/** The record as it was when a document was opened that now has changes which are not saved. */
export interface Base {
  /** Text of the record in its file. */
  readonly record: string;
  /** Of a solution: where it stood in the record. */
  readonly place?: string | undefined;
  /** Time and size that the document's file was said to have. */
  readonly mtime: number;
  readonly size: number;
}

/**
 * Bases of changed documents, in memory and on disk: a window that is reloaded gets its changed documents back, and what they are
 * changes of must be known then too.
 */
export interface Bases {
  get(uri: vscode.Uri): Promise<Base | undefined>;
  set(uri: vscode.Uri, base: Base): void;
  delete(uri: vscode.Uri): void;
}

export function createBases(folder: vscode.Uri | undefined, log: (message: string) => void): Bases {
  const known = new Map<string, Base>();
  /** Writing and removing of one file happen one after the other. */
  const pending = new Map<string, Promise<void>>();

  function later(uri: vscode.Uri, work: (file: vscode.Uri) => Thenable<void>): void {
    if (folder === undefined) return;
    const key = uri.toString();
    const file = vscode.Uri.joinPath(folder, 'bases', `${digest(key)}.json`);
    const before = pending.get(key) ?? Promise.resolve();
    const done = before.then(() => work(file)).then(undefined, (error: unknown) => log(String(error)));
    pending.set(key, done);
    void done.then(() => {
      if (pending.get(key) === done) pending.delete(key);
    });
  }

  return {
    async get(uri) {
      const key = uri.toString();
      const base = known.get(key);
      if (base !== undefined || folder === undefined) return base;
      await pending.get(key);
      try {
        const bytes = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder, 'bases', `${digest(key)}.json`));
        const read = JSON.parse(new TextDecoder().decode(bytes)) as Base & { readonly uri: string };
        if (read.uri !== key) return undefined;
        known.set(key, read);
        return read;
      } catch {
        return undefined;
      }
    },
    set(uri, base) {
      const key = uri.toString();
      const before = known.get(key);
      if (before?.record === base.record && before.mtime === base.mtime) return;
      known.set(key, base);
      const content = new TextEncoder().encode(
        JSON.stringify({ uri: key, record: base.record, place: base.place, mtime: base.mtime, size: base.size }),
      );
      later(uri, (file) => vscode.workspace.fs.writeFile(file, content));
    },
    delete(uri) {
      if (!known.delete(uri.toString())) return;
      later(uri, (file) => vscode.workspace.fs.delete(file));
    },
  };
}

function digest(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 32);
}
