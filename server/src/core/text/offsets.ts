/**
 * From JSON pointers to places in a record's text and back. All of it works on the text alone, tolerates NaN and broken
 * text, and builds nothing: places are asked for only where there is a finding or a cursor.
 *
 * An own walk and not jsonc-parser's tree: that recurses (10,000 levels end it), stops at NaN, and takes 244 ms for
 * 10 MB of records of which one pointer is wanted.
 */
import type { Position, Span } from '../finding.ts';
import { BACKSLASH, isBlank, QUOTE } from './chars.ts';
import { lineStarts, locate } from './lines.ts';
import { parsePointer, pointerOf } from './pointer.ts';
import type { RecordSlot } from './types.ts';
import { skipBlanks, visit } from './visit.ts';

/**
 * The span of the value at a pointer, or with `onKey` of its key's token, quotation marks included. Where a key stands
 * more than once, the last one counts, as for JSON.parse. undefined: there is no such place.
 */
export function spanOfPointer(text: string, pointer: string, onKey = false): Span | undefined {
  const segments = parsePointer(pointer);
  const wanted = segments.length;
  if (wanted === 0) return onKey ? undefined : trimmed(text);
  let value: Span | undefined;
  let key: Span | undefined;
  /** How many segments the open brackets match. */
  let matched = 0;
  let start = -1;
  visit(text, {
    start(depth, valueStart, index, keyStart, keyEnd) {
      if (depth !== matched + 1 || start >= 0) return false;
      const segment = segments[matched] as string;
      if (index >= 0 ? String(index) !== segment : !isKey(text, keyStart, keyEnd, segment)) return false;
      // A repeated key takes the place of the one before.
      value = undefined;
      key = undefined;
      if (depth < wanted) matched = depth;
      else {
        start = valueStart;
        if (keyStart >= 0) key = { start: keyStart, end: keyEnd };
      }
      return false;
    },
    end(depth, valueEnd) {
      if (depth === wanted && start >= 0) {
        value = { start, end: valueEnd };
        start = -1;
      } else if (depth === matched) matched--;
      return false;
    },
  });
  return onKey ? key : value;
}

/** The spans of all values that a pointer with `*` for list elements leads to, in the order of the text. */
export function spansOfPattern(text: string, pattern: string): Span[] {
  const segments = parsePointer(pattern);
  const found: Span[] = [];
  let matched = 0;
  let start = -1;
  visit(text, {
    start(depth, valueStart, index, keyStart, keyEnd) {
      if (depth !== matched + 1 || start >= 0) return false;
      const segment = segments[matched] as string;
      const fits = index >= 0 ? segment === '*' || String(index) === segment : isKey(text, keyStart, keyEnd, segment);
      if (!fits) return false;
      if (depth < segments.length) matched = depth;
      else start = valueStart;
      return false;
    },
    end(depth, valueEnd) {
      if (depth === segments.length && start >= 0) {
        found.push({ start, end: valueEnd });
        start = -1;
      } else if (depth === matched) matched--;
      return false;
    },
  });
  return found;
}

/**
 * The pointer of the innermost value at an offset; on a key or its colon, that of the value it names. undefined: the
 * offset lies outside of the record's value.
 */
export function pointerAt(text: string, offset: number): string | undefined {
  const root = trimmed(text);
  if (offset < root.start || offset > root.end) return undefined;
  /** Per depth the index, or the span of the key. */
  const path: (number | Span)[] = [];
  visit(text, {
    start(depth, valueStart, index, keyStart, keyEnd) {
      if (offset < (keyStart >= 0 ? keyStart : valueStart)) return true;
      path[depth - 1] = index >= 0 ? index : { start: keyStart, end: keyEnd };
      return offset < valueStart;
    },
    end(depth, valueEnd) {
      if (offset <= valueEnd) return true;
      path.length = depth - 1;
      return false;
    },
  });
  return pointerOf(
    path.map((step) => (typeof step === 'number' ? step : decodeString(text.slice(step.start, step.end)))),
  );
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
  if (slot.lens !== undefined) return slot.lens.position(offset);
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
  if (slot.lens !== undefined) return slot.lens.offset(position);
  const line = position.line - slot.line;
  const lines = starts.get(slot) ?? lineStarts(slot.text);
  const start = lines[line];
  if (start === undefined) return undefined;
  const offset = start + position.column - (line === 0 ? slot.column : 0);
  return offset >= 0 && offset <= slot.text.length ? offset : undefined;
}

function isKey(text: string, start: number, end: number, key: string): boolean {
  return start >= 0 && decodeString(text.slice(start, end)) === key;
}

/** What a key's or string's token spells; of a broken one what stands between its quotation marks. */
export function decodeString(token: string): string {
  if (!token.includes('\\') && token.length > 1 && token.startsWith('"') && token.endsWith('"'))
    return token.slice(1, -1);
  try {
    return String(JSON.parse(token));
  } catch {
    return token.replace(/^"|"$/g, '');
  }
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
