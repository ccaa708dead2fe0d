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
import type { InterpreterOptions } from './engine.ts';
import type { GateState, Trap } from './gate.ts';
import { load } from './load.ts';
import { freezeTimes, keepDescriptors, keepHeap } from './restore.ts';

/** Longest outcome that is read out of the interpreter, in bytes. */
const OUTCOME_LIMIT = 8 << 20;
/** Plain runs leave crumbs, as interned names; so often they are swept away. */
const PLAIN_RUNS = 500;

export interface SolutionRun {
  /** What runner.py is asked; see `RunMessage`. */
  readonly request: string;
  readonly timeoutMs: number;
  readonly memoryMb: number;
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
  /** Puts heap, stack pointer and descriptors back; `thorough`: also what is not noted as written. */
  reset(thorough: boolean): void;
  /** Size of the heap in bytes. It never shrinks. */
  heapSize(): number;
  /** What the gate saw during the last run. */
  readonly state: GateState;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Loads, seals, and returns the only way in. Rejects where the files or the snapshot do not fit each other. */
export async function createInterpreter(options: InterpreterOptions): Promise<Interpreter> {
  const { pyodide, exports, gate, marks } = await load(options, false);
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

  freezeTimes(pyodide.FS);
  const resetDescriptors = keepDescriptors(pyodide.FS);
  const stackPointer = exported('emscripten_stack_get_current')() >>> 0;
  const heapImage = keepHeap({ heap, marks });
  state.sealed = true;

  let plainRuns = 0;
  const reset = (thorough: boolean): void => {
    plainRuns = 0;
    heapImage.restore(thorough || state.hostWrote);
    state.hostWrote = false;
    restoreStack(stackPointer);
    resetDescriptors();
  };

  /** Calls runner.py; undefined when the interpreter could not even be asked. */
  const ask = (request: string): string | undefined => {
    // At most three bytes for a UTF-16 unit.
    const pointer = malloc(request.length * 3) >>> 0;
    if (pointer === 0) return undefined;
    heapImage.note(pointer, request.length * 3);
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
        const text = ask(run.request);
        // The runner answers whatever happens, unless there was no memory left to do so or it was tampered with.
        outcome = text === undefined ? { trap: { kind: 'crash', name: 'the interpreter gave no answer' } } : { text };
      } catch (thrown) {
        outcome = { trap: trapOf(thrown) };
      }
      state.deadline = Infinity;
      const { refused, impure } = state;
      const failed = outcome.text === undefined || outcome.text.includes('"error":');
      if (failed || !run.plain) reset(outcome.text === undefined);
      else if (++plainRuns >= PLAIN_RUNS) reset(false);
      return { ...outcome, ...(refused === undefined ? {} : { refused }), impure };
    },
  };
}
