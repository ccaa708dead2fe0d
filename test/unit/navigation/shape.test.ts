import assert from 'node:assert/strict';
import fc from 'fast-check';
import { enclosingInSolution, solutionFolds, solutionSymbols } from '../../../server/src/core/solution/shape.ts';
import type { SolutionSymbol } from '../../../server/src/core/solution/shape.ts';

const SOURCE = `import math
import statistics
# One comment
# over two lines
def solution():
    """Text
    of two lines"""
    values = [
        1,
        2,
    ]
    def inner(x):
        y = x
        return y
    a, b = 3, 4
    if a:
        values = []
    return math.sqrt(a) + b
`;

const shown = ({ name, kind, children }: SolutionSymbol): unknown =>
  children.length === 0 ? `${kind} ${name}` : [`${kind} ${name}`, ...children.map(shown)];

describe('the shape of a solution', () => {
  it('has functions with their variables, each once', () => {
    assert.deepEqual(solutionSymbols(SOURCE).map(shown), [
      ['function solution', 'variable values', ['function inner', 'variable y'], 'variable a', 'variable b'],
    ]);
    const [solution] = solutionSymbols(SOURCE);
    assert.ok(SOURCE.slice(solution!.span.start, solution!.span.end).endsWith('+ b'));
    assert.equal(solution!.children[2]!.value, '3, 4');
  });

  it('folds blocks, brackets, texts and runs of comments and imports', () => {
    const folds = solutionFolds(SOURCE).map(({ span, kind, closes }) => {
      const [first, ...rest] = SOURCE.slice(span.start, span.end).split('\n');
      return [first, rest.at(-1)?.trim(), kind ?? (closes ? 'closes' : '')];
    });
    assert.deepEqual(
      folds.sort(),
      [
        ['"""Text', 'of two lines"""', ''],
        ['# One comment', '# over two lines', 'comment'],
        [':', 'return math.sqrt(a) + b', ''],
        [':', 'return y', ''],
        [':', 'values = []', ''],
        ['[', ']', 'closes'],
        ['import math', 'import statistics', 'imports'],
      ].sort(),
    );
  });

  it('encloses a place by word, expression, statement and function', () => {
    const spans = enclosingInSolution(SOURCE, SOURCE.indexOf('sqrt(a)') + 5);
    const texts = spans.map(({ start, end }) => SOURCE.slice(start, end));
    assert.deepEqual(texts.slice(0, 5), ['a', '(a)', 'math.sqrt(a)', 'math.sqrt(a) + b', 'return math.sqrt(a) + b']);
    assert.ok(texts[5]?.startsWith('def solution():'));
    assert.equal(texts.at(-1), SOURCE.trimEnd());
  });

  it('is told of any text, and each span holds the one before', () => {
    const words = fc.constantFrom(
      'def ',
      'f(',
      'a',
      '=',
      ':',
      '\n    ',
      'if ',
      '[',
      ']',
      ')',
      '"""',
      '# x\n',
      'class ',
    );
    fc.assert(
      fc.property(
        fc.array(words).map((parts) => parts.join('')),
        fc.nat(200),
        (source, at) => {
          solutionSymbols(source);
          solutionFolds(source);
          const spans = enclosingInSolution(source, Math.min(at, source.length));
          spans.slice(1).forEach(({ start, end }, i) => {
            assert.ok(start <= spans[i]!.start && spans[i]!.end <= end);
          });
        },
      ),
    );
  });
});
