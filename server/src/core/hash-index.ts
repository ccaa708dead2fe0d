/** First places of hashes: a table of numbers alone, since there is an entry per record of a file of any length. */
export interface HashIndex {
  /** Remembers the value under the hash; gives the value that was there first, which stays, or undefined. */
  add(hash: number, value: number): number | undefined;
  get(hash: number): number | undefined;
}

/** @see hashNumber; values are whole numbers from 0. */
export function createHashIndex(): HashIndex {
  let capacity = 1024;
  let hashes = new Float64Array(capacity).fill(-1);
  let values = new Uint32Array(capacity);
  let size = 0;

  function slotOf(hash: number): number {
    // The capacity is a power of two, and the low 32 bits are as good as any.
    let slot = (hash >>> 0) & (capacity - 1);
    while (hashes[slot] !== -1 && hashes[slot] !== hash) slot = (slot + 1) & (capacity - 1);
    return slot;
  }

  function grow(): void {
    const [oldHashes, oldValues] = [hashes, values];
    capacity *= 2;
    hashes = new Float64Array(capacity).fill(-1);
    values = new Uint32Array(capacity);
    for (let i = 0; i < oldHashes.length; i++) {
      const hash = oldHashes[i]!;
      if (hash === -1) continue;
      const slot = slotOf(hash);
      hashes[slot] = hash;
      values[slot] = oldValues[i]!;
    }
  }

  return {
    add(hash, value) {
      const slot = slotOf(hash);
      if (hashes[slot] === hash) return values[slot];
      hashes[slot] = hash;
      values[slot] = value;
      size += 1;
      if (size * 2 > capacity) grow();
      return undefined;
    },
    get(hash) {
      const slot = slotOf(hash);
      return hashes[slot] === hash ? values[slot] : undefined;
    },
  };
}
