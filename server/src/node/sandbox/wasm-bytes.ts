/** Reading and writing the parts of a WebAssembly module. Build step; does not ship. */

export interface WasmReader {
  readonly bytes: Uint8Array;
  at: number;
  byte(): number;
  /** An unsigned LEB128 number. */
  leb(): number;
  skip(count: number): void;
  /** Passes over so many LEB128 numbers of either kind. */
  skipLebs(count: number): void;
}

export interface WasmWriter {
  put(...bytes: readonly number[]): void;
  copy(bytes: Uint8Array): void;
  /** As unsigned LEB128. */
  leb(value: number): void;
  /** As signed LEB128; for numbers that are not negative. */
  signedLeb(value: number): void;
  /** What was written so far. */
  done(): Uint8Array;
}

export function createWasmReader(bytes: Uint8Array): WasmReader {
  return {
    bytes,
    at: 0,
    byte() {
      if (this.at >= bytes.length) throw new Error('the module ends in the middle');
      return bytes[this.at++]!;
    },
    leb() {
      let value = 0;
      for (let scale = 1; ; scale *= 128) {
        const next = this.byte();
        value += (next & 0x7f) * scale;
        if (next < 0x80) return value;
      }
    },
    skip(count) {
      this.at += count;
    },
    skipLebs(count) {
      for (let left = count; left > 0; left--) while (this.byte() >= 0x80);
    },
  };
}

export function createWasmWriter(): WasmWriter {
  let bytes = new Uint8Array(256);
  let length = 0;
  const reserve = (count: number): void => {
    if (length + count <= bytes.length) return;
    const larger = new Uint8Array((length + count) * 2);
    larger.set(bytes.subarray(0, length));
    bytes = larger;
  };
  /** Parts of seven bits, the lowest first; the last one is below `limit`. */
  const putParts = (value: number, limit: number): void => {
    reserve(10);
    let rest = value;
    for (; rest >= limit; rest = Math.floor(rest / 128)) bytes[length++] = (rest % 128) | 128;
    bytes[length++] = rest;
  };
  return {
    put(...given) {
      reserve(given.length);
      for (const byte of given) bytes[length++] = byte;
    },
    copy(given) {
      reserve(given.length);
      bytes.set(given, length);
      length += given.length;
    },
    leb: (value) => putParts(value, 128),
    signedLeb: (value) => putParts(value, 64),
    done: () => bytes.subarray(0, length),
  };
}
