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

/**
 * 53 bits of a hash of the first `end` units of a text without its blanks and without regard to the case of Latin, Greek and
 * Cyrillic letters: for texts that people write twice. Cheaper than `hashNumber`, since it is taken of every question.
 */
export function hashWords(text: string, end: number): number {
  let a = 0x9747b28c;
  let b = 0;
  for (let i = 0; i < end; i++) {
    const unit = text.charCodeAt(i);
    if (unit <= 32) continue;
    // Capital and small letters of these scripts differ in this bit.
    a = Math.imul(a ^ (unit < 0x600 ? unit | 32 : unit), 0xcc9e2d51);
    a = (a << 15) | (a >>> 17);
    b = (b + a) | 0;
  }
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
