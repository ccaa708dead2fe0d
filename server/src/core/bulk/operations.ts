/** What is done to chosen records of a file, as edits of its text. */
import type { TextEdit } from '../edit/types.ts';
import { applyEdits } from '../edit/edits.ts';
import { emptied } from '../edit/region-lists.ts';
import { inLayoutOf } from '../edit/new-record.ts';
import type { Field, Profile } from '../profile/types.ts';
import { pointerTo, toCanonical } from '../record/canonical.ts';
import { parsePointer, valueAt } from '../text/pointer.ts';
import { OUTER } from '../text/nested.ts';
import type { FileForm } from '../text/types.ts';
import { createFreshIds } from './fresh-ids.ts';
import { idEdits } from './ids.ts';
import { createRecordLists } from './records.ts';
import type { FileText, Insertion, RecordEdits, RecordPlaces } from './records.ts';
import { idPattern, renumber } from './renumber.ts';

export type RecordOperation =
  | { readonly kind: 'duplicate' | 'delete'; readonly indices: readonly number[] }
  | { readonly kind: 'move'; readonly indices: readonly number[]; readonly to: number }
  | {
      readonly kind: 'renumber';
      readonly indices: readonly number[];
      readonly pattern: string;
      readonly first: number;
    }
  | { readonly kind: 'add'; readonly after: number };

/** Indices ascend, each stands once. */
export interface BulkFile {
  readonly form: FileForm;
  readonly profile: Profile;
  readonly places: RecordPlaces;
  readonly text: FileText;
  /** The record as it was read; undefined: it cannot be read. */
  value(index: number): Readonly<Record<string, unknown>> | undefined;
  /** Of all records, for operations that `needsIds`; else empty. */
  readonly ids: readonly (string | undefined)[];
}

export type BulkEdits =
  | { readonly kind: 'edits'; readonly title: string; readonly records: number; readonly edits: readonly TextEdit[] }
  | { readonly kind: 'problem'; readonly message: string };

export function needsIds({ kind }: RecordOperation): boolean {
  return kind === 'duplicate' || kind === 'renumber' || kind === 'add';
}

/** In steps of one record. */
export function* recordEdits(operation: RecordOperation, file: BulkFile): Generator<undefined, BulkEdits> {
  const lists = createRecordLists(file.text, file.places, file.form);
  switch (operation.kind) {
    case 'duplicate':
      return yield* duplicated(operation.indices, file, lists.insert);
    case 'delete':
      return titled(lists.remove(operation.indices), `Delete ${records(operation.indices)}`, operation.indices.length);
    case 'move':
      return moved(operation, lists.move(operation.indices, operation.to));
    case 'renumber':
      return yield* renumbered(operation, file);
    case 'add':
      return added(operation.after, file, lists.insert);
  }
}

function titled(made: RecordEdits, title: string, count: number): BulkEdits {
  return made.kind === 'problem' ? made : { ...made, title, records: count };
}

function moved({ indices, to }: Extract<RecordOperation, { kind: 'move' }>, made: RecordEdits): BulkEdits {
  if (made.kind === 'edits' && made.edits.length === 0) {
    return problem(indices.length === 1 ? 'The record stands there already.' : 'The records stand there already.');
  }
  return titled(made, `Move ${records(indices)} to place ${to + 1}`, indices.length);
}

type Insert = (insertions: readonly Insertion[]) => RecordEdits;

function* duplicated(indices: readonly number[], file: BulkFile, insert: Insert): Generator<undefined, BulkEdits> {
  const fresh = createFreshIds(file.ids.filter((id) => id !== undefined));
  const insertions: Insertion[] = [];
  for (const index of indices) {
    yield;
    const text = textOf(file, index);
    const value = file.value(index);
    const id = value && ownId(value, file.profile);
    const edits = id?.text === undefined ? [] : idEdits(text, id.pointer, id.raw, fresh(id.text));
    if (edits === undefined) return problem(`Record ${index + 1} cannot be given another id.`);
    insertions.push({ beside: index, where: 'after', text: applyEdits(text, edits) });
  }
  return titled(insert(insertions), `Duplicate ${records(indices)}`, indices.length);
}

/** What a new record has in common with the one before it. */
const KEPT: readonly Field[] = ['document', 'category', 'split'];

