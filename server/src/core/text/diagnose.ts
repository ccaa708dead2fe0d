/**
 * What a break of the JSON grammar means: what was found, what was expected, and the likely cause, which is nearly
 * always one of a dozen habits of people and of other languages.
 */
import {
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COMMA,
  isBlank,
  isDigit,
  nameCharacter,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
} from './chars.ts';
import { place } from './place.ts';
import type { TextFault } from './types.ts';

export type Expectation = 'value' | 'value-or-close' | 'key' | 'key-or-close' | 'colon' | 'comma-or-close' | 'end';

export interface Surroundings {
  /** Where the last token starts; -1 before the first. */
  readonly last: number;
  /** Where the innermost open bracket stands. */
  readonly opened: number | undefined;
  /** Where the outermost open bracket stands. */
  readonly root: number | undefined;
}

interface Diagnosis {
  readonly start: number;
  readonly end: number;
  readonly found: string;
  readonly expected: string;
  readonly cause?: string;
}

const WORD = /[A-Za-z_$][\w$]*/y;
const NUMBER_LIKE = /[+-]?[\w.]+/y;
const PYTHON: ReadonlyMap<string, string> = new Map([
  ['None', 'null'],
  ['True', 'true'],
  ['False', 'false'],
]);
const OTHER_WORDS: ReadonlyMap<string, string> = new Map([
  ['undefined', 'JavaScript writes it for a missing value; JSON has null.'],
  ['nan', 'Not a number; JSON has no such value, null stands for a missing one.'],
  ['inf', 'Infinity; JSON has no such value.'],
  ['TRUE', 'JSON writes true in small letters.'],
  ['FALSE', 'JSON writes false in small letters.'],
  ['NULL', 'JSON writes null in small letters.'],
  ['Null', 'JSON writes null in small letters.'],
]);

export function describeBreak(text: string, at: number, expected: Expectation, around: Surroundings): TextFault {
  const found = diagnose(text, at, expected, around);
  const cause = found.cause === undefined ? '' : ` ${found.cause}`;
  return {
    code: 'file/invalid-json',
    message: `Not valid JSON at ${place(text, found.start)}: found ${found.found}, expected ${found.expected}.${cause}`,
    span: { start: found.start, end: Math.max(found.end, Math.min(found.start + 1, text.length)) },
    found: text.slice(found.start, Math.min(found.end, found.start + 40)),
  };
}

function diagnose(text: string, at: number, expected: Expectation, around: Surroundings): Diagnosis {
  if (at >= text.length) return atEnd(text, expected, around);
  const code = text.charCodeAt(at);
  if (code === QUOTE && expected !== 'comma-or-close' && expected !== 'colon' && expected !== 'end') {
    return brokenString(text, at);
  }
  return (
    afterEnd(text, at, expected, around) ??
    commaFault(text, at, expected, around) ??
    quoteFault(text, at, expected, around) ??
    bracketFault(text, at, expected, around) ??
    wordFault(text, at, expected) ??
    numberFault(text, at, expected) ??
    generalFault(text, at, expected)
  );
}

function wanted(expected: Expectation): string {
  switch (expected) {
    case 'value':
      return 'a value';
    case 'value-or-close':
      return 'a value or `]`';
    case 'key':
      return 'a key in double quotes';
    case 'key-or-close':
      return 'a key in double quotes or `}`';
    case 'colon':
      return 'a colon after the key';
    case 'comma-or-close':
      return 'a comma or a closing bracket';
    case 'end':
      return 'nothing after the object';
  }
}

function atEnd(text: string, expected: Expectation, around: Surroundings): Diagnosis {
  const start = Math.max(0, text.trimEnd().length - 1);
  const opened = around.opened;
  if (opened === undefined) {
    return { start: 0, end: text.length, found: 'nothing', expected: 'a JSON object' };
  }
  const bracket = text.charAt(opened);
  return {
    start,
    end: text.length,
    found: 'the end of the record',
    expected: expected === 'comma-or-close' ? '`' + (bracket === '{' ? '}' : ']') + '`' : wanted(expected),
    cause: `The \`${bracket}\` at ${place(text, opened)} is not closed; the record may be cut off, or go on in the next line.`,
  };
}

function brokenString(text: string, at: number): Diagnosis {
  let inner = at + 1;
  for (; inner < text.length; inner++) {
    const code = text.charCodeAt(inner);
    if (code === QUOTE) break;
    if (code < 32) return rawControl(text, at, inner);
    if (code !== 92) continue;
    const escape = text.charAt(inner + 1);
    if (escape === '') break;
    const valid =
      escape === 'u' ? /^[0-9a-fA-F]{4}$/.test(text.slice(inner + 2, inner + 6)) : '"\\/bfnrt'.includes(escape);
    if (!valid) return badEscape(text, inner, escape);
    inner++;
  }
  return {
    start: at,
    end: text.length,
    found: 'a string without its closing quotation mark',
    expected: '`"`',
    cause:
      'The string runs to the end of the record: a quotation mark is missing, or the record goes on in the next line.',
  };
}

