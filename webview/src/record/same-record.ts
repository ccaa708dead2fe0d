import type { ShownEvidence } from '../../../schemas/page.ts';

/** Whether two snapshots are of one record. A line put in above shifts the index; the record is still the same one. */
export function sameRecord(a: ShownEvidence | null, b: ShownEvidence): boolean {
  if (a === null || a.uri !== b.uri) {
    return false;
  }
  return a.index === b.index || (a.id !== null && a.id === b.id && a.question === b.question);
}

/** Tells a record from the others of a session, over what is edited in it. */
export function recordKey({ uri, id, index }: ShownEvidence): string {
  return JSON.stringify([uri, id ?? index]);
}
