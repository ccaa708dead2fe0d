/**
 * CPython in WebAssembly, sealed: the module can call nothing of its host but the gate's short list, and its whole heap
 * is put back after a run. No Node built-ins, so that the same core can run in a Web Worker.
 *
 * What is not in linear memory, and why it needs no putting back:
 * - open file descriptors: put back by `resetDescriptors`; the in-memory file system itself cannot be written once sealed;
 * - the stack pointer: put back by `reset`; it is the only mutable global that runs change (a test reads the module);
 * - the function table: only `dlsym`, `dlopen` and ctypes callbacks add to it, and all of them trap;
 * - the table of JavaScript references: only JavaScript calls add to it, and all of them trap; its book-keeping is in the heap.
 */
import { createGate } from './gate.ts';
import type { FileSystem, GateState, Stream, Trap } from './gate.ts';

export const ENGINE = 'pyodide 0.29.5';
export const PYTHON_VERSION = '3.13.2';

/** Longest outcome that is read out of the interpreter, in bytes. */
const OUTCOME_LIMIT = 8 << 20;
/** Everything a solution may import without reading the library during its run. */
const PRELOADED =
  'abc, ast, bisect, calendar, cmath, collections, contextlib, copy, dataclasses, datetime, decimal, enum, fractions, ' +
  'functools, heapq, itertools, json, locale, math, numbers, operator, random, re, reprlib, statistics, string, textwrap, ' +
  'time, traceback, types, typing, _strptime';

interface Exports {
  readonly [name: string]: ((...args: number[]) => number) | undefined;
}

interface PyodideModule {
  readonly HEAPU8: Uint8Array;
  readonly HEAP32: Int32Array;
  /** 1 when the memory was grown to so many bytes. */
  growMemory(size: number): number | undefined;
}

/** The parts of Pyodide's API that are used; two of the options are undocumented, hence the exact version. */
export interface Pyodide {
  readonly version: string;
  readonly _module: PyodideModule;
  readonly FS: FileSystem & {
    mkdirTree(path: string): void;
    writeFile(path: string, text: string): void;
  };
  runPython(code: string): unknown;
  setInterruptBuffer(buffer: Int32Array): void;
  makeMemorySnapshot(): Uint8Array;
}

export type LoadPyodide = (options: Record<string, unknown>) => Promise<Pyodide>;

export interface InterpreterOptions {
  readonly loadPyodide: LoadPyodide;
  /** Folder of the Pyodide files, with a trailing separator. */
  readonly indexURL: string;
  /** Text of runner.py; needed where there is no snapshot. */
  readonly runnerSource: string;
  /** A heap made by `makeSnapshot` with the same files. */
  readonly snapshot?: Uint8Array;
  /** Clock in ms. */
  readonly now: () => number;
}

export interface SolutionRun {
  readonly source: string;
  readonly entryPoint: string;
  readonly timeoutMs: number;
  readonly memoryMb: number;
  readonly outputLimit: number;
  /** Whether the interpreter may be kept as it is when the run succeeds. */
  readonly plain: boolean;
}

export interface SolutionOutcome {
  /** What runner.py says, unread; absent when the run was trapped. */
  readonly text?: string;
  readonly trap?: { readonly kind: Trap['trap'] | 'stack' | 'crash'; readonly name: string };
  readonly refused?: string;
  readonly impure: boolean;
}

export interface Interpreter {
  run(run: SolutionRun): SolutionOutcome;
  /** Puts heap, stack pointer and descriptors back. */
  reset(thorough: boolean): void;
  /** Size of the heap in bytes. It never shrinks. */
  heapSize(): number;
  readonly state: GateState;
  /** Names of the imports that the gate has seen; for tests. */
  readonly gated: ReadonlySet<string>;
}

interface Loaded {
  readonly pyodide: Pyodide;
  readonly exports: Exports;
  readonly gate: ReturnType<typeof createGate>;
}

