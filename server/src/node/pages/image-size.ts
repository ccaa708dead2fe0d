import { open } from 'node:fs/promises';
import { asOrientation, isTurned, orientationOfExif } from './orientation.ts';
import type { Orientation } from './orientation.ts';

/** Pixels of the image as displayed: turned as its metadata asks for, like in a browser. */
export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

export type ImageFormat = 'PNG' | 'JPEG' | 'WebP' | 'TIFF';

/** What the header says; width and height are those of the pixels as stored. */
export interface ImageHeader extends PixelSize {
  readonly format: ImageFormat;
  readonly orientation: Orientation;
}

/** Reads `length` bytes at an offset of the file; fewer where the file ends. */
type ReadAt = (offset: number, length: number) => Promise<DataView>;

/** Bytes at the start of a file that are read at once: all that stands before the pixels of the usual PNG. */
const HEAD = 2048;

/** Why an image could not be read, to stand after its path. */
export class ImageFault extends Error {}

/** Whole as it may be, it is too large to be decoded. */
export class ImageTooLarge extends ImageFault {}

/** Width and height from the header of a PNG, JPEG, WebP or TIFF file. Rejects with `ImageFault` or a file system error. */
export async function readImageSize(file: string): Promise<PixelSize> {
  const { width, height, orientation } = await readImageHeader(file);
  return isTurned(orientation) ? { width: height, height: width } : { width, height };
}

/** Rejects as `readImageSize` does. */
export async function readImageHeader(file: string): Promise<ImageHeader> {
  const handle = await open(file, 'r');
  try {
    const readAt: ReadAt = async (offset, length) => {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, offset);
      return new DataView(buffer.buffer, buffer.byteOffset, bytesRead);
    };
    const header = await headerOf(readAt);
    if (header.width < 1 || header.height < 1)
      throw new ImageFault('is damaged: its header says that it has no pixels');
    return header;
  } catch (error) {
    if (error instanceof RangeError) throw new ImageFault('is damaged: it ends within its header');
    throw error;
  } finally {
    await handle.close();
  }
}

async function headerOf(readAt: ReadAt): Promise<ImageHeader> {
  const head = await readAt(0, HEAD);
  if (head.byteLength === 0) throw new ImageFault('is empty');
  const magic = ascii(head, 0, Math.min(12, head.byteLength));
  if (magic.startsWith('\x89PNG\r\n\x1a\n')) return pngHeader(head);
  if (magic.startsWith('\xff\xd8')) return jpegHeader(readAt);
  // A WebP image is shown as it is stored: browsers do not look at the orientation in its EXIF chunk.
  if (magic.startsWith('RIFF') && magic.slice(8) === 'WEBP') {
    return { format: 'WebP', orientation: 1, ...webpSize(head) };
  }
  if (magic.startsWith('II*\0')) return tiffHeader(readAt, head, true);
  if (magic.startsWith('MM\0*')) return tiffHeader(readAt, head, false);
  if (magic.startsWith('version http')) throw new ImageFault('is a Git LFS pointer; the image itself was not fetched');
  throw new ImageFault('is no PNG, JPEG, WebP or TIFF image');
}

/** W3C PNG, 11.2.2: IHDR is the first chunk. An eXIf chunk counts where it stands before the pixels, as in browsers. */
function pngHeader(head: DataView): ImageHeader {
  if (ascii(head, 12, 4) !== 'IHDR') throw new ImageFault('is damaged: its PNG header is missing');
  const size = { width: head.getUint32(16), height: head.getUint32(20) };
  let orientation: Orientation = 1;
  for (let at = 33; at + 8 <= head.byteLength;) {
    const length = head.getUint32(at);
    const kind = ascii(head, at + 4, 4);
    if (kind === 'IDAT') break;
    if (kind === 'eXIf') {
      orientation = orientationOfExif(part(head, at + 8, length));
      break;
    }
    at += length + 12;
  }
  return { format: 'PNG', orientation, ...size };
}

/** ITU-T T.81, B.2.2: a frame header, SOF0–SOF15 without DHT, JPG and DAC. The orientation stands in the first Exif segment. */
async function jpegHeader(readAt: ReadAt): Promise<ImageHeader> {
  let offset = 2;
  let orientation: Orientation | undefined;
  for (;;) {
    const segment = await readAt(offset, 10);
    if (segment.byteLength < 4) throw new ImageFault('is damaged: it has no JPEG frame header');
    if (segment.getUint8(0) !== 0xff) throw new ImageFault('is damaged: a JPEG marker is missing');
    const marker = segment.getUint8(1);
    if (marker === 0xff) {
      // Fill bytes may stand before a marker.
      offset += 1;
      continue;
    }
    if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc) {
      const size = { width: segment.getUint16(7), height: segment.getUint16(5) };
      return { format: 'JPEG', orientation: orientation ?? 1, ...size };
    }
    if (marker === 0xd9 || marker === 0xda) throw new ImageFault('is damaged: it has no JPEG frame header');
    const standsAlone = marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
    const length = standsAlone ? 0 : segment.getUint16(2);
    if (
      marker === 0xe1 &&
      orientation === undefined &&
      segment.byteLength === 10 &&
      ascii(segment, 4, 6) === 'Exif\0\0'
    ) {
      orientation = orientationOfExif(await readAt(offset + 10, Math.max(0, length - 8)));
    }
    offset += 2 + length;
  }
}

/** RFC 9649: lossy, lossless and extended files. */
function webpSize(head: DataView): PixelSize {
  const kind = ascii(head, 12, 4);
  if (kind === 'VP8 ') return { width: head.getUint16(26, true) & 0x3fff, height: head.getUint16(28, true) & 0x3fff };
  if (kind === 'VP8L') {
    const bits = head.getUint32(21, true);
    return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
  }
  if (kind === 'VP8X') return { width: uint24(head, 24) + 1, height: uint24(head, 27) + 1 };
  throw new ImageFault('is damaged: its WebP header is unknown');
}

/** TIFF 6.0, section 2: ImageWidth (256), ImageLength (257) and Orientation (274) of the first directory. */
async function tiffHeader(readAt: ReadAt, head: DataView, little: boolean): Promise<ImageHeader> {
  const at = head.getUint32(4, little);
  const count = (await readAt(at, 2)).getUint16(0, little);
  const entries = await readAt(at + 2, count * 12);
  const valueOf = (tag: number): number | undefined => {
    for (let i = 0; i < count; i++) {
      if (entries.getUint16(i * 12, little) !== tag) continue;
      const isShort = entries.getUint16(i * 12 + 2, little) === 3;
      return isShort ? entries.getUint16(i * 12 + 8, little) : entries.getUint32(i * 12 + 8, little);
    }
    return undefined;
  };
  const [width, height] = [valueOf(256), valueOf(257)];
  if (width === undefined || height === undefined) throw new ImageFault('is damaged: its TIFF header gives no size');
  return { format: 'TIFF', width, height, orientation: asOrientation(valueOf(274)) };
}

function part(view: DataView, offset: number, length: number): DataView {
  const start = Math.min(offset, view.byteLength);
  return new DataView(view.buffer, view.byteOffset + start, Math.min(length, view.byteLength - start));
}

function uint24(view: DataView, offset: number): number {
  return view.getUint16(offset, true) | (view.getUint8(offset + 2) << 16);
}

function ascii(view: DataView, offset: number, length: number): string {
  let text = '';
  for (let i = 0; i < length; i++) text += String.fromCharCode(view.getUint8(offset + i));
  return text;
}
