/** The instructions of WebAssembly, as far as following writes needs to know them. Build step; does not ship. */
import type { WasmReader } from './wasm-bytes.ts';

export const I32 = 0x7f;
const I64 = 0x7e;
const F32 = 0x7d;
const F64 = 0x7c;

/** Operations that write one value into memory, with the value's type. */
export const STORES: ReadonlyMap<number, number> = new Map([
  [0x36, I32],
  [0x37, I64],
  [0x38, F32],
  [0x39, F64],
  [0x3a, I32],
  [0x3b, I32],
  [0x3c, I64],
  [0x3d, I64],
  [0x3e, I64],
]);

export const OP = {
  block: 0x02,
  loop: 0x03,
  if: 0x04,
  else: 0x05,
  try: 0x06,
  catch: 0x07,
  end: 0x0b,
  delegate: 0x18,
  catchAll: 0x19,
  drop: 0x1a,
  get: 0x20,
  set: 0x21,
  tee: 0x22,
  globalGet: 0x23,
  globalSet: 0x24,
  store8: 0x3a,
  const: 0x41,
  const64: 0x42,
  float: 0x43,
  float64: 0x44,
  add: 0x6a,
  sub: 0x6b,
  shift: 0x76,
  bulk: 0xfc,
} as const;

/** Behind `OP.bulk`. */
export const BULK = { lastConversion: 7, init: 8, copy: 10, fill: 11 } as const;

export interface Instruction {
  readonly start: number;
  readonly operation: number;
  /** Of a local or global variable; for `OP.bulk` which operation it is. */
  readonly index: number;
  /** Of a load or store, in bytes. */
  readonly offset: number;
}

const between = (value: number, low: number, high: number): boolean => value >= low && value <= high;

/** Blocks, exceptions, branches, calls, sizes of the memory, integers, references. */
const ONE_INDEX: ReadonlySet<number> = new Set([
  ...[0x02, 0x03, 0x04, 0x06, 0x07, 0x08, 0x09, 0x0c, 0x0d, 0x10, 0x12, 0x18, 0x3f, 0x40, 0x41, 0x42, 0xd0, 0xd2],
]);
const NO_INDEX: ReadonlySet<number> = new Set([0x00, 0x01, 0x05, 0x0b, 0x0f, 0x19, 0x1a, 0x1b, 0xd1]);

/** @throws at an operation that is not known: among them might be one that writes */
export function readInstructions(reader: WasmReader, end: number, each: (instruction: Instruction) => void): void {
  while (reader.at < end) {
    const start = reader.at;
    const operation = reader.byte();
    let index = 0;
    let offset = 0;
    if (between(operation, 0x28, 0x3e)) {
      if (reader.leb() >= 0x40) throw new Error('an access to another memory');
      offset = reader.leb();
    } else if (between(operation, 0x20, 0x26)) index = reader.leb();
    else if (operation === OP.bulk) index = readBulk(reader);
    else if (operation === 0x11 || operation === 0x13) reader.skipLebs(2);
    else if (operation === 0x0e) reader.skipLebs(reader.leb() + 1);
    else if (operation === 0x1c) reader.skip(reader.leb());
    else if (operation === OP.float) reader.skip(4);
    else if (operation === OP.float64) reader.skip(8);
    else if (ONE_INDEX.has(operation)) reader.skipLebs(1);
    else if (!NO_INDEX.has(operation) && !between(operation, 0x45, 0xc4)) {
      throw new Error(`the operation ${operation.toString(16)} is not known`);
    }
    each({ start, operation, index, offset });
  }
}

function readBulk(reader: WasmReader): number {
  const operation = reader.leb();
  if (operation === BULK.init || operation > 17) throw new Error(`the bulk operation ${operation} is not known`);
  if (operation === 9 || between(operation, 11, 17)) reader.skipLebs(operation === 12 || operation === 14 ? 2 : 1);
  else if (operation === BULK.copy) reader.skipLebs(2);
  return operation;
}

/** What an operation takes from the stack and gives back to it; others than these are not followed. */
const EFFECTS = new Map<number, readonly [takes: number, gives: number]>();
const note = (low: number, high: number, takes: number, gives: number): void => {
  for (let operation = low; operation <= high; operation++) EFFECTS.set(operation, [takes, gives]);
};
note(OP.drop, OP.drop, 1, 0);
note(0x1b, 0x1b, 3, 1);
note(OP.get, OP.get, 0, 1);
note(OP.set, OP.set, 1, 0);
note(OP.tee, OP.tee, 1, 1);
note(OP.globalGet, OP.globalGet, 0, 1);
note(OP.globalSet, OP.globalSet, 1, 0);
// Loads, constants, and what is calculated with one or two values.
note(0x28, 0x35, 1, 1);
note(OP.const, OP.float64, 0, 1);
note(0x45, 0xc4, 2, 1);
for (const [low, high] of [
  [0x45, 0x45],
  [0x50, 0x50],
  [0x67, 0x69],
  [0x79, 0x7b],
  [0x8b, 0x91],
  [0x99, 0x9f],
  [0xa7, 0xc4],
] as const) {
  note(low, high, 1, 1);
}

export function stackEffect({ operation, index }: Instruction): readonly [takes: number, gives: number] | undefined {
  if (operation === OP.bulk) return index <= BULK.lastConversion ? [1, 1] : undefined;
  return EFFECTS.get(operation);
}
