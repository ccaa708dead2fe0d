/** Small image files as tests need them: TIFF without compression, and JPEG and PNG that ask to be turned. */
import { crc32 } from 'node:zlib';
import { encode } from 'fast-png';
import type { Pixels } from '../../../server/src/core/page/ink.ts';

const be16 = (value: number): number[] => [value >> 8, value & 255];
const be32 = (value: number): number[] => [...be16(value >>> 16), ...be16(value & 0xffff)];

/** One entry of a directory: SHORT or LONG, as many values. */
export type TiffEntry = readonly [tag: number, type: 3 | 4, ...values: number[]];

/** A TIFF file, big end first: 8 bits a sample in one strip, entries added or exchanged. Counts may be lied about. */
export function tiffOf({ width, height, channels, data }: Pixels, entries: readonly TiffEntry[] = []): Buffer {
  const own: TiffEntry[] = [
    [256, 4, width],
    [257, 4, height],
    [258, 3, ...Array.from({ length: channels }, () => 8)],
    [259, 3, 1],
    [262, 3, channels >= 3 ? 2 : 1],
    [273, 4, 8],
    [277, 3, channels],
    [278, 4, height],
    [279, 4, data.length],
  ];
  const all = new Map([...own, ...entries].map((entry) => [entry[0], entry] as const));
  const list = [...all.values()].sort((a, b) => a[0] - b[0]);
  const directory = 8 + data.length + (data.length & 1);
  let free = directory + 2 + list.length * 12 + 4;
  const outside: number[] = [];
  const written = list.flatMap(([tag, type, ...values]) => {
    const bytes = values.flatMap(type === 3 ? be16 : be32);
    const head = [...be16(tag), ...be16(type), ...be32(values.length)];
    if (bytes.length <= 4) return [...head, ...bytes, ...new Array<number>(4 - bytes.length).fill(0)];
    const at = free;
    free += bytes.length;
    outside.push(...bytes);
    return [...head, ...be32(at)];
  });
  return Buffer.concat([
    Buffer.from([0x4d, 0x4d, 0, 42, ...be32(directory)]),
    Uint8Array.from(data),
    Buffer.alloc(data.length & 1),
    Buffer.from([...be16(list.length), ...written, 0, 0, 0, 0, ...outside]),
  ]);
}

/** Exif data that hold nothing but an orientation. */
export function exifOf(orientation: number, little: boolean): Buffer {
  return little
    ? Buffer.from([0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0, 0, 0, 0, 0])
    : Buffer.from([0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]);
}

export function jpegTurned(jpeg: Uint8Array, exif: Uint8Array): Buffer {
  const segment = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), exif]);
  const head = Buffer.from([0xff, 0xe1, ...be16(segment.length + 2)]);
  return Buffer.concat([jpeg.subarray(0, 2), head, segment, jpeg.subarray(2)]);
}

export function pngOf({ width, height, channels, data }: Pixels): Buffer {
  return Buffer.from(
    encode({ width, height, channels: channels as 1 | 2 | 3 | 4, depth: 8, data: Uint8Array.from(data) }),
  );
}

/** The orientation stands before the pixels, or behind them, where browsers do not look. */
export function pngTurned(png: Buffer, exif: Buffer, behind = false): Buffer {
  const body = Buffer.concat([Buffer.from('eXIf'), exif]);
  const chunk = Buffer.concat([Buffer.from(be32(exif.length)), body, Buffer.from(be32(crc32(body)))]);
  const at = behind ? png.length - 12 : 33;
  return Buffer.concat([png.subarray(0, at), chunk, png.subarray(at)]);
}

/** The first chunk of a WebP file becomes one of an extended file that also holds Exif data. */
export function webpTurned(webp: Buffer, width: number, height: number, exif: Buffer): Buffer {
  const le24 = (value: number): number[] => [value & 255, (value >> 8) & 255, value >> 16];
  const chunk = (name: string, data: Buffer): Buffer =>
    Buffer.concat([Buffer.from(name), Buffer.from([...le24(data.length), 0]), data, Buffer.alloc(data.length & 1)]);
  const head = chunk('VP8X', Buffer.from([8, 0, 0, 0, ...le24(width - 1), ...le24(height - 1)]));
  const body = Buffer.concat([Buffer.from('WEBP'), head, webp.subarray(12), chunk('EXIF', exif)]);
  return Buffer.concat([Buffer.from('RIFF'), Buffer.from([...le24(body.length), 0]), body]);
}
