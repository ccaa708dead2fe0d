/** What saving a document changes in its record: a merge of three versions by structure, written with the fewest changes of text. */
import { replaceText } from '../edit/edits.ts';
import type { TextEdit } from '../edit/types.ts';
import { parseRecordText } from '../text/parse.ts';
import { pointerOf } from '../text/pointer.ts';
import { createChanges } from './changes.ts';
import { mergeChildren } from './merge-children.ts';
import { decodeToken, saySame } from './tokens.ts';
import { createTreeReader } from './tree.ts';
import type { Node } from './tree.ts';
import type { Merge, ViewedRecord } from './types.ts';
import { createWriter } from './write.ts';

export interface Versions {
  /** The record's text when the document was opened (or last saved). */
  readonly base: string;
  /** What the document says now. A bare text is taken as the document itself. */
  readonly edited: string | ViewedRecord;
  /** The record's text in the file now. */
  readonly current: string;
}

/** The way to a value of the current record, shared by all that lie below it. */
interface Path {
  readonly parent: Path | undefined;
  readonly segment: string | number;
}

/** One value in all three versions. */
interface Triple {
  readonly base: Node;
  readonly edited: Node;
  readonly current: Node;
  readonly path: Path | undefined;
  /** Where edits of the current value go. */
  readonly edits: TextEdit[];
}

/**
 * Makes the changes from `base` to `edited` in `current`. Strings are compared by what they spell, numbers as they are spelled, objects
 * with the order of their keys. What both sides left alone, or changed alike, keeps its bytes; a value that each changed in its
 * own way is a conflict, and then nothing is changed at all.
 */
export function mergeRecord({ base, edited, current }: Versions): Merge {
  const viewed = typeof edited === 'string' ? undefined : edited;
  const editedText = typeof edited === 'string' ? edited : edited.text;
  const message = unreadable(editedText, viewed);
  if (message !== undefined) return { kind: 'unreadable', message };
  if (parseRecordText(base).value === undefined) return { kind: 'conflict', pointers: [''] };
  if (saySame(base, editedText)) return { kind: 'edits', edits: [] };
  if (current !== base && parseRecordText(current).value === undefined) return { kind: 'conflict', pointers: [''] };
  const { read } = createTreeReader();
  const baseRoot = read(base);
  const editedRoot = read(editedText);
  const currentRoot = current === base ? baseRoot : read(current);

  const writer = createWriter(current, currentRoot);
  const changes = createChanges({ current, edited: editedText, writer });
  const conflicts: string[] = [];
  const edits: TextEdit[] = [];
  const waiting: Triple[] = [{ base: baseRoot, edited: editedRoot, current: currentRoot, path: undefined, edits }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { base: old, edited: mine, current: theirs, path, edits: own } = next;
    if (mine.id === old.id || mine.id === theirs.id) continue;
    const isContainer = mine.kind === 'object' || mine.kind === 'list';
    if (isContainer && mine.kind === old.kind && mine.kind === theirs.kind) {
      const merged = mergeChildren(
        { node: old, text: base },
        { node: mine, text: editedText },
        { node: theirs, text: current },
      );
      for (const segment of merged.conflicts)
        conflicts.push(pointerTo(segment === undefined ? path : { parent: path, segment }));
      const buckets = changes.arrange(theirs, mine, merged, own);
      for (const [i, pair] of merged.pairs.entries()) {
        const child = theirs.children[pair.current]!;
        const segment = child.key ?? pair.current;
        waiting.push({
          base: old.children[pair.base]!,
          edited: mine.children[pair.edited]!,
          current: child,
          path: { parent: path, segment },
          edits: buckets[i]!,
        });
      }
    } else if (theirs.id === old.id) own.push(...replacement(theirs, mine));
    else conflicts.push(pointerTo(path));
  }
  if (conflicts.length > 0) return { kind: 'conflict', pointers: [...new Set(conflicts)].sort() };
  changes.finish();
  return {
    kind: 'edits',
    edits: edits.sort((one, two) => one.span.start - two.span.start || one.span.end - two.span.end),
  };

  function replacement(place: Node, node: Node): readonly TextEdit[] {
    const span = { start: place.start, end: place.end };
    if (place.kind === 'string' && node.kind === 'string') {
      const old = decodeToken(current, place.start, place.end);
      const value = decodeToken(editedText, node.start, node.end);
      const own = replaceText(current, span, old, value, writer.spellingAt(span));
      if (own !== undefined) return own;
    }
    return [{ span, text: writer.value(editedText, node, place) }];
  }
}

/** A sentence with the place in the document; undefined where its text is a record. */
function unreadable(text: string, viewed: ViewedRecord | undefined): string | undefined {
  if (viewed?.faults[0] !== undefined) return viewed.faults[0].message;
  const { value, faults } = parseRecordText(text);
  if (value !== undefined) return undefined;
  const [fault] = faults;
  const { line, column } = viewed?.lens.position(fault?.span.start ?? 0) ?? placeOf(text, fault?.span.start ?? 0);
  return (fault?.message ?? '').replace(PLACE, `line ${line + 1}, column ${column + 1}`);
}

const PLACE = /(?:line \d+ of the record, )?column \d+/;

function placeOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length - 1, column: before.at(-1)?.length ?? 0 };
}

function pointerTo(path: Path | undefined): string {
  const segments: (string | number)[] = [];
  for (let step = path; step !== undefined; step = step.parent) segments.push(step.segment);
  return pointerOf(segments.reverse());
}
