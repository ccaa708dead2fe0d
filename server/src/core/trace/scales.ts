import type { Expression } from './program.ts';
import { behind } from './evaluate.ts';
import type { CanonicalRecord } from '../record/types.ts';
import { isTable } from '../evidence/blocks.ts';
import { statedScale } from './scale.ts';
import type { StatedScale } from './scale.ts';
import { digitsOf } from './scan.ts';
import type { NumberPlace, TracedNumber } from './types.ts';

/** A term of a sum with the scale in which it is counted. */
export interface ScaledTerm {
  readonly number: TracedNumber;
  readonly place: NumberPlace;
  readonly stated: StatedScale;
  /** Power of ten of one unit of the term: 3 where it is counted in thousands. */
  readonly unit: number;
}

/**
 * The scale of a term that is one figure, or a figure times or divided by a power of ten; undefined where it is not known: no
 * scale is stated, or the number's places state different ones. `elsewhere`: what holds for tables that state none.
 */
export function scaleOfTerm(
  term: Expression,
  numbers: readonly TracedNumber[],
  elsewhere: StatedScale | undefined,
): ScaledTerm | undefined {
  const converted = conversion(term, numbers);
  if (converted === undefined) return undefined;
  const number = numbers[converted.literal];
  if (number === undefined || !['cited', 'negated', 'scaled', 'context'].includes(number.verdict)) return undefined;
  const [place] = number.places;
  if (place === undefined || place.isPercent) return undefined;
  const [stated, ...others] = number.places.map(({ scale, cell }) => scale ?? (cell && elsewhere));
  if (stated === undefined || others.some((other) => other?.power !== stated.power)) return undefined;
  return { number, place, stated, unit: stated.power - (number.power ?? 0) - converted.power };
}

/** The scale that the cited prose states for the tables beside it: "Amounts are in thousands." */
export function scaleOfProse(record: CanonicalRecord, cited: readonly number[]): StatedScale | undefined {
  const scales = cited.flatMap((block) => {
    const text = record.context?.[block];
    return typeof text === 'string' && !isTable(text) ? (statedScale(text) ?? []) : [];
  });
  const [first] = scales;
  return scales.every(({ power }) => power === first?.power) ? first : undefined;
}

/** The literal of a term and the power of ten by which the solution multiplies it. */
function conversion(
  term: Expression,
  numbers: readonly TracedNumber[],
): { readonly literal: number; readonly power: number } | undefined {
  const plain = behind(term);
  if (plain.kind === 'literal') return { literal: plain.literal, power: 0 };
  if (plain.kind !== 'binary' || (plain.operator !== '*' && plain.operator !== '/')) return undefined;
  const left = behind(plain.left);
  const right = behind(plain.right);
  if (left.kind !== 'literal' || right.kind !== 'literal') return undefined;
  const byRight = powerOfTen(numbers[right.literal]?.value ?? 0);
  if (byRight !== undefined) return { literal: left.literal, power: plain.operator === '*' ? byRight : -byRight };
  const byLeft = powerOfTen(numbers[left.literal]?.value ?? 0);
  return byLeft !== undefined && plain.operator === '*' ? { literal: right.literal, power: byLeft } : undefined;
}

/** The power of a power of ten; undefined for other numbers. */
export function powerOfTen(value: number): number | undefined {
  const { digits, power } = digitsOf(value);
  return digits === 1 && value > 0 ? power : undefined;
}
