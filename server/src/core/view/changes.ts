/** Collects the edits of a merge: what is moved takes the edits inside it along. */
import { applyEdits } from '../edit/edits.ts';
import { rearrange } from '../edit/rearrange.ts';
import type { Arranged } from '../edit/rearrange.ts';
import type { TextEdit } from '../edit/types.ts';
import type { MergedChildren, Placed } from './merge-children.ts';
import type { Node } from './tree.ts';
import { addTo } from './align.ts';
import { containerOf, startOf } from './write.ts';
import type { Writer } from './write.ts';

export interface Changes {
  /**
   * Plans the children of a current object or list. Gives per pair of `merged` where the edits inside of that child go: with those of
   * the container, or to a place of their own where it moves. Edits of keys are made at once.
   */
  arrange(this: void, current: Node, edited: Node, merged: MergedChildren, edits: TextEdit[]): readonly TextEdit[][];
  /** Writes what has been planned, the innermost first. */
  finish(this: void): void;
}

interface Texts {
  readonly current: string;
  readonly edited: string;
  readonly writer: Writer;
}

export function createChanges({ current: text, edited: editedText, writer }: Texts): Changes {
  const plans: (() => void)[] = [];

  return {
    arrange(current, edited, { sequence, same, pairs, renamed }, edits) {
      const moved = new Map<number, TextEdit[]>();
      for (const placed of sequence) if (placed.kind === 'current' && placed.moved) moved.set(placed.index, []);
      for (const [index, key] of renamed) {
        const { keyStart: start, keyEnd: end } = current.children[index]!;
        const bucket = moved.get(index) ?? edits;
        bucket.push({ span: { start, end }, text: writer.string(key, { start, end }) });
      }
      if (!same)
        plans.push(() => {
          for (const edit of placeChildren(current, edited, sequence, moved)) edits.push(edit);
        });
      return pairs.map((pair) => moved.get(pair.current) ?? edits);
    },
    finish() {
      for (const plan of plans.reverse()) plan();
    },
  };

  function placeChildren(
    current: Node,
    edited: Node,
    sequence: readonly Placed[],
    moved: ReadonlyMap<number, readonly TextEdit[]>,
  ): readonly TextEdit[] {
    const leaving = leavingChildren(current, sequence);
    const arranged = sequence.map((placed): Arranged => {
      if (placed.kind === 'edited') {
        const child = edited.children[placed.index]!;
        const old = leaving.get(child.id)?.pop();
        const text = old === undefined ? writer.child(editedText, child, current) : textOf(old, []);
        return { kind: 'written', text };
      }
      const edits = moved.get(placed.index);
      if (edits === undefined) return { kind: 'kept', index: placed.index };
      return { kind: 'written', text: textOf(current.children[placed.index]!, edits) };
    });
    return rearrange(text, containerOf(current), arranged, writer.spellingAt(current));
  }

  /** Elements that go, by value: one that comes elsewhere in the list has only been moved and keeps its bytes. */
  function leavingChildren({ kind, children }: Node, sequence: readonly Placed[]): Map<number, Node[]> {
    const leaving = new Map<number, Node[]>();
    if (kind !== 'list') return leaving;
    const staying = new Set(sequence.flatMap((placed) => (placed.kind === 'current' ? [placed.index] : [])));
    for (const [index, child] of children.entries()) {
      if (!staying.has(index)) addTo(leaving, child.id, child);
    }
    return leaving;
  }

  function textOf(child: Node, edits: readonly TextEdit[]): string {
    const start = startOf(child);
    const own = edits.map((edit) => ({
      span: { start: edit.span.start - start, end: edit.span.end - start },
      text: edit.text,
    }));
    own.sort((one, two) => one.span.start - two.span.start || one.span.end - two.span.end);
    return applyEdits(text.slice(start, child.end), own);
  }
}
