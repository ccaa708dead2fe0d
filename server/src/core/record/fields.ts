import { FIELDS, type DecoderName, type Field, type Profile } from '../profile/types.ts';
import { joinPointer, parsePointer } from '../text/pointer.ts';
import { readListInString } from './list-in-string.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** One spelling of a field: the keys that lead to it; `*` stands for every element of a list. */
interface Spelling {
  readonly keys: readonly string[];
  /** Set where the field is a key of the record itself, which it nearly always is. */
  readonly key: string | undefined;
}

interface CompiledField {
  readonly spellings: readonly [Spelling, ...Spelling[]];
  readonly decoder: DecoderName | undefined;
}

/** A profile made ready for reading records. */
export interface CompiledProfile {
  readonly profile: Profile;
  readonly fields: Partial<Readonly<Record<Field, CompiledField>>>;
  /** The fields that the profile has. */
  readonly mapped: readonly Field[];
  /** All keys that a record of the profile may have. */
  readonly knownKeys: ReadonlySet<string>;
  /** Reads a field's value as it stands, decoders applied; undefined where it is absent. */
  readonly read: Readonly<Record<Field, (source: JsonObject) => unknown>>;
}

const compiled = new WeakMap<Profile, CompiledProfile>();

export function compileProfile(profile: Profile): CompiledProfile {
  const known = compiled.get(profile);
  if (known) return known;
  const fields: Partial<Record<Field, CompiledField>> = {};
  const read = {} as Record<Field, (source: JsonObject) => unknown>;
  const knownKeys = new Set(profile.knownKeys);
  for (const field of FIELDS) {
    const spec = profile.fields[field];
    const spellings = (spec === undefined ? [] : [spec.at].flat()).map(toSpelling);
    const [first, ...others] = spellings;
    if (first === undefined) {
      read[field] = absent;
      continue;
    }
    fields[field] = { spellings: [first, ...others], decoder: spec?.decoder };
    read[field] = reader(fields[field]);
    for (const { keys } of spellings) if (keys[0] !== undefined) knownKeys.add(keys[0]);
  }
  const mapped = FIELDS.filter((field) => fields[field] !== undefined);
  const result: CompiledProfile = { profile, fields, mapped, knownKeys, read };
  compiled.set(profile, result);
  return result;
}

function absent(): undefined {
  return undefined;
}

function toSpelling(pointer: string): Spelling {
  const keys = parsePointer(pointer);
  const [first, ...others] = keys;
  const direct = first !== undefined && others.length === 0 && first !== '*' && !(first in Object.prototype);
  return { keys, key: direct ? first : undefined };
}

function reader(field: CompiledField): (source: JsonObject) => unknown {
  const { spellings, decoder } = field;
  const keys = spellings.flatMap(({ key }) => key ?? []);
  const [only] = keys;
  if (keys.length === spellings.length && only !== undefined && decoder === undefined) {
    return keys.length === 1 ? (source) => source[only] : (source) => firstOf(source, keys);
  }
  return (source) => {
    const value = valueAt(source, spellingIn(source, field));
    return decoder !== undefined && typeof value === 'string' ? (readListInString(value) ?? value) : value;
  };
}

function firstOf(source: JsonObject, keys: readonly string[]): unknown {
  let present: unknown;
  for (const key of keys) {
    const value = source[key];
    if (value !== undefined && value !== null) return value;
    if (value === null) present = null;
  }
  return present;
}

/** The spelling that a record uses: the first that holds something, else the first that is there, else the first. */
function spellingIn(source: JsonObject, { spellings }: CompiledField): Spelling {
  let present: Spelling | undefined;
  for (const spelling of spellings) {
    const value = valueAt(source, spelling);
    if (value === undefined) continue;
    if (value !== null) return spelling;
    present ??= spelling;
  }
  return present ?? spellings[0];
}

function valueAt(source: JsonObject, spelling: Spelling): unknown {
  return spelling.key === undefined ? follow(source, spelling.keys, 0) : source[spelling.key];
}

/** Follows keys from `at` on; `*` yields the list of what its elements yield. */
function follow(value: unknown, keys: readonly string[], at: number): unknown {
  for (let i = at; i < keys.length; i++) {
    const key = keys[i]!;
    if (key === '*') return Array.isArray(value) ? value.map((element) => follow(element, keys, i + 1)) : value;
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

/**
 * Pointer of a field, or of an element inside it, under the spelling that the record uses. The first elements of `path`
 * take the place of the spelling's `*`. Where the list is stored as text, the pointer stops at the text.
 */
export function fieldPointer(
  { fields }: CompiledProfile,
  source: JsonObject,
  name: Field,
  path: readonly (string | number)[],
): string {
  const field = fields[name];
  if (!field) return '';
  const spelling = spellingIn(source, field);
  const decoded = field.decoder !== undefined && typeof valueAt(source, spelling) === 'string';
  const rest = decoded ? [] : [...path];
  let pointer = '';
  for (const key of spelling.keys) {
    const element = key === '*' ? rest.shift() : key;
    if (element === undefined) return pointer;
    pointer = joinPointer(pointer, element);
  }
  return joinPointer(pointer, ...rest);
}

/** The name of a field in messages: its key in the record, `regions.*.box` where it lies deeper. */
export function fieldName(profile: CompiledProfile, source: JsonObject, name: Field): string {
  const field = profile.fields[name];
  return field ? spellingIn(source, field).keys.join('.') : name;
}
