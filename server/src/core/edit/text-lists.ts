/** Lists that are stored as text, in JSON or as Python prints them, also nested: where their elements stand, and edits of them. */
import type { Span } from '../finding.ts';

export interface TextNode extends Span {
  /** Of a list; undefined: a value. */
  readonly children?: readonly TextNode[];
}

/** A replacement in the decoded text. */
export interface TextPart {
  readonly span: Span;
  readonly text: string;
}

const CLOSING: Readonly<Record<string, string>> = { '[': ']', '(': ')' };
// Written so that the stack grows with escapes and not with characters, of which there may be millions.
const VALUE = /'[^'\\]*(?:\\.[^'\\]*)*'|"[^"\\]*(?:\\.[^"\\]*)*"|[^\s,[\]()'"]+/y;

/** undefined: the text is no such list. Cut at a depth that no dataset has. */
export function readTextList(text: string): TextNode | undefined {
  let at = 0;
  const skip = (): void => {
    while (at < text.length && /[\s,]/.test(text.charAt(at))) at++;
  };
  function read(depth: number): TextNode | undefined {
    const start = at;
    const close = CLOSING[text.charAt(at)];
    if (close === undefined) {
      VALUE.lastIndex = at;
      const found = VALUE.exec(text);
      if (found === null) return undefined;
      at += found[0].length;
      return { start, end: at };
    }
    if (depth > 8) return undefined;
    const children: TextNode[] = [];
    at++;
    for (skip(); at < text.length && text.charAt(at) !== close; skip()) {
      const child = read(depth + 1);
      if (child === undefined) return undefined;
      children.push(child);
    }
    if (at >= text.length) return undefined;
    at++;
    return { start, end: at, children };
  }
  skip();
  const node = CLOSING[text.charAt(at)] === undefined ? undefined : read(0);
  skip();
  return at === text.length ? node : undefined;
}

function nodeAt(root: TextNode | undefined, path: readonly number[]): TextNode | undefined {
  let node = root;
  for (const index of path) node = node?.children?.[index];
  return node;
}

/** Before the element that the path ends in, or at the end. `written`: as it is to stand there. */
export function insertInText(text: string, path: readonly number[], written: string): TextPart | undefined {
  const list = nodeAt(readTextList(text), path.slice(0, -1));
  const children = list?.children;
  const index = path.at(-1);
  if (list === undefined || children === undefined || index === undefined || index > children.length) return undefined;
  const following = children[index];
  const gap = gapIn(text, list);
  if (following !== undefined) {
    return { span: { start: following.start, end: following.start }, text: `${written},${gap}` };
  }
  const last = children.at(-1);
  if (last !== undefined) return { span: { start: last.end, end: last.end }, text: `,${gap}${written}` };
  return { span: { start: list.start + 1, end: list.end - 1 }, text: written };
}

/** Elements of one list, each with the comma that then would be one too many; as in lists of JSON. */
export function removeInText(
  text: string,
  list: readonly number[],
  indices: ReadonlySet<number>,
): readonly TextPart[] | undefined {
  const children = nodeAt(readTextList(text), list)?.children;
  if (children === undefined || [...indices].some((index) => children[index] === undefined)) return undefined;
  const parts: TextPart[] = [];
  for (let first = 0; first < children.length; first++) {
    if (!indices.has(first)) continue;
    let last = first;
    while (indices.has(last + 1)) last++;
    const [before, after] = [children[first - 1], children[last + 1]];
    const start = after === undefined && before !== undefined ? before.end : children[first]!.start;
    parts.push({ span: { start, end: after?.start ?? children[last]!.end }, text: '' });
    first = last;
  }
  return parts;
}

/** What differs: of lists of equal length the elements. */
export function replaceInText(text: string, path: readonly number[], value: unknown): readonly TextPart[] | undefined {
  const node = nodeAt(readTextList(text), path);
  if (node === undefined) return undefined;
  if (Array.isArray(value) && node.children?.length === value.length) {
    const parts = value.map((element, at) => replaceInText(text, [...path, at], element));
    return parts.every((part) => part !== undefined) ? parts.flat() : undefined;
  }
  const own = text.slice(node.start, node.end);
  const isSame = typeof value === 'number' && Number(own) === value;
  return isSame ? [] : [{ span: node, text: writeInText(value, text) }];
}

/** Where an element stands in the decoded text. */
export function spanInList(text: string, path: readonly number[]): Span | undefined {
  const node = nodeAt(readTextList(text), path);
  return node && { start: node.start, end: node.end };
}

/** The text of an element, as it stands. */
export function elementText(text: string, path: readonly number[]): string | undefined {
  const node = nodeAt(readTextList(text), path);
  return node && text.slice(node.start, node.end);
}

/** A value as the list writes such: its quotation marks and blanks. */
export function writeInText(value: unknown, text: string): string {
  if (Array.isArray(value)) {
    return `[${value.map((element) => writeInText(element, text)).join(`,${gapIn(text, readTextList(text))}`)}]`;
  }
  if (typeof value !== 'string') return String(value ?? (text.includes('None') ? 'None' : 'null'));
  const quote = /['"]/.exec(text)?.[0] ?? "'";
  return quote + value.replace(NEEDS_ESCAPE, (sign) => escaped(sign, quote)) + quote;
}

// eslint-disable-next-line no-control-regex -- what neither JSON nor Python has in a string as it is
const NEEDS_ESCAPE = /[\\'"\x00-\x1f]/g;
const SHORT: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escaped(sign: string, quote: string): string {
  if (sign === '"' || sign === "'") return sign === quote ? `\\${sign}` : sign;
  return SHORT[sign] ?? `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** The blanks after a comma. */
function gapIn(text: string, list: TextNode | undefined): string {
  const [first, second] = list?.children ?? [];
  if (first !== undefined && second !== undefined) return text.slice(first.end, second.start).replace(/^\s*,/, '');
  return /,(\s*)/.exec(text)?.[1] ?? ' ';
}
