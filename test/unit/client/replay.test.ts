import assert from 'node:assert/strict';
import type { RunSteps } from '../../../schemas/steps.ts';
import { momentAt, stepLabel, stepText, variablesText } from '../../../client/src/solutions/replay.ts';

/** def half(x): return x / 2 (lines 1 and 2); def solution(): a = 6; b = half(a); return b (lines 3 to 6). */
const RUN: RunSteps = {
  frames: ['solution', 'half'],
  steps: [
    { kind: 'line', line: 4, frame: 0, changes: [] },
    { kind: 'line', line: 5, frame: 0, changes: [{ name: 'a', value: '6' }] },
    { kind: 'line', line: 2, frame: 1, changes: [{ name: 'x', value: '6' }] },
    { kind: 'return', line: 2, frame: 1, changes: [], value: '3.0' },
    { kind: 'line', line: 6, frame: 0, changes: [{ name: 'b', value: '3.0' }] },
    { kind: 'return', line: 6, frame: 0, changes: [{ name: 'a', value: null }], value: '3.0' },
  ],
  full: false,
};

const texts = (beside: ReadonlyMap<number, readonly { name: string; value: string }[]>): unknown =>
  [...beside].map(([line, variables]) => [line, variablesText(variables, 100)]);

describe('the replay of a run', () => {
  it('shows beside each line what it has changed so far', () => {
    assert.deepEqual(texts(momentAt(RUN, 0)!.beside), []);
    assert.deepEqual(texts(momentAt(RUN, 2)!.beside), [[4, 'a = 6']]);
    assert.deepEqual(texts(momentAt(RUN, 5)!.beside), [
      [4, 'a = 6'],
      [5, 'b = 3.0'],
    ]);
  });

  it('knows the variables of the function that runs, and those that are gone', () => {
    const inHalf = momentAt(RUN, 3)!;
    assert.deepEqual([inHalf.function, variablesText(inHalf.variables, 100), inHalf.value], ['half', 'x = 6', '3.0']);
    const end = momentAt(RUN, 5)!;
    assert.deepEqual([end.function, variablesText(end.variables, 100)], ['solution', 'b = 3.0']);
  });

  it('says where it is, in short and in full', () => {
    assert.equal(stepText(momentAt(RUN, 1)!), 'Step 2 of 6: line 5 is next · a = 6');
    assert.equal(stepLabel(momentAt(RUN, 1)!), 'Step 2 of 6 in solution: line 5 is next. Changed: a = 6.');
    assert.equal(stepText(momentAt(RUN, 5)!), 'Step 6 of 6: line 6 returns 3.0');
  });

  it('says where more steps were than are kept', () => {
    const cut = { ...RUN, full: true };
    assert.equal(stepText(momentAt(cut, 5)!), 'Step 6 of 6+: line 6 returns 3.0');
    assert.match(stepLabel(momentAt(cut, 5)!), /no more of its steps are kept/);
    assert.equal(momentAt(cut, 4)!.isCut, false);
  });

  it('has nothing before and after', () => {
    assert.equal(momentAt(RUN, -1), undefined);
    assert.equal(momentAt(RUN, 6), undefined);
  });
});
