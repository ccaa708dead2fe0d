import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Cancel, RunResult, SolutionRunner } from '../../server/src/core/ports.ts';
import { createSandboxRunner } from '../../server/src/node/sandbox/runner.ts';
import { builtSandbox, LIMITS, openRunner, ROOT, solve } from './sandbox.ts';

/** Stands in for the sandbox's child; what it does is told by the solution's text. It counts the runs that it is given. */
const FAKE_CHILD = `
if (process.argv[2].includes('no-start')) process.exit(3);
if (process.argv[2].includes('no-flags') && process.execArgv.some((flag) => flag.includes('permission'))) process.exit(9);
let given = 0;
const answer = (id, text) => process.send({ results: [[id, 1, text, null, '', '', 0]], heap: 1 });
process.on('message', ({ runs }) => {
  for (const [id, source] of runs) {
    given++;
    if (source.includes('die')) process.kill(process.pid, 'SIGKILL');
    else if (source.includes('hang')) for (;;);
    else if (source.includes('stuck')) return process.send({ stuck: id });
    else if (source.includes('nonsense')) process.send({ results: [[id, 'x', '{"value":"1","kind":"float","printed":7}', 5, {}, [], 9]], heap: 1 });
    else if (source.includes('twice')) { answer(id, '{"value":"1","kind":"int"}'); answer(id, '{"value":"2","kind":"int"}'); answer(99999, '{}'); }
    else if (source.includes('worn')) process.send({ results: [[id, 1, '{"value":"1","kind":"int"}', null, '', '', 0]], heap: 2 ** 30 });
    else if (source.includes('silent')) { /* never answers, yet stays awake */ }
    else answer(id, JSON.stringify({ value: String(given), kind: 'int' }));
  }
});
process.on('disconnect', () => process.exit());
process.send({ ready: true, fallback: null });
`;

/** The sandbox processes of a process; others, as of a build, do not count. */
function children(pid = process.pid): number[] {
  const found: number[] = [];
  for (const task of readdirSync(`/proc/${pid}/task`)) {
    const list = readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim();
    if (list !== '') found.push(...list.split(' ').map(Number));
  }
  return found.filter(
    (child) => isAlive(child) && readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('child.mjs'),
  );
}
const hasProc = existsSync(`/proc/${process.pid}/task/${process.pid}/children`);

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
};

