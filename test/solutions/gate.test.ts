import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import type { ExecFileSyncOptionsWithStringEncoding } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SAFE_BUILTINS, UNSAFE_BUILTINS } from '../../server/src/core/solution/plain.ts';
import { ALLOWED, REFUSED } from '../../server/src/node/sandbox/gate.ts';
import type { Probe } from './gate-probe.ts';
import { builtSandbox, openRunner, ROOT, solve } from './sandbox.ts';
import { readStateOutsideMemory } from './wasm-module.ts';

/** Neither trap nor refuse, each for a reason that gate.ts gives. */
const HANDLED = new Set([
  '_Py_CheckEmscriptenSignals_Helper',
  'emscripten_get_now',
  'emscripten_date_now',
  'clock_time_get',
  'random_get',
  'emscripten_resize_heap',
  '__syscall_openat',
  'fd_read',
  'fd_pread',
  'fd_close',
  'fd_write',
  'fd_pwrite',
  'fd_sync',
  'can_run_sync_js',
  'emscripten_runtime_keepalive_push',
  'emscripten_runtime_keepalive_pop',
  '_emscripten_runtime_keepalive_clear',
]);

describe('the gate', () => {
  let module: Uint8Array;
  let probe: Probe;
  before(async () => {
    const { childPath } = await builtSandbox();
    const folder = dirname(childPath);
    module = readFileSync(join(folder, 'pyodide', 'pyodide.asm.wasm'));
    const script = join(ROOT, 'test', 'solutions', 'gate-probe.ts');
    const options: ExecFileSyncOptionsWithStringEncoding = {
      encoding: 'utf8',
      timeout: 60_000,
      maxBuffer: 1 << 24,
      stdio: ['ignore', 'pipe', 'ignore'],
    };
    probe = JSON.parse(execFileSync(process.execPath, [script, folder], options)) as Probe;
  });

  it('traps or refuses everything that is not on its list', () => {
    const names = Object.keys(probe.calls);
    assert.ok(names.length > 1000, String(names.length));
    const letThrough = names.filter((name) => {
      if (ALLOWED.has(name) || HANDLED.has(name)) return false;
      const did = probe.calls[name]!;
      return did !== 'trap' && !(Object.hasOwn(REFUSED, name) && did === String(-REFUSED[name]!));
    });
    assert.deepEqual(letThrough, []);
  });

  it('stands before every function that the module imports', () => {
    const imported = WebAssembly.Module.imports(new WebAssembly.Module(module as BufferSource))
      .filter(({ module: from, kind }) => kind === 'function' && from !== 'sentinel')
      .map(({ name }) => name);
    assert.ok(imported.length > 200);
    assert.deepEqual(
      imported.filter((name) => !Object.hasOwn(probe.calls, name)),
      [],
    );
  });

  it('lists only what there is', () => {
    const listed = [...ALLOWED, ...HANDLED, ...Object.keys(REFUSED)];
    assert.deepEqual(
      listed.filter((name) => !Object.hasOwn(probe.calls, name)),
      [],
    );
    assert.equal(new Set(listed).size, listed.length, 'in one list only');
  });

  it('lets no further module be instantiated, and the interpreter goes on', () => {
    assert.equal(probe.instantiate, 'sealed');
    assert.equal(probe.after, '{"value":"42","kind":"int"}');
  });

  it('covers all state outside the heap: the stack pointer and the descriptors are all that runs can change', () => {
    const state = readStateOutsideMemory(module);
    // The second one holds the notes of what was written; it can be written to only by the instructions that take them.
    assert.equal(state.memories, 2);
    assert.deepEqual(state.otherMemoryOperations, ['fill', 'store8']);
    const changed = [...state.globals].filter(([, by]) => by.length > 1 || by[0] !== 'unexported');
    const names = changed.map(([name, by]) => (name === 'env.__stack_pointer' ? name : by.join(',')));
    // The stack's limits are set when it is laid out; the other is a scratch register of calls.
    assert.deepEqual(names.sort(), [
      '_emscripten_tempret_set',
      'emscripten_stack_init,emscripten_stack_set_limits',
      'emscripten_stack_init,emscripten_stack_set_limits',
      'env.__stack_pointer',
    ]);
    // Addresses of the program's own objects, written once by the function that lays them out.
    assert.deepEqual(state.functionTableWriters, []);
    // The tables of JavaScript references: filled by calls from JavaScript only.
    assert.deepEqual(state.otherTableWriters, [
      '_hiwire_delete',
      '_hiwire_immortal_add',
      '_hiwire_immortal_table_init',
      '_hiwire_set',
    ]);
  });

  it('and the plain solutions know every built-in name', async () => {
    const runner = await openRunner();
    try {
      const { stdout } = await solve(
        runner,
        "import builtins\ndef solution():\n    print(' '.join(vars(builtins)))\n    return 1",
      );
      const names = stdout.trim().split(' ');
      assert.ok(names.length > 140);
      const known = (name: string): boolean =>
        SAFE_BUILTINS.has(name) || UNSAFE_BUILTINS.has(name) || name.startsWith('__');
      assert.deepEqual(
        names.filter((name) => !known(name)),
        [],
      );
      assert.deepEqual(
        [...SAFE_BUILTINS].filter((name) => !names.includes(name) || UNSAFE_BUILTINS.has(name)),
        [],
      );
    } finally {
      await runner.dispose();
    }
  });
});
