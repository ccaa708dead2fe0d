/**
 * Rows of the usual PNG: 8 bits a sample, grey or RGB with or without alpha, not interlaced. Several times as fast as a
 * decoder that knows all kinds, which page images at 300 dpi make worth while.
 * Source: W3C PNG (third edition), 5.3 chunks, 9 filtering.
 */
import { inflateSync } from 'node:zlib';
import type { Pixels } from '../../core/page/ink.ts';

const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 4: 2, 6: 4 };

/** undefined: another kind of PNG. Throws where the file is damaged. */
export function decodeUsualPng(bytes: Buffer): Pixels | undefined {
  if (bytes.length < 33 || bytes.toString('latin1', 12, 16) !== 'IHDR') return undefined;
  const width = bytes.readUInt32BE(16);
  const height = bytes.readUInt32BE(20);
  const channels = CHANNELS[bytes[25]!];
  if (bytes[24] !== 8 || channels === undefined || bytes[28] !== 0) return undefined;
  const stride = width * channels;
  const raw = inflateSync(Buffer.concat(dataChunks(bytes)), { maxOutputLength: (stride + 1) * height });
  if (raw.length < (stride + 1) * height) throw new Error('the image data ends early');
  return { width, height, channels, data: unfiltered(raw, stride, height, channels) };
}

function dataChunks(bytes: Buffer): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 8; at + 12 <= bytes.length;) {
    const length = bytes.readUInt32BE(at);
    const kind = bytes.toString('latin1', at + 4, at + 8);
    if (kind === 'IDAT') chunks.push(bytes.subarray(at + 8, at + 8 + length));
    if (kind === 'IEND') break;
    at += length + 12;
  }
  return chunks;
}

/** Undoes the filters in place: the samples of row y begin at `y * stride` of what is returned. */
function unfiltered(raw: Buffer, stride: number, height: number, step: number): Uint8Array {
  const data = new Uint8Array(raw.buffer, raw.byteOffset, raw.length);
  for (let y = 0; y < height; y++) {
    const from = y * (stride + 1) + 1;
    const to = y * stride;
    const filter = data[from - 1]!;
    data.copyWithin(to, from, from + stride);
    const end = to + stride;
    // The row above the first is 0.
    if (filter === 1) {
      for (let i = to + step; i < end; i++) data[i] = data[i]! + data[i - step]!;
    } else if (filter === 2) {
      if (y > 0) for (let i = to; i < end; i++) data[i] = data[i]! + data[i - stride]!;
    } else if (filter === 3) average(data, to, end, stride, step, y > 0);
    else if (filter === 4) paeth(data, to, end, stride, step, y > 0);
    else if (filter !== 0) throw new Error('a row has an unknown filter');
  }
  return data.subarray(0, stride * height);
}

function average(data: Uint8Array, from: number, end: number, stride: number, step: number, hasAbove: boolean): void {
  for (let i = from; i < end; i++) {
    const left = i - step >= from ? data[i - step]! : 0;
    const above = hasAbove ? data[i - stride]! : 0;
    data[i] = data[i]! + ((left + above) >> 1);
  }
}

function paeth(data: Uint8Array, from: number, end: number, stride: number, step: number, hasAbove: boolean): void {
  for (let i = from; i < end; i++) {
    const left = i - step >= from ? data[i - step]! : 0;
    const above = hasAbove ? data[i - stride]! : 0;
    const corner = hasAbove && i - step >= from ? data[i - stride - step]! : 0;
    const toLeft = Math.abs(above - corner);
    const toAbove = Math.abs(left - corner);
    const toCorner = Math.abs(left + above - 2 * corner);
    const nearest = toLeft <= toAbove && toLeft <= toCorner ? left : toAbove <= toCorner ? above : corner;
    data[i] = data[i]! + nearest;
  }
}
