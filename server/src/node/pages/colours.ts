/** Conversions of samples of 8 bits, interleaved. */
import type { Pixels } from '../../core/page/ink.ts';

type Samples = Pixels['data'];

/** Of inks (255 is full) what light they leave, as browsers show it: without a colour profile. In place; RGB comes first. */
export function rgbOfCmyk(data: Samples): Samples {
  let to = 0;
  for (let from = 0; from + 3 < data.length; from += 4) {
    const light = 255 - data[from + 3]!;
    data[to++] = ((255 - data[from]!) * light) / 255;
    data[to++] = ((255 - data[from + 1]!) * light) / 255;
    data[to++] = ((255 - data[from + 2]!) * light) / 255;
  }
  return data.subarray(0, to);
}

/** Lays what is transparent on white paper; without an alpha channel afterwards. In place. */
export function onPaper(pixels: Pixels): Pixels {
  const { width, height, channels, data } = pixels;
  if (channels !== 2 && channels !== 4) return pixels;
  const colours = channels - 1;
  let to = 0;
  for (let from = 0; from < data.length; from += channels) {
    const alpha = data[from + colours]!;
    for (let colour = 0; colour < colours; colour++) {
      const value = data[from + colour]!;
      data[to++] = alpha === 255 ? value : 255 - Math.round(((255 - value) * alpha) / 255);
    }
  }
  return { width, height, channels: colours, data: data.subarray(0, to) };
}
