import assert from 'node:assert/strict';
import fc from 'fast-check';
import { followEscapes } from '../../../server/src/core/text/escapes.ts';

/** The pieces that write consecutive spans of the decoded string. */
function pieces(token: string, ...ends: number[]): string[][] {
  const follow = followEscapes(token, { start: 0, end: token.length });
  let start = 0;
  return ends.map((end) => {
    const found: string[] = [];
    follow(start, end, (from, to) => found.push(token.slice(from, to)));
    start = end;
    return found;
  });
}

describe('pieces of a JSON string', () => {
  it('leave the escapes out', () => {
    assert.deepEqual(pieces('"ab\\ncd\\"e"', 2, 5, 7), [['ab'], ['cd'], ['e']]);
    assert.deepEqual(pieces('"ab\\u000acd"', 1, 5), [['a'], ['b', 'cd']]);
    assert.deepEqual(pieces('"\\ud83d\\ude00x😀\\\\y"', 3, 7), [['x'], ['😀', 'y']]);
  });

  it('begin where they are asked for', () => {
    const follow = followEscapes('_"a\\tbcd"', { start: 1, end: 9 });
    const found: number[] = [];
    follow(3, 4, (from, to) => found.push(from, to));
    assert.deepEqual(found, [6, 7]);
  });

  it('end with a string that is cut off', () => {
    assert.deepEqual(pieces('"ab\\', 2, 5), [['ab'], []]);
    assert.deepEqual(pieces('"ab\\u00', 2, 5), [['ab'], []]);
    assert.deepEqual(pieces('"', 5), [[]]);
  });

  it('write just the characters that need no escape, wherever the spans lie', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.array(fc.nat(30)), (text, cuts) => {
        const token = JSON.stringify(text);
        const ends = [...cuts.filter((cut) => cut < text.length).sort((a, b) => a - b), text.length];
        let start = 0;
        for (const [at, found] of pieces(token, ...ends).entries()) {
          const own = text.slice(start, ends[at]);
          assert.equal(
            found.join(''),
            [...own.split('')]
              .filter((one) => JSON.stringify(one).length === 3 || /[\ud800-\udfff]/.test(one))
              .join(''),
          );
          start = ends[at]!;
        }
      }),
    );
  });
});
