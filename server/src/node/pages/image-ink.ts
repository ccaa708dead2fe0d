/** Page images, decoded without native modules and reduced to their ink. */
import { readFile } from 'node:fs/promises';
import { convertIndexedToRgb, decode } from 'fast-png';
import { inkOf } from '../../core/page/ink.ts';
import type { Pixels } from '../../core/page/ink.ts';
import type { PageInk } from '../../core/ports.ts';
import { readImageSize } from './image-size.ts';
import { decodeUsualPng } from './png-rows.ts';

/** Larger images are not decoded: 200 million pixels take a gigabyte. */
const MAX_PIXELS = 200_000_000;

/** undefined: no image that is decoded here. Rejects where the file is damaged or cannot be read. */
export async function readInk(path: string): Promise<PageInk | undefined> {
  const { width, height } = await readImageSize(path);
  if (width * height > MAX_PIXELS) return undefined;
  const bytes = await readFile(path);
  if (bytes.length < 8 || bytes.readUInt32BE(0) !== 0x89504e47) return undefined;
  return inkOf(decodeUsualPng(bytes) ?? decodePng(bytes));
}

function decodePng(bytes: Uint8Array): Pixels {
  const png = decode(bytes);
  if (png.palette !== undefined) {
    const channels = png.palette[0]?.length ?? 3;
    return { width: png.width, height: png.height, channels, data: convertIndexedToRgb(png) as Uint8Array };
  }
  return { width: png.width, height: png.height, channels: png.channels, data: to8Bit(png) };
}

/** One byte a sample; samples of 1, 2 and 4 bits lie packed in rows of whole bytes. */
function to8Bit({ data, depth, width, height, channels }: ReturnType<typeof decode>): Uint8Array {
  if (depth === 8) return data as Uint8Array;
  const samples = new Uint8Array(width * height * channels);
  if (depth === 16) {
    for (let i = 0; i < samples.length; i++) samples[i] = data[i]! >> 8;
    return samples;
  }
  const row = width * channels;
  const rowBytes = Math.ceil((row * depth) / 8);
  const most = (1 << depth) - 1;
  for (let i = 0; i < samples.length; i++) {
    const bit = (i % row) * depth;
    const byte = data[Math.trunc(i / row) * rowBytes + (bit >> 3)]!;
    samples[i] = (((byte >> (8 - depth - (bit & 7))) & most) * 255) / most;
  }
  return samples;
}
