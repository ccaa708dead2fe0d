/** Page images that are taken over as they are. */
import { readFile } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { ImageFault, readImageHeader } from '../pages/image-size.ts';
import type { ImageFormat } from '../pages/image-size.ts';

const ENDINGS: Readonly<Record<Exclude<ImageFormat, 'TIFF'>, string>> = { PNG: '.png', JPEG: '.jpg', WebP: '.webp' };

export interface ImageFile {
  /** With its dot. */
  readonly ending: string;
  readonly width: number;
  readonly height: number;
  readonly bytes: Uint8Array;
}

/**
 * The file of a page image that everybody shows alike; undefined: it is to be turned, or a TIFF, which few programs read.
 * Rejects with `ImageFault` where it was cut off or damaged on its way, as far as that shows without decoding it.
 */
export async function imageFile(path: string): Promise<ImageFile | undefined> {
  const { format, orientation, width, height } = await readImageHeader(path);
  if (format === 'TIFF' || orientation !== 1) return undefined;
  const bytes = await readFile(path);
  if (!isWhole[format](bytes))
    throw new ImageFault('is damaged: it ends early, or some of its bytes are not what they were');
  return { ending: ENDINGS[format], width, height, bytes };
}

const isWhole: Readonly<Record<Exclude<ImageFormat, 'TIFF'>, (bytes: Buffer) => boolean>> = {
  PNG: isWholePng,
  JPEG: (bytes) => bytes.lastIndexOf(Buffer.from([0xff, 0xd9])) > bytes.indexOf(Buffer.from([0xff, 0xda])),
  WebP: (bytes) => bytes.length >= 12 && bytes.readUInt32LE(4) + 8 <= bytes.length,
};

/** W3C PNG, 5.3: each chunk has the checksum of its kind and data; IEND is the last one. */
function isWholePng(bytes: Buffer): boolean {
  for (let at = 8; at + 12 <= bytes.length;) {
    const length = bytes.readUInt32BE(at);
    const end = at + 8 + length;
    if (end + 4 > bytes.length || crc32(bytes.subarray(at + 4, end)) !== bytes.readUInt32BE(end)) return false;
    if (bytes.toString('latin1', at + 4, at + 8) === 'IEND') return true;
    at = end + 4;
  }
  return false;
}
