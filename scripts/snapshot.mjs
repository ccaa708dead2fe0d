/**
 * Builds the sandbox: bundles the child process, copies the Pyodide files it needs, and makes the snapshot of the
 * prepared interpreter where something that it depends on has changed.
 */
import { createHash } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { build } from 'esbuild';
import { addBarrier } from '../server/src/node/sandbox/barrier.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const sources = join(root, 'server', 'src', 'node', 'sandbox');
const pyodide = join(root, 'node_modules', 'pyodide');

/** What ships of Pyodide, unbundled, in `<out>/pyodide/`. */
const PYODIDE_FILES = ['pyodide.mjs', 'pyodide.asm.js', 'python_stdlib.zip'];
const MODULE = 'pyodide.asm.wasm';
const NOTICE = `Pyodide 0.29.5, https://pyodide.org, Mozilla Public License 2.0 (https://mozilla.org/MPL/2.0/).
Its source is at https://github.com/pyodide/pyodide/tree/0.29.5.
${MODULE} was changed: each instruction that writes into memory also notes where, in a memory of its own
(server/src/node/sandbox/barrier.ts of this extension's source). What it computes is the same.
It contains CPython 3.13.2, Python Software Foundation License Version 2 (https://docs.python.org/3.13/license.html).
`;

function copyIfNewer(from, to) {
  const source = statSync(from);
  if (existsSync(to)) {
    const target = statSync(to);
    if (target.size === source.size && target.mtimeMs >= source.mtimeMs) return;
  }
  copyFileSync(from, to);
}

function writeIfChanged(path, text) {
  if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text);
}

/** Written beside its target and then renamed, so that a process that reads meanwhile sees the old or the new one. */
function replaceFile(path, content) {
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, content);
  renameSync(temporary, path);
}

/** SHA-256 in hex over everything that a file is made of. */
function hashInputs(paths) {
  const hash = createHash('sha256');
  for (const path of paths) hash.update(readFileSync(path)).update('\0');
  return hash.digest('hex');
}

const MODULE_INPUTS = [
  join(pyodide, MODULE),
  ...['barrier.ts', 'marks.ts', 'wasm-bytes.ts', 'wasm-code.ts'].map((file) => join(sources, file)),
];
const SNAPSHOT_INPUTS = [
  ...PYODIDE_FILES.map((file) => join(pyodide, file)),
  ...['runner.py', 'load.ts'].map((file) => join(sources, file)),
  ...MODULE_INPUTS,
];

/**
 * Builds the sandbox into a folder, usually dist/sandbox.
 * @param {string} outDir absolute path
 * @returns {Promise<{childPath: string, pyodideFolder: string, snapshotPath: string}>} what `createSandboxRunner` is given
 */
export async function buildSandbox(outDir) {
  const pyodideFolder = join(outDir, 'pyodide');
  mkdirSync(pyodideFolder, { recursive: true });
  await bundle({ child: join(sources, 'child.ts'), thread: join(sources, 'thread.ts') }, outDir);
  copyIfNewer(join(sources, 'runner.py'), join(outDir, 'runner.py'));
  for (const file of PYODIDE_FILES) copyIfNewer(join(pyodide, file), join(pyodideFolder, file));
  writeIfChanged(join(pyodideFolder, 'package.json'), '{ "type": "commonjs" }\n');
  writeIfChanged(join(pyodideFolder, 'NOTICE'), NOTICE);

  const modulePath = join(pyodideFolder, MODULE);
  // Not beside it: that folder ships as a whole.
  const moduleManifest = join(outDir, 'module.json');
  const moduleInputs = hashInputs(MODULE_INPUTS);
  if (!isCurrent(modulePath, moduleManifest, moduleInputs)) {
    const module = addBarrier(readFileSync(join(pyodide, MODULE)));
    replaceWithManifest(modulePath, moduleManifest, module, moduleInputs);
  }
  const snapshotPath = join(outDir, 'snapshot.br');
  const snapshotManifest = `${snapshotPath}.json`;
  const inputs = hashInputs(SNAPSHOT_INPUTS);
  if (!isCurrent(snapshotPath, snapshotManifest, inputs)) {
    replaceWithManifest(snapshotPath, snapshotManifest, await makeSnapshot(pyodideFolder), inputs);
  }
  return { childPath: join(outDir, 'child.mjs'), pyodideFolder, snapshotPath };
}

async function bundle(entryPoints, outdir) {
  await build({
    entryPoints,
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    legalComments: 'none',
    logLevel: 'warning',
  });
}

const hashOf = (content) => createHash('sha256').update(content).digest('hex');

/** Whether a file is made of these inputs, and still what it was made to be. */
function isCurrent(path, manifestPath, inputs) {
  try {
    const manifest = JSON.parse(readFileSync(manifestPath, 'utf8'));
    return manifest.inputs === inputs && manifest.sha256 === hashOf(readFileSync(path));
  } catch {
    return false;
  }
}

function replaceWithManifest(path, manifestPath, content, inputs) {
  replaceFile(path, content);
  replaceFile(manifestPath, `${JSON.stringify({ inputs, sha256: hashOf(content) })}\n`);
}

/** The heap of a prepared interpreter, compressed. */
async function makeSnapshot(pyodideFolder) {
  const work = mkdtempSync(join(tmpdir(), 'snapshot-'));
  const raw = join(work, 'heap');
  let heap;
  try {
    await bundle({ 'make-snapshot': join(sources, 'make-snapshot.ts') }, work);
    // In a process of its own: loading Pyodide changes the globals of the process it is loaded in.
    const script = join(work, 'make-snapshot.mjs');
    const made = spawnSync(process.execPath, [script, pyodideFolder, join(sources, 'runner.py'), raw], {
      env: { TZ: 'UTC' },
      stdio: ['ignore', 'inherit', 'inherit'],
      timeout: 120_000,
    });
    if (made.status !== 0) throw new Error('The snapshot of the interpreter could not be made.');
    heap = readFileSync(raw);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return brotliCompressSync(heap, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 9,
      [constants.BROTLI_PARAM_LGWIN]: 24,
      [constants.BROTLI_PARAM_SIZE_HINT]: heap.length,
    },
  });
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const paths = await buildSandbox(join(root, 'dist', 'sandbox'));
  console.log(`sandbox: ${Object.values(paths).join(', ')}`);
}
