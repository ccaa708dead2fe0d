import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createHashList } from '../../server/src/core/hash-list.ts';
import { createPointers } from '../../server/src/core/rules/pointers.ts';

describe('list of hashes', () => {
  it('tells the records that came before, whatever their order and gaps', () => {
    // All that differ do so in the 48 bits that count.
    const hash = fc.oneof(
      fc.constantFrom(0, 1, 2 ** 32, 2 ** 53 - 1, 7, 7 + 2 ** 32),
      fc.integer({ min: 0, max: 0xfffe * 4 }).map((one) => one * 2 ** 30),
    );
    const hashes = fc.array(fc.option(hash), { maxLength: 60 });
    fc.assert(
      fc.property(hashes, fc.integer({ min: 0, max: 9000 }), (given, from) => {
        const list = createHashList();
        const firsts = new Map<number, number>();
        const expected: { index: number; first: number }[] = [];
        for (const [at, one] of given.entries()) {
          if (one === null) continue;
          const index = from + at;
          list.set(index, one);
          const first = firsts.get(one);
          if (first === undefined) firsts.set(one, index);
          else expected.push({ index, first });
        }
        assert.deepEqual(list.repeats(), expected);
      }),
    );
  });

  it('tells them among hundreds of thousands, many of them the same', () => {
    const list = createHashList();
    const records = 600_000;
    for (let index = 0; index < records; index++) list.set(index, ((index % 500_000) * 2_654_435_761) % 2 ** 53);
    const repeats = list.repeats();
    assert.equal(repeats.length, 100_000);
    for (const [at, { index, first }] of repeats.entries()) {
      assert.equal(index, 500_000 + at);
      assert.equal(first, at);
    }
    const same = createHashList();
    for (let index = 0; index < 100_000; index++) same.set(index, 5);
    assert.deepEqual(same.repeats().at(-1), { index: 99_999, first: 0 });
    assert.equal(same.repeats().length, 99_999);
    assert.deepEqual(createHashList().repeats(), []);
  });
});

describe('pointers of records', () => {
  it('are told for each, the usual one and others', () => {
    const pointers = createPointers();
    const of = (index: number): string =>
      index % 7 === 3 ? '/question' : index % 1000 === 0 ? '/messages/0' : '/query';
    for (let index = 1; index < 20_000; index += 2) pointers.set(index, of(index));
    for (let index = 1; index < 20_000; index += 2) assert.equal(pointers.at(index), of(index));
  });
});
