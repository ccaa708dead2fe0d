/** Values of one text as another text would spell them. */
import { indentAt } from '../edit/children.ts';
import { colonOf, gapOf } from '../edit/layout.ts';
import { createSpeller, escapeText } from '../edit/spelling.ts';
import type { Spelling } from '../edit/spelling.ts';
import type { Container } from '../edit/structure.ts';
import type { Span } from '../finding.ts';
import { CLOSE_ARRAY, CLOSE_OBJECT, COLON, COMMA, OPEN_ARRAY, OPEN_OBJECT, QUOTE } from '../text/chars.ts';
import { skipBlanks } from '../text/visit.ts';
import { decodeToken, endOfToken, isOpening } from './tokens.ts';
import type { Node } from './tree.ts';

/** Writes into a record's text, in its spelling. */
export interface Writer {
  spellingAt(this: void, near: Span): Spelling;
  /** A string's token. */
  string(this: void, value: string, near: Span): string;
  /** A value of another text in the place of one of this. */
  value(this: void, source: string, node: Node, place: Node): string;
  /** A member (with its key) or element of another text, as a child of an object or list of this. */
  child(this: void, source: string, node: Node, parent: Node): string;
}

/** An object or list as the edit engine knows it. */
export function containerOf({ start, end, children }: Node): Omit<Container, 'kind'> {
  return {
    span: { start, end },
    children: children.map((child) => ({
      start: startOf(child),
      end: child.end,
      key: child.keyStart < 0 ? undefined : { start: child.keyStart, end: child.keyEnd },
      valueStart: child.start,
    })),
  };
}

/** Where a child begins, its key included. */
export function startOf({ start, keyStart }: Node): number {
  return keyStart < 0 ? start : keyStart;
}

export function createWriter(text: string, root: Node): Writer {
  const spellingAt = createSpeller(text);
  const slashes = /\\\//.test(text) && !/(?<!\\)\//.test(text);
  let flat: boolean | undefined;

  function string(value: string, near: Span): string {
    const escaped = escapeText(value, spellingAt(near));
    return `"${slashes ? escaped.replaceAll('/', '\\/') : escaped}"`;
  }

  function written(source: string, { start, end }: Node, near: Span, indent: string | undefined): string {
    const spelling = spellingAt(near);
    const lines = indent === undefined ? undefined : spelling.indent;
    const parts: string[] = [];
    const breaks: boolean[] = [];
    let isFresh = false;
    const breakLine = (): void => {
      if (breaks.at(-1) === true) parts.push(`${lines?.lineEnd}${indent}${lines?.unit.repeat(breaks.length)}`);
    };
    for (let at = start; at < end; at = skipBlanks(source, at)) {
      const code = source.charCodeAt(at);
      const tokenEnd = endOfToken(source, at);
      if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) {
        const broke = breaks.pop();
        if (broke === true && !isFresh) parts.push(`${lines?.lineEnd}${indent}${lines?.unit.repeat(breaks.length)}`);
        parts.push(source.slice(at, tokenEnd));
        isFresh = false;
      } else if (code === COMMA) {
        parts.push(breaks.at(-1) === true ? ',' : `,${spelling.afterComma}`);
        breakLine();
      } else if (code === COLON) {
        parts.push(`:${spelling.afterColon}`);
      } else {
        if (isFresh) breakLine();
        isFresh = code === OPEN_OBJECT || code === OPEN_ARRAY;
        if (isFresh) {
          const onOneLine =
            lines === undefined ||
            (code === OPEN_ARRAY && breaks.length < DEEPEST && isPlainList(source, at) && isFlat());
          breaks.push(!onOneLine && breaks.length < DEEPEST);
        }
        parts.push(code === QUOTE ? string(decodeToken(source, at, tokenEnd), near) : source.slice(at, tokenEnd));
      }
      at = tokenEnd;
    }
    return parts.join('');
  }

  /** Whether lists of plain values stand on one line where others stand on several: as the first one that the record has. */
  function isFlat(): boolean {
    if (flat !== undefined) return flat;
    const waiting = [root];
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      const { kind, children, start, end } = node;
      if (kind === 'list' && children.length > 1 && children.every((child) => child.children.length === 0)) {
        return (flat = !text.slice(start, end).includes('\n'));
      }
      for (let i = children.length - 1; i >= 0; i--) if (children[i]!.kind !== 'plain') waiting.push(children[i]!);
    }
    return (flat = false);
  }

  /** Whether a value is written as its like around it: on one line. */
  function standsOnOneLine(like: Node | undefined): boolean {
    return like !== undefined && like.children.length > 0 && !text.slice(like.start, like.end).includes('\n');
  }

  return {
    spellingAt,
    string,
    value(source, node, place) {
      const isContainer = node.children.length > 0;
      const indent = isContainer && !standsOnOneLine(place) ? indentAt(text, place.start) : undefined;
      return written(source, node, place, indent);
    },
    child(source, node, parent) {
      const container = containerOf(parent);
      const spelling = spellingAt(parent);
      const gap = gapOf(text, container, spelling);
      const like = parent.children.find(({ kind }) => kind === node.kind);
      let indent: string | undefined;
      if (node.children.length > 0 && !standsOnOneLine(like)) {
        const own = gap.includes('\n') ? gap.slice(gap.lastIndexOf('\n') + 1) : undefined;
        indent = parent.children.length === 0 ? emptyIndent(parent, spelling) : own;
      }
      const value = written(source, node, parent, indent);
      if (node.key === undefined) return value;
      return `${string(node.key, parent)}${colonOf(text, container.children[0], spelling)}${value}`;
    },
  };

  function emptyIndent({ start }: Node, { indent }: Spelling): string | undefined {
    return indent === undefined ? undefined : indentAt(text, start) + indent.unit;
  }
}

/** Deeper values are written on one line. */
const DEEPEST = 64;

function isPlainList(text: string, start: number): boolean {
  for (let at = skipBlanks(text, start + 1); ; at = skipBlanks(text, at)) {
    const code = text.charCodeAt(at);
    if (isOpening(code)) return false;
    if (code === CLOSE_ARRAY) return true;
    at = endOfToken(text, at);
  }
}
