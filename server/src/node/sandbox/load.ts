/**
 * Loads the interpreter with the gate in place, from a snapshot or from its files. No Node built-ins: the same core can
 * run in a Web Worker.
 */
import { MARKS, MARKS_PAGES } from './marks.ts';
import type { Exports, InterpreterOptions, Pyodide } from './engine.ts';
import { createGate } from './gate.ts';
import type { Gate } from './gate.ts';

/** Everything a solution may import without reading the library during its run. */
const PRELOADED =
  'abc, ast, bisect, calendar, cmath, collections, contextlib, copy, dataclasses, datetime, decimal, enum, fractions, ' +
  'functools, heapq, itertools, json, locale, math, numbers, operator, random, re, reprlib, statistics, string, textwrap, ' +
  'time, traceback, types, typing, _strptime';

export interface Loaded {
  readonly pyodide: Pyodide;
  readonly exports: Exports;
  readonly gate: Gate;
  /** What the module notes of its writes; see barrier.ts. */
  readonly marks: Uint8Array;
}

interface Instantiation {
  /** Of the interpreter's module, once there is one. */
  exports?: Exports;
  /** Sets up how C functions are called through the table, as the runtime allows. */
  initTrampoline?: () => void;
  /** Rejects when the module cannot be instantiated: Pyodide only warns, and then waits for ever. */
  readonly failed: Promise<never>;
  /** Takes the gate away from `WebAssembly` again. */
  undo(): void;
}

type Imports = Record<string, Record<string, unknown>>;

const TRAMPOLINE = '_PyEM_InitTrampoline_js';

/** Others, as the small ones that a runtime makes for itself, are none of our business. */
const isInterpreter = (imports: Imports | undefined): imports is Imports & { env: Record<string, unknown> } =>
  imports?.['env'] !== undefined && TRAMPOLINE in imports['env'];

/** From now on every module of this realm is instantiated behind the gate, and none at all once it is sealed. */
function gateInstantiation(gate: Gate, marks: WebAssembly.Memory, makeSnapshot: boolean): Instantiation {
  const assembly = WebAssembly as unknown as Record<string, unknown>;
  // Stack switching would let the module be entered again from outside a run.
  for (const name of ['Suspending', 'Suspender', 'promising']) delete assembly[name];
  const { instantiate, instantiateStreaming } = assembly;
  const original = WebAssembly.instantiate as (
    source: unknown,
    imports: unknown,
  ) => Promise<WebAssembly.WebAssemblyInstantiatedSource>;
  let fail: (error: unknown) => void = () => {};
  const instantiation: Instantiation = {
    failed: new Promise<never>((_, reject) => (fail = reject)),
    undo: () => Object.assign(assembly, { instantiate, instantiateStreaming }),
  };
  const gated = async (source: unknown, imports?: Imports): Promise<unknown> => {
    if (gate.state.sealed) throw new Error('sealed');
    if (!isInterpreter(imports)) return original.call(WebAssembly, source, imports);
    const { env } = imports;
    instantiation.initTrampoline = env[TRAMPOLINE] as () => void;
    // What it sets up differs between runtimes; a snapshot without it loads in all of them.
    if (makeSnapshot) env[TRAMPOLINE] = () => {};
    env[MARKS] = marks;
    gate.wrap(imports);
    try {
      const result = await original.call(WebAssembly, source, imports);
      instantiation.exports ??= (result.instance ?? result).exports as unknown as Exports;
      return result;
    } catch (error) {
      fail(error);
      throw error;
    }
  };
  assembly['instantiate'] = gated;
  assembly['instantiateStreaming'] = async (source: Promise<Response>, imports: Imports) =>
    gated(await (await source).arrayBuffer(), imports);
  return instantiation;
}

function pyodideOptions(options: InterpreterOptions): Record<string, unknown> {
  return {
    indexURL: options.indexURL,
    // Nothing of the host: neither its locale nor its paths are to be seen inside, nor kept in a snapshot.
    env: { HOME: '/', LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8', TZ: 'UTC', PYTHONHASHSEED: '0' },
    _sysExecutable: '/bin/python3',
    // No packages beside the standard library, and no list of them to read.
    lockFileContents: {
      info: { arch: 'wasm32', platform: 'emscripten_4_0_9', python: '3.13.2', abi_version: '2025_0' },
      packages: {},
    },
    packageBaseUrl: options.indexURL,
    stdin: () => null,
    stdout: () => {},
    stderr: () => {},
    ...(options.snapshot ? { _loadSnapshot: options.snapshot } : {}),
  };
}

/** Loads Pyodide with the gate in place, still open. */
export async function load(options: InterpreterOptions, makeSnapshot: boolean): Promise<Loaded> {
  const host: { pyodide?: Pyodide } = {};
  const gate = createGate({
    now: options.now,
    fileSystem: () => host.pyodide!.FS,
    heapSize: () => host.pyodide!._module.HEAPU8.length,
    growHeap: (size) => host.pyodide!._module.growMemory(size) === 1,
  });
  const marks = new WebAssembly.Memory({ initial: MARKS_PAGES, maximum: MARKS_PAGES });
  const instantiation = gateInstantiation(gate, marks, makeSnapshot);
  try {
    const loading = options.loadPyodide({
      ...pyodideOptions(options),
      ...(makeSnapshot ? { _makeSnapshot: true } : {}),
    });
    const pyodide = await Promise.race([loading, instantiation.failed]);
    host.pyodide = pyodide;
    if (!instantiation.exports) throw new Error('The interpreter was instantiated past the gate.');
    if (options.snapshot) instantiation.initTrampoline!();
    else prepare(pyodide, options.runnerSource);
    return { pyodide, exports: instantiation.exports, gate, marks: new Uint8Array(marks.buffer) };
  } catch (error) {
    instantiation.undo();
    throw error;
  }
}

/** Imports what solutions need and warms the runner, before the heap is taken as the state to go back to. */
function prepare(pyodide: Pyodide, runnerSource: string): void {
  pyodide.FS.mkdirTree('/lib/solution');
  pyodide.FS.writeFile('/lib/solution/solution_runner.py', runnerSource);
  pyodide.runPython(`
import sys, warnings, gc
sys.path.insert(0, '/lib/solution')
import ${PRELOADED}
import solution_runner
sys.path.remove('/lib/solution')
warnings.simplefilter('ignore')
solution_runner.run("solution\\n100\\ndef solution():\\n    print(1)\\n    return 1.5\\n")
solution_runner.run("solution\\n100\\ndef solution(:\\n")
solution_runner.run("solution\\n100\\ndef solution():\\n    value = 1\\n    return valu\\n")
solution_runner.run("solution\\n100\\nimport absent_module\\n")
gc.collect()
`);
}

/** The heap of a prepared interpreter, to be given to `createInterpreter` as `snapshot`. */
export async function makeSnapshot(options: InterpreterOptions): Promise<Uint8Array> {
  return (await load(options, true)).pyodide.makeMemorySnapshot();
}
