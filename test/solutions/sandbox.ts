import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { RunLimits, RunResult, SolutionRunner } from '../../server/src/core/ports.ts';
import { createSandboxRunner } from '../../server/src/node/sandbox/runner.ts';
import type { SandboxOptions } from '../../server/src/node/sandbox/runner.ts';

export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
export const LIMITS: RunLimits = { timeoutMs: 4000, memoryMb: 128, outputLimit: 65_536 };

export type Built = Pick<SandboxOptions, 'childPath' | 'pyodideFolder'> & { readonly snapshotPath: string };

let building: Promise<Built> | undefined;

/** The sandbox as it ships; built once, and only what is out of date. */
export function builtSandbox(): Promise<Built> {
  // By a computed name: the script has no types.
  const script = pathToFileURL(join(ROOT, 'scripts', 'snapshot.mjs')).href;
  building ??= import(script).then(({ buildSandbox }: { buildSandbox(folder: string): Promise<Built> }) =>
    buildSandbox(join(ROOT, 'dist', 'sandbox')),
  );
  return building;
}

export async function openRunner(options: Partial<SandboxOptions> = {}): Promise<SolutionRunner> {
  return createSandboxRunner({ ...(await builtSandbox()), workers: 1, ...options });
}

export function solve(
  runner: SolutionRunner,
  source: string,
  limits: Partial<RunLimits> = {},
  entryPoint = 'solution',
): Promise<RunResult> {
  return runner.run({ source, entryPoint, limits: { ...LIMITS, ...limits } });
}

export function readCases<T>(file: string): T[] {
  const text = readFileSync(join(ROOT, 'test', 'cases', 'solutions', file), 'utf8');
  return file.endsWith('.jsonl')
    ? text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as T)
    : (JSON.parse(text) as T[]);
}

/**
 * A solution that prints what a run could have changed for the next one, and returns 42. It is not plain, so it is
 * given a restored interpreter exactly when every run is.
 */
export const STATE = `
import builtins, decimal, gc, json, locale, math, os, random, statistics, sys, threading, warnings
def solution():
    handles = [os.open('/lib/python313.zip', os.O_RDONLY) for _ in range(8)]
    for handle in handles:
        os.close(handle)
    import fractions, graphlib
    print(handles, len(sys.modules), len(sys.meta_path), len(sys.path_hooks), len(sys.path), sys.path[0])
    print(sum([1, 2]), math.pi, math.sqrt(2), statistics.mean([1, 2]), json.dumps({'a': [1.5]}), 0.1 + 0.2)
    print(sys.getrecursionlimit(), sys.get_int_max_str_digits(), sys.gettrace(), sys.getprofile(), gc.isenabled(), gc.callbacks)
    print(decimal.getcontext().prec, decimal.Decimal(1) / 3, random.random(), locale.getlocale(), len(warnings.filters))
    print(sorted(vars(builtins))[-20:], len(vars(builtins)), builtins.sum is sum, isinstance(True, int))
    print(os.listdir('/'), os.listdir('/tmp'), os.getcwd(), dict(os.environ), threading.active_count(), sys.argv)
    print([type(stream).__name__ for stream in (sys.stdin, sys.stdout, sys.__stdout__)], sys.excepthook is sys.__excepthook__)
    print(fractions.Fraction(1, 3) + 1, str(graphlib.TopologicalSorter({1: [2]}).static_order())[:17], hash('a') != 0)
    return 42
`;

export function assertClean(found: RunResult, clean: RunResult, after: string): void {
  assert.equal(found.error, undefined, `after ${after}: ${JSON.stringify(found.error)}`);
  assert.equal(found.value?.repr, '42', `after ${after}`);
  assert.equal(found.stdout, clean.stdout, `after ${after}`);
}
