/** Page images, decoded without native modules and reduced to their ink. */
import { readFile, stat } from 'node:fs/promises';
import { convertIndexedToRgb, decode } from 'fast-png';
import { inkOf } from '../../core/page/ink.ts';
import type { Pixels } from '../../core/page/ink.ts';
import type { PageInk } from '../../core/ports.ts';
import { onPaper } from './colours.ts';
import { ImageFault, ImageTooLarge, readImageHeader } from './image-size.ts';
import type { ImageFormat } from './image-size.ts';
import { decodeJpeg } from './jpeg-pixels.ts';
import { turned } from './orientation.ts';
import { decodeUsualPng } from './png-rows.ts';
import { decodeTiff } from './tiff-pixels.ts';
import { decodeWebp } from './webp-pixels.ts';

/** Larger images are not decoded, in millions of pixels: decoding takes about a gigabyte at most. */
export const MOST_MEGAPIXELS: Readonly<Record<ImageFormat, number>> = { PNG: 200, JPEG: 100, WebP: 100, TIFF: 100 };
/** Nor are larger files. */
const MOST_BYTES = 512 * 1024 * 1024;

/** The ink of a page image. Rejects as `readPixels` does. */
export async function readInk(path: string): Promise<PageInk> {
  return inkOf(await readPixels(path));
}

/**
 * A page image as it is displayed: turned as its metadata asks for, what is transparent on white. Rejects with `ImageFault`, or
 * with what a decoder says, where the file is damaged, too large or cannot be read.
 */
export async function readPixels(path: string): Promise<Pixels> {
  const { format, width, height, orientation } = await readImageHeader(path);
  const most = MOST_MEGAPIXELS[format];
  if (width * height > most * 1_000_000) {
    throw new ImageTooLarge(
      `has ${width} × ${height} pixels, and ${format} images of more than ${most} million are not decoded`,
    );
  }
  if ((await stat(path)).size > MOST_BYTES) {
    throw new ImageTooLarge(`is larger than ${MOST_BYTES / 1024 / 1024} MB, and such images are not decoded`);
  }
  const pixels = await DECODERS[format](await readFile(path));
  if (pixels.width !== width || pixels.height !== height) {
    throw new ImageFault('is damaged: its pixels are of another size than its header says');
  }
  return turned(onPaper(pixels), orientation);
}

const DECODERS: Readonly<Record<ImageFormat, (bytes: Buffer) => Pixels | Promise<Pixels>>> = {
  PNG: (bytes) => decodeUsualPng(bytes) ?? decodePng(bytes),
  JPEG: decodeJpeg,
  WebP: decodeWebp,
  TIFF: decodeTiff,
};

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
