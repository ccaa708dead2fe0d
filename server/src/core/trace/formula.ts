/**
 * Formulas and programs that are not Python, read as what they compute: `(73,260-57,768)/57,768` and
 * `subtract(5829, 5735), divide(#0, 5735)`. What cannot be read is unknown; what they yield is computed elsewhere.
 */
import { SIGNS } from '../programs/derivation.ts';
import type { SolutionLanguage } from '../profile/types.ts';
import { readProgram } from './program.ts';
import type { Expression, Literal, Program } from './program.ts';

export function programOfFormula(source: string, language: SolutionLanguage): Program {
  if (language === 'finqa-program') return programOfSteps(source);
  const program = readProgram(asPython(source), undefined);
  const literals = program.literals.map((literal) => ({
    ...literal,
    text: source.slice(literal.span.start, literal.span.end),
  }));
  return { ...program, literals };
}

/** The formula as an expression of Python, character for character at the same offsets. */
function asPython(source: string): string {
  return source
    .replace(/(?<=\d),(?=\d{3}(?!\d))/g, '_')
    .replace(/[[\]{}−–—×÷⁄]/g, (sign) => SIGNS[sign]!)
    .replace(/\p{Sc}|[A-Za-z%\s]/gu, (sign) => ' '.repeat(sign.length))
    .replace(/^ +/, (blanks) => '+'.repeat(blanks.length));
}

const STEP = /(?<![A-Za-z_])([A-Za-z_]+)\(([^()]*)\)/g;
const OPERATORS: Readonly<Record<string, string>> = {
  add: '+',
  subtract: '-',
  multiply: '*',
  divide: '/',
  exp: '**',
};
const NUMBER = /^([-+]?(?:\d[\d,]*\.?\d*|\.\d+))(%?)$/;
const CONSTANT = /^const_(m?)(\d+(?:_\d+)?)$/i;
const UNKNOWN: Expression = { kind: 'unknown' };

function programOfSteps(source: string): Program {
  const literals: Literal[] = [];
  const results: Expression[] = [];
  /** Of the rows that a step reads. */
  const names: string[] = [];
  for (const found of source.matchAll(STEP)) {
    const [whole, name, list] = found;
    const from = found.index + name!.length + 1;
    const operator = Object.hasOwn(OPERATORS, name!) ? OPERATORS[name!] : undefined;
    const values: Expression[] = [];
    let at = from;
    for (const [position, part] of list!.split(/,(?!\d{3}(?!\d))/).entries()) {
      const isOfRow = name!.startsWith('table_');
      if (isOfRow && part.trim() !== 'none') names.push(part.trim());
      values.push(isOfRow ? UNKNOWN : argument(part, at, useIn(operator, position), literals, results));
      at += part.length + 1;
    }
    const [left, right] = values;
    const span = { start: found.index, end: found.index + whole.length };
    const isBinary = operator !== undefined && left !== undefined && right !== undefined && values.length === 2;
    results.push(isBinary ? { kind: 'binary', operator, left, right, span } : UNKNOWN);
  }
  return { literals, result: results.at(-1), assignments: [], names };
}

function useIn(operator: string | undefined, position: number): Literal['use'] {
  if (operator === '*') return 'factor';
  if (position === 0) return 'figure';
  return operator === '/' ? 'divisor' : operator === '**' ? 'exponent' : 'figure';
}

function argument(
  part: string,
  at: number,
  use: Literal['use'],
  literals: Literal[],
  results: readonly Expression[],
): Expression {
  const text = part.trim();
  const start = at + part.length - part.trimStart().length;
  const step = /^#(\d+)$/.exec(text);
  if (step !== null) return results[Number(step[1])] ?? UNKNOWN;
  const number = NUMBER.exec(text);
  const constant = CONSTANT.exec(text);
  if (number === null && constant === null) return UNKNOWN;
  const value =
    number === null
      ? Number(constant![2]!.replace('_', '.')) * (constant![1] === '' ? 1 : -1)
      : Number(number[1]!.replaceAll(',', '')) / (number[2] === '' ? 1 : 100);
  literals.push({
    value,
    text,
    span: { start, end: start + text.length },
    ...(constant !== null && { name: 'const' }),
    isWholeValue: false,
    use,
  });
  return { kind: 'literal', literal: literals.length - 1 };
}
