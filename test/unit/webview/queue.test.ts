import assert from 'node:assert/strict';
import type { ChangeAnswer } from '../../../schemas/page.ts';
import { createQueue } from '../../../webview/src/regions/queue.ts';

const MADE = { done: true, pointer: null, title: 'Move region 1' } as const;

describe('the queue of changes in the preview', () => {
  const { setTimeout: real } = globalThis;
  let version: number;
  let log: string[];

  /** Nothing is let go by the clock: what comes, comes since something arrived. */
  before(() => (globalThis.setTimeout = (() => 0) as unknown as typeof setTimeout));
  after(() => (globalThis.setTimeout = real));
  beforeEach(() => {
    version = 1;
    log = [];
  });

  function start(): { add(name: string, answer: ChangeAnswer): Promise<void>; arrived(): void } {
    const queue = createQueue(
      () => version,
      () => undefined,
    );
    return {
      add: (name, answer) =>
        new Promise((resolve) => {
          queue.add({
            ask: () => {
              log.push(`${name} is asked for on ${version}`);
              return Promise.resolve(answer);
            },
            done: (made, problem) => {
              log.push(`${name}: ${made === null ? problem : made.title}`);
              resolve();
            },
          });
        }),
      arrived() {
        version += 1;
        queue.arrived();
      },
    };
  }

  it('asks for a change on the snapshot that shows the one before', async () => {
    const queue = start();
    const one = queue.add('one', MADE);
    const two = queue.add('two', MADE);
    await new Promise(setImmediate);
    assert.deepEqual(log, ['one is asked for on 1']);
    queue.arrived();
    await one;
    await new Promise(setImmediate);
    queue.arrived();
    await two;
    assert.deepEqual(log, [
      'one is asked for on 1',
      'one: Move region 1',
      'two is asked for on 2',
      'two: Move region 1',
    ]);
  });

  it('goes on at once after a change that altered nothing, and after one that was refused', async () => {
    const queue = start();
    await Promise.all([
      queue.add('same', { ...MADE, unchanged: true }),
      queue.add('refused', { done: false, problem: 'No.' }),
      queue.add('last', { ...MADE, unchanged: true }),
    ]);
    assert.deepEqual(
      log.filter((line) => !line.includes('asked')),
      ['same: Move region 1', 'refused: No.', 'last: Move region 1'],
    );
  });
});
