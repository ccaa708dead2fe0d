/** Images that are to be turned or mirrored before they are shown: Exif 2.32 and TIFF 6.0, tag 274. */
import type { Pixels } from '../../core/page/ink.ts';

/** 1 as stored, 2 mirrored, 3 half a turn, 4 upside down, 5 transposed, 6 a quarter turn clockwise, 7 transversed, 8 counterclockwise. */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

const ORIENTATION_TAG = 274;

export function asOrientation(value: number | undefined): Orientation {
  return value !== undefined && Number.isInteger(value) && value >= 1 && value <= 8 ? (value as Orientation) : 1;
}

/** Whether width and height change places. */
export function isTurned(orientation: Orientation): boolean {
  return orientation >= 5;
}

/** From Exif data, which are a TIFF file without an image. What is damaged asks for nothing. */
export function orientationOfExif(exif: DataView): Orientation {
  try {
    const little = exif.getUint16(0) === 0x4949;
    if (!little && exif.getUint16(0) !== 0x4d4d) return 1;
    const directory = exif.getUint32(4, little);
    const count = exif.getUint16(directory, little);
    for (let i = 0; i < count; i++) {
      const entry = directory + 2 + i * 12;
      // A SHORT.
      if (exif.getUint16(entry, little) !== ORIENTATION_TAG || exif.getUint16(entry + 2, little) !== 3) continue;
      return asOrientation(exif.getUint16(entry + 8, little));
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return 1;
}

/** The pixels as they are shown. */
export function turned(pixels: Pixels, orientation: Orientation): Pixels {
  if (orientation === 1) return pixels;
  const { width, height, channels, data } = pixels;
  const [shownWidth, shownHeight] = isTurned(orientation) ? [height, width] : [width, height];
  const shown = new Uint8Array(data.length);
  // Where the pixel at the left top stands, and how far apart neighbours to the right and below are, in stored pixels.
  const [start, right, down] = walkOf(orientation, width, height);
  let to = 0;
  for (let y = 0; y < shownHeight; y++) {
    let from = (start + y * down) * channels;
    for (let x = 0; x < shownWidth; x++, from += right * channels) {
      for (let channel = 0; channel < channels; channel++) shown[to++] = data[from + channel]!;
    }
  }
  return { width: shownWidth, height: shownHeight, channels, data: shown };
}

function walkOf(orientation: Orientation, width: number, height: number): readonly [number, number, number] {
  const last = width * height - 1;
  const lastRow = (height - 1) * width;
  switch (orientation) {
    case 1:
      return [0, 1, width];
    case 2:
      return [width - 1, -1, width];
    case 3:
      return [last, -1, -width];
    case 4:
      return [lastRow, 1, -width];
    case 5:
      return [0, width, 1];
    case 6:
      return [lastRow, -width, 1];
    case 7:
      return [last, -width, -1];
    case 8:
      return [width - 1, width, -1];
  }
}
