import type { PageGraphic, PageText } from '../ports.ts';
/** A run of text as a PDF library gives it: PDF points, origin top-left of the page as displayed. */
export interface TextRun {
  readonly text: string;
  /** Start of the baseline. */
  readonly x: number;
  readonly y: number;
  /** Length along the baseline, and size of the font. */
  readonly length: number;
  readonly size: number;
  /** Direction of the baseline, in quarter turns clockwise from left-to-right; undefined for slanted text. */
  readonly turn: 0 | 1 | 2 | 3 | undefined;
}
/** In points, as `TextRun`. */
interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}
/** Words, lines and blocks of a page, as fractions of its size. */
export declare function analysePage(
  runs: readonly TextRun[],
  graphics: readonly (Box & {
    readonly kind: PageGraphic['kind'];
  })[],
  page: {
    readonly width: number;
    readonly height: number;
  },
): PageText;
export {};
