/**
 * Finds the numbers of a text. A number is kept as its significant digits and a power of ten, so that numbers that differ
 * by scale alone have the same digits: 1,350 and 1.35 are 135 with the powers 1 and -2. Signs are read where a number was found.
 */

/** The numbers of one text, in order of their place. Parallel lists, since a report of a megabyte holds tens of thousands. */
export interface Numbers {
  /** Significant digits as an integer without trailing zeros; 0 for zero. */
  readonly digits: Float64Array;
  /** The value is digits × 10^power. */
  readonly powers: Int16Array;
  /** Offsets in the text, end exclusive. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
}

/** Significant digits by which numbers are compared: a relative difference below 1e-9. */
const SIGNIFICANT = 10;

/** Digits and power of ten of a finite number's magnitude. */
export function digitsOf(value: number): { readonly digits: number; readonly power: number } {
  if (value === 0) return { digits: 0, power: 0 };
  const [mantissa = '', exponent = '0'] = Math.abs(value)
    .toExponential(SIGNIFICANT - 1)
    .split('e');
  const digits = mantissa.replace('.', '').replace(/0+$/, '');
  return { digits: Number(digits), power: Number(exponent) - digits.length + 1 };
}

interface Lists {
  readonly digits: number[];
  readonly powers: number[];
  readonly starts: number[];
  readonly ends: number[];
}

const ZERO = 48;
const NINE = 57;
const COMMA = 44;
const POINT = 46;
const SLASH = 47;
const LETTER_E = 101;

export function scanNumbers(text: string): Numbers {
  const lists: Lists = { digits: [], powers: [], starts: [], ends: [] };
  const length = text.length;
  let i = 0;
  while (i < length) {
    const unit = text.charCodeAt(i);
    if (unit >= ZERO && unit <= NINE) i = readNumberAt(text, i, lists);
    else {
      if (unit >= 0xbc && VULGAR.has(unit)) addVulgar(text, i, unit, lists);
      i += 1;
    }
  }
  return {
    digits: Float64Array.from(lists.digits),
    powers: Int16Array.from(lists.powers),
    starts: Int32Array.from(lists.starts),
    ends: Int32Array.from(lists.ends),
  };
}

function isDigit(unit: number): boolean {
  return unit >= ZERO && unit <= NINE;
}

/** End of the run of digits from `i` on. */
function endOfDigits(text: string, i: number): number {
  let end = i;
  while (isDigit(text.charCodeAt(end))) end += 1;
  return end;
}

/** Reads the number at `start` in the ways in which it can be read; gives the offset after it. */
function readNumberAt(text: string, start: number, lists: Lists): number {
  const first = endOfDigits(text, start);
  // .5 without a zero, unless the point ends a word or belongs to the number before.
  if (text.charCodeAt(start - 1) === POINT && !isWordOrDigit(text.charCodeAt(start - 2))) {
    add(lists, text.slice(start, first), start - first, start - 1, first);
    return first;
  }
  let end = first;
  let isGrouped = false;
  if (first - start <= 3) {
    while (isGroup(text, end, COMMA)) {
      end += 4;
      isGrouped = true;
    }
  }
  if (text.charCodeAt(end) === POINT && isDigit(text.charCodeAt(end + 1))) {
    const european = isGrouped ? end : endOfPointGroups(text, start, end);
    if (european > end) {
      // 1.234.567 or 1.234,5
      addSpelled(lists, text, start, european, POINT);
      return european;
    }
    end = endOfDigits(text, end + 1);
  }
  const exponent =
    (text.charCodeAt(end) | 32) === LETTER_E ? /^[eE][+-]?\d{1,2}(?![\w.])/.exec(text.slice(end, end + 6)) : null;
  if (exponent !== null) {
    const value = Number(text.slice(start, end + exponent[0].length).replaceAll(',', ''));
    if (Number.isFinite(value)) addValue(lists, value, start, end + exponent[0].length);
    return end + exponent[0].length;
  }
  addSpelled(lists, text, start, end, COMMA);
  if (end === first) addOtherReadings(text, start, end, lists);
  if (text.charCodeAt(end) === SLASH && isDigit(text.charCodeAt(end + 1))) addFraction(text, start, end, lists);
  return end;
}

function isWordOrDigit(unit: number): boolean {
  return isDigit(unit) || (unit >= 65 && unit <= 90) || (unit >= 97 && unit <= 122);
}

/** A separator and exactly three digits. */
function isGroup(text: string, at: number, separator: number): boolean {
  return (
    text.charCodeAt(at) === separator &&
    isDigit(text.charCodeAt(at + 1)) &&
    isDigit(text.charCodeAt(at + 2)) &&
    isDigit(text.charCodeAt(at + 3)) &&
    !isDigit(text.charCodeAt(at + 4))
  );
}

/** End of 1.234.567 or 1.234,56 where points group; `end` where they do not. */
function endOfPointGroups(text: string, start: number, end: number): number {
  if (end - start > 3) return end;
  let at = end;
  let groups = 0;
  while (isGroup(text, at, POINT)) {
    at += 4;
    groups += 1;
  }
  const hasComma = groups > 0 && text.charCodeAt(at) === COMMA && isDigit(text.charCodeAt(at + 1));
  if (hasComma) return endOfDigits(text, at + 1);
  return groups >= 2 ? at : end;
}

/** Groups with blanks or apostrophes, decimal commas, Indian groups: further readings of what stands there. */
function addOtherReadings(text: string, start: number, end: number, lists: Lists): void {
  const next = text.charCodeAt(end);
  if (end - start <= 3 && isGroupBlank(next) && isGroup(text, end, next)) {
    let last = end;
    while (isGroup(text, last, next)) last += 4;
    // Two numbers side by side are as likely: this is one more reading.
    const decimals = text.charCodeAt(last);
    if ((decimals === POINT || decimals === COMMA) && isDigit(text.charCodeAt(last + 1))) {
      last = endOfDigits(text, last + 1);
    }
    addSpelled(lists, text, start, last, next);
  } else if (next === COMMA && isDigit(text.charCodeAt(end + 1))) {
    const decimals = endOfDigits(text, end + 1);
    if (decimals - end <= 3 && text.charCodeAt(decimals) !== COMMA) {
      add(lists, text.slice(start, end) + text.slice(end + 1, decimals), end + 1 - decimals, start, decimals);
    } else if (/^\d{1,2}(?:,\d\d)+,\d{3}(?!\d)/.test(text.slice(start, start + 24))) {
      const indian = /^[\d,]+/.exec(text.slice(start, start + 24))![0].replace(/,+$/, '');
      add(lists, indian.replaceAll(',', ''), 0, start, start + indian.length);
    }
  }
}

function isGroupBlank(unit: number): boolean {
  return unit === 32 || unit === 0xa0 || unit === 0x202f || unit === 0x2009 || unit === 39 || unit === 0x2019;
}

/** `5/8` is also 0.625, and `3 5/8` 3.625. */
function addFraction(text: string, start: number, slash: number, lists: Lists): void {
  const end = endOfDigits(text, slash + 1);
  const below = Number(text.slice(slash + 1, end));
  const above = Number(text.slice(start, slash));
  if (!Number.isInteger(above) || above >= below || below > 64 || text.charCodeAt(end) === SLASH) return;
  const whole = /(\d{1,3})[ -]$/.exec(text.slice(Math.max(0, start - 4), start));
  addValue(lists, above / below, start, end);
  if (whole !== null) addValue(lists, Number(whole[1]) + above / below, start - whole[0].length, end);
}

const VULGAR: ReadonlyMap<number, number> = new Map([
  [0xbc, 1 / 4],
  [0xbd, 1 / 2],
  [0xbe, 3 / 4],
  [0x2153, 1 / 3],
  [0x2154, 2 / 3],
  [0x215b, 1 / 8],
  [0x215c, 3 / 8],
  [0x215d, 5 / 8],
  [0x215e, 7 / 8],
]);

function addVulgar(text: string, at: number, unit: number, lists: Lists): void {
  const fraction = VULGAR.get(unit)!;
  const whole = /(\d{1,3}) ?$/.exec(text.slice(Math.max(0, at - 4), at));
  addValue(lists, fraction, at, at + 1);
  if (whole !== null) addValue(lists, Number(whole[1]) + fraction, at - whole[0].length, at + 1);
}

/**
 * Adds the number between two offsets. `separator` stands between its groups; any other point or comma starts the decimals.
 */
function addSpelled(lists: Lists, text: string, start: number, end: number, separator: number): void {
  let value = 0;
  let count = 0;
  let decimals = -1;
  for (let i = start; i < end; i++) {
    const unit = text.charCodeAt(i);
    if (isDigit(unit)) {
      if (count > 0 || unit !== ZERO) count += 1;
      value = value * 10 + (unit - ZERO);
      if (decimals >= 0) decimals += 1;
    } else if (unit !== separator) decimals = 0;
  }
  if (count > SIGNIFICANT) {
    const rounded = digitsOf(value);
    if (!Number.isFinite(value)) return;
    return push(lists, rounded.digits, rounded.power - Math.max(0, decimals), start, end);
  }
  push(lists, value, -Math.max(0, decimals), start, end);
}

/** Adds digits × 10^power. */
function add(lists: Lists, digits: string, power: number, start: number, end: number): void {
  if (digits.length <= SIGNIFICANT) return push(lists, Number(digits), power, start, end);
  const bare = digits.replace(/^0+/, '');
  if (bare.length <= SIGNIFICANT) return push(lists, Number(bare), power, start, end);
  const rounded = digitsOf(Number(bare));
  if (!Number.isFinite(rounded.digits) || rounded.power + power > 300) return;
  push(lists, rounded.digits, rounded.power + power, start, end);
}

function addValue(lists: Lists, value: number, start: number, end: number): void {
  const { digits, power } = digitsOf(value);
  push(lists, digits, power, start, end);
}

function push(lists: Lists, digits: number, power: number, start: number, end: number): void {
  let bare = digits;
  let scaled = digits === 0 ? 0 : power;
  while (bare % 10 === 0 && bare !== 0) {
    bare /= 10;
    scaled += 1;
  }
  lists.digits.push(bare);
  lists.powers.push(scaled);
  lists.starts.push(start);
  lists.ends.push(end);
}
