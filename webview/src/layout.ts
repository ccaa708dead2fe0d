/** Record and pages side by side where there is room for both; else the record stands above the pages and scrolls with them. */
import { html, setAttributes } from './dom.ts';
import type { Anchor } from './viewport.ts';
import { anchorAt, holdAnchor } from './viewport.ts';

export interface Layout {
  /** Holds all that is below. */
  readonly element: HTMLElement;
  /** Scrolls the pages, and the record above them. */
  readonly scroller: HTMLElement;
  /** What scrolls an element that is shown. */
  scrollerOf(element: Element): HTMLElement;
  isBeside(): boolean;
  /** There are pages that the record could stand beside. */
  setPages(present: boolean): void;
  /** Runs a change that may alter the record's height, keeping what is read in it where it is. */
  keeping(change: () => void): void;
  /** Runs a change of the height of what stands above; what is seen of record and pages stays where it is, as far as they scroll. */
  steadily(change: () => void): void;
  toTop(): void;
  state(): { readonly split: number; readonly sideScroll: number };
}

export interface LayoutParts {
  /** The record. */
  readonly sheet: HTMLElement;
  /** Before and after the record moves: the place among the pages is to be kept. */
  around(change: () => void): void;
  /** The share of the record changed, or where it is scrolled to. */
  moved(): void;
}

/** Narrower panels, in CSS px, show the record above the pages. */
const WIDE = 900;
/** Neither side becomes narrower than this, in CSS px. */
const NARROWEST = 280;
const USUAL = 0.4;
/** Share of the width that an arrow key moves the border by. */
const STEP = 0.02;

export function createLayout(
  parts: LayoutParts,
  kept: { readonly split?: number; readonly sideScroll?: number },
): Layout {
  const { sheet, around, moved } = parts;
  const side = html('div', {
    class: 'side',
    id: 'side',
    role: 'region',
    tabindex: 0,
    'aria-label': 'Record beside the pages',
    hidden: true,
  });
  const splitter = html('div', {
    class: 'splitter',
    role: 'separator',
    tabindex: 0,
    'aria-label': 'Width of the record',
    'aria-orientation': 'vertical',
    'aria-controls': 'side',
    title: 'Drag, or use the arrow keys; a double click sets the usual width',
    hidden: true,
  });
  const scroller = html('div', { class: 'scroller', role: 'region', tabindex: 0, 'aria-label': 'Evidence' });
  const element = html('main', { class: 'workspace', 'data-layout': 'stacked' }, side, splitter, scroller);
  scroller.append(sheet);

  let split = kept.split ?? USUAL;
  let sideScroll = kept.sideScroll ?? 0;
  let hasPages = false;
  let isBeside = false;

  const limits = (): { least: number; most: number } => {
    const least = Math.min(0.5, NARROWEST / Math.max(1, element.clientWidth));
    return { least, most: 1 - least };
  };

  function showSplit(): void {
    const { least, most } = limits();
    const share = Math.min(most, Math.max(least, split));
    element.style.setProperty('--split', String(share));
    setAttributes(splitter, {
      'aria-valuenow': Math.round(share * 100),
      'aria-valuemin': Math.round(least * 100),
      'aria-valuemax': Math.round(most * 100),
      'aria-valuetext': `${Math.round(share * 100)} % of the width`,
    });
  }

  function setSplit(share: number): void {
    const { least, most } = limits();
    split = Math.min(most, Math.max(least, share));
    keeping(showSplit);
    moved();
  }

  function landmarks(): Element[] {
    return [...sheet.querySelectorAll('.block, .problem, .traced-number'), ...sheet.children];
  }

  function keeping(change: () => void): void {
    const view = side.getBoundingClientRect();
    const anchor: Anchor | null =
      isBeside && side.scrollTop > 0 ? anchorAt(landmarks(), view.left + 1, view.top + 1) : null;
    change();
    holdAnchor(side, anchor);
  }

  /** Moving the record takes the focus out of it, and a text that is being typed has its place of the caret. */
  function moveSheet(): void {
    const focused = sheet.contains(document.activeElement) ? (document.activeElement as HTMLElement) : null;
    if (isBeside) {
      side.append(sheet);
    } else {
      scroller.prepend(sheet);
    }
    focused?.focus({ preventScroll: true });
  }

  function arrange(): void {
    const next = hasPages && element.clientWidth >= WIDE;
    if (next !== isBeside) {
      around(() => {
        isBeside = next;
        element.dataset['layout'] = next ? 'beside' : 'stacked';
        side.hidden = !next;
        splitter.hidden = !next;
        setAttributes(scroller, { 'aria-label': next ? 'Pages' : 'Evidence' });
        moveSheet();
        side.scrollTop = sideScroll;
      });
    }
    showSplit();
  }

  splitter.addEventListener('keydown', (event) => {
    const { least, most } = limits();
    const current = Math.min(most, Math.max(least, split));
    const to: Readonly<Record<string, number>> = {
      ArrowLeft: current - STEP,
      ArrowRight: current + STEP,
      Home: least,
      End: most,
    };
    const next = to[event.key];
    if (next !== undefined && !event.ctrlKey && !event.altKey && !event.metaKey) {
      event.preventDefault();
      event.stopPropagation();
      setSplit(next);
    }
  });
  splitter.addEventListener('dblclick', () => setSplit(USUAL));
  splitter.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    event.preventDefault();
    splitter.focus({ preventScroll: true });
    splitter.setPointerCapture(event.pointerId);
    splitter.classList.add('moving');
  });
  splitter.addEventListener('pointermove', (event) => {
    if (splitter.hasPointerCapture(event.pointerId)) {
      const view = element.getBoundingClientRect();
      setSplit((event.clientX - view.left) / view.width);
    }
  });
  const stop = (): void => splitter.classList.remove('moving');
  splitter.addEventListener('pointerup', stop);
  splitter.addEventListener('lostpointercapture', stop);
  side.addEventListener('scroll', () => {
    sideScroll = side.scrollTop;
    moved();
  });
  new ResizeObserver(arrange).observe(element);

  return {
    element,
    scroller,
    scrollerOf: (inside) => (side.contains(inside) ? side : scroller),
    isBeside: () => isBeside,
    setPages(present) {
      hasPages = present;
      arrange();
    },
    keeping,
    steadily(change) {
      const topOf = (view: HTMLElement): number => view.getBoundingClientRect().top;
      const before = [side, scroller].map((view) => ({ view, top: topOf(view) }));
      change();
      for (const { view, top } of before) {
        view.scrollTop += topOf(view) - top;
      }
    },
    toTop() {
      sideScroll = 0;
      side.scrollTop = 0;
    },
    state: () => ({ split, sideScroll }),
  };
}
