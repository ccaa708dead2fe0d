/** Numbers as people write them in answers and tables, and as programs print them. */

export interface ReadNumber {
  /** Plain spelling: ASCII digits, `-` for the sign, `.` for decimals, no separators; exact where `value` is not. */
  readonly text: string;
  readonly value: number;
  readonly percent: boolean;
  /** What had to be undone, for messages: "U+2212 as its sign", "accounting brackets". */
  readonly marks: readonly string[];
}

const DASHES = /[\u2010-\u2015\u2212\u2796\ufe58\ufe63\uff0d]/u;
const BLANKS = /[\s\u00a0\u2000-\u200b\u202f\u205f\u2060\u3000\ufeff]/gu;
const CURRENCY_CODE = /^(?:US|C|A|NZ|HK|S|R)?[\p{Sc}]|^(?:USD|EUR|GBP|JPY|CNY|RMB|CHF|INR|KRW|CAD|AUD|HKD|SGD)/iu;
const CURRENCY_TAIL = /(?:[\p{Sc}]|USD|EUR|GBP|JPY|CNY|RMB|CHF|INR|KRW|CAD|AUD|HKD|SGD)$/iu;
/** First digits of the decimal digit blocks met in data beside ASCII; full-width ones are undone by NFKC. */
const DIGIT_ZEROS = [0x0660, 0x06f0, 0x0966, 0x09e6, 0x0e50];

/**
 * Reads text that is one number and nothing else: signs of any kind, accounting brackets, currency, percent, thousands
 * separators, full-width digits. `12.5%` reads as 12.5 with `percent`. undefined: the text is no number.
 */
export function readNumber(text: string): ReadNumber | undefined {
  // Raised and circled digits are exponents and notes: 10² is not 102.
  if (text.length > 400 || !/\p{Nd}/u.test(text) || /[\p{No}\p{Nl}]/u.test(text)) return undefined;
  const marks: string[] = [];
  let rest = asciiDigits(text.normalize('NFKC'));
  if (/\p{Nd}/u.test(text.replace(/[0-9]/g, ''))) marks.push('digits that are not ASCII');
  const dash = DASHES.exec(text);
  if (dash !== null) marks.push(`${codePoint(dash[0])} as its sign`);
  rest = rest.replace(new RegExp(DASHES.source, 'gu'), '-').trim();

  let negative = false;
  let percent = false;
  let currency = false;
  // Brackets, signs, currency and percent come in any order: ($1,234), -$5, $-5, 5%-, (5)%.
  for (let changed = true; changed;) {
    const before = rest;
    const bracketed = /^\(([^()]*)\)$/u.exec(rest);
    if (bracketed !== null) {
      if (negative) return undefined;
      negative = true;
      marks.push('accounting brackets');
      rest = bracketed[1]!.trim();
    }
    if (/^[+-]/u.test(rest)) {
      if (rest.startsWith('-')) {
        if (negative) return undefined;
        negative = true;
      }
      rest = rest.slice(1).trim();
    } else if (/\d\s*-$/u.test(rest)) {
      if (negative) return undefined;
      negative = true;
      marks.push('its sign at the end');
      rest = rest.slice(0, -1).trim();
    }
    if (/%$/u.test(rest)) {
      if (percent) return undefined;
      percent = true;
      marks.push('a percent sign');
      rest = rest.slice(0, -1).trim();
    }
    for (const pattern of [CURRENCY_CODE, CURRENCY_TAIL]) {
      if (currency || !pattern.test(rest)) continue;
      currency = true;
      marks.push('a currency');
      rest = rest.replace(pattern, '').trim();
    }
    changed = rest !== before;
  }

  const plain = plainDigits(rest, marks);
  if (plain === undefined) return undefined;
  const spelled = negative ? `-${plain}` : plain;
  const value = Number(spelled);
  return Number.isFinite(value) ? { text: spelled, value, percent, marks } : undefined;
}

/** Digits without separators: `1,234.5`, `1.234,5`, `1 234,5`, `1'234`, `12,34,567`, `1_000`; undefined: not a number. */
function plainDigits(text: string, marks: string[]): string | undefined {
  const exponent = /^(.*\d\.?)(e[+-]?\d{1,3})$/iu.exec(text);
  const mantissa = exponent === null ? text : exponent[1]!;
  const tail = exponent === null ? '' : exponent[2]!.toLowerCase();
  if (/^(?:\d+\.?\d*|\.\d+)$/u.test(mantissa)) return tidy(mantissa) + tail;

  const unspaced = mantissa.replace(BLANKS, ' ');
  const groups = [
    { thousands: /^\d{1,3}(?:,\d{3})+(?:\.\d*)?$/u, strip: /,/gu },
    { thousands: /^\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d*)?$/u, strip: /,/gu },
    { thousands: /^\d{1,3}(?: \d{3})+(?:[.,]\d*)?$/u, strip: / /gu },
    { thousands: /^\d{1,3}(?:['\u2019]\d{3})+(?:[.,]\d*)?$/u, strip: /['\u2019]/gu },
    { thousands: /^\d{1,3}(?:_\d{3})+(?:\.\d*)?$/u, strip: /_/gu },
    { thousands: /^\d{1,3}(?:\.\d{3}){2,}(?:,\d*)?$/u, strip: /\./gu },
    { thousands: /^\d{1,3}\.\d{3},\d+$/u, strip: /\./gu },
  ];
  for (const { thousands, strip } of groups) {
    if (!thousands.test(unspaced)) continue;
    marks.push('thousands separators');
    return tidy(unspaced.replace(strip, '').replace(',', '.')) + tail;
  }
  // One comma that separates no group of three can only be a decimal comma.
  if (/^\d+,\d+$/u.test(unspaced)) {
    marks.push('a decimal comma');
    return tidy(unspaced.replace(',', '.')) + tail;
  }
  return undefined;
}

/** `007.` → `7`, `.5` → `0.5`; the decimals stay as spelled. */
function tidy(digits: string): string {
  const bare = digits.replace(/\.$/u, '').replace(/^0+(?=\d)/u, '');
  return bare.startsWith('.') ? `0${bare}` : bare;
}

function asciiDigits(text: string): string {
  return text.replace(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0)!;
    const zero = DIGIT_ZEROS.find((first) => code >= first && code < first + 10);
    return zero === undefined ? digit : String(code - zero);
  });
}

function codePoint(character: string): string {
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Decimals in the shortest spelling of a number: 3 for 0.125, 7 for 1e-7, 0 for 150. */
export function decimalsOf(value: number): number {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const point = mantissa.indexOf('.');
  const fraction = point < 0 ? 0 : mantissa.length - point - 1;
  return Math.max(0, fraction - Number(exponent));
}

/** A number for messages: at most `digits` significant digits, no exponent for everyday sizes, no trailing noise. */
export function shortNumber(value: number, digits = 6): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return String(value);
  return String(Number(value.toPrecision(digits)));
}
