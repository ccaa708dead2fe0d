/** How much room people leave around what they mark: learned from boxes that are good. */
import type { PageLayout } from './layout-types.ts';
import { weightedMedian } from './median.ts';
import { isInside } from './rects.ts';
import type { Rect } from './rects.ts';

/** Pixels at 300 dpi between an edge of a box and the content in it. */
export interface Margins {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Where no box tells another one. */
export const USUAL_MARGINS: Margins = { left: 10, top: 8, right: 10, bottom: 10 };

/** More room than this is not meant as a margin. */
const MOST = 60;
/** Boxes that `USUAL_MARGINS` counts as: a single box tells little. */
const PRIOR = 2;

/** Room on each side; undefined where nothing stands in the box or an edge cuts something. */
export function marginsOf(layout: PageLayout, box: Rect): Margins | undefined {
  const content = contentIn(layout, box);
  if (content === undefined) return undefined;
  return {
    left: content.left - box.left,
    top: content.top - box.top,
    right: box.right - content.right,
    bottom: box.bottom - content.bottom,
  };
}

/** Bounds of all that lies in the box by more than half, whole; undefined without any. */
export function contentIn({ items }: PageLayout, box: Rect): Rect | undefined {
  let left = Infinity;
  let top = Infinity;
  let right = -Infinity;
  let bottom = -Infinity;
  for (const item of items) {
    if (!isInside(item, box)) continue;
    if (item.left < left) left = item.left;
    if (item.top < top) top = item.top;
    if (item.right > right) right = item.right;
    if (item.bottom > bottom) bottom = item.bottom;
  }
  return left > right ? undefined : { left, top, right, bottom };
}

/** The usual margins of boxes: the median of each side. Rooms that are no margins, and cuts, are left out side by side. */
export function learnMargins(boxes: readonly Margins[]): Margins {
  const side = (key: keyof Margins): number => {
    const rooms = boxes.flatMap((box): [number, number][] => {
      const room = box[key];
      return room >= -2 && room <= MOST ? [[Math.max(0, room), 1]] : [];
    });
    return weightedMedian([...rooms, [USUAL_MARGINS[key], PRIOR]]) ?? USUAL_MARGINS[key];
  };
  return { left: side('left'), top: side('top'), right: side('right'), bottom: side('bottom') };
}
