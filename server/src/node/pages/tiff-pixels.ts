/**
 * TIFF: the first image of the file, in strips or tiles. Samples of 1, 2, 4, 8 or 16 bits; bilevel, grey, palette, RGB
 * and CMYK; not compressed, PackBits, LZW, Deflate, JPEG, or coded as fax (Modified Huffman, Group 3, Group 4).
 * Source: TIFF 6.0, and Adobe's technical notes on Deflate and JPEG.
 */
import { inflateSync } from 'node:zlib';
import type { Pixels } from '../../core/page/ink.ts';
import { rgbOfCmyk } from './colours.ts';
import { decodeFax } from './fax.ts';
import { ImageFault } from './image-size.ts';
import { pixelsOfJpeg } from './jpeg-pixels.ts';
import { unpackBits, unpackLzw } from './tiff-packing.ts';
import { layoutOf, readTiff } from './tiff-layout.ts';
import type { Layout, Part } from './tiff-layout.ts';

/** One byte each. */
const MOST_SAMPLES = 400_000_000;

/** Throws where the file is damaged or of a kind that is not decoded. */
export function decodeTiff(bytes: Buffer): Pixels {
  const layout = layoutOf(readTiff(bytes));
  const { width, height, samples } = layout;
  if (width * height * samples > MOST_SAMPLES) {
    throw new ImageFault(`has ${width} × ${height} pixels of ${samples} samples, which are too many to be decoded`);
  }
  const data = new Uint8Array(width * height * samples);
  for (const part of layout.parts) {
    const raw = bytes.subarray(part.offset, part.offset + part.length);
    if (raw.length < part.length) throw new ImageFault('is damaged: it ends early');
    if (layout.compression === 'jpeg') placeJpeg(data, raw, part, layout);
    else place(data, samplesOf(unpacked(raw, part, layout), part, layout), part, layout);
  }
  return coloured(data, layout);
}

/** Bytes of a row of the part, as packed. */
function rowBytes({ width }: Part, { bits, perPart }: Layout): number {
  return Math.ceil((width * bits * perPart) / 8);
}

function unpacked(raw: Buffer, part: Part, layout: Layout): Uint8Array {
  const length = rowBytes(part, layout) * part.height;
  const bytes = layout.fillOrder === 2 ? reversed(raw) : raw;
  let data: Uint8Array;
  switch (layout.compression) {
    case 'none':
      data = bytes.subarray(0, length);
      break;
    case 'packbits':
      data = unpackBits(bytes, length);
      break;
    case 'lzw':
      data = unpackLzw(bytes, length);
      break;
    case 'deflate':
      data = inflateSync(bytes, { maxOutputLength: Math.max(length, 1) });
      break;
    case 'jpeg':
      throw new Error('JPEG is decoded as a whole');
    default:
      data = decodeFax(bytes, layout.compression, part.width, part.height);
  }
  if (data.length < length) throw new ImageFault('is damaged: the image data end early');
  return data;
}

function reversed(bytes: Uint8Array): Uint8Array {
  return bytes.map((byte) => {
    let result = 0;
    for (let bit = 0; bit < 8; bit++) if ((byte & (1 << bit)) !== 0) result |= 0x80 >> bit;
    return result;
  });
}

