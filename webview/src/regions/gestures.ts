/** Mouse, pen and touch on pages: what a press, a drag and a release mean. Says what to do; changes nothing itself. */
import type { PlaceOnPage } from '../../../schemas/regions.ts';
import type { Overlay } from '../overlay.ts';
import { overlayOf } from '../overlay.ts';
import type { Frame, Grip } from './frame.ts';
import type { Point } from './geometry.ts';

export interface Drag {
  /** Pointer moved to `at`, pressed at `from`: fractions of the page, maybe outside of it. */
  step(from: Point, at: Point): void;
  /** `inverted`: Alt was held; `again`: Shift was. */
  end(how: { readonly inverted: boolean; readonly again: boolean }): void;
  cancel(): void;
}

export interface GestureActions {
  /** Regions may be changed now. */
  enabled(): boolean;
  drawing(): boolean;
  /** A drag of the frame begins. null: it means nothing. */
  grip(grip: Grip): Drag | null;
  draw(overlay: Overlay): Drag | null;
  /** A press and release without a drag, inside the frame. */
  click(overlay: Overlay, point: { readonly clientX: number; readonly clientY: number }): void;
}

export interface Gestures {
  active(): boolean;
  cancel(): void;
}

/** Less than this, in CSS px, is a click. */
const CLICK = 3;
/** So close to the edge of the view a drag scrolls it, by at most `SCROLL` px a frame. */
const EDGE = 24;
const SCROLL = 14;

interface Press {
  readonly pointerId: number;
  readonly overlay: Overlay;
  readonly captor: Element;
  readonly startX: number;
  readonly startY: number;
  readonly from: Point;
  readonly begin: () => Drag | null;
  readonly onClick: (() => void) | null;
  drag: Drag | null;
  x: number;
  y: number;
}

export function placeOfPoint(overlay: Overlay, clientX: number, clientY: number): Point {
  const bounds = overlay.element.getBoundingClientRect();
  return { x: (clientX - bounds.left) / bounds.width, y: (clientY - bounds.top) / bounds.height };
}

/** The part of the overlay's page that is in view. */
export function seenOf(overlay: Overlay, scroller: Element): PlaceOnPage {
  const view = scroller.getBoundingClientRect();
  const cut = (value: number): number => Math.min(1, Math.max(0, value));
  const start = placeOfPoint(overlay, view.left, view.top);
  const end = placeOfPoint(overlay, view.left + scroller.clientWidth, view.top + scroller.clientHeight);
  const left = cut(start.x);
  const top = cut(start.y);
  return { left, top, width: cut(end.x) - left, height: cut(end.y) - top };
}

