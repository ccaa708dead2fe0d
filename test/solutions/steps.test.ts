import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunRequest, RunResult, SolutionRunner } from '../../server/src/core/ports.ts';
import { findPython } from '../../server/src/node/native/interpreter.ts';
import { createNativeRunner } from '../../server/src/node/native/runner.ts';
import { runSteps } from '../../server/src/core/solution/steps.ts';
import type { StepsFound } from '../../server/src/core/solution/steps.ts';
import { valuesOf } from '../../server/src/core/solution/values.ts';
import { ATTACKS } from './attacks.ts';
import { assertClean, LIMITS, openRunner, readCases, ROOT, solve, STATE } from './sandbox.ts';

const DATA = join(ROOT, '../shared/data/docmath-eval');

const requestOf = (source: string, timeoutMs = LIMITS.timeoutMs): RunRequest => ({
  source,
  entryPoint: 'solution',
  limits: { ...LIMITS, timeoutMs },
});

/** What two runs of one solution must agree on. */
const told = ({ value, error, stdout }: RunResult): unknown => ({ value, error, stdout });

/** `name = value ×times` of every statement. */
function shown(source: string, found: StepsFound): string[] {
  assert.equal(found.kind, 'steps', JSON.stringify(found));
  return valuesOf(source, 'solution', found.steps).map(({ values, times }) => {
    const text = values.map(({ name, value }) => `${name} = ${value}`.trim()).join(', ');
    return times === 1 ? text : `${text} ×${times}`;
  });
}

