/** The packaged extension, installed once per run into a folder of its own, as a user's VS Code does it from the .vsix. */
import { ensureChromium } from '../../scripts/chromium.mjs';
import { packageExtension } from '../../scripts/package.mjs';
import { installExtension } from '../../scripts/vscode.mjs';
import { newFolder } from './folders.ts';

export interface Installation {
  /** Program of the browser. */
  readonly chromium: string;
  readonly extensionsDir: string;
}

async function install(): Promise<Installation> {
  const chromium = await ensureChromium();
  const extensionsDir = newFolder('extensions');
  await installExtension({ vsix: await packageExtension(), extensionsDir, dataDir: newFolder('install') });
  return { chromium, extensionsDir };
}

let installed: Promise<Installation> | undefined;
export const installation = (): Promise<Installation> => (installed ??= install());
