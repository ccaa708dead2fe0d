import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import type { SolutionRunner } from '../../server/src/core/ports.ts';
import { openRunner, readCases, ROOT, solve } from '../solutions/sandbox.ts';
import { median } from './ratio.ts';
import type { Ratio } from './ratio.ts';

interface Case {
  readonly source: string;
  readonly repr: string;
}

/** Runs all in one process, each in a namespace of its own with its output caught; prints the seconds without start-up. */
const ONE_PROCESS = `
import contextlib, io, json, sys, time
sources = json.load(sys.stdin)
start = time.perf_counter()
results = []
for source in sources:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        space = {}
        exec(compile(source, '<solution>', 'exec'), space)
        results.append((repr(space['solution']()), printed.getvalue()))
print(time.perf_counter() - start, len(results))
`;
/** The same in Pyodide with nothing of ours around it: what no sandbox of one process that has it inside can do without. */
const PYODIDE_ALONE = `
import { loadPyodide } from 'pyodide';
import { text } from 'node:stream/consumers';
const info = { arch: 'wasm32', platform: 'emscripten_4_0_9', python: '3.13.2', abi_version: '2025_0' };
const pyodide = await loadPyodide({ lockFileContents: { info, packages: {} }, packageBaseUrl: '/' });
pyodide.globals.set('given', await text(process.stdin));
pyodide.globals.set('program', process.argv[1]);
pyodide.runPython('import io, sys');
// The first rounds are for the compiler of WebAssembly, as ours have one before.
for (let round = 0; round < 3; round++) pyodide.runPython('sys.stdin = io.StringIO(given); exec(program, {})');
process.exit(0);
`;
const PYTHON = process.platform === 'win32' ? 'python' : 'python3';
/** The interpreter itself, where the name on the path is a script that chooses one. */
let executable = PYTHON;
const SAMPLE = 200;
const ROUNDS = 3;

function python(args: readonly string[], input = ''): string {
  const { status, stdout, error } = spawnSync(executable, args, { input, encoding: 'utf8', maxBuffer: 1 << 26 });
  if (error) throw error;
  assert.equal(status, 0);
  return stdout;
}

function hasPython(): boolean {
  try {
    executable = python(['-c', 'import sys; print(sys.executable)']).trim();
    return true;
  } catch {
    return false;
  }
}

/** ms for all in one CPython process. */
function inOneProcess(sources: readonly string[]): number {
  const [seconds, count] = python(['-I', '-c', ONE_PROCESS], JSON.stringify(sources)).trim().split(' ');
  assert.equal(Number(count), sources.length);
  return Number(seconds) * 1000;
}

/** ms for all in one process of Pyodide alone. */
function inPyodideAlone(sources: readonly string[]): number {
  const { status, stdout, error } = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', PYODIDE_ALONE, ONE_PROCESS],
    { input: JSON.stringify(sources), encoding: 'utf8', cwd: ROOT },
  );
  if (error) throw error;
  assert.equal(status, 0);
  const [seconds, count] = stdout.trim().split('\n').at(-1)!.split(' ');
  assert.equal(Number(count), sources.length);
  return Number(seconds) * 1000;
}

/** ms for one CPython process each, from a sample. */
function inProcessesOfTheirOwn(sources: readonly string[]): number {
  const sample = sources.filter((_, at) => at % Math.floor(sources.length / SAMPLE) === 0).slice(0, SAMPLE);
  const started = performance.now();
  for (const source of sample) python(['-I', '-S', '-c', `${source}\nprint(repr(solution()))`]);
  return ((performance.now() - started) / sample.length) * sources.length;
}

let round = 0;

/** ms through the pool; every source is made new, so that no result is known. */
async function throughPool(runner: SolutionRunner, cases: readonly Case[]): Promise<number> {
  const mark = `# ${round++}\n`;
  const started = performance.now();
  const results = await Promise.all(cases.map(({ source }) => solve(runner, source + mark, { timeoutMs: 20_000 })));
  const ms = performance.now() - started;
  results.forEach((result, at) => assert.equal(result.value?.repr, cases[at]!.repr));
  return ms;
}

const ratioOf = (
  name: string,
  goal: number,
  pairs: readonly (readonly [ms: number, referenceMs: number])[],
): Ratio => ({
  name,
  goal,
  ratio: median(pairs.map(([ms, reference]) => ms / reference)),
  ms: median(pairs.map(([ms]) => ms)),
  referenceMs: median(pairs.map(([, reference]) => reference)),
});

/** 4,000 different solutions through the sandbox, one worker, against CPython. */
export async function solutionRatios(): Promise<Ratio[]> {
  const cases = readCases<Case>('bulk_4000.jsonl');
  const sources = cases.map(({ source }) => source);
  const runner = await openRunner();
  const always = await openRunner({ trustPlain: false });
  try {
    await solve(runner, 'def solution(): return 0');
    await throughPool(runner, cases);
    const ratios: Ratio[] = [];
    if (hasPython()) {
      const plain: [number, number][] = [];
      for (let at = 0; at < ROUNDS; at++) plain.push([await throughPool(runner, cases), inOneProcess(sources)]);
      ratios.push(ratioOf('4,000 plain solutions ÷ one CPython process', 2, plain));
      const alone: [number, number][] = [];
      for (let at = 0; at < ROUNDS; at++) alone.push([inPyodideAlone(sources), inOneProcess(sources)]);
      ratios.push(ratioOf('the same in Pyodide alone ÷ one CPython process (to compare with)', 2.5, alone));
      const each = inProcessesOfTheirOwn(sources);
      const name = `the same ÷ one CPython process each (from ${SAMPLE})`;
      ratios.push(
        ratioOf(
          name,
          0.1,
          plain.map(([ms]) => [ms, each]),
        ),
      );
      await solve(always, 'def solution(): return 0');
      const restored: [number, number][] = [[await throughPool(always, cases), inOneProcess(sources)]];
      ratios.push(ratioOf('4,000 solutions, each from a restored interpreter ÷ one CPython process', 12, restored));
    } else {
      console.error(`solutions: no ${PYTHON} here, so nothing to compare with`);
    }
    if (process.env['SOAK']) ratios.push(await growth(runner, cases));
    return ratios;
  } finally {
    await Promise.all([runner.dispose(), always.dispose()]);
  }
}

async function growth(runner: SolutionRunner, cases: readonly Case[]): Promise<Ratio> {
  const many = Array.from({ length: 30_000 }, (_, at) => {
    const { source, repr } = cases[at % cases.length]!;
    return { source: `${source}# ${at}\n`, repr };
  });
  const few = await throughPool(runner, cases);
  return ratioOf('30,000 solutions ÷ 4,000', 9, [[await throughPool(runner, many), few]]);
}