function rawControl(text: string, string: number, at: number): Diagnosis {
  const escapes: Record<number, string> = { 9: '\\t', 10: '\\n', 13: '\\r' };
  const code = text.charCodeAt(at);
  const escape = escapes[code] ?? '\\u' + code.toString(16).padStart(4, '0');
  return {
    start: at,
    end: at + 1,
    found: `${nameCharacter(text, at)} inside the string that starts at ${place(text, string)}`,
    expected: `the escape ${escape}`,
    cause:
      code === 10 || code === 13
        ? 'Text pasted by hand keeps its line breaks, and JSON does not allow them in a string.'
        : 'Strings hold no raw control characters in JSON.',
  };
}

function badEscape(text: string, at: number, escape: string): Diagnosis {
  const isHex = escape === 'u' || escape === 'x';
  return {
    start: at,
    end: at + 2,
    found: `the escape \\${escape}${isHex ? text.slice(at + 2, at + (escape === 'u' ? 6 : 4)).split('"')[0] : ''}`,
    expected: 'one of \\" \\\\ \\/ \\b \\f \\n \\r \\t or \\u and four hex digits',
    cause:
      escape === "'"
        ? 'A single quotation mark needs no escape in JSON.'
        : isHex
          ? 'A character by its number is \\u with exactly four hex digits.'
          : 'A backslash of its own (as in LaTeX or a Windows path) is written \\\\.',
  };
}

function afterEnd(text: string, at: number, expected: Expectation, around: Surroundings): Diagnosis | undefined {
  if (expected !== 'end') return undefined;
  const base = { start: at, end: text.trimEnd().length, expected: 'nothing after the object' };
  const code = text.charCodeAt(at);
  if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
    const carriageReturn = text.slice(around.last, at).includes('\r');
    return {
      ...base,
      found: code === OPEN_OBJECT ? 'a second object' : 'an array after the object',
      cause: carriageReturn
        ? 'A lone carriage return stands between them, and only LF or CRLF end a line of JSONL.'
        : 'Each record stands on a line of its own; a line break is missing between them.',
    };
  }
  if (code === COMMA) {
    return {
      ...base,
      end: at + 1,
      found: 'a comma',
      cause: 'JSONL puts no comma between records; only an array does.',
    };
  }
  if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) {
    return { ...base, end: at + 1, found: nameCharacter(text, at), cause: 'There is one closing bracket too many.' };
  }
  return { ...base, found: excerpt(text, at), cause: 'The object is complete before it.' };
}

function commaFault(text: string, at: number, expected: Expectation, around: Surroundings): Diagnosis | undefined {
  const code = text.charCodeAt(at);
  const closes = code === CLOSE_OBJECT || code === CLOSE_ARRAY;
  const afterComma = around.last >= 0 && text.charCodeAt(around.last) === COMMA;
  if (closes && afterComma) {
    return {
      start: around.last,
      end: around.last + 1,
      found: `a trailing comma before \`${text.charAt(at)}\``,
      expected: code === CLOSE_OBJECT ? 'another key or no comma' : 'another value or no comma',
      cause: 'JSON allows no comma after the last element; Python and JavaScript do.',
    };
  }
  if (code === COMMA && expected !== 'comma-or-close') {
    return {
      start: at,
      end: at + 1,
      found: afterComma ? 'a second comma' : 'a comma',
      expected: wanted(expected),
      cause: afterComma
        ? 'One of the two is too many, or a value between them is missing.'
        : 'A value is missing before it.',
    };
  }
  return undefined;
}

