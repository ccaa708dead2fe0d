import { compileProfile } from '../record/fields.ts';
import type { Profile, SpaceName } from './types.ts';

/**
 * Published variants of one dataset write relative boxes in 0–1 or in 0–1000, under the same key. The first records of
 * the file decide: 'unit' where more than half of their boxes lie within 0–1 whole, which no box of 0–1000 does; undefined
 * where the profile's own space holds.
 */
export function relativeSpaceVote(samples: readonly unknown[], profile: Profile): SpaceName | undefined {
  const declared = profile.relativeCoordinates?.space;
  if (declared === undefined || declared === 'unit') return undefined;
  const { read } = compileProfile(profile);
  const count = { boxes: 0, unit: 0 };
  for (const sample of samples) {
    if (typeof sample !== 'object' || sample === null) continue;
    countBoxes(read.relativeBoxes(sample as Readonly<Record<string, unknown>>), count, 3);
  }
  return count.unit * 2 > count.boxes ? 'unit' : undefined;
}

/** Lists of numbers are boxes, at most `depth` levels down. */
function countBoxes(value: unknown, count: { boxes: number; unit: number }, depth: number): void {
  if (!Array.isArray(value) || value.length === 0) return;
  if (!value.every((element) => typeof element === 'number')) {
    if (depth > 1) for (const element of value) countBoxes(element, count, depth - 1);
    return;
  }
  count.boxes++;
  if (value.every((number) => number >= 0 && number <= 1)) count.unit++;
}
