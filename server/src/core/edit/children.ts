/** Members and elements that come and go, with the commas and blanks that go with them. */
import type { Span } from '../finding.ts';
import { colonOf, fullest, gapOf, writeLike } from './layout.ts';
import { escapeText, spellingOf, writeValue } from './spelling.ts';
import type { Spelling } from './spelling.ts';
import { childIndex, containerAt, splitPointer } from './structure.ts';
import type { Child, Container } from './structure.ts';
import type { TextEdit } from './types.ts';

export type ChildEdit =
  | { readonly kind: 'remove'; readonly pointer: string }
  | { readonly kind: 'insert'; readonly pointer: string; readonly value: unknown }
  /** The value as it is to be written. */
  | { readonly kind: 'insert'; readonly pointer: string; readonly written: string };

type Insertion = { readonly name: string } & ({ readonly value: unknown } | { readonly written: string });

/** undefined: one of them cannot be made. */
export function placeChildren(edits: readonly ChildEdit[], text: string): readonly TextEdit[] | undefined {
  const groups = new Map<string, { removed: Set<string>; inserted: Insertion[] }>();
  for (const edit of edits) {
    const place = splitPointer(edit.pointer);
    if (place === undefined) return undefined;
    const group = groups.get(place.parent) ?? { removed: new Set(), inserted: [] };
    groups.set(place.parent, group);
    if (edit.kind === 'remove') group.removed.add(place.name);
    else group.inserted.push({ ...edit, name: place.name });
  }
  const placed: TextEdit[] = [];
  for (const [parent, { removed, inserted }] of groups) {
    const container = containerAt(text, parent);
    const own = container && placeGroup(text, container, removed, inserted);
    if (own === undefined) return undefined;
    placed.push(...own);
  }
  return placed;
}

function placeGroup(
  text: string,
  container: Container,
  removed: ReadonlySet<string>,
  inserted: readonly Insertion[],
): readonly TextEdit[] | undefined {
  const gone = new Set<number>();
  for (const name of removed) {
    const index = childIndex(text, container, name);
    if (index < 0) return undefined;
    gone.add(index);
  }
  const { children, span } = container;
  if (gone.size > 0 && gone.size === children.length) {
    // Nothing stays that a comma could follow.
    return inserted.length > 0 ? undefined : [{ span: { start: span.start + 1, end: span.end - 1 }, text: '' }];
  }
  const removals = removalsOf(children, gone);
  const insertions = insertionsOf(text, container, inserted);
  if (insertions === undefined) return undefined;
  return [...removals, ...insertions];
}

/** Runs of children that go, each with the comma that then would be one too many. */
function removalsOf(children: readonly Child[], gone: ReadonlySet<number>): TextEdit[] {
  const edits: TextEdit[] = [];
  for (let first = 0; first < children.length; first++) {
    if (!gone.has(first)) continue;
    let last = first;
    while (gone.has(last + 1)) last++;
    const next = children[last + 1];
    const before = children[first - 1];
    const span: Span =
      next !== undefined
        ? { start: children[first]!.start, end: next.start }
        : { start: before!.end, end: children[last]!.end };
    edits.push({ span, text: '' });
    first = last;
  }
  return edits;
}

function insertionsOf(text: string, container: Container, inserted: readonly Insertion[]): TextEdit[] | undefined {
  const { children, span, kind } = container;
  const edits: TextEdit[] = [];
  let isEmpty = children.length === 0;
  for (const insertion of inserted) {
    const at = kind === 'object' ? children.length : indexOf(insertion.name, children.length);
    if (at === undefined || (kind === 'object' && childIndex(text, container, insertion.name) >= 0)) return undefined;
    const spelling = spellingOf(text, span);
    const child = writeChild(insertion, container, spelling, text);
    const following = children[at];
    if (following !== undefined) {
      const written = `${child},${gapOf(text, container, spelling)}`;
      edits.push({ span: { start: following.start, end: following.start }, text: written });
    } else if (isEmpty) {
      edits.push({
        span: { start: span.start + 1, end: span.end - 1 },
        text: wrapped(text, container, child, spelling),
      });
      isEmpty = false;
    } else {
      const place = children.at(-1)?.end ?? span.end - 1;
      edits.push({ span: { start: place, end: place }, text: `,${gapOf(text, container, spelling)}${child}` });
    }
  }
  return edits;
}

/** An index that exists, or the one after the last. */
function indexOf(name: string, length: number): number | undefined {
  if (name === '-') return length;
  return /^(?:0|[1-9]\d*)$/.test(name) && Number(name) <= length ? Number(name) : undefined;
}

function writeChild(insertion: Insertion, { kind, children }: Container, spelling: Spelling, text: string): string {
  const first = children[0];
  const written = 'written' in insertion ? insertion.written : writeValueAmong(insertion.value);
  if (kind === 'list') return written;
  return `"${escapeText(insertion.name, spelling)}"${colonOf(text, first, spelling)}${written}`;

  /** Elements of a list are laid out alike; members of an object are of different kinds. */
  function writeValueAmong(value: unknown): string {
    const sibling = kind === 'list' ? fullest(children) : undefined;
    if (sibling === undefined) return writeValue(value, spelling);
    return writeLike(value, text, { start: sibling.valueStart, end: sibling.end }, spelling);
  }
}

/** The first child of an empty object or list: on a line of its own where the record is written so. */
export function wrapped(text: string, { span }: Pick<Container, 'span'>, child: string, { indent }: Spelling): string {
  if (indent === undefined) return child;
  const outer = indentAt(text, span.start);
  const { unit, lineEnd } = indent;
  return `${lineEnd}${outer}${unit}${child}${lineEnd}${outer}`;
}

/** The blanks that the line of an offset begins with. */
export function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  let end = start;
  while (end < offset && (text.charCodeAt(end) === 32 || text.charCodeAt(end) === 9)) end++;
  return text.slice(start, end);
}
