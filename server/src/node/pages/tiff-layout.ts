/** How the pixels of a TIFF image are laid out, from its first directory. TIFF 6.0, sections 2 and 8. */
import { ImageFault } from './image-size.ts';

/** Values of the directory's entries, by tag. */
export interface TiffDirectory {
  readonly little: boolean;
  readonly values: ReadonlyMap<number, readonly number[]>;
}

export type Compression =
  'none' | 'huffman' | 'group3' | 'group3-2d' | 'group4' | 'lzw' | 'jpeg' | 'deflate' | 'packbits';

/** A strip or a tile, of one plane where the planes lie apart. */
export interface Part {
  readonly offset: number;
  readonly length: number;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** The sample of each pixel that it holds; 0 where it holds all. */
  readonly plane: number;
}

export interface Layout {
  readonly little: boolean;
  readonly width: number;
  readonly height: number;
  readonly compression: Compression;
  readonly photometric: number;
  /** `inverted`: grey where 0 is white. */
  readonly colours: 'grey' | 'inverted' | 'rgb' | 'palette' | 'cmyk';
  readonly bits: number;
  /** Samples of a pixel, those in each part, and whether the one behind the colours is alpha. */
  readonly samples: number;
  readonly perPart: number;
  readonly alpha: boolean;
  readonly fillOrder: number;
  /** Samples are written as differences to their left neighbour. */
  readonly predicted: boolean;
  /** Reds, greens and blues of 16 bits. */
  readonly palette?: readonly number[];
  readonly jpegTables?: Buffer;
  readonly parts: readonly Part[];
}

/** BYTE, ASCII, SHORT, LONG, UNDEFINED. */
const SIZES: Readonly<Record<number, number>> = { 1: 1, 2: 1, 3: 2, 4: 4, 7: 1 };

const COMPRESSIONS: Readonly<Record<number, Compression>> = {
  1: 'none',
  2: 'huffman',
  4: 'group4',
  5: 'lzw',
  7: 'jpeg',
  8: 'deflate',
  32946: 'deflate',
  32773: 'packbits',
};

/** Entries of other types, such as resolutions, are left out. Throws `ImageFault` where the directory lies outside the file. */
export function readTiff(bytes: Buffer): TiffDirectory {
  const little = bytes[0] === 0x49;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const values = new Map<number, readonly number[]>();
  try {
    const directory = view.getUint32(4, little);
    const count = view.getUint16(directory, little);
    for (let i = 0; i < count; i++) {
      const entry = directory + 2 + i * 12;
      const size = SIZES[view.getUint16(entry + 2, little)];
      const length = view.getUint32(entry + 4, little);
      if (size === undefined) continue;
      const at = length * size <= 4 ? entry + 8 : view.getUint32(entry + 8, little);
      if (at + length * size > bytes.length) throw new ImageFault('is damaged: it ends early');
      const list = new Array<number>(length);
      for (let j = 0; j < length; j++) {
        const where = at + j * size;
        list[j] =
          size === 1
            ? view.getUint8(where)
            : size === 2
              ? view.getUint16(where, little)
              : view.getUint32(where, little);
      }
      values.set(view.getUint16(entry, little), list);
    }
  } catch (error) {
    if (error instanceof RangeError) throw new ImageFault('is damaged: it ends within its header');
    throw error;
  }
  return { little, values };
}

