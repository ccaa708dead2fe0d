import assert from 'node:assert/strict';
import { createLane } from '../../../server/src/lsp/session/lane.ts';

/** Lets everything that is due run, some rounds of it. */
async function rounds(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve));
}

describe('a lane of slow work', () => {
  it('tells that it is idle once after work, and never for wanting nothing', async () => {
    const done: string[] = [];
    let idles = 0;
    const lane = createLane<string>(
      2,
      async (item) => {
        await Promise.resolve();
        done.push(item);
      },
      () => {
        idles++;
        // As a session does: it looks again, and wants what is left, which is nothing.
        lane.want([]);
      },
    );
    lane.want([]);
    await rounds(50);
    assert.equal(idles, 0);
    lane.want(['a', 'b', 'c']);
    await rounds(50);
    assert.deepEqual(done, ['a', 'b', 'c']);
    assert.equal(idles, 1);
    assert.equal(lane.size, 0);
  });

  it('takes urgent work first and tells after it too', async () => {
    const done: string[] = [];
    let idles = 0;
    const lane = createLane<string>(
      1,
      async (item) => {
        await Promise.resolve();
        done.push(item);
      },
      () => void idles++,
    );
    lane.want(['a', 'b']);
    lane.first('z');
    await rounds(50);
    assert.deepEqual([...done].sort(), ['a', 'b', 'z']);
    assert.ok(done.indexOf('z') < done.indexOf('b'));
    assert.equal(idles, 1);
  });
});
