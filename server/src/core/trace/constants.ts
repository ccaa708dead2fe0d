import type { Literal } from './program.ts';
import { digitsOf, scanNumbers } from './scan.ts';
import { spelledOut } from './words.ts';

/** Powers of ten by which a number of another scale differs: percent, thousands, millions, billions. */
export const SCALING_POWERS: ReadonlySet<number> = new Set([2, -2, 3, -3, 6, -6, 9, -9]);

/** Days and weeks of a year, also of the year of 360 days by which interest is counted. */
const OF_A_YEAR: ReadonlySet<number> = new Set([52, 360, 365, 366]);

/** Counts up to a dozen, days of a year, and powers of ten. */
export function isConstant(value: number): boolean {
  const size = Math.abs(value);
  return (Number.isInteger(size) && size <= 12) || OF_A_YEAR.has(size) || digitsOf(size).digits === 1;
}

/** Names that people give to constants. */
const CONSTANT_NAME =
  /^(?:const(?:ant)?|num(?:ber)?_of|n|count|divisor|factor|multiplier|percent(?:age)?_?factor|scale)(?:_|\d|$)/i;

/** Whether a constant does a constant's work, and is not a figure that happens to be small. */
export function worksAsConstant(literal: Pick<Literal, 'value' | 'use' | 'name' | 'isWholeValue'>): boolean {
  if (!isConstant(literal.value)) return false;
  return literal.use !== 'figure' || (literal.name !== undefined && CONSTANT_NAME.test(literal.name));
}

/** Why a number needs no evidence; undefined where it does. */
export function needsNoEvidence(
  question: string | undefined,
  literal: Pick<Literal, 'value' | 'use'>,
): 'constant' | 'question' | undefined {
  if (isInQuestion(question, literal.value)) return 'question';
  // The square root and its like: no figure, whatever stands in the evidence.
  const isRoot = literal.use === 'exponent' && Math.abs(literal.value) < 1;
  return isRoot || isConstant(literal.value) ? 'constant' : undefined;
}

const BASIS_POINTS = /\bbasis[- ]points?\b|\bbps?\b/i;

/** Whether the question gives the number, scaled or spelled out too. */
export function isInQuestion(question: string | undefined, value: number): boolean {
  if (question === undefined) return false;
  const { digits, power } = digitsOf(value);
  const numbers = scanNumbers(question);
  for (const [i, found] of numbers.digits.entries()) {
    if (found !== digits) continue;
    const distance = power - numbers.powers[i]!;
    if (distance === 0 || SCALING_POWERS.has(distance)) return true;
    if (distance === -4 && BASIS_POINTS.test(question)) return true;
  }
  return spelledOut(Math.abs(value))?.test(question) ?? false;
}