function quoteFault(text: string, at: number, expected: Expectation, around: Surroundings): Diagnosis | undefined {
  const character = text.charAt(at);
  const afterString = around.last >= 0 && text.charCodeAt(around.last) === QUOTE;
  if ((expected === 'comma-or-close' || expected === 'colon') && afterString && /[^\s\]}{["':,]/.test(character)) {
    return {
      start: at,
      end: at + 1,
      found: `${excerpt(text, at)} right after a string`,
      expected: wanted(expected),
      cause: `A quotation mark inside the string that starts at ${place(text, around.last)} must be written \\", or one is missing.`,
    };
  }
  if (character === "'") {
    return {
      start: at,
      end: at + 1,
      found: 'a single quotation mark',
      expected: expected.startsWith('key') ? wanted(expected) : `${wanted(expected)}; strings stand in double quotes`,
      cause:
        'It looks like the printed form of a Python or JavaScript object; write the file with json.dumps or JSON.stringify.',
    };
  }
  if ('“”„‘’'.includes(character)) {
    return {
      start: at,
      end: at + 1,
      found: nameCharacter(text, at),
      expected: `${wanted(expected)}, in straight quotation marks`,
      cause: 'A word processor replaced the straight quotation marks.',
    };
  }
  return undefined;
}

function bracketFault(text: string, at: number, expected: Expectation, around: Surroundings): Diagnosis | undefined {
  const code = text.charCodeAt(at);
  if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) {
    const opened = around.opened;
    const mismatch = opened !== undefined && (text.charCodeAt(opened) === OPEN_OBJECT) !== (code === CLOSE_OBJECT);
    return {
      start: at,
      end: at + 1,
      found: nameCharacter(text, at),
      expected: mismatch && expected === 'comma-or-close' ? (code === CLOSE_OBJECT ? '`]`' : '`}`') : wanted(expected),
      ...(mismatch
        ? { cause: `The \`${text.charAt(opened)}\` at ${place(text, opened)} is still open.` }
        : opened === undefined
          ? {}
          : { cause: 'A value is missing before it.' }),
    };
  }
  const isValue = code === QUOTE || code === OPEN_OBJECT || code === OPEN_ARRAY || code === 45 || isDigit(code);
  if (expected === 'comma-or-close' && isValue) {
    return {
      start: at,
      end: at + 1,
      found: excerpt(text, at),
      expected: wanted(expected),
      cause: 'A comma is missing before it.',
    };
  }
  return undefined;
}

function wordFault(text: string, at: number, expected: Expectation): Diagnosis | undefined {
  if (text.startsWith('//', at) || text.startsWith('/*', at) || text.charAt(at) === '#') {
    return {
      start: at,
      end: Math.min(text.length, at + 2),
      found: 'a comment',
      expected: wanted(expected),
      cause: 'JSON has no comments.',
    };
  }
  WORD.lastIndex = at;
  const word = WORD.exec(text)?.[0];
  if (word === undefined) return undefined;
  const base = { start: at, end: at + word.length, found: '`' + shorten(word) + '`', expected: wanted(expected) };
  const json = PYTHON.get(word);
  if (json !== undefined)
    return { ...base, cause: `That is Python; JSON writes ${json}. Write the file with json.dumps.` };
  const other = OTHER_WORDS.get(word);
  if (other !== undefined) return { ...base, cause: other };
  if (expected === 'key' || expected === 'key-or-close') {
    return { ...base, cause: 'Keys stand in double quotes in JSON.' };
  }
  return { ...base, cause: 'Text stands in double quotes in JSON.' };
}

function numberFault(text: string, at: number, expected: Expectation): Diagnosis | undefined {
  NUMBER_LIKE.lastIndex = at;
  const literal = NUMBER_LIKE.exec(text)?.[0];
  if (literal === undefined || !expected.startsWith('value')) return undefined;
  const cause = /^[+]/.test(literal)
    ? 'A number has no plus sign in JSON.'
    : /^-?0\d/.test(literal)
      ? 'A number has no leading zero in JSON; a code such as 007 belongs in a string.'
      : /^-?\./.test(literal)
        ? 'A number has a digit before its decimal point in JSON.'
        : /\.$/.test(literal)
          ? 'A number has a digit after its decimal point in JSON.'
          : 'It is no number that JSON knows; text stands in double quotes.';
  return {
    start: at,
    end: at + literal.length,
    found: '`' + shorten(literal) + '`',
    expected: wanted(expected),
    cause,
  };
}

function generalFault(text: string, at: number, expected: Expectation): Diagnosis {
  const character = nameCharacter(text, at);
  const blank = /[\s\ufeff\u200b]/.test(text.charAt(at));
  return {
    start: at,
    end: at + 1,
    found: character,
    expected: wanted(expected),
    ...(blank ? { cause: 'Between values JSON allows only space, tab and line ends as blanks.' } : {}),
  };
}

/** What stands at an offset, shortly: a bracket, a quotation mark or a few characters up to a blank. */
function excerpt(text: string, at: number): string {
  const code = text.charCodeAt(at);
  if (code === QUOTE) return 'a quotation mark';
  if (code < 33 || code === OPEN_OBJECT || code === OPEN_ARRAY) return nameCharacter(text, at);
  let end = at;
  while (end < text.length && end - at < 21 && !isBlank(text.charCodeAt(end))) end++;
  return '`' + shorten(text.slice(at, end)) + '`';
}

function shorten(word: string): string {
  return word.length > 20 ? word.slice(0, 20) + '…' : word;
}
