import { fixByChoice, renameKey, replaceValue, safeFix, withFixes, writeNumber } from '../edit/fixes.ts';
import type { LocalFinding } from '../finding.ts';
import type { Field, Profile } from '../profile/types.ts';
import { compileProfile, fieldPointer, type CompiledProfile } from '../record/fields.ts';
import type { CanonicalRecord } from '../record/types.ts';
import type { RecordInput } from '../rules/types.ts';
import { joinPointer, parsePointer, valueAt } from '../text/pointer.ts';
import type { CheckError } from './generated-check.ts';
import { areNumbers, decimalIntegers } from './integers.ts';
import { nearestName } from './nearest.ts';
import { typeFix } from './type-fixes.ts';
import { check } from './record.generated.js';
import { constraintMessage, enumMessage, nameOf, requiredMessage, show, typeMessage } from './words.ts';

const NONE: readonly LocalFinding[] = [];
const NO_INTEGERS: readonly never[] = [];
/** Findings of one field of one record; a file in another format must not drown in them. */
const MAX_PER_FIELD = 20;
/** Gold may be hidden: null there is for the rules on answers to judge. */
const MAY_BE_NULL: ReadonlySet<Field> = new Set(['answer', 'gold', 'solution']);

type RawFields = Partial<Readonly<Record<Field, unknown>>>;

let latest: RecordInput | undefined;
let faultsOfLatest: readonly LocalFinding[] = NONE;

/** All schema faults of a record but unknown keys; several rules ask for them, so those of the latest record are kept. */
export function schemaFaults(input: RecordInput): readonly LocalFinding[] {
  if (latest !== input) {
    faultsOfLatest = findFaults(input);
    latest = input;
  }
  return faultsOfLatest;
}

function findFaults(input: RecordInput): readonly LocalFinding[] {
  const { record } = input;
  const compiled = compileProfile(record.profile);
  // Nearly every record is good: it is checked in its canonical form, and nothing is built for it.
  const isComplete = !hasGap(record, compiled);
  const isShaped = check(record);
  const strangers = outOfEnums(record, compiled);
  const integers =
    input.text === undefined || (input.hasDecimals === false && areNumbers(record))
      ? NO_INTEGERS
      : decimalIntegers(input.text, record, compiled);
  if (isComplete && isShaped && strangers.length === 0 && integers.length === 0) return NONE;
  const raw = rawFields(record, compiled);
  const lacking = record.profile.required.filter(
    (field) => raw[field] === undefined && isAbsent(record, compiled, field),
  );
  const shapes = check(raw) ? [] : shapeFaults(check.errors ?? [], raw, record, compiled);
  const faults = [
    ...lacking.map((field) => requiredFault(record, compiled, field)),
    ...shapes,
    // A text that stands where a list belongs is no label yet.
    ...strangers.filter((stranger) => !shapes.some(({ pointer }) => pointer === stranger.pointer)),
    ...integers.map((integer) => ({
      code: 'schema/type',
      ...integer,
      ...withFixes(integerFix(integer.pointer, integer.found)),
    })),
  ];
  const empty = emptyAnswers(record, compiled);
  return faults.filter(({ pointer }) => !empty.includes(pointer) && !input.nonFinite.includes(pointer));
}

/** A blank gold and an empty list of answers are missing ones, whatever the type: the rules on answers tell. */
function emptyAnswers({ source }: CanonicalRecord, compiled: CompiledProfile): readonly string[] {
  const pointers: string[] = [];
  const gold = compiled.read.gold(source);
  if (typeof gold === 'string' && gold.trim() === '') pointers.push(fieldPointer(compiled, source, 'gold', []));
  const answer = compiled.read.answer(source);
  if (Array.isArray(answer) && answer.length === 0) pointers.push(fieldPointer(compiled, source, 'answer', []));
  return pointers;
}

/** Whether the canonical form lacks something: a required field, or a value whose type does not fit. */
function hasGap(record: CanonicalRecord, { profile, read, required }: CompiledProfile): boolean {
  if (record.hasMisfit) return true;
  for (const field of required) {
    if (record[field] !== undefined) continue;
    const value = read[field](record.source);
    if (value === undefined || (value === null && isNullWrong(profile, field))) return true;
  }
  return false;
}

function isNullWrong(profile: Profile, field: Field): boolean {
  return profile.required.includes(field) && !MAY_BE_NULL.has(field);
}

/** The fields as they stand, whatever their types, for the check that says what is wrong. */
function rawFields(record: CanonicalRecord, { profile, read, mapped }: CompiledProfile): RawFields {
  const raw: Partial<Record<Field, unknown>> = {};
  for (const field of mapped) {
    const value = read[field](record.source);
    if (isNowhere(value) && !profile.required.includes(field)) continue;
    if (isFurtherKind(profile, field, value)) continue;
    if (value !== null || isNullWrong(profile, field)) raw[field] = value;
  }
  return raw;
}

// A key inside the elements of a list, such as `/regions/*/label`, that none of them has.
function isNowhere(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((element) => element === undefined);
}

/** 3.0 and 3e0 as the integer they are; beyond what a double holds exactly nothing is offered. */
function integerFix(pointer: string, written: string) {
  const value = Number(written);
  return Number.isSafeInteger(value) ? safeFix(`Write ${value}`, writeNumber(pointer, String(value))) : undefined;
}

/** Whether the profile allows a field what the canonical schema does not: an answer that is a list, a gold that is yes. */
function isFurtherKind({ types }: Profile, field: Field, value: unknown): boolean {
  const kinds = types[field];
  if (kinds === undefined) return false;
  return kinds.some((kind) => {
    if (kind === 'list') return Array.isArray(value);
    return kind === 'yes-no' ? value === 'yes' || value === 'no' : typeof value === kind;
  });
}

