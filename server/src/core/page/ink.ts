import type { PageInk, PagePlace } from '../ports.ts';

/** Decoded pixels, rows from the top, samples interleaved: 1 grey, 2 grey and alpha, 3 RGB, 4 RGB and alpha. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly data: Uint8Array | Uint8ClampedArray;
}

/** Luminance (Rec. 601, 0–255) below which a pixel is ink. */
const INK = 128;
/** Difference of a channel from the background, of 255, from which a pixel is content: more than compression leaves. */
const CONTENT = 16;
/** Squares of `marks` along the mean side of a page: what is pale is known to four pixels at 300 dpi. */
const SQUARES = 725;

/** Reduces a page image to its ink and to the squares that hold anything but background. */
export function inkOf(pixels: Pixels): PageInk {
  const { width, height, channels, data } = pixels;
  const rowBytes = (width + 7) >> 3;
  const bits = new Uint8Array(rowBytes * height);
  const cell = Math.max(2, Math.round(Math.sqrt(width * height) / SQUARES));
  const columns = Math.ceil(width / cell);
  const markBytes = (columns + 7) >> 3;
  const marks = new Uint8Array(markBytes * Math.ceil(height / cell));
  const [backRed, backGreen, backBlue] = backgroundOf(pixels);
  const coloured = channels >= 3;
  const alphaAt = channels === 2 ? 1 : channels === 4 ? 3 : -1;
  let at = 0;
  for (let y = 0; y < height; y++) {
    const bitRow = y * rowBytes;
    const markRow = Math.trunc(y / cell) * markBytes;
    for (let x = 0; x < width; x++, at += channels) {
      const red = data[at]!;
      const green = coloured ? data[at + 1]! : red;
      const blue = coloured ? data[at + 2]! : red;
      if (
        Math.abs(red - backRed) <= CONTENT &&
        Math.abs(green - backGreen) <= CONTENT &&
        Math.abs(blue - backBlue) <= CONTENT
      ) {
        continue;
      }
      if (alphaAt > 0 && data[at + alphaAt]! < CONTENT) continue;
      const column = Math.trunc(x / cell);
      marks[markRow + (column >> 3)]! |= 0x80 >> (column & 7);
      if (299 * red + 587 * green + 114 * blue < INK * 1000) bits[bitRow + (x >> 3)]! |= 0x80 >> (x & 7);
    }
  }
  return { width, height, bits, marks, cell };
}

/** The colour that most of a grid of pixels have, to the nearest step of 8. */
function backgroundOf({ width, height, channels, data }: Pixels): readonly [number, number, number] {
  const counts = new Map<number, number>();
  let best = 0xffffff;
  let most = 0;
  const step = Math.max(1, Math.floor(Math.sqrt((width * height) / 20_000)));
  for (let y = 0; y < height; y += step) {
    for (let x = 0; x < width; x += step) {
      const at = (y * width + x) * channels;
      const red = data[at]!;
      const colour =
        channels >= 3 ? (red << 16) | (data[at + 1]! << 8) | data[at + 2]! : (red << 16) | (red << 8) | red;
      const key = colour & 0xf8f8f8;
      const seen = (counts.get(key) ?? 0) + 1;
      counts.set(key, seen);
      if (seen > most) [best, most] = [colour, seen];
    }
  }
  return [best >> 16, (best >> 8) & 0xff, best & 0xff];
}

