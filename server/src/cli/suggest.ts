import { distance } from 'fastest-levenshtein';

/** " Did you mean x?" where a known name is near, else ''. */
export function didYouMean(given: string, known: readonly string[]): string {
  let best: string | undefined;
  let least = Math.max(2, Math.floor(given.length / 3)) + 1;
  for (const name of known) {
    // The family may be left out: `mismatch` stands for `answer/mismatch`.
    const tail = name.slice(name.indexOf('/') + 1);
    const away = Math.min(distance(given, name), tail === given ? 0 : Infinity);
    if (away < least) {
      least = away;
      best = name;
    }
  }
  return best === undefined ? '' : ` Did you mean ${best}?`;
}
