import assert from 'node:assert/strict';
import fc from 'fast-check';
import { asciiWords, encodeAscii, isAscii } from '../../../server/src/core/text/ascii.ts';

describe('ASCII', () => {
  it('is told from every other character, in texts of any length', () => {
    for (const length of [0, 1, 3, 4, 65_535, 65_536, 65_537, 200_000]) {
      const text = 'x'.repeat(length);
      assert.equal(isAscii(text), true);
      for (const other of ['\u0080', 'é', '\u2028', '中', '😀', '\ud800']) {
        assert.equal(isAscii(text + other), false, `${length} and ${other}`);
        assert.equal(isAscii(other + text), false, `${other} and ${length}`);
        assert.equal(encodeAscii(other + text), false);
      }
    }
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => isAscii(text) === [...text].every((one) => one < '\u0080')),
    );
  });

  it('is encoded four characters at a time', () => {
    assert.equal(encodeAscii('abcdefg'), true);
    assert.equal(asciiWords[0], 0x64636261);
    assert.equal(asciiWords[1]! & 0xffffff, 0x676665);
    assert.equal(encodeAscii('x'.repeat(65_537)), false);
  });
});