/** `root` holds the pages; `scroller` what scrolls them. */
export function listenForGestures(
  root: HTMLElement,
  scroller: HTMLElement,
  frame: Frame,
  actions: GestureActions,
): Gestures {
  let press: Press | null = null;
  /** A second finger scrolls: its pointer and where it is. */
  const fingers = new Map<number, { x: number; y: number }>();
  let wasDrag = false;
  let scrolling = 0;

  function finish(): Press | null {
    const ended = press;
    press = null;
    cancelAnimationFrame(scrolling);
    scrolling = 0;
    if (ended?.captor.hasPointerCapture(ended.pointerId) === true) {
      ended.captor.releasePointerCapture(ended.pointerId);
    }
    return ended;
  }

  /** The browser makes a click of a drag, too, right after it. */
  function swallowClick(): void {
    wasDrag = true;
    setTimeout(() => {
      wasDrag = false;
    });
  }

  function cancel(): void {
    const ended = finish();
    if (ended !== null && ended.drag !== null) {
      ended.drag.cancel();
    }
  }

  function begin(event: PointerEvent, overlay: Overlay, captor: Element, rest: Pick<Press, 'begin' | 'onClick'>): void {
    press = {
      pointerId: event.pointerId,
      overlay,
      captor,
      startX: event.clientX,
      startY: event.clientY,
      from: placeOfPoint(overlay, event.clientX, event.clientY),
      ...rest,
      drag: null,
      x: event.clientX,
      y: event.clientY,
    };
    captor.setPointerCapture(event.pointerId);
  }

  function step(): void {
    if (press !== null && press.drag !== null) {
      press.drag.step(press.from, placeOfPoint(press.overlay, press.x, press.y));
    }
  }

  /** px a frame: how far a coordinate is inside the edge zone. */
  function pull(value: number, low: number, high: number): number {
    const over = value < low + EDGE ? value - low - EDGE : value > high - EDGE ? value - high + EDGE : 0;
    return Math.max(-SCROLL, Math.min(SCROLL, over / 2));
  }

  function scrollAtEdge(): void {
    scrolling = 0;
    if (press === null || press.drag === null) {
      return;
    }
    const view = scroller.getBoundingClientRect();
    const dx = pull(press.x, view.left, view.left + scroller.clientWidth);
    const dy = pull(press.y, view.top, view.top + scroller.clientHeight);
    if (dx === 0 && dy === 0) {
      return;
    }
    const before = [scroller.scrollLeft, scroller.scrollTop];
    scroller.scrollBy(dx, dy);
    if (before[0] !== scroller.scrollLeft || before[1] !== scroller.scrollTop) {
      step();
      scrolling = requestAnimationFrame(scrollAtEdge);
    }
  }

  function pressed(event: PointerEvent): void {
    const target = event.target instanceof Element ? event.target : null;
    if (event.pointerType === 'touch') {
      fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      if (press !== null) {
        cancel();
        return;
      }
    }
    if (event.button !== 0 || press !== null || fingers.size > 1 || !actions.enabled() || target === null) {
      return;
    }
    const grip = actions.drawing() ? null : frame.grip(target);
    const framed = frame.overlay();
    if (grip !== null && framed !== null) {
      event.preventDefault();
      const { clientX, clientY } = event;
      begin(event, framed, frame.element, {
        begin: () => actions.grip(grip),
        onClick: grip === 'move' ? () => actions.click(framed, { clientX, clientY }) : null,
      });
      return;
    }
    const overlay = actions.drawing() ? overlayOf(target.closest('.overlay')) : null;
    if (overlay !== null) {
      event.preventDefault();
      begin(event, overlay, overlay.element, { begin: () => actions.draw(overlay), onClick: null });
    }
  }

  /** Two fingers scroll where one draws. */
  function scrollByFinger(event: PointerEvent): void {
    const before = fingers.get(event.pointerId);
    if (before === undefined) {
      return;
    }
    if (press === null && fingers.size > 1) {
      scroller.scrollBy((before.x - event.clientX) / fingers.size, (before.y - event.clientY) / fingers.size);
    }
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  }

  root.addEventListener('pointerdown', pressed);
  // Browsers do not look at the touch-action of shapes: a finger on the frame would scroll.
  frame.element.addEventListener('touchstart', (event) => event.preventDefault(), { passive: false });
  root.addEventListener('pointermove', (event) => {
    scrollByFinger(event);
    if (press === null || event.pointerId !== press.pointerId) {
      return;
    }
    press.x = event.clientX;
    press.y = event.clientY;
    if (press.drag === null) {
      if (Math.hypot(press.x - press.startX, press.y - press.startY) < CLICK) {
        return;
      }
      press.drag = press.begin();
      if (press.drag === null) {
        finish();
        return;
      }
    }
    step();
    if (scrolling === 0) {
      scrolling = requestAnimationFrame(scrollAtEdge);
    }
  });
  root.addEventListener('pointerup', (event) => {
    fingers.delete(event.pointerId);
    if (press === null || event.pointerId !== press.pointerId) {
      return;
    }
    const ended = finish();
    if (ended !== null && ended.drag !== null) {
      swallowClick();
      ended.drag.end({ inverted: event.altKey, again: event.shiftKey });
    } else {
      ended?.onClick?.();
    }
  });
  for (const type of ['pointercancel', 'lostpointercapture'] as const) {
    root.addEventListener(type, (event) => {
      if (type === 'pointercancel') {
        fingers.delete(event.pointerId);
      }
      if (event.pointerId === press?.pointerId) {
        cancel();
      }
    });
  }
  root.addEventListener(
    'click',
    (event) => {
      if (wasDrag) {
        event.stopPropagation();
        event.preventDefault();
      }
    },
    true,
  );
  scroller.addEventListener('scroll', step);

  return { active: () => press !== null && press.drag !== null, cancel };
}
