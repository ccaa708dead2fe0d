/** Pictures of a window as small PNG files: at most 96 colours, which is enough for text and lines, one byte for each pixel. */
import { deflateSync, crc32 } from 'node:zlib';
import { decode } from 'fast-png';

const mostColours = 96;

type Colour = readonly [red: number, green: number, blue: number];

interface Box {
  /** Colours with how often each stands in the picture. */
  readonly colours: readonly (readonly [colour: Colour, count: number])[];
}

/** The channel in which the colours of a box differ most, and by how much. */
function widest({ colours }: Box): readonly [channel: 0 | 1 | 2, range: number] {
  const ranges = ([0, 1, 2] as const).map((channel) => {
    const values = colours.map(([colour]) => colour[channel]);
    return [
      channel,
      values.reduce((a, b) => Math.max(a, b), 0) - values.reduce((a, b) => Math.min(a, b), 255),
    ] as const;
  });
  return ranges.reduce((a, b) => (b[1] > a[1] ? b : a));
}

function halves(box: Box): readonly [Box, Box] {
  const [channel] = widest(box);
  const sorted = [...box.colours].sort(([a], [b]) => a[channel] - b[channel]);
  const half = sorted.reduce((sum, [, count]) => sum + count, 0) / 2;
  let sum = 0;
  const at = sorted.findIndex(([, count]) => (sum += count) >= half);
  const cut = Math.min(Math.max(at, 1), sorted.length - 1);
  return [{ colours: sorted.slice(0, cut) }, { colours: sorted.slice(cut) }];
}

/** Median cut; a colour that alone fills a box, such as that of the paper, stays exactly as it is. */
function palette(counts: ReadonlyMap<number, number>): readonly Colour[] {
  const colours = [...counts].map(
    ([key, count]) => [[key >> 16, (key >> 8) & 255, key & 255] as Colour, count] as const,
  );
  const boxes: Box[] = [{ colours }];
  while (boxes.length < mostColours) {
    const weight = (box: Box): number =>
      box.colours.length < 2 ? 0 : widest(box)[1] * Math.sqrt(box.colours.reduce((sum, [, count]) => sum + count, 0));
    const weights = boxes.map(weight);
    const at = weights.indexOf(Math.max(...weights));
    if (weights[at] === 0) break;
    boxes.splice(at, 1, ...halves(boxes[at]!));
  }
  // The most frequent colour of a box stands for it: text and lines keep their colours, their edges come near.
  return boxes.map(({ colours: all }) => all.reduce((a, b) => (b[1] > a[1] ? b : a))[0]);
}

function nearest(key: number, colours: readonly Colour[]): number {
  const [red, green, blue] = [key >> 16, (key >> 8) & 255, key & 255];
  let best = 0;
  let distance = Infinity;
  for (const [at, colour] of colours.entries()) {
    const d = (colour[0] - red) ** 2 + (colour[1] - green) ** 2 + (colour[2] - blue) ** 2;
    if (d < distance) [best, distance] = [at, d];
  }
  return best;
}

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

/** The picture again, a PNG with a palette. `png` has 8 bits for each of 3 or 4 channels and is opaque. */
export function withPalette(png: Uint8Array): Uint8Array {
  const { width, height, data, channels, depth } = decode(png);
  if (depth !== 8 || channels < 3)
    throw new Error(`A picture with ${channels} channels of ${depth} bits is not expected.`);
  const keyAt = (pixel: number): number => {
    const at = pixel * channels;
    return (data[at]! << 16) | (data[at + 1]! << 8) | data[at + 2]!;
  };
  const counts = new Map<number, number>();
  for (let pixel = 0; pixel < width * height; pixel += 1) counts.set(keyAt(pixel), (counts.get(keyAt(pixel)) ?? 0) + 1);
  const colours = palette(counts);
  const index = new Map([...counts.keys()].map((key) => [key, nearest(key, colours)]));
  // A byte for the filter (none: with a palette, differences of neighbours mean nothing) before each row.
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) rows[y * (width + 1) + x + 1] = index.get(keyAt(y * width + x))!;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(colours.flat())),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
