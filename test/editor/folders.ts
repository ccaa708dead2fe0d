/** Temporary folders; all go with the process. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

// Short: the path of a socket that VS Code opens in its profile must fit into 100 characters.
const root = mkdtempSync(path.join(tmpdir(), 'aqa-'));
process.once('exit', () => {
  try {
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  } catch (error) {
    // A watcher of a window that was closed just now: no test fails for that.
    console.error(error);
  }
});

let count = 0;

/** A new, empty folder; returns its absolute path. */
export function newFolder(name: string): string {
  count += 1;
  const folder = path.join(root, `${count}-${name}`);
  mkdirSync(folder);
  return folder;
}
