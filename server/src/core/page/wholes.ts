/** What belongs together on a page although there are gaps in it. */
import { captionOf } from './captions.ts';
import type { LayoutBlock, PageLayout } from './layout-types.ts';
import { union } from './rects.ts';
import type { Rect } from './rects.ts';

export interface Whole extends Rect {
  /** What is left of the strength of a boundary inside, 0–1. */
  readonly parts: number;
}

const IN_TABLE = 0.35;
const AT_CAPTION = 0.5;
const BELOW_HEADING = 0.4;
/** A heading is so many times nearer to what follows than to what is before. */
const NEARER = 1.3;

const known = new WeakMap<PageLayout, readonly Whole[]>();

/** Tables, figures, either with its caption, and headings with what they are about. */
export function wholesOf(layout: PageLayout): readonly Whole[] {
  const found = known.get(layout);
  if (found !== undefined) return found;
  const { blocks } = layout;
  const wholes: Whole[] = [];
  const captions = new Set<LayoutBlock>();
  for (const block of blocks) {
    if (block.kind === 'text') continue;
    wholes.push({ ...block, parts: IN_TABLE });
    const caption = captionOf(block, blocks, captions, layout);
    if (caption === undefined) continue;
    captions.add(caption);
    wholes.push({ ...union(block, caption), parts: AT_CAPTION });
  }
  for (const block of blocks) {
    if (block.kind !== 'text' || block.lines > 1 || captions.has(block)) continue;
    const below = neighbour(block, blocks, 'below');
    if (below === undefined || below.gap > 2 * layout.lineHeight) continue;
    const above = neighbour(block, blocks, 'above');
    if (above === undefined || above.gap > NEARER * below.gap) {
      wholes.push({ ...union(block, below.block), parts: BELOW_HEADING });
    }
  }
  known.set(layout, wholes);
  return wholes;
}

function neighbour(
  block: LayoutBlock,
  blocks: readonly LayoutBlock[],
  side: 'above' | 'below',
): { readonly block: LayoutBlock; readonly gap: number } | undefined {
  let nearest: { readonly block: LayoutBlock; readonly gap: number } | undefined;
  for (const other of blocks) {
    if (other === block || other.right < block.left || other.left > block.right) continue;
    const gap = side === 'below' ? other.top - block.bottom : block.top - other.bottom;
    const isOnSide = side === 'below' ? other.top > block.top : other.top < block.top;
    if (isOnSide && (nearest === undefined || gap < nearest.gap)) nearest = { block: other, gap };
  }
  return nearest;
}
