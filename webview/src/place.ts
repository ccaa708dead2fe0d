/** Where one reads: the zoom of the pages, the page at hand, and the place that is kept while sizes change. */
import type { ViewState } from './host.ts';
import { pageName } from './document/entries.ts';
import type { PageCard, PageSection } from './pages.ts';
import type { Toolbar } from './toolbar.ts';
import type { Anchor } from './viewport.ts';
import { anchorAt, holdAnchor } from './viewport.ts';
import type { Zoom } from './zoom.ts';
import { nextZoom, wheelZoom } from './zoom.ts';

/** CSS px between the edge of the panel and a page, on either side; preview.css says the same. */
const MARGIN = 16;
/** A card whose top is this close to the top of the view counts as being there. */
const AT_TOP = 4;
/** The current page is the last one that begins above this fraction of the view. */
const READING_LINE = 0.4;

export interface Place {
  /** Lays the pages out at the zoom in use. */
  layout(): void;
  /** The same after sizes changed, keeping one's place. */
  relayout(): void;
  /** Runs a change that may alter sizes, keeping what stands at the top where it is. */
  keeping(change: () => void): void;
  /** Tells the toolbar where one is. */
  show(): void;
  /** The page that is read. */
  card(): PageCard | null;
  toCard(card: PageCard): void;
  /** Runs a change of which pages there are: the page that is read stays where it is, also at the very top. */
  holding(change: () => void): void;
  stepPage(step: 1 | -1): void;
  stepZoom(step: 1 | -1): void;
  zoomTo(zoom: Zoom): void;
  toTop(): void;
  restore(state: ViewState): void;
  state(): Pick<ViewState, 'zoom' | 'anchor' | 'scrollLeft'>;
}

export interface PlaceParts {
  /** What scrolls the pages. */
  readonly scroller: HTMLElement;
  pages(): PageSection;
  readonly toolbar: Pick<Toolbar, 'showPage' | 'showZoom'>;
  /** What else may stand at the top edge while reading. */
  landmarks(): Iterable<Element>;
  /** The place changed: it is worth keeping. */
  moved(): void;
}

export function createPlace({ scroller, pages, toolbar, landmarks, moved }: PlaceParts, initial: Zoom): Place {
  let zoom = initial;

  const room = (): number => Math.max(80, scroller.clientWidth - 2 * MARGIN);
  const viewTop = (): number => scroller.getBoundingClientRect().top;

  function currentCard(): PageCard | null {
    const cards = pages().cards();
    const atEnd = scroller.scrollTop > 0 && scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - 2;
    const line = viewTop() + scroller.clientHeight * (atEnd ? 1 : READING_LINE);
    return cards.findLast((card) => card.element.getBoundingClientRect().top <= line) ?? cards[0] ?? null;
  }

  function show(): void {
    const card = currentCard();
    if (card !== null) {
      const cards = pages().allCards();
      toolbar.showPage(cards.indexOf(card), cards.length, pageName(card.page));
      toolbar.showZoom(zoom, pages().factor(card, zoom, room()));
    }
  }

  function anchor(x: number, y: number): Anchor | null {
    if (scroller.scrollTop === 0) {
      return null;
    }
    const cards = pages().cards();
    return anchorAt([...cards.flatMap((card) => card.landmarks()), ...landmarks()], x, y);
  }

  /** Keeps a point of the content (client coordinates) where it is. */
  function keepingAt(change: () => void, x: number, y: number): void {
    const held = anchor(x, y);
    change();
    holdAnchor(scroller, held);
  }

  const keeping = (change: () => void): void =>
    keepingAt(change, scroller.getBoundingClientRect().left + MARGIN, viewTop() + AT_TOP);
  const layout = (): void => pages().layout(zoom, room());

  function relayout(): void {
    keeping(layout);
    show();
  }

  function toCard(card: PageCard): void {
    scroller.scrollTop += card.element.getBoundingClientRect().top - viewTop();
    show();
  }

  function setZoom(next: Zoom, x?: number, y?: number): void {
    const view = scroller.getBoundingClientRect();
    zoom = next;
    keepingAt(layout, x ?? view.left + scroller.clientWidth / 2, y ?? view.top + scroller.clientHeight * READING_LINE);
    show();
    moved();
  }

  function currentFactor(): number {
    const card = currentCard();
    return card === null ? 1 : pages().factor(card, zoom, room());
  }

  scroller.addEventListener(
    'wheel',
    (event) => {
      if (event.ctrlKey && pages().cards().length > 0) {
        event.preventDefault();
        setZoom(wheelZoom(currentFactor(), event.deltaY), event.clientX, event.clientY);
      }
    },
    { passive: false },
  );

  let frame = 0;
  scroller.addEventListener('scroll', () => {
    if (frame === 0) {
      frame = requestAnimationFrame(() => {
        frame = 0;
        show();
        moved();
      });
    }
  });

  /** Moving the window to another screen changes the device pixels a page needs. */
  function watchPixelRatio(): void {
    matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`).addEventListener(
      'change',
      () => {
        relayout();
        watchPixelRatio();
      },
      { once: true },
    );
  }
  watchPixelRatio();

  return {
    layout,
    relayout,
    keeping,
    show,
    card: currentCard,
    toCard,
    holding(change) {
      const card = currentCard();
      const top = card?.element.getBoundingClientRect().top ?? 0;
      change();
      if (card?.element.isConnected === true && !card.element.hidden) {
        scroller.scrollTop += card.element.getBoundingClientRect().top - top;
      }
      show();
    },
    stepPage(step) {
      const [only] = pages().cards();
      if (only !== undefined && pages().turn(step)) {
        toCard(pages().cards()[0] ?? only);
        return;
      }
      const tops = pages()
        .cards()
        .map((card) => card.element.getBoundingClientRect().top - viewTop());
      const target = step > 0 ? tops.find((top) => top > AT_TOP) : tops.findLast((top) => top < -AT_TOP);
      if (target !== undefined) {
        scroller.scrollTop += target;
      } else if (step < 0) {
        scroller.scrollTop = 0;
      }
      show();
    },
    stepZoom: (step) => setZoom(nextZoom(currentFactor(), step)),
    zoomTo: (next) => setZoom(next),
    toTop: () => scroller.scrollTo(0, 0),
    restore(state) {
      const kept = state.anchor;
      const card =
        kept &&
        pages()
          .cards()
          .find((candidate) => candidate.key === kept.card);
      if (kept && card) {
        const bounds = card.element.getBoundingClientRect();
        scroller.scrollTop += bounds.top - viewTop() + kept.fraction * bounds.height;
        scroller.scrollLeft = state.scrollLeft;
      }
    },
    state() {
      const card = currentCard();
      const bounds = card?.element.getBoundingClientRect();
      const isShown = card && bounds && bounds.height > 0;
      return {
        zoom,
        anchor: isShown ? { card: card.key, fraction: (viewTop() - bounds.top) / bounds.height } : null,
        scrollLeft: scroller.scrollLeft,
      };
    },
  };
}
