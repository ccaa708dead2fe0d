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

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const sources = join(root, 'server', 'src', 'node', 'sandbox');
const pyodide = join(root, 'node_modules', 'pyodide');

/** What ships of Pyodide, unbundled, in `<out>/pyodide/`. */
export const PYODIDE_FILES = ['pyodide.mjs', 'pyodide.asm.js', 'pyodide.asm.wasm', 'python_stdlib.zip'];
const NOTICE = `Pyodide 0.29.5, https://pyodide.org, Mozilla Public License 2.0 (https://mozilla.org/MPL/2.0/).
Its source is at https://github.com/pyodide/pyodide/tree/0.29.5.
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

/** SHA-256 in hex over everything that a snapshot is made of. */
function hashInputs() {
  const hash = createHash('sha256');
  const inputs = [
    ...PYODIDE_FILES.map((file) => join(pyodide, file)),
    ...['runner.py', 'load.ts'].map((file) => join(sources, file)),
  ];
  for (const path of inputs) hash.update(readFileSync(path)).update('\0');
  return hash.digest('hex');
}

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

  const snapshotPath = join(outDir, 'snapshot.br');
  const inputs = hashInputs();
  if (!isCurrent(snapshotPath, inputs)) await makeSnapshotFile(pyodideFolder, snapshotPath, inputs);
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

function isCurrent(snapshotPath, inputs) {
  try {
    const manifest = JSON.parse(readFileSync(`${snapshotPath}.json`, 'utf8'));
    const sha256 = createHash('sha256').update(readFileSync(snapshotPath)).digest('hex');
    return manifest.inputs === inputs && manifest.sha256 === sha256;
  } catch {
    return false;
  }
}

async function makeSnapshotFile(pyodideFolder, snapshotPath, inputs) {
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
  const compressed = brotliCompressSync(heap, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 9,
      [constants.BROTLI_PARAM_LGWIN]: 24,
      [constants.BROTLI_PARAM_SIZE_HINT]: heap.length,
    },
  });
  replaceFile(snapshotPath, compressed);
  const sha256 = createHash('sha256').update(compressed).digest('hex');
  replaceFile(`${snapshotPath}.json`, `${JSON.stringify({ inputs, sha256 })}\n`);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const paths = await buildSandbox(join(root, 'dist', 'sandbox'));
  console.log(`sandbox: ${Object.values(paths).join(', ')}`);
}
