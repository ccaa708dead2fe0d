/**
 * FinQA's programs: steps such as `subtract(5829, 5735), divide(#0, 5735)`, separated by commas. An argument is a number
 * (`62%` is 0.62), a constant (`const_100`, `const_m1` is -1), the result of an earlier step (`#0`), or, in steps that
 * read the table, the name of a row and `none`. The result is that of the last step.
 */
import type { ProgramNumber, ProgramResult } from './result.ts';

type Table = readonly (readonly unknown[])[];

const STEP = /\s*([A-Za-z_]+)\s*\(/y;
const NUMBER = /^[-+]?(?:\d[\d,]*\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i;

const ARITHMETIC: Readonly<Record<string, (a: number, b: number) => number>> = {
  add: (a, b) => a + b,
  subtract: (a, b) => a - b,
  multiply: (a, b) => a * b,
  divide: (a, b) => a / b,
  exp: (a, b) => a ** b,
};
const OF_ROW: Readonly<Record<string, (cells: readonly number[]) => number>> = {
  table_max: (cells) => Math.max(...cells),
  table_min: (cells) => Math.min(...cells),
  table_sum: (cells) => sum(cells),
  table_average: (cells) => sum(cells) / cells.length,
};

interface Argument {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

interface Step {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly args: readonly Argument[];
}

type Fault = Extract<ProgramResult, { problem: string }>;

export function runFinqaProgram(source: string, table: Table): ProgramResult {
  const steps = stepsOf(source);
  if ('problem' in steps) return steps;
  const results: (number | 'yes' | 'no')[] = [];
  for (const step of steps) {
    const result = runStep(step, results, table);
    if (typeof result === 'object') return result;
    results.push(result);
  }
  return { value: results.at(-1)! };
}

/** The numbers that a program takes from question and evidence; constants and earlier results are none. */
export function finqaNumbers(source: string): ProgramNumber[] {
  const steps = stepsOf(source);
  if ('problem' in steps) return [];
  return steps.flatMap(({ name, args }) =>
    name in OF_ROW
      ? []
      : args.flatMap(({ text, start, end }) => {
          const value = readCell(text);
          return value === undefined ? [] : [{ value, text, start, end }];
        }),
  );
}

function stepsOf(source: string): Step[] | Fault {
  const steps: Step[] = [];
  let at = 0;
  for (;;) {
    STEP.lastIndex = at;
    const head = STEP.exec(source);
    if (head === null) return fault('a step such as "add(1, 2)" is expected', source, at);
    const start = at + head[0].search(/\S/);
    const close = closing(source, STEP.lastIndex);
    if (close < 0) return fault('a bracket is not closed', source, start);
    steps.push({ name: head[1]!, start, end: close + 1, args: argumentsOf(source, STEP.lastIndex, close) });
    at = close + 1;
    const rest = /^\s*(,?)\s*/.exec(source.slice(at))!;
    at += rest[0].length;
    if (at >= source.length) return rest[1] === '' ? steps : fault('a step is missing after the comma', source, at - 1);
    if (rest[1] === '') return fault('a comma is expected between two steps', source, at);
  }
}

/** Row names may hold brackets of their own. */
function closing(source: string, from: number): number {
  let open = 1;
  for (let at = from; at < source.length; at++) {
    if (source[at] === '(') open++;
    else if (source[at] === ')' && --open === 0) return at;
  }
  return -1;
}

/** Two arguments, parted by the last comma that a blank follows, so that row names and thousands keep theirs. */
function argumentsOf(source: string, from: number, to: number): Argument[] {
  const inner = source.slice(from, to);
  const comma = inner.search(/,\s+(?![^]*,\s)/);
  const parting = comma >= 0 ? comma : inner.lastIndexOf(',');
  const pieces =
    parting < 0
      ? [[from, to]]
      : [
          [from, from + parting],
          [from + parting + 1, to],
        ];
  return pieces.map(([first, last]) => {
    const text = source.slice(first, last);
    const start = first! + (text.length - text.trimStart().length);
    return { text: text.trim(), start, end: start + text.trim().length };
  });
}

function runStep(step: Step, results: readonly (number | 'yes' | 'no')[], table: Table): number | 'yes' | 'no' | Fault {
  const { name, start, end } = step;
  const [first, second] = step.args;
  if (first === undefined || second === undefined) {
    return { problem: `${name} needs two arguments`, start, end };
  }
  const ofRow = Object.hasOwn(OF_ROW, name) ? OF_ROW[name] : undefined;
  if (ofRow !== undefined) {
    const cells = rowOf(first, table);
    return 'problem' in cells ? cells : ofRow(cells.numbers);
  }
  const operation = Object.hasOwn(ARITHMETIC, name) ? ARITHMETIC[name] : undefined;
  if (operation === undefined && name !== 'greater') {
    const known = [...Object.keys(ARITHMETIC), 'greater', ...Object.keys(OF_ROW)].join(', ');
    return { problem: `there is no operation ${name}; known are ${known}`, start, end };
  }
  const a = valueOf(first, results);
  if (typeof a === 'object') return a;
  const b = valueOf(second, results);
  if (typeof b === 'object') return b;
  if (operation === undefined) return a > b ? 'yes' : 'no';
  if (name === 'divide' && b === 0) return { problem: 'it divides by zero', start, end };
  return operation(a, b);
}

function valueOf({ text, start, end }: Argument, results: readonly (number | 'yes' | 'no')[]): number | Fault {
  const reference = /^#(\d+)$/.exec(text);
  if (reference !== null) {
    const value = results[Number(reference[1])];
    if (typeof value === 'number') return value;
    const problem =
      value === undefined
        ? `${text} stands for a step that has not been computed there`
        : `${text} is no number but ${value}`;
    return { problem, start, end };
  }
  const constant = /^const_(m?)(\d+(?:\.\d+)?)$/.exec(text);
  if (constant !== null) return Number(constant[2]) * (constant[1] === 'm' ? -1 : 1);
  const value = readCell(text);
  return value ?? { problem: `"${text}" is no number`, start, end };
}

function rowOf(name: Argument, table: Table): { readonly numbers: number[] } | Fault {
  const row = table.findLast(([first]) => first === name.text);
  const { start, end } = name;
  if (row === undefined) return { problem: `the table has no row "${name.text}"`, start, end };
  const numbers: number[] = [];
  for (const cell of row.slice(1)) {
    // As the dataset reads its cells: what stands in brackets repeats the number with its sign.
    const value = readCell((String(cell).replaceAll('$', '').trim().split('(')[0] ?? '').trim());
    if (value === undefined) {
      return { problem: `the row "${name.text}" has a cell that is no number: "${String(cell)}"`, start, end };
    }
    numbers.push(value);
  }
  return numbers.length === 0 ? { problem: `the row "${name.text}" has no cells`, start, end } : { numbers };
}

/** A number, `1,234`, or a percentage as a fraction. */
function readCell(text: string): number | undefined {
  const isPercent = text.includes('%');
  const digits = (isPercent ? text.replaceAll('%', '') : text).replace(/\s+/g, '');
  if (!NUMBER.test(digits)) return undefined;
  const value = Number(digits.replaceAll(',', ''));
  if (Number.isNaN(value)) return undefined;
  return isPercent ? value / 100 : value;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function fault(problem: string, source: string, at: number): Fault {
  return { problem, start: Math.min(at, source.length), end: source.length };
}
