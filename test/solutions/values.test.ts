import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunResult, SolutionRunner } from '../../server/src/core/ports.ts';
import { openRunner, readCases, ROOT, solve } from './sandbox.ts';

interface ValueCase {
  readonly name: string;
  readonly source: string;
  readonly expect: {
    readonly ok: boolean;
    readonly type?: string;
    readonly repr?: string;
    readonly out: string;
    readonly err?: { readonly type: string; readonly msg: string; readonly line: number | null; readonly col?: number };
  };
}

/** CPython's C library differs by one unit in the last place from ours for a few functions. */
function isClose(found: string, expected: string): boolean {
  if (found === expected) return true;
  const [a, b] = [Number(found), Number(expected)];
  return expected.includes('.') && Math.abs(a - b) <= Number.EPSILON * Math.max(Math.abs(a), Math.abs(b));
}

function assertLike(result: RunResult, { name, expect }: ValueCase): void {
  const { value, error } = result;
  assert.equal(result.stdout, expect.out, name);
  assert.equal(result.pythonVersion, '3.13.2');
  if (expect.ok) {
    assert.equal(error, undefined, `${name}: ${JSON.stringify(error)}`);
    assert.equal(value?.kind, expect.type, name);
    assert.ok(isClose(value!.repr, expect.repr!), `${name}: ${value!.repr} instead of ${expect.repr}`);
    return;
  }
  assert.equal(value, undefined, name);
  const { type, msg, line, col } = expect.err!;
  assert.equal(error?.line, line ?? undefined, name);
  if (col !== undefined) assert.equal(error?.column, col, name);
  if (type === 'BadReturn') {
    assert.deepEqual([error?.kind, error?.type], ['badReturn', msg], name);
  } else if (type === 'NotFinite') {
    assert.deepEqual([error?.kind, error?.message], ['notFinite', msg], name);
  } else {
    assert.deepEqual([error?.type, error?.message], [type, msg], name);
  }
}

describe('values', () => {
  let runner: SolutionRunner;
  before(async () => (runner = await openRunner()));
  after(() => runner.dispose());

  it('are those of CPython 3.13', async () => {
    const cases = readCases<ValueCase>('values.json');
    const results = await Promise.all(cases.map(({ source }) => solve(runner, source)));
    assert.equal(results.length, 250);
    results.forEach((result, at) => assertLike(result, cases[at]!));
  });

  it('do not depend on what ran before', async () => {
    const always = await openRunner({ trustPlain: false });
    try {
      const cases = readCases<ValueCase>('values.json').reverse();
      const results = await Promise.all(cases.map(({ source }) => solve(always, source)));
      results.forEach((result, at) => assertLike(result, cases[at]!));
    } finally {
      await always.dispose();
    }
  });

  it('of 4,000 finance-like solutions', async () => {
    const cases = readCases<{ source: string; repr: string }>('bulk_4000.jsonl');
    const results = await Promise.all(cases.map(({ source }) => solve(runner, source)));
    const wrong = results.filter((result, at) => result.value?.repr !== cases[at]!.repr);
    assert.equal(results.length, 4000);
    assert.deepEqual(wrong, []);
  });

  it('of DocMath-Eval are their gold', async function () {
    const path = join(ROOT, '..', 'shared', 'data', 'docmath-eval', 'testmini_703.jsonl');
    if (!existsSync(path)) {
      console.log('      the published file is not here');
      this.skip();
    }
    const records = readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { python_solution: string; ground_truth: number });
    const results = await Promise.all(records.map((record) => solve(runner, record.python_solution)));
    assert.equal(results.length, 703);
    results.forEach((result, at) => {
      const gold = records[at]!.ground_truth;
      const value = Number(result.value?.repr);
      assert.ok(
        Math.abs(value - gold) <= 1e-9 * Math.max(1, Math.abs(gold)),
        `${at}: ${JSON.stringify(result)} ${gold}`,
      );
    });
  });
});

