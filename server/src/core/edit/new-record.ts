/**
 * A record that is begun from a region or a page: behind one that is there, with its keys, its layout and its document, and nothing else
 * said.
 */
import type { EvidenceChange } from '../../../../schemas/regions.ts';
import type { Field } from '../profile/types.ts';
import { pageNumberAt, regionPointer } from '../evidence/cited-regions.ts';
import { pointerTo } from '../record/canonical.ts';
import type { CanonicalRecord } from '../record/types.ts';
import { joinPointer, parsePointer, valueAt } from '../text/pointer.ts';
import { problem } from './changed.ts';
import type { Changed } from './changed.ts';
import { applyEdits, placeEdits } from './edits.ts';
import { replaceValue } from './fixes.ts';
import { freeId } from './free-id.ts';
import { noBoxes, noSize } from './region-parts.ts';
import { noLabel } from './region-labels.ts';
import { emptied, MARKS, onlyEntry } from './region-lists.ts';
import type { Entry } from './region-lists.ts';
import { isFlatRecord, noPages } from './region-pages.ts';
import type { NewMarks } from './region-pages.ts';
import { boxFor, measureAt, twinFor } from './region-twins.ts';
import type { RegionContext } from './region-twins.ts';

type RecordChange = Extract<EvidenceChange, { kind: 'record' }>;

export type NewRecord =
  | {
      readonly kind: 'record';
      /** As it is to stand in the file, without what parts it from others. */
      readonly text: string;
      /** Of its region; null: it has none. */
      readonly pointer: string | null;
      readonly title: string;
    }
  | Extract<Changed, { kind: 'problem' }>;

/** What of the rest of the file a new record follows from. */
export interface Neighbours {
  /** Ids of all records. */
  readonly ids: ReadonlySet<string>;
  /** Sources of other records of the same document: what all of them have alike is said of the document. */
  readonly ofDocument: readonly Readonly<Record<string, unknown>>[];
}

/** What a record of the same document has in common with others, whatever they say. */
const KEPT: readonly Field[] = ['document', 'category', 'split'];

/** `text`: that of `record`, which the new one is to follow. */
export function newRecord(
  record: CanonicalRecord,
  text: string,
  change: RecordChange,
  context: RegionContext,
  neighbours: Neighbours,
): NewRecord {
  const missing = noPages(record) ?? (change.place === null ? undefined : noBoxes(record, context));
  if (missing !== undefined) return problem(missing);
  const marks = marksOf(record, change, context);
  if (marks === undefined) return problem(noSize(change.page));
  const { source } = record;
  const begun = emptied(source, undefined) as Record<string, unknown>;
  for (const key of sharedKeys(source, neighbours.ofDocument)) begun[key] = source[key];
  for (const field of KEPT) copyAt(begun, source, pointerTo(record, field));
  if (record.profile.fields.context?.decoder === 'report-file') copyAt(begun, source, pointerTo(record, 'context'));
  if (!setChat(begun, record, change.text ?? '')) setText(begun, record, 'question', '');
  setText(begun, record, record.profile.fields.answer === undefined ? 'gold' : 'answer', change.text ?? '');
  if (record.images !== undefined) setAt(begun, pointerTo(record, 'images'), imagesOf(record, change.page));
  const id = record.id === undefined ? undefined : freeId(record.id, neighbours.ids);
  const idPointer = pointerTo(record, 'id');
  if (id !== undefined) setAt(begun, idPointer, typeof valueAt(source, idPointer) === 'number' ? Number(id) : id);
  const entries: Entry[] = [['pages', pageAs(record, change.page)]];
  const isFlat = isFlatRecord(record) && marks.boxes !== undefined;
  for (const field of MARKS) {
    if (record[field] === undefined && (field !== 'boxes' || marks.boxes === undefined)) continue;
    const mark = marks[field];
    entries.push([field, isFlat ? mark : mark === undefined ? [] : [mark]]);
  }
  for (const [container, list] of onlyEntry(record, entries, isFlat)) setAt(begun, container, list);
  const written = inLayoutOf(text, source, begun);
  if (written === undefined) return problem('The record cannot be written like the one before it.');
  const pointer = marks.boxes === undefined ? null : regionPointer(record, 0, ...(isFlat ? [] : [0]));
  return { kind: 'record', text: written, pointer, title: `Begin a record on page ${change.page}` };
}

