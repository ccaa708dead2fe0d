import { listText } from '../edit/fixes.ts';
import { spanInList } from '../edit/text-lists.ts';
import type { Span } from '../finding.ts';
import type { Field } from '../profile/types.ts';
import { pointerTo } from '../record/canonical.ts';
import type { CanonicalRecord } from '../record/types.ts';
import { shortNumber } from '../solution/numbers.ts';
import { describePointer } from '../text/pointer.ts';

/** Wording that the rules share, so that one thing is called the same in every message. */

/** A value as it stands, in brackets for lists, cut where it is long. */
export function show(value: unknown, limit = 80): string {
  const text = Array.isArray(value) ? showList(value) : typeof value === 'string' ? `"${value}"` : plain(value);
  if (text.length <= limit) return text;
  // What was opened is closed again: the sentence goes on behind it.
  const close = Array.isArray(value) ? ']' : typeof value === 'string' ? '"' : '';
  return `${text.slice(0, limit - 1 - close.length)}…${close}`;
}

function showList(values: readonly unknown[]): string {
  return `[${values.map((value) => (Array.isArray(value) ? showList(value) : plain(value))).join(', ')}]`;
}

function plain(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}

/** `1 page`, `2 pages`. */
export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : plural}`;
}

/** The key under which a field stands in the record: `paragraphs` for the pointer `/paragraphs`. */
export function keyOfField(record: CanonicalRecord, field: Field): string {
  return lastKey(pointerTo(record, field));
}

export function lastKey(pointer: string): string {
  return pointer
    .slice(pointer.lastIndexOf('/') + 1)
    .replaceAll('~1', '/')
    .replaceAll('~0', '~');
}

/** A context block as messages and views call it: `paragraphs[2]`. */
export function blockName(record: CanonicalRecord, index: number): string {
  // A context of several parts has a name for each: `post_text[3]`, `paragraphs[0]`.
  if (record.profile.fields.context?.join === true) return partName(pointerTo(record, 'context', index));
  return `${keyOfField(record, 'context')}[${index}]`;
}

/** `/../paragraphs/0/text` as `paragraphs[0]`, `/../table/table` as `table`. */
function partName(pointer: string): string {
  const element = /^(.*\/\d+)\/[^/]+$/.exec(pointer)?.[1];
  const shown = describePointer((element ?? pointer).replace(/^\/\.\.(?=\/)/, ''));
  return element === undefined && !shown.endsWith(']') ? (shown.split('.').at(-1) ?? shown) : shown;
}

/** `0-2`, `1-3`, or `1` where there is only one. */
export function rangeOf(first: number, length: number): string {
  return length === 1 ? String(first) : `${first}-${first + length - 1}`;
}

/** Absolute difference, and what it is of the gold. */
export function difference(value: number, gold: number): string {
  const absolute = shortNumber(Math.abs(value - gold), 4);
  return gold === 0 ? absolute : `${absolute} (${percent(Math.abs((value - gold) / gold))})`;
}

export function percent(fraction: number): string {
  return `${shortNumber(fraction * 100, 3)} %`;
}

/** Up to `limit` names, then how many more. */
export function listNames(names: readonly string[], limit = 3): string {
  if (names.length <= limit) return names.join(', ');
  return `${names.slice(0, limit).join(', ')} and ${names.length - limit} more`;
}

/** The value at a JSON pointer; undefined where there is none. */
export function valueAt(root: unknown, pointer: string): unknown {
  let value = root;
  if (pointer === '') return value;
  for (const part of pointer.slice(1).split('/')) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[part.replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  return value;
}

/**
 * Place of the element `index` of a field that is a list in the record, or a list inside a string: then the number in the
 * string is marked.
 */
export function placeOfElement(
  record: CanonicalRecord,
  field: Field,
  index: number,
): { readonly pointer: string; readonly inString?: Span } {
  const text = listText(record, field);
  if (text === undefined) return { pointer: pointerTo(record, field, index) };
  const inString = spanInList(text, [index]);
  return { pointer: pointerTo(record, field), ...(inString && { inString }) };
}

/** A path below `base` for messages: relative, with slashes. */
export function relativeTo(base: string, path: string): string {
  const folder = base.replaceAll('\\', '/').replace(/\/+$/, '');
  const full = path.replaceAll('\\', '/');
  return full.startsWith(`${folder}/`) ? full.slice(folder.length + 1) : full;
}

/** The file name of a path. */
export function lastPart(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}
