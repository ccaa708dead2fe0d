/** Members and elements of one object or list in another sequence: some stay, some go, some come. */
import { indentAt, wrapped } from './children.ts';
import { gapOf } from './layout.ts';
import type { Spelling } from './spelling.ts';
import type { Container } from './structure.ts';
import type { TextEdit } from './types.ts';

export type Arranged =
  /** The child with this index, where it stands and as it is. */
  | { readonly kind: 'kept'; readonly index: number }
  /** A child as it is to be written; in objects with its key. */
  | { readonly kind: 'written'; readonly text: string };

/**
 * Edits that leave the children of `arranged` and nothing else, with commas and blanks as they stand here. The indices of those that
 * are kept ascend. The text between two neighbours that stay neighbours is not touched.
 */
export function rearrange(
  text: string,
  container: Omit<Container, 'kind'>,
  arranged: readonly Arranged[],
  spelling: Spelling,
): readonly TextEdit[] {
  const { span, children } = container;
  const gap = gapOf(text, container, spelling);
  if (children.length === 0) {
    if (arranged.length === 0) return [];
    const { indent, afterComma } = spelling;
    const blanks = indent ? `${indent.lineEnd}${indentAt(text, span.start)}${indent.unit}` : afterComma;
    const inside = arranged.map((child) => (child.kind === 'written' ? child.text : '')).join(`,${blanks}`);
    return [{ span: { start: span.start + 1, end: span.end - 1 }, text: wrapped(text, container, inside, spelling) }];
  }
  const edits: TextEdit[] = [];
  /** The last child that stays, -1 before the first. */
  let last = -1;
  let waiting: string[] = [];
  for (const child of [...arranged, undefined]) {
    if (child?.kind === 'written') {
      waiting.push(child.text);
      continue;
    }
    const next = child?.index ?? children.length;
    edits.push(...between(last, next, waiting));
    waiting = [];
    last = next;
  }
  return edits;

  /** What stands between two children that stay; the children there go. */
  function between(before: number, after: number, written: readonly string[]): readonly TextEdit[] {
    const gone = children.slice(before + 1, after);
    if (gone.length === written.length) {
      return gone.map(({ start, end }, i) => ({ span: { start, end }, text: written[i]! }));
    }
    const [left, right] = [children[before], children[after]];
    if (left === undefined && right === undefined) {
      if (written.length === 0) return [{ span: { start: span.start + 1, end: span.end - 1 }, text: '' }];
      return [{ span: { start: gone[0]!.start, end: gone.at(-1)!.end }, text: written.join(`,${gap}`) }];
    }
    if (left === undefined) {
      const start = children[0]!.start;
      return [{ span: { start, end: right!.start }, text: written.map((child) => `${child},${gap}`).join('') }];
    }
    const end = gone.at(-1)?.end ?? left.end;
    return [{ span: { start: left.end, end }, text: written.map((child) => `,${gap}${child}`).join('') }];
  }
}
