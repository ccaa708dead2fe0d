/** Rectangles on a page. */
import type { Extent } from '../evidence/geometry.ts';
import type { PagePlace } from '../ports.ts';

/** Pixels at 300 dpi of the page as displayed, from its left and upper edge; not rounded. */
export interface Rect {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export function rectOf(place: PagePlace, page: Extent): Rect {
  return {
    left: place.left * page.width,
    top: place.top * page.height,
    right: (place.left + place.width) * page.width,
    bottom: (place.top + place.height) * page.height,
  };
}

export function placeOf({ left, top, right, bottom }: Rect, page: Extent): PagePlace {
  const x = within(left / page.width);
  const y = within(top / page.height);
  return { left: x, top: y, width: within(right / page.width) - x, height: within(bottom / page.height) - y };
}

function within(value: number): number {
  return Math.min(1, Math.max(0, value));
}

export function union(a: Rect, b: Rect): Rect {
  return {
    left: Math.min(a.left, b.left),
    top: Math.min(a.top, b.top),
    right: Math.max(a.right, b.right),
    bottom: Math.max(a.bottom, b.bottom),
  };
}

/** Whether the middle of a rectangle lies in another one. */
export function isInside(item: Rect, outer: Rect): boolean {
  const x = (item.left + item.right) / 2;
  const y = (item.top + item.bottom) / 2;
  return x > outer.left && x < outer.right && y > outer.top && y < outer.bottom;
}

export function areaOf({ left, top, right, bottom }: Rect): number {
  return (right - left) * (bottom - top);
}
