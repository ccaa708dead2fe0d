import type { PagePlace, PageText, PageWord } from '../ports.ts';
import { columnsOf, rowsOf } from './columns.ts';
import { rectOf } from './rects.ts';

/** Words a line of a text has when it was cut out: those whose middle lies in the place. */
interface Part {
  readonly words: readonly PageWord[];
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/**
 * The words in a place of a page in reading order, rows parted by LF; columns of prose one after the other, cells of a table row in one
 * row. Empty where there are none.
 * @param page its size, in any unit: only the shape matters
 */
export function textInPlace(
  { lines }: PageText,
  place: PagePlace,
  page: { readonly width: number; readonly height: number },
): string {
  const right = place.left + place.width;
  const bottom = place.top + place.height;
  const parts = lines.flatMap((line): Part[] => {
    const words = line.words.filter((word) => {
      const x = word.left + word.width / 2;
      const y = word.top + word.height / 2;
      return x >= place.left && x <= right && y >= place.top && y <= bottom;
    });
    return words.length === 0 ? [] : [{ words, ...rectOf(line, page) }];
  });
  return columnsOf(parts)
    .flatMap(rowsOf)
    .map((row) => row.flatMap(({ words }) => words.map(({ text }) => text)).join(' '))
    .join('\n');
}
