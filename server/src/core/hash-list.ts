/**
 * Hashes of the records of a file, from which it tells at the end which of them came before. Six bytes a record: a table
 * that tells at once takes more than twice as many, and each look into it waits for memory.
 */
export interface HashList {
  /** Each index once, in any order. 48 bits of the hash count. */
  set(index: number, hash: number): void;
  /** The records whose hash an earlier one has, in order of index, with the first of these. */
  repeats(): readonly Repeat[];
}

export interface Repeat {
  readonly index: number;
  readonly first: number;
}

const BLOCK = 4096;
/** Hashes are compared in parts of about so many at most, so that the table for it stays small; each goes through all of them. */
const PART = 1 << 16;

interface Block {
  lows: Uint32Array;
  /** 0: no hash. */
  highs: Uint16Array;
}

/** @see hashNumber */
export function createHashList(): HashList {
  const blocks: Block[] = [];
  let length = 0;

  return {
    set(index, hash) {
      const place = index % BLOCK;
      const block = blockFor(blocks, Math.floor(index / BLOCK), place);
      block.lows[place] = hash >>> 0;
      block.highs[place] = ((hash / 2 ** 32) % 0xffff) + 1;
      length = Math.max(length, index + 1);
    },
    repeats() {
      const parts = 1 << Math.max(0, Math.ceil(Math.log2(length / PART)));
      const sizes = sizesOf(blocks, parts);
      const found: Repeat[] = [];
      // One for all: as many that are let go would wait for the collector together.
      const firsts = new Uint32Array(tableSize(sizes.reduce((most, size) => Math.max(most, size), 0)));
      for (let part = 0; part < parts; part++) {
        const table = firsts.subarray(0, tableSize(sizes[part]!));
        table.fill(0);
        addRepeats(blocks, part, parts, table, found);
      }
      return found.sort((one, other) => one.index - other.index);
    },
  };
}

function blockFor(blocks: Block[], number: number, place: number): Block {
  while (blocks.length <= number) blocks.push(blockOf(blocks.length === 0 ? 16 : BLOCK));
  const block = blocks[number]!;
  // The first one grows with its records: most files are short.
  if (place >= block.lows.length) {
    const larger = blockOf(Math.min(BLOCK, Math.max(place + 1, block.lows.length * 4)));
    larger.lows.set(block.lows);
    larger.highs.set(block.highs);
    blocks[number] = larger;
    return larger;
  }
  return block;
}

function blockOf(size: number): Block {
  return { lows: new Uint32Array(size), highs: new Uint16Array(size) };
}

/** How many hashes there are in each part: those with the same last bits. */
function sizesOf(blocks: readonly Block[], parts: number): Uint32Array {
  const sizes = new Uint32Array(parts);
  for (const { lows, highs } of blocks) {
    for (let place = 0; place < highs.length; place++) if (highs[place] !== 0) sizes[lows[place]! & (parts - 1)]!++;
  }
  return sizes;
}

/** Room for twice as many, so that places are soon found. */
function tableSize(hashes: number): number {
  return 2 ** Math.ceil(Math.log2(2 * hashes + 1));
}

/** Those of one part. `firsts`: index + 1 of the first with each hash; open addressing. */
function addRepeats(blocks: readonly Block[], part: number, parts: number, firsts: Uint32Array, found: Repeat[]): void {
  const mask = firsts.length - 1;
  for (let number = 0; number < blocks.length; number++) {
    const { lows, highs } = blocks[number]!;
    for (let place = 0; place < highs.length; place++) {
      const high = highs[place]!;
      const low = lows[place]!;
      if (high === 0 || (low & (parts - 1)) !== part) continue;
      const index = number * BLOCK + place;
      let slot = Math.imul(low ^ (high << 16), 0x9e3779b1) & mask;
      while (firsts[slot] !== 0 && !isHash(blocks, firsts[slot]! - 1, low, high)) slot = (slot + 1) & mask;
      if (firsts[slot] === 0) firsts[slot] = index + 1;
      else found.push({ index, first: firsts[slot]! - 1 });
    }
  }
}

function isHash(blocks: readonly Block[], index: number, low: number, high: number): boolean {
  const { lows, highs } = blocks[Math.floor(index / BLOCK)]!;
  return lows[index % BLOCK] === low && highs[index % BLOCK] === high;
}
