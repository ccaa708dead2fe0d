/**
 * What stands on a page, as boxes: lines of text, rules, pictures and drawings; from the words of a PDF, else from the pixels of a
 * page image. What makes use of it (snapping, proposals) does not know which.
 */
import type { PageFacts, PageText } from '../ports.ts';
import { blocksOf } from './blocks.ts';
import { inkItems } from './ink-items.ts';
import { weightedMedian } from './median.ts';
import { rectOf } from './rects.ts';
import type { Extent } from '../evidence/geometry.ts';
import type { Rect } from './rects.ts';
import type { LayoutItem, PageLayout } from './layout-types.ts';

/** Of a page of which no size is known but the shape. */
const USUAL_PAGE = { width: 2550, height: 3300 };
/** A drawing over so much of the page is its background. */
const BACKGROUND = 0.85;

/**
 * @param page size in pixels at 300 dpi; undefined: not known
 * @returns undefined where nothing of the page could be read
 */
export function layoutOf(facts: PageFacts, page: Extent | undefined): PageLayout | undefined {
  const { text, ink } = facts;
  const hasWords = text !== undefined && text.lines.length > 0;
  if (!hasWords && ink === undefined) return undefined;
  const size = page ?? sizeOf(ink);
  const items = hasWords ? textItems(text, size) : inkItems(ink!, size);
  const sorted = [...items].sort((a, b) => a.top - b.top || a.left - b.left);
  const lineHeight = usualHeight(sorted);
  const lineGap = usualGap(sorted, lineHeight);
  const layout = { width: size.width, height: size.height, items: sorted, lineHeight, lineGap, fromText: hasWords };
  return { ...layout, blocks: blocksOf(layout) };
}

function sizeOf(ink: PageFacts['ink']): Extent {
  if (ink === undefined) return USUAL_PAGE;
  const scale = Math.sqrt((USUAL_PAGE.width * USUAL_PAGE.height) / (ink.width * ink.height));
  return { width: ink.width * scale, height: ink.height * scale };
}

function textItems({ lines, graphics }: PageText, page: Extent) {
  const items: LayoutItem[] = lines.map((line) => ({ kind: 'line', ...rectOf(line, page) }));
  for (const graphic of graphics) {
    const isBackground = graphic.kind !== 'rule' && graphic.width * graphic.height > BACKGROUND;
    if (isBackground) continue;
    const rect = clipped(rectOf(graphic, page), page);
    if (rect.right <= rect.left && rect.bottom <= rect.top) continue;
    items.push({ kind: graphic.kind === 'rule' ? 'rule' : 'figure', ...rect });
  }
  return items;
}

function clipped({ left, top, right, bottom }: Rect, page: Extent): Rect {
  return {
    left: Math.max(0, left),
    top: Math.max(0, top),
    right: Math.min(page.width, right),
    bottom: Math.min(page.height, bottom),
  };
}

/** Median of the heights of lines, each counted by its width. */
function usualHeight(items: readonly LayoutItem[]): number {
  const lines = items.filter(({ kind, left, right, top, bottom }) => kind === 'line' && right - left > bottom - top);
  return weightedMedian(lines.map((line) => [line.bottom - line.top, line.right - line.left])) ?? 40;
}

/** Median of the spaces between lines that stand close below each other. */
function usualGap(items: readonly LayoutItem[], lineHeight: number): number {
  const lines = items.filter(({ kind }) => kind === 'line');
  const gaps: [number, number][] = [];
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    for (let j = i + 1; j < lines.length && lines[j]!.top < line.bottom + lineHeight; j++) {
      const next = lines[j]!;
      const shared = Math.min(line.right, next.right) - Math.max(line.left, next.left);
      if (next.top < line.top + 0.5 * (line.bottom - line.top) || shared <= 0) continue;
      gaps.push([next.top - line.bottom, shared]);
      break;
    }
  }
  return Math.max(0, weightedMedian(gaps) ?? 0.3 * lineHeight);
}
