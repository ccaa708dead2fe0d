/**
 * The fast scan: whether a text that JSON.parse has accepted holds anything that parsing loses. It answers only yes or
 * no; `walk.ts` then finds out what and where. Nearly all records are plain, and nearly all of those are told so by
 * `isObviouslyPlain`, which leaves most characters to the engine's own search (13 ms for 10 MB where a loop over all
 * characters takes 40).
 */
import {
  BACKSLASH,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COMMA,
  isBlank,
  isDigit,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
} from './chars.ts';

/** More keys than this in one record or object are compared by a hash table, in the walk. */
const MAX_KEYS = 64;
/** 2^53 has 16 digits. */
const UNSAFE_DIGITS = 16;
/** Doubles end at 1.8e308. */
const OVERFLOW_DIGITS = 309;
const LARGE_EXPONENT = /\d[eE]\+?\d\d\d/;
const ODD_NUMBER = /\d(?:[eE][+-]?\d|\.0+[\s,\]}])/;
const LARGE_EXPONENT_HERE = /[eE]\+?\d\d\d/y;

// Reused by every call, which never nest: the keys seen (start and end), and per open bracket where its keys begin, or
// -1 for an array.
const keyStarts: number[] = [];
const keyEnds: number[] = [];
const frames: number[] = [];

/** Whether a number may be written with an exponent or a fraction of zeros; what looks so in a string counts too. */
export function hasOddNumber(text: string): boolean {
  return ODD_NUMBER.test(text);
}

/**
 * False where a repeated key, an integer of 16 digits or more, an overflowing number, or a literal U+0085, U+2028 or
 * U+2029 in a string may be there. `text` must be valid JSON, `value` the object that it yields.
 */
export function isPlain(
  text: string,
  value: Readonly<Record<string, unknown>>,
  oddNumbers = hasOddNumber(text),
): boolean {
  if (text.includes('\u2028') || text.includes('\u2029') || text.includes('\u0085')) return false;
  return isObviouslyPlain(text, value, oddNumbers) || hasPlainStructure(text);
}

function isObviouslyPlain(text: string, value: Readonly<Record<string, unknown>>, oddNumbers: boolean): boolean {
  if (hasManyDigits(text) || (oddNumbers && LARGE_EXPONENT.test(text))) return false;
  return isFlatWithAllKeys(text, value) || allKeysDiffer(text);
}

/**
 * Whether the text is one object without others in it, and the object read has as many keys as the text. A colon behind
 * a quotation mark that is part of a string can only make the answer false.
 */
function isFlatWithAllKeys(text: string, value: Readonly<Record<string, unknown>>): boolean {
  if (text.indexOf('{', text.indexOf('{') + 1) >= 0) return false;
  let keys = 0;
  for (let colon = text.indexOf(':'); colon >= 0; colon = text.indexOf(':', colon + 1)) {
    let end = colon - 1;
    while (isBlank(text.charCodeAt(end))) end--;
    if (text.charCodeAt(end) === QUOTE) keys++;
  }
  return keys === Object.keys(value).length;
}

/** Whether a run of 16 digits stands anywhere: it must cover one of every 16 places. */
function hasManyDigits(text: string): boolean {
  for (let at = UNSAFE_DIGITS - 1; at < text.length; at += UNSAFE_DIGITS) {
    if (!isDigit(text.charCodeAt(at))) continue;
    let start = at;
    while (isDigit(text.charCodeAt(start - 1))) start--;
    while (isDigit(text.charCodeAt(at + 1))) at++;
    if (at - start >= UNSAFE_DIGITS - 1) return true;
  }
  return false;
}

/**
 * Whether no two keys of the whole text are spelled the same, at whatever depth. What stands before a colon and looks
 * like a key but is part of a string can only make the answer false.
 */
function allKeysDiffer(text: string): boolean {
  let keys = 0;
  for (let colon = text.indexOf(':'); colon >= 0; colon = text.indexOf(':', colon + 1)) {
    let end = colon - 1;
    while (isBlank(text.charCodeAt(end))) end--;
    if (text.charCodeAt(end) !== QUOTE) continue;
    let start = end;
    for (;;) {
      const code = text.charCodeAt(--start);
      if (code === QUOTE) break;
      if (code === BACKSLASH || start < 0) return false;
    }
    start++;
    if (keys >= MAX_KEYS || hasKey(text, start, end, 0, keys)) return false;
    keyStarts[keys] = start;
    keyEnds[keys++] = end;
  }
  return true;
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
