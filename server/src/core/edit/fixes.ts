/** Constructors of fixes and edits for rules, so that one kind of repair is written and called the same everywhere. */
import type { LocalFinding, Span } from '../finding.ts';
import type { Field } from '../profile/types.ts';
import { pointerTo } from '../record/canonical.ts';
import type { CanonicalRecord } from '../record/types.ts';
import { valueAt } from '../text/pointer.ts';
import { insertInText, removeInText, spanInList, writeInText } from './text-lists.ts';
import type { Edit, Fix } from './types.ts';

/** A member `fixes` for a finding, from those that are possible; none where none is. */
export function withFixes(...fixes: readonly (Fix | undefined)[]): Pick<LocalFinding, 'fixes'> {
  const possible = fixes.filter((fix) => fix !== undefined);
  return possible.length === 0 ? {} : { fixes: possible };
}

/** A fix that fix-all and fix-on-save may apply: it cannot change what the record means. */
export function safeFix(title: string, ...edits: readonly Edit[]): Fix {
  return { title, safe: true, edits };
}

/** A fix that somebody has to choose. */
export function fixByChoice(title: string, ...edits: readonly Edit[]): Fix {
  return { title, safe: false, edits };
}

/** Another value; of lists and objects only the elements that differ are written, of texts only the part that does. */
export function replaceValue(pointer: string, value: unknown): Edit {
  return { kind: 'replace', pointer, value };
}

/** A number in a given spelling, which must be one of JSON. */
export function writeNumber(pointer: string, lexeme: string): Edit {
  return { kind: 'lexeme', pointer, lexeme };
}

export function removeValue(pointer: string): Edit {
  return { kind: 'remove', pointer };
}

/** A new member at the end of its object, or a new element before the index that the pointer ends in. */
export function insertValue(pointer: string, value: unknown): Edit {
  return { kind: 'insert', pointer, value };
}

/** The value at `from` once more, byte for byte, at a place as for `insertValue`. */
export function copyValue(from: string, pointer: string): Edit {
  return { kind: 'copy', from, pointer };
}

export function renameKey(pointer: string, key: string): Edit {
  return { kind: 'renameKey', pointer, key };
}

/** Another text for a part of a string; offsets in its decoded value. */
export function replaceInString(pointer: string, inString: Span, text: string): Edit {
  return { kind: 'string', pointer, inString, text };
}

/** Another text for a part of the record's own text; `text` is written as it is. */
export function replaceText(span: Span, text: string): Edit {
  return { kind: 'text', span, text };
}

/**
 * Takes the element `index` out of a list of plain values; where the list is stored as text, out of the text.
 * undefined: the text has no such element.
 */
export function removeElement(record: CanonicalRecord, field: Field, index: number): Edit | undefined {
  return removeElements(record, field, [index])?.[0];
}

/** The same for several elements. */
export function removeElements(
  record: CanonicalRecord,
  field: Field,
  indices: readonly number[],
): readonly Edit[] | undefined {
  const pointer = pointerTo(record, field);
  const text = listText(record, field);
  if (text !== undefined) {
    const parts = removeInText(text, [], new Set(indices));
    return parts?.map((part) => replaceInString(pointer, part.span, part.text));
  }
  const elements = indices.map((index) => pointerTo(record, field, index));
  // One word may say what other datasets list: it goes with nothing less than the key.
  return elements.includes(pointer) ? undefined : elements.map(removeValue);
}

/** Where a number goes in a list of citations: in ascending place where the list ascends, else at its end. */
export function placeFor(list: readonly unknown[], value: number): number {
  const ascends = list.every((other, at) => at === 0 || Number(list[at - 1]) <= Number(other));
  const place = ascends ? list.findIndex((other) => Number(other) > value) : -1;
  return place < 0 ? list.length : place;
}

/**
 * Puts a value before the element `index` of a list of plain values (its length: at the end); where the list is stored as text,
 * into the text. undefined: the list is none that could take it.
 */
export function insertElement(
  record: CanonicalRecord,
  field: Field,
  index: number,
  value: number | string,
): Edit | undefined {
  const text = listText(record, field);
  if (text === undefined)
    return isPlainList(record, field) ? insertValue(pointerTo(record, field, index), value) : undefined;
  const part = insertInText(text, [index], writeInText(value, text));
  return part && replaceInString(pointerTo(record, field), part.span, part.text);
}

/** Puts another number in the place of the element `index` of a list, which may be stored as text. */
export function replaceElement(
  record: CanonicalRecord,
  field: Field,
  index: number,
  lexemes: readonly string[],
): Edit | undefined {
  const text = listText(record, field);
  if (text === undefined) {
    const [only, ...others] = lexemes;
    return only === undefined || others.length > 0 ? undefined : writeNumber(pointerTo(record, field, index), only);
  }
  const element = spanInList(text, [index]);
  return element && replaceInString(pointerTo(record, field), element, lexemes.join(', '));
}

/** Whether a field is a list of JSON whose elements are what it holds, so that edits may add and take away. */
export function isPlainList(record: CanonicalRecord, field: Field): boolean {
  return Array.isArray(record[field]) && pointerTo(record, field, 0) === `${pointerTo(record, field)}/0`;
}

/** The text in which a list is stored; undefined: it is a list of JSON. */
export function listText(record: CanonicalRecord, field: Field): string | undefined {
  if (record.profile.fields[field]?.decoder !== 'list-in-string') return undefined;
  const value = valueAt(record.source, pointerTo(record, field));
  return typeof value === 'string' ? value : undefined;
}