describe('steps of a run', () => {
  let runner: SolutionRunner;
  let clean: RunResult;
  const losses: string[] = [];

  before(async () => {
    runner = await openRunner({ log: (line) => losses.push(line) });
    clean = await solve(runner, STATE);
  });
  after(() => runner.dispose());

  async function stepped(source: string, timeoutMs?: number): Promise<{ run: RunResult; found: StepsFound }> {
    const request = requestOf(source, timeoutMs);
    const run = await runner.run(request);
    return { run, found: await runSteps(runner, request, run) };
  }

  it('tell the lines, what they changed, and what functions gave back', async () => {
    const source = `import math
RATE = 0.5
def half(x):
    return x * RATE
def solution():
    a, b = 1, 2.5
    rows = []
    for i in range(3):
        rows.append(half(i))
    total = sum([
        a,
        b,
    ])
    total += rows[-1]
    return total
`;
    const { found } = await stepped(source);
    assert.deepEqual(shown(source, found), [
      'RATE = 0.5',
      'a = 1, b = 2.5',
      'rows = []',
      'i = 2 ×3',
      'total = 3.5',
      'total = 4.5',
      '= 4.5',
    ]);
    assert.ok(found.kind === 'steps');
    const { steps, frames, full } = found.steps;
    assert.equal(full, false);
    assert.deepEqual(frames, ['<module>', 'solution', 'half', 'half', 'half']);
    assert.deepEqual(
      steps.slice(0, 5).map(({ kind, line, frame, changes }) => [kind, line, frame, changes]),
      [
        ['line', 2, 0, []],
        ['line', 3, 0, [{ name: 'RATE', value: '0.5' }]],
        ['line', 6, 1, []],
        [
          'line',
          7,
          1,
          [
            { name: 'a', value: '1' },
            { name: 'b', value: '2.5' },
          ],
        ],
        ['line', 8, 1, [{ name: 'rows', value: '[]' }]],
      ],
    );
    const returned = steps.filter(({ kind }) => kind === 'return').map(({ value }) => value);
    assert.deepEqual(returned, ['0.0', '0.5', '1.0', '4.5']);
    assert.deepEqual(
      steps
        .flatMap(({ changes }) => changes)
        .filter(({ name }) => name === 'rows')
        .map(({ value }) => value),
      ['[]', '[0.0]', '[0.0, 0.5]', '[0.0, 0.5, 1.0]'],
    );
  });

  it('of an exception end where it was raised', async () => {
    const { found } = await stepped('def solution():\n    part = 1\n    return part / (part - 1)');
    assert.ok(found.kind === 'steps');
    const last = found.steps.steps.at(-1)!;
    assert.deepEqual([last.kind, last.line, last.value], ['raise', 3, 'ZeroDivisionError']);
  });

  it('of a loop without end are its first ones', async () => {
    const source = 'def solution():\n    n = 0\n    while True:\n        n += 1\n';
    const { run, found } = await stepped(source, 1500);
    assert.equal(run.error?.kind, 'timeout');
    assert.ok(found.kind === 'steps' && found.steps.full && found.steps.steps.length > 1990);
  });

  it('of a long run stop, and its value is the same', async () => {
    const source = 'def solution():\n    n = 0\n    for i in range(20000):\n        n += i\n    return n\n';
    const { run, found } = await stepped(source);
    assert.equal(run.value?.repr, '199990000');
    assert.ok(found.kind === 'steps' && found.steps.full);
  });

  it('are those of generators, too', async () => {
    const source =
      'def solution():\n    def parts():\n        for i in range(3):\n            yield i\n    s = sum(parts())\n    return s\n';
    const { found } = await stepped(source);
    assert.ok(found.kind === 'steps');
    assert.deepEqual(
      found.steps.frames.filter((name) => name === 'parts'),
      ['parts'],
    );
    assert.ok(shown(source, found).includes('s = 3'));
  });

  it('show large and nested values in short', async () => {
    const source = `def solution():
    text = 'x' * 1_000_000
    number = 2 ** 100_000
    many = list(range(100_000))
    deep = [[[[[1]]]]]
    loop = []
    loop.append(loop)
    by = {i: str(i) for i in range(1000)}
    return 1
`;
    const { found } = await stepped(source);
    const values = shown(source, found);
    for (const value of values) assert.ok(value.length < 180, value);
    assert.deepEqual(values.slice(1, 4), [
      'number = <int of 100001 bits>',
      'many = [0, 1, 2, 3, 4, 5, …]',
      'deep = [[[[…]]]]',
    ]);
  });

  it('never run what a class says of itself', async () => {
    const source = `import datetime
from fractions import Fraction
told = []
class Odd:
    def __repr__(self):
        told.append('repr')
        return 'odd'
    def __eq__(self, other):
        told.append('eq')
        return True
    __hash__ = object.__hash__
    @property
    def __class__(self):
        told.append('class')
        return dict
class Rows(list):
    def __iter__(self):
        told.append('iter')
        return iter(())
    __repr__ = __len__ = __iter__
class Names(type):
    @property
    def __name__(cls):
        told.append('name')
        return 'name'
class Meta(metaclass=Names):
    pass
class Zone(datetime.tzinfo):
    def utcoffset(self, when):
        told.append('offset')
        return None
    __repr__ = lambda self: told.append('zone') or 'zone'
def solution():
    one = Odd()
    rows = Rows([1, 2])
    meta = Meta()
    when = datetime.datetime(2024, 1, 2, tzinfo=Zone())
    part = Fraction(1, 3)
    held = [one, rows, meta, (one,), {'a': one}]
    return len(told)
`;
    const { run, found } = await stepped(source);
    assert.equal(run.value?.repr, '0');
    const values = shown(source, found);
    assert.ok(
      values.includes('one = <Odd>') && values.includes('rows = Rows([1, 2])') && values.includes('part = 1/3'),
    );
    assert.ok(values.includes('when = 2024-01-02 00:00:00'), values.join('\n'));
    assert.ok(values.includes("held = [<Odd>, Rows([1, 2]), <Meta>, (<Odd>,), {'a': <Odd>}]"), values.join('\n'));
  });

  /** Each gets either true steps or a reason; the value is that of a run without steps, whatever it does. */
  const TAMPERING: Readonly<Record<string, string>> = {
    'takes the trace away': 'import sys\ndef solution():\n    sys.settrace(None)\n    a = 1\n    return a',
    'traces itself':
      'import sys\ndef solution():\n    seen = []\n    sys.settrace(lambda *given: seen.append(1))\n    (lambda: 1)()\n    sys.settrace(None)\n    return len(seen)',
    'asks whether it is traced': 'import sys\ndef solution():\n    return 1 if sys.gettrace() is None else 2',
    'asks how deep it may go': 'import sys\ndef solution():\n    return sys.getrecursionlimit()',
    'changes how deep it may go':
      'import sys\nsys.setrecursionlimit(200)\ndef down(n):\n    return down(n + 1)\ndef solution():\n    try:\n        down(0)\n    except RecursionError:\n        return 7',
    'calls the trace function':
      'import sys\ndef solution():\n    trace = sys.gettrace()\n    if trace: trace(None, None, None)\n    return 1',
    'changes its frame':
      'import sys\ndef solution():\n    sys._getframe().f_trace = lambda *given: 1 / 0\n    a = 1\n    return a',
    'empties the notes':
      'import sys\ndef solution():\n    trace = sys.gettrace()\n    if trace:\n        trace.__self__.steps.append(["line", -1, 99, [], "x" * 10_000_000])\n    return 1',
    'puts the runner out':
      'import sys\ndef solution():\n    module = sys.modules.get("solution_runner")\n    if module:\n        module._datum = lambda *given: 1 / 0\n        module.Steps.write = None\n    a = 2\n    return a',
    'falls deep': 'def down(n):\n    return 0 if n == 0 else 1 + down(n - 1)\ndef solution():\n    return down(990)',
    'falls without end': 'def down(n):\n    return down(n + 1)\ndef solution():\n    return down(0)',
    'falls and gets up':
      'def down(n):\n    return down(n + 1)\ndef solution():\n    try:\n        down(0)\n    except RecursionError:\n        return 5',
    'counts how deep it falls':
      'def solution():\n    n = 0\n    def down():\n        nonlocal n\n        n += 1\n        down()\n    try:\n        down()\n    except RecursionError:\n        return n',
    'runs text':
      'def solution():\n    space = {}\n    exec("a = 1\\nfor i in range(3):\\n    a += i", space)\n    return space["a"]',
    'runs its own body elsewhere':
      'def inner():\n    a = 1\n    return a\ndef solution():\n    exec(inner.__code__, {}, {})\n    return 4',
    'has names of its own in a class':
      'class Names(dict):\n    def __setitem__(self, name, value):\n        dict.__setitem__(self, name, value)\n    def items(self):\n        raise SystemExit\nclass Meta(type):\n    __prepare__ = classmethod(lambda *given: Names())\nclass Odd(metaclass=Meta):\n    a = 1\ndef solution():\n    return Odd.a',
    'has names that are no text':
      'class Odd:\n    def __hash__(self): return 1\n    def __eq__(self, other): raise SystemExit\nglobals()[Odd()] = 1\ndef solution():\n    b = 2\n    return b',
    prints: 'def solution():\n    print("one")\n    a = 1\n    print(a)\n    return a',
    'swallows everything':
      'def solution():\n    for i in range(100000):\n        try:\n            pass\n        except:\n            pass\n    return i',
    'fills the memory': 'def solution():\n    rows = []\n    while True:\n        rows.append(bytearray(1 << 20))',
    'has a thousand names':
      'def solution():\n    for i in range(1000):\n        globals()[f"name_{i}"] = i\n    return len([name for name in globals() if name.startswith("name_")])',
    'ends Python': 'import os\ndef solution():\n    os._exit(0)',
    'says it is done': 'def solution():\n    raise SystemExit(3)',
    'is no function': 'solution = 5',
    'is no Python': 'def solution(:\n    return 1',
    'has other line ends': 'def solution():\r\n    a = 1\r    b = 2\r\n    return a + b',
    awaits: 'async def solution():\n    return 1',
    'is a lambda': 'solution = lambda: 6 / 4',
    'is decorated':
      'import functools\ndef twice(f):\n    @functools.wraps(f)\n    def run():\n        return 2 * f()\n    return run\n@twice\ndef solution():\n    a = 3\n    return a',
  };
  for (const [name, source] of Object.entries(TAMPERING)) {
    it(`leave the value alone of one that ${name}`, async () => {
      const { run, found } = await stepped(source, 1500);
      const traced = await runner.run({ ...requestOf(source, 1500), trace: 'run' });
      const next = await solve(runner, `${STATE}# ${name}`);
      assertClean(next, clean, name);
      if (found.kind === 'steps' && run.error?.kind !== 'timeout' && run.error?.kind !== 'memory') {
        assert.deepEqual(told(traced), told(run));
      }
      assert.ok(JSON.stringify(found).length < 4_000_000);
      assert.ok(found.kind === 'problem' || found.steps.steps.every(({ line }) => line >= 1));
    });
  }

  it('are no way out: what attacks a run is stopped all the same', async function () {
    this.timeout(300_000);
    for (const { name, body } of ATTACKS) {
      const source = `def solution():\n${body.replace(/^/gm, '    ')}\n`;
      const text = source.replaceAll('CANARY_FILE', '/etc/hostname').replaceAll('PARENT', String(process.pid));
      const request: RunRequest = { ...requestOf(text, 1000), trace: 'run' };
      const [result, next] = await Promise.all([runner.run(request), solve(runner, `${STATE}# traced ${name}`)]);
      assert.ok((result.value === undefined) !== (result.error === undefined), name);
      assertClean(next, clean, name);
    }
  });

  it('change no value of the cases', async function () {
    this.timeout(300_000);
    const cases = readCases<{ source: string }>('values.json');
    assert.ok(cases.length > 200);
    await same(cases.map(({ source }) => source));
  });

  it('change no value of real solutions', async function () {
    this.timeout(300_000);
    const file = join(DATA, 'testmini_703.jsonl');
    const small = join(DATA, 'full_shape_119_reconstructed.jsonl');
    if (!existsSync(file) || !existsSync(small)) return this.skip();
    const lines = [file, small].flatMap((path) => readFileSync(path, 'utf8').split('\n'));
    const sources = lines.flatMap((line) => {
      const source = line === '' ? undefined : (JSON.parse(line) as { python_solution?: unknown }).python_solution;
      return typeof source === 'string' && source.trim() !== '' ? [source] : [];
    });
    assert.ok(sources.length > 800, String(sources.length));
    const { withSteps } = await same(sources);
    // Those without are such as CPython itself refuses to read.
    assert.ok(withSteps > 0.99 * sources.length, `${withSteps} of ${sources.length}`);
  });

  async function same(sources: readonly string[]): Promise<{ withSteps: number }> {
    let withSteps = 0;
    await Promise.all(
      sources.map(async (source) => {
        const request = requestOf(source);
        const run = await runner.run(request);
        const traced = await runner.run({ ...request, trace: 'run' });
        if (/\b(now|today|time|perf_counter|monotonic|urandom|uuid\d|getrefcount|sys)\b/.test(source)) return;
        assert.deepEqual(told(traced), told(run), source);
        if (traced.steps === undefined || traced.steps.steps.length === 0) return;
        withSteps++;
        for (const { span, values } of valuesOf(source, 'solution', traced.steps)) {
          assert.ok(span.end <= source.length && values.length > 0);
        }
      }),
    );
    return { withSteps };
  }

  describe('in an own Python', () => {
    const folder = join(ROOT, 'server/src/node');
    it('are the same', async function () {
      if (findPython() === undefined) return this.skip();
      const own = createNativeRunner({
        workerPath: join(folder, 'native/worker.py'),
        runnerPath: join(folder, 'sandbox/runner.py'),
      });
      try {
        for (const source of Object.values(TAMPERING).slice(0, 8)) {
          const request: RunRequest = { ...requestOf(source), engine: 'python' };
          const run = await own.run(request);
          const found = await runSteps(own, request, run);
          assert.ok(found.kind === 'problem' || found.steps.steps.length > 0);
        }
        const source =
          'def solution():\n    total = 0\n    for i in range(3):\n        total += i\n    return total / 2\n';
        const request: RunRequest = { ...requestOf(source), engine: 'python' };
        const run = await own.run(request);
        const found = await runSteps(own, request, run);
        assert.deepEqual(shown(source, found), ['total = 0', 'i = 2 ×3', 'total = 3 ×3', '= 1.5']);
      } finally {
        await own.dispose();
      }
    });
  });
});
