/** What lies in an object or list of a record's text, for edits that add and take away. */
import type { Span } from '../finding.ts';
import { CLOSE_ARRAY, CLOSE_OBJECT, OPEN_ARRAY, OPEN_OBJECT } from '../text/chars.ts';
import { spanOfPointer } from '../text/offsets.ts';
import { joinPointer, parsePointer } from '../text/pointer.ts';
import { visit } from '../text/visit.ts';

export interface Child {
  /** From the key where there is one. */
  readonly start: number;
  readonly end: number;
  /** With quotation marks; lists have none. */
  readonly key: Span | undefined;
  readonly valueStart: number;
}

export interface Container {
  readonly kind: 'object' | 'list';
  /** With brackets. */
  readonly span: Span;
  readonly children: readonly Child[];
}

/** undefined: no closed object or list stands there. */
export function containerAt(text: string, pointer: string): Container | undefined {
  const span = spanOfPointer(text, pointer);
  return span && containerIn(text, span);
}

/** The same for the span of a value. */
export function containerIn(text: string, span: Span): Container | undefined {
  if (span.end - span.start < 2) return undefined;
  const [open, close] = [text.charCodeAt(span.start), text.charCodeAt(span.end - 1)];
  const isList = open === OPEN_ARRAY && close === CLOSE_ARRAY;
  if (!isList && !(open === OPEN_OBJECT && close === CLOSE_OBJECT)) return undefined;
  const children: Child[] = [];
  let valueStart = 0;
  let key: Span | undefined;
  visit(text.slice(span.start, span.end), {
    start(depth, at, _index, keyStart, keyEnd) {
      if (depth !== 1) return false;
      valueStart = span.start + at;
      key = keyStart < 0 ? undefined : { start: span.start + keyStart, end: span.start + keyEnd };
      return false;
    },
    end(depth, at) {
      if (depth === 1) children.push({ start: key?.start ?? valueStart, end: span.start + at, key, valueStart });
      return false;
    },
  });
  return { kind: isList ? 'list' : 'object', span, children };
}

/** The pointer of the object or list around a value, and the value's own key or index; undefined for the record itself. */
export function splitPointer(pointer: string): { readonly parent: string; readonly name: string } | undefined {
  const segments = parsePointer(pointer);
  const name = segments.pop();
  return name === undefined ? undefined : { parent: joinPointer('', ...segments), name };
}

/** The key of a member, unescaped. */
export function keyOf(text: string, { key }: Child): string | undefined {
  if (key === undefined) return undefined;
  try {
    return String(JSON.parse(text.slice(key.start, key.end)));
  } catch {
    return undefined;
  }
}

/** Which child a name means: the last of repeated keys, as for JSON.parse. -1: none. */
export function childIndex(text: string, { kind, children }: Container, name: string): number {
  if (kind === 'list') return /^(?:0|[1-9]\d*)$/.test(name) && Number(name) < children.length ? Number(name) : -1;
  return children.findLastIndex((child) => keyOf(text, child) === name);
}
