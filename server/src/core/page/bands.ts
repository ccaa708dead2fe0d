/** The content of a part of the page, seen along one axis: bands of content with gaps between them. */
import type { LayoutItem, PageLayout } from './layout-types.ts';
import type { Rect } from './rects.ts';

export type Axis = 'x' | 'y';

/** From `start` to `end` along the axis, in pixels at 300 dpi; from the page's left or top. */
export interface Band {
  readonly start: number;
  readonly end: number;
  readonly kind: LayoutItem['kind'];
}

/** Share of an item that must lie in the span across, or of the span that it must cover. */
const SHARE = 0.4;
/** Items that share less of the smaller one's extent follow each other: descenders reach into the next line. */
const SHARED = 0.3;

export function startOn(rect: Rect, axis: Axis): number {
  return axis === 'x' ? rect.left : rect.top;
}

export function endOn(rect: Rect, axis: Axis): number {
  return axis === 'x' ? rect.right : rect.bottom;
}

/** Bands along an axis of what stands between `from` and `to` on the other one; ordered, at most touching each other. */
export function bandsOf(layout: PageLayout, axis: Axis, from: number, to: number): Band[] {
  const across = axis === 'x' ? 'y' : 'x';
  const concerned = layout.items.filter((item) => {
    const start = startOn(item, across);
    const end = endOn(item, across);
    const shared = Math.min(end, to) - Math.max(start, from);
    return shared > 0 && (shared >= SHARE * (end - start) || shared >= SHARE * (to - from));
  });
  concerned.sort((a, b) => startOn(a, axis) - startOn(b, axis));
  const bands: { start: number; end: number; kind: LayoutItem['kind'] }[] = [];
  for (const item of concerned) {
    const start = startOn(item, axis);
    const end = endOn(item, axis);
    const last = bands.at(-1);
    const shared = last === undefined ? 0 : last.end - start;
    const least = axis === 'x' || last === undefined ? 0 : SHARED * Math.min(end - start, last.end - last.start);
    if (last === undefined || shared <= least) {
      bands.push({
        start: last === undefined ? start : Math.max(start, Math.min(last.end, end)),
        end,
        kind: item.kind,
      });
      continue;
    }
    last.end = Math.max(last.end, end);
    if (item.kind === 'figure' || last.kind === 'rule') last.kind = item.kind;
  }
  return bands;
}