/** Throws `ImageFault` where it is of a kind that is not decoded, or contradicts itself. */
export function layoutOf({ little, values }: TiffDirectory): Layout {
  const one = (tag: number, otherwise: number): number => values.get(tag)?.[0] ?? otherwise;
  const [width, height, samples] = [one(256, 0), one(257, 0), one(277, 1)];
  const bits = one(258, 1);
  const photometric = one(262, -1);
  const compression = compressionOf(one(259, 1), one(292, 0));
  if (![1, 2, 4, 8, 16].includes(bits) || (values.get(258) ?? []).some((other) => other !== bits)) {
    throw unknownKind(`samples of ${(values.get(258) ?? []).join(', ')} bits`);
  }
  if (one(339, 1) !== 1) throw unknownKind('samples that are no unsigned integers');
  const fax = ['huffman', 'group3', 'group3-2d', 'group4'].includes(compression);
  const colours = coloursOf(photometric, compression);
  const least = { grey: 1, inverted: 1, palette: 1, rgb: 3, cmyk: 4 }[colours];
  if (
    samples < least ||
    samples > 16 ||
    (fax && (bits !== 1 || samples !== 1)) ||
    (compression === 'jpeg' && bits !== 8)
  ) {
    throw new ImageFault(`is damaged: it has ${samples} samples of ${bits} bits`);
  }
  const palette = values.get(320);
  if (colours === 'palette' && (palette?.length !== 3 << bits || bits > 8)) {
    throw new ImageFault('is damaged: its palette is not of the right size');
  }
  const extra = one(338, 0);
  const apart = one(284, 1) === 2 && samples > 1;
  if (apart && compression === 'jpeg') throw unknownKind('planes of JPEG');
  const tables = values.get(347);
  return {
    little,
    width,
    height,
    compression,
    photometric,
    colours,
    bits,
    samples,
    perPart: apart ? 1 : samples,
    alpha: samples > least && (extra === 1 || extra === 2),
    fillOrder: one(266, 1),
    predicted: one(317, 1) === 2 && ['lzw', 'deflate'].includes(compression),
    ...(palette && { palette }),
    ...(tables && { jpegTables: Buffer.from(tables) }),
    parts: partsOf(values, width, height, apart ? samples : 1),
  };
}

function compressionOf(number: number, group3Options: number): Compression {
  if (number === 3) return (group3Options & 1) === 1 ? 'group3-2d' : 'group3';
  const known = COMPRESSIONS[number];
  if (known === undefined) throw unknownKind(`compression ${number}`);
  return known;
}

function coloursOf(photometric: number, compression: Compression): Layout['colours'] {
  if (photometric === 0) return 'inverted';
  if (photometric === 1) return 'grey';
  if (photometric === 2 || (photometric === 6 && compression === 'jpeg')) return 'rgb';
  if (photometric === 3) return 'palette';
  if (photometric === 5 && compression !== 'jpeg') return 'cmyk';
  throw unknownKind(`colours of kind ${photometric}`);
}

function partsOf(values: TiffDirectory['values'], width: number, height: number, planes: number): readonly Part[] {
  const tileWidth = values.get(322)?.[0];
  const isTiled = tileWidth !== undefined;
  const partWidth = tileWidth ?? width;
  const partHeight = isTiled ? (values.get(323)?.[0] ?? 0) : Math.min(values.get(278)?.[0] ?? height, height);
  const offsets = values.get(isTiled ? 324 : 273) ?? [];
  const lengths = values.get(isTiled ? 325 : 279) ?? [];
  if (!(partWidth > 0 && partHeight > 0) || (isTiled && partWidth * partHeight > 64_000_000)) {
    throw new ImageFault('is damaged: its parts have no size');
  }
  const across = Math.ceil(width / partWidth);
  const inPlane = across * Math.ceil(height / partHeight);
  if (offsets.length < inPlane * planes || lengths.length < inPlane * planes) {
    throw new ImageFault('is damaged: parts of it are missing');
  }
  return Array.from({ length: inPlane * planes }, (_, i) => {
    const inside = i % inPlane;
    const top = Math.trunc(inside / across) * partHeight;
    return {
      offset: offsets[i]!,
      length: lengths[i]!,
      left: (inside % across) * partWidth,
      top,
      width: partWidth,
      height: isTiled ? partHeight : Math.min(partHeight, height - top),
      plane: Math.trunc(i / inPlane),
    };
  });
}

function unknownKind(what: string): ImageFault {
  return new ImageFault(`is a TIFF image with ${what}, which is not decoded`);
}
