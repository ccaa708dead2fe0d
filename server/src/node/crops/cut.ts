import type { PixelBox } from '../../core/page/ink.ts';
import type { Pixels } from '../../core/page/ink.ts';

/** The pixels of a part that lies within the image, untouched. */
export function cutOut({ width, channels, data }: Pixels, { left, top, right, bottom }: PixelBox): Pixels {
  const row = (right - left) * channels;
  const cut = new Uint8Array(row * (bottom - top));
  for (let y = top, to = 0; y < bottom; y++, to += row) {
    const from = (y * width + left) * channels;
    cut.set(data.subarray(from, from + row), to);
  }
  return { width: right - left, height: bottom - top, channels, data: cut };
}
