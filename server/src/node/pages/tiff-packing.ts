/** The compressions of TIFF that are of its own time: PackBits and LZW. TIFF 6.0, sections 9 and 13. */
import { ImageFault } from './image-size.ts';

/** At most `length` bytes; fewer where the data end. */
export function unpackBits(packed: Uint8Array, length: number): Uint8Array {
  const data = new Uint8Array(length);
  let to = 0;
  for (let at = 0; at < packed.length && to < length;) {
    const head = packed[at++]!;
    if (head < 128) {
      const literal = packed.subarray(at, at + Math.min(head + 1, length - to));
      data.set(literal, to);
      to += literal.length;
      at += head + 1;
    } else if (head > 128) {
      const end = Math.min(length, to + 257 - head);
      data.fill(packed[at] ?? 0, to, end);
      to = end;
      at += 1;
    }
  }
  return data.subarray(0, to);
}

const CLEAR = 256;
const END = 257;
const MOST = 4096;

/** At most `length` bytes; fewer where the data end. Codes begin at the highest bit and widen one code early. */
export function unpackLzw(packed: Uint8Array, length: number): Uint8Array {
  // Before TIFF 6.0 some programs wrote codes from the lowest bit on.
  if (packed[0] === 0 && ((packed[1] ?? 0) & 1) === 1) {
    throw new ImageFault('is a TIFF image with LZW of the old kind, which is not decoded');
  }
  const data = new Uint8Array(length);
  // Each entry is a run of what was written already: where it begins and how long it is.
  const starts = new Uint32Array(MOST);
  const lengths = new Uint16Array(MOST);
  let next = END + 1;
  let width = 9;
  let before: { readonly start: number; readonly length: number } | undefined;
  let buffer = 0;
  let held = 0;
  let at = 0;
  let to = 0;
  while (to < length) {
    while (held < width && at < packed.length) {
      buffer = ((buffer << 8) | packed[at++]!) & 0xffffff;
      held += 8;
    }
    if (held < width) break;
    const code = (buffer >> (held - width)) & ((1 << width) - 1);
    held -= width;
    if (code === END) break;
    if (code === CLEAR) {
      next = END + 1;
      width = 9;
      before = undefined;
      continue;
    }
    const start = to;
    if (code < CLEAR) data[to++] = code;
    else if (before !== undefined && code <= next && code > END) {
      // The entry that is just being made is the run before and its own first byte again.
      const isNew = code === next;
      const from = isNew ? before.start : starts[code]!;
      const run = isNew ? before.length + 1 : lengths[code]!;
      const end = Math.min(length, to + run);
      for (let i = from; to < end; i++) data[to++] = data[i]!;
    } else throw new ImageFault('is damaged: its LZW codes make no sense');
    if (before !== undefined && next < MOST) {
      starts[next] = before.start;
      lengths[next] = before.length + 1;
      next += 1;
      // The decoder is one entry behind the encoder.
      if (next + 1 >= 1 << width && width < 12) width += 1;
    }
    before = { start, length: to - start };
  }
  return data.subarray(0, to);
}
