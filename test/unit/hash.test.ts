import assert from 'node:assert/strict';
import fc from 'fast-check';
import { hasDoubledBlanks, hashNumber, hashText, hashWords } from '../../server/src/core/hash.ts';

describe('hashes', () => {
  const words = (text: string): number => hashWords(text, text.length);

  it('tell the parts of a text apart', () => {
    assert.notEqual(hashText('ab', 'c'), hashText('a', 'bc'));
    assert.match(hashText(''), /^[0-9a-f]{16}$/);
    assert.ok(Number.isSafeInteger(hashNumber('x')));
  });

  it('of words do not see letter case and how blanks are spelled', () => {
    for (const text of ['What  is revenue', ' what is\trevenue ', 'WHAT IS\u0001REVENUE', 'what\nis revenue']) {
      assert.equal(words(text), words('what is revenue'), JSON.stringify(text));
    }
    assert.equal(words('Ärger  Öl €'), words('ärger öl €'));
    assert.notEqual(words('what is revenue'), words('what is profit'));
  });

  it('of words tell doubled blanks on the way', () => {
    const text = fc.string({ unit: fc.constantFrom(' ', 'a', 'B', '?', '.', 'é', '中') });
    fc.assert(fc.property(text, (one) => hasDoubledBlanks(one) === one.includes('  ')));
    // What was seen of one text is not told of another.
    assert.equal(hasDoubledBlanks('a  b'), true);
    assert.equal(hasDoubledBlanks('a b!'), false);
    assert.notEqual(words('a b1'), words('a b2'));
  });

  it('of words end for every text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => Number.isSafeInteger(words(text))));
    for (let unit = 0; unit < 0x180; unit++) words(`${String.fromCharCode(unit)}a${String.fromCharCode(unit)}`);
  });
});
