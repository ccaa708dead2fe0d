/** Where in a record somebody writes, also where the text is not JSON yet: in one pass without recursion. */
import type { Span } from '../finding.ts';
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
} from '../text/chars.ts';
import { decodeString } from '../text/offsets.ts';
import { skipBlanks } from '../text/visit.ts';

export interface WritingPlace {
  /** A member's key is to be written, or a value. */
  readonly kind: 'key' | 'value';
  /** What leads to the object whose key it is, or to the value. */
  readonly path: readonly (string | number)[];
  /** What stands there and is to be replaced; empty where nothing does. */
  readonly token: Span;
  readonly isString: boolean;
  /** The other keys of the object that is written in. */
  readonly keys: readonly string[];
  /** The other elements of the list that is written in, as they are spelled; lists and objects among them are left out. */
  readonly elements: readonly string[];
  /** Where a comma is missing before it: behind the value there. */
  readonly commaAt: number | undefined;
  /** Whether a comma is missing behind it. */
  readonly wantsComma: boolean;
  /** Whether a colon follows the key. */
  readonly hasColon: boolean;
}

interface Frame {
  readonly isObject: boolean;
  /** What is expected next. */
  next: 'key' | 'colon' | 'value' | 'comma';
  key: string;
  index: number;
  /** The end of the last value; -1 before the first one. */
  valueEnd: number;
  readonly keys: string[];
  readonly elements: string[];
}

/** Members and elements that are remembered. */
const MOST = 5_000;

/** undefined: nothing can be written at the offset, such as behind the record or between a key and its colon. */
export function writingPlace(text: string, offset: number): WritingPlace | undefined {
  const frames: Frame[] = [];
  let found: { readonly place: Omit<WritingPlace, 'keys' | 'elements'>; readonly frame: Frame } | undefined;
  let at = skipBlanks(text, 0);
  if (offset <= at) return undefined;
  for (;;) {
    at = skipBlanks(text, at);
    const frame = frames.at(-1);
    const end = at < text.length ? endOfToken(text, at) : at;
    if (found === undefined && frame !== undefined && isHere(text, at, end, offset)) {
      const place = placeIn(text, frames, frame, at, end, offset);
      if (place === undefined) return undefined;
      found = { place, frame };
      if (place.token.end > place.token.start) {
        // What stands there is none of the others.
        at = place.token.end;
        advance(frame, place.kind === 'key' ? (place.hasColon ? 'key' : 'value') : 'value', at);
        continue;
      }
    }
    if (at >= text.length) break;
    const code = text.charCodeAt(at);
    if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
      const isObject = code === OPEN_OBJECT;
      frames.push({
        isObject,
        next: isObject ? 'key' : 'value',
        key: '',
        index: 0,
        valueEnd: -1,
        keys: [],
        elements: [],
      });
    } else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) {
      const closed = frames.pop();
      if (closed === found?.frame && found !== undefined) break;
      const outer = frames.at(-1);
      if (outer === undefined) break;
      advance(outer, 'value', end);
    } else if (frame !== undefined) read(text, frame, at, end, code);
    else break;
    at = end;
  }
  return found && { ...found.place, keys: found.frame.keys, elements: found.frame.elements };
}

function read(text: string, frame: Frame, at: number, end: number, code: number): void {
  if (code === COLON) frame.next = 'value';
  else if (code === COMMA) {
    frame.next = frame.isObject ? 'key' : 'value';
    if (!frame.isObject) frame.index++;
  } else if (frame.isObject && code === QUOTE && (frame.next === 'key' || startsMember(text, frame, end))) {
    frame.key = decodeString(text.slice(at, end));
    if (frame.keys.length < MOST) frame.keys.push(frame.key);
    frame.next = 'colon';
  } else {
    if (!frame.isObject && frame.elements.length < MOST) frame.elements.push(text.slice(at, Math.min(end, at + 200)));
    advance(frame, 'value', end);
  }
}

/** A string behind a value without a comma between them, followed by a colon. */
function startsMember(text: string, frame: Frame, end: number): boolean {
  return frame.next === 'comma' && text.charCodeAt(skipBlanks(text, end)) === COLON;
}

function advance(frame: Frame, what: 'key' | 'value', end: number): void {
  if (what === 'key') frame.next = 'colon';
  else {
    frame.next = 'comma';
    frame.valueEnd = end;
  }
}

