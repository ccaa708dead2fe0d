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

/** Room, in CSS px, kept free above (sticky page head, a region's tag) and around what is brought into view. */
const ABOVE = 60;
const AROUND = 16;

/** Scrolls as little as needed to show `bounds` (client coordinates); what is larger than the view is shown from its start. */
export function reveal(scroller: Element, bounds: DOMRect): void {
  const view = scroller.getBoundingClientRect();
  const top = view.top + ABOVE;
  const bottom = view.top + scroller.clientHeight - AROUND;
  if (bounds.top < top || bounds.height > bottom - top) {
    if (bounds.top < top || bounds.top > bottom) {
      scroller.scrollTop += bounds.top - top;
    }
  } else if (bounds.bottom > bottom) {
    scroller.scrollTop += bounds.bottom - bottom;
  }
  const left = view.left + AROUND;
  const right = view.left + scroller.clientWidth - AROUND;
  if (bounds.left < left || bounds.width > right - left) {
    scroller.scrollLeft += bounds.left - left;
  } else if (bounds.right > right) {
    scroller.scrollLeft += bounds.right - right;
  }
}