/** Nothing where the page as a whole is meant; undefined: the page's size does not tell the numbers. */
function marksOf(record: CanonicalRecord, change: RecordChange, context: RegionContext): NewMarks | undefined {
  const { page, place, label } = change;
  if (place === null) return {};
  const measure = measureAt(record, page, context);
  const box = measure && boxFor(record, place, measure, context);
  if (measure === undefined || box === undefined) return undefined;
  return { boxes: box, relativeBoxes: twinFor(record, box, measure, context), labels: label ?? noLabel(record) };
}

function pageAs({ pages = [] }: CanonicalRecord, page: number): unknown {
  return pages.length > 0 && pages.every((one) => typeof one === 'string') ? String(page) : page;
}

/** Keys whose value is the same in all records of the document, where there are others. */
function sharedKeys(
  source: Readonly<Record<string, unknown>>,
  others: readonly Readonly<Record<string, unknown>>[],
): readonly string[] {
  if (others.length === 0) return [];
  return Object.keys(source).filter(
    (key) => !Array.isArray(source[key]) && others.every((other) => isSame(other[key], source[key])),
  );
}

function isSame(one: unknown, two: unknown): boolean {
  return one === two || (typeof one === 'object' && JSON.stringify(one) === JSON.stringify(two));
}

/** Paths of page images, with the number of the page in the place of that of another one; none where that is not plain to see. */
function imagesOf(record: CanonicalRecord, page: number): readonly string[] {
  const [first] = record.images ?? [];
  const cited = pageNumberAt(record, 0);
  const number = typeof first === 'string' ? /\d+(?=\D*$)/.exec(first) : null;
  if (typeof first !== 'string' || number === null || Number(number[0]) !== cited) return [];
  const written = String(page).padStart(number[0].startsWith('0') ? number[0].length : 0, '0');
  return [first.slice(0, number.index) + written + first.slice(number.index + number[0].length)];
}

/** A text field; a number where one stands. */
function setText(begun: Record<string, unknown>, record: CanonicalRecord, field: Field, text: string): void {
  const pointer = pointerTo(record, field);
  const old = valueAt(record.source, pointer);
  if (old === undefined) return;
  if (typeof old !== 'number') return setAt(begun, pointer, text);
  const number = text.trim() === '' ? Number.NaN : Number(text.replaceAll(',', ''));
  setAt(begun, pointer, Number.isFinite(number) ? number : null);
}

/** A chat goes on to hold its prompts: the question is the last line of the user's, the answer what the assistant says. */
function setChat(begun: Record<string, unknown>, record: CanonicalRecord, answer: string): boolean {
  const { source, question = '', profile } = record;
  const pointer = pointerTo(record, 'question');
  const [key] = parsePointer(pointer);
  const chat = key === undefined ? undefined : source[key];
  if (profile.fields.question?.decoder !== 'message' || key === undefined || !Array.isArray(chat)) return false;
  begun[key] = chat.map((message: unknown) => {
    const { role, content } = message as { readonly role?: unknown; readonly content?: unknown };
    return role === 'assistant' && typeof content === 'string'
      ? { ...(message as object), content: answer }
      : structuredCopy(message);
  });
  const asked = valueAt(source, pointer);
  if (typeof asked !== 'string') return true;
  const at = asked.lastIndexOf(question);
  setAt(begun, pointer, asked.slice(0, at) + asked.slice(at + question.length));
  return true;
}

function structuredCopy(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

function copyAt(target: Record<string, unknown>, source: unknown, pointer: string): void {
  const value = valueAt(source, pointer);
  if (value !== undefined && pointer !== '') setAt(target, pointer, value);
}

/** Where the objects that lead there are. */
function setAt(target: Record<string, unknown>, pointer: string, value: unknown): void {
  const keys = parsePointer(pointer);
  const last = keys.pop();
  let inner: unknown = target;
  for (const key of keys) inner = typeof inner === 'object' && inner !== null ? (inner as never)[key] : undefined;
  if (last === undefined || typeof inner !== 'object' || inner === null) return;
  if (keys.length > 0 || last in target || value !== undefined) (inner as Record<string, unknown>)[last] = value;
}

/** The values in the place of those of the record that is there: its keys, their order, its blanks and lines stay. */
export function inLayoutOf(
  text: string,
  source: Readonly<Record<string, unknown>>,
  begun: Readonly<Record<string, unknown>>,
): string | undefined {
  const edits = Object.keys(source).map((key) => replaceValue(joinPointer('', key), begun[key] ?? null));
  const added = Object.keys(begun)
    .filter((key) => !(key in source))
    .map((key) => ({ kind: 'insert', pointer: joinPointer('', key), value: begun[key] }) as const);
  const placed = placeEdits([...edits, ...added], text);
  return placed && applyEdits(text, placed);
}
