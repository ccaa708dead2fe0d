import { FIELDS, type Field, type Profile } from '../profile/types.ts';
import { compileProfile, fieldPointer } from './fields.ts';
import type { CanonicalRecord } from './types.ts';

/** Reads a record through its profile. Nothing is checked here: what does not fit is undefined. */
export function toCanonical(source: Readonly<Record<string, unknown>>, profile: Profile): CanonicalRecord {
  const { readAll, language } = compileProfile(profile);
  const { values, strangers } = readAll(source);
  misfits = 0;
  const solution = text(values[AT.solution]);
  return {
    profile,
    source,
    id: idText(values[AT.id]),
    question: text(values[AT.question]),
    answer: values[AT.answer] ?? undefined,
    gold: values[AT.gold] ?? undefined,
    solution: language === 'python' ? solution : undefined,
    program: language === 'python' || solution === undefined ? undefined : { language, source: solution },
    context: list(values[AT.context]),
    tableEvidence: list(values[AT.tableEvidence]),
    textEvidence: list(values[AT.textEvidence]),
    document: text(values[AT.document]),
    pages: list(values[AT.pages]),
    boxes: list(values[AT.boxes]),
    relativeBoxes: list(values[AT.relativeBoxes]),
    labels: list(values[AT.labels]),
    images: list(values[AT.images]),
    category: text(values[AT.category]),
    split: text(values[AT.split]),
    unit: text(values[AT.unit]),
    answerFormat: text(values[AT.answerFormat]),
    sources: list(values[AT.sources]),
    strangers,
    // Last, once all others have been read.
    hasMisfit: misfits > 0,
  };
}

const AT = Object.fromEntries(FIELDS.map((field, place) => [field, place])) as Readonly<Record<Field, number>>;

/** In the record at hand. */
let misfits = 0;

function idText(value: unknown): string | undefined {
  return typeof value === 'number' ? String(value) : text(value);
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : misfit(value);
}

function list(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? value : misfit(value);
}

function misfit(value: unknown): undefined {
  if (value !== undefined && value !== null) misfits++;
}

/** See `PointerTo`. A field that the record lacks gets the pointer of its first spelling; one that the profile lacks, ''. */
export function pointerTo(record: CanonicalRecord, field: Field, ...path: (string | number)[]): string {
  return fieldPointer(compileProfile(record.profile), record.source, field, path);
}
