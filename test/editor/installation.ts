/** The packaged extension, installed once per run into a folder of its own, as a user's VS Code does it from the .vsix. */
import { ensureChromium } from '../../scripts/chromium.mjs';
import { packageExtension, packageForEngine } from '../../scripts/package.mjs';
import { manifest } from '../../scripts/manifest.ts';
import { installExtension, vscodeVersion } from '../../scripts/vscode.mjs';
import { newFolder } from './folders.ts';

export interface Installation {
  /** Program of the browser. */
  readonly chromium: string;
  readonly extensionsDir: string;
}

const minorOf = (version: string): number => Number(version.replace('^', '').split('.')[1]);

/** A VS Code that is older than those the extension is meant for installs nothing but a copy that says otherwise. */
const isTooOld = minorOf(vscodeVersion) < minorOf(manifest.engines.vscode);

async function install(): Promise<Installation> {
  const chromium = await ensureChromium();
  const extensionsDir = newFolder('extensions');
  const vsix = isTooOld ? await packageForEngine(`^${vscodeVersion}.0`) : await packageExtension();
  await installExtension({ vsix, extensionsDir, dataDir: newFolder('install') });
  return { chromium, extensionsDir };
}

let installed: Promise<Installation> | undefined;
export const installation = (): Promise<Installation> => (installed ??= install());
