/** Which record a snapshot is of: what was begun on one must not be done to another. */
import type { ShownEvidence } from '../../schemas/page.ts';

/**
 * Whether two snapshots are of one record. A line put in above, or taken out, shifts the index: the record goes on under another one, and
 * another record stands at its index. Its id or its question may be edited, not both at once.
 */
export function sameRecord(a: ShownEvidence | null, b: ShownEvidence): boolean {
  if (a === null || a.uri !== b.uri) {
    return false;
  }
  const hasSameId = a.id === b.id;
  const hasSameQuestion = a.question === b.question;
  return a.index === b.index ? hasSameId || hasSameQuestion : a.id !== null && hasSameId && hasSameQuestion;
}

/** Tells a record from the others of a session, over what is edited in it. */
export function recordKey({ uri, id, index }: ShownEvidence): string {
  return JSON.stringify([uri, id ?? index]);
}
