/** JPEG: baseline and progressive; grey, YCbCr, RGB, CMYK and YCCK. Not decoded: arithmetic coding, 12 bits, lossless. */
import { JpegImage, setVerbosityLevel } from 'pdfjs-dist/legacy/image_decoders/pdf.image_decoders.mjs';
import type { Pixels } from '../../core/page/ink.ts';
import { rgbOfCmyk } from './colours.ts';
import { ImageFault } from './image-size.ts';

const SCAN = Buffer.from([0xff, 0xda]);
const END = Buffer.from([0xff, 0xd9]);

/** What the decoder would say of a damaged file goes to nobody. */
setVerbosityLevel(0);

/** Throws where the file is damaged. */
export function decodeJpeg(bytes: Buffer): Pixels {
  // A file that was cut is decoded without a word, and the rest of the page would count as blank.
  if (bytes.indexOf(END, Math.max(0, bytes.indexOf(SCAN))) < 0) throw new ImageFault('is damaged: it ends early');
  return pixelsOfJpeg(bytes, -1);
}

/**
 * `colorTransform`: whether three components are YCbCr (1) or RGB (0); -1: as the file says. Throws `ImageFault` also
 * where it has more than `mostPixels`, before memory is taken for them.
 */
export function pixelsOfJpeg(bytes: Buffer, colorTransform: -1 | 0 | 1, mostPixels = Infinity): Pixels {
  const frame = frameOf(bytes);
  if (![1, 3, 4].includes(frame.components)) {
    throw new ImageFault(`is a JPEG image of ${frame.components} components, which is not decoded`);
  }
  if (frame.width * frame.height > mostPixels) throw new ImageFault('is damaged: a part of it has another size');
  const image = new JpegImage({ colorTransform });
  try {
    image.parse(bytes);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ImageFault(`is damaged, or a JPEG image of a kind that is not decoded: ${reason}`);
  }
  const { width, height, numComponents: channels } = image;
  const data = image.getData({ width, height });
  return channels === 4 ? { width, height, channels: 3, data: rgbOfCmyk(data) } : { width, height, channels, data };
}

/** What the frame header says (ITU-T T.81, B.2.2). */
function frameOf(bytes: Buffer): { readonly width: number; readonly height: number; readonly components: number } {
  for (let at = 2; at + 10 <= bytes.length;) {
    const marker = bytes[at + 1]!;
    if (bytes[at] !== 0xff) break;
    if (marker === 0xff) at += 1;
    else if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc) {
      return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7), components: bytes[at + 9]! };
    } else at += 2 + (marker >= 0xd0 && marker <= 0xd8 ? 0 : bytes.readUInt16BE(at + 2));
  }
  throw new ImageFault('is damaged: it has no JPEG frame header');
}
