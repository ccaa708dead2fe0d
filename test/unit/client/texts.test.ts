import assert from 'node:assert/strict';
import { outcomeText } from '../../../client/src/outcome-text.ts';
import { createRestartPolicy } from '../../../client/src/restart-policy.ts';
import { statusText } from '../../../client/src/status-text.ts';
import type { SolutionOutcome, StatusParams } from '../../../schemas/protocol.ts';

const status: StatusParams = {
  uri: 'file:///a.jsonl',
  profile: { name: 'docmath-eval', title: 'DocMath-Eval', reason: 'recognised from question' },
  records: 1623,
  counts: { error: 0, warning: 0, info: 0 },
  solutions: { done: 0, total: 0, passed: 0 },
  running: false,
};

describe('the status item', () => {
  it('says nothing where no profile fits', () => {
    assert.equal(statusText({ ...status, profile: null }, true), undefined);
  });

  it('says profile, reason, records and counts', () => {
    const text = statusText({ ...status, counts: { error: 2, warning: 1, info: 0 } }, true);
    assert.equal(text?.text, '$(error) 2 DocMath-Eval');
    assert.equal(text?.detail, 'recognised from question · 1,623 records · 2 errors, 1 warning');
    assert.equal(text?.severity, 'error');
    assert.equal(text?.label, 'Auditable QA, DocMath-Eval: 2 errors, 1 warning');
  });

  it('says how far the solutions are, and why they are not run', () => {
    const solutions = { done: 3, total: 5, passed: 2 };
    assert.match(statusText({ ...status, solutions }, true)?.detail ?? '', /3 of 5 solutions run, 1 differ or fail$/);
    assert.match(statusText({ ...status, solutions }, false)?.detail ?? '', /5 solutions not run: .*not trusted$/);
    const all = { done: 5, total: 5, passed: 5 };
    assert.match(statusText({ ...status, solutions: all }, true)?.detail ?? '', /5 solutions run, all yield the gold$/);
  });

  it('shows that something is under way', () => {
    const text = statusText({ ...status, running: true }, true);
    assert.equal(text?.busy, true);
    assert.match(text?.label ?? '', /checking$/);
  });
});

describe('the line about a run', () => {
  const outcome: SolutionOutcome = {
    value: '150',
    type: 'int',
    gold: 150,
    verdict: 'equal',
    error: null,
    stdout: '',
    ms: 1,
  };

  it('says value and verdict, or the error with its line', () => {
    assert.equal(outcomeText(0, outcome), 'Record 1: the solution yields 150, the gold.');
    assert.equal(
      outcomeText(0, { ...outcome, gold: 1500, verdict: 'mismatch' }),
      'Record 1: the solution yields 150, not the gold 1500.',
    );
    const error = { type: 'NameError', message: "name 'x' is not defined", line: 3 };
    assert.equal(
      outcomeText(4, { ...outcome, value: null, verdict: 'error', error }),
      "Record 5: NameError: name 'x' is not defined (line 3 of the solution)",
    );
    assert.equal(outcomeText(4, null), 'Record 5 has no solution to run.');
    assert.equal(
      outcomeText(0, { ...outcome, value: null, verdict: 'skipped' }),
      'Record 1: the solution was not run.',
    );
  });
});

describe('the restart policy', () => {
  it('starts again, tells the first time, and gives up on the fifth end in three minutes', () => {
    let now = 0;
    const policy = createRestartPolicy(() => now);
    const told: (string | undefined)[] = [];
    for (let end = 1; end <= 4; end++) {
      now += 1000;
      const { restart, message } = policy.ended();
      assert.equal(restart, true);
      told.push(message);
    }
    assert.equal(told.filter((message) => message !== undefined).length, 1);
    const last = policy.ended();
    assert.equal(last.restart, false);
    assert.match(last.message ?? '', /5 times/);
  });

  it('tells a series once, whether the server ended or did not come up', () => {
    let now = 0;
    const policy = createRestartPolicy(() => now);
    assert.equal(policy.failedToStart(), 'The language server did not start.');
    const told: (string | undefined)[] = [];
    // As long as no three minutes pass without a failure it is one series.
    for (let i = 0; i < 20; i++) {
      now += 2 * 60_000;
      told.push(policy.ended().message, policy.failedToStart());
    }
    assert.deepEqual([...new Set(told)], [undefined]);
    now += 4 * 60_000;
    assert.match(policy.ended().message ?? '', /ended unexpectedly/);
    for (let i = 0; i < 3; i++) assert.deepEqual(policy.ended(), { restart: true });
    assert.match(policy.ended().message ?? '', /5 times .* not started again/);
    assert.deepEqual(policy.ended(), { restart: false });
    policy.reset();
    assert.match(policy.ended().message ?? '', /ended unexpectedly/);
  });

  it('forgets ends that are long ago, and all of them when it is reset', () => {
    let now = 0;
    const policy = createRestartPolicy(() => now);
    for (let end = 0; end < 10; end++) {
      now += 60_000;
      assert.equal(policy.ended().restart, true);
    }
    for (let end = 0; end < 4; end++) policy.ended();
    policy.reset();
    assert.equal(policy.ended().restart, true);
  });
});
