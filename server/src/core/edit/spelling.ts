/** How a record spells values, so that what is written new looks like what stands around it. */
import type { Span } from '../finding.ts';
import { QUOTE } from '../text/chars.ts';
import { endOfFirstKey, endOfString } from '../text/visit.ts';

export interface Spelling {
  /** Characters beyond ASCII are written as \uXXXX. */
  readonly ascii: boolean;
  /** Hexadecimal digits of escapes in capitals. */
  readonly capitals: boolean;
  /** What follows a comma and a colon on one line. */
  readonly afterComma: string;
  readonly afterColon: string;
  /** Where values stand on lines of their own: one level of indentation, and the line end. */
  readonly indent: { readonly unit: string; readonly lineEnd: string } | undefined;
}

// eslint-disable-next-line no-control-regex -- ASCII as a whole is meant
const BEYOND_ASCII = /[^\x00-\x7f]/;
const ESCAPED_LETTER = /\\u(?!00[0-7])[0-9a-fA-F]{4}/;
const CAPITAL_ESCAPE = /\\u(?=[0-9a-fA-F]*[A-F])[0-9A-F]{4}/;
const SMALL_ESCAPE = /\\u(?=[0-9a-fA-F]*[a-f])[0-9a-f]{4}/;

/** Reads the spelling off a record; `near` is the value that is edited, and says most. */
export function spellingOf(text: string, near: Span): Spelling {
  return createSpeller(text)(near);
}

/** The same for many values of one record: what the record as a whole says is read once. */
export function createSpeller(text: string): (near: Span) => Spelling {
  let all: Spelling | undefined;
  return ({ start, end }) => {
    all ??= {
      ascii: escapesAll(text) ?? false,
      capitals: CAPITAL_ESCAPE.test(text) && !SMALL_ESCAPE.test(text),
      afterComma: blankAfter(text, ','),
      afterColon: blankAfter(text, ':'),
      indent: indentOf(text),
    };
    const ascii = escapesAll(text.slice(start, end)) ?? all.ascii;
    return ascii === all.ascii ? all : { ...all, ascii };
  };
}

/** Whether characters beyond ASCII are escaped; undefined where none are there. */
function escapesAll(text: string): boolean | undefined {
  if (BEYOND_ASCII.test(text)) return false;
  return ESCAPED_LETTER.test(text) ? true : undefined;
}

/** The blanks after the first such sign outside of strings that does not end its line; else what Python writes. */
function blankAfter(text: string, sign: ',' | ':'): string {
  let brokenOff = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at) - 1;
    else if (code === sign.charCodeAt(0)) {
      AFTER_SIGN.lastIndex = at + 1;
      const [, blanks = '', lineEnd] = AFTER_SIGN.exec(text) ?? [];
      if (lineEnd === undefined) return blanks;
      brokenOff = true;
    }
  }
  return brokenOff ? ' ' : sign === ',' ? blankAfterOther(text) : ' ';
}

const AFTER_SIGN = /([ \t]*)(\r?\n)?/y;

/** A record of one member has no comma: its colon tells whether blanks are written. */
function blankAfterOther(text: string): string {
  const end = endOfFirstKey(text);
  return end !== undefined && /^\s*:\S/.test(text.slice(end)) ? '' : ' ';
}

function indentOf(text: string): Spelling['indent'] {
  const found = /^\s*[[{](\r?\n)([ \t]+)\S/.exec(text);
  if (found === null) return undefined;
  const [, lineEnd = '\n', inner = ''] = found;
  // The closing bracket stands where the record's line begins.
  const outer = /\n([ \t]*)[\]}]\s*$/.exec(text)?.[1] ?? '';
  const unit = inner.startsWith(outer) && inner.length > outer.length ? inner.slice(outer.length) : inner;
  return { unit, lineEnd };
}

const SHORT: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

/** The inside of a string's token. Line separators are always escaped: literal ones are a fault of their own. */
export function escapeText(value: string, { ascii, capitals }: Pick<Spelling, 'ascii' | 'capitals'>): string {
  // eslint-disable-next-line no-control-regex -- what JSON wants escaped
  const special = ascii ? /["\\\x00-\x1f\x7f-\uffff]/g : /["\\\x00-\x1f\x85\u2028\u2029\ud800-\udfff]/g;
  return value.replace(special, (unit, at: number) => {
    const short = SHORT[unit];
    if (short !== undefined) return short;
    if (unit === '\x7f' || (!ascii && isPaired(value, at))) return unit;
    const digits = unit.charCodeAt(0).toString(16).padStart(4, '0');
    return `\\u${capitals ? digits.toUpperCase() : digits}`;
  });
}

function isPaired(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  const [before, after] = [text.charCodeAt(at - 1), text.charCodeAt(at + 1)];
  if (code >= 0xd800 && code < 0xdc00) return after >= 0xdc00 && after < 0xe000;
  return code >= 0xdc00 && code < 0xe000 && before >= 0xd800 && before < 0xdc00;
}

/** A value as it is written on one line. */
export function writeValue(value: unknown, spelling: Spelling, like?: string): string {
  if (typeof value === 'string') return `"${escapeText(value, spelling)}"`;
  if (typeof value === 'number') return numberLike(value, like);
  if (Array.isArray(value)) {
    return `[${value.map((element) => writeValue(element, spelling, like)).join(`,${spelling.afterComma}`)}]`;
  }
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    const written = members.map(
      ([key, member]) => `"${escapeText(key, spelling)}":${spelling.afterColon}${writeValue(member, spelling)}`,
    );
    return `{${written.join(`,${spelling.afterComma}`)}}`;
  }
  return typeof value === 'boolean' ? String(value) : 'null';
}

/** A number as `like` is spelled: a whole number among 300.0 and 1.5 is written 12.0. */
export function numberLike(value: number, like: string | undefined): string {
  if (!Number.isFinite(value)) return 'null';
  const plain = Object.is(value, -0) ? '0' : String(value);
  return like !== undefined && /^-?\d+\.\d+$/.test(like) && /^-?\d+$/.test(plain) ? `${plain}.0` : plain;
}

/** The first number outside of strings. */
export function firstNumber(token: string): string | undefined {
  for (let at = 0; at < token.length; at++) {
    if (token.charCodeAt(at) === QUOTE) at = endOfString(token, at) - 1;
    else {
      NUMBER_HERE.lastIndex = at;
      const found = NUMBER_HERE.exec(token);
      if (found !== null) return found[0];
    }
  }
  return undefined;
}

const NUMBER_HERE = /(?<![\w.])-?\d+(?:\.\d+)?/y;