/** One byte a sample, as written (palette indices stay indices), predictions undone. */
function samplesOf(raw: Uint8Array, part: Part, layout: Layout): Uint8Array {
  const { bits, perPart, predicted, little } = layout;
  const row = part.width * perPart;
  const stride = rowBytes(part, layout);
  if (bits === 8) {
    if (predicted) {
      for (let y = 0; y < part.height; y++) {
        for (let i = y * stride + perPart, end = (y + 1) * stride; i < end; i++) raw[i] = raw[i]! + raw[i - perPart]!;
      }
    }
    return raw;
  }
  const samples = new Uint8Array(row * part.height);
  const keepsIndex = layout.colours === 'palette';
  for (let y = 0, to = 0; y < part.height; y++) {
    const start = y * stride;
    if (bits === 16) {
      const sums = new Uint16Array(perPart);
      for (let i = 0; i < row; i++) {
        const first = raw[start + 2 * i]!;
        const second = raw[start + 2 * i + 1]!;
        let value = little ? (second << 8) | first : (first << 8) | second;
        if (predicted) value = sums[i % perPart] = sums[i % perPart]! + value;
        samples[to++] = (value & 0xffff) >> 8;
      }
      continue;
    }
    const most = (1 << bits) - 1;
    for (let i = 0; i < row; i++) {
      const bit = i * bits;
      const value = (raw[start + (bit >> 3)]! >> (8 - bits - (bit & 7))) & most;
      samples[to++] = keepsIndex ? value : (value * 255) / most;
    }
  }
  return samples;
}

/** Puts the samples of a strip or tile where they belong; tiles reach past the edges of the image. */
function place(data: Uint8Array, own: Pixels['data'], part: Part, { width, height, samples, perPart }: Layout): void {
  const columns = Math.min(part.width, width - part.left);
  const rows = Math.min(part.height, height - part.top);
  for (let y = 0; y < rows; y++) {
    let from = y * part.width * perPart;
    let to = ((part.top + y) * width + part.left) * samples + part.plane;
    if (perPart === samples) {
      data.set(own.subarray(from, from + columns * samples), to);
      continue;
    }
    for (let x = 0; x < columns; x++, to += samples) data[to] = own[from++]!;
  }
}

/** Tables that the parts share stand before what a part holds of its own. */
function placeJpeg(data: Uint8Array, raw: Buffer, part: Part, layout: Layout): void {
  const { jpegTables, photometric } = layout;
  const whole =
    jpegTables === undefined ? raw : Buffer.concat([jpegTables.subarray(0, jpegTables.length - 2), raw.subarray(2)]);
  const mostPixels = (part.width + 16) * (part.height + 16);
  const own = pixelsOfJpeg(whole, photometric === 6 ? 1 : 0, mostPixels);
  const isWide = own.width >= Math.min(part.width, layout.width - part.left);
  const isHigh = own.height >= Math.min(part.height, layout.height - part.top);
  if (own.channels !== layout.perPart || !isWide || !isHigh) {
    throw new ImageFault('is damaged: a part of it has another size');
  }
  place(data, own.data, { ...part, width: own.width }, layout);
}

function coloured(data: Uint8Array, { width, height, samples, colours, palette, alpha }: Layout): Pixels {
  if (colours === 'palette') {
    const entries = palette!.length / 3;
    const rgb = new Uint8Array(width * height * 3);
    for (let i = 0, to = 0; to < rgb.length; i += samples) {
      const index = data[i]! < entries ? data[i]! : 0;
      for (let colour = 0; colour < 3; colour++) rgb[to++] = palette![colour * entries + index]! >> 8;
    }
    return { width, height, channels: 3, data: rgb };
  }
  if (colours === 'inverted') for (let i = 0; i < data.length; i += samples) data[i] = 255 - data[i]!;
  if (colours === 'cmyk') {
    const inks = samples === 4 ? data : firstSamples(data, samples, 4);
    return { width, height, channels: 3, data: rgbOfCmyk(inks) };
  }
  const own = colours === 'rgb' ? 3 : 1;
  const channels = own + (alpha ? 1 : 0);
  return { width, height, channels, data: samples === channels ? data : firstSamples(data, samples, channels) };
}

/** Drops further samples of each pixel, in place. */
function firstSamples(data: Uint8Array, samples: number, kept: number): Uint8Array {
  let to = 0;
  for (let from = 0; from < data.length; from += samples) {
    for (let i = 0; i < kept; i++) data[to++] = data[from + i]!;
  }
  return data.subarray(0, to);
}
