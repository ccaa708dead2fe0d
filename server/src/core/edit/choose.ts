/** Which fixes are applied without asking, and all of them together until nothing is left to do. */
import type { Finding, PlacedFix } from '../finding.ts';
import { applyEdits, mergeEdits } from './edits.ts';
import type { TextEdit } from './types.ts';

/**
 * The fix of a finding that may be applied unasked: the first safe one. Where its rule was named, also the only one there
 * is: between several somebody must choose.
 */
export function chosenFix({ fixes }: Pick<Finding, 'fixes'>, isNamed: boolean): PlacedFix | undefined {
  return fixes.find(({ safe }) => safe) ?? (isNamed && fixes.length === 1 ? fixes[0] : undefined);
}

/** Rounds after which fixes are taken to lead in a circle. */
export const MOST_ROUNDS = 10;

/**
 * The edits of one record that bring it to where nothing more can be fixed. Where that takes several rounds they are told
 * as one replacement of what lies between the first and the last change.
 */
export function fixRecord(
  text: string,
  findingsOf: (text: string) => readonly Pick<Finding, 'fixes'>[],
  choose: (finding: Pick<Finding, 'fixes'>) => PlacedFix | undefined,
): readonly TextEdit[] {
  let current = text;
  let first: readonly TextEdit[] = [];
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const { edits } = mergeEdits(findingsOf(current).flatMap((finding) => choose(finding) ?? []));
    if (edits.length === 0) return round <= 1 ? first : [between(text, current)];
    if (round === 0) first = edits;
    current = applyEdits(current, edits);
  }
  return [between(text, current)];
}

function between(old: string, text: string): TextEdit {
  const shorter = Math.min(old.length, text.length);
  let head = 0;
  while (head < shorter && old.charCodeAt(head) === text.charCodeAt(head)) head++;
  let tail = 0;
  while (tail < shorter - head && old.charCodeAt(old.length - 1 - tail) === text.charCodeAt(text.length - 1 - tail)) {
    tail++;
  }
  return { span: { start: head, end: old.length - tail }, text: text.slice(head, text.length - tail) };
}
