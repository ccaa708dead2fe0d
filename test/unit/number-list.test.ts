import assert from 'node:assert/strict';
import { createNumberList } from '../../server/src/core/number-list.ts';

describe('lists of numbers', () => {
  it('keep them in order, however many there are', () => {
    const value = (i: number): number => 4294967295 - i;
    const list = createNumberList();
    for (let i = 0; i < 10_000; i++) {
      assert.equal(list.length, i);
      list.push(value(i));
    }
    assert.deepEqual(
      [...list],
      Array.from({ length: 10_000 }, (_, i) => value(i)),
    );
    for (const i of [0, 15, 16, 4095, 4096, 9999]) assert.equal(list.at(i), value(i));
  });

  it('may be empty', () => assert.deepEqual([...createNumberList()], []));
});
