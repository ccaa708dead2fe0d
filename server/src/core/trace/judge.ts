import { needsNoEvidence } from './constants.ts';
import { areDerived } from './derived.ts';
import { findNumbers } from './find.ts';
import type { Evidence, Wanted } from './find.ts';
import type { TracedNumber } from './types.ts';

/**
 * Where each number comes from, in the order of `wanted`. `cited`: indices of the texts that are cited, ascending, each
 * once; the other texts count as "elsewhere".
 */
export function judgeNumbers(
  evidence: Evidence,
  wanted: readonly Wanted[],
  cited: readonly number[],
): readonly TracedNumber[] {
  const found = findNumbers(evidence, wanted, cited);
  const judged = wanted.map((number, i): TracedNumber => {
    const { verdict, power, isRounded, places } = found[i]!;
    const base = {
      value: number.value,
      text: number.text,
      pointer: number.pointer,
      inString: number.span,
      ...(number.name !== undefined && { name: number.name }),
    };
    if (verdict === 'cited') return { ...base, verdict, places };
    const free = needsNoEvidence(evidence.question, number);
    if (free !== undefined) return { ...base, verdict: free, places };
    return { ...base, verdict, ...(power !== undefined && { power }), ...(isRounded && { isRounded }), places };
  });
  const missing = judged.flatMap(({ verdict }, i) =>
    verdict === 'nowhere' || verdict === 'digits-exchanged' ? [i] : [],
  );
  const derived = areDerived(
    evidence,
    missing.map((i) => wanted[i]!),
    cited,
  );
  return judged.map((number, i): TracedNumber => {
    return derived[missing.indexOf(i)] === true ? { ...number, verdict: 'derived', places: [] } : number;
  });
}
