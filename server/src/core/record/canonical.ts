import type { Field, Profile } from '../profile/types.ts';
import { compileProfile, fieldPointer } from './fields.ts';
import type { CanonicalRecord } from './types.ts';

/** Reads a record through its profile. Nothing is checked here: what does not fit is undefined. */
export function toCanonical(source: Readonly<Record<string, unknown>>, profile: Profile): CanonicalRecord {
  const { read, language } = compileProfile(profile);
  misfits = 0;
  const solution = text(read.solution(source));
  return {
    profile,
    source,
    id: idText(read.id(source)),
    question: text(read.question(source)),
    answer: read.answer(source) ?? undefined,
    gold: read.gold(source) ?? undefined,
    solution: language === 'python' ? solution : undefined,
    program: language === 'python' || solution === undefined ? undefined : { language, source: solution },
    context: list(read.context(source)),
    tableEvidence: list(read.tableEvidence(source)),
    textEvidence: list(read.textEvidence(source)),
    document: text(read.document(source)),
    pages: list(read.pages(source)),
    boxes: list(read.boxes(source)),
    relativeBoxes: list(read.relativeBoxes(source)),
    labels: list(read.labels(source)),
    images: list(read.images(source)),
    category: text(read.category(source)),
    split: text(read.split(source)),
    unit: text(read.unit(source)),
    answerFormat: text(read.answerFormat(source)),
    sources: list(read.sources(source)),
    // Last, once all others have been read.
    hasMisfit: misfits > 0,
  };
}

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
