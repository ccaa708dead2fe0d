/**
 * From JSON pointers to places in a record's text and back. All of it works on the text alone, one level at a time and
 * without recursion, tolerates NaN and broken text (what cannot be read is stepped over), and builds nothing: places are
 * asked for only where there is a finding or a cursor.
 *
 * An own walk and not jsonc-parser's tree: that recurses (10,000 levels end it), stops at NaN, and takes 244 ms for
 * 10 MB of records of which one pointer is wanted.
 */
import type { Position, Span } from '../finding.ts';
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
import { lineStarts, locate } from './lines.ts';
import { joinPointer, parsePointer } from './pointer.ts';
import type { RecordSlot } from './types.ts';

/** One member of an object or element of an array. */
interface Member {
  /** Key or index. */
  readonly name: string | number;
  /** The key's token with its quotation marks; undefined for elements. */
  readonly key: Span | undefined;
  readonly value: Span;
}

/**
 * The span of the value at a pointer, or with `onKey` of its key's token, quotation marks included. Where a key stands
 * more than once, the last one counts, as for JSON.parse. undefined: there is no such place.
 */
export function spanOfPointer(text: string, pointer: string, onKey = false): Span | undefined {
  let value: Span = { start: skipBlanks(text, 0), end: text.length };
  let key: Span | undefined;
  const segments = parsePointer(pointer);
  if (segments.length === 0) return onKey ? undefined : trimmed(text);
  for (const [level, segment] of segments.entries()) {
    const member = findMember(text, value.start, segment, level === segments.length - 1);
    if (member === undefined) return undefined;
    ({ key, value } = member);
  }
  return onKey ? key : value;
}

/**
 * The pointer of the innermost value at an offset; on a key or its colon, that of the value it names. undefined: the
 * offset lies outside of the record's value.
 */
export function pointerAt(text: string, offset: number): string | undefined {
  const root = trimmed(text);
  if (offset < root.start || offset > root.end) return undefined;
  let pointer = '';
  let start = root.start;
  for (;;) {
    let inside: Member | undefined;
    for (const member of members(text, start, offset)) {
      const from = member.key?.start ?? member.value.start;
      if (offset < from) break;
      if (offset <= member.value.end) inside = member;
    }
    if (inside === undefined) return pointer;
    pointer = joinPointer(pointer, inside.name);
    if (offset < inside.value.start) return pointer;
    start = inside.value.start;
  }
}

/**
 * Where a part of a decoded string stands in the text. `valueSpan` is the string's token with its quotation marks,
 * `decoded` counts UTF-16 units of the decoded string; an end inside a surrogate pair is moved out of it.
 */
export function spanInString(text: string, valueSpan: Span, decoded: Span): Span {
  let at = valueSpan.start + 1;
  const last =
    text.charCodeAt(valueSpan.end - 1) === QUOTE && valueSpan.end - valueSpan.start > 1
      ? valueSpan.end - 1
      : valueSpan.end;
  let start: number | undefined;
  let end: number | undefined;
  for (let unit = 0; at < last;) {
    const next = Math.min(nextUnit(text, at), last);
    const low = isHighSurrogate(unitAt(text, at)) && next < last && isLowSurrogate(unitAt(text, next));
    const after = low ? Math.min(nextUnit(text, next), last) : next;
    const units = low ? 2 : 1;
    if (start === undefined && decoded.start < unit + units) start = at;
    if (decoded.end <= unit + units) {
      end = decoded.end <= unit ? at : after;
      break;
    }
    unit += units;
    at = after;
  }
  const from = start ?? last;
  return { start: from, end: Math.max(from, end ?? last) };
}

const starts = new WeakMap<RecordSlot, readonly number[]>();

/** The place in the file of an offset inside a record's text. Line starts are found once per slot. */
export function positionIn(slot: RecordSlot, offset: number): Position {
  let lines = starts.get(slot);
  if (lines === undefined) {
    lines = lineStarts(slot.text);
    starts.set(slot, lines);
  }
  if (lines.length === 1) return { line: slot.line, column: slot.column + offset };
  const { line, column } = locate(lines, offset);
  return line === 0 ? { line: slot.line, column: slot.column + column } : { line: slot.line + line, column };
}

/** The offset inside a record's text of a place in the file; undefined outside of the record. */
export function offsetIn(slot: RecordSlot, position: Position): number | undefined {
  const line = position.line - slot.line;
  const lines = starts.get(slot) ?? lineStarts(slot.text);
  const start = lines[line];
  if (start === undefined) return undefined;
  const offset = start + position.column - (line === 0 ? slot.column : 0);
  return offset >= 0 && offset <= slot.text.length ? offset : undefined;
}

