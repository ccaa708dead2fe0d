import { FIELDS, type DecoderName, type Field, type Profile, type SolutionLanguage } from '../profile/types.ts';
import { OUTER } from '../text/nested.ts';
import { joinPointer, parsePointer } from '../text/pointer.ts';
import { decode, pathInDecoded } from './decoders.ts';
import { asBlocks } from './joined.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** One spelling of a field: the keys that lead to it; `*` stands for every element of a list. */
interface Spelling {
  readonly keys: readonly string[];
  /** Set where the field is a key of the record itself, which it nearly always is; and the pointer to it. */
  readonly key: string | undefined;
  readonly pointer: string;
}

interface CompiledField {
  readonly name: Field;
  readonly spellings: readonly [Spelling, ...Spelling[]];
  readonly decoder: DecoderName | undefined;
  /** The spellings are parts of one list. */
  readonly join: boolean;
}

/** A profile made ready for reading records. */
export interface CompiledProfile {
  readonly profile: Profile;
  readonly fields: Partial<Readonly<Record<Field, CompiledField>>>;
  /** The fields that the profile has. */
  readonly mapped: readonly Field[];
  /** Those of them without which a record is not complete. */
  readonly required: readonly Field[];
  /** All keys that a record of the profile may have. */
  readonly knownKeys: ReadonlySet<string>;
  /** Reads a field's value as it stands, decoders applied; undefined where it is absent. */
  readonly read: Readonly<Record<Field, (source: JsonObject) => unknown>>;
  /** Reads all fields at once, by their places in `FIELDS`. The object is the same for every record. */
  readonly readAll: (source: JsonObject) => AllFields;
  readonly language: SolutionLanguage;
  /** Fields with a closed list of values. */
  readonly enums: readonly { readonly field: Field; readonly allowed: ReadonlySet<string> }[];
}

export interface AllFields {
  readonly values: readonly unknown[];
  /** Keys that the profile does not know; undefined: none. */
  readonly strangers: readonly string[] | undefined;
}

const compiled = new WeakMap<Profile, CompiledProfile>();
/** The one asked for last: asked for several times per record, and nearly always the same. */
let latest: CompiledProfile | undefined;

export function compileProfile(profile: Profile): CompiledProfile {
  if (latest?.profile === profile) return latest;
  latest = compiled.get(profile) ?? compile(profile);
  return latest;
}

function compile(profile: Profile): CompiledProfile {
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
    fields[field] = {
      name: field,
      spellings: [first, ...others],
      decoder: spec?.decoder,
      join: spec?.join === true,
    };
    for (const { keys } of spellings) if (keys[0] !== undefined) knownKeys.add(keys[0]);
  }
  // Some decoders count in the parts of the context.
  const textBlocks = (source: JsonObject): number => countTextBlocks(source, fields.context);
  for (const field of FIELDS) {
    const compiledField = fields[field];
    if (compiledField) read[field] = reader(compiledField, textBlocks);
  }
  const mapped = FIELDS.filter((field) => fields[field] !== undefined);
  const enums = Object.entries(profile.enums).map(([field, values]) => ({
    field: field as Field,
    allowed: new Set(values),
  }));
  const required = mapped.filter((field) => profile.required.includes(field));
  const language = languageOf(profile);
  const readAll = readerOfAll(fields, read, knownKeys);
  const result: CompiledProfile = { profile, fields, mapped, required, knownKeys, read, readAll, language, enums };
  compiled.set(profile, result);
  return result;
}

function languageOf({ fields }: Profile): SolutionLanguage {
  const decoder = fields.solution?.decoder;
  return decoder === 'finqa-program' || decoder === 'tatqa-derivation' ? decoder : 'python';
}

function absent(): undefined {
  return undefined;
}

function toSpelling(pointer: string): Spelling {
  const keys = parsePointer(pointer);
  const [first, ...others] = keys;
  const direct = first !== undefined && others.length === 0 && first !== '*' && !(first in Object.prototype);
  return { keys, key: direct ? first : undefined, pointer };
}

function reader(field: CompiledField, textBlocks: (source: JsonObject) => number): (source: JsonObject) => unknown {
  const { name, spellings, decoder, join } = field;
  if (join) return (source) => partsOf(source, spellings).flatMap((part) => part.blocks);
  const keys = spellings.flatMap(({ key }) => key ?? []);
  const [only] = keys;
  const plain: (source: JsonObject) => unknown =
    keys.length !== spellings.length || only === undefined
      ? (source) => valueAt(source, spellingIn(source, field))
      : keys.length === 1
        ? (source) => source[only]
        : (source) => firstOf(source, keys);
  if (decoder === undefined) return plain;
  return (source) => decode(decoder, name, plain(source), source, textBlocks);
}

/** More keys than these are looked up each time. */
const KEYS_REMEMBERED = 64;

/**
 * Goes through a record's keys once. Records of a file mostly have the same keys in the same order: a key that stood at its
 * place in the record before leads to its field without being looked up.
 */
