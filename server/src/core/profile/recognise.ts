import { compileProfile } from '../record/fields.ts';
import type { Profile } from './types.ts';

export interface Recognised {
  readonly profile: Profile;
  /** A sentence part for people: "recognised from query, doc_name, evidence_page and bbox". */
  readonly reason: string;
}

export interface Unrecognised {
  /** The profile of which more than half of the keys are there; undefined: none is near. */
  readonly nearest: Profile | undefined;
  /** Keys that the nearest profile would need. */
  readonly missing: readonly string[];
}

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Finds the profile of a file by the keys of its first records. At least half of the records that are objects must fit,
 * so that a broken or odd one does not matter; other JSON fits nothing.
 */
export function recogniseProfile(samples: readonly unknown[], profiles: readonly Profile[]): Recognised | Unrecognised {
  const records = samples.filter(isObject);
  let best: { readonly profile: Profile; readonly keys: readonly string[] } | undefined;
  for (const profile of profiles) {
    const keys = fittingKeys(records, profile);
    if (keys && (!best || keys.length > best.keys.length)) best = { profile, keys };
  }
  if (best) return { profile: best.profile, reason: `recognised from ${enumerate(best.keys)}` };
  return nearestProfile(records, profiles);
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The keys by which most records were recognised; undefined where fewer than half fit. */
function fittingKeys(records: readonly JsonObject[], profile: Profile): readonly string[] | undefined {
  const votes = new Map<readonly string[], number>();
  let fitting = 0;
  for (const record of records) {
    const set = longestSet(record, profile);
    if (!set) continue;
    fitting++;
    votes.set(set, (votes.get(set) ?? 0) + 1);
  }
  if (fitting === 0 || fitting * 2 < records.length) return undefined;
  return [...votes].reduce((most, vote) => (vote[1] > most[1] ? vote : most))[0];
}

function longestSet(record: JsonObject, profile: Profile): readonly string[] | undefined {
  let longest: readonly string[] | undefined;
  for (const set of profile.recognise) {
    if (set.length > (longest?.length ?? 0) && set.every((key) => Object.hasOwn(record, key))) longest = set;
  }
  return longest && isGoldPlausible(record, profile) ? longest : undefined;
}

/**
 * Many datasets have a question with a gold answer; here it is a number. Text that holds none speaks against the profile,
 * unless a solution stands beside it.
 */
function isGoldPlausible(record: JsonObject, profile: Profile): boolean {
  if (!profile.fields.gold) return true;
  const { read } = compileProfile(profile);
  const gold = read.gold(record);
  if (gold === undefined || gold === null || typeof gold === 'number') return true;
  return typeof read.solution(record) === 'string' || (typeof gold === 'string' && /^\D{0,4}\d/.test(gold.trim()));
}

function nearestProfile(records: readonly JsonObject[], profiles: readonly Profile[]): Unrecognised {
  let nearest: Profile | undefined;
  let missing: readonly string[] = [];
  let most = 0.5;
  for (const profile of profiles) {
    for (const set of profile.recognise) {
      const lacking = set.filter((key) => !isCommon(records, key));
      const share = (set.length - lacking.length) / set.length;
      if (share <= most) continue;
      [nearest, missing, most] = [profile, lacking, share];
    }
  }
  return { nearest, missing };
}

function isCommon(records: readonly JsonObject[], key: string): boolean {
  return records.length > 0 && records.filter((record) => Object.hasOwn(record, key)).length * 2 >= records.length;
}

function enumerate(names: readonly string[]): string {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
