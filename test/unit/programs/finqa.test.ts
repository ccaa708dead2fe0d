import assert from 'node:assert/strict';
import { finqaNumbers, runFinqaProgram } from '../../../server/src/core/programs/finqa.ts';

const TABLE = [
  ['item ( in millions )', '2031', '2032'],
  ['widgets', '$ 1,200', '1350 ( 1350 )'],
  ['gadgets, used', '12%', '8 %'],
  ['notes', 'n/a', '3'],
];

function run(program: string): unknown {
  const result = runFinqaProgram(program, TABLE);
  return 'value' in result ? result.value : result.problem;
}

describe('FinQA programs', () => {
  const values: Readonly<Record<string, unknown>> = {
    'add(1, 2)': 3,
    'subtract(5829, 5735), divide(#0, 5735)': 94 / 5735,
    'divide(1,234, const_100)': 12.34,
    'multiply(62%, const_m1)': -0.62,
    'exp(const_2, const_3)': 8,
    'greater(3, 2)': 'yes',
    'greater(2, 2)': 'no',
    'subtract(-5, .5)': -5.5,
    'table_sum(widgets, none)': 2550,
    'table_average(gadgets, used, none)': 0.1,
    'table_max(widgets, none), table_min(widgets, none), subtract(#0, #1)': 150,
    '  add( 1 ,2 ) , add( #0, 1 )  ': 4,
  };
  for (const [program, expected] of Object.entries(values)) {
    it(`${program} is ${String(expected)}`, () => {
      const value = run(program);
      if (typeof expected === 'number') assert.ok(Math.abs((value as number) - expected) < 1e-12, String(value));
      else assert.equal(value, expected);
    });
  }

  const problems: Readonly<Record<string, RegExp>> = {
    'divide(1, const_0)': /divides by zero/,
    'add(1, #0)': /#0 stands for a step that has not been computed/,
    'greater(1, 2), add(#0, 1)': /#0 is no number but no/,
    'plus(1, 2)': /no operation plus; known are add/,
    'constructor(1, 2)': /no operation constructor/,
    'add(1)': /two arguments/,
    'add(1, two)': /"two" is no number/,
    'table_sum(cogs, none)': /no row "cogs"/,
    'table_sum(notes, none)': /"notes" has a cell that is no number: "n\/a"/,
    'add(1, 2': /not closed/,
    'add(1, 2),': /a step is missing/,
    'add(1, 2) add(1, 2)': /a comma is expected/,
    '42': /a step such as/,
  };
  for (const [program, message] of Object.entries(problems)) {
    it(`says what is wrong with ${program}`, () => assert.match(String(run(program)), message));
  }

  it('gives the numbers that come from outside, with their places', () => {
    const program = 'subtract(5,829, const_100), divide(#0, 62%), table_sum(1999, none)';
    const found = finqaNumbers(program);
    assert.deepEqual(
      found.map(({ value, start, end }) => [value, program.slice(start, end)]),
      [
        [5829, '5,829'],
        [0.62, '62%'],
      ],
    );
  });
});
