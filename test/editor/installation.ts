/** The packaged extension, installed once per run into a folder of its own, as a user's VS Code does it from the .vsix. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensureChromium } from '../../scripts/chromium.mjs';
import { packageExtension } from '../../scripts/package.mjs';
import { installExtension } from '../../scripts/vscode.mjs';

export interface Installation {
  /** Program of the browser. */
  readonly chromium: string;
  readonly extensionsDir: string;
  /** A new, empty folder; all go with the run. */
  newFolder(name: string): string;
}

const root = mkdtempSync(path.join(tmpdir(), 'auditable-qa-editor-'));
process.once('exit', () => rmSync(root, { recursive: true, force: true, maxRetries: 5 }));

let folders = 0;
function newFolder(name: string): string {
  folders += 1;
  const folder = path.join(root, `${folders}-${name}`);
  mkdirSync(folder);
  return folder;
}

async function install(): Promise<Installation> {
  const chromium = await ensureChromium();
  const extensionsDir = newFolder('extensions');
  await installExtension({ vsix: await packageExtension(), extensionsDir, dataDir: newFolder('install') });
  return { chromium, extensionsDir, newFolder };
}

let installed: Promise<Installation> | undefined;
export const installation = (): Promise<Installation> => (installed ??= install());
