import assert from 'node:assert/strict';
import { createUsedValues } from '../../../server/src/core/complete/used.ts';

interface Row {
  readonly source: unknown;
}
const row = (source: unknown): Row => ({ source });
const never = (): boolean => false;

describe('what the records of a file use', () => {
  it('is counted by path, and follows what comes and goes', () => {
    const used = createUsedValues<Row>();
    const rows = [1, 2, 3].map((n) => row({ kind: n === 3 ? 'chart' : 'table', list: ['a', { deep: 'x' }], n }));
    assert.equal(
      used.update(rows, ({ source }) => source, never),
      true,
    );
    assert.deepEqual(
      [...(used.textsAt(['kind']) ?? [])],
      [
        ['table', 2],
        ['chart', 1],
      ],
    );
    assert.deepEqual([...(used.textsAt(['list', 0]) ?? [])], [['a', 3]]);
    assert.deepEqual([...(used.textsAt(['list', 1, 'deep']) ?? [])], [['x', 3]]);
    assert.deepEqual(
      [...used.keysAt([])].map(([key, { count, shape }]) => [key, count, shape]),
      [
        ['kind', 3, '"$1"'],
        ['list', 3, '["$1"]'],
        ['n', 3, '${1:0}'],
      ],
    );
    used.update([rows[0]!, row({ kind: 'text' }), rows[2]!], ({ source }) => source, never);
    assert.deepEqual([...(used.textsAt(['kind']) ?? [])].sort(), [
      ['chart', 1],
      ['table', 1],
      ['text', 1],
    ]);
    assert.equal(used.keysAt([]).get('n')?.count, 2);
    used.update([], ({ source }) => source, never);
    assert.equal(used.keysAt([]).size, 0);
  });

  it('goes on where it was stopped, and asks again for what was not read yet', () => {
    const used = createUsedValues<Row>();
    const rows = Array.from({ length: 100 }, () => row({ kind: 'a' }));
    let looked = 0;
    const source = (one: Row): unknown => {
      looked++;
      return one === rows[99] && looked < 150 ? undefined : one.source;
    };
    let calls = 0;
    assert.equal(
      used.update(rows, source, () => calls++ > 1),
      false,
    );
    const counted = used.textsAt(['kind'])?.get('a') ?? 0;
    assert.ok(counted > 0 && counted < 100);
    assert.equal(used.update(rows, source, never), false);
    looked = 200;
    assert.equal(used.update(rows, source, never), true);
    assert.equal(used.textsAt(['kind'])?.get('a'), 100);
  });

  it('leaves out what does not recur: every record has its own', () => {
    const used = createUsedValues<Row>();
    const rows = Array.from({ length: 1000 }, (_, n) => row({ id: `id-${n}`, kind: n % 2 === 0 ? 'a' : 'b' }));
    used.update(rows, ({ source }) => source, never);
    assert.equal(used.textsAt(['id']), undefined);
    assert.equal(used.textsAt(['kind'])?.size, 2);
  });
});