function added(after: number, file: BulkFile, insert: Insert): BulkEdits {
  const value = file.value(after);
  if (value === undefined)
    return problem(`Record ${after + 1} cannot be read: a new record takes its keys from the one before it.`);
  const { profile } = file;
  const begun = emptied(value, undefined) as Record<string, unknown>;
  const record = toCanonical(value, profile);
  for (const field of KEPT) copyTop(begun, value, pointerTo(record, field));
  const text = textOf(file, after);
  const written = inLayoutOf(text, value, begun);
  const id = ownId(value, profile);
  if (written === undefined) return problem('The record cannot be written like the one before it.');
  if (id?.text === undefined)
    return titled(insert([{ beside: after, where: 'after', text: written }]), 'Add a record', 1);
  const next = createFreshIds(file.ids.filter((one) => one !== undefined))(id.text);
  const empty = valueAt(begun, id.pointer);
  const edits = idEdits(written, id.pointer, typeof id.raw === 'number' && empty !== undefined ? 0 : empty, next);
  if (edits === undefined) return problem('The new record cannot be given an id.');
  return titled(insert([{ beside: after, where: 'after', text: applyEdits(written, edits) }]), 'Add a record', 1);
}

/** A value at the top of the record; what lies deeper is left empty. */
function copyTop(begun: Record<string, unknown>, source: Readonly<Record<string, unknown>>, pointer: string): void {
  const [key, ...deeper] = parsePointer(pointer);
  if (key === undefined || key === OUTER || deeper.length > 0 || !Object.hasOwn(source, key)) return;
  begun[key] = source[key];
}

function* renumbered(
  { indices, pattern: written, first }: Extract<RecordOperation, { kind: 'renumber' }>,
  file: BulkFile,
): Generator<undefined, BulkEdits> {
  const pattern = idPattern(written);
  if (typeof pattern === 'string') return problem(pattern);
  if (file.profile.fields.id === undefined) return problem(`Records of ${file.profile.title} have no id.`);
  const chosen = new Set(indices);
  const { ids, clashes, clashCount } = renumber(
    file.ids.map((id, index) => ({ id, chosen: chosen.has(index) })),
    pattern,
    first,
  );
  if (clashCount > 0) {
    const [clash] = clashes;
    const others = clashCount === 1 ? '' : ` ${clashCount} ids in all are taken.`;
    return problem(`Record ${clash!.index + 1} has the id ${clash!.id} already, and keeps it.${others}`);
  }
  if (ids.size === 0) return problem('The records have these ids already.');
  const edits: TextEdit[] = [];
  for (const [index, id] of ids) {
    yield;
    const own = idChange(file, index, id);
    if (typeof own === 'string') return problem(own);
    const shift = file.places.start(index);
    for (const { span, text } of own) edits.push({ span: { start: span.start + shift, end: span.end + shift }, text });
  }
  return {
    kind: 'edits',
    edits,
    title: `Renumber ${ids.size} ${ids.size === 1 ? 'record' : 'records'}`,
    records: ids.size,
  };
}

function idChange(file: BulkFile, index: number, id: string): readonly TextEdit[] | string {
  const value = file.value(index);
  if (value === undefined) return `Record ${index + 1} cannot be read.`;
  const own = ownId(value, file.profile);
  if (own === undefined) return `The id of record ${index + 1} belongs to a larger element, not to the record.`;
  const edits = idEdits(textOf(file, index), own.pointer, own.raw, id);
  if (edits !== undefined) return edits;
  return typeof own.raw === 'number'
    ? `Record ${index + 1} has a number as its id: use a pattern that gives numbers, such as {n}.`
    : `Record ${index + 1} has no place for an id.`;
}

/** Where the record's own id stands; undefined: it lies outside of the record, or the profile knows none. */
function ownId(
  value: Readonly<Record<string, unknown>>,
  profile: Profile,
): { readonly pointer: string; readonly raw: unknown; readonly text: string | undefined } | undefined {
  const record = toCanonical(value, profile);
  const pointer = pointerTo(record, 'id');
  if (pointer === '' || parsePointer(pointer)[0] === OUTER) return undefined;
  return { pointer, raw: valueAt(value, pointer), text: record.id };
}

function textOf({ text, places }: BulkFile, index: number): string {
  return text.slice(places.start(index), places.end(index));
}

function records(indices: readonly number[]): string {
  return indices.length === 1 ? `record ${indices[0]! + 1}` : `${indices.length.toLocaleString('en')} records`;
}

function problem(message: string): BulkEdits {
  return { kind: 'problem', message };
}
