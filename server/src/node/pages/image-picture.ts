/** Page images as PNG, for pages in a browser, which shows no TIFF. */
import { crc32, deflateSync } from 'node:zlib';
import type { Pixels } from '../../core/page/ink.ts';
import type { PagePicture } from '../../core/ports.ts';
import { readPixels } from './image-ink.ts';

/** Of more pixels, every second, third … is left out, so that the picture stays a message: A4 at 600 dpi is 35 million. */
const MOST_PIXELS = 24e6;

/** Rejects as `readPixels` does. */
export async function readPicture(path: string): Promise<PagePicture> {
  const pixels = await readPixels(path);
  return { png: encodePng(thinned(pixels, MOST_PIXELS)), width: pixels.width, height: pixels.height };
}

/** Every `step`th pixel of every `step`th row, so that at most `most` are left. */
export function thinned(pixels: Pixels, most: number): Pixels {
  const step = Math.ceil(Math.sqrt((pixels.width * pixels.height) / most));
  if (step <= 1) return pixels;
  const { channels } = pixels;
  const width = Math.ceil(pixels.width / step);
  const height = Math.ceil(pixels.height / step);
  const data = new Uint8Array(width * height * channels);
  let to = 0;
  for (let y = 0; y < height; y++) {
    let from = y * step * pixels.width * channels;
    for (let x = 0; x < width; x++, from += step * channels) {
      for (let channel = 0; channel < channels; channel++) data[to++] = pixels.data[from + channel]!;
    }
  }
  return { width, height, channels, data };
}

/** PNG's colour types, by channels. */
const COLOUR_TYPES: Readonly<Record<number, number>> = { 1: 0, 2: 4, 3: 2, 4: 6 };

/** Fast rather than small where nothing else is said: it is read once, on the same machine or over a line. `level`: zlib's. */
export function encodePng({ width, height, channels, data }: Pixels, level = 1): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  header[9] = COLOUR_TYPES[channels]!;
  const stride = width * channels;
  const rows = Buffer.alloc((stride + 1) * height);
  for (let y = 0; y < height; y++) rows.set(data.subarray(y * stride, (y + 1) * stride), y * (stride + 1) + 1);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(kind: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(kind, 'latin1'), data]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length, 0);
  whole.set(body, 4);
  whole.writeUInt32BE(crc32(body), body.length + 4);
  return whole;
}