describe('outcomes', () => {
  let runner: SolutionRunner;
  before(async () => (runner = await openRunner()));
  after(() => runner.dispose());
  const body = (text: string, limits = {}): Promise<RunResult> =>
    solve(runner, `def solution():\n    ${text.replaceAll('\n', '\n    ')}\n`, limits);

  it('of ints of any size are their decimal digits', async () => {
    assert.deepEqual((await body('return 10**5000')).value, { kind: 'int', repr: `1${'0'.repeat(5000)}` });
    assert.deepEqual((await body('return -(3**9000)')).value, { kind: 'int', repr: String(-(3n ** 9000n)) });
    const { error } = await body('return 1 << 10**6');
    assert.deepEqual([error?.kind, error?.type, error?.message], ['badReturn', 'int', 'an int of 1000001 bits']);
  });

  it('that are no numbers say what was returned', async () => {
    const returned: [string, string, string][] = [
      ['None', 'NoneType', 'None'],
      ['True', 'bool', 'True'],
      ["'150.0'", 'str', "'150.0'"],
      ['(1, 2.5)', 'tuple', '(1, 2.5)'],
      ["{'a': 1}", 'dict', "{'a': 1}"],
      ['1j', 'complex', '1j'],
      ["__import__('decimal').Decimal('1.50')", 'Decimal', "Decimal('1.50')"],
      ["type('Real', (float,), {})(2)", 'Real', '2.0'],
    ];
    for (const [source, type, message] of returned) {
      const { error } = await body(`return ${source}`);
      assert.deepEqual([error?.kind, error?.type, error?.message], ['badReturn', type, message]);
    }
    const { error } = await body('return list(range(10**6))');
    assert.ok(error!.message.length < 200, error!.message);
    assert.equal((await body('class A:\n    def __repr__(self): raise ValueError\nreturn A()')).error?.type, 'A');
  });

  it('name a missing, uncallable or demanding function', async () => {
    const kinds = async (source: string, entryPoint = 'solution'): Promise<unknown[]> => {
      const { error } = await solve(runner, source, {}, entryPoint);
      return [error?.kind, error?.message];
    };
    assert.deepEqual(await kinds('x = 1'), ['entryPoint', "there is no function named 'solution'"]);
    assert.deepEqual(await kinds('solution = 3'), ['entryPoint', "'solution' is not a function but 3"]);
    const missing = "solution() missing 1 required positional argument: 'a'";
    assert.deepEqual(await kinds('def solution(a): return a'), ['entryPoint', missing]);
    assert.equal((await solve(runner, 'def compute(): return 7', {}, 'compute')).value?.repr, '7');
    // An error inside the function is not one of the call.
    assert.deepEqual(await kinds('def f(a): return a\ndef solution():\n    return f()'), [
      'exception',
      "f() missing 1 required positional argument: 'a'",
    ]);
  });

  it('suggest the name that was meant', async () => {
    const { error } = await body('total = 1\nreturn totl');
    assert.equal(error?.message, "name 'totl' is not defined. Did you mean: 'total'?");
    assert.equal(error?.line, 3);
  });

  it('keep what was printed, up to the limit', async () => {
    const printed = await body("print('a', 1.5)\nimport sys\nprint('b', file=sys.stderr)\nraise ValueError('no')");
    assert.deepEqual([printed.stdout, printed.stdoutTruncated, printed.error?.line], ['a 1.5\nb\n', false, 5]);
    const long = await body("for _ in range(10**5): print('x' * 50)\nreturn 1", { outputLimit: 1000 });
    assert.deepEqual([long.stdout.length, long.stdoutTruncated, long.value?.repr], [1000, true, '1']);
    const astral = await body("print('\\U0001F600' * 600)\nreturn 1", { outputLimit: 999 });
    assert.deepEqual([astral.stdout.length, astral.stdoutTruncated], [998, true]);
  });

  it('hold to the limits of time, memory and depth', async () => {
    const kind = async (text: string, limits = {}): Promise<unknown> => (await body(text, limits)).error?.kind;
    assert.equal(await kind('while True: pass', { timeoutMs: 200 }), 'timeout');
    assert.equal(await kind("return len('x' * 10**9)"), 'memory');
    assert.equal(await kind("return len('x' * 10**10)"), 'memory');
    assert.equal(await kind("return len('x' * (40 << 20))", { memoryMb: 48 }), 'memory');
    assert.equal((await body("return len('x' * (40 << 20))")).value?.repr, String(40 << 20));
    assert.equal(await kind('def f(): return f()\nreturn f()'), 'recursion');
  });

  it('count the depth of calls as CPython does', async () => {
    const depth = async (levels: number): Promise<RunResult> =>
      body(`f = lambda n: n and f(n - 1) + 1\nreturn f(${levels})`);
    // 1,000 frames: the module, the function, and the rest.
    assert.equal((await depth(990)).value?.repr, '990');
    assert.equal((await depth(1000)).error?.type, 'RecursionError');
    const through =
      'class N:\n    def __init__(self, d): self.d = d\n    def __add__(self, o): return sorted([N(self.d - 1)], key=lambda n: n + 0)[0].d if self.d else 0\n';
    assert.ok((await body(`${through}return (N(150) + 0) * 0 + 5`)).value, 'through C and back 150 times');
  });

  it('give syntax errors with line and column', async () => {
    const { error } = await solve(runner, 'def solution():\n    return 1 +\n');
    assert.deepEqual(
      [error?.kind, error?.type, error?.line, error?.column, error?.message],
      ['syntax', 'SyntaxError', 2, 15, 'invalid syntax'],
    );
  });

  it('take odd texts as they are', async () => {
    assert.equal((await solve(runner, '')).error?.kind, 'entryPoint');
    assert.equal((await solve(runner, 'def solution():\r\n    return 2\r\n')).value?.repr, '2');
    assert.equal((await solve(runner, '\ufeffdef solution(): return 2')).error?.kind, 'syntax');
    assert.equal((await solve(runner, 'def solution():\0 return 2')).error?.kind, 'syntax');
    assert.equal((await solve(runner, "def solution(): return len('é\u{1f600}\ud800')")).value?.repr, '3');
    assert.equal(
      (await solve(runner, `def solution():\n    x = [${'1,'.repeat(50_000)}]\n    return len(x)`)).value?.repr,
      '50000',
    );
  });
});
