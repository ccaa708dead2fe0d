/**
 * The thread in which Python runs: inside the child process, so that the process' main thread stays awake, hears when
 * the server is gone, and can give the process up in the middle of a run that does not stop. A thread also has a stack
 * of one size on every platform.
 */
import { createHash } from 'node:crypto';
import { constants, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { brotliDecompressSync } from 'node:zlib';
import type { InterpreterOptions, LoadPyodide } from './engine.ts';
import { createInterpreter } from './interpreter.ts';
import type { Interpreter } from './interpreter.ts';
import type { ChildFiles, ResultMessage, RunMessage, SnapshotManifest, ToChild } from './messages.ts';

/** Results are passed on at the latest after so many ms, so that a stuck run holds up no finished one. */
const FLUSH_MS = 4;

export interface ThreadData {
  readonly files: ChildFiles;
  /** [0]: id of the run in progress or 0; [1]: its time limit in ms. */
  readonly progress: Int32Array;
}

const { files, progress } = workerData as ThreadData;
const port = parentPort!;
const send = port.postMessage.bind(port);

function readSnapshot(): { heap?: Uint8Array; problem: string | null } {
  if (files.snapshotPath === null) return { problem: 'there is no snapshot' };
  try {
    const manifest = JSON.parse(readFileSync(`${files.snapshotPath}.json`, 'utf8')) as SnapshotManifest;
    const compressed = readFileSync(files.snapshotPath);
    const sha256 = createHash('sha256').update(compressed).digest('hex');
    if (sha256 !== manifest.sha256) return { problem: 'the snapshot is damaged' };
    return { heap: new Uint8Array(brotliDecompressSync(compressed)), problem: null };
  } catch (error) {
    return { problem: `the snapshot cannot be read: ${(error as Error).message}` };
  }
}

async function load(): Promise<{ interpreter: Interpreter; fallback: string | null }> {
  // Under Node's permission model process.binding throws; Pyodide asks it for these constants only.
  Object.assign(process, { binding: () => ({ fs: constants }) });
  const { loadPyodide } = (await import(pathToFileURL(join(files.pyodideFolder, 'pyodide.mjs')).href)) as {
    loadPyodide: LoadPyodide;
  };
  const here = dirname(fileURLToPath(import.meta.url));
  const options: InterpreterOptions = {
    loadPyodide,
    indexURL: files.pyodideFolder,
    runnerSource: readFileSync(join(here, 'runner.py'), 'utf8'),
    now: performance.now.bind(performance),
  };
  const snapshot = readSnapshot();
  if (!snapshot.heap) return { interpreter: await createInterpreter(options), fallback: snapshot.problem };
  try {
    return { interpreter: await createInterpreter({ ...options, snapshot: snapshot.heap }), fallback: null };
  } catch (error) {
    const fallback = `the snapshot does not fit: ${(error as Error).message}`;
    return { interpreter: await createInterpreter(options), fallback };
  }
}

/**
 * Takes away what JavaScript could reach the host with. Python cannot call JavaScript at all; this is for the day when
 * it finds a way.
 */
function lockDown(): void {
  const host = process as unknown as Record<string, unknown>;
  for (const name of ['binding', '_linkedBinding', 'dlopen', 'getBuiltinModule', 'kill', 'send', 'mainModule']) {
    Object.defineProperty(host, name, { value: undefined });
  }
  Object.defineProperty(host, 'env', { value: Object.freeze({}) });
  Object.defineProperty(globalThis, 'require', { value: undefined });
}

/** Before anything is loaded: looking at some of them makes the runtime load, and later instantiate, more of itself. */
function removeNetwork(): void {
  const all = globalThis as unknown as Record<string, unknown>;
  const names = [
    'fetch',
    'WebSocket',
    'EventSource',
    'XMLHttpRequest',
    'Worker',
    'BroadcastChannel',
    'Request',
    'Response',
    'Headers',
    'FormData',
  ];
  for (const name of names) Object.defineProperty(all, name, { value: undefined });
}

function runOne(interpreter: Interpreter, run: RunMessage): ResultMessage {
  const [id, request, timeoutMs, memoryMb, plain] = run;
  progress[1] = timeoutMs;
  Atomics.store(progress, 0, id);
  const started = performance.now();
  const outcome = interpreter.run({ request, timeoutMs, memoryMb, plain: plain === 1 });
  Atomics.store(progress, 0, 0);
  const ms = Math.round((performance.now() - started) * 1000) / 1000;
  const { text = null, trap, refused = '', impure } = outcome;
  return [id, ms, text, trap?.kind ?? null, trap?.name ?? '', refused, impure ? 1 : 0];
}

function serve(interpreter: Interpreter): void {
  port.on('message', ({ runs }: ToChild) => {
    let results: ResultMessage[] = [];
    let oldest = performance.now();
    for (const run of runs) {
      results.push(runOne(interpreter, run));
      const now = performance.now();
      if (now - oldest < FLUSH_MS) continue;
      send({ results, heap: interpreter.heapSize() });
      results = [];
      oldest = now;
    }
    if (results.length > 0) send({ results, heap: interpreter.heapSize() });
  });
}

try {
  removeNetwork();
  const { interpreter, fallback } = await load();
  lockDown();
  serve(interpreter);
  send({ ready: true, fallback });
} catch (error) {
  send({ failed: String((error as Error).stack ?? error) });
}
