/** The cited pages, one card under the other. Cards outlive edits: a page is drawn again only when it is another page. */
import type { ShownEvidence, ShownPage } from '../../schemas/page.ts';
import type { EvidenceNumber } from '../../schemas/protocol.ts';
import { arrange, html, plural, setAttributes, setText } from './dom.ts';
import type { Crops } from './crops.ts';
import { createCrops } from './crops.ts';
import { icon } from './icons.ts';
import type { NumberLayer } from './number-layer.ts';
import { createNumberLayer } from './number-layer.ts';
import type { Overlay } from './overlay.ts';
import { createOverlay, describeRegion } from './overlay.ts';
import type { Surface, SurfaceServices } from './surface.ts';
import { createSurface, usualWidth } from './surface.ts';
import type { Zoom } from './zoom.ts';

export interface PageCard {
  /** Same source, same key, over edits and records. */
  readonly key: string;
  readonly element: HTMLElement;
  readonly page: ShownPage;
  /** What may stand at the top edge while reading. */
  landmarks(): readonly Element[];
}

export interface PageSection {
  readonly element: HTMLElement;
  cards(): readonly PageCard[];
  /** `cropped`: of pages with regions nothing but these. */
  update(evidence: ShownEvidence | null, cropped?: boolean): void;
  /** `room`: width for a page in CSS px. */
  layout(zoom: Zoom, room: number): void;
  /** What `zoom` comes to on a card: shown width ÷ width at 100 %. */
  factor(card: PageCard, zoom: Zoom, room: number): number;
  select(pointers: ReadonlySet<string>): void;
  bounds(pointer: string): DOMRect | null;
}

export interface PageActions {
  select(pointer: string): void;
  /** A number on a page was chosen. */
  selectNumber(number: EvidenceNumber): void;
  openDocument(page: number): void;
}

interface Card extends PageCard {
  page: ShownPage;
  update(page: ShownPage, document: string | null, first: number, cropped: boolean): void;
  layout(zoom: Zoom, room: number): void;
  factor(zoom: Zoom, room: number): number;
  bounds(pointer: string): DOMRect | null;
  /** Near the view: its pictures are drawn, and let go when it is far. */
  load(): void;
  release(): void;
  select(pointers: ReadonlySet<string>): void;
  readonly overlay: Overlay | null;
  readonly numbers: NumberLayer | null;
}

function keyOf(page: ShownPage): string {
  const { kind, url = '', pageIndex = 0, message = '' } = page.source;
  return kind === 'missing' ? `missing ${page.number} ${message}` : `${kind} ${url}#${pageIndex}`;
}

function markChip(chip: HTMLElement, selected: ReadonlySet<string>): void {
  const on = selected.has(chip.dataset['pointer'] ?? '');
  chip.classList.toggle('selected', on);
  setAttributes(chip, { 'aria-pressed': on ? 'true' : 'false' });
}

/** Regions of a page that cannot be shown stay within reach as a list. */
function regionList(
  page: ShownPage,
  first: number,
  selected: ReadonlySet<string>,
  onSelect: (pointer: string) => void,
): HTMLElement[] {
  return page.regions.map((region, position) => {
    const words = describeRegion(region, first + position, null);
    const item = html('button', { type: 'button', class: 'chip', 'data-pointer': region.pointer }, words);
    item.addEventListener('click', () => onSelect(region.pointer));
    markChip(item, selected);
    return item;
  });
}

