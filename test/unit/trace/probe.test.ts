import assert from 'node:assert/strict';
import type { RunRequest, RunResult, SolutionRunner } from '../../../server/src/core/ports.ts';
import { repeatRules } from '../../../server/src/core/rules/repeat.ts';
import { unusedRules } from '../../../server/src/core/rules/unused.ts';
import { chanceIn, nudgedSource, runProbed, shiftedSource } from '../../../server/src/core/trace/probe.ts';
import { readProgram } from '../../../server/src/core/trace/program.ts';
import { fails, yields } from '../rules/support.ts';
import { inputOf, settingsOf } from '../rules/support.ts';
import { BASE } from './support.ts';

const LIMITS = { timeoutMs: 3000, memoryMb: 128, outputLimit: 1000 };
const CLOCK = 'from datetime import datetime\ndef solution():\n    return datetime.now().year';
const LOOP =
  'def solution():\n    limit = 100\n    t = 0\n    for x in [1, 2]:\n        t += x\n    return t if t < limit else 0';

/** A runner that answers in turn, and what it was asked. */
function answering(...answers: readonly RunResult[]): {
  readonly runner: SolutionRunner;
  readonly asked: RunRequest[];
} {
  const asked: RunRequest[] = [];
  const runner: SolutionRunner = {
    run(request) {
      asked.push(request);
      return Promise.resolve(answers[asked.length - 1] ?? fails({ kind: 'timeout', type: 'Timeout', message: '' }));
    },
    dispose: () => Promise.resolve(),
  };
  return { runner, asked };
}

function probe(source: string, ...answers: readonly RunResult[]) {
  const { runner, asked } = answering(...answers);
  const run = runProbed(
    runner,
    { source, entryPoint: 'solution', limits: LIMITS },
    { source, faults: [], runnable: true },
  );
  return run.then((result) => ({ result, asked }));
}

describe('further runs', () => {
  it('are not made of plain calculations', async () => {
    const { result, asked } = await probe('def solution():\n    a = 5\n    return a * 2', yields('10'));
    assert.equal(asked.length, 1);
    assert.equal(result.probed, undefined);
  });

  it('are not made of solutions that failed', async () => {
    const { asked } = await probe(CLOCK, fails({ kind: 'exception', type: 'E', message: '' }));
    assert.equal(asked.length, 1);
  });

  it('shift clock and chance where the solution reads them', async () => {
    const { result, asked } = await probe(CLOCK, yields('2031'), yields('2032'));
    assert.equal(asked.length, 2);
    assert.ok(asked[1]!.source.endsWith(CLOCK));
    assert.deepEqual(result.probed, { shifted: '2032' });
  });

  it('nudge the values of solutions that loop or branch, all in one run', async () => {
    const { result, asked } = await probe(LOOP, yields('3'), yields('2'));
    assert.equal(asked.length, 2);
    assert.ok(asked[1]!.limits.timeoutMs < LIMITS.timeoutMs);
    assert.deepEqual(result.probed, { withoutEffect: ['limit'] });
  });

  it('say nothing where the further run fails', async () => {
    assert.deepEqual((await probe(LOOP, yields('3'))).result.probed, {});
    assert.deepEqual((await probe(CLOCK, yields('3'))).result.probed, {});
  });
});

describe('what a solution may depend on', () => {
  it('is told by its calls, not by texts, comments and names', () => {
    const found = chanceIn(CLOCK)!;
    assert.equal(CLOCK.slice(found.start, found.end), 'now');
    for (const source of ['# hash(x)\nx = 1', "x = 'id(5)'", 'time = 5', 'lifetime(5)']) {
      assert.equal(shiftedSource(source), undefined, source);
    }
  });

  it('is not tried out with too many values, or none', () => {
    const nudged = (source: string) =>
      nudgedSource(readProgram(source, 'solution'), { source, entryPoint: 'solution' });
    assert.deepEqual(nudged(LOOP)?.names, ['limit', 't']);
    assert.equal(nudged('def solution():\n    return [x for x in (1, 2)][0]'), undefined);
    const many = Array.from({ length: 40 }, (_, i) => `    a${i} = ${i}`).join('\n');
    const uses = Array.from({ length: 40 }, (_, i) => `a${i}`).join(', ');
    assert.equal(nudged(`def solution():\n${many}\n    for x in [${uses}]: pass\n    return x`), undefined);
  });
});

describe('rules on further runs', () => {
  const settings = settingsOf('docmath-eval');
  const codes = (rules: typeof repeatRules, python_solution: string, run: RunResult): string[] => {
    const found: string[] = [];
    const input = inputOf(JSON.stringify({ ...BASE, python_solution }), settings);
    for (const rule of rules) {
      if ('checkRun' in rule) {
        (rule as Extract<typeof rule, { needs: 'run' }>).checkRun({ ...input, run }, ({ message }) =>
          found.push(message),
        );
      }
    }
    return found;
  };

  it('report a result that changes, and not the last digits of a float', () => {
    const [message] = codes(repeatRules, CLOCK, { ...yields('2031'), probed: { shifted: '2032' } });
    assert.match(message!, /yields 2031, and 2032 when it is run with another clock.*It calls now\./);
    assert.deepEqual(codes(repeatRules, CLOCK, { ...yields('0.3'), probed: { shifted: '0.30000000000000004' } }), []);
    assert.deepEqual(codes(repeatRules, CLOCK, yields('2031')), []);
  });

  it('report values without effect', () => {
    const [message] = codes(unusedRules, LOOP, { ...yields('3'), probed: { withoutEffect: ['limit'] } });
    assert.match(message!, /^The value of limit is read, but/);
  });
});
