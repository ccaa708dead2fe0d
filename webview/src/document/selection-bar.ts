/** A bar beside words that are selected on a page: what can be made of them. */
import type { PlaceOnPage } from '../../../schemas/regions.ts';
import { html, setText } from '../dom.ts';
import type { IconName } from '../icons.ts';
import { icon } from '../icons.ts';
import type { PageCard } from '../pages.ts';

/** Words that are selected on one page, and the smallest box around them. */
export interface SelectedText {
  readonly card: PageCard;
  readonly place: PlaceOnPage;
  readonly text: string;
}

export interface SelectionBarActions {
  addRegion(selected: SelectedText): void;
  newRecord(selected: SelectedText): void;
  copy(text: string): void;
}

/** CSS px between the words and the bar, and between the bar and the edge of the view. */
const GAP = 6;
const EDGE = 8;

/** Pieces smaller than this, in CSS px, are line ends. */
const LEAST = 0.5;

/** What the range covers of one piece of a page's text; null: nothing. */
function partOf(range: Range, span: Element): Range | null {
  if (!range.intersectsNode(span)) {
    return null;
  }
  const own = document.createRange();
  own.selectNodeContents(span);
  if (own.comparePoint(range.startContainer, range.startOffset) === 0) {
    own.setStart(range.startContainer, range.startOffset);
  }
  if (own.comparePoint(range.endContainer, range.endOffset) === 0) {
    own.setEnd(range.endContainer, range.endOffset);
  }
  return own.collapsed ? null : own;
}

interface Covered {
  /** In client coordinates. */
  readonly rects: readonly DOMRect[];
  /** Lines parted by LF. */
  readonly text: string;
}

function coveredBy(range: Range, layer: Element): Covered {
  const rects: DOMRect[] = [];
  let text = '';
  for (const span of layer.querySelectorAll('span')) {
    const part = partOf(range, span);
    if (part !== null) {
      rects.push(...[...part.getClientRects()].filter(({ width, height }) => width > LEAST && height > LEAST));
      text += part.toString() + (span.nextElementSibling?.tagName === 'BR' ? '\n' : '');
    }
  }
  return { rects, text: text.trim() };
}

function around(rects: readonly DOMRect[]): DOMRect {
  const left = Math.min(...rects.map((rect) => rect.left));
  const top = Math.min(...rects.map((rect) => rect.top));
  const right = Math.max(...rects.map((rect) => rect.right));
  const bottom = Math.max(...rects.map((rect) => rect.bottom));
  return new DOMRect(left, top, right - left, bottom - top);
}

/** As fractions of the page. */
function placeOn(paper: DOMRect, box: DOMRect): PlaceOnPage {
  const on = (value: number): number => Math.min(1, Math.max(0, value));
  const left = on((box.left - paper.left) / paper.width);
  const top = on((box.top - paper.top) / paper.height);
  return {
    left,
    top,
    width: on((box.right - paper.left) / paper.width) - left,
    height: on((box.bottom - paper.top) / paper.height) - top,
  };
}

function button(words: string, glyph: IconName, act: () => void): HTMLButtonElement {
  const element = html('button', { type: 'button', class: 'tool worded' }, icon(glyph), words);
  element.addEventListener('click', act);
  return element;
}

/** `cards`: the pages that words can be selected on. */
export function createSelectionBar(cards: () => readonly PageCard[], actions: SelectionBarActions): HTMLElement {
  let selected: SelectedText | null = null;
  const withSelected = (act: (words: SelectedText) => void) => (): void => {
    const words = selected;
    if (words !== null) {
      act(words);
    }
  };
  const where = html('span', { class: 'sr-only' });
  const element = html(
    'div',
    { class: 'selection-bar', role: 'toolbar', 'aria-label': 'Selected text', hidden: true },
    where,
    button('Add region', 'addRegion', withSelected(actions.addRegion)),
    button('New record', 'addRecord', withSelected(actions.newRecord)),
    button(
      'Copy',
      'copy',
      withSelected(({ text }) => actions.copy(text)),
    ),
  );
  // The words would lose their selection to the pointer.
  element.addEventListener('pointerdown', (event) => event.preventDefault());
  element.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      event.stopPropagation();
      document.getSelection()?.removeAllRanges();
    }
  });

  /** What is selected on the page that the selection begins on. */
  function read(): { readonly words: SelectedText; readonly box: DOMRect } | null {
    const selection = document.getSelection();
    if (selection === null || selection.isCollapsed || selection.rangeCount === 0) {
      return null;
    }
    const range = selection.getRangeAt(0);
    for (const card of cards()) {
      const paper = card.element.querySelector('.paper');
      const layer = paper?.querySelector('.text-layer') ?? null;
      if (paper === null || layer === null || !range.intersectsNode(layer)) {
        continue;
      }
      const { rects, text } = coveredBy(range, layer);
      if (rects.length > 0 && text !== '') {
        const box = around(rects);
        return { words: { card, place: placeOn(paper.getBoundingClientRect(), box), text }, box };
      }
    }
    return null;
  }

  /** Below the words, else above them, inside the view in any case. */
  function put(box: DOMRect): void {
    const { width, height } = element.getBoundingClientRect();
    const below = box.bottom + GAP;
    const top = below + height <= window.innerHeight - EDGE ? below : box.top - GAP - height;
    const left = Math.min(box.left, window.innerWidth - EDGE - width);
    element.style.setProperty('left', `${Math.max(EDGE, left)}px`);
    element.style.setProperty('top', `${Math.max(EDGE, Math.min(top, window.innerHeight - EDGE - height))}px`);
  }

  function update(): void {
    const found = read();
    selected = found?.words ?? null;
    element.hidden = found === null;
    if (found !== null) {
      setText(where, `On page ${found.words.card.page.number}`);
      put(found.box);
    }
  }

  let frame = 0;
  const soon = (): void => {
    if (frame === 0) {
      frame = requestAnimationFrame(() => {
        frame = 0;
        update();
      });
    }
  };
  document.addEventListener('selectionchange', soon);
  document.addEventListener('scroll', soon, { capture: true, passive: true });
  window.addEventListener('resize', soon);

  return element;
}
