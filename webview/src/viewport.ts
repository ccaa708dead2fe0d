/** The scrolling area: keeping one's place, and bringing things into view. */

/** A place in the content: a point inside an element, as fractions of its size, and where it stood in client coordinates. */
export interface Anchor {
  readonly element: Element;
  readonly fx: number;
  readonly fy: number;
  readonly x: number;
  readonly y: number;
}

export function anchorAt(elements: readonly Element[], x: number, y: number): Anchor | null {
  for (const element of elements) {
    const bounds = element.getBoundingClientRect();
    if (bounds.height > 0 && bounds.top <= y && bounds.bottom > y) {
      return { element, fx: (x - bounds.left) / bounds.width, fy: (y - bounds.top) / bounds.height, x, y };
    }
  }
  return null;
}

/** Scrolls so that the anchor stands where it stood before the content changed its size. */
export function holdAnchor(scroller: Element, anchor: Anchor | null): void {
  if (anchor === null || !anchor.element.isConnected) {
    return;
  }
  const bounds = anchor.element.getBoundingClientRect();
  scroller.scrollTop += bounds.top + anchor.fy * bounds.height - anchor.y;
  scroller.scrollLeft += bounds.left + anchor.fx * bounds.width - anchor.x;
}

/** Room, in CSS px, kept free above (the sticky head of a page) and around what is brought into view. */
const ABOVE = 44;
const AROUND = 16;
/** What was out of view comes to stand with this part of the free height above it: the eye finds it, context stays. */
const LEAD = 0.3;

/** Leaves what is in view where it is; brings the rest into view, what is larger than the view from its start. */
export function reveal(scroller: Element, bounds: DOMRect): void {
  const view = scroller.getBoundingClientRect();
  const top = view.top + ABOVE;
  const bottom = view.top + scroller.clientHeight - AROUND;
  const free = bottom - top - bounds.height;
  const inside = bounds.top >= top && bounds.bottom <= bottom;
  const filling = bounds.top <= top && bounds.bottom >= bottom;
  if (!inside && !filling) {
    scroller.scrollTop += bounds.top - top - Math.max(0, free * LEAD);
  }
  const left = view.left + AROUND;
  const right = view.left + scroller.clientWidth - AROUND;
  if (bounds.left < left || bounds.width > right - left) {
    scroller.scrollLeft += bounds.left - left;
  } else if (bounds.right > right) {
    scroller.scrollLeft += bounds.right - right;
  }
}