/** Resolves once something outside this process has come about; rejects after `limitMs`. */
async function until(what: () => boolean, limitMs: number): Promise<void> {
  const end = performance.now() + limitMs;
  while (!what()) {
    assert.ok(performance.now() < end, `not within ${limitMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function canceller(): Cancel & { abort(): void } {
  const listeners = new Set<() => void>();
  return {
    aborted: false,
    onAbort(listener) {
      listeners.add(listener);
      return { dispose: () => void listeners.delete(listener) };
    },
    abort() {
      Object.assign(this, { aborted: true });
      for (const listener of [...listeners]) listener();
    },
  };
}

describe('supervision', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-pool-'));
  const childPath = join(folder, 'child.mjs');
  const log: string[] = [];
  let runner: SolutionRunner;
  const fake = (pyodideFolder = folder): SolutionRunner =>
    createSandboxRunner({ childPath, pyodideFolder, workers: 1, log: (line) => log.push(line) });
  const run = (text: string, timeoutMs = 400): Promise<RunResult> => solve(runner, text, { timeoutMs });

  before(() => writeFileSync(childPath, FAKE_CHILD));
  after(() => rmSync(folder, { recursive: true, force: true }));
  beforeEach(() => {
    log.length = 0;
    runner = fake();
  });
  afterEach(() => runner.dispose());

  const many = (count: number, name: string): Promise<RunResult>[] =>
    Array.from({ length: count }, (_, at) => run(`${name} ${at}`));

  it('a child that dies in the middle costs one run', async () => {
    const results = await Promise.all([...many(20, 'a'), run('die'), ...many(100, 'b')]);
    const failed = results.filter((result) => result.error);
    assert.equal(failed.length, 1);
    assert.deepEqual([results[20]!.error?.kind, results[20]!.value], ['crash', undefined]);
    assert.match(log.join(), /SIGKILL/);
  });

  it('several that die cost one run each', async () => {
    const results = await Promise.all([run('die 1'), ...many(40, 'a'), run('die 2'), run('die 3'), ...many(40, 'b')]);
    assert.deepEqual(
      results.flatMap((result, at) => (result.error ? [`${at} ${result.error.kind}`] : [])),
      ['0 crash', '41 crash', '42 crash'],
    );
  });

  it('a child that hears nothing is given up, and the run that did it named', async () => {
    const results = await Promise.all([...many(3, 'a'), run('hang'), ...many(10, 'b')]);
    assert.deepEqual(
      results.flatMap((result, at) => (result.error ? [`${at} ${result.error.kind}`] : [])),
      ['3 timeout'],
    );
  }).timeout(60_000);

  it('a run that the child reports as stuck is a timeout, and no other', async () => {
    const results = await Promise.all([...many(3, 'a'), run('stuck'), ...many(50, 'b')]);
    assert.deepEqual(
      results.flatMap((result, at) => (result.error ? [`${at} ${result.error.kind}`] : [])),
      ['3 timeout'],
    );
  });

  it('what a child says is checked', async () => {
    const [odd, twice, next] = await Promise.all([run('nonsense'), run('twice'), run('next')]);
    assert.deepEqual([odd!.value, odd!.stdout, odd!.ms], [{ kind: 'float', repr: '1' }, '', 0]);
    assert.equal(twice!.value?.repr, '1');
    assert.equal(next!.value?.repr, '3');
  });

  it('a worn child is replaced, and nothing is lost', async () => {
    const results = await Promise.all([...many(10, 'a'), run('worn'), ...many(300, 'b')]);
    assert.deepEqual(
      results.filter((result) => result.error),
      [],
    );
    // The other child counts from one.
    await until(() => hasProc && children().length === 1, 10_000);
    assert.ok(Number((await run('last')).value?.repr) < 320);
  }).timeout(60_000);

  it('a runtime that does not take the flags is asked without', async () => {
    const picky = fake(join(folder, 'no-flags'));
    assert.equal((await solve(picky, 'x')).value?.repr, '1');
    await picky.dispose();
  });

  it('a sandbox that does not start is an answer, not a silence', async () => {
    const broken = fake(join(folder, 'no-start'));
    const results = await Promise.all([solve(broken, 'x'), solve(broken, 'y')]);
    for (const { error } of results) {
      assert.equal(error?.kind, 'unavailable');
      assert.match(error!.message, /no sandbox to run it/);
    }
    assert.equal((await solve(broken, 'z')).error?.kind, 'unavailable');
    assert.match(log.join(), /did not start/);
    await broken.dispose();
  });

  it('requests that are alike are run once', async () => {
    const results = await Promise.all([run('same'), run('same'), run('other')]);
    assert.deepEqual(
      results.map((result) => result.value?.repr),
      ['1', '1', '2'],
    );
    assert.equal((await run('same')).value?.repr, '1', 'and kept');
    assert.equal((await run('same', 500)).value?.repr, '3', 'but under other limits run again');
  });

  it('a cancelled request is rejected, whether it waits, runs, or is shared', async () => {
    const running = canceller();
    const waiting = canceller();
    const early = canceller();
    early.abort();
    const request = (source: string): { source: string; entryPoint: string; limits: typeof LIMITS } => ({
      source,
      entryPoint: 'solution',
      limits: LIMITS,
    });
    const silent = runner.run(request('silent'), running);
    const queued = runner.run(request('queued'), waiting);
    const shared = runner.run(request('queued'));
    await assert.rejects(runner.run(request('x'), early), { name: 'AbortError' });
    waiting.abort();
    await assert.rejects(queued, { name: 'AbortError' });
    running.abort();
    await assert.rejects(silent, { name: 'AbortError' });
    assert.equal((await shared).value?.kind, 'int');
  });

  it('a child that works on an unwanted run is ended at once, and what waits behind it goes on', async () => {
    const cancel = canceller();
    // Once it answers, the child is ready, and the next run goes to it without delay.
    assert.equal((await run('ready', 60_000)).value?.kind, 'int');
    const limits = { ...LIMITS, timeoutMs: 60_000 };
    const hanging = runner.run({ source: 'hang', entryPoint: 'solution', limits }, cancel);
    const behind = run('behind', 60_000);
    await new Promise((resolve) => setImmediate(resolve));
    cancel.abort();
    await assert.rejects(hanging, { name: 'AbortError' });
    assert.equal((await behind).value?.kind, 'int');
    assert.equal((await run('next', 60_000)).value?.kind, 'int');
  }).timeout(30_000);

  it('closing comes before what was asked just now', async () => {
    const late = run('hang');
    await runner.dispose();
    assert.equal((await late).error?.kind, 'unavailable');
  });

  it('closing answers what waits and leaves no process', async () => {
    const waiting = [run('hang'), ...many(50, 'a')];
    await until(() => !hasProc || children().length > 0, 10_000);
    await runner.dispose();
    for (const result of await Promise.all(waiting)) assert.equal(result.error?.kind, 'unavailable');
    if (hasProc) assert.deepEqual(children(), []);
    assert.equal((await run('late')).error?.kind, 'unavailable');
  });
});

describe('the real child', () => {
  before(async function () {
    if (!hasProc) this.skip();
    await builtSandbox();
  });

  it('killed from outside, costs nothing but time', async () => {
    const runner = await openRunner();
    try {
      await solve(runner, 'def solution(): return 1');
      const runs = Array.from({ length: 300 }, (_, at) =>
        solve(runner, `def solution():\n    import decimal\n    return ${at}`),
      );
      await runs[20];
      for (const pid of children()) process.kill(pid, 'SIGKILL');
      const results = await Promise.all(runs);
      assert.deepEqual(
        results.flatMap((result, at) => (result.value?.repr === String(at) ? [] : [JSON.stringify(result)])),
        [],
      );
    } finally {
      await runner.dispose();
    }
  });

  it('keeps to the memory limit of each run, whatever ran before it in the same process', async () => {
    const runner = await openRunner();
    const large = (name: string, memoryMb: number): Promise<RunResult> =>
      solve(runner, `def solution():\n    return float(len(bytearray(300 * 1024 * 1024)))  # ${name}\n`, { memoryMb });
    const kindOf = ({ value, error }: RunResult): string | undefined => value?.kind ?? error?.kind;
    try {
      const together = [large('a', 512), large('b', 128), large('c', 512), large('d', 64)];
      assert.deepEqual((await Promise.all(together)).map(kindOf), ['float', 'memory', 'float', 'memory']);
      assert.equal(kindOf(await large('e', 128)), 'memory');
    } finally {
      await runner.dispose();
    }
  });

  it('tells no time by the files that it sees', async () => {
    const runner = await openRunner();
    const read = 'open("/dev/urandom", "rb", buffering=0).read(1)';
    const times = 'os.stat("/").st_mtime_ns + os.stat("/dev/urandom").st_atime_ns';
    try {
      const result = await solve(runner, `import os\ndef solution():\n    ${read}\n    return float(${times})\n`);
      assert.equal(result.value?.repr, '0.0');
    } finally {
      await runner.dispose();
    }
  });

  it('has no environment, and a working directory of its own', async () => {
    process.env['SANDBOX_CANARY'] = 'seen';
    const runner = await openRunner();
    try {
      await solve(runner, 'def solution(): return 1');
      const [pid] = children();
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8')
        .split('\0')
        .filter((entry) => entry !== '');
      assert.deepEqual(
        environment.map((entry) => entry.split('=')[0]).filter((name) => !name!.startsWith('NODE_CHANNEL')),
        ['TZ'],
      );
    } finally {
      await runner.dispose();
      delete process.env['SANDBOX_CANARY'];
    }
  });

  it('does not outlive a server that was killed, even in a loop that hears nothing', async () => {
    const paths = await builtSandbox();
    const module = pathToFileURL(join(ROOT, 'server', 'src', 'node', 'sandbox', 'runner.ts')).href;
    const script = `
      const { createSandboxRunner } = await import(${JSON.stringify(module)});
      const runner = createSandboxRunner(${JSON.stringify({ ...paths, workers: 1 })});
      const run = (source) => runner.run({ source, entryPoint: 'solution', limits: { timeoutMs: 600000, memoryMb: 128, outputLimit: 100 } });
      await run('def solution(): return 1');
      void run('def solution(): return sum(range(10**15))');
      setTimeout(() => console.log('running'), 300);
    `;
    const server = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(server.stdout!, 'data');
    const grandchildren = children(server.pid);
    assert.ok(grandchildren.length > 0);
    server.kill('SIGKILL');
    await once(server, 'exit');
    await until(() => !grandchildren.some(isAlive), 10_000);
  }).timeout(60_000);
});
