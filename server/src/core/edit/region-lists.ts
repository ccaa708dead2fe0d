/**
 * The lists in which a record keeps what is marked on its pages: cited pages, boxes, relative twins and labels, side by side. They
 * may be lists of their own (`bbox[page][box]`) or keys of the objects of one list (`regions[page].box`); what comes or goes at one
 * place comes or goes in all of them.
 */
import type { Field } from '../profile/types.ts';
import { pointerTo } from '../record/canonical.ts';
import type { CanonicalRecord } from '../record/types.ts';
import { joinPointer, parsePointer, pointerOf, valueAt } from '../text/pointer.ts';
import { together } from './changed.ts';
import { copyValue, insertValue, listText, removeValue, replaceInString, replaceValue } from './fixes.ts';
import { elementText, insertInText, removeInText, replaceInText, writeInText } from './text-lists.ts';
import type { TextPart } from './text-lists.ts';
import type { Edit } from './types.ts';

export type ListField = Extract<Field, 'pages' | 'boxes' | 'relativeBoxes' | 'labels'>;
export const MARKS = ['boxes', 'relativeBoxes', 'labels'] as const;
export type Mark = (typeof MARKS)[number];
export const LISTS: readonly ListField[] = ['pages', ...MARKS];

/** What one list is to hold at a place: of `pages` the number, of the others what is on the page, or one of it. */
export type Entry = readonly [field: ListField, value: unknown];

/** Where something stands: a page by its position among the cited ones, or a region by its position on the page. */
export type Path = readonly [page: number] | readonly [page: number, region: number];

const ANY = '*';

/** Keys that lead to a field's elements, `*` for every position. Shorter where the list is stored as text. */
function keysOf(record: CanonicalRecord, field: ListField, depth: number): readonly string[] {
  return parsePointer(pointerTo(record, field, ...Array.from({ length: depth }, () => ANY)));
}

/** The list that is counted by the last position of a path, and how its elements lead on to the field. */
interface Home {
  readonly container: string;
  readonly rest: readonly string[];
}

function homeOf(record: CanonicalRecord, field: ListField, path: Path, depth: number): Home | undefined {
  const keys = keysOf(record, field, depth);
  const stars = keys.flatMap((key, at) => (key === ANY ? [at] : []));
  const own = stars[path.length - 1];
  if (own === undefined) return undefined;
  const container = keys.slice(0, own).map((key) => (key === ANY ? String(path[0]) : key));
  return { container: pointerOf(container), rest: keys.slice(own + 1) };
}

/** Levels of lists: pages are numbers; of the others, one list per page. Flat ones have one region per page. */
export function depthOf(field: ListField, isFlat: boolean): number {
  return field === 'pages' || isFlat ? 1 : 2;
}

interface Part {
  readonly keys: readonly string[];
  readonly value: unknown;
}

/**
 * Puts something before the position that the path ends in, in all lists that are named. `like`: the object of which the new one has
 * the other keys. undefined: one of the lists cannot take it.
 */
export function insertEntries(
  record: CanonicalRecord,
  path: Path,
  entries: readonly Entry[],
  isFlat: boolean,
  like?: unknown,
): readonly Edit[] | undefined {
  const groups = partsOf(record, path, entries, isFlat);
  if (groups === undefined || entries.some(([, value]) => value === undefined)) return undefined;
  const edits: Edit[] = [];
  for (const [field, value] of entries) {
    const text = listText(record, field);
    const part = text === undefined ? undefined : insertInText(text, path, writeInText(value, text));
    if (part !== undefined) edits.push(inText(record, field, part));
    else if (text !== undefined) return undefined;
  }
  for (const [container, parts] of groups) {
    const list = valueAt(record.source, container);
    const sibling: unknown = Array.isArray(list) ? list[0] : undefined;
    const others = like === undefined ? (value: unknown) => emptied(value, record.document) : (value: unknown) => value;
    const edit = putInto(record, container, path.at(-1)!, build(parts, like ?? sibling, others));
    if (edit === undefined) return undefined;
    edits.push(edit);
  }
  return edits;
}

