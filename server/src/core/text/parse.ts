import type { ParsedText, TextFault } from './types.ts';
import { isAscii } from './ascii.ts';
import { OPEN_OBJECT, isBlank } from './chars.ts';
import { parsePointer } from './pointer.ts';
import { scan } from './scan.ts';
import { walk } from './walk.ts';
import type { Walk } from './walk.ts';

type JsonObject = Record<string, unknown>;

const NONE: readonly never[] = [];

/**
 * Reads one record's text. Never throws: what could be read stands beside the faults. Columns in messages are 1-based
 * and count from the record's first character, in UTF-16 units.
 */
export function parseRecordText(text: string): ParsedText {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return readBroken(text);
  }
  if (!isObject(value)) return { value: undefined, faults: [notAnObject(text, value)], nonFinite: NONE };
  const ascii = isAscii(text);
  const { isPlain, hasDecimals } = scan(text, value, ascii);
  if (isPlain) return { value, faults: NONE, nonFinite: NONE, isAscii: ascii, hasDecimals };
  const walked = walk(text);
  for (const pointer of walked.overflowing) setNull(value, pointer);
  return { value, faults: walked.faults, nonFinite: walked.overflowing, isAscii: ascii, hasDecimals: true };
}

function readBroken(text: string): ParsedText {
  const walked = walk(text);
  if (walked.broken === undefined && walked.nonFinite.length > 0) {
    const value = parseWithoutNonFinite(text, walked);
    if (!isObject(value)) {
      const what = walked.nonFinite[0]?.pointer === '' ? NaN : value;
      return { value: undefined, faults: [notAnObject(text, what)], nonFinite: NONE };
    }
    for (const pointer of walked.overflowing) setNull(value, pointer);
    const nonFinite = [...walked.nonFinite.map(({ pointer }) => pointer), ...walked.overflowing];
    return { value, faults: walked.faults, nonFinite };
  }
  const broken = walked.broken ?? tooDeep(text);
  return { value: undefined, faults: [startsLikeARecord(text) ? broken : (noRecord(text) ?? broken)], nonFinite: NONE };
}

function parseWithoutNonFinite(text: string, { nonFinite }: Walk): unknown {
  let patched = '';
  let from = 0;
  for (const { span } of nonFinite) {
    patched += text.slice(from, span.start) + 'null';
    from = span.end;
  }
  try {
    return JSON.parse(patched + text.slice(from));
  } catch {
    return undefined;
  }
}

/** Only where the engine's parser gives up on what the grammar allows. */
function tooDeep(text: string): TextFault {
  return {
    code: 'file/invalid-json',
    message: 'The record cannot be read: it is nested too deep. Expected one JSON object.',
    span: { start: 0, end: text.length },
  };
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function notAnObject(text: string, value: unknown): TextFault {
  const what = Array.isArray(value)
    ? 'an array'
    : value === null
      ? 'null'
      : typeof value === 'string'
        ? 'a string'
        : typeof value === 'boolean'
          ? `\`${String(value)}\``
          : 'a number';
  const start = firstCharacter(text);
  return {
    code: 'file/invalid-json',
    message:
      `Not a record at column ${start + 1}: found ${what}, expected one JSON object.` +
      (what === 'a string' ? ' The object may have been encoded twice.' : ''),
    span: { start, end: text.trimEnd().length },
    found: text.slice(start, start + 40),
  };
}

function firstCharacter(text: string): number {
  let at = 0;
  while (at < text.length && isBlank(text.charCodeAt(at))) at++;
  return at;
}

function startsLikeARecord(text: string): boolean {
  return text.charCodeAt(firstCharacter(text)) === OPEN_OBJECT;
}

/** A text that does not begin with a bracket is no broken object but something else. */
function noRecord(text: string): TextFault | undefined {
  const start = firstCharacter(text);
  const rest =
    text
      .slice(start, start + 24)
      .split('\n')[0]
      ?.trimEnd() ?? '';
  if (rest === '' || rest.startsWith('[')) return undefined;
  return {
    code: 'file/invalid-json',
    message:
      `Not valid JSON at column ${start + 1}: found \`${rest.length > 20 ? rest.slice(0, 20) + '…' : rest}\`, ` +
      'expected `{`, since each record is one JSON object. It may be the rest of the record before it, or a line that is no record.',
    span: { start, end: text.trimEnd().length },
    found: text.slice(start, start + 40),
  };
}

function setNull(root: JsonObject, pointer: string): void {
  const segments = parsePointer(pointer);
  const name = segments.pop() ?? '';
  let holder: unknown = root;
  for (const segment of segments) {
    if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, segment)) return;
    holder = (holder as JsonObject)[segment];
  }
  if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, name)) return;
  // A repeated key may have put another value there.
  const value = (holder as JsonObject)[name];
  if (value !== Infinity && value !== -Infinity) return;
  Object.defineProperty(holder, name, { value: null, writable: true, enumerable: true, configurable: true });
}
