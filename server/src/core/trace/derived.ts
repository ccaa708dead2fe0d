import type { CanonicalRecord } from '../record/types.ts';
import type { Literal } from './program.ts';
import type { TracedNumber } from './types.ts';

/** Whether a number that stands nowhere follows from others without saying so: rates beside one, and ends of ranges. */
export function derivationOf(literal: Pick<Literal, 'value'>, traced: readonly TracedNumber[], record: CanonicalRecord): boolean {
  void literal;
  void traced;
  void record;
  return false;
}
