import assert from 'node:assert/strict';
import { namesBefore, pythonPlace } from '../../../server/src/core/complete/python.ts';

function at(text: string): ReturnType<typeof pythonPlace> {
  return pythonPlace(text.replace('|', ''), text.indexOf('|'));
}

function told(text: string): string {
  const place = at(text);
  if (place === undefined) return 'none';
  if (place.kind === 'module') return `module ${place.prefix}`.trim();
  const { isNumber, isStart, prefix, target } = place;
  const what = isNumber ? 'number' : isStart ? 'statement' : 'expression';
  return [what, prefix, target === undefined ? '' : `for ${target}`].filter((part) => part !== '').join(' ');
}

describe('the place in a solution', () => {
  const CASES: readonly (readonly [string, string])[] = [
    ['def solution():\n    |', 'statement'],
    ['def solution():\n    re|', 'statement re'],
    ['def solution():\n    revenue = |', 'expression for revenue'],
    ['def solution():\n    revenue = 12|', 'number 12 for revenue'],
    ['def solution():\n    revenue = 1,2|', 'number 1,2 for revenue'],
    ['def solution():\n    revenue += rev|', 'expression rev for revenue'],
    ['def solution():\n    return max(a, |)', 'expression'],
    ['def solution():\n    return a - b|', 'expression b'],
    ['import |', 'module'],
    ['from ma|', 'module ma'],
    ['from math import |', 'none'],
    ['def sol|', 'none'],
    ['for i|', 'none'],
    ['for i in ra|', 'expression ra'],
    ['import math\nx = math.|', 'none'],
    ['x = 1  # note |', 'none'],
    ['x = "a |b"', 'none'],
    ['x = "ab" + |', 'expression for x'],
    ['if x == |', 'expression'],
  ];
  for (const [text, expected] of CASES) {
    it(`${JSON.stringify(text)}: ${expected}`, () => assert.equal(told(text), expected));
  }

  it('sees the names that have a value there, the latest first', () => {
    const source = 'import math\nRATE = 2\ndef solution():\n    a = 1\n    b = a + 2\n    c = \n    d = 4\n';
    const names = namesBefore(source, source.indexOf('c = ') + 4);
    assert.deepEqual(
      names.map(({ name, written }) => [name, written]),
      [
        ['b', 'a + 2'],
        ['a', '1'],
        ['solution', undefined],
        ['RATE', '2'],
        ['math', undefined],
      ],
    );
  });
});
