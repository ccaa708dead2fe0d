/** Connected pieces of a bitmap, by runs: the raw material of the layout of page images. */
import type { PageInk } from '../ports.ts';
import type { PixelBox } from './ink.ts';

export interface Piece extends PixelBox {
  /** Pixels (or squares) that are set. */
  readonly filled: number;
}

export interface Bitmap {
  readonly width: number;
  readonly height: number;
  /** Rows begin at a whole byte, highest bit first. */
  readonly bits: Uint8Array;
}

/** The squares of a page image in which there is anything but background. */
export function marksOf({ width, height, marks, cell }: PageInk): Bitmap {
  return { width: Math.ceil(width / cell), height: Math.ceil(height / cell), bits: marks };
}

/** Every `step` rows become one, in which is set what is set in any of them. */
export function withRowsJoined({ width, height, bits }: Bitmap, step: number): Bitmap {
  if (step <= 1) return { width, height, bits };
  const rowBytes = (width + 7) >> 3;
  const rows = Math.ceil(height / step);
  const joined = new Uint8Array(rowBytes * rows);
  for (let y = 0; y < height; y++) {
    const to = Math.trunc(y / step) * rowBytes;
    for (let i = 0, from = y * rowBytes; i < rowBytes; i++) joined[to + i]! |= bits[from + i]!;
  }
  return { width, height: rows, bits: joined };
}

/** Share of a bitmap that is set, 0–1. */
export function shareSet({ width, height, bits }: Bitmap): number {
  let set = 0;
  for (const byte of bits) set += ONES[byte]!;
  return set / Math.max(1, width * height);
}

const ONES = Uint8Array.from({ length: 256 }, (_, byte) => {
  let ones = 0;
  for (let rest = byte; rest > 0; rest >>= 1) ones += rest & 1;
  return ones;
});

/**
 * Pieces that hang together (8 neighbours), where gaps within a row up to `gap` count as filled. From the top, then from the left;
 * in the bitmap's own pixels.
 */
export function piecesOf(bitmap: Bitmap, gap: number): Piece[] {
  const runs = runsOf(bitmap, gap);
  const parents = joinRuns(runs);
  const boxes = new Map<number, { -readonly [K in keyof Piece]: Piece[K] }>();
  for (let i = 0; i < runs.count; i++) {
    const root = rootOf(parents, i);
    const left = runs.starts[i]!;
    const right = runs.ends[i]!;
    const top = runs.rows[i]!;
    const known = boxes.get(root);
    if (known === undefined) {
      boxes.set(root, { left, top, right, bottom: top + 1, filled: runs.filled[i]! });
      continue;
    }
    if (left < known.left) known.left = left;
    if (right > known.right) known.right = right;
    known.bottom = top + 1;
    known.filled += runs.filled[i]!;
  }
  return [...boxes.values()];
}

interface Runs {
  count: number;
  starts: Int32Array;
  /** Exclusive. */
  ends: Int32Array;
  rows: Int32Array;
  /** Pixels that are set, without the gaps. */
  filled: Int32Array;
  /** Index of the first run of each row, and the count at the end. */
  readonly firsts: Int32Array;
}

function runsOf({ width, height, bits }: Bitmap, gap: number): Runs {
  const rowBytes = (width + 7) >> 3;
  const runs: Runs = {
    count: 0,
    starts: new Int32Array(4096),
    ends: new Int32Array(4096),
    rows: new Int32Array(4096),
    filled: new Int32Array(4096),
    firsts: new Int32Array(height + 1),
  };
  for (let y = 0; y < height; y++) {
    runs.firsts[y] = runs.count;
    let start = -1;
    let end = -1;
    let filled = 0;
    for (let i = 0, from = y * rowBytes; i < rowBytes; i++) {
      const byte = bits[from + i]!;
      if (byte === 0) continue;
      for (let bit = 0; bit < 8; bit++) {
        if ((byte & (0x80 >> bit)) === 0) continue;
        const x = 8 * i + bit;
        if (start >= 0 && x - end > gap) {
          addRun(runs, start, end, y, filled);
          start = -1;
        }
        if (start < 0) {
          start = x;
          filled = 0;
        }
        end = x + 1;
        filled += 1;
      }
    }
    if (start >= 0) addRun(runs, start, end, y, filled);
  }
  runs.firsts[height] = runs.count;
  return runs;
}

function addRun(runs: Runs, start: number, end: number, row: number, filled: number): void {
  if (runs.count === runs.starts.length) {
    for (const key of ['starts', 'ends', 'rows', 'filled'] as const) {
      const larger = new Int32Array(2 * runs.count);
      larger.set(runs[key]);
      runs[key] = larger;
    }
  }
  const at = runs.count++;
  runs.starts[at] = start;
  runs.ends[at] = end;
  runs.rows[at] = row;
  runs.filled[at] = filled;
}

/** Runs that touch runs of the row above get a common root. */
function joinRuns({ count, starts, ends, firsts }: Runs): Int32Array {
  const parents = new Int32Array(count);
  for (let i = 0; i < count; i++) parents[i] = i;
  for (let row = 1; row + 1 < firsts.length; row++) {
    let above = firsts[row - 1]!;
    const lastAbove = firsts[row]!;
    for (let i = lastAbove; i < firsts[row + 1]!; i++) {
      while (above < lastAbove && ends[above]! < starts[i]!) above += 1;
      for (let other = above; other < lastAbove && starts[other]! <= ends[i]!; other++) {
        const one = rootOf(parents, i);
        const two = rootOf(parents, other);
        if (one < two) parents[two] = one;
        else parents[one] = two;
      }
    }
  }
  return parents;
}

function rootOf(parents: Int32Array, of: number): number {
  let root = of;
  while (parents[root] !== root) root = parents[root]!;
  for (let at = of; parents[at] !== root;) {
    const next = parents[at]!;
    parents[at] = root;
    at = next;
  }
  return root;
}
