import { distance } from 'fastest-levenshtein';

/** The known name that a misspelled one most likely means: at most a third of its letters differ, and at least two may. */
export function nearestName(given: string, known: Iterable<string>): string | undefined {
  const wanted = plain(given);
  let nearest: string | undefined;
  let least = Math.max(2, Math.floor(given.length / 3)) + 1;
  for (const name of known) {
    const candidate = plain(name);
    // A name is not a misspelling of another when nothing of it is left.
    const limit = Math.min(least, Math.max(wanted.length, candidate.length) - 1);
    if (Math.abs(candidate.length - wanted.length) >= limit) continue;
    const away = distance(wanted, candidate);
    if (away >= limit) continue;
    nearest = name;
    least = away;
  }
  return nearest;
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll('_', '').replaceAll('-', '').replaceAll(' ', '');
}
