/**
 * A required field that (nearly) every record of a file lacks is one fault and not thousands: most often the profile is not
 * the file's. Single records that lack a field are told as such.
 */
import { CONFIGURATION_FILE } from '../../../schemas/configuration.ts';
import type { Finding } from './finding.ts';
import { hashText } from './hash.ts';
import type { FileSettings } from './profile/types.ts';

const CODE = 'schema/required';
/** As `requiredMessage` begins. */
const SINGLE = 'The record has no ';
const LEAST_RECORDS = 20;
const SHARE = 0.95;

/** Findings with the same key are one fault where they are many; undefined: the finding stands for itself. */
export function floodKey({ code, pointer, message, record }: Finding): string | undefined {
  return code === CODE && pointer === '' && record !== null && message.startsWith(SINGLE) ? message : undefined;
}

/** `records`: how many the file has, of which `count` have the finding. */
export function isFlood(count: number, records: number): boolean {
  return records >= LEAST_RECORDS && count >= SHARE * records;
}

/** What is told in place of `count` findings such as this one. */
export function floodFinding(
  { severity, message }: Pick<Finding, 'severity' | 'message'>,
  count: number,
  records: number,
  settings: FileSettings,
): Finding {
  const start = { line: 0, column: 0 };
  const lacking = message.slice(SINGLE.length);
  const which = count === records ? `All ${number(records)}` : `${number(count)} of ${number(records)}`;
  return {
    code: CODE,
    severity,
    message: `${which} records have no ${lacking} ${wayOut(settings)}`,
    record: null,
    pointer: '',
    start,
    end: start,
    fingerprint: hashText(CODE, '', '', message),
    fixes: [],
    related: [],
  };
}

function wayOut({ profile, fits }: FileSettings): string {
  const required = `${profile.title} requires it.`;
  return fits === undefined
    ? `${required} Where it stands under another key, an own profile says so: "extends": "${profile.name}" and "fields", under "profiles" in ${CONFIGURATION_FILE}.`
    : `${required} The keys of the records are those of the profile ${fits}.`;
}

function number(value: number): string {
  return value.toLocaleString('en');
}

/** The same for findings at hand, group by group; `records` is asked for where it matters. */
export function withoutFloods(
  groups: readonly (readonly Finding[])[],
  records: () => number,
  settings: FileSettings,
): {
  readonly groups: readonly (readonly Finding[])[];
  readonly floods: readonly Finding[];
  /** Keys of the findings that are told so. */
  readonly keys: ReadonlySet<string>;
} {
  const counts = new Map<string, { count: number; readonly first: Finding }>();
  for (const group of groups) {
    for (const finding of group) {
      const key = floodKey(finding);
      if (key === undefined) continue;
      const known = counts.get(key);
      if (known === undefined) counts.set(key, { count: 1, first: finding });
      else known.count += 1;
    }
  }
  const many = [...counts].filter(([, { count }]) => count >= SHARE * LEAST_RECORDS);
  if (many.length === 0) return { groups, floods: [], keys: new Set() };
  const all = records();
  const flooding = new Map(many.filter(([, { count }]) => isFlood(count, all)));
  if (flooding.size === 0) return { groups, floods: [], keys: new Set() };
  return {
    groups: groups.map((group) => group.filter((finding) => !flooding.has(floodKey(finding) ?? ''))),
    floods: [...flooding.values()].map(({ first, count }) => floodFinding(first, count, all, settings)),
    keys: new Set(flooding.keys()),
  };
}
