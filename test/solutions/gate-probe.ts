/**
 * Loads the sealed interpreter in a process of its own, calls every function that the module can import, and prints
 * what each did. Run by gate.test.ts with the folder of the built sandbox.
 */
import { readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import { createInterpreter } from '../../server/src/node/sandbox/interpreter.ts';
import type { LoadPyodide } from '../../server/src/node/sandbox/engine.ts';

export interface Probe {
  /** What a call with zeros did: 'trap', an error number below zero or of WASI, 0, or 'passed'. */
  readonly calls: Readonly<Record<string, string>>;
  readonly instantiate: string;
  /** Whether a run still works afterwards. */
  readonly after: string | undefined;
}

const MODULES = ['env', 'wasi_snapshot_preview1'];

async function probe(folder: string): Promise<Probe> {
  let imports: Record<string, Record<string, (...args: number[]) => unknown>> = {};
  const instantiate = WebAssembly.instantiate;
  // Below the gate: what arrives here is what the module is given.
  Object.assign(WebAssembly, {
    instantiate: (source: BufferSource, given: typeof imports) => {
      // Later the module's own exports are added, for linking.
      if (given?.['env']) imports = Object.fromEntries(MODULES.map((module) => [module, { ...given[module] }]));
      return instantiate.call(WebAssembly, source, given as WebAssembly.Imports);
    },
  });
  const pyodideFolder = join(folder, 'pyodide');
  const { loadPyodide } = (await import(pathToFileURL(join(pyodideFolder, 'pyodide.mjs')).href)) as {
    loadPyodide: LoadPyodide;
  };
  const interpreter = await createInterpreter({
    loadPyodide,
    indexURL: pyodideFolder + sep,
    runnerSource: readFileSync(join(folder, 'runner.py'), 'utf8'),
    snapshot: new Uint8Array(brotliDecompressSync(readFileSync(join(folder, 'snapshot.br')))),
    now: () => performance.now(),
  });
  const calls: Record<string, string> = {};
  for (const module of MODULES) {
    for (const [name, call] of Object.entries(imports[module] ?? {})) {
      if (typeof call !== 'function') continue;
      interpreter.state.trap = undefined;
      try {
        const given = call(0, 0, 0, 0, 0, 0);
        calls[name] = String(given);
      } catch {
        calls[name] = interpreter.state.trap ? 'trap' : 'passed';
      }
      // What was let through may have written into the heap.
      if (calls[name] !== 'trap') interpreter.reset(true);
    }
  }
  let attempt = 'allowed';
  try {
    await WebAssembly.instantiate(new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]), { env: {} });
  } catch (error) {
    attempt = (error as Error).message;
  }
  const request = 'solution\n100\ndef solution(): return 6 * 7';
  const after = interpreter.run({ request, timeoutMs: 5000, memoryMb: 128, plain: true });
  return { calls, instantiate: attempt, after: after.text };
}

const result = await probe(process.argv[2]!);
process.stdout.write(JSON.stringify(result), () => process.exit(0));
