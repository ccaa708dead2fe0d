import type { Tree } from '@lezer/common';
import { parser } from '@lezer/python';

/** Trees that are kept, and UTF-16 units of a text whose tree is. */
const KEPT = 4;
const LONGEST = 100_000;

const latest: { readonly source: string; readonly tree: Tree }[] = [];

/**
 * The tree of a Python text, whatever the text. Analysis, style, trace and fixes look at the same solution one after the
 * other, and parsing is most of what they cost: the latest trees are kept.
 */
export function parsePython(source: string): Tree {
  if (source.length > LONGEST) return parser.parse(source);
  const at = latest.findIndex((known) => known.source === source);
  const found = at < 0 ? { source, tree: parser.parse(source) } : latest[at]!;
  if (at !== 0) {
    if (at > 0) latest.splice(at, 1);
    else if (latest.length === KEPT) latest.pop();
    latest.unshift(found);
  }
  return found.tree;
}
