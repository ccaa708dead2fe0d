import assert from 'node:assert/strict';
import fc from 'fast-check';
import { decimalsOf, readNumber } from '../../server/src/core/solution/numbers.ts';
import { isRounding, judge } from '../../server/src/core/solution/verdict.ts';
import { fails, yields } from './rules/support.ts';

const settings = { tolerance: { relative: 0.0015, decimals: 3 } };

function verdict(repr: string, gold: unknown): string {
  return judge(yields(repr), gold, settings).verdict;
}

describe('verdict on a solution', () => {
  const rows: readonly [repr: string, gold: unknown, verdict: string, why: string][] = [
    ['150', 150, 'equal', 'int against float'],
    ['0.30000000000000004', 0.3, 'equal', 'noise of floats'],
    ['0', 0, 'equal', 'zero'],
    ['-0.0', 0, 'equal', 'negative zero'],
    ['0.0000001', 0, 'rounded', 'zero equals zero only, yet rounding gives it'],
    ['0.0004', 0.0005, 'mismatch', 'small numbers are not all zero'],
    ['150', 150.0004, 'tolerance', 'within 0.15 %'],
    ['150', 150.3, 'mismatch', 'just outside: 0.1996 %'],
    ['1000', 998.5, 'mismatch', 'the tolerance is relative to the gold'],
    ['1000', 1001.5, 'tolerance', 'the same distance above'],
    ['0.04286875', 0.043, 'rounded', 'three decimals'],
    ['0.04286875', 0.042, 'mismatch', 'cut off, not rounded'],
    ['0.04286875', 0.04, 'mismatch', 'two decimals are fewer than three'],
    ['0.0000123456', 0.000012346, 'tolerance', 'a rounding within the tolerance'],
    ['0.0125', 0.013, 'rounded', 'half away from zero'],
    ['0.0125', 0.012, 'rounded', 'half to even'],
    ['0.0135', 0.014, 'rounded', 'both ways of rounding agree'],
    ['0.0135', 0.013, 'rounded', 'what round() makes of the binary value, which lies below the half'],
    ['0.1875', 0.188, 'rounded', 'an exact half, to even and away from zero'],
    ['0.1875', 0.187, 'mismatch', 'half towards zero is no rounding'],
    ['-0.1875', -0.187, 'mismatch', 'nor is it for negative numbers'],
    ['-0.0125', -0.013, 'rounded', 'negative half away from zero'],
    ['-0.0125', -0.012, 'rounded', 'negative half to even'],
    ['0.0005', 0.001, 'rounded', 'half away from zero, up from 0'],
    ['31', -31, 'mismatch', 'the sign counts'],
    ['0.31', 31, 'mismatch', 'powers of ten count'],
    ['3100000', 31, 'mismatch', 'powers of ten count'],
    ['31.04', 31, 'tolerance', 'within 0.15 %'],
    ['31.05', 31, 'mismatch', 'outside 0.15 %'],
    ['0.0009', 0.0005, 'mismatch', 'equal only when both are rounded up'],
    ['12345678901234567890', Number('12345678901234567890'), 'equal', 'ints beyond 2^53'],
    ['1' + '0'.repeat(400), 1e300, 'mismatch', 'ints beyond the range of floats'],
    ['-8184.000000000007', -8184, 'equal', 'noise of floats'],
    ['150', null, 'skipped', 'hidden gold'],
    ['150', undefined, 'skipped', 'no gold'],
    ['150', '150', 'skipped', 'gold as text is another finding'],
    ['1', true, 'skipped', 'a bool is no number'],
  ];
  for (const [repr, gold, expected, why] of rows) {
    it(`${repr.slice(0, 24)} against ${String(gold)}: ${expected} (${why})`, () =>
      assert.equal(verdict(repr, gold), expected));
  }

  it('is an error where the run gave no value, and skipped where there was no run', () => {
    assert.equal(judge(fails({ kind: 'exception', type: 'ValueError', message: '' }), 1, settings).verdict, 'error');
    assert.equal(judge(undefined, 1, settings).verdict, 'skipped');
  });

  it('follows the configured tolerance and decimals', () => {
    const wide = { tolerance: { relative: 0.05, decimals: 1 } };
    assert.equal(judge(yields('104'), 100, wide).verdict, 'tolerance');
    assert.equal(judge(yields('0.04286875'), 0, wide).verdict, 'rounded');
    assert.equal(judge(yields('0.04286875'), 0.04, wide).verdict, 'rounded');
  });

  it('tells whether the gold is a rounding, also within the tolerance', () => {
    assert.equal(judge(yields('12.34567'), 12.346, settings).rounding, true);
    assert.equal(judge(yields('150'), 150.0004, settings).rounding, false);
  });

  it('accepts what rounding gives, whatever the value', () => {
    fc.assert(
      fc.property(fc.double({ min: -1e9, max: 1e9, noNaN: true }), fc.integer({ min: 0, max: 9 }), (value, decimals) =>
        isRounding(value, Number(value.toFixed(decimals)), decimals),
      ),
    );
  });

  it('rejects what lies more than half a unit off', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e6, max: 1e6 }), fc.integer({ min: 0, max: 5 }), (digits, decimals) => {
        const unit = 10 ** -decimals;
        return (
          !isRounding(digits * unit, (digits + 0.75) * unit, decimals) &&
          !isRounding(digits * unit, (digits - 0.75) * unit, decimals)
        );
      }),
    );
  });
});