/** Whether the offset lies in the token that begins at `at`, or before it. */
function isHere(text: string, at: number, end: number, offset: number): boolean {
  if (offset < at || at >= text.length) return true;
  const code = text.charCodeAt(at);
  if (code === QUOTE) return offset > at && (offset < end || !isClosed(text, at, end));
  if (isSign(code)) return offset === at;
  return offset <= end;
}

function placeIn(
  text: string,
  frames: readonly Frame[],
  frame: Frame,
  at: number,
  end: number,
  offset: number,
): Omit<WritingPlace, 'keys' | 'elements'> | undefined {
  const isToken = at < text.length && offset >= at && !isSign(text.charCodeAt(at));
  const isString = isToken && text.charCodeAt(at) === QUOTE;
  const isKey = frame.isObject && (frame.next === 'key' || frame.next === 'comma');
  if (frame.next === 'colon') return undefined;
  // Behind a value that is complete a key may follow only after a blank or a new line.
  if (frame.next === 'comma' && !isToken && offset === frame.valueEnd) return undefined;
  const outer = frames.slice(0, -1).map((one) => (one.isObject ? one.key : one.index));
  const own = frame.isObject ? frame.key : frame.index + (frame.next === 'comma' ? 1 : 0);
  let token: Span = isToken ? { start: at, end } : { start: offset, end: offset };
  // An opening quotation mark alone has swallowed what follows it.
  if (isString && swallows(text, end, isKey)) token = { start: at, end: offset };
  const next = skipBlanks(text, token.end);
  const code = text.charCodeAt(next);
  const isEnd = next >= text.length || code === COMMA || code === CLOSE_OBJECT || code === CLOSE_ARRAY;
  const hasColon = isKey && code === COLON;
  return {
    kind: isKey ? 'key' : 'value',
    path: isKey ? outer : [...outer, own],
    token,
    isString,
    commaAt: frame.next === 'comma' && frame.valueEnd >= 0 ? frame.valueEnd : undefined,
    wantsComma: !isEnd && !hasColon,
    hasColon,
  };
}

/** What follows it follows no string of JSON. */
function swallows(text: string, end: number, isKey: boolean): boolean {
  const next = skipBlanks(text, end);
  const code = text.charCodeAt(next);
  if (next >= text.length || code === COMMA || code === QUOTE) return false;
  return isKey ? code !== COLON && code !== CLOSE_OBJECT : code !== CLOSE_OBJECT && code !== CLOSE_ARRAY;
}

function isSign(code: number): boolean {
  return (
    code === COMMA ||
    code === COLON ||
    code === OPEN_OBJECT ||
    code === OPEN_ARRAY ||
    code === CLOSE_OBJECT ||
    code === CLOSE_ARRAY
  );
}

function endOfToken(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (isSign(code)) return at + 1;
  if (code === QUOTE) return endOfString(text, at);
  let end = at + 1;
  while (end < text.length && !isBlank(text.charCodeAt(end)) && !isSign(text.charCodeAt(end))) {
    if (text.charCodeAt(end) === QUOTE) break;
    end++;
  }
  return end;
}

/** The offset after the string that opens at `at`: that of its closing mark, or the end of the text. */
function endOfString(text: string, at: number): number {
  for (let from = at + 1; ;) {
    const close = text.indexOf('"', from);
    if (close < 0) return text.length;
    let backslashes = 0;
    while (close - backslashes - 1 > at && text.charCodeAt(close - backslashes - 1) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return close + 1;
    from = close + 1;
  }
}

function isClosed(text: string, at: number, end: number): boolean {
  return end - at > 1 && text.charCodeAt(end - 1) === QUOTE && endOfString(text, at) === end && end <= text.length;
}

/** The text with what makes it JSON again, as far as the place itself is at fault: what stands there gives way to `null`. */
export function repairedAt(text: string, { kind, token, commaAt, wantsComma, hasColon }: WritingPlace): string {
  const comma = wantsComma ? ',' : '';
  const own = kind === 'value' ? `null${comma}` : hasColon ? '""' : `"":null${comma}`;
  const head =
    commaAt === undefined
      ? text.slice(0, token.start)
      : `${text.slice(0, commaAt)},${text.slice(commaAt, token.start)}`;
  return head + own + text.slice(token.end);
}