/** Loads Pyodide with the gate in place, still open. */
async function load(options: InterpreterOptions, makeSnapshot: boolean): Promise<Loaded> {
  const host: { pyodide?: Pyodide } = {};
  let exports: Exports | undefined;
  const gate = createGate({
    now: options.now,
    fileSystem: () => host.pyodide!.FS,
    heapSize: () => host.pyodide!._module.HEAPU8.length,
    growHeap: (size) => host.pyodide!._module.growMemory(size) === 1,
  });
  const assembly = WebAssembly as unknown as Record<string, unknown>;
  // Stack switching would let the module be entered again from outside a run.
  for (const name of ['Suspending', 'Suspender', 'promising']) delete assembly[name];
  const instantiate = WebAssembly.instantiate as (
    source: unknown,
    imports: unknown,
  ) => Promise<WebAssembly.WebAssemblyInstantiatedSource>;
  const gatedInstantiate = async (
    source: unknown,
    imports?: Record<string, Record<string, unknown>>,
  ): Promise<unknown> => {
    if (gate.state.sealed) throw new Error('sealed');
    if (!imports?.['env']) return instantiate.call(WebAssembly, source, imports);
    gate.wrap(imports);
    const result = await instantiate.call(WebAssembly, source, imports);
    exports ??= (result.instance ?? result).exports as unknown as Exports;
    return result;
  };
  assembly['instantiate'] = gatedInstantiate;
  assembly['instantiateStreaming'] = async (
    source: Promise<Response>,
    imports: Record<string, Record<string, unknown>>,
  ) => gatedInstantiate(await (await source).arrayBuffer(), imports);
  const pyodide = await options.loadPyodide({
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
    ...(makeSnapshot ? { _makeSnapshot: true } : {}),
  });
  host.pyodide = pyodide;
  if (!exports) throw new Error('The interpreter was instantiated past the gate.');
  if (!options.snapshot) prepare(pyodide, options.runnerSource);
  return { pyodide, exports, gate };
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

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Loads, seals, and returns the only way in. Rejects where the files or the snapshot do not fit each other. */
export async function createInterpreter(options: InterpreterOptions): Promise<Interpreter> {
  const { pyodide, exports, gate } = await load(options, false);
  const { state } = gate;
  const module = pyodide._module;
  const exported = (name: string): ((...args: number[]) => number) => {
    const found = exports[name];
    if (!found) throw new Error(`The interpreter does not export ${name}.`);
    return found;
  };
  const malloc = exported('malloc');
  const free = exported('free');
  const newText = exported('PyUnicode_FromStringAndSize');
  const callOne = exported('PyObject_CallOneArg');
  const asUtf8 = exported('PyUnicode_AsUTF8AndSize');
  const decRef = exported('Py_DecRef');
  const restoreStack = exported('_emscripten_stack_restore');
  const heap = (): Uint8Array => module.HEAPU8;

  /** A NUL-terminated copy inside the heap; 0 when there is no room. */
  const copyIn = (bytes: Uint8Array): number => {
    const pointer = malloc(bytes.length + 1) >>> 0;
    if (pointer === 0) return 0;
    heap().set(bytes, pointer);
    heap()[pointer + bytes.length] = 0;
    return pointer;
  };
  const runner = exported('PyImport_ImportModule')(copyIn(encoder.encode('solution_runner')));
  const runFunction = runner && exported('PyObject_GetAttrString')(runner, copyIn(encoder.encode('run')));
  if (!runFunction) throw new Error('The interpreter holds no runner.');
  const sizeCell = malloc(8);
  // Makes the evaluation loop call the gate now and then, where the time is looked at.
  pyodide.setInterruptBuffer(new Int32Array(1));

  const resetDescriptors = keepDescriptors(pyodide.FS);
  const stackPointer = exported('emscripten_stack_get_current')() >>> 0;
  const heapImage = keepHeap({
    heap,
    stackLow: exported('emscripten_stack_get_end')() >>> 0,
    stackPointer,
    breakCell: exported('emscripten_get_sbrk_ptr')() >>> 0,
  });
  state.sealed = true;

  const reset = (thorough: boolean): void => {
    heapImage.restore(thorough);
    restoreStack(stackPointer);
    resetDescriptors();
  };

  /** Calls runner.py; undefined when the interpreter could not even be asked. */
  const ask = (request: string): string | undefined => {
    // At most three bytes for a UTF-16 unit.
    const pointer = malloc(request.length * 3) >>> 0;
    if (pointer === 0) return undefined;
    const { written } = encoder.encodeInto(request, heap().subarray(pointer, pointer + request.length * 3));
    const argument = newText(pointer, written);
    free(pointer);
    if (!argument) return undefined;
    const result = callOne(runFunction, argument);
    decRef(argument);
    if (!result) return undefined;
    const start = asUtf8(result, sizeCell) >>> 0;
    const size = module.HEAP32[sizeCell >> 2]! >>> 0;
    if (start === 0 || size > OUTCOME_LIMIT) return undefined;
    const text = decoder.decode(heap().subarray(start, start + size));
    decRef(result);
    return text;
  };

  const trapOf = (thrown: unknown): NonNullable<SolutionOutcome['trap']> => {
    if (state.trap) return { kind: state.trap.trap, name: state.trap.name };
    if (thrown instanceof RangeError) return { kind: 'stack', name: '' };
    const name = thrown instanceof Error ? thrown.message : String(thrown);
    return { kind: 'crash', name: name.slice(0, 200) };
  };

  return {
    state,
    gated: gate.names,
    reset,
    heapSize: () => heap().length,
    run(run) {
      state.trap = undefined;
      state.refused = undefined;
      state.impure = false;
      state.memoryLimit = Math.max(run.memoryMb * 1024 * 1024, heapImage.size);
      state.deadline = options.now() + run.timeoutMs;
      let outcome: Omit<SolutionOutcome, 'refused' | 'impure'>;
      try {
        const text = ask(`${run.entryPoint}\n${run.outputLimit}\n${run.source}`);
        // The runner answers whatever happens, unless there was no memory left to do so or it was tampered with.
        outcome = text === undefined ? { trap: { kind: 'crash', name: 'the interpreter gave no answer' } } : { text };
      } catch (thrown) {
        outcome = { trap: trapOf(thrown) };
      }
      state.deadline = Infinity;
      const { refused, impure } = state;
      const failed = outcome.text === undefined || outcome.text.includes('"error":');
      if (failed || !run.plain) reset(failed);
      return { ...outcome, ...(refused === undefined ? {} : { refused }), impure };
    },
  };
}

interface HeapLayout {
  /** The heap as it is now; another array after it has grown. */
  readonly heap: () => Uint8Array;
  /** The stack grows down from above `stackPointer`, where it stands between runs, to `stackLow`. */
  readonly stackLow: number;
  readonly stackPointer: number;
  /** Where the allocator keeps the end of the memory that it has taken so far. */
  readonly breakCell: number;
}

interface HeapImage {
  /** In bytes. */
  readonly size: number;
  restore(thorough: boolean): void;
}

const STACK_BLOCK = 64 * 1024;
/** A restore is thorough at least every so many times. */
const THOROUGH_EVERY = 256;

/**
 * Remembers the heap. A thorough restore rewrites every byte. The quick one, for runs that ended well, leaves out what
 * the allocator never took and the part of the stack that was not reached, which were zero and still are unless
 * a solution wrote where no object of its own lies.
 */
function keepHeap(layout: HeapLayout): HeapImage {
  const image = layout.heap().slice();
  const breakOf = (memory: Uint8Array): number => new DataView(memory.buffer).getUint32(layout.breakCell, true);
  const takenAtFirst = breakOf(image);
  let sinceThorough = 0;

  const clearStack = (memory: Uint8Array): void => {
    for (let end = layout.stackPointer; end > layout.stackLow; end -= STACK_BLOCK) {
      const start = Math.max(layout.stackLow, end - STACK_BLOCK) & ~7;
      const block = new BigUint64Array(memory.buffer, start, (end - start) >> 3);
      if (block.every((word) => word === 0n)) return;
      block.fill(0n);
    }
  };
  return {
    size: image.length,
    restore(thorough) {
      const memory = layout.heap();
      const taken = breakOf(memory);
      const plausible = taken >= takenAtFirst && taken <= memory.length;
      if (thorough || !plausible || ++sinceThorough >= THOROUGH_EVERY) {
        sinceThorough = 0;
        memory.set(image);
        memory.fill(0, image.length);
        return;
      }
      clearStack(memory);
      memory.set(image.subarray(0, layout.stackLow));
      memory.set(image.subarray(layout.stackPointer, takenAtFirst), layout.stackPointer);
      memory.fill(0, takenAtFirst, taken);
    },
  };
}

/** Remembers the open descriptors; the function returned puts them back. */
function keepDescriptors(fs: FileSystem): () => void {
  const kept = fs.streams.map((stream) =>
    stream ? { stream, flags: stream.flags, fd: stream.fd, shared: { ...stream.shared } } : null,
  );
  return () => {
    const streams: (Stream | null)[] = fs.streams;
    for (let fd = 0; fd < streams.length; fd++) if (streams[fd]) streams[fd] = null;
    streams.length = kept.length;
    for (const entry of kept) {
      if (!entry) continue;
      streams[entry.fd] = entry.stream;
      entry.stream.fd = entry.fd;
      entry.stream.flags = entry.flags;
      Object.assign(entry.stream.shared, entry.shared);
    }
  };
}
