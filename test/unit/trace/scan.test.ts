import assert from 'node:assert/strict';
import { digitsOf, scanNumbers } from '../../../server/src/core/trace/scan.ts';

function read(text: string): (readonly [value: number, spelled: string])[] {
  const { digits, powers, starts, ends } = scanNumbers(text);
  return Array.from(digits, (_, i) => [Number(`${digits[i]}e${powers[i]}`), text.slice(starts[i], ends[i])] as const);
}

describe('numbers of a text', () => {
  const rows: readonly [text: string, ...values: number[]][] = [
    ['no number', ...[]],
    ['$1,234.5 and (71)%', 1234.5, 71],
    ['in 2013, 503', 2013, 503],
    ['1,234,567 of 12,34', 1234567, 12, 12.34, 34],
    ['.5 and 0.50', 0.5, 0.5],
    ['1e6', 1000000],
    ['1.234.567,89', 1234567.89],
    ["1'234.5", 1, 1234.5, 234.5],
    ['1 234 567', 1, 1234567, 234, 234567, 567],
    ['12,34,567', 12, 1234567, 34567],
    ['3 5/8', 3, 5, 0.625, 3.625, 8],
    ['5½', 5, 0.5, 5.5],
    ['FY2032', 2032],
    ['0.000', 0],
    ['4.250%', 4.25],
  ];
  for (const [text, ...values] of rows) {
    it(text, () =>
      assert.deepEqual(
        read(text).map(([value]) => value),
        values,
      ),
    );
  }

  it('gives the place of each', () => {
    assert.deepEqual(read('| $ | 293,093 | (1.5) |'), [
      [293093, '293,093'],
      [1.5, '1.5'],
    ]);
  });

  it('gives numbers that differ by scale the same digits', () => {
    const [thousands, millions] = [digitsOf(1350), digitsOf(1.35)];
    assert.equal(thousands.digits, millions.digits);
    assert.equal(thousands.power - millions.power, 3);
    assert.deepEqual(digitsOf(1 / 3), digitsOf(0.33333333333));
    assert.deepEqual(digitsOf(0), { digits: 0, power: 0 });
  });
});
