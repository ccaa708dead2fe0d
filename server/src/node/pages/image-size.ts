import { open } from 'node:fs/promises';

/** Pixels of the image as stored; an orientation that its metadata may ask for is not applied, as in Pillow or OpenCV. */
export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

/** Reads `length` bytes at an offset of the file; fewer where the file ends. */
type ReadAt = (offset: number, length: number) => Promise<DataView>;

/** Why an image's header could not be read, to stand after its path. */
export class ImageFault extends Error {}

/** Width and height from the header of a PNG, JPEG, WebP or TIFF file. Rejects with `ImageFault` or a file system error. */
export async function readImageSize(file: string): Promise<PixelSize> {
  const handle = await open(file, 'r');
  try {
    const readAt: ReadAt = async (offset, length) => {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, offset);
      return new DataView(buffer.buffer, buffer.byteOffset, bytesRead);
    };
    const size = await sizeOf(readAt);
    if (size.width < 1 || size.height < 1) throw new ImageFault('is damaged: its header says that it has no pixels');
    return size;
  } catch (error) {
    if (error instanceof RangeError) throw new ImageFault('is damaged: it ends within its header');
    throw error;
  } finally {
    await handle.close();
  }
}

async function sizeOf(readAt: ReadAt): Promise<PixelSize> {
  const head = await readAt(0, 40);
  if (head.byteLength === 0) throw new ImageFault('is empty');
  const magic = ascii(head, 0, Math.min(12, head.byteLength));
  if (magic.startsWith('\x89PNG\r\n\x1a\n')) return pngSize(head);
  if (magic.startsWith('\xff\xd8')) return jpegSize(readAt);
  if (magic.startsWith('RIFF') && magic.slice(8) === 'WEBP') return webpSize(head);
  if (magic.startsWith('II*\0')) return tiffSize(readAt, head, true);
  if (magic.startsWith('MM\0*')) return tiffSize(readAt, head, false);
  if (magic.startsWith('version http')) throw new ImageFault('is a Git LFS pointer; the image itself was not fetched');
  throw new ImageFault('is no PNG, JPEG, WebP or TIFF image');
}

/** W3C PNG, 11.2.2: IHDR is the first chunk. */
function pngSize(head: DataView): PixelSize {
  if (ascii(head, 12, 4) !== 'IHDR') throw new ImageFault('is damaged: its PNG header is missing');
  return { width: head.getUint32(16), height: head.getUint32(20) };
}

/** ITU-T T.81, B.2.2: a frame header, SOF0–SOF15 without DHT, JPG and DAC. */
async function jpegSize(readAt: ReadAt): Promise<PixelSize> {
  let offset = 2;
  for (;;) {
    const segment = await readAt(offset, 9);
    if (segment.byteLength < 4) throw new ImageFault('is damaged: it has no JPEG frame header');
    if (segment.getUint8(0) !== 0xff) throw new ImageFault('is damaged: a JPEG marker is missing');
    const marker = segment.getUint8(1);
    if (marker === 0xff) {
      // Fill bytes may stand before a marker.
      offset += 1;
      continue;
    }
    if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc) {
      return { height: segment.getUint16(5), width: segment.getUint16(7) };
    }
    if (marker === 0xd9 || marker === 0xda) throw new ImageFault('is damaged: it has no JPEG frame header');
    const standsAlone = marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
    offset += standsAlone ? 2 : 2 + segment.getUint16(2);
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

/** TIFF 6.0, section 2: ImageWidth (256) and ImageLength (257) of the first directory. */
async function tiffSize(readAt: ReadAt, head: DataView, little: boolean): Promise<PixelSize> {
  const at = head.getUint32(4, little);
  const count = (await readAt(at, 2)).getUint16(0, little);
  const entries = await readAt(at + 2, count * 12);
  const valueOf = (tag: number): number => {
    for (let i = 0; i < count; i++) {
      if (entries.getUint16(i * 12, little) !== tag) continue;
      const isShort = entries.getUint16(i * 12 + 2, little) === 3;
      return isShort ? entries.getUint16(i * 12 + 8, little) : entries.getUint32(i * 12 + 8, little);
    }
    throw new ImageFault('is damaged: its TIFF header gives no size');
  };
  return { width: valueOf(256), height: valueOf(257) };
}

function uint24(view: DataView, offset: number): number {
  return view.getUint16(offset, true) | (view.getUint8(offset + 2) << 16);
}

function ascii(view: DataView, offset: number, length: number): string {
  let text = '';
  for (let i = 0; i < length; i++) text += String.fromCharCode(view.getUint8(offset + i));
  return text;
}