function createCard(key: string, initial: ShownPage, actions: PageActions, services: SurfaceServices): Card {
  const { kind, message } = initial.source;
  const title = html('h3', {});
  const source = html('span', { class: 'dim document' });
  const count = html('span', { class: 'dim' });
  const open = html('button', { type: 'button', class: 'tool' }, icon('open'));
  open.addEventListener('click', () => actions.openDocument(card.page.number));
  const head = html('div', { class: 'page-head' }, title, source, count, open);
  const body = html('div', { class: 'page-body' });
  const element = html('article', { class: `page page-${kind}` }, head, body);

  const chips = html('div', { class: 'chips', hidden: kind !== 'missing' });
  const surface =
    kind === 'missing'
      ? null
      : createSurface(initial.source, `Page ${initial.number}`, services, (failed) => {
          chips.hidden = !failed;
          fillChips();
        });
  const overlay = surface === null ? null : createOverlay(actions.select);
  const numbers = surface === null ? null : createNumberLayer(actions.selectNumber);
  let crops: Crops | null = null;
  /** It is near the view. */
  let near = false;
  if (surface !== null && overlay !== null && numbers !== null) {
    surface.element.append(overlay.element, numbers.element);
    body.append(surface.element, chips);
  } else {
    const words = message === undefined || message === '' ? 'This page was not found.' : message;
    body.append(html('div', { class: 'missing' }, html('p', {}, icon('missing'), words), chips));
  }
  let first = 1;
  let selected: ReadonlySet<string> = new Set();

  function fillChips(): void {
    chips.replaceChildren(...(chips.hidden ? [] : regionList(card.page, first, selected, actions.select)));
  }

  const shown = (): readonly Surface[] => crops?.surfaces() ?? (surface === null ? [] : [surface]);

  /** Shows the regions alone, or the whole page again. */
  function crop(cropped: boolean): void {
    if (cropped === (crops !== null) || surface === null) {
      return;
    }
    for (const one of shown()) {
      one.release();
    }
    crops?.element.remove();
    crops = cropped ? createCrops(card.page.source, services, actions.select) : null;
    element.classList.toggle('cropped', cropped);
    surface.element.hidden = cropped;
    chips.hidden = true;
    if (crops !== null) {
      body.append(crops.element);
      crops.select(selected);
    }
  }

  /** CSS px of the whole page. */
  function widthOf(zoom: Zoom, room: number): number {
    if (zoom !== 'fit') {
      return naturalWidth() * zoom;
    }
    return crops === null ? room : crops.fitted(room);
  }

  function naturalWidth(): number {
    return (crops === null ? surface?.natural()?.width : crops.naturalWidth()) ?? usualWidth();
  }

  const card: Card = {
    key,
    element,
    page: initial,
    landmarks: () => (crops === null ? [surface?.element ?? element] : [...crops.element.children]),
    overlay,
    numbers,
    update(page, document, firstRegion, cropped) {
      card.page = page;
      crop(cropped && page.regions.length > 0);
      first = firstRegion;
      setText(title, `Page ${page.number}`);
      setText(source, document ?? '');
      setText(count, page.regions.length === 0 ? 'no regions' : plural(page.regions.length, 'region', 'regions'));
      setAttributes(element, { 'aria-label': `Page ${page.number}`, 'data-pointer': page.pointer });
      setAttributes(open, { 'aria-label': `Open the document of page ${page.number}`, title: 'Open the document' });
      open.hidden = kind === 'missing';
      surface?.assume(page.aspect);
      overlay?.update(page.regions, first, page.number);
      crops?.update(page, first);
      if (near) {
        card.load();
      }
      fillChips();
    },
    layout(zoom, room) {
      const width = widthOf(zoom, room);
      crops?.layout(width);
      if (crops === null && surface !== null && overlay !== null) {
        const size = surface.layout(width);
        overlay.layout(size.width, size.height);
        numbers?.layout(size.width, size.height);
      }
    },
    select(pointers) {
      selected = pointers;
      overlay?.select(pointers);
      crops?.select(pointers);
      const isSelected = pointers.has(card.page.pointer);
      element.classList.toggle('selected', isSelected);
      setAttributes(element, { 'aria-current': isSelected ? 'true' : null });
      for (const chip of chips.querySelectorAll<HTMLElement>('.chip')) {
        markChip(chip, pointers);
      }
    },
    factor: (zoom, room) => widthOf(zoom, room) / naturalWidth(),
    bounds: (pointer) => (crops === null ? overlay?.bounds(pointer) : crops.bounds(pointer)) ?? null,
    load() {
      near = true;
      for (const one of shown()) {
        one.load();
      }
    },
    release() {
      near = false;
      for (const one of shown()) {
        one.release();
      }
    },
  };
  return card;
}

export function createPageSection(scroller: HTMLElement, actions: PageActions, services: SurfaceServices): PageSection {
  const list = html('div', { class: 'page-list' });
  const element = html(
    'section',
    { class: 'pages', 'aria-label': 'Cited pages' },
    html('h2', { class: 'sr-only' }, 'Cited pages'),
    list,
  );
  let cards: Card[] = [];
  let selected: ReadonlySet<string> = new Set();

  const byElement = new WeakMap<Element, Card>();
  const cardOf = (entry: IntersectionObserverEntry): Card | undefined => byElement.get(entry.target);
  const near = new IntersectionObserver(
    (entries) => entries.filter((entry) => entry.isIntersecting).forEach((entry) => cardOf(entry)?.load()),
    { root: scroller, rootMargin: '100% 100%' },
  );
  const far = new IntersectionObserver(
    (entries) => entries.filter((entry) => !entry.isIntersecting).forEach((entry) => cardOf(entry)?.release()),
    { root: scroller, rootMargin: '300% 300%' },
  );

  function watch(card: Card): void {
    byElement.set(card.element, card);
    near.observe(card.element);
    far.observe(card.element);
  }

  function drop(card: Card): void {
    near.unobserve(card.element);
    far.unobserve(card.element);
    card.release();
  }

  return {
    element,
    cards: () => cards,
    update(evidence, cropped = false) {
      const old = new Map(cards.map((card) => [card.key, card]));
      const seen = new Map<string, number>();
      const fresh: Card[] = [];
      cards = (evidence?.pages ?? []).map((page) => {
        const plain = keyOf(page);
        const times = seen.get(plain) ?? 0;
        seen.set(plain, times + 1);
        const key = times === 0 ? plain : `${plain} (${times + 1})`;
        const kept = old.get(key);
        old.delete(key);
        if (kept) {
          return kept;
        }
        const card = createCard(key, page, actions, services);
        fresh.push(card);
        return card;
      });
      old.forEach(drop);
      arrange(
        list,
        cards.map((card) => card.element),
      );
      let first = 1;
      cards.forEach((card, position) => {
        const page = evidence?.pages[position] ?? card.page;
        card.update(page, evidence?.document ?? null, first, cropped);
        card.numbers?.update(evidence?.trace?.numbers ?? [], position);
        card.select(selected);
        first += page.regions.length;
      });
      element.hidden = cards.length === 0;
      services.engine.keep(new Set(cards.map((card) => card.page.source.url ?? '')));
      fresh.forEach(watch);
    },
    layout(zoom, room) {
      for (const card of cards) {
        card.layout(zoom, room);
      }
    },
    factor: (card, zoom, room) => cards.find((one) => one === card)?.factor(zoom, room) ?? 1,
    select(pointers) {
      selected = pointers;
      cards.forEach((card) => card.select(pointers));
    },
    bounds(pointer) {
      for (const card of cards) {
        const found = card.page.pointer === pointer ? card.element.getBoundingClientRect() : card.bounds(pointer);
        if (found) {
          return found;
        }
      }
      return null;
    },
  };
}