/** What each list of JSON is to take; undefined: one of the fields is kept in none. */
function partsOf(
  record: CanonicalRecord,
  path: Path,
  entries: readonly Entry[],
  isFlat: boolean,
): ReadonlyMap<string, readonly Part[]> | undefined {
  const groups = new Map<string, Part[]>();
  for (const [field, value] of entries) {
    if (listText(record, field) !== undefined) continue;
    const home = homeOf(record, field, path, depthOf(field, isFlat));
    if (home === undefined) return undefined;
    const parts = groups.get(home.container) ?? [];
    groups.set(home.container, parts);
    parts.push({ keys: home.rest, value });
  }
  return groups;
}

/** The lists, or the texts that store them, that would hold these entries and nothing else, by their pointers. */
export function onlyEntry(
  record: CanonicalRecord,
  entries: readonly Entry[],
  isFlat: boolean,
): ReadonlyMap<string, unknown> {
  const lists = new Map<string, unknown>();
  for (const [container, parts] of partsOf(record, [0], entries, isFlat) ?? []) {
    const list = valueAt(record.source, container);
    const sibling: unknown = Array.isArray(list) ? list[0] : undefined;
    lists.set(container, [build(parts, sibling, (value) => emptied(value, record.document))]);
  }
  for (const [field, value] of entries) {
    const text = listText(record, field);
    if (text !== undefined) lists.set(pointerTo(record, field), writeInText([value], text));
  }
  return lists;
}

/** Into a list that is there, or as the first element of one that is not. */
function putInto(record: CanonicalRecord, container: string, at: number, value: unknown): Edit | undefined {
  const list = valueAt(record.source, container);
  if (Array.isArray(list)) return at <= list.length ? insertValue(joinPointer(container, at), value) : undefined;
  if (at > 0 || (list !== undefined && list !== null)) return undefined;
  return beginValue(record, container, [value]);
}

/** A value in the place of null, or as a new member of an object that is there. */
export function beginValue(record: CanonicalRecord, pointer: string, value: unknown): Edit | undefined {
  const found = valueAt(record.source, pointer);
  if (found === null) return replaceValue(pointer, value);
  const parent = valueAt(record.source, pointer.slice(0, pointer.lastIndexOf('/')));
  return found === undefined && isObject(parent) && pointer !== '' ? insertValue(pointer, value) : undefined;
}

/** The element that holds all parts; of objects with the keys of `like` in their order, `others` made of what these hold. */
function build(parts: readonly Part[], like: unknown, others: (value: unknown) => unknown): unknown {
  const [first] = parts;
  if (first === undefined || first.keys.length === 0) return first?.value;
  if (first.keys[0] === ANY) {
    const lists = parts.map(({ keys, value }) => ({ keys: keys.slice(1), list: Array.isArray(value) ? value : [] }));
    const length = Math.max(...lists.map(({ list }) => list.length));
    const inner: unknown = Array.isArray(like) ? like[0] : undefined;
    return Array.from({ length }, (_, at) => {
      const own = lists.map(({ keys, list }) => ({ keys, value: list[at] as unknown }));
      return build(own, inner, others);
    });
  }
  const known = isObject(like) ? like : {};
  const byKey = new Map<string, Part[]>();
  for (const { keys, value } of parts) {
    const [key = '', ...rest] = keys;
    byKey.set(key, [...(byKey.get(key) ?? []), { keys: rest, value }]);
  }
  const built = Object.fromEntries(Object.entries(known).map(([key, value]) => [key, others(value)]));
  for (const [key, own] of byKey) built[key] = build(own, known[key], others);
  return built;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The same keys without what they say; a document's name stays. */
export function emptied(value: unknown, document: string | undefined): unknown {
  if (typeof value === 'string') return value === document ? value : '';
  if (Array.isArray(value)) return [];
  if (isObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, own]) => [key, emptied(own, document)]));
  }
  return value === undefined ? undefined : null;
}

