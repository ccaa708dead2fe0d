/** What stands on a page, as boxes. */
import type { Rect } from './rects.ts';

export interface LayoutItem extends Rect {
  /**
   * `line`: words of one line without a wide gap, so that cells of a table row are lines of their own; `rule`: a thin straight line;
   * `figure`: a picture, a drawing or a part of one, a tinted area.
   */
  readonly kind: 'line' | 'rule' | 'figure';
}

export interface PageLayout {
  /** Pixels at 300 dpi. */
  readonly width: number;
  readonly height: number;
  /** From the top. */
  readonly items: readonly LayoutItem[];
  /** What the items make up, from the top. */
  readonly blocks: readonly LayoutBlock[];
  /** Height of the usual line, from ascenders to descenders; and the usual space between lines of a paragraph. */
  readonly lineHeight: number;
  readonly lineGap: number;
  /** Whether it comes from words: their boxes are estimates. */
  readonly fromText: boolean;
}

/** A paragraph or heading; a table; a picture or drawing with the text in it. */
export interface LayoutBlock extends Rect {
  readonly kind: 'text' | 'table' | 'figure';
  /** Lines of text; rows of a table. */
  readonly lines: number;
}
