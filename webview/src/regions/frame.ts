/**
 * What lies over a page while one of its regions is worked on: its outline, eight handles, the area that moves it, and how large
 * it is. An SVG of its own, so that a step of a drag costs the same however many regions the page has.
 */
import type { PlaceOnPage } from '../../../schemas/regions.ts';
import { setAttributes, setText, svg } from '../dom.ts';
import type { Overlay } from '../overlay.ts';
import type { Handle } from './geometry.ts';
import { HANDLES } from './geometry.ts';

export type Grip = Handle | 'move';

export interface Frame {
  readonly element: SVGSVGElement;
  /** Lays the frame around a place of the overlay's page; null takes it away. */
  show(overlay: Overlay, place: PlaceOnPage): void;
  hide(): void;
  /** Where it is. */
  overlay(): Overlay | null;
  /** A drag is under way: the region itself is drawn here; `size` in words. */
  drag(words: string | null): void;
  /** What is taken hold of at an element of the frame. */
  grip(target: EventTarget | null): Grip | null;
}

/** Sides of a handle, and of what takes hold of it, in CSS px. */
const SQUARE = 8;
const REACH = 14;
const REACH_COARSE = 24;

interface HandleParts {
  readonly handle: Handle;
  readonly square: SVGRectElement;
  readonly reach: SVGRectElement;
}

function createHandle(handle: Handle): HandleParts {
  const reach = svg('rect', { class: `reach reach-${handle}`, 'data-grip': handle });
  const square = svg('rect', { class: 'handle', width: SQUARE, height: SQUARE });
  return { handle, square, reach };
}

/** -1 for the low edge, 1 for the high edge, 0 for neither. */
function side(handle: Handle, low: string, high: string): -1 | 0 | 1 {
  return handle.includes(low) ? -1 : handle.includes(high) ? 1 : 0;
}

export function createFrame(): Frame {
  const handles = HANDLES.map(createHandle);
  const casing = svg('rect', { class: 'frame-casing' });
  const outline = svg('rect', { class: 'frame-outline' });
  const move = svg('rect', { class: 'frame-move', 'data-grip': 'move' });
  const label = svg('text', { class: 'frame-size', 'text-anchor': 'end' });
  const element = svg(
    'svg',
    { class: 'region-frame', 'aria-hidden': 'true' },
    casing,
    outline,
    move,
    // Corners lie over the middles of edges.
    ...[...handles].sort((a, b) => a.handle.length - b.handle.length).flatMap(({ square, reach }) => [square, reach]),
    label,
  );
  const coarse = matchMedia('(any-pointer: coarse)');
  let overlay: Overlay | null = null;

  function layHandles(x: number, y: number, width: number, height: number): void {
    const reach = coarse.matches ? REACH_COARSE : REACH;
    // A small region's handles stand outside of it, so that its middle still moves it.
    const outX = Math.min(reach / 2, Math.max(0, (3 * reach - width) / 4));
    const outY = Math.min(reach / 2, Math.max(0, (3 * reach - height) / 4));
    for (const { handle, square, reach: area } of handles) {
      const across = side(handle, 'w', 'e');
      const down = side(handle, 'n', 's');
      const cx = x + ((across + 1) * width) / 2;
      const cy = y + ((down + 1) * height) / 2;
      const crowded = (across === 0 && width < reach) || (down === 0 && height < reach);
      setAttributes(square, {
        x: cx - SQUARE / 2,
        y: cy - SQUARE / 2,
        visibility: crowded ? 'hidden' : null,
      });
      setAttributes(area, {
        x: cx + across * outX - reach / 2,
        y: cy + down * outY - reach / 2,
        width: reach,
        height: reach,
        visibility: crowded ? 'hidden' : null,
      });
    }
  }

  return {
    element,
    show(next, place) {
      if (overlay !== next || element.previousElementSibling !== next.element) {
        overlay = next;
        next.element.after(element);
      }
      const size = next.size();
      const x = place.left * size.width;
      const y = place.top * size.height;
      const width = place.width * size.width;
      const height = place.height * size.height;
      setAttributes(outline, { x, y, width, height });
      setAttributes(casing, { x, y, width, height });
      setAttributes(move, { x, y, width, height });
      layHandles(x, y, width, height);
      setAttributes(label, { x: x + width, y: y + height + 16 > size.height ? y + height - 6 : y + height + 16 });
    },
    hide() {
      overlay = null;
      element.remove();
    },
    overlay: () => overlay,
    drag(words) {
      element.classList.toggle('dragging', words !== null);
      setText(label, words ?? '');
    },
    grip(target) {
      const grip = target instanceof Element && element.contains(target) ? target.getAttribute('data-grip') : null;
      return grip as Grip | null;
    },
  };
}