describe('decimals of a number', () => {
  for (const [value, decimals] of [
    [150, 0],
    [0.125, 3],
    [1e-7, 7],
    [1.5e-7, 8],
    [1e21, 0],
    [-2.5, 1],
  ] as const) {
    it(`${value} has ${decimals}`, () => assert.equal(decimalsOf(value), decimals));
  }
});

describe('numbers in text', () => {
  const rows: readonly [text: string, reads: string | undefined][] = [
    ['150', '150'],
    ['14.10', '14.10'],
    ['−150', '-150'],
    ['–150', '-150'],
    ['—1,234.5', '-1234.5'],
    ['+7', '7'],
    ['(1,234)', '-1234'],
    ['($1,234.50)', '-1234.50'],
    ['$(71)', '-71'],
    ['-$5', '-5'],
    ['$-5', '-5'],
    ['US$ 2,158,705', '2158705'],
    ['EUR 12', '12'],
    ['12 €', '12'],
    ['12.5%', '12.5'],
    ['(3.2 %)', '-3.2'],
    ['１２３', '123'],
    ['１，２３４．５', '1234.5'],
    ['٣٫', undefined],
    ['٣٤', '34'],
    ['1 234 567', '1234567'],
    ['1\u202f234,5', '1234.5'],
    ["1'234", '1234'],
    ['1.234.567,8', '1234567.8'],
    ['1.234,5', '1234.5'],
    ['12,34,567', '1234567'],
    ['1,5', '1.5'],
    ['150-', '-150'],
    ['.5', '0.5'],
    ['7.', '7'],
    ['1.2e3', '1.2e3'],
    ['12345678901234567890', '12345678901234567890'],
    ['', undefined],
    ['-', undefined],
    ['12 units', undefined],
    ['1,23,4', undefined],
    ['2031-2032', undefined],
    ['--5', undefined],
    ['(-5)', undefined],
    ['nan', undefined],
    ['What was the change?', undefined],
    ['12:30', undefined],
    ['1e999', undefined],
  ];
  for (const [text, reads] of rows) {
    it(`${JSON.stringify(text)} reads as ${reads ?? 'no number'}`, () => assert.equal(readNumber(text)?.text, reads));
  }

  it('reads every number that JavaScript prints', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const read = readNumber(String(value))?.value;
        return read === value || (value === 0 && read === 0);
      }),
    );
  });
});
