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
/** Hashes are compared in parts of about so many, so that the table for it stays small. */
const PART = 1 << 15;

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
      const found: Repeat[] = [];
      for (let part = 0; part < parts; part++) addRepeats(blocks, part, parts - 1, found);
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

/** Those among the hashes whose last bits are `part`. */
function addRepeats(blocks: readonly Block[], part: number, bits: number, found: Repeat[]): void {
  let size = 0;
  eachOf(blocks, part, bits, () => size++);
  const capacity = 2 ** Math.ceil(Math.log2(2 * size + 1));
  /** Index + 1 of the first with each hash; open addressing. */
  const firsts = new Uint32Array(capacity);
  eachOf(blocks, part, bits, (index, low, high) => {
    let slot = Math.imul(low ^ (high << 16), 0x9e3779b1) & (capacity - 1);
    for (; firsts[slot] !== 0; slot = (slot + 1) & (capacity - 1)) {
      const first = firsts[slot]! - 1;
      const block = blocks[Math.floor(first / BLOCK)]!;
      if (block.lows[first % BLOCK] !== low || block.highs[first % BLOCK] !== high) continue;
      found.push({ index, first });
      return;
    }
    firsts[slot] = index + 1;
  });
}

function eachOf(
  blocks: readonly Block[],
  part: number,
  bits: number,
  call: (index: number, low: number, high: number) => void,
): void {
  for (const [number, { lows, highs }] of blocks.entries()) {
    for (let place = 0; place < highs.length; place++) {
      const high = highs[place]!;
      const low = lows[place]!;
      if (high !== 0 && (low & bits) === part) call(number * BLOCK + place, low, high);
    }
  }
}
