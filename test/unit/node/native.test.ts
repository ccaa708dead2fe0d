import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { RunResult, SolutionRunner } from '../../../server/src/core/ports.ts';
import { findPython } from '../../../server/src/node/native/interpreter.ts';
import { createNativeRunner } from '../../../server/src/node/native/runner.ts';
import { cancelOf } from '../../../server/src/node/session.ts';

const NODE = path.join(import.meta.dirname, '../../../server/src/node');
const FILES = { workerPath: path.join(NODE, 'native/worker.py'), runnerPath: path.join(NODE, 'sandbox/runner.py') };
const LIMITS = { timeoutMs: 1_000, memoryMb: 128, outputLimit: 1_000 };
const python = findPython();

describe("the user's own Python", function () {
  this.timeout(60_000);
  let runner: SolutionRunner;
  let folder: string;

  before(function () {
    if (python === undefined) {
      console.log('      skipped: there is no Python on this machine');
      this.skip();
    }
    runner = createNativeRunner(FILES);
    folder = mkdtempSync(path.join(tmpdir(), 'own-python-'));
  });
  after(async () => {
    if (python === undefined) return;
    await runner.dispose();
    rmSync(folder, { recursive: true });
  });

  const run = (source: string, limits = LIMITS): Promise<RunResult> =>
    runner.run({ source, entryPoint: 'solution', limits, engine: 'python' });
  const body = (...lines: string[]): string => ['def solution():', ...lines.map((line) => `    ${line}`)].join('\n');

  it('gives values, what was printed, and which Python it was', async () => {
    const result = await run(body('print("a", 1)', 'return 1 / 3'));
    assert.deepEqual(result.value, { kind: 'float', repr: '0.3333333333333333' });
    assert.equal(result.stdout, 'a 1\n');
    assert.equal(result.engine, 'python');
    assert.match(result.pythonVersion, /^3\.\d+\.\d+$/);
    assert.deepEqual((await run(body('return 10 ** 30'))).value, { kind: 'int', repr: `1${'0'.repeat(30)}` });
  });

  const errors: Readonly<Record<string, readonly [source: string, kind: string, line: number | undefined]>> = {
    'a name that is not there': [body('return totl'), 'exception', 2],
    'broken syntax': ['def solution(:\n    return 1', 'syntax', 1],
    'no such function': ['def other():\n    return 1', 'entryPoint', undefined],
    'a bool': [body('return True'), 'badReturn', undefined],
    'not a finite number': [body('return float("inf")'), 'notFinite', undefined],
    'endless recursion': [body('return solution()'), 'recursion', 2],
  };
  for (const [name, [source, kind, line]] of Object.entries(errors)) {
    it(`tells of ${name} as the sandbox does`, async () => {
      const { error } = await run(source);
      assert.equal(error?.kind, kind);
      assert.equal(error?.line, line);
    });
  }

  it('stops what does not end, in Python and in C', async () => {
    for (const line of ['while True: pass', 'return sum(range(10 ** 12))']) {
      assert.equal((await run(body(line))).error?.kind, 'timeout');
    }
    assert.deepEqual((await run(body('return 1'))).value, { kind: 'int', repr: '1' });
  });

  it('limits memory and output', async function () {
    if (process.platform !== 'linux') this.skip();
    assert.equal((await run(body('return len("x" * 10 ** 9)'))).error?.kind, 'memory');
    const loud = await run(body('print("x" * 5000)', 'return 1'));
    assert.equal(loud.stdout.length, 1_000);
    assert.equal(loud.stdoutTruncated, true);
  });

  it('starts each solution afresh', async function () {
    if (process.platform === 'win32') this.skip();
    await run('import math\nmath.pi = 3\ndef solution():\n    return math.pi');
    assert.equal((await run(body('import math', 'return math.pi'))).value?.repr, '3.141592653589793');
  });

  it('ends what a solution has started', async function () {
    if (process.platform === 'win32') this.skip();
    const mark = path.join(folder, 'child');
    const result = await run(
      body(
        'import os, time',
        'if os.fork() == 0:',
        `    open(${JSON.stringify(mark)}, "w").write(str(os.getpid()))`,
        '    time.sleep(100)',
        `while not os.path.exists(${JSON.stringify(mark)}) or not open(${JSON.stringify(mark)}).read(): pass`,
        'return 1',
      ),
    );
    assert.equal(result.value?.repr, '1');
    const pid = Number(readFileSync(mark, 'utf8'));
    // Told to end before the answer came; the system may take a moment.
    while (!isGone(pid)) await new Promise((resolve) => setImmediate(resolve));
  });

  it('survives a solution that ends its process or the one that runs it', async function () {
    if (process.platform === 'win32') this.skip();
    assert.equal((await run(body('import os', 'os._exit(3)'))).error?.kind, 'crash');
    assert.equal((await run(body('import os', 'os.kill(os.getppid(), 9)', 'return 1'))).error?.kind, 'crash');
    assert.equal((await run(body('return 2'))).value?.repr, '2');
  });

  it('ends a run that is not wanted any more', async () => {
    const stop = new AbortController();
    const running = runner.run(
      { source: body('while True: pass'), entryPoint: 'solution', limits: { ...LIMITS, timeoutMs: 50_000 } },
      cancelOf(stop.signal),
    );
    stop.abort();
    await assert.rejects(running, { name: 'AbortError' });
    assert.equal((await run(body('return 2'))).value?.repr, '2');
  });

  it('takes scalars of numpy for the numbers they hold', async function () {
    const probe = await run(body('import numpy', 'return 1'));
    if (probe.error?.type === 'ModuleNotFoundError') {
      console.log('      skipped: this Python has no numpy');
      this.skip();
    }
    assert.deepEqual((await run(body('import numpy', 'return numpy.float64(2.5)'))).value, {
      kind: 'float',
      repr: '2.5',
    });
    assert.deepEqual((await run(body('import numpy', 'return numpy.int64(7)'))).value, { kind: 'int', repr: '7' });
    assert.equal((await run(body('import numpy', 'return numpy.array([1])'))).error?.kind, 'badReturn');
  });

  it('gives the solution no variable of the server but what it needs to start', async () => {
    process.env['AUDITABLE_QA_SECRET'] = 'x';
    const result = await run(body('import os', 'return len(os.environ.get("AUDITABLE_QA_SECRET", ""))'));
    delete process.env['AUDITABLE_QA_SECRET'];
    assert.equal(result.value?.repr, '0');
  });

  it('says so where there is none, or where it does not start', async () => {
    const request = { source: body('return 1'), entryPoint: 'solution', limits: LIMITS };
    const none = createNativeRunner({ ...FILES, python: path.join(folder, 'no-python') });
    assert.match((await none.run(request)).error?.message ?? '', /there is no .*no-python/);
    await none.dispose();
    const notPython = path.join(folder, 'not-python');
    writeFileSync(notPython, '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    const broken = createNativeRunner({ ...FILES, python: notPython });
    const { error } = await broken.run(request);
    assert.equal(error?.kind, 'unavailable');
    assert.match(error?.message ?? '', /did not start/);
    await broken.dispose();
  });

  it('looks along PATH in absolute folders only', () => {
    const before = process.env['PATH'];
    process.env['PATH'] = ['.', 'bin'].join(path.delimiter);
    try {
      assert.equal(findPython(), undefined);
      assert.equal(findPython('./python3'), undefined);
    } finally {
      process.env['PATH'] = before;
    }
    assert.ok(existsSync(findPython()!));
  });
});

/** Whether a process has ended; one that nobody has waited for yet has. */
function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return true;
  }
  try {
    return / Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/\(.*\)/, ''));
  } catch {
    return true;
  }
}
