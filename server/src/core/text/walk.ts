/**
 * The full walk over a record's text: the JSON grammar, widened by NaN and Infinity as values, with the pointer of every
 * value. It finds what parsing loses and, where the text is not JSON, the first place that breaks the grammar and why.
 * It keeps its own stack, so that 100,000 levels are no danger.
 */
import type { Span } from '../finding.ts';
import {
  BACKSLASH,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  codePointName,
  COLON,
  COMMA,
  isBlank,
  isSeparator,
  MINUS,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
  SEPARATOR_NAMES,
} from './chars.ts';
import { describeBreak } from './diagnose.ts';
import type { Expectation } from './diagnose.ts';
import { place } from './place.ts';
import { describePointer, pointerOf } from './pointer.ts';
import type { TextFault } from './types.ts';

export interface NonFinite {
  readonly span: Span;
  readonly pointer: string;
}

export interface Walk {
  /** The first break of the grammar; the walk ends there. */
  readonly broken: TextFault | undefined;
  /** Repeated keys, unsafe numbers, line separators, non-finite numbers, in order of place. */
  readonly faults: readonly TextFault[];
  /** NaN, Infinity and -Infinity: no JSON, and to be read as null. */
  readonly nonFinite: readonly NonFinite[];
  /** Numbers that overflow to infinity: valid JSON, and to be read as null. */
  readonly overflowing: readonly string[];
}

interface Frame {
  /** Offsets of the keys seen, by name; undefined for arrays. */
  readonly keys: Map<string, number> | undefined;
  readonly start: number;
}

const NON_FINITE = /(?:NaN|-?Infinity)(?![\w$])/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+$])/y;
const LITERAL = /(?:true|false|null)(?![\w$])/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const INTEGER = /^-?\d+$/;

export function walk(text: string): Walk {
  const faults: TextFault[] = [];
  const nonFinite: NonFinite[] = [];
  const overflowing: string[] = [];
  const frames: Frame[] = [];
  /** Per open bracket the key or index that is being read. */
  const path: (string | number)[] = [];
  let expected: Expectation = 'value';
  let last = -1;
  let at = 0;

  const here = (): string => pointerOf(path);
  const end = (broken: TextFault | undefined): Walk => ({ broken, faults, nonFinite, overflowing });
  const breakAt = (offset: number): Walk =>
    end(describeBreak(text, offset, expected, { last, opened: frames.at(-1)?.start, root: frames[0]?.start }));

  for (;;) {
    while (at < text.length && isBlank(text.charCodeAt(at))) at++;
    if (at >= text.length) return expected === 'end' ? end(undefined) : breakAt(at);
    const code = text.charCodeAt(at);
    const frame = frames.at(-1);

    if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) {
      const closesObject = code === CLOSE_OBJECT;
      const mayClose = closesObject
        ? expected === 'key-or-close' || (expected === 'comma-or-close' && frame?.keys !== undefined)
        : expected === 'value-or-close' || (expected === 'comma-or-close' && frame?.keys === undefined);
      if (!mayClose || frame === undefined) return breakAt(at);
      frames.pop();
      path.pop();
      expected = frames.length === 0 ? 'end' : 'comma-or-close';
      last = at++;
      continue;
    }

    switch (expected) {
      case 'end':
        return breakAt(at);
      case 'comma-or-close':
        if (code !== COMMA) return breakAt(at);
        if (frame?.keys === undefined) path.push((path.pop() as number) + 1);
        expected = frame?.keys === undefined ? 'value' : 'key';
        last = at++;
        continue;
      case 'colon':
        if (code !== COLON) return breakAt(at);
        expected = 'value';
        last = at++;
        continue;
      case 'key':
      case 'key-or-close': {
        const close = code === QUOTE ? endOfString(text, at) : undefined;
        if (close === undefined || frame?.keys === undefined) return breakAt(at);
        const key = JSON.parse(text.slice(at, close)) as string;
        path[path.length - 1] = key;
        const earlier = frame.keys.get(key);
        if (earlier === undefined) frame.keys.set(key, at);
        else faults.push(duplicateKey(text, key, earlier, { start: at, end: close }, here()));
        reportSeparators(text, at, close, here, 'key', faults);
        expected = 'colon';
        last = at;
        at = close;
        continue;
      }
      default:
    }

    // A value.
    const start = at;
    if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
      frames.push({ keys: code === OPEN_OBJECT ? new Map() : undefined, start });
      path.push(code === OPEN_OBJECT ? '' : 0);
      expected = code === OPEN_OBJECT ? 'key-or-close' : 'value-or-close';
      last = at++;
      continue;
    }
    const close = endOfScalar(text, at);
    if (close === undefined) return breakAt(at);
    if (code === QUOTE) reportSeparators(text, start, close, here, 'string', faults);
    else if (code === 78 || code === 73 || (code === MINUS && text.charCodeAt(at + 1) === 73)) {
      const pointer = here();
      nonFinite.push({ span: { start, end: close }, pointer });
      faults.push(nonFiniteNumber(text, start, close, pointer));
    } else if (code === MINUS || (code >= 48 && code <= 57)) {
      const literal = text.slice(start, close);
      const fault = unsafeNumber(literal, start, here);
      if (fault !== undefined) faults.push(fault);
      if (!Number.isFinite(Number(literal))) overflowing.push(here());
    }
    expected = frames.length === 0 ? 'end' : 'comma-or-close';
    last = start;
    at = close;
  }
}

