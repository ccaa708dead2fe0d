/** Fields and list elements of a record as a tree, for outlines. */
import type { Span } from '../finding.ts';
import { decodeString } from './offsets.ts';
import { escapeSegment } from './pointer.ts';
import { visit } from './visit.ts';

export interface OutlineNode {
  /** The key, or for elements the list's name with the place: `paragraphs[3]`. */
  readonly name: string;
  readonly pointer: string;
  readonly kind: 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';
  /** With the key. */
  span: Span;
  /** The key; of an element the element itself. */
  nameSpan: Span;
  /** The value. */
  value: Span;
  readonly children: OutlineNode[];
}

export interface OutlineLimits {
  /** Levels of nesting; 1: the record's fields only. */
  readonly depth: number;
  /** Nodes at most; what follows is left out. */
  readonly nodes: number;
}

/** The fields of a record's text, in its order, repeated keys too. Linear in the text, tolerates broken text. */
export function outlineOf(text: string, { depth: deepest, nodes }: OutlineLimits): readonly OutlineNode[] {
  const all: OutlineNode[] = [];
  const open: OutlineNode[] = [];
  let left = nodes;
  visit(text, {
    start(depth, start, index, keyStart, keyEnd) {
      open.length = Math.min(open.length, depth - 1);
      if (depth > deepest || open.length < depth - 1) return false;
      if (left-- <= 0) return true;
      const parent = open[depth - 2];
      const key = index >= 0 ? undefined : decodeString(text.slice(keyStart, keyEnd));
      const node: OutlineNode = {
        name: key ?? `${parent?.name ?? ''}[${index}]`,
        pointer: `${parent?.pointer ?? ''}/${escapeSegment(key ?? index)}`,
        kind: kindAt(text, start),
        span: { start: keyStart >= 0 ? keyStart : start, end: text.length },
        nameSpan: keyStart >= 0 ? { start: keyStart, end: keyEnd } : { start, end: start },
        value: { start, end: text.length },
        children: [],
      };
      (parent?.children ?? all).push(node);
      open[depth - 1] = node;
      return false;
    },
    end(depth, end) {
      const node = open[depth - 1];
      if (depth > deepest || node === undefined) return false;
      open.length = depth - 1;
      node.span = { start: node.span.start, end };
      node.value = { start: node.value.start, end };
      if (node.nameSpan.end === node.nameSpan.start) node.nameSpan = node.value;
      return false;
    },
  });
  return all;
}

function kindAt(text: string, at: number): OutlineNode['kind'] {
  switch (text.charAt(at)) {
    case '{':
      return 'object';
    case '[':
      return 'array';
    case '"':
      return 'string';
    case 't':
    case 'f':
      return 'boolean';
    case 'n':
      return 'null';
    default:
      return 'number';
  }
}
