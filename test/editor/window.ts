/** A window of the real VS Code in a real browser. */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { chromium as browserType } from 'playwright-core';
import type { Page } from 'playwright-core';
import { quietSettings, startServer, vscodeVersion } from '../../scripts/vscode.mjs';
import { CHROMIUM_ARGS } from '../support/chromium.ts';
import { newFolder } from './folders.ts';
import { installation } from './installation.ts';
import { artifacts } from './paths.ts';

export interface WindowOptions {
  /** Absolute path of the folder to open. */
  readonly workspace: string;
  /** Absolute path of a file to open at once. */
  readonly file?: string;
  /** Default: everything is trusted. `false`: VS Code's Workspace Trust decides. */
  readonly trusted?: boolean;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** An extension that is loaded from its folder, and the module of its tests; absolute paths. */
  readonly tests?: { readonly extension: string; readonly module: string };
  readonly env?: Readonly<Record<string, string>>;
  /** Of the window, in CSS pixels, and how many pixels of the picture each of them is; 1600 × 1000 at 1 where nothing is said. */
  readonly size?: { readonly width: number; readonly height: number };
  readonly scale?: number;
  /** Called with the page before it loads anything. */
  readonly prepare?: (page: Page) => Promise<void>;
}

export interface EditorWindow {
  readonly page: Page;
  /** What the browser's console said, and addresses outside this machine that were asked for. */
  readonly console: readonly string[];
  readonly outside: readonly string[];
  /** Rejects when the page or its server is lost. */
  readonly lost: Promise<never>;
  /** Sets settings of the folder while VS Code runs. */
  change(settings: Readonly<Record<string, unknown>>): void;
  close(): Promise<void>;
}

type Settings = Readonly<Record<string, unknown>>;

/** The themes that are usual now, and those that were before. */
const OLDER_THEMES: Readonly<Record<string, string>> = {
  'Light 2026': 'Default Light Modern',
  'Dark 2026': 'Default Dark Modern',
};
const hasOlderThemes = Number(vscodeVersion.split('.')[1]) < 110;

/** Settings as the VS Code in use knows them. */
function understood(settings: Settings): Settings {
  const theme = settings['workbench.colorTheme'];
  const older = typeof theme === 'string' && hasOlderThemes ? OLDER_THEMES[theme] : undefined;
  return older === undefined ? settings : { ...settings, 'workbench.colorTheme': older };
}

const open = new Set<EditorWindow>();
/** The windows that are open now. */
export const openWindows = (): readonly EditorWindow[] => [...open];

const size = { width: 1600, height: 1000 };

/** The names of all hosts but the loopback's lead nowhere. */
const offline = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost';

/** What the window calls a file of the server. With another authority the extension host would not take it for a file. */
const remoteUri = (address: string, file: string): string => `vscode-remote://${new URL(address).host}${file}`;

export async function openWindow(options: WindowOptions): Promise<EditorWindow> {
  const { chromium, extensionsDir } = await installation();
  const dataDir = newFolder('data');
  const settings = understood({
    ...quietSettings,
    'editor.wordWrap': 'on',
    // What moves is drawn anew, sixty times a second, by the processor that the tests need.
    'workbench.reduceMotion': 'on',
    'editor.cursorBlinking': 'solid',
    'git.enabled': false,
    'editor.minimap.enabled': false,
    'workbench.colorTheme': 'Light 2026',
    ...options.settings,
  });
  const server = await startServer({
    dataDir,
    extensionsDir,
    settings,
    flags: ['--enable-smoke-test-driver', ...(options.trusted === false ? [] : ['--disable-workspace-trust'])],
    env: { ...options.env },
  });
  const browser = await browserType.launch({
    executablePath: chromium,
    args: [...CHROMIUM_ARGS, '--disable-dev-shm-usage', offline],
  });
  const page = await browser.newPage({
    viewport: options.size ?? size,
    deviceScaleFactor: options.scale ?? 1,
    reducedMotion: 'reduce',
  });
  const lines: string[] = [];
  const outside: string[] = [];
  page.on('console', (message) => lines.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => lines.push(`uncaught: ${error.message}`));
  const note = (address: string): void => {
    const { protocol, hostname } = new URL(address);
    if (/^(https?|wss?):$/.test(protocol) && hostname !== '127.0.0.1') outside.push(address);
  };
  // A webview's own files have addresses that look foreign; VS Code's service worker answers them.
  page.on('response', (response) => {
    if (!response.fromServiceWorker()) note(response.url());
  });
  page.on('requestfailed', (request) => note(request.url()));
  const lost = new Promise<never>((_resolve, reject) => {
    page.once('crash', () => reject(new Error('The page crashed.')));
    void server.ended.then((code) => reject(new Error(`The VS Code server ended with code ${code}.`)));
  });
  lost.catch(() => undefined);
  const close = async (): Promise<void> => {
    await browser.close();
    await server.stop();
  };
  try {
    await options.prepare?.(page);
    const payload = [
      ['skipWelcome', 'true'],
      ...(options.file === undefined ? [] : [['openFile', remoteUri(server.address, options.file)]]),
      ...(options.tests === undefined
        ? []
        : [
            ['extensionDevelopmentPath', remoteUri(server.address, options.tests.extension)],
            ['extensionTestsPath', remoteUri(server.address, options.tests.module)],
          ]),
    ];
    const query = new URLSearchParams({ folder: options.workspace, payload: JSON.stringify(payload) });
    await page.goto(`${server.address}/?${query}`);
    await page.waitForSelector('.monaco-workbench .part.statusbar', { timeout: 60_000 });
  } catch (error) {
    await close();
    throw error;
  }
  // The settings of the folder, because its watcher sees a file that is replaced; and in one step, because a file that is read
  // half written counts as no settings at all.
  const change = (changed: Readonly<Record<string, unknown>>): void => {
    const folder = path.join(options.workspace, '.vscode');
    mkdirSync(folder, { recursive: true });
    const fresh = path.join(folder, 'settings.json.new');
    writeFileSync(fresh, JSON.stringify(understood(changed)));
    renameSync(fresh, path.join(folder, 'settings.json'));
  };
  const window: EditorWindow = {
    page,
    console: lines,
    outside,
    lost,
    change,
    async close() {
      open.delete(window);
      await close();
    },
  };
  open.add(window);
  return window;
}

/** Photographs the window into artifacts/editor/. */
export async function screenshot(page: Page, name: string): Promise<void> {
  mkdirSync(artifacts, { recursive: true });
  await page.screenshot({ path: path.join(artifacts, `${name}.png`) });
}
