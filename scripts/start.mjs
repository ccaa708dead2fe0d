// `npm start`: opens the example workspace in VS Code with the extension installed from its .vsix, in a profile of its own
// that goes when VS Code is closed. The user's profile is never touched.
import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { URLSearchParams } from 'node:url';
import { promisify } from 'node:util';
import manifest from '../package.json' with { type: 'json' };
import { packageExtension } from './package.mjs';
import { projectRoot, run } from './process.mjs';
import { installExtension, quietSettings, startServer } from './vscode.mjs';

const examples = path.join(projectRoot, 'examples');

/** The profile opens nothing but this project's own example, so that its solutions run without a question at the start. */
const trust = '--disable-workspace-trust';

const isWindows = process.platform === 'win32';
const hasDisplay = process.platform !== 'linux' || Boolean(process.env.DISPLAY ?? process.env.WAYLAND_DISPLAY);

/** Record files to show at once, from the example's folder. */
const recordFiles = () =>
  readdirSync(examples, { recursive: true })
    .filter((name) => name.endsWith('.jsonl'))
    .sort();

const isRecentEnough = (version) => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [wantedMajor = 0, wantedMinor = 0] = manifest.engines.vscode.replace('^', '').split('.').map(Number);
  return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor);
};

/** The command line of the user's desktop VS Code, where there is one that can open a window here. */
async function findDesktop() {
  const executable = process.env.VSCODE_EXECUTABLE_PATH;
  if (executable !== undefined) {
    if (!existsSync(executable)) throw new Error(`VSCODE_EXECUTABLE_PATH names ${executable}, which is not there.`);
    const { resolveCliPathFromVSCodeExecutablePath } = await import('@vscode/test-electron');
    return resolveCliPathFromVSCodeExecutablePath(executable);
  }
  // In a remote terminal `code` talks to the window it came from and knows no profiles.
  if (!hasDisplay || process.env.VSCODE_IPC_HOOK_CLI !== undefined) return undefined;
  try {
    const { stdout } = await promisify(execFile)('code', ['--version'], { shell: isWindows, timeout: 20_000 });
    const version = stdout.split('\n')[0]?.trim() ?? '';
    if (isRecentEnough(version)) return 'code';
    console.log(`Your VS Code is ${version}; the extension needs ${manifest.engines.vscode}. Another one is used.`);
  } catch {
    // No `code` on PATH.
  }
  return undefined;
}

async function openDesktop(code, vsix, profile) {
  const user = path.join(profile, 'data/User');
  await mkdir(user, { recursive: true });
  await writeFile(path.join(user, 'settings.json'), JSON.stringify(quietSettings, undefined, 2));
  const asRoot = process.platform === 'linux' && process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const own = [
    '--user-data-dir',
    path.join(profile, 'data'),
    '--extensions-dir',
    path.join(profile, 'extensions'),
    ...asRoot,
  ];
  const quote = (text) => (isWindows ? `"${text}"` : text);
  const start = (args, quiet) =>
    run(quote(code), [...own, ...args].map(quote), { quiet, shell: isWindows, env: process.env });
  await start(['--install-extension', vsix], true);
  console.log('Opening the example workspace in your VS Code, in a profile of its own. Close the window to end.');
  const files = recordFiles().map((name) => path.join(examples, name));
  await start(['--new-window', '--wait', '--skip-welcome', trust, examples, ...files], false);
}

function openBrowser(url) {
  if (!hasDisplay || process.env.CI) return;
  const [command, args] =
    process.platform === 'darwin'
      ? ['open', [url]]
      : isWindows
        ? ['cmd', ['/c', 'start', '""', `"${url}"`]]
        : ['xdg-open', [url]];
  // No browser that opens by itself: the address is printed.
  spawn(command, args, { stdio: 'ignore', detached: true, windowsVerbatimArguments: true })
    .on('error', () => undefined)
    .unref();
}

async function serve(vsix, profile, stopped) {
  const extensionsDir = path.join(profile, 'extensions');
  const dataDir = path.join(profile, 'data');
  await mkdir(dataDir);
  await installExtension({ vsix, extensionsDir, dataDir });
  const token = randomBytes(24).toString('hex');
  const server = await startServer({ dataDir, extensionsDir, token, flags: [trust] });
  const payload = [
    ['skipWelcome', 'true'],
    ...recordFiles()
      .slice(0, 1)
      .map((name) => ['openFile', `vscode-remote://${new URL(server.address).host}${path.join(examples, name)}`]),
  ];
  const query = new URLSearchParams({ tkn: token, folder: examples, payload: JSON.stringify(payload) });
  const url = `${server.address}/?${query}`;
  console.log(`\nVS Code with the extension and the example workspace:\n\n${url}\n\nCtrl-C ends it.`);
  openBrowser(url);
  const ended = await Promise.race([stopped, server.ended.then((code) => ({ code }))]);
  if (ended === undefined) await server.stop();
  else throw new Error(`The VS Code server ended with code ${ended.code}.`);
}

async function main() {
  // A signal ends the server and then us; npm sends the same one on.
  const stopped = new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => resolve(undefined));
  });
  const desktop = await findDesktop();
  const vsix = await packageExtension();
  const profile = await mkdtemp(path.join(tmpdir(), 'aqa-'));
  try {
    if (desktop === undefined) await serve(vsix, profile, stopped);
    else await Promise.race([openDesktop(desktop, vsix, profile), stopped]);
  } finally {
    await rm(profile, { recursive: true, force: true, maxRetries: 10 });
  }
}

main().then(
  () => process.exit(0),
  (error) => {
    console.error(error.message);
    process.exit(1);
  },
);
