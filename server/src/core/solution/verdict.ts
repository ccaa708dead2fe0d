import type { Verdict } from '../../../../schemas/report.ts';
import type { RunResult } from '../ports.ts';
import type { FileSettings } from '../profile/types.ts';
import { numbersOf } from './list-result.ts';
import { decimalsOf } from './numbers.ts';

/** Floats that differ by less than this, relative to the larger one, are one number computed in two ways. */
export const EQUAL_RELATIVE = 1e-9;

export interface Judgement {
  readonly verdict: Verdict;
  /** Whether the gold is the value rounded, to the gold's own decimals or the configured ones, whichever is more. */
  readonly rounding: boolean;
  /** The decimals that were compared at; meaningful where both numbers are there. */
  readonly decimals: number;
  /** The value as a number: ±Infinity for ints beyond the range of floats. Absent without a value. */
  readonly value?: number;
  /** Absent where the gold is no number. */
  readonly gold?: number;
}

/**
 * Compares the result of a solution with the gold: equal (1e-9 relative), else within the relative tolerance, else equal
 * after rounding (half to even or half away from zero, also as spelled in decimal), else a mismatch. Sign and powers of
 * ten count, and nothing equals NaN. `skipped`: not run, or the gold is no number; `error`: the run gave no value.
 */
export function judge(run: RunResult | undefined, gold: unknown, settings: Pick<FileSettings, 'tolerance'>): Judgement {
  const none = { rounding: false, decimals: 0 };
  if (run === undefined) return { verdict: 'skipped', ...none };
  if (run.error !== undefined || run.value === undefined) return { verdict: 'error', ...none };
  if (run.value.kind === 'text') return { verdict: judgeText(run.value.repr, gold), ...none };
  if (run.value.kind === 'list') return { verdict: judgeList(run.value.repr, gold, settings), ...none };
  const value = Number(run.value.repr);
  if (Number.isNaN(value)) return { verdict: 'error', ...none };
  if (typeof gold !== 'number' || !Number.isFinite(gold)) {
    // A list or yes/no against one number: only where the dataset's golds are such, else the gold has the wrong type.
    return { verdict: 'skipped', ...none, value };
  }
  return judgeNumber(value, run.value.repr, gold, settings);
}

function judgeNumber(value: number, repr: string, gold: number, settings: Pick<FileSettings, 'tolerance'>): Judgement {
  const decimals = Math.max(decimalsOf(gold), settings.tolerance.decimals);
  const verdict = compare(value, repr, gold, settings.tolerance.relative);
  const rounding = verdict === 'equal' || isRounding(value, gold, decimals);
  return { verdict: verdict === 'mismatch' && rounding ? 'rounded' : verdict, rounding, decimals, value, gold };
}

/** Yes and no against the same in the gold; any other gold is another answer. */
function judgeText(text: string, gold: unknown): Verdict {
  if (gold === undefined || gold === null || gold === '') return 'skipped';
  return typeof gold === 'string' && gold.trim().toLowerCase() === text ? 'equal' : 'mismatch';
}

const GRAVITY: readonly Verdict[] = ['equal', 'rounded', 'tolerance', 'mismatch'];

/** Element by element; the worst one counts. */
function judgeList(repr: string, gold: unknown, settings: Pick<FileSettings, 'tolerance'>): Verdict {
  if (gold === undefined || gold === null) return 'skipped';
  const values = numbersOf(repr) ?? [];
  const golds: readonly unknown[] = Array.isArray(gold) ? gold : [gold];
  if (golds.length !== values.length) return 'mismatch';
  const verdicts = golds.map((one, i) =>
    typeof one === 'number' ? judgeNumber(values[i]!, String(values[i]), one, settings).verdict : 'mismatch',
  );
  return verdicts.reduce((worst, one) => (GRAVITY.indexOf(one) > GRAVITY.indexOf(worst) ? one : worst), 'equal');
}

function compare(value: number, repr: string, gold: number, tolerance: number): 'equal' | 'tolerance' | 'mismatch' {
  if (isEqual(value, gold) || isSameInteger(repr, gold)) return 'equal';
  return Math.abs(value - gold) <= tolerance * Math.abs(gold) ? 'tolerance' : 'mismatch';
}

/** Equal to 1e-9, relative to the larger magnitude; zero equals zero only. */
export function isEqual(a: number, b: number): boolean {
  if (a === b) return true;
  const larger = Math.max(Math.abs(a), Math.abs(b));
  return larger < Infinity && Math.abs(a - b) <= EQUAL_RELATIVE * larger;
}

/** Ints are compared digit by digit where floats have lost the digits. */
function isSameInteger(repr: string, gold: number): boolean {
  return Number.isInteger(gold) && /^-?\d{1,400}$/.test(repr) && BigInt(repr) === BigInt(gold);
}

/**
 * Whether `gold` is `value` rounded to so many decimals. At a tie the even neighbour, the one away from zero, and the one
 * that rounding the binary value gives (Python's `round`) are all accepted; a tie is one within 1e-9 of it.
 */
export function isRounding(value: number, gold: number, decimals: number): boolean {
  if (decimals > 100 || !Number.isFinite(value)) return false;
  if (isEqual(Number(value.toFixed(decimals)), gold)) return true;
  const half = 0.5 / 10 ** decimals;
  const slack = EQUAL_RELATIVE * (half + Math.abs(value));
  const distance = Math.abs(value - gold);
  if (distance > half + slack) return false;
  if (distance < half - slack) return true;
  const isAway = Math.abs(gold) > Math.abs(value);
  return isAway || isLastDigitEven(gold, decimals);
}

function isLastDigitEven(gold: number, decimals: number): boolean {
  const digits = gold.toFixed(decimals);
  return Number(digits.at(-1)) % 2 === 0;
}
