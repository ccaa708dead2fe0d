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

/** `colorTransform`: whether three components are YCbCr (1) or RGB (0); -1: as the file says. */
export function pixelsOfJpeg(bytes: Uint8Array, colorTransform: -1 | 0 | 1): Pixels {
  const image = new JpegImage({ colorTransform });
  image.parse(bytes);
  const { width, height, numComponents } = image;
  if (numComponents !== 1 && numComponents !== 3 && numComponents !== 4) {
    throw new ImageFault(`is a JPEG image of ${numComponents} components, which is not decoded`);
  }
  const data = image.getData({ width, height });
  return numComponents === 4
    ? { width, height, channels: 3, data: rgbOfCmyk(data) }
    : { width, height, channels: numComponents, data };
}
