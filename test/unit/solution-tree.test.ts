import assert from 'node:assert/strict';
import { parsePython } from '../../server/src/core/solution/tree.ts';

describe('the tree of a solution', () => {
  const source = (i: number): string => `def solution():\n    return ${i}\n`;

  it('is the same for the same text as long as it is among the latest', () => {
    const first = parsePython(source(0));
    for (let round = 0; round < 3; round++) {
      for (let i = 1; i <= 3; i++) assert.notEqual(parsePython(source(i)), first);
      assert.equal(parsePython(source(0)), first);
    }
    for (let i = 1; i <= 4; i++) parsePython(source(i));
    const again = parsePython(source(0));
    assert.notEqual(again, first);
    assert.equal(again.toString(), first.toString());
  });

  it('is that of its own text', () => {
    for (let i = 0; i < 20; i++) {
      const text = `value_${'x'.repeat(i)} = 1`;
      assert.equal(parsePython(text).length, text.length);
      assert.equal(parsePython(text), parsePython(text));
    }
    const long = `x = [${'1, '.repeat(50_000)}]`;
    assert.equal(parsePython(long).length, long.length);
    assert.notEqual(parsePython(long), parsePython(long));
  });
});
