/** The pages as a strip of thumbnails: a list box, in which one moves by keys and goes to a page by Enter. */
import { arrange, html, plural, setAttributes, setText } from '../dom.ts';
import { icon } from '../icons.ts';
import type { PageEntry } from './entries.ts';
import { keyOf, pageName } from './entries.ts';
import { emptyCanvas } from './pictures.ts';
import type { Thumbnails } from './thumbnails.ts';

export interface Strip {
  readonly element: HTMLElement;
  update(entries: readonly PageEntry[]): void;
  /** `keys`: those of `PageCard.key`, as they stand in the list of cards. */
  showCurrent(position: number): void;
  /** Puts the keyboard on the current page. */
  focus(): void;
}

/** CSS px; document.css says the same. */
const WIDTH = 104;
/** So many stay drawn; the ones that were out of view the longest go first. */
const MOST_DRAWN = 120;
const USUAL_ASPECT = 816 / 1056;
/** By how many the page keys move in the list. */
const LEAP = 5;

interface Item {
  readonly element: HTMLElement;
  readonly frame: HTMLElement;
  readonly name: HTMLElement;
  readonly count: HTMLElement;
  entry: PageEntry;
  work: AbortController | null;
  canvas: HTMLCanvasElement | null;
  inView: boolean;
}

function describe({ page, position }: PageEntry): string {
  const cites =
    position === null
      ? 'not cited'
      : page.regions.length === 0
        ? 'cited, no regions'
        : `cited, ${plural(page.regions.length, 'region', 'regions')}`;
  return `Page ${pageName(page)}, ${cites}`;
}

export function createStrip(thumbnails: Thumbnails, onGo: (position: number) => void): Strip {
  const list = html('div', { class: 'thumbs', role: 'listbox', 'aria-label': 'Pages', 'aria-orientation': 'vertical' });
  const element = html('nav', { class: 'strip', 'aria-label': 'Thumbnails', hidden: true }, list);
  let items: Item[] = [];
  let current = 0;
  /** Where the keyboard stands in the list. */
  let active = 0;
  const drawn = new Set<Item>();
  const byElement = new WeakMap<Element, Item>();

  const observer = new IntersectionObserver(
    (changes) => {
      for (const { target, isIntersecting } of changes) {
        const item = byElement.get(target);
        if (item) {
          item.inView = isIntersecting;
          if (isIntersecting) {
            draw(item);
          } else {
            item.work?.abort();
            item.work = null;
          }
        }
      }
    },
    { root: element, rootMargin: '60% 0%' },
  );

  function clear(item: Item): void {
    item.work?.abort();
    item.work = null;
    if (item.canvas !== null) {
      emptyCanvas(item.canvas);
      item.canvas.remove();
      item.canvas = null;
    }
    drawn.delete(item);
  }

  function makeRoom(): void {
    for (const item of [...drawn]) {
      if (drawn.size <= MOST_DRAWN) {
        return;
      }
      if (!item.inView) {
        clear(item);
      }
    }
  }

  function draw(item: Item): void {
    const { source } = item.entry.page;
    if (item.canvas !== null || item.work !== null || source.kind === 'missing') {
      return;
    }
    const work = new AbortController();
    item.work = work;
    thumbnails.draw(source, Math.round(WIDTH * window.devicePixelRatio), work.signal).then(
      (canvas) => {
        item.work = null;
        item.canvas = canvas;
        item.frame.append(canvas);
        item.frame.style.setProperty('aspect-ratio', `${canvas.width} / ${canvas.height}`);
        drawn.add(item);
        makeRoom();
      },
      () => {
        // The page itself tells what is wrong with it.
        if (item.work === work) {
          item.work = null;
          item.element.classList.add('failed');
        }
      },
    );
  }

  function create(entry: PageEntry): Item {
    const frame = html('span', { class: 'thumb-frame' });
    if (entry.page.source.kind === 'missing') {
      frame.append(icon('missing'));
    }
    const name = html('span', { class: 'thumb-name' });
    const count = html('span', { class: 'thumb-count' });
    const option = html(
      'div',
      { class: 'thumb', role: 'option', tabindex: -1 },
      frame,
      html('span', { class: 'thumb-line', 'aria-hidden': 'true' }, name, count),
    );
    const item: Item = { element: option, frame, name, count, entry, work: null, canvas: null, inView: false };
    option.addEventListener('click', () => go(items.indexOf(item)));
    byElement.set(option, item);
    observer.observe(option);
    return item;
  }

  function fill(item: Item, entry: PageEntry): void {
    const { page, position } = entry;
    item.entry = entry;
    setText(item.name, pageName(page));
    setAttributes(item.count, { 'data-count': position === null ? null : page.regions.length });
    item.count.hidden = position === null;
    item.element.classList.toggle('cited', position !== null);
    setAttributes(item.element, { 'aria-label': describe(entry) });
    if (item.canvas === null) {
      item.frame.style.setProperty('aspect-ratio', String(page.aspect ?? USUAL_ASPECT));
    }
  }

  function mark(): void {
    items.forEach(({ element: option }, at) =>
      setAttributes(option, { 'aria-selected': at === current ? 'true' : 'false', tabindex: at === active ? 0 : -1 }),
    );
  }

  function go(position: number): void {
    active = position;
    onGo(position);
    mark();
  }

  function moveTo(position: number): void {
    active = Math.min(items.length - 1, Math.max(0, position));
    mark();
    const option = items[active]?.element;
    option?.focus({ preventScroll: true });
    option?.scrollIntoView({ block: 'nearest' });
  }

  list.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) {
      return;
    }
    const ways: Readonly<Record<string, number>> = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + LEAP,
      PageUp: active - LEAP,
      Home: 0,
      End: items.length - 1,
    };
    const to = ways[event.key];
    if (to !== undefined) {
      moveTo(to);
    } else if (event.key === 'Enter' || event.key === ' ') {
      go(active);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  });

  return {
    element,
    update(entries) {
      const old = new Map<string, Item[]>();
      for (const item of items) {
        const key = keyOf(item.entry.page);
        old.set(key, [...(old.get(key) ?? []), item]);
      }
      items = entries.map((entry) => {
        const item = old.get(keyOf(entry.page))?.shift() ?? create(entry);
        fill(item, entry);
        return item;
      });
      for (const item of [...old.values()].flat()) {
        observer.unobserve(item.element);
        clear(item);
      }
      arrange(
        list,
        items.map((item) => item.element),
      );
      active = Math.min(active, Math.max(0, items.length - 1));
      mark();
    },
    showCurrent(position) {
      if (position !== current) {
        current = position;
        if (!list.contains(document.activeElement)) {
          active = position;
        }
        mark();
        if (!element.hidden) {
          items[position]?.element.scrollIntoView({ block: 'nearest' });
        }
      }
    },
    focus: () => moveTo(current),
  };
}
