/**
 * An id that no record has yet, in the pattern of one that is there: its last number counted on from the largest of the same
 * pattern, with leading zeros where these have them. Ids without a number get one.
 */
export function freeId(id: string, taken: ReadonlySet<string>): string {
  const found = /^([^]*?)(\d+)(\D*)$/.exec(id);
  const [, before = `${id}-`, digits = '1', after = ''] = found ?? [];
  const width = digits.startsWith('0') ? digits.length : 0;
  let largest = BigInt(digits);
  for (const other of taken) {
    if (!other.startsWith(before) || !other.endsWith(after)) continue;
    const number = other.slice(before.length, other.length - after.length);
    if (/^\d{1,30}$/.test(number) && BigInt(number) > largest) largest = BigInt(number);
  }
  for (;;) {
    largest++;
    const next = `${before}${String(largest).padStart(width, '0')}${after}`;
    if (!taken.has(next)) return next;
  }
}
