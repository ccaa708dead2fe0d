import { isInQuestion } from './constants.ts';
import { findNumbers } from './find.ts';
import type { Evidence, Wanted } from './find.ts';

/**
 * Numbers that stand nowhere themselves but follow from a rate at a glance: 1.12 and 0.88 from 12 %. Sums, differences and
 * means of two cells would be hidden typing errors as often: in a table of twenty rows some pair makes any number.
 */
export function areDerived(evidence: Evidence, missing: readonly Wanted[], cited: readonly number[]): boolean[] {
  const rates = missing.map((literal): Wanted | undefined => {
    const rate = Math.abs(literal.value - 1);
    // 1.12 less 1 is 0.1200000000000001 in floats.
    const value = Number(rate.toPrecision(10));
    return literal.value > 0 && literal.value < 2 && value > 0 ? { ...literal, value, use: 'figure' } : undefined;
  });
  const wanted = rates.filter((rate) => rate !== undefined);
  if (wanted.length === 0) return missing.map(() => false);
  const found = findNumbers(evidence, wanted, cited);
  const derived = new Set(
    wanted.filter((rate, i) => {
      const { verdict, power, places } = found[i]!;
      if (isInQuestion(evidence.question, rate.value)) return true;
      if (verdict === 'scaled') return power === -2;
      return (verdict === 'cited' || verdict === 'context') && places.some(({ isPercent }) => !isPercent);
    }),
  );
  return rates.map((rate) => rate !== undefined && derived.has(rate));
}