function findMember(text: string, start: number, segment: string, isLast: boolean): Member | undefined {
  const isArray = text.charCodeAt(start) === OPEN_ARRAY;
  let found: Member | undefined;
  for (const member of members(text, start, undefined)) {
    if (String(member.name) !== segment) continue;
    found = member;
    if (isArray) break;
  }
  return found === undefined || isLast || isBracket(text, found.value.start) ? found : undefined;
}

/** The members of the object or array at `start`, in order; none for other values. Ends after `until`, where given. */
function* members(text: string, start: number, until: number | undefined): Generator<Member> {
  const open = text.charCodeAt(start);
  if (open !== OPEN_OBJECT && open !== OPEN_ARRAY) return;
  const close = open === OPEN_OBJECT ? CLOSE_OBJECT : CLOSE_ARRAY;
  let at = start + 1;
  let index = 0;
  for (;;) {
    at = skipBlanks(text, at);
    if (at >= text.length || (until !== undefined && at > until)) return;
    const code = text.charCodeAt(at);
    if (code === close) return;
    if (code === COMMA || code === COLON || code === CLOSE_OBJECT || code === CLOSE_ARRAY) {
      at++;
      continue;
    }
    if (open === OPEN_ARRAY) {
      const value = { start: at, end: endOfValue(text, at) };
      yield { name: index++, key: undefined, value };
      at = value.end;
      continue;
    }
    const key = { start: at, end: endOfValue(text, at) };
    at = skipBlanks(text, key.end);
    if (text.charCodeAt(at) !== COLON) continue;
    at = skipBlanks(text, at + 1);
    const next = text.charCodeAt(at);
    const empty = at >= text.length || next === COMMA || next === CLOSE_OBJECT || next === CLOSE_ARRAY;
    const value = { start: at, end: empty ? at : endOfValue(text, at) };
    yield { name: decodeString(text.slice(key.start, key.end)), key, value };
    at = value.end;
  }
}

/** The offset after the value at `at`; always beyond `at`. */
function endOfValue(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code === QUOTE) return endOfString(text, at);
  if (code !== OPEN_OBJECT && code !== OPEN_ARRAY) {
    let end = at + 1;
    while (end < text.length && !endsScalar(text.charCodeAt(end))) end++;
    return end;
  }
  let depth = 0;
  for (let end = at; end < text.length;) {
    const inner = text.charCodeAt(end);
    if (inner === QUOTE) {
      end = endOfString(text, end);
      continue;
    }
    end++;
    if (inner === OPEN_OBJECT || inner === OPEN_ARRAY) depth++;
    else if ((inner === CLOSE_OBJECT || inner === CLOSE_ARRAY) && --depth === 0) return end;
  }
  return text.length;
}

function endOfString(text: string, at: number): number {
  for (let end = at + 1; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (code === QUOTE) return end + 1;
    if (code === BACKSLASH) end++;
  }
  return text.length;
}

function endsScalar(code: number): boolean {
  return (
    isBlank(code) ||
    code === COMMA ||
    code === COLON ||
    code === QUOTE ||
    code === CLOSE_ARRAY ||
    code === CLOSE_OBJECT ||
    code === OPEN_ARRAY ||
    code === OPEN_OBJECT
  );
}

function decodeString(token: string): string {
  if (!token.includes('\\') && token.length > 1 && token.startsWith('"') && token.endsWith('"'))
    return token.slice(1, -1);
  try {
    return String(JSON.parse(token));
  } catch {
    return token.replace(/^"|"$/g, '');
  }
}

function isBracket(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === OPEN_OBJECT || code === OPEN_ARRAY;
}

function skipBlanks(text: string, at: number): number {
  let next = at;
  while (next < text.length && isBlank(text.charCodeAt(next))) next++;
  return next;
}

/** The record's text without outer blanks. */
function trimmed(text: string): Span {
  const start = skipBlanks(text, 0);
  let end = text.length;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return { start, end };
}

function nextUnit(text: string, at: number): number {
  if (text.charCodeAt(at) !== BACKSLASH) return at + 1;
  return text.charAt(at + 1) === 'u' ? at + 6 : at + 2;
}

/** The decoded UTF-16 unit that starts at an offset, as far as surrogates matter. */
function unitAt(text: string, at: number): number {
  if (text.charCodeAt(at) !== BACKSLASH) return text.charCodeAt(at);
  return text.charAt(at + 1) === 'u' ? Number.parseInt(text.slice(at + 2, at + 6), 16) : 0;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}