/** Takes something out of all lists that are named. undefined: one of them cannot be changed. */
export function removeEntries(
  record: CanonicalRecord,
  path: Path,
  fields: readonly ListField[],
  isFlat: boolean,
): readonly Edit[] | undefined {
  const containers = containersOf(record, path, fields, isFlat);
  const removed = containers?.map((container) => removeValue(joinPointer(container, path.at(-1)!)));
  return together(
    removed,
    inTexts(record, fields, (text) => removeInText(text, path.slice(0, -1), new Set(path.slice(-1)))),
  );
}

/** The same for several cited pages, by their positions. */
export function removePages(
  record: CanonicalRecord,
  positions: readonly number[],
  listsAt: (position: number) => readonly ListField[],
  isFlat: boolean,
): readonly Edit[] | undefined {
  const isText = (field: ListField): boolean => listText(record, field) !== undefined;
  const inLists = positions.map((at) =>
    removeEntries(
      record,
      [at],
      listsAt(at).filter((field) => !isText(field)),
      isFlat,
    ),
  );
  const texts = LISTS.filter(isText).map((field) => {
    const own = new Set(positions.filter((at) => listsAt(at).includes(field)));
    return inTexts(record, [field], (text) => removeInText(text, [], own));
  });
  return together(...inLists, ...texts);
}

/** What stands at one place once more, byte for byte, before another place in all lists that are named. */
export function copyEntries(
  record: CanonicalRecord,
  from: Path,
  to: Path,
  fields: readonly ListField[],
  isFlat: boolean,
): readonly Edit[] | undefined {
  const sources = containersOf(record, from, fields, isFlat);
  const targets = containersOf(record, to, fields, isFlat);
  if (sources === undefined || targets === undefined) return undefined;
  const isPossible = targets.every((target) => Array.isArray(valueAt(record.source, target)));
  if (!isPossible || sources.length !== targets.length) return undefined;
  const copied = sources.map((source, i) =>
    copyValue(joinPointer(source, from.at(-1)!), joinPointer(targets[i]!, to.at(-1)!)),
  );
  const texts = inTexts(record, fields, (text) => {
    const element = elementText(text, from);
    const part = element === undefined ? undefined : insertInText(text, to, element);
    return part && [part];
  });
  return together(copied, texts);
}

/** Another value in the place of one; of boxes only the numbers that differ. undefined: nothing stands there. */
export function writeEntry(
  record: CanonicalRecord,
  field: ListField,
  path: readonly number[],
  value: unknown,
): readonly Edit[] | undefined {
  const text = listText(record, field);
  if (text === undefined) return [replaceValue(pointerTo(record, field, ...path), value)];
  return replaceInText(text, path, value)?.map((part) => inText(record, field, part));
}

/** The same in all lists that are stored as text. */
function inTexts(
  record: CanonicalRecord,
  fields: readonly ListField[],
  partsFor: (text: string) => readonly TextPart[] | undefined,
): readonly Edit[] | undefined {
  const edits = fields.map((field) => {
    const text = listText(record, field);
    return text === undefined ? [] : partsFor(text)?.map((part) => inText(record, field, part));
  });
  return together(...edits);
}

function inText(record: CanonicalRecord, field: ListField, { span, text }: TextPart): Edit {
  return replaceInString(pointerTo(record, field), span, text);
}

function containersOf(
  record: CanonicalRecord,
  path: Path,
  fields: readonly ListField[],
  isFlat: boolean,
): readonly string[] | undefined {
  const containers = new Set<string>();
  for (const field of fields) {
    if (listText(record, field) !== undefined) continue;
    const home = homeOf(record, field, path, depthOf(field, isFlat));
    if (home === undefined) return undefined;
    containers.add(home.container);
  }
  return [...containers];
}

/** The element of a list of objects in which a region is described; undefined: it is described in lists of their own. */
export function objectAt(record: CanonicalRecord, path: Path, isFlat: boolean): unknown {
  const home = homeOf(record, 'boxes', path, depthOf('boxes', isFlat));
  if (home === undefined || home.rest.length === 0 || home.rest[0] === ANY) return undefined;
  return valueAt(record.source, joinPointer(home.container, path.at(-1)!));
}
