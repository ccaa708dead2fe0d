/** New ids by a pattern: `q-{n:4}` gives q-0001, q-0002 and so on. */

export interface IdPattern {
  /** The id of the record with this number. */
  of(number: number): string;
}

const PLACE = /\{n(?::(\d{1,2}))?\}/g;
const LONGEST = 20;

/** `{n}` the number, `{n:4}` the number with at least four digits. Text: why it is no pattern, as a sentence. */
export function idPattern(pattern: string): IdPattern | string {
  const places = [...pattern.matchAll(PLACE)];
  if (places.length === 0)
    return `The pattern ${pattern === '' ? 'is empty' : `\`${pattern}\` has no {n}`}: write where the number stands, such as q-{n:4}.`;
  if (places.length > 1) return `The pattern \`${pattern}\` has {n} more than once.`;
  const [place] = places;
  const width = Number(place![1] ?? 1);
  if (width < 1 || width > LONGEST)
    return `The pattern \`${pattern}\` asks for ${width} digits, expected 1 to ${LONGEST}.`;
  const before = pattern.slice(0, place!.index);
  const after = pattern.slice(place!.index + place![0].length);
  if (/[{}]/.test(before + after)) return `The pattern \`${pattern}\` holds braces beside {n}.`;
  return { of: (number) => `${before}${String(number).padStart(width, '0')}${after}` };
}

export interface NumberedRecord {
  readonly id: string | undefined;
  /** It gets a new id. */
  readonly chosen: boolean;
}

export interface Renumbered {
  /** By position among all records; those that are not chosen or keep their id are left out. */
  readonly ids: ReadonlyMap<number, string>;
  /** New ids that a record which keeps its own has already, the first few. */
  readonly clashes: readonly { readonly id: string; readonly index: number }[];
  readonly clashCount: number;
}

const SHOWN_CLASHES = 5;

export function renumber(records: readonly NumberedRecord[], pattern: IdPattern, first: number): Renumbered {
  const kept = new Map<string, number>();
  for (const [index, { id, chosen }] of records.entries()) if (!chosen && id !== undefined) kept.set(id, index);
  const ids = new Map<number, string>();
  const clashes: { id: string; index: number }[] = [];
  let clashCount = 0;
  let number = first;
  for (const [index, { id, chosen }] of records.entries()) {
    if (!chosen) continue;
    const next = pattern.of(number++);
    const other = kept.get(next);
    if (other !== undefined && clashCount++ < SHOWN_CLASHES) clashes.push({ id: next, index: other });
    if (next !== id) ids.set(index, next);
  }
  return { ids, clashes, clashCount };
}
