/** Ids for many new records: `freeId` looks through all ids for each one. */
import { freeId } from '../edit/free-id.ts';

/** Gives ids that no record has, one after the other, each in the pattern of the one given. */
export function createFreshIds(taken: Iterable<string>): (like: string) => string {
  const ids = new Set(taken);
  /** The id given last, by pattern. */
  const last = new Map<string, string>();
  return (like) => {
    const pattern = like.replace(/\d+(?=\D*$)/, '\0');
    const before = last.get(pattern);
    let next = before === undefined ? freeId(like, ids) : freeId(before, new Set());
    while (ids.has(next)) next = freeId(next, new Set());
    ids.add(next);
    last.set(pattern, next);
    return next;
  };
}
