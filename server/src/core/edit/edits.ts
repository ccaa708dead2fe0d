/**
 * The edit engine: changes said by JSON pointer become replacements of text. What is not edited keeps every byte: the
 * spelling of numbers, the order of keys, escapes, blanks and line ends.
 */
import type { PlacedFix, Span } from '../finding.ts';
import { spanInString, spanOfPointer } from '../text/offsets.ts';
import { joinPointer } from '../text/pointer.ts';
import { placeChildren } from './children.ts';
import type { ChildEdit } from './children.ts';
import { commonEnds } from './difference.ts';
import { writeLike } from './layout.ts';
import { escapeText, numberLike, spellingOf } from './spelling.ts';
import type { Spelling } from './spelling.ts';
import { childIndex, containerAt, keyOf, splitPointer } from './structure.ts';
import type { Edit, Fix, TextEdit } from './types.ts';

const ESCAPED_SLASH = /(?<!\\)(?:\\\\)*\\\//;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** A fix as replacements in the record's text; undefined where the text does not hold what it wants to change. */
export function placeFix(fix: Fix, text: string): PlacedFix | undefined {
  const edits = placeEdits(fix.edits, text);
  if (edits === undefined || edits.length === 0) return undefined;
  const { title, safe, conversion } = fix;
  return { title, safe, edits, ...(conversion && { conversion }) };
}

/**
 * Replacements in order of place that do not overlap, without those that change nothing. All pointers and offsets are
 * those of `text`. undefined: one of the edits cannot be made, or two of them contradict each other.
 */
export function placeEdits(edits: readonly Edit[], text: string): readonly TextEdit[] | undefined {
  const placed: TextEdit[] = [];
  const children: ChildEdit[] = [];
  for (const edit of edits) {
    if (edit.kind === 'remove' || edit.kind === 'insert' || edit.kind === 'copy') {
      const parts = childEdits(edit, text);
      if (parts === undefined) return undefined;
      children.push(...parts);
      continue;
    }
    const own = placeOne(edit, text);
    if (own === undefined) return undefined;
    placed.push(...own);
  }
  const moved = placeChildren(children, text);
  if (moved === undefined) return undefined;
  const all = [...placed, ...moved].filter(({ span, text: written }) => text.slice(span.start, span.end) !== written);
  all.sort(byPlace);
  return all.some((edit, i) => i > 0 && overlaps(all[i - 1]!, edit)) ? undefined : all;
}

/** The text with all edits made; they are in order of place and do not overlap. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let result = '';
  let from = 0;
  for (const { span, text: written } of edits) {
    result += text.slice(from, span.start) + written;
    from = span.end;
  }
  return result + text.slice(from);
}

/** The edits that lead back, in the offsets of the edited text. */
export function invertEdits(text: string, edits: readonly TextEdit[]): readonly TextEdit[] {
  let shift = 0;
  return edits.map(({ span, text: written }) => {
    const start = span.start + shift;
    shift += written.length - (span.end - span.start);
    return { span: { start, end: start + written.length }, text: text.slice(span.start, span.end) };
  });
}

/**
 * Of several groups of edits those that can be made together: the first wins, what collides with it waits for the next
 * round. Gives the edits in order of place and the groups that were taken.
 */
export function mergeEdits<T extends { readonly edits: readonly TextEdit[] }>(
  groups: Iterable<T>,
): { readonly edits: readonly TextEdit[]; readonly taken: readonly T[] } {
  const edits: TextEdit[] = [];
  const taken: T[] = [];
  for (const group of groups) {
    const known = group.edits.every((edit) => edits.some((one) => isSame(one, edit)));
    // Two findings may have the very same repair.
    if (known) continue;
    if (group.edits.some((edit) => collides(edits, edit))) continue;
    taken.push(group);
    for (const edit of group.edits) edits.splice(placeFor(edits, edit.span.start), 0, edit);
  }
  return { edits, taken };
}

function isSame(a: TextEdit, b: TextEdit): boolean {
  return a.span.start === b.span.start && a.span.end === b.span.end && a.text === b.text;
}

/** Edits of different fixes must not even touch, lest two insertions at one place depend on their order. */
function collides(edits: readonly TextEdit[], { span }: TextEdit): boolean {
  const at = placeFor(edits, span.start);
  const [before, after] = [edits[at - 1], edits[at]];
  return (
    (before !== undefined && before.span.end >= span.start) || (after !== undefined && after.span.start <= span.end)
  );
}