function isAbsent(record: CanonicalRecord, { read }: CompiledProfile, field: Field): boolean {
  return read[field](record.source) === undefined;
}

function requiredFault(record: CanonicalRecord, compiled: CompiledProfile, field: Field): LocalFinding {
  const { at = [], decoder } = compiled.profile.fields[field] ?? {};
  // A chat may stand in for the key; who has neither lacks the key.
  const keys = decoder === 'message' ? [at].flat().filter((key) => key !== '/messages') : [at].flat();
  const names = keys.map(nameOf);
  const unknown = Object.keys(record.source).filter((key) => !compiled.knownKeys.has(key));
  const [misnamed] = names.flatMap((name) => nearestName(name, unknown) ?? []);
  const fault = { code: 'schema/required', pointer: '', found: names[0] ?? field };
  if (misnamed === undefined) return { ...fault, message: requiredMessage(names, undefined) };
  const related = [{ message: `"${misnamed}" may be meant as "${names[0]}"`, pointer: joinPointer('', misnamed) }];
  const rename = fixByChoice(`Rename ${misnamed} to ${names[0]}`, renameKey(joinPointer('', misnamed), names[0] ?? ''));
  return { ...fault, message: requiredMessage(names, misnamed), related, ...withFixes(rename) };
}

/** Faults that ajv reports, at the pointers of the file; nothing inside a value that is reported itself. */
function shapeFaults(
  errors: readonly CheckError[],
  raw: RawFields,
  record: CanonicalRecord,
  compiled: CompiledProfile,
): LocalFinding[] {
  const places = new Set(errors.map((error) => error.instancePath));
  const perField = new Map<string, number>();
  const faults: LocalFinding[] = [];
  for (const error of errors) {
    const keys = parsePointer(error.instancePath);
    if (keys.some((_, i) => i > 0 && places.has(joinPointer('', ...keys.slice(0, i))))) continue;
    const [field, ...path] = keys as [Field, ...string[]];
    const count = (perField.get(field) ?? 0) + 1;
    perField.set(field, count);
    if (count > MAX_PER_FIELD) continue;
    const fault = shapeFault(error, field, path, raw, record, compiled);
    // Several fields may lie in one list, which is no list here: the first says so.
    if (!faults.some(({ code, pointer }) => code === fault.code && pointer === fault.pointer)) faults.push(fault);
  }
  return faults;
}

function shapeFault(
  { keyword }: CheckError,
  field: Field,
  path: readonly string[],
  raw: RawFields,
  record: CanonicalRecord,
  compiled: CompiledProfile,
): LocalFinding {
  const pointer = fieldPointer(compiled, record.source, field, path);
  const value = valueAt(raw, joinPointer('', field, ...path));
  if (value === undefined) {
    const keys = parsePointer(pointer);
    const parent = joinPointer('', ...keys.slice(0, -1));
    return {
      code: 'schema/required',
      pointer: parent,
      message: `${nameOf(pointer)} is missing.`,
      found: keys.at(-1) ?? '',
    };
  }
  const place = { field, depth: path.length, pointer, value, profile: compiled };
  if (keyword === 'type') {
    const fixes = withFixes(typeFix(place));
    return { code: 'schema/type', pointer, message: typeMessage(place), found: show(value), ...fixes };
  }
  return { code: 'schema/constraint', pointer, message: constraintMessage(place, keyword), found: show(value) };
}

/** Texts that are none of a field's closed list of values: the field itself, or whatever its lists hold. */
function outOfEnums(record: CanonicalRecord, compiled: CompiledProfile): readonly LocalFinding[] {
  let faults: LocalFinding[] | undefined;
  for (const { field, allowed } of compiled.enums) {
    const value = record[field];
    if (typeof value === 'string' ? allowed.has(value) : !hasStranger(value, allowed)) continue;
    faults ??= [];
    for (const path of strangersIn(value, allowed, [])) {
      const pointer = fieldPointer(compiled, record.source, field, path);
      const text = String(valueAt(value, joinPointer('', ...path)));
      const near = nearestName(text, allowed);
      const fix = near === undefined ? undefined : fixByChoice(`Change to "${near}"`, replaceValue(pointer, near));
      const message = enumMessage(pointer, text, allowed);
      faults.push({ code: 'schema/enum', pointer, message, found: text, ...withFixes(fix) });
      if (faults.length >= MAX_PER_FIELD) break;
    }
  }
  return faults ?? NONE;
}

function hasStranger(value: unknown, allowed: ReadonlySet<string>): boolean {
  if (!Array.isArray(value)) return false;
  for (const list of value) {
    if (typeof list === 'string' ? !allowed.has(list) : hasStrangerInside(list, allowed)) return true;
  }
  return false;
}

function hasStrangerInside(list: unknown, allowed: ReadonlySet<string>): boolean {
  if (!Array.isArray(list)) return false;
  for (const text of list) if (typeof text === 'string' && !allowed.has(text)) return true;
  return false;
}

/** Paths of the texts out of the list, at most two lists deep. */
function strangersIn(value: unknown, allowed: ReadonlySet<string>, path: readonly number[]): (readonly number[])[] {
  if (typeof value === 'string') return allowed.has(value) ? [] : [path];
  if (!Array.isArray(value) || path.length >= 2) return [];
  return value.flatMap((element, i) => strangersIn(element, allowed, [...path, i]));
}
