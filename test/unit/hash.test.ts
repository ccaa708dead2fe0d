import assert from 'node:assert/strict';
import fc from 'fast-check';
import { hasDoubledBlanks, hashNumber, hashText, hashWords } from '../../server/src/core/hash.ts';

describe('hashes', () => {
  const hashOfWords = (text: string): number => hashWords(text, text.length);

  it('tell the parts of a text apart', () => {
    assert.notEqual(hashText('ab', 'c'), hashText('a', 'bc'));
    assert.match(hashText(''), /^[0-9a-f]{16}$/);
    assert.ok(Number.isSafeInteger(hashNumber('x')));
  });

  it('of words do not see letter case and how blanks are spelled', () => {
    for (const text of ['What  is revenue', ' what is\trevenue ', 'WHAT IS\u0001REVENUE', 'what\nis revenue']) {
      assert.equal(hashOfWords(text), hashOfWords('what is revenue'), JSON.stringify(text));
    }
    assert.equal(hashOfWords('Ärger  Öl €'), hashOfWords('ärger öl €'));
    assert.notEqual(hashOfWords('what is revenue'), hashOfWords('what is profit'));
  });

  it('of words are the same for texts that differ in case and blanks only, in whatever characters', () => {
    const words = fc.array(fc.string({ unit: fc.constantFrom('a', 'B', 'z', '7', '-', 'é', '中'), minLength: 1 }), {
      minLength: 1,
    });
    const blanks = fc.array(fc.constantFrom(' ', '  ', '\t', '\n ', '\u00a0'), { minLength: 40, maxLength: 40 });
    fc.assert(
      fc.property(words, blanks, (list, between) => {
        const spelled = list.map(
          (word, i) => `${i === 0 ? '' : between[i % 40]}${i % 2 === 0 ? word : word.toUpperCase()}`,
        );
        const isTwice = list.some((word) => word.toUpperCase().toLowerCase() !== word.toLowerCase());
        if (!isTwice) assert.equal(hashOfWords(spelled.join('')), hashOfWords(list.join(' ')));
        assert.notEqual(hashOfWords(`${list.join(' ')}1`), hashOfWords(`${list.join(' ')}2`));
      }),
    );
  });

  it('see every character, in long and short texts, of one and of two', () => {
    for (const length of [1, 7, 23, 24, 25, 26, 27, 300, 70_000]) {
      const text = 'abcdefghij'.repeat(Math.ceil(length / 10)).slice(0, length);
      const hashes = new Set([hashNumber(text), hashNumber(text, ''), hashNumber('', text)]);
      const places = [0, 1, 2, 3, length >> 1, length - 4, length - 3, length - 2, length - 1];
      for (const at of new Set(places.filter((place) => place >= 0 && place < length))) {
        hashes.add(hashNumber(`${text.slice(0, at)}!${text.slice(at + 1)}`));
        hashes.add(hashNumber(`${text.slice(0, at)}é${text.slice(at + 1)}`));
      }
      const changed = new Set(places.filter((place) => place >= 0 && place < length)).size;
      assert.equal(hashes.size, 3 + 2 * changed, `${length} characters`);
    }
  });

  it('of words tell doubled blanks on the way', () => {
    const text = fc.string({ unit: fc.constantFrom(' ', 'a', 'B', '?', '.', 'é', '中') });
    fc.assert(fc.property(text, (one) => hasDoubledBlanks(one) === one.includes('  ')));
    // What was seen of one text is not told of another.
    assert.equal(hasDoubledBlanks('a  b'), true);
    assert.equal(hasDoubledBlanks('a b!'), false);
    assert.notEqual(hashOfWords('a b1'), hashOfWords('a b2'));
  });

  it('of words end for every text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => Number.isSafeInteger(hashOfWords(text))));
    for (let unit = 0; unit < 0x180; unit++) hashOfWords(`${String.fromCharCode(unit)}a${String.fromCharCode(unit)}`);
  });
});
