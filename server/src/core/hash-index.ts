/** Tables of hashes: of numbers alone, since there is an entry per record of a file of any length. */
export interface HashIndex {
  /** Remembers the value under the hash; gives the value that was there first, which stays, or undefined. */
  add(hash: number, value: number): number | undefined;
  get(hash: number): number | undefined;
}

/** @see hashNumber; values are whole numbers from 0. An entry takes 13 to 19 bytes. */
export function createHashIndex(): HashIndex {
  const tables = createTables();
  return {
    add(hash, value) {
      const table = tableOf(tables, hash);
      const slot = slotOf(table, hash >>> 0, highOf(hash));
      if (table.highs[slot] !== 0) return table.values[slot];
      fill(table, slot, hash, value);
      return undefined;
    },
    get(hash) {
      const table = tableOf(tables, hash);
      const slot = slotOf(table, hash >>> 0, highOf(hash));
      return table.highs[slot] === 0 ? undefined : table.values[slot];
    },
  };
}

/**
 * Counts hashes; gives how often the same has come before. 44 bits of the hash count, and one that comes once takes 5 to
 * 8 bytes.
 */
export function createHashCounter(): (hash: number) => number {
  const sets = Array.from({ length: SETS }, (): HashSet | undefined => undefined);
  /** Of those that came more than once. */
  const times = new Map<number, number>();
  return (hash) => {
    const number = Math.floor(hash / (2 ** 53 / SETS));
    const low = hash >>> 0;
    if (addTo((sets[number] ??= { slots: new Uint32Array(8), size: 0, hasZero: false }), low)) return 0;
    const key = number * 2 ** 32 + low;
    const before = times.get(key) ?? 1;
    times.set(key, before + 1);
    return before;
  };
}

/** Told apart by the first 12 bits of 53. */
const SETS = 4096;

/** Of numbers of 32 bits. Open addressing; an empty slot is 0. */
interface HashSet {
  slots: Uint32Array;
  size: number;
  hasZero: boolean;
}

/** Whether it was not in it. */
function addTo(set: HashSet, low: number): boolean {
  if (low === 0) {
    const isNew = !set.hasZero;
    set.hasZero = true;
    return isNew;
  }
  const slot = placeIn(set.slots, low);
  if (set.slots[slot] === low) return false;
  set.slots[slot] = low;
  set.size += 1;
  if (set.size * 5 > set.slots.length * 4) {
    const slots = new Uint32Array(set.slots.length + (set.slots.length >> 1));
    for (const one of set.slots) if (one !== 0) slots[placeIn(slots, one)] = one;
    set.slots = slots;
  }
  return true;
}

/** The slot of the number, or the empty one where it belongs. */
function placeIn(slots: Uint32Array, low: number): number {
  let slot = Math.floor((low / 2 ** 32) * slots.length);
  while (slots[slot] !== 0 && slots[slot] !== low) slot = slot + 1 < slots.length ? slot + 1 : 0;
  return slot;
}

/** Open addressing: the next slot is tried where one is taken. */
interface Table {
  /** The 47 bits that the table does not tell: 32, and the others plus one, so that 0 stands for an empty slot. */
  lows: Uint32Array;
  highs: Uint16Array;
  values: Uint32Array;
  size: number;
}

/** Many, told apart by the first 6 of 53 bits: each grows on its own, so that there are never two copies of all. */
const TABLES = 64;
const FIRST_CAPACITY = 256;

function createTables(): readonly Table[] {
  return Array.from({ length: TABLES }, () => tableFor(FIRST_CAPACITY));
}

function tableFor(capacity: number): Table {
  return {
    lows: new Uint32Array(capacity),
    highs: new Uint16Array(capacity),
    values: new Uint32Array(capacity),
    size: 0,
  };
}

function tableOf(tables: readonly Table[], hash: number): Table {
  return tables[Math.floor(hash / (2 ** 53 / TABLES))]!;
}

function highOf(hash: number): number {
  return (Math.floor(hash / 2 ** 32) & 0x7fff) + 1;
}

/** The slot of the hash, or the empty one where it belongs. */
function slotOf({ lows, highs }: Table, low: number, high: number): number {
  const capacity = highs.length;
  let slot = Math.floor((low / 2 ** 32) * capacity);
  while (highs[slot] !== 0 && (lows[slot] !== low || highs[slot] !== high)) slot = slot + 1 < capacity ? slot + 1 : 0;
  return slot;
}

function fill(table: Table, slot: number, hash: number, value: number): void {
  table.lows[slot] = hash >>> 0;
  table.highs[slot] = highOf(hash);
  table.values[slot] = value;
  table.size += 1;
  if (table.size * 5 > table.highs.length * 4) grow(table);
}

function grow(table: Table): void {
  const { lows, highs, values } = table;
  const larger = tableFor(highs.length + (highs.length >> 1));
  for (let i = 0; i < highs.length; i++) {
    if (highs[i] === 0) continue;
    const slot = slotOf(larger, lows[i]!, highs[i]!);
    larger.lows[slot] = lows[i]!;
    larger.highs[slot] = highs[i]!;
    larger.values[slot] = values[i]!;
  }
  table.lows = larger.lows;
  table.highs = larger.highs;
  table.values = larger.values;
}