function readerOfAll(
  fields: CompiledProfile['fields'],
  read: CompiledProfile['read'],
  known: ReadonlySet<string>,
): CompiledProfile['readAll'] {
  const placeOf = new Map<string, number>();
  const byKey = FIELDS.map((field) => {
    const spellings = fields[field]?.spellings ?? [];
    const keys = spellings.flatMap(({ key }) => key ?? []);
    const isByKey =
      keys.length === spellings.length && !fields[field]?.join && keys.every((key) => mayBeMet(key, placeOf));
    if (isByKey) for (const key of keys) placeOf.set(key, FIELDS.indexOf(field));
    return isByKey;
  });
  /** Fields of which it takes more than a look at a key. */
  const others = FIELDS.flatMap((field, place) => {
    const { decoder } = fields[field] ?? {};
    if (byKey[place] && decoder === undefined) return [];
    return [{ place, read: read[field], isStringEnough: byKey[place] === true && decoder === 'message' }];
  });
  const values: unknown[] = FIELDS.map(() => undefined);
  const all: { readonly values: unknown[]; strangers: string[] | undefined } = { values, strangers: undefined };
  const keysBefore: string[] = [];
  const placesBefore: number[] = [];

  function placeOfKey(key: string, at: number): number {
    const place = placeOf.get(key) ?? (known.has(key) ? NO_FIELD : STRANGER);
    if (at < KEYS_REMEMBERED) {
      keysBefore[at] = key;
      placesBefore[at] = place;
    }
    return place;
  }

  return (source) => {
    values.fill(undefined);
    all.strangers = undefined;
    let at = -1;
    for (const key in source) {
      at++;
      const place = key === keysBefore[at] ? placesBefore[at]! : placeOfKey(key, at);
      if (place < 0) {
        if (place === STRANGER) (all.strangers ??= []).push(key);
        continue;
      }
      // Of several spellings the preferred one counts.
      values[place] = values[place] === undefined ? source[key] : read[FIELDS[place]!](source);
    }
    for (const other of others) {
      if (other.isStringEnough && typeof values[other.place] === 'string') continue;
      values[other.place] = other.read(source);
    }
    return all;
  };
}

const NO_FIELD = -1;
const STRANGER = -2;

/** Whether a loop over a record's keys meets the key, and not for another field. */
function mayBeMet(key: string, taken: ReadonlyMap<string, number>): boolean {
  return key !== OUTER && !taken.has(key);
}

interface Part {
  readonly spelling: Spelling;
  readonly blocks: readonly unknown[];
}

function partsOf(source: JsonObject, spellings: readonly Spelling[]): Part[] {
  return spellings.map((spelling) => ({
    spelling,
    blocks: asBlocks(valueAt(source, spelling), spelling.keys.includes('*')),
  }));
}

/** Blocks before the last part of a joined context, which by convention is the table. */
function countTextBlocks(source: JsonObject, context: CompiledField | undefined): number {
  if (context?.join !== true) return 0;
  return partsOf(source, context.spellings.slice(0, -1)).reduce((sum, { blocks }) => sum + blocks.length, 0);
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
  if (field.join) return joinedPointer(field, source, path);
  const spelling = spellingIn(source, field);
  const { key } = spelling;
  // Messages lie deeper than their key where they are lists.
  if (path.length === 0 && key !== undefined && (field.decoder !== 'message' || typeof source[key] === 'string'))
    return spelling.pointer;
  const rest = field.decoder === undefined ? [...path] : pathInDecoded(field, valueAt(source, spelling), path);
  let pointer = '';
  for (const key of spelling.keys) {
    const element = key === '*' ? rest.shift() : key;
    if (element === undefined) return pointer;
    pointer = joinPointer(pointer, element);
  }
  return joinPointer(pointer, ...rest);
}

/** The pointer of a block of a joined list, in the part that holds it; that of the first part for the list as a whole. */
function joinedPointer({ spellings }: CompiledField, source: JsonObject, path: readonly (string | number)[]): string {
  let index = Number(path[0] ?? Number.NaN);
  for (const { spelling, blocks } of partsOf(source, spellings)) {
    if (index < blocks.length) {
      const filled = spelling.keys.map((key) => (key === '*' ? index : key));
      return joinPointer('', ...filled, ...path.slice(1));
    }
    index -= blocks.length;
  }
  return joinPointer('', ...spellings[0].keys.filter((key) => key !== '*'));
}

/** The pointers of all elements of a list, in its order: what `fieldPointer` gives for each, in one pass. */
export function elementPointers(profile: CompiledProfile, source: JsonObject, name: Field, length: number): string[] {
  const field = profile.fields[name];
  if (field?.join !== true) return Array.from({ length }, (_, at) => fieldPointer(profile, source, name, [at]));
  return partsOf(source, field.spellings).flatMap(({ spelling, blocks }) =>
    blocks.map((_, at) => joinPointer('', ...spelling.keys.map((key) => (key === '*' ? at : key)))),
  );
}

/** The name of a field in messages: its key in the record, `regions.*.box` where it lies deeper. */
export function fieldName(profile: CompiledProfile, source: JsonObject, name: Field): string {
  const field = profile.fields[name];
  return field ? spellingIn(source, field).keys.join('.') : name;
}
