/**
 * The fast scan: whether a text that JSON.parse has accepted holds anything that parsing loses. It answers only yes or
 * no; `walk.ts` then finds out what and where. Nearly all records are plain, and nearly all of those are told so by
 * `isObviouslyPlain`, which looks at the values read and leaves the text to the engine's own search: a loop over all
 * characters takes as long as parsing them.
 */
import {
  BACKSLASH,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COMMA,
  isBlank,
  isDigit,
  MINUS,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
} from './chars.ts';

/** More keys than this in one object are compared by a hash table, in the walk. */
const MAX_KEYS = 64;
const POINT = 46;
const CAPITAL_E = 69;
const SMALL_E = 101;
/** 2^53 has 16 digits. */
const UNSAFE_DIGITS = 16;
/** Doubles end at 1.8e308. */
const OVERFLOW_DIGITS = 309;
const LARGE_EXPONENT_HERE = /[eE]\+?\d\d\d/y;
/** Deeper values are left to the scan that keeps its own stack. */
const DEEPEST = 50;

// Reused by every call, which never nest: the keys seen (start and end), and per open bracket where its keys begin, or
// -1 for an array.
const keyStarts: number[] = [];
const keyEnds: number[] = [];
const frames: number[] = [];

export interface Scan {
  /**
   * False where a repeated key, an integer of 16 digits or more, an overflowing number, or a literal U+0085, U+2028 or
   * U+2029 in a string may be there.
   */
  readonly isPlain: boolean;
  /** False where no point or exponent stands in a member that is a number or a list of numbers. */
  readonly hasDecimals: boolean;
}

const PLAIN: Scan = { isPlain: true, hasDecimals: false };
const PLAIN_WITH_DECIMALS: Scan = { isPlain: true, hasDecimals: true };
const NOT_PLAIN: Scan = { isPlain: false, hasDecimals: true };

/** `text` must be valid JSON, `value` the object that it yields. `ascii`: whether the text is all ASCII. */
export function scan(text: string, value: Readonly<Record<string, unknown>>, ascii: boolean): Scan {
  if (!ascii && hasSeparator(text)) return NOT_PLAIN;
  if (isObviouslyPlain(text, value)) return hasDecimals ? PLAIN_WITH_DECIMALS : PLAIN;
  return hasPlainStructure(text) ? PLAIN_WITH_DECIMALS : NOT_PLAIN;
}

function hasSeparator(text: string): boolean {
  return text.includes('\u2028') || text.includes('\u2029') || text.includes('\u0085');
}

/** Whether no number is beyond what doubles tell apart, and the value has all the keys that the text may have. */
function isObviouslyPlain(text: string, value: Readonly<Record<string, unknown>>): boolean {
  keysRead = 0;
  hasDecimals = false;
  return readObject(value, 0) && keysRead === keysWritten(text);
}

/** Keys of all objects in the value at hand. */
let keysRead = 0;
/** In the members of the text at hand. */
let hasDecimals = false;

/** Counts keys; false where a number is too large, or the value is too deep. */
function readObject(object: Readonly<Record<string, unknown>>, depth: number): boolean {
  // Two loops over the members, since `Object.values` makes a list of each object.
  for (const key in object) {
    keysRead++;
    const value = object[key];
    if (typeof value === 'number' ? !isSafe(value) : isNested(value) && !readNested(value, depth + 1)) return false;
  }
  return true;
}

function readList(list: readonly unknown[], depth: number): boolean {
  for (let i = 0; i < list.length; i++) {
    const value = list[i];
    if (typeof value === 'number' ? !isSafe(value) : isNested(value) && !readNested(value, depth + 1)) return false;
  }
  return true;
}

function readNested(value: object, depth: number): boolean {
  if (depth > DEEPEST) return false;
  return Array.isArray(value) ? readList(value, depth) : readObject(value as Readonly<Record<string, unknown>>, depth);
}

function isSafe(value: number): boolean {
  return Math.abs(value) < 2 ** 53;
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** What stands before a colon and looks like a key but is part of a string counts, too. */
function keysWritten(text: string): number {
  let keys = 0;
  for (let colon = text.indexOf(':'); colon >= 0; colon = text.indexOf(':', colon + 1)) {
    let end = colon - 1;
    while (isBlank(text.charCodeAt(end))) end--;
    if (text.charCodeAt(end) !== QUOTE) continue;
    keys++;
    if (!hasDecimals) hasDecimals = isDecimal(text, colon + 1);
  }
  return keys;
}

/** Whether a point or an exponent stands in the number, or in the list that begins with numbers, at `at`. */
function isDecimal(text: string, at: number): boolean {
  while (isBlank(text.charCodeAt(at))) at++;
  if (text.charCodeAt(at) === OPEN_ARRAY) at++;
  for (; ; at++) {
    const code = text.charCodeAt(at);
    if (code === POINT || code === CAPITAL_E || code === SMALL_E) return true;
    if (!isDigit(code) && code !== COMMA && code !== MINUS && !isBlank(code)) return false;
  }
}

/** The same answer by structure: keys are compared within their object, digits are told apart from text. */
function hasPlainStructure(text: string): boolean {
  const length = text.length;
  let keys = 0;
  let base = -1;
  let depth = 0;
  let keyNext = false;
  let at = 0;
  while (at < length) {
    const code = text.charCodeAt(at++);
    if (code === QUOTE) {
      const start = at;
      let escaped = false;
      for (;;) {
        const inner = text.charCodeAt(at);
        if (inner === QUOTE) break;
        if (inner === BACKSLASH) {
          escaped = true;
          at += 2;
          continue;
        }
        at++;
      }
      if (keyNext) {
        if (escaped || keys - base > MAX_KEYS || hasKey(text, start, at, base, keys)) return false;
        keyStarts[keys] = start;
        keyEnds[keys++] = at;
        keyNext = false;
      }
      at++;
    } else if (code === COMMA) {
      keyNext = base >= 0;
    } else if (isDigit(code)) {
      const start = at - 1;
      let next = text.charCodeAt(at);
      while (isDigit(next)) next = text.charCodeAt(++at);
      const digits = at - start;
      if (digits >= UNSAFE_DIGITS && (digits >= OVERFLOW_DIGITS || isInteger(text, start, next))) return false;
      if ((next === 101 || next === 69) && isLargeExponent(text, at)) return false;
    } else if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
      frames[depth++] = base;
      keyNext = code === OPEN_OBJECT;
      base = keyNext ? keys : -1;
    } else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) {
      if (base >= 0) keys = base;
      base = frames[--depth] ?? -1;
      keyNext = false;
    }
  }
  return true;
}

function isLargeExponent(text: string, at: number): boolean {
  LARGE_EXPONENT_HERE.lastIndex = at;
  return LARGE_EXPONENT_HERE.test(text);
}

function isInteger(text: string, start: number, next: number): boolean {
  return text.charCodeAt(start - 1) !== 46 && next !== 46;
}

function hasKey(text: string, start: number, end: number, from: number, to: number): boolean {
  const size = end - start;
  for (let key = from; key < to; key++) {
    const other = keyStarts[key] as number;
    if ((keyEnds[key] as number) - other === size && sameText(text, other, start, size)) return true;
  }
  return false;
}

function sameText(text: string, one: number, two: number, size: number): boolean {
  for (let at = size - 1; at >= 0; at--) {
    if (text.charCodeAt(one + at) !== text.charCodeAt(two + at)) return false;
  }
  return true;
}
