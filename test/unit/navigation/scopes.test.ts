import assert from 'node:assert/strict';
import fc from 'fast-check';
import { definitionsOf, mentionAt, mentionsOf, sameName } from '../../../server/src/core/solution/scopes.ts';

/** The source without its `|`, and where that stood. */
function marked(text: string): { source: string; at: number } {
  const at = text.indexOf('|');
  return { source: text.slice(0, at) + text.slice(at + 1), at };
}

/** Where the name at `|` is defined: the line, from the name on. */
function definitions(text: string): string[] {
  const { source, at } = marked(text);
  const mentions = mentionsOf(source);
  const mention = mentionAt(mentions, at);
  return mention === undefined
    ? ['nothing']
    : definitionsOf(mentions, mention).map(({ span }) => source.slice(span.start).split('\n')[0]!);
}

describe('names of a solution', () => {
  const cases: Readonly<Record<string, readonly [string, readonly string[]]>> = {
    'the last assignment before': ['def f():\n    a = 1\n    a = 2\n    return |a\n', ['a = 2']],
    'the value before the statement that it stands in': ['a = 1\na = |a + 1\n', ['a = 1']],
    'what is added to': ['a = 1\n|a += 1\n', ['a = 1']],
    'a parameter': ['def f(p, q=3):\n    return |q\n', ['q=3):']],
    'a default, outside of the function': ['k = 1\ndef f(k=|k):\n    return k\n', ['k = 1']],
    'a local name, not the one of the module': ['a = 1\ndef f():\n    a = 2\n    return |a\n', ['a = 2']],
    'a name of the module, from inside': ['a = 1\ndef f():\n    return |a\n', ['a = 1']],
    'all of them, from inside another function': ['a = 1\na = 2\ndef f():\n    return |a\n', ['a = 1', 'a = 2']],
    'a function': ['def g():\n    return 1\ndef f():\n    return |g()\n', ['g():']],
    'an import': ['import math as m\nx = |m.pi\n', ['m']],
    'an import from a module': ['from math import (pi as p, tau)\nx = |tau\n', ['tau)']],
    'the first part of an imported name': ['import os.path\nx = |os.path\n', ['os.path']],
    'the variable of a loop': ['for i, j in []:\n    print(|j)\n', ['j in []:']],
    'the variable of a comprehension': ['k = 1\nx = [k for k in [] if |k]\n', ['k in [] if k]']],
    'a name after a comprehension': ['k = 1\nx = [k for k in []]\ny = |k\n', ['k = 1']],
    'a walrus': ['if (n := 3) > 2:\n    print(|n)\n', ['n := 3) > 2:']],
    'a part of a list of names': ['a, (b, c) = 1, (2, 3)\nx = |c\n', ['c) = 1, (2, 3)']],
    'what a with statement opens': ['with f() as g:\n    |g\n', ['g:']],
    'what is caught': ['try:\n    pass\nexcept E as e:\n    |e\n', ['e:']],
    'all assignments of a global name': ['a = 1\ndef f():\n    global a\n    a = 2\nprint(|a)\n', ['a = 1', 'a = 2']],
    'not a name of a class, from its method': [
      'v = 1\nclass C:\n    v = 2\n    def m(self):\n        return |v\n',
      ['v = 1'],
    ],
    'itself, where it is assigned': ['|a = 1\nb = a\n', ['a = 1']],
    'nothing for a keyword of a call': ['y = 1\nf(|y=2)\n', ['nothing']],
    'nothing for a built-in': ['print(|sum([1]))\n', []],
    'nothing for a property': ['a = 1\nb.|a\n', ['nothing']],
  };
  for (const [title, [source, expected]] of Object.entries(cases)) {
    it(`are followed to ${title}`, () => assert.deepEqual(definitions(source), expected));
  }

  it('are found wherever the same variable is named', () => {
    const { source, at } = marked('a = 1\ndef f(a):\n    return a\nb = |a + a\n');
    const mentions = mentionsOf(source);
    const found = sameName(mentions, mentionAt(mentions, at)!);
    assert.deepEqual(
      found.map(({ span }) => span.start),
      [0, 33, 37],
    );
  });

  it('never throw, whatever the text', () => {
    const words = fc.constantFrom(
      'def ',
      'f(',
      'a',
      '=',
      ':',
      '\n    ',
      'for ',
      ' in ',
      '[',
      ')',
      'lambda ',
      'global ',
      '"',
      'import ',
    );
    fc.assert(
      fc.property(
        fc.array(words).map((parts) => parts.join('')),
        (source) => {
          const mentions = mentionsOf(source);
          for (const mention of mentions) definitionsOf(mentions, mention);
        },
      ),
    );
    assert.deepEqual(mentionsOf('('.repeat(50_000)), []);
  });
});
