/**
 * One pass over the structure of a record's text, without recursion and in time linear to its length, however deep it
 * is. It tolerates NaN and broken text: a closing bracket closes whatever is open, what cannot be read is stepped over.
 */
import {
  BACKSLASH,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  isBlank,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
} from './chars.ts';

export interface Visitor {
  /**
   * A value begins, at a depth of 1 or more (the number of its pointer's segments). `keyStart` and `keyEnd` enclose its
   * key's token, quotation marks included; in arrays both are -1 and `index` is its 0-based place, else -1. True stops.
   */
  start(depth: number, valueStart: number, index: number, keyStart: number, keyEnd: number): boolean;
  /** The value of that depth ends before `valueEnd`. True stops. */
  end(depth: number, valueEnd: number): boolean;
}

/** Visits what is inside the first value of a text; nothing where that is neither object nor array. */
export function visit(text: string, visitor: Visitor): void {
  // Per open bracket: the next index in arrays, -1 in objects.
  const indices: number[] = [];
  let keyStart = -1;
  let keyEnd = -1;
  let at = skipBlanks(text, 0);
  if (!isOpening(text.charCodeAt(at))) return;
  indices.push(text.charCodeAt(at++) === OPEN_ARRAY ? 0 : -1);

  while (indices.length > 0) {
    at = skipBlanks(text, at);
    const depth = indices.length;
    const top = indices[depth - 1] as number;
    const code = text.charCodeAt(at);
    const atEnd = at >= text.length;
    if (atEnd || code === COMMA || code === CLOSE_OBJECT || code === CLOSE_ARRAY) {
      if (keyStart >= 0) {
        // A key without its value.
        if (visitor.start(depth, at, -1, keyStart, keyEnd) || visitor.end(depth, at)) return;
        keyStart = -1;
      }
      if (atEnd) break;
      at++;
      if (code === COMMA) continue;
      indices.pop();
      if (depth > 1 && visitor.end(depth - 1, at)) return;
      continue;
    }
    if (code === COLON) {
      at++;
      continue;
    }
    if (top < 0 && keyStart < 0 && !isOpening(code)) {
      const end = code === QUOTE ? endOfString(text, at) : endOfScalar(text, at);
      const colon = skipBlanks(text, end);
      if (text.charCodeAt(colon) === COLON) {
        keyStart = at;
        keyEnd = end;
        at = colon + 1;
      } else at = end;
      continue;
    }
    if (visitor.start(depth, at, top, keyStart, keyEnd)) return;
    if (top >= 0) indices[depth - 1] = top + 1;
    keyStart = -1;
    if (isOpening(code)) {
      indices.push(code === OPEN_ARRAY ? 0 : -1);
      at++;
      continue;
    }
    at = code === QUOTE ? endOfString(text, at) : endOfScalar(text, at);
    if (visitor.end(depth, at)) return;
  }
  // Cut off: what is still open ends with the text.
  for (let depth = indices.length - 1; depth > 0; depth--) if (visitor.end(depth, text.length)) return;
}

export function skipBlanks(text: string, at: number): number {
  let next = at;
  while (next < text.length && isBlank(text.charCodeAt(next))) next++;
  return next;
}

function isOpening(code: number): boolean {
  return code === OPEN_OBJECT || code === OPEN_ARRAY;
}

/** The offset after the string that opens at `at`; the text's end where it is not closed. */
export function endOfString(text: string, at: number): number {
  return endOfClosedString(text, at) ?? text.length;
}

/**
 * The offset after the first key of the text's object, quotation mark included; undefined: it does not begin with one. A pattern
 * for strings overflows its stack where they have megabytes. `isBraceOptional`: the text may begin with the key.
 */
export function endOfFirstKey(text: string, isBraceOptional = false): number | undefined {
  const opening = (isBraceOptional ? BRACE_OR_KEY : BRACE_AND_KEY).exec(text)?.[0];
  return opening === undefined ? undefined : endOfClosedString(text, opening.length - 1);
}

const BRACE_AND_KEY = /^\s*\{\s*"/;
const BRACE_OR_KEY = /^(?:\{\s*)?"/;

function endOfClosedString(text: string, at: number): number | undefined {
  for (let from = at + 1; ;) {
    const close = text.indexOf('"', from);
    if (close < 0) return undefined;
    let backslashes = 0;
    while (close - backslashes - 1 > at && text.charCodeAt(close - backslashes - 1) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return close + 1;
    from = close + 1;
  }
}

/** The offset after a number or word; always beyond `at`. */
function endOfScalar(text: string, at: number): number {
  let end = at + 1;
  while (end < text.length && !endsScalar(text.charCodeAt(end))) end++;
  return end;
}

function endsScalar(code: number): boolean {
  return (
    isBlank(code) ||
    code === COMMA ||
    code === COLON ||
    code === QUOTE ||
    code === CLOSE_ARRAY ||
    code === CLOSE_OBJECT ||
    isOpening(code)
  );
}
