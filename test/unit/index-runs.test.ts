import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createIndexRuns } from '../../server/src/core/index-runs.ts';

describe('runs of indices', () => {
  it('gives what came, in its order', () => {
    const near = fc.integer({ min: 0, max: 6 });
    fc.assert(
      fc.property(fc.array(fc.oneof(near, fc.nat())), fc.boolean(), (indices, sorted) => {
        const given = sorted ? [...new Set(indices)].sort((one, other) => one - other) : indices;
        const runs = createIndexRuns();
        for (const index of given) runs.push(index);
        assert.deepEqual([...runs], given);
        assert.equal(runs.length, given.length);
      }),
    );
  });
});