/** How many of the edits start at or before an offset; they are in order of place. */
function placeFor(edits: readonly TextEdit[], offset: number): number {
  let low = 0;
  let high = edits.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (edits[middle]!.span.start <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

function byPlace(a: TextEdit, b: TextEdit): number {
  return a.span.start - b.span.start || a.span.end - b.span.end;
}

function overlaps(before: TextEdit, after: TextEdit): boolean {
  return before.span.end > after.span.start;
}

function childEdits(
  edit: Extract<Edit, { kind: 'remove' | 'insert' | 'copy' }>,
  text: string,
): ChildEdit[] | undefined {
  if (edit.kind === 'remove') return [{ kind: 'remove', pointer: edit.pointer }];
  if (edit.kind === 'insert') return [{ kind: 'insert', pointer: edit.pointer, value: edit.value }];
  const source = spanOfPointer(text, edit.from);
  if (source === undefined) return undefined;
  return [{ kind: 'insert', pointer: edit.pointer, written: text.slice(source.start, source.end) }];
}

function placeOne(
  edit: Exclude<Edit, { kind: 'remove' | 'insert' | 'copy' }>,
  text: string,
): readonly TextEdit[] | undefined {
  if (edit.kind === 'text') {
    const { span } = edit;
    return span.start < 0 || span.start > span.end || span.end > text.length ? undefined : [{ span, text: edit.text }];
  }
  if (edit.kind === 'renameKey') return renameKey(edit.pointer, edit.key, text);
  const span = spanOfPointer(text, edit.pointer);
  if (span === undefined) return undefined;
  if (edit.kind === 'lexeme') return NUMBER.test(edit.lexeme) ? [{ span, text: edit.lexeme }] : undefined;
  if (edit.kind === 'string') return replaceInString(text, span, edit.inString, edit.text);
  return replaceValue(text, edit.pointer, span, edit.value);
}

function renameKey(pointer: string, key: string, text: string): readonly TextEdit[] | undefined {
  const place = splitPointer(pointer);
  const container = place && containerAt(text, place.parent);
  if (place === undefined || container?.kind !== 'object') return undefined;
  const child = container.children[childIndex(text, container, place.name)];
  // A key that is there already would stand twice.
  if (child?.key === undefined || container.children.some((other) => other !== child && keyOf(text, other) === key)) {
    return undefined;
  }
  return [{ span: child.key, text: `"${escapeText(key, spellingOf(text, child.key))}"` }];
}

/** undefined: no string stands there, or it has no such part. */
function replaceInString(
  text: string,
  token: Span,
  inString: Span,
  replacement: string,
  spelling = spellingOf(text, token),
): readonly TextEdit[] | undefined {
  const value = stringAt(text, token);
  if (value === undefined || inString.start < 0 || inString.start > inString.end || inString.end > value.length) {
    return undefined;
  }
  const span = placeInString(text, token, inString, value);
  const written = escapeText(replacement, spelling);
  // A part that escapes its slashes goes on to do so.
  return [
    { span, text: ESCAPED_SLASH.test(text.slice(span.start, span.end)) ? written.replaceAll('/', '\\/') : written },
  ];
}

/** An insertion stands before the character that it comes before, or at the string's end. */
function placeInString(text: string, token: Span, inString: Span, value: string): Span {
  const { start, end } = inString;
  if (start < end) return spanInString(text, token, inString);
  const at = start === value.length ? token.end - 1 : spanInString(text, token, { start, end: start + 1 }).start;
  return { start: at, end: at };
}

function stringAt(text: string, { start, end }: Span): string | undefined {
  if (text.charAt(start) !== '"') return undefined;
  try {
    return String(JSON.parse(text.slice(start, end)));
  } catch {
    return undefined;
  }
}

/** Where the old value is of the same shape, only what differs in it is written. */
function replaceValue(text: string, pointer: string, span: Span, value: unknown): readonly TextEdit[] | undefined {
  const token = text.slice(span.start, span.end);
  let old: unknown;
  try {
    old = JSON.parse(token);
  } catch {
    // NaN and its like.
  }
  if (typeof value === 'number' && typeof old === 'number') {
    return old === value ? [] : [{ span, text: numberLike(value, token) }];
  }
  if (typeof value === 'string' && typeof old === 'string') return replaceText(text, span, old, value);
  if (Array.isArray(value) && Array.isArray(old) && value.length === old.length) {
    return replaceElements(text, pointer, old, value);
  }
  return [{ span, text: writeLike(value, text, span, spellingOf(text, span)) }];
}

/** The elements that differ; numbers that only change places take their spelling along. */
function replaceElements(
  text: string,
  pointer: string,
  old: readonly unknown[],
  value: readonly unknown[],
): readonly TextEdit[] | undefined {
  const spans = containerAt(text, pointer)?.children.map(({ start, end }) => ({ start, end }));
  if (spans?.length !== old.length) return undefined;
  const lexemes = new Map<unknown, string>();
  for (const [i, { start, end }] of spans.entries()) {
    if (typeof old[i] === 'number' && !lexemes.has(old[i])) lexemes.set(old[i], text.slice(start, end));
  }
  const edits: TextEdit[] = [];
  for (const [i, span] of spans.entries()) {
    const element = value[i];
    const known = typeof element === 'number' && typeof old[i] === 'number' ? lexemes.get(element) : undefined;
    if (known !== undefined) {
      if (element !== old[i]) edits.push({ span, text: known });
      continue;
    }
    const own = replaceValue(text, joinPointer(pointer, i), span, element);
    if (own === undefined) return undefined;
    edits.push(...own);
  }
  return edits;
}

/** Only what lies between the equal beginning and the equal end of the two texts. `span` is the token of `old`. */
export function replaceText(
  text: string,
  span: Span,
  old: string,
  value: string,
  spelling?: Spelling,
): readonly TextEdit[] | undefined {
  const { head, tail } = commonEnds(old, value);
  const part = { start: head, end: old.length - tail };
  return replaceInString(text, span, part, value.slice(head, value.length - tail), spelling);
}
