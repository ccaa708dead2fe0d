import assert from 'node:assert/strict';
import { parseChangedLines } from '../../../server/src/core/acceptance/changed-lines.ts';

describe('changed lines of a diff', () => {
  const diff = (...hunks: string[]): string =>
    ['--- a/x', '+++ b/x', ...hunks.map((hunk) => `@@ ${hunk} @@ {"a":`)].join('\n');

  it('are those of its hunks', () => {
    const lines = parseChangedLines(diff('-1 +1', '-5,2 +5,3', '-20,0 +22'));
    const touched = Array.from({ length: 25 }, (_, i) => i).filter((i) => lines.touches(i, i));
    assert.deepEqual(touched, [0, 4, 5, 6, 21]);
    assert.ok(lines.touches(1, 10));
    assert.ok(!lines.touches(7, 20));
  });

  it('what is gone touches what lies around it, and not its neighbours', () => {
    const lines = parseChangedLines(diff('-4,2 +3,0'));
    assert.ok(lines.touches(2, 3));
    assert.ok(!lines.touches(0, 2));
    assert.ok(!lines.touches(3, 9));
  });

  it('are all where git sees bytes that are no text', () => {
    assert.ok(parseChangedLines('Binary files a/x and b/x differ\n').touches(7, 7));
  });

  it('are none without a diff', () => {
    assert.ok(!parseChangedLines('').touches(0, 1_000_000));
  });
});
