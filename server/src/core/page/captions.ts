import type { LayoutBlock, PageLayout } from './layout-types.ts';

/** Captions: what a figure or table is called, beside it. */

/** In heights of a line. */
const CAPTION_GAP = 2.5;
const CAPTION_LINES = 4;

/** The nearest short block below, else above, that lies within the width of what it names. */
export function captionOf(
  block: LayoutBlock,
  blocks: readonly LayoutBlock[],
  taken: ReadonlySet<LayoutBlock>,
  { lineHeight }: PageLayout,
): LayoutBlock | undefined {
  let best: LayoutBlock | undefined;
  let nearest = CAPTION_GAP * lineHeight;
  for (const other of blocks) {
    if (other.kind !== 'text' || other.lines > CAPTION_LINES || taken.has(other)) continue;
    const middle = (other.left + other.right) / 2;
    if (middle < block.left || middle > block.right || other.right - other.left > 1.15 * (block.right - block.left))
      continue;
    const below = other.top - block.bottom;
    const above = block.top - other.bottom;
    // Above a table stands as often what belongs to the text.
    const gap = below >= -2 ? below : above >= -2 ? 2 * above : Infinity;
    if (gap < nearest) [best, nearest] = [other, gap];
  }
  return best;
}
