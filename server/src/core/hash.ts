/**
 * A 64-bit, non-cryptographic hash of text: two differently seeded rounds of MurmurHash3's 32-bit mixing (Austin Appleby,
 * public domain) over UTF-16 units. For identity only: fingerprints, record keys, equality of records.
 */
function mixParts(parts: readonly string[]): readonly [number, number] {
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
  return [mix(a ^ b), mix(b + Math.imul(a, 5))];
}

/** The hash as 16 hex digits. */
export function hashText(...parts: readonly string[]): string {
  const [high, low] = mixParts(parts);
  return hex(high) + hex(low);
}

/** 53 bits of the hash as a number: for maps with an entry per record, where texts would cost memory. */
export function hashNumber(...parts: readonly string[]): number {
  const [high, low] = mixParts(parts);
  return (high & 0x1fffff) * 0x100000000 + low;
}

/** Blanks, and the characters below the plain blank. */
// eslint-disable-next-line no-control-regex -- control characters are what it looks for
const BLANKS = /[\s\0-\x1f]+/g;

/**
 * 53 bits of a hash of the first `end` units of a text without regard to letter case and to how blanks are spelled: for
 * texts that people write twice. It is taken of every question, so the usual case is one loop without a branch.
 */
export function hashWords(text: string, end: number): number {
  const { hash, units, controls, isDoubled } = mixLetters(text, end);
  const isLatin = units <= 0xff;
  if (isLatin && controls >= 0 && !isDoubled && text.charCodeAt(0) !== 32) return hash;
  const plain = text.slice(0, end).toLowerCase().replace(BLANKS, ' ').trim();
  return isLatin ? mixLetters(plain, plain.length).hash : hashNumber(plain);
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
  return mixLetters(text, end).isDoubled || (text.length - end > 1 && text.includes('  ', end));
}

/** What one pass over a text tells; kept of the latest text, of which two rules ask. */
const seen = {
  text: '',
  end: -1,
  hash: 0,
  /** All units or-ed. */
  units: 0,
  /** Negative where a control stands, such as a tab or a line break. */
  controls: 0,
  isDoubled: false,
};

/**
 * Capital and small letters of ASCII and Latin-1 differ in one bit, which is set; signs that become one by it do not
 * matter. Two units at a time, since each step waits for the one before.
 */
function mixLetters(text: string, end: number): typeof seen {
  if (seen.end === end && seen.text === text) return seen;
  let a = 0x9747b28c | 0;
  let b = 0;
  let units = 0;
  let controls = 0;
  let isDoubled = false;
  let last = -1;
  const even = end & ~1;
  for (let i = 0; i < even; i += 2) {
    const one = text.charCodeAt(i);
    const two = text.charCodeAt(i + 1);
    units |= one | two;
    controls |= (one - 32) | (two - 32);
    if ((one | two) === 32 || (one | last) === 32) isDoubled = true;
    a = Math.imul(a ^ (one | (two << 16) | 0x200020), 0xcc9e2d51 | 0);
    a = (a << 15) | (a >>> 17);
    b = (b + a) | 0;
    last = two;
  }
  if (even < end) {
    const one = text.charCodeAt(even);
    units |= one;
    controls |= one - 32;
    if ((one | last) === 32) isDoubled = true;
    a = Math.imul(a ^ (one | 0x1000020), 0xcc9e2d51 | 0);
    a = (a << 15) | (a >>> 17);
    b = (b + a) | 0;
  }
  seen.text = text;
  seen.end = end;
  seen.hash = (mix(a ^ b) & 0x1fffff) * 0x100000000 + mix(b + Math.imul(a, 5));
  seen.units = units;
  seen.controls = controls;
  seen.isDoubled = isDoubled;
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