/** A rectangle of pixels: `right` and `bottom` are exclusive. */
export interface PixelBox {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** A place on the page in pixels of its image. */
export function pixelsOf(
  place: PagePlace,
  { width, height }: { readonly width: number; readonly height: number },
): PixelBox {
  return {
    left: Math.round(place.left * width),
    top: Math.round(place.top * height),
    right: Math.round((place.left + place.width) * width),
    bottom: Math.round((place.top + place.height) * height),
  };
}

export function isInk({ width, height, bits }: PageInk, x: number, y: number): boolean {
  if (x < 0 || y < 0 || x >= width || y >= height) return false;
  return (bits[y * ((width + 7) >> 3) + (x >> 3)]! & (0x80 >> (x & 7))) !== 0;
}

/** Whether anything but background stands in one of the squares that touch the box. */
export function hasMarks({ width, height, marks, cell }: PageInk, box: PixelBox): boolean {
  const columns = Math.ceil(width / cell);
  const markBytes = (columns + 7) >> 3;
  const last = Math.min(columns - 1, Math.floor((box.right - 1) / cell));
  const lastRow = Math.min(Math.ceil(height / cell) - 1, Math.floor((box.bottom - 1) / cell));
  for (let row = Math.max(0, Math.floor(box.top / cell)); row <= lastRow; row++) {
    for (let column = Math.max(0, Math.floor(box.left / cell)); column <= last; column++) {
      if ((marks[row * markBytes + (column >> 3)]! & (0x80 >> (column & 7))) !== 0) return true;
    }
  }
  return false;
}

export type Side = 'left' | 'top' | 'right' | 'bottom';

export interface Crossing {
  readonly side: Side;
  /** How many connected pieces of ink the edge runs through. */
  readonly pieces: number;
  /** Where the first of them crosses, in pixels along the edge from the page's left or top. */
  readonly at: number;
}

/**
 * Edges of the box that run through ink: a connected piece (8 neighbours) crosses the edge and reaches more than `reach`
 * pixels to either side of it. Within `reach` of a corner nothing is said: a rule that an edge lies on ends there.
 */
export function crossingsOf(ink: PageInk, box: PixelBox, reach: number): Crossing[] {
  const sides: Side[] = ['left', 'top', 'right', 'bottom'];
  return sides.flatMap((side) => crossingAt(ink, box, side, Math.max(1, Math.round(reach))) ?? []);
}

/**
 * The band along an edge is looked at in coordinates of its own: `along` the edge and `depth` across it, negative outside
 * and 0 for the first pixel inside.
 */
function crossingAt(ink: PageInk, box: PixelBox, side: Side, reach: number): Crossing | undefined {
  const upright = side === 'left' || side === 'right';
  const [from, to] = upright ? [box.top, box.bottom] : [box.left, box.right];
  const [edge, inward] =
    side === 'left'
      ? [box.left, 1]
      : side === 'top'
        ? [box.top, 1]
        : side === 'right'
          ? [box.right - 1, -1]
          : [box.bottom - 1, -1];
  const limit = upright ? ink.width : ink.height;
  // At the edge of the page nothing can be cut.
  if (edge - inward * (reach + 1) < 0 || edge - inward * (reach + 1) >= limit) return undefined;
  const length = to - from;
  const depths = 2 * (reach + 1);
  if (length <= 2 * reach) return undefined;
  const isSet = (along: number, depth: number): boolean => {
    const across = edge + inward * depth;
    return upright ? isInk(ink, across, from + along) : isInk(ink, from + along, across);
  };
  const seen = new Uint8Array(length * depths);
  const stack: number[] = [];
  let pieces = 0;
  let first = 0;
  for (let along = reach; along < length - reach; along++) {
    if (!isSet(along, 0) || seen[along * depths + reach + 1] === 1) continue;
    if (!isSet(along, -1) && !isSet(along - 1, -1) && !isSet(along + 1, -1)) continue;
    // Fills the piece within the band.
    let outside = false;
    let inside = false;
    stack.push(along * depths + reach + 1);
    seen[along * depths + reach + 1] = 1;
    while (stack.length > 0) {
      const place = stack.pop()!;
      const here = Math.trunc(place / depths);
      const row = place % depths;
      if (row === 0) outside = true;
      if (row === depths - 1) inside = true;
      for (let a = Math.max(0, here - 1); a <= Math.min(length - 1, here + 1); a++) {
        for (let d = Math.max(0, row - 1); d <= Math.min(depths - 1, row + 1); d++) {
          const next = a * depths + d;
          if (seen[next] === 1 || !isSet(a, d - reach - 1)) continue;
          seen[next] = 1;
          stack.push(next);
        }
      }
    }
    if (!outside || !inside) continue;
    pieces += 1;
    if (pieces === 1) first = from + along;
  }
  return pieces === 0 ? undefined : { side, pieces, at: first };
}
