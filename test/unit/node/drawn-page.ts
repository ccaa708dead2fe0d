/** A small page drawn for tests: `images/` holds it in the formats and kinds that programs in use write. */
import type { Pixels } from '../../../server/src/core/page/ink.ts';

export const WIDTH = 200;
export const HEIGHT = 264;

type Colour = readonly [red: number, green: number, blue: number];

const BLACK: Colour = [0, 0, 0];
const WHITE: Colour = [255, 255, 255];
const BLUE: Colour = [20, 40, 160];
const PALE: Colour = [250, 220, 140];

/** RGB: lines of small blocks as letters, a table with rules, a coloured figure. Nothing of it is symmetric. */
export function drawnPage(): Pixels {
  const data = new Uint8Array(WIDTH * HEIGHT * 3).fill(255);
  const fill = (left: number, top: number, width: number, height: number, colour: Colour): void => {
    for (let y = top; y < top + height; y++) {
      for (let x = left; x < left + width; x++) data.set(colour, (y * WIDTH + x) * 3);
    }
  };
  fill(24, 16, 90, 10, BLACK);
  for (let line = 0; line < 8; line++) {
    for (let letter = 0; letter < 24 - (line % 3) * 2; letter++) {
      const tall = (letter * 7 + line * 3) % 5 < 2;
      fill(24 + letter * 6, 40 + line * 10 - (tall ? 2 : 0), 3 + ((letter + line) % 2), tall ? 7 : 5, BLACK);
    }
  }
  fill(24, 136, 140, 1, BLACK);
  fill(24, 156, 140, 1, BLACK);
  fill(30, 142, 40, 8, BLACK);
  fill(110, 142, 24, 8, BLACK);
  fill(24, 176, 120, 60, PALE);
  fill(36, 190, 20, 46, BLUE);
  fill(70, 204, 20, 32, BLUE);
  fill(104, 216, 20, 20, WHITE);
  return { width: WIDTH, height: HEIGHT, channels: 3, data };
}
