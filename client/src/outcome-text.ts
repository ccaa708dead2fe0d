import { returnedText } from '../../schemas/outcome.ts';
import type { SolutionOutcome } from '../../schemas/protocol.ts';

/** One line about a run; `index` is the record's, 0-based, and shown from 1. */
export function outcomeText(index: number, outcome: SolutionOutcome | null): string {
  const record = `Record ${index + 1}`;
  if (outcome === null) return `${record} has no solution to run.`;
  const { error, value, gold, verdict } = outcome;
  if (error?.returned === true) return `${record}: the solution ${returnedText(error.message, error.type)}.`;
  if (error !== null) {
    const line = error.line === null ? '' : ` (line ${error.line} of the solution)`;
    return `${record}: ${error.type}: ${error.message}${line}`;
  }
  if (value === null) return `${record}: the solution was not run.`;
  if (gold === null || verdict === 'skipped') return `${record}: the solution yields ${value}.`;
  const relation = {
    equal: 'the gold',
    tolerance: `within the tolerance of the gold ${gold}`,
    rounded: `the gold ${gold} after rounding`,
    mismatch: `not the gold ${gold}`,
    error: `not the gold ${gold}`,
  }[verdict];
  return `${record}: the solution yields ${value}, ${relation}.`;
}
