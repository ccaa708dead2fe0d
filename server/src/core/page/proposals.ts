/** What could be regions on a page, and what stands in a place, in words. */
import type { RegionProposal } from '../../../../schemas/regions.ts';
import { captionOf } from './captions.ts';
import type { LayoutBlock, PageLayout } from './layout-types.ts';
import { areaOf, isInside, placeOf, rectOf, union } from './rects.ts';
import type { Rect } from './rects.ts';
import type { Margins } from './margins.ts';
import type { PagePlace } from '../ports.ts';

/** Share of the page's height at top and bottom where headers, footers and page numbers stand. */
const FURNITURE = 0.08;
/** Smaller blocks are headings and labels: they come last. */
const LEAST_LINES = 2;
const MOST = 60;

/**
 * Tables and figures with their captions, then paragraphs, the larger first; no two overlap.
 * @param labels those that regions can have; the one that fits a kind is given to it
 */
export function proposeRegions(layout: PageLayout, margins: Margins, labels: readonly string[]): RegionProposal[] {
  const blocks = layout.blocks.filter((block) => !isFurniture(block, layout));
  const taken = new Set<LayoutBlock>();
  const found: { readonly block: LayoutBlock; readonly box: Rect; readonly says: string; readonly rank: number }[] = [];
  for (const block of blocks) {
    if (block.kind === 'text') continue;
    const caption = captionOf(block, blocks, taken, layout);
    if (caption !== undefined) taken.add(caption);
    taken.add(block);
    const box = caption === undefined ? block : union(block, caption);
    const says = caption === undefined ? block.kind : `${block.kind} with its caption`;
    found.push({ block, box, says, rank: 2 * layout.width * layout.height + areaOf(block) });
  }
  for (const block of blocks) {
    if (taken.has(block)) continue;
    const isSmall = block.lines < LEAST_LINES;
    found.push({
      block,
      box: block,
      says: nameOf(block),
      rank: (isSmall ? 0 : layout.width * layout.height) + areaOf(block),
    });
  }
  found.sort((a, b) => b.rank - a.rank);
  const proposals: RegionProposal[] = [];
  const boxes: Rect[] = [];
  for (const { block, box, says } of found) {
    const roomy = withMargins(box, margins, blocks, layout);
    if (boxes.some((other) => overlap(other, roomy))) continue;
    boxes.push(roomy);
    proposals.push({ place: placeOf(roomy, layout), label: labelFor(block.kind, labels), says });
    if (proposals.length === MOST) break;
  }
  return proposals;
}

/** What a place holds: "table", "figure", "3 lines of text"; null: nothing. */
export function describePlace(layout: PageLayout, place: PagePlace): string | null {
  const box = rectOf(place, layout);
  const inside = layout.blocks.filter((block) => isInside(block, box));
  const large = inside.filter(({ kind }) => kind !== 'text');
  const area = inside.reduce((sum, block) => sum + areaOf(block), 0);
  const [main] = large.sort((a, b) => areaOf(b) - areaOf(a));
  if (main !== undefined && areaOf(main) > 0.4 * area)
    return large.length > 1 ? `${large.length} ${main.kind}s` : main.kind;
  const rows = new Set(
    layout.items.filter((item) => item.kind === 'line' && isInside(item, box)).map(({ top }) => top),
  );
  if (rows.size > 0) return rows.size === 1 ? 'a line of text' : `${rows.size} lines of text`;
  return layout.items.some((item) => isInside(item, box)) ? 'figure' : null;
}

function nameOf({ lines }: LayoutBlock): string {
  return lines === 1 ? 'a line of text' : `paragraph of ${lines} lines`;
}

function isFurniture({ top, bottom, lines, kind }: LayoutBlock, { height }: PageLayout): boolean {
  return kind === 'text' && lines === 1 && (bottom < FURNITURE * height || top > (1 - FURNITURE) * height);
}

/** More than touching. */
function overlap(a: Rect, b: Rect): boolean {
  const x = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const y = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return x > 1 && y > 1;
}

/** The margins, or half of the gap to the next block where that is less. */
function withMargins(box: Rect, margins: Margins, blocks: readonly Rect[], page: PageLayout): Rect {
  let { left, top, right, bottom } = margins;
  for (const other of blocks) {
    if (isInside(other, box)) continue;
    const isBeside = other.top < box.bottom && other.bottom > box.top;
    const isAbove = other.left < box.right && other.right > box.left;
    if (isBeside && other.right <= box.left) left = Math.min(left, (box.left - other.right) / 2);
    if (isBeside && other.left >= box.right) right = Math.min(right, (other.left - box.right) / 2);
    if (isAbove && other.bottom <= box.top) top = Math.min(top, (box.top - other.bottom) / 2);
    if (isAbove && other.top >= box.bottom) bottom = Math.min(bottom, (other.top - box.bottom) / 2);
  }
  return {
    left: Math.max(0, box.left - left),
    top: Math.max(0, box.top - top),
    right: Math.min(page.width, box.right + right),
    bottom: Math.min(page.height, box.bottom + bottom),
  };
}

const NAMES: Readonly<Record<LayoutBlock['kind'], RegExp>> = {
  text: /^(?:text|paragraph|plain text)$/i,
  table: /^tables?$/i,
  figure: /^(?:image|figure|picture|chart)s?$/i,
};

function labelFor(kind: LayoutBlock['kind'], labels: readonly string[]): string | null {
  return labels.find((label) => NAMES[kind].test(label)) ?? null;
}
