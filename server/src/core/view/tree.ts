/** A record's text as a tree in which equal values have equal numbers, whatever their spelling: for comparing versions of a record. */
import { CLOSE_ARRAY, CLOSE_OBJECT, COLON, COMMA, OPEN_ARRAY, OPEN_OBJECT, QUOTE } from '../text/chars.ts';
import { skipBlanks } from '../text/visit.ts';
import { decodeToken, endOfToken } from './tokens.ts';

export interface Node {
  readonly kind: 'object' | 'list' | 'string' | 'plain';
  readonly start: number;
  readonly end: number;
  /**
   * The same for equal values in all trees of one reader: strings by what they spell, numbers by how they are spelled, objects by
   * their members in order.
   */
  readonly id: number;
  /** The key, decoded; undefined for elements and the record itself. */
  readonly key: string | undefined;
  /** Its token; -1 where there is none. */
  readonly keyStart: number;
  readonly keyEnd: number;
  readonly children: readonly Node[];
}

export interface TreeReader {
  /** Texts must have been read without fault. */
  read(this: void, text: string): Node;
}

type Open = { -readonly [name in keyof Node]: Node[name] } & { children: Node[] };

const NONE: Node[] = [];

export function createTreeReader(): TreeReader {
  const ids = new Map<string, number>();
  const idOf = (content: string): number => {
    const known = ids.get(content);
    if (known !== undefined) return known;
    ids.set(content, ids.size);
    return ids.size - 1;
  };

  return { read: (text) => readTree(text, idOf) };
}

/** Keeps its own stack: records may be nested as deep as they are long. */
function readTree(text: string, idOf: (content: string) => number): Node {
  const open: Open[] = [];
  let key: string | undefined;
  let keyStart = -1;
  let keyEnd = -1;
  for (let at = skipBlanks(text, 0); ; at = skipBlanks(text, at)) {
    const code = text.charCodeAt(at);
    const end = endOfToken(text, at);
    const start = at;
    at = end;
    if (code === COMMA) continue;
    let node: Open;
    if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) {
      const closed = open.pop()!;
      closed.end = end;
      closed.id = idOf(contentOf(closed, idOf));
      node = closed;
    } else {
      if (code === QUOTE && keyStart < 0 && open.at(-1)?.kind === 'object') {
        key = decodeToken(text, start, end);
        keyStart = start;
        keyEnd = end;
        at = skipBlanks(text, end);
        if (text.charCodeAt(at) === COLON) at++;
        continue;
      }
      const isContainer = code === OPEN_OBJECT || code === OPEN_ARRAY;
      node = { kind: kindOf(code), start, end, id: -1, key, keyStart, keyEnd, children: isContainer ? [] : NONE };
      key = undefined;
      keyStart = -1;
      keyEnd = -1;
      if (isContainer) {
        open.push(node);
        continue;
      }
      node.id = idOf(code === QUOTE ? `s${decodeToken(text, start, end)}` : `p${text.slice(start, end)}`);
    }
    const parent = open.at(-1);
    if (parent === undefined) return node;
    parent.children.push(node);
  }
}

function kindOf(code: number): Node['kind'] {
  if (code === OPEN_OBJECT) return 'object';
  if (code === OPEN_ARRAY) return 'list';
  return code === QUOTE ? 'string' : 'plain';
}

function contentOf({ kind, children }: Open, idOf: (content: string) => number): string {
  if (kind === 'list') return `l${children.map(({ id }) => id).join(',')}`;
  return `o${children.map(({ key, id }) => `${idOf(`s${key}`)}:${id}`).join(',')}`;
}
