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
  const hash = mixLetters(text, end);
  const isLatin = seen.units <= 0xff;
  if (isLatin && seen.controls >= 0 && text.charCodeAt(0) !== 32 && !text.includes('  ')) return hash;
  const plain = text.slice(0, end).toLowerCase().replace(BLANKS, ' ').trim();
  return isLatin ? mixLetters(plain, plain.length) : hashNumber(plain);
}

/** What `mixLetters` saw: all units or-ed, and a negative number where a control stands, such as a tab or a line break. */
const seen = { units: 0, controls: 0 };

/** Capital and small letters of ASCII and Latin-1 differ in one bit, which is set; signs that become one by it do not matter. */
function mixLetters(text: string, end: number): number {
  let a = 0x9747b28c | 0;
  let b = 0;
  let units = 0;
  let controls = 0;
  for (let i = 0; i < end; i++) {
    const unit = text.charCodeAt(i);
    units |= unit;
    controls |= unit - 32;
    a = Math.imul(a ^ (unit | 32), 0xcc9e2d51 | 0);
    a = (a << 15) | (a >>> 17);
    b = (b + a) | 0;
  }
  seen.units = units;
  seen.controls = controls;
  return (mix(a ^ b) & 0x1fffff) * 0x100000000 + mix(b + Math.imul(a, 5));
}

function mix(value: number): number {
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}

function hex(value: number): string {
  return value.toString(16).padStart(8, '0');
}
