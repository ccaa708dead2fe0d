import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { openRunner, readCases, solve } from './sandbox.ts';

/** This process and those that it started. */
function family(): string[] {
  const children = readdirSync(`/proc/${process.pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${process.pid}/task/${task}/children`, 'utf8').trim().split(' ').filter(Boolean),
  );
  return ['self', ...children];
}

/** Resident memory of all in MiB. */
const resident = (): number =>
  family()
    .map((pid) => Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024)
    .reduce((sum, mib) => sum + mib, 0);

/** Processor time of all, and of those that have ended, in ticks: what else the machine does is not in it. */
const processorTime = (): number =>
  family()
    .flatMap((pid) => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ').slice(11, 15).map(Number))
    .reduce((sum, ticks) => sum + ticks, 0);

describe('30,000 solutions', () => {
  it('take their time in proportion, and no more memory', async function () {
    if (!process.env['SOAK'] || !existsSync('/proc/self/task')) this.skip();
    this.timeout(20 * 60_000);
    const cases = readCases<{ source: string; repr: string }>('bulk_4000.jsonl');
    const runner = await openRunner();
    const round = async (count: number, name: string): Promise<number> => {
      const started = processorTime();
      const sources = Array.from({ length: count }, (_, at) => `${cases[at % cases.length]!.source}# ${name} ${at}\n`);
      const results = await Promise.all(sources.map((source) => solve(runner, source)));
      results.forEach((result, at) => assert.equal(result.value?.repr, cases[at % cases.length]!.repr));
      return processorTime() - started;
    };
    try {
      await round(4000, 'warm');
      const few = await round(4000, 'few');
      const before = resident();
      const many = await round(30_000, 'many');
      const after = resident();
      console.log(
        `      ${(many / few).toFixed(1)} times the time of 4,000; ${before.toFixed(0)} → ${after.toFixed(0)} MiB`,
      );
      assert.ok(many / few <= 9, `${many / few}`);
      assert.ok(after - before < 200, `${before} → ${after} MiB`);
    } finally {
      await runner.dispose();
    }
  });
});