function endOfScalar(text: string, at: number): number | undefined {
  if (text.charCodeAt(at) === QUOTE) return endOfString(text, at);
  for (const pattern of [NUMBER, LITERAL, NON_FINITE]) {
    pattern.lastIndex = at;
    if (pattern.test(text)) return pattern.lastIndex;
  }
  return undefined;
}

/** The offset after the closing quote of the string that opens at `at`; undefined where the string is broken. */
function endOfString(text: string, at: number): number | undefined {
  let close = at + 1;
  for (;;) {
    const code = text.charCodeAt(close);
    if (code === QUOTE) return close + 1;
    if (!(code >= 32)) return undefined;
    if (code === BACKSLASH) {
      ESCAPE.lastIndex = close;
      if (!ESCAPE.test(text)) return undefined;
      close = ESCAPE.lastIndex;
    } else {
      close++;
    }
  }
}

function duplicateKey(text: string, key: string, earlier: number, span: Span, pointer: string): TextFault {
  return {
    code: 'file/duplicate-key',
    message:
      `The key ${JSON.stringify(key)} stands more than once in one object: first at ${place(text, earlier)}, ` +
      `again at ${place(text, span.start)}. Expected once: most readers keep the last value without a word, some the first.`,
    span,
    pointer,
    found: key,
  };
}

function nonFiniteNumber(text: string, start: number, end: number, pointer: string): TextFault {
  const literal = text.slice(start, end);
  return {
    code: 'file/non-finite-number',
    message:
      `Found ${literal} in ${describePointer(pointer)}, expected a number or null: JSON has no ${literal}. Python's json module writes and reads it, ` +
      'other readers refuse the whole record. It is read as null here.',
    span: { start, end },
    pointer,
    found: literal,
  };
}

/** 2^53 itself is the last one of which the double says what was written: 2^53 + 1 becomes 2^53. */
function isSafeInteger(literal: string, double: number): boolean {
  if (Math.abs(double) < 2 ** 53) return true;
  return Math.abs(double) === 2 ** 53 && literal.replace('-', '') === '9007199254740992';
}

function unsafeNumber(literal: string, start: number, here: () => string): TextFault | undefined {
  const span = { start, end: start + literal.length };
  const double = Number(literal);
  const shown = literal.length > 60 ? `${literal.slice(0, 50)}… (${literal.length} characters)` : literal;
  if (INTEGER.test(literal)) {
    if (isSafeInteger(literal, double)) return undefined;
    const becomes = Number.isFinite(double) ? BigInt(double).toString() : String(double);
    const effect =
      becomes === literal
        ? 'This one survives in a double, its neighbours do not'
        : `JavaScript and other readers that use doubles make it ${becomes.length > 60 ? String(double) : becomes}`;
    return {
      code: 'file/unsafe-number',
      message: `Found the integer ${shown}, expected at most 2^53 (9007199254740992) in size. ${effect}. An id belongs in a string.`,
      span,
      pointer: here(),
      found: literal,
    };
  }
  if (Number.isFinite(double)) return undefined;
  return {
    code: 'file/non-finite-number',
    message:
      `Found ${shown}, which is beyond the largest double (1.8e308) and becomes ${double} in most readers. ` +
      'Expected a finite number or null. It is read as null here.',
    span,
    pointer: here(),
    found: literal,
  };
}

/** One fault per kind of separator in one string, at its first place. */
function reportSeparators(
  text: string,
  start: number,
  end: number,
  here: () => string,
  what: 'key' | 'string',
  faults: TextFault[],
): void {
  let seen: Map<number, { first: number; count: number }> | undefined;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x85 || !isSeparator(code)) continue;
    seen ??= new Map();
    const entry = seen.get(code);
    if (entry === undefined) seen.set(code, { first: at, count: 1 });
    else entry.count++;
  }
  if (seen === undefined) return;
  const pointer = here();
  for (const [code, { first, count }] of seen) {
    const name = `${codePointName(code)} (${SEPARATOR_NAMES.get(code) ?? ''})`;
    const escape = '\\u' + code.toString(16).padStart(4, '0');
    faults.push({
      code: 'file/line-separator',
      message:
        `Found ${name} ${count === 1 ? '' : `${count} times `}inside ${what === 'key' ? 'a key' : describePointer(pointer)}, ` +
        `expected a blank or the escape ${escape}. It is valid JSON, yet Python's splitlines and other line readers cut the record in two there.`,
      span: { start: first, end: first + 1 },
      pointer,
      found: codePointName(code),
    });
  }
}
