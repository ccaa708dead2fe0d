/** A map that keeps at least the `limit` entries used last, and at most twice as many. */
export interface Recent<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): void;
  delete(key: K): void;
}

/** Two generations instead of an order of use: an entry that is used moves to the young one, the old one goes as a whole. */
export function createRecent<K, V>(limit: number): Recent<K, V> {
  let young = new Map<K, V>();
  let old = new Map<K, V>();
  const set = (key: K, value: V): void => {
    young.set(key, value);
    if (young.size < limit) return;
    old = young;
    young = new Map();
  };
  return {
    get(key) {
      const value = young.get(key);
      if (value !== undefined) return value;
      const kept = old.get(key);
      if (kept !== undefined) set(key, kept);
      return kept;
    },
    set,
    delete(key) {
      young.delete(key);
      old.delete(key);
    },
  };
}

/** Shares one reading among all who ask; a reading that failed is asked for again next time. */
export function remember<T>(cache: Recent<string, Promise<T>>, key: string, read: () => Promise<T>): Promise<T> {
  const known = cache.get(key);
  if (known !== undefined) return known;
  const reading = read();
  cache.set(key, reading);
  reading.catch(() => cache.delete(key));
  return reading;
}
