/** A better place for a box, by what stands on the page: growing until nothing is cut, and shrinking to the content. */
import type { PageFacts, PagePlace } from '../ports.ts';
import { bandsOf, endOn, startOn } from './bands.ts';
import type { Axis } from './bands.ts';
import { sidesThatCut } from './cuts.ts';
import type { Side } from './ink.ts';
import type { PageLayout } from './layout-types.ts';
import { placeOf, rectOf } from './rects.ts';
import type { Rect } from './rects.ts';
import type { Margins } from './margins.ts';
import { snapBox } from './snap.ts';

export interface FittedPage {
  readonly facts: PageFacts;
  readonly layout: PageLayout;
}

export type HowToFit = 'snap' | 'grow' | 'shrink';

/** Of a side, as a share of the page: what reaches further is no content of the box but a frame around it. */
const MOST_GROWTH = 0.5;
/** Each round may bring new things to be cut. */
const ROUNDS = 12;
/** Room that is empty without doubt, in heights of a line beyond the usual margin. */
const EMPTY = 2;
/** What reaches so little into the box does not count as its content. Pixels at 300 dpi. */
const TOUCH = 4;

/**
 * undefined: there is nothing to go to; also where growing cannot close the box. Places that growing and shrinking find good come back as
 * they are.
 */
export function fitPlace(page: FittedPage, place: PagePlace, how: HowToFit, margins: Margins): PagePlace | undefined {
  const { layout } = page;
  const box = rectOf(place, layout);
  const fitted =
    how === 'snap'
      ? snapBox(layout, box, margins)
      : how === 'grow'
        ? growBox(page, box, margins)
        : shrinkBox(layout, box, margins);
  if (fitted === undefined) return undefined;
  return same(fitted, box) ? place : placeOf(fitted, layout);
}

function same(a: Rect, b: Rect): boolean {
  return a.left === b.left && a.top === b.top && a.right === b.right && a.bottom === b.bottom;
}

function growBox({ facts, layout }: FittedPage, box: Rect, margins: Margins): Rect | undefined {
  const cut = (rect: Rect): Side[] => sidesThatCut(facts, placeOf(rect, layout), layout);
  const moved = new Set<Side>();
  let grown = box;
  let sides = cut(grown);
  for (let round = 0; round < ROUNDS && sides.length > 0; round++) {
    for (const side of sides) {
      const edge = outermost(layout, grown, side);
      if (edge === undefined) return undefined;
      grown = { ...grown, [side]: edge };
      moved.add(side);
      const growth = Math.abs(grown[side] - box[side]);
      if (growth > MOST_GROWTH * (axisOf(side) === 'x' ? layout.width : layout.height)) return undefined;
    }
    sides = cut(grown);
  }
  if (sides.length > 0) return undefined;
  const roomy = [...moved].reduce((rect, side) => withRoom(layout, rect, side, margins), grown);
  return cut(roomy).length === 0 ? roomy : grown;
}

function axisOf(side: Side): Axis {
  return side === 'left' || side === 'right' ? 'x' : 'y';
}

/** How far what an edge runs through reaches outward; undefined where nothing is known to lie there. */
function outermost({ items }: PageLayout, box: Rect, side: Side): number | undefined {
  const axis = axisOf(side);
  const across = axis === 'x' ? 'y' : 'x';
  const edge = box[side];
  let furthest: number | undefined;
  for (const item of items) {
    if (endOn(item, across) <= startOn(box, across) || startOn(item, across) >= endOn(box, across)) continue;
    const start = startOn(item, axis);
    const end = endOn(item, axis);
    if (start >= edge || end <= edge) continue;
    const reach = side === 'left' || side === 'top' ? start : end;
    const isFurther =
      furthest === undefined || (side === 'left' || side === 'top' ? reach < furthest : reach > furthest);
    if (isFurther) furthest = reach;
  }
  return furthest;
}

/** The margin, or half of the gap where that is less. */
function withRoom(layout: PageLayout, box: Rect, side: Side, margins: Margins): Rect {
  const axis = axisOf(side);
  const across = axis === 'x' ? 'y' : 'x';
  const bands = bandsOf(layout, axis, startOn(box, across), endOn(box, across));
  const edge = box[side];
  if (side === 'left' || side === 'top') {
    const before = bands.findLast(({ end }) => end <= edge);
    return {
      ...box,
      [side]: edge - Math.min(margins[side], before === undefined ? Infinity : (edge - before.end) / 2),
    };
  }
  const next = bands.find(({ start }) => start >= edge);
  return { ...box, [side]: edge + Math.min(margins[side], next === undefined ? Infinity : (next.start - edge) / 2) };
}

function shrinkBox({ items, lineHeight }: PageLayout, box: Rect, margins: Margins): Rect | undefined {
  let content: Rect | undefined;
  for (const item of items) {
    const left = Math.max(item.left, box.left);
    const top = Math.max(item.top, box.top);
    const right = Math.min(item.right, box.right);
    const bottom = Math.min(item.bottom, box.bottom);
    const touch = (size: number): number => Math.min(TOUCH, size / 2);
    if (right - left < touch(item.right - item.left) || bottom - top < touch(item.bottom - item.top)) continue;
    content =
      content === undefined
        ? { left, top, right, bottom }
        : {
            left: Math.min(content.left, left),
            top: Math.min(content.top, top),
            right: Math.max(content.right, right),
            bottom: Math.max(content.bottom, bottom),
          };
  }
  if (content === undefined) return undefined;
  const clear = EMPTY * lineHeight;
  const { left, top, right, bottom } = content;
  return {
    left: left - box.left > margins.left + clear ? left - margins.left : box.left,
    top: top - box.top > margins.top + clear ? top - margins.top : box.top,
    right: box.right - right > margins.right + clear ? right + margins.right : box.right,
    bottom: box.bottom - bottom > margins.bottom + clear ? bottom + margins.bottom : box.bottom,
  };
}
