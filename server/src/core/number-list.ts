/** Whole numbers below 2^32 in order, four bytes each, however many they are: in blocks, so that none is ever copied. */
export interface NumberList {
  readonly length: number;
  push(value: number): void;
  at(index: number): number;
  [Symbol.iterator](): Iterator<number>;
}

const BLOCK = 4096;

export function createNumberList(): NumberList {
  const blocks: Uint32Array[] = [];
  let length = 0;
  const at = (index: number): number => blocks[Math.floor(index / BLOCK)]![index % BLOCK]!;
  return {
    get length() {
      return length;
    },
    push(value) {
      const place = length % BLOCK;
      // The first block grows with its numbers: most lists stay short.
      if (length < BLOCK) blocks[0] = roomFor(blocks[0], length);
      else if (place === 0) blocks.push(new Uint32Array(BLOCK));
      blocks[blocks.length - 1]![place] = value;
      length += 1;
    },
    at,
    *[Symbol.iterator]() {
      for (let i = 0; i < length; i++) yield at(i);
    },
  };
}

function roomFor(block: Uint32Array | undefined, length: number): Uint32Array {
  if (block !== undefined && length < block.length) return block;
  const larger = new Uint32Array(Math.min(BLOCK, Math.max(16, length * 2)));
  if (block !== undefined) larger.set(block);
  return larger;
}
