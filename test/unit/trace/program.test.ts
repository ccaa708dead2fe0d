import assert from 'node:assert/strict';
import { evaluate, literalsIn, termsOf } from '../../../server/src/core/trace/evaluate.ts';
import { programOfFormula } from '../../../server/src/core/trace/formula.ts';
import { readProgram } from '../../../server/src/core/trace/program.ts';
import type { Program } from '../../../server/src/core/trace/program.ts';

function body(...lines: readonly string[]): Program {
  return readProgram(`def solution():\n${lines.map((line) => `    ${line}`).join('\n')}`, 'solution');
}

function valueOf({ result, literals }: Program): number | undefined {
  return result && evaluate(result, literals);
}

describe('what a solution computes', () => {
  const rows: readonly [lines: readonly string[], value: number | undefined][] = [
    [['a = 1_200', 'b = 1350', 'return b - a'], 150],
    [['a, b = 3, -2', 'return (a + b) ** 2'], 1],
    [['a = b = 4', 'a += 1', 'return a * b // 3 % 4'], 2],
    [['data = [1, 2, 6]', 'return sum(data) / len(data)'], 3],
    [['return round(2.5) + abs(-3) + max(1, 2)'], 7],
    [['x: float = 1.5; y = 2', 'return x * y'], 3],
    [['"""Words with 12 numbers."""', 'import math', 'return math.sqrt(16)'], 4],
    [['return -(-5) if True else 2'], undefined],
    [['t = 0', 'for x in [1, 2]:', '    t += x', 'return t'], undefined],
    [['a = 1', 'if a > 0:', '    return 2', 'return 3'], undefined],
    [['return 1 / 0'], undefined],
    [['return'], undefined],
  ];
  for (const [lines, value] of rows) it(lines.join('; '), () => assert.equal(valueOf(body(...lines)), value));

  it('reads lambdas and values assigned beside the function', () => {
    assert.equal(valueOf(readProgram('K = 5\nsolution = lambda: K * 2', 'solution')), 10);
  });

  it('does not take 2^60 steps', () => {
    const program = body('x = 1', ...Array.from({ length: 60 }, () => 'x = x + x'), 'return x');
    assert.equal(valueOf(program), 2 ** 60);
    assert.deepEqual(literalsIn(program.result!), [0]);
    assert.ok(termsOf(program.result!).length <= 400);
  });

  it('never throws on broken text', () => {
    for (const text of ['', 'def solution(:', 'def solution():\n return (1 +', '))))', 'return 5', '\u0000 = 3']) {
      readProgram(text, 'solution');
    }
  });
});

describe('literals of a solution', () => {
  it('have their sign, name and place', () => {
    const source = "def solution():\n    loss = -1_250.5\n    d = {'cost': 7}\n    return loss + [3, 4][0] / 2";
    const { literals } = readProgram(source, 'solution');
    assert.deepEqual(
      literals.map(({ value, text, name, use }) => [value, text, name, use]),
      [
        [-1250.5, '-1_250.5', 'loss', 'figure'],
        [7, '7', 'cost', 'figure'],
        [3, '3', undefined, 'figure'],
        [4, '4', undefined, 'figure'],
        [0, '0', undefined, 'index'],
        [2, '2', undefined, 'divisor'],
      ],
    );
    assert.equal(source.slice(literals[0]!.span.start, literals[0]!.span.end), '-1_250.5');
  });

  it('leave out complex numbers', () => assert.equal(body('return 3j').literals.length, 0));
});

describe('assignments', () => {
  const unread = (...lines: readonly string[]): string[] =>
    body(...lines)
      .assignments.filter(({ isRead }) => !isRead)
      .map(({ name }) => name);

  it('know whether they are read', () => {
    assert.deepEqual(unread('a = 1', 'b = 2', 'return a'), ['b']);
    assert.deepEqual(unread('a = 1', 'a = 2', 'return a'), ['a']);
    assert.deepEqual(unread('a = 1', 'return f"{a}"'), []);
    assert.deepEqual(unread('a = 1', 'for x in [1]:', '    a = a + x', 'return a'), []);
    assert.deepEqual(unread('a = 1', 'return locals()["a"]'), []);
  });
});

describe('formulas', () => {
  const rows: readonly [source: string, language: 'tatqa-derivation' | 'finqa-program', value: number | undefined][] = [
    ['(73,260-57,768)/57,768', 'tatqa-derivation', (73260 - 57768) / 57768],
    ['[($5 + $7)/2] − (4)', 'tatqa-derivation', 2],
    ['5 widgets', 'tatqa-derivation', 5],
    ['subtract(5829, 5735), divide(#0, const_100)', 'finqa-program', 0.94],
    ['multiply(25%, 1,000)', 'finqa-program', 250],
    ['table_max(net revenue, none)', 'finqa-program', undefined],
  ];
  for (const [source, language, value] of rows) {
    it(source, () => {
      const program = programOfFormula(source, language);
      assert.equal(valueOf(program), value);
      for (const { text, span } of program.literals) assert.equal(source.slice(span.start, span.end), text);
    });
  }
});
