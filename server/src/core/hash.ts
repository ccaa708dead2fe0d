import { asciiWords, encodeAscii } from './text/ascii.ts';

/**
 * A 64-bit, non-cryptographic hash of text: two differently seeded rounds of MurmurHash3's 32-bit mixing (Austin Appleby,
 * public domain) over UTF-16 units. For identity only: fingerprints, record keys, equality of records. As 16 hex digits.
 */
export function hashText(...parts: readonly string[]): string {
  let a = 0x9747b28c;
  let b = 0x3c6ef372;
  for (const part of parts) {
    for (let i = 0; i < part.length; i++) {
      const unit = part.charCodeAt(i);
      a = Math.imul(a ^ unit, 0xcc9e2d51);
      a = (a << 15) | (a >>> 17);
      b = Math.imul(b ^ unit, 0x1b873593);
      b = (b << 13) | (b >>> 19);
    }
    // Parts are separated by a mark that no UTF-16 unit equals.
    a = Math.imul(a ^ 0x10000, 0xcc9e2d51);
    b = Math.imul(b ^ 0x10000, 0x1b873593);
  }
  return hex(mix(a ^ b)) + hex(mix(b + Math.imul(a, 5)));
}

/**
 * 53 bits of another hash, of one text or two: for maps with an entry per record, where texts would cost memory. It may
 * differ from version to version, so what is kept is `hashText`.
 */
export function hashNumber(one: string, two?: string): number {
  lanes.a = SEED;
  lanes.b = 0;
  mixText(one);
  if (two !== undefined) mixText(two);
  return numberOf(lanes.a, lanes.b);
}

const SEED = 0x9747b28c | 0;
const FACTOR = 0xcc9e2d51 | 0;
/** A shorter text is sooner gone through than copied. */
const WORTH_COPYING = 24;

/** Of the hash at hand. The second is the sum of what the first goes through: the steps wait for one multiplication each. */
const lanes = { a: 0, b: 0 };

function mixText(text: string): void {
  let { a, b } = lanes;
  const words = text.length >= WORTH_COPYING && encodeAscii(text) ? text.length >> 2 : 0;
  for (let i = 0; i < words; i++) {
    a = Math.imul(a ^ asciiWords[i]!, FACTOR);
    a = (a << 15) | (a >>> 17);
    b = (b + a) | 0;
  }
  for (let i = words * 4; i < text.length; i++) {
    a = Math.imul(a ^ text.charCodeAt(i), FACTOR);
    a = (a << 15) | (a >>> 17);
    b = (b + a) | 0;
  }
  // Two texts are told apart by their lengths.
  a = Math.imul(a ^ text.length, FACTOR);
  a = (a << 15) | (a >>> 17);
  lanes.a = a;
  lanes.b = (b + a) | 0;
}

function numberOf(a: number, b: number): number {
  return (mix(a ^ b) & 0x1fffff) * 0x100000000 + mix(b + Math.imul(a, 5));
}

/** Blanks, and the characters below the plain blank. */
// eslint-disable-next-line no-control-regex -- control characters are what it looks for
const BLANKS = /[\s\0-\x1f]+/g;

/**
 * 53 bits of a hash of the first `end` units of a text without regard to letter case and to how blanks are spelled: for
 * texts that people write twice. It is taken of every question, so the usual case is one loop without a branch.
 */
export function hashWords(text: string, end: number): number {
  const letters = readLetters(text, end);
  if (letters.isTidy) return letters.hash;
  const plain = text.slice(0, end).toLowerCase().replace(BLANKS, ' ').trim();
  const read = readLetters(plain, plain.length);
  return read.isTidy ? read.hash : hashNumber(plain);
}

/** Where the closing signs of a text begin: blanks, full stop, question and exclamation mark. */
export function endOfWords(text: string): number {
  let end = text.length;
  while (end > 0 && isClosing(text.charCodeAt(end - 1))) end--;
  return end;
}

function isClosing(unit: number): boolean {
  return unit <= 32 || unit === 46 || unit === 63 || unit === 33;
}

/** Whether two plain blanks stand side by side. For texts whose words are hashed too: the pass is the same. */
export function hasDoubledBlanks(text: string): boolean {
  const end = endOfWords(text);
  const { isAscii, isDoubled } = readLetters(text, end);
  if (!isAscii) return text.includes('  ');
  return isDoubled || (text.length - end > 1 && text.includes('  ', end));
}

/** What one pass over a text tells; kept of the latest text, of which two rules ask. */
const seen = {
  text: '',
  end: -1,
  /** What follows is told of ASCII only. */
  isAscii: false,
  hash: 0,
  isDoubled: false,
  /** Single blanks and no controls, no blank at the start: the hash is that of the words. */
  isTidy: false,
};

/** In four characters at once: what they have in common, or what is done to each. */
const CASE = 0x20202020;
const BLANK = 0x20202020;
const TOP = 0x80808080 | 0;
const BELOW_TOP = 0x7f7f7f7f;
/** Added to a character it reaches the top bit, unless it is a control. */
const UP_FROM_BLANK = 0x60606060;

/** Capital and small letters differ in one bit, which is set; signs that become one by it do not matter. */
function readLetters(text: string, end: number): typeof seen {
  if (seen.end === end && seen.text === text) return seen;
  seen.text = text;
  seen.end = end;
  seen.isAscii = encodeAscii(text);
  seen.isTidy = false;
  if (!seen.isAscii) return seen;
  let a = SEED;
  let b = 0;
  let printable = TOP;
  let doubled = 0;
  let before = 0;
  const words = end >> 2;
  for (let i = 0; i < words; i++) {
    const four = asciiWords[i]!;
    printable &= four + UP_FROM_BLANK;
    // The top bit of each that is a blank; beside it, that of the one before.
    const blanks = ~((four ^ BLANK) + BELOW_TOP) & TOP;
    doubled |= blanks & ((blanks << 8) | before);
    before = blanks >>> 24;
    a = Math.imul(a ^ (four | CASE), FACTOR);
    a = (a << 15) | (a >>> 17);
    b = (b + a) | 0;
  }
  for (let i = words * 4; i < end; i++) {
    const one = text.charCodeAt(i);
    if (one < 32) printable = 0;
    if (one === 32 && before !== 0) doubled = 1;
    before = one === 32 ? 1 : 0;
    a = Math.imul(a ^ (one | 32), FACTOR);
    a = (a << 15) | (a >>> 17);
    b = (b + a) | 0;
  }
  seen.hash = numberOf(Math.imul(a ^ end, FACTOR), b);
  seen.isDoubled = doubled !== 0;
  seen.isTidy = printable === TOP && doubled === 0 && text.charCodeAt(0) !== 32;
  return seen;
}

function mix(value: number): number {
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}

function hex(value: number): string {
  return value.toString(16).padStart(8, '0');
}
