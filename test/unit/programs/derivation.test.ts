import assert from 'node:assert/strict';
import { readDerivation } from '../../../server/src/core/programs/derivation.ts';

const PLAIN = { bracketsNegate: false, percentScales: false };

describe('derivations', () => {
  const values: Readonly<Record<string, number>> = {
    '44.1-56.7': -12.6,
    '(73,260-57,768)/57,768': (73260 - 57768) / 57768,
    '[(166+178)/2] - [(57+44)/2]': 121.5,
    '($166.3-$513.3)/$513.3': (166.3 - 513.3) / 513.3,
    '(1.7%+1.5%+1.5%)/3': 4.7 / 3,
    '-9,819 - 6,639 ': -16458,
    '2 × 3 ÷ 4 − 1': 0.5,
    '(1+0.5)^2': 2.25,
    '2**3**2': 512,
    '-2^2': -4,
    '60.3 million + 32,137 thousand ': 92437,
    '(71)': 71,
    '3 - -2': 5,
  };
  for (const [text, expected] of Object.entries(values)) {
    it(`${text} is ${expected}`, () => {
      const value = readDerivation(text)?.evaluate(PLAIN);
      assert.ok(value !== undefined && Math.abs(value - expected) < 1e-9, String(value));
    });
  }

  for (const text of [
    '',
    'Fourth quarter',
    '2018##2017',
    '1,496.5>1,202.9',
    '(1+2',
    '1+2)',
    '1 2',
    '5 million + 3',
    '1,23',
  ]) {
    it(`"${text}" is no formula that can be read for sure`, () => assert.equal(readDerivation(text), undefined));
  }

  it('reads brackets as accounts mean them where it is asked to', () => {
    const derivation = readDerivation('100 + (71) - (2+3)');
    assert.equal(derivation?.evaluate({ ...PLAIN, bracketsNegate: true }), 24);
    assert.deepEqual(
      derivation?.bracketed.map(({ text }) => text),
      ['71'],
    );
  });

  it('has no value where it divides by zero', () => {
    assert.equal(readDerivation('1/(2-2)')?.evaluate(PLAIN), undefined);
  });

  it('bears deep nesting and long texts', () => {
    assert.equal(readDerivation('('.repeat(50_000) + '1' + ')'.repeat(50_000)), undefined);
    assert.equal(readDerivation('1' + '+1'.repeat(900))?.evaluate(PLAIN), 901);
    assert.equal(readDerivation('-'.repeat(1_500) + '1'), undefined);
  });
});
