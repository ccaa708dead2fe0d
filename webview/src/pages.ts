/** The cited pages, or all of the document, one card under the other or one at a time. Cards outlive edits: a page is drawn again only when it is another page. */
import type { ShownEvidence, ShownPage } from '../../schemas/page.ts';
import type { EvidenceNumber } from '../../schemas/protocol.ts';
import { arrange, html, plural, setAttributes, setText } from './dom.ts';
import type { Crops } from './crops.ts';
import { createCrops } from './crops.ts';
import type { Cropping } from './cropping.ts';
import type { PageEntry } from './document/entries.ts';
import { citedEntries, keyOf, pageName } from './document/entries.ts';
import { icon } from './icons.ts';
import type { NumberLayer } from './number-layer.ts';
import { createNumberLayer } from './number-layer.ts';
import type { Overlay } from './overlay.ts';
import { createOverlay, describeRegion } from './overlay.ts';
import type { LaidText } from './pdf.ts';
import type { Surface, SurfaceServices } from './surface.ts';
import { createSurface, usualWidth } from './surface.ts';
import { toolButton } from './tool-button.ts';
import type { Zoom } from './zoom.ts';

export interface PageCard {
  /** Same source, same key, over edits and records. */
  readonly key: string;
  readonly element: HTMLElement;
  readonly page: ShownPage;
  /** The record cites it. */
  readonly cited: boolean;
  /** The text laid over it, where it is a PDF page that is drawn. */
  text(): LaidText | null;
  /** What may stand at the top edge while reading. */
  landmarks(): readonly Element[];
}

export interface PageSection {
  readonly element: HTMLElement;
  /** Those that are on show: all, or one where one is shown at a time. */
  cards(): readonly PageCard[];
  allCards(): readonly PageCard[];
  /** `cropped`: of pages with regions nothing but these. `entries`: the pages, where they are not just the cited ones. */
  update(evidence: ShownEvidence | null, cropped?: boolean, entries?: readonly PageEntry[]): void;
  /** Shows this page alone; null: all, one under the other. */
  showAlone(key: string | null): void;
  /** Where one page is shown at a time: turns to the one before or behind. Returns whether it did. */
  turn(step: 1 | -1): boolean;
  /** `room`: width for a page in CSS px. */
  layout(zoom: Zoom, room: number): void;
  /** What `zoom` comes to on a card: shown width ÷ width at 100 %. */
  factor(card: PageCard, zoom: Zoom, room: number): number;
  select(pointers: ReadonlySet<string>): void;
  /** In client coordinates. Where one page is shown at a time, it turns to the page. */
  bounds(pointer: string): DOMRect | null;
}

export interface PageActions {
  select(pointer: string): void;
  /** A number on a page was chosen. */
  selectNumber(number: EvidenceNumber, at: number): void;
  openDocument(page: number): void;
  /** The record is to cite a page that it does not cite. */
  citePage(page: number): void;
  /** Another page is shown alone. */
  turned(): void;
  readonly cropping: Pick<Cropping, 'copy' | 'save'>;
}

interface Card extends PageCard {
  page: ShownPage;
  cited: boolean;
  update(entry: PageEntry, document: string | null, cropped: boolean): void;
  layout(zoom: Zoom, room: number): void;
  factor(zoom: Zoom, room: number): number;
  bounds(pointer: string): DOMRect | null;
  /** Near the view: its pictures are drawn, and let go when it is far. */
  load(isSeen?: boolean): void;
  release(): void;
  select(pointers: ReadonlySet<string>): void;
  readonly overlay: Overlay | null;
  readonly numbers: NumberLayer | null;
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

function countOf({ regions }: ShownPage, isCited: boolean): string {
  if (!isCited) {
    return 'not cited';
  }
  return regions.length === 0 ? 'no regions' : plural(regions.length, 'region', 'regions');
}

function createCard(key: string, initial: ShownPage, actions: PageActions, services: SurfaceServices): Card {
  const { kind, message } = initial.source;
  const title = html('h3', {});
  const source = html('span', { class: 'dim document' });
  const count = html('span', { class: 'dim' });
  const open = html('button', { type: 'button', class: 'tool' }, icon('open'));
  open.addEventListener('click', () => actions.openDocument(card.page.number));
  const cite = html('button', { type: 'button', class: 'action cite-page', hidden: true }, 'Cite this page');
  cite.addEventListener('click', () => actions.citePage(card.page.number));
  const wholePage = (how: 'copy' | 'save') => (): void =>
    actions.cropping[how]({ page: card.page.number, place: null, number: null, label: null });
  const copy = toolButton('Copy the page as a picture', '', 'crop', wholePage('copy'));
  const save = toolButton('Save the page as a picture…', '', 'save', wholePage('save'));
  const tools = html('span', { class: 'page-tools' }, ...(kind === 'missing' ? [] : [copy, save]), open);
  const head = html('div', { class: 'page-head' }, title, source, count, cite, tools);
  const body = html('div', { class: 'page-body' });
  const element = html('article', { class: `page page-${kind}` }, head, body);

  const chips = html('div', { class: 'chips', hidden: kind !== 'missing' });
  const surface =
    kind === 'missing'
      ? null
      : createSurface(initial.source, `Page ${pageName(initial)}`, services, (failed) => {
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
    crops = cropped ? createCrops(card.page.source, services, actions.select, actions.cropping) : null;
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
    cited: true,
    text: () => (crops === null ? (surface?.text() ?? null) : null),
    landmarks: () => (crops === null ? [surface?.element ?? element] : [...crops.element.children]),
    overlay,
    numbers,
    update({ page, first: firstRegion, position }, document, cropped) {
      card.page = page;
      card.cited = position !== null;
      crop(cropped && page.regions.length > 0);
      first = firstRegion;
      const name = `Page ${pageName(page)}`;
      setText(title, name);
      setText(source, document ?? '');
      setText(count, countOf(page, card.cited));
      cite.hidden = card.cited;
      element.classList.toggle('uncited', !card.cited);
      setAttributes(element, { 'aria-label': name, 'data-pointer': page.pointer === '' ? null : page.pointer });
      setAttributes(cite, { 'aria-label': `Cite this page (page ${page.number})` });
      setAttributes(copy, { 'aria-label': `Copy page ${page.number} as a picture` });
      setAttributes(save, { 'aria-label': `Save page ${page.number} as a picture…` });
      setAttributes(open, { 'aria-label': `Open the document of page ${page.number}`, title: 'Open the document' });
      open.hidden = kind === 'missing' || !card.cited;
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
      const isSelected = card.cited && pointers.has(card.page.pointer);
      element.classList.toggle('selected', isSelected);
      setAttributes(element, { 'aria-current': isSelected ? 'true' : null });
      for (const chip of chips.querySelectorAll<HTMLElement>('.chip')) {
        markChip(chip, pointers);
      }
    },
    factor: (zoom, room) => widthOf(zoom, room) / naturalWidth(),
    bounds: (pointer) => (crops === null ? overlay?.bounds(pointer) : crops.bounds(pointer)) ?? null,
    load(isSeen) {
      near = true;
      for (const one of shown()) {
        one.load(isSeen);
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
  const heading = html('h2', { class: 'sr-only' });
  const element = html('section', { class: 'pages' }, heading, list);
  let cards: Card[] = [];
  /** The card that is shown alone. */
  let alone: Card | null = null;
  let isAlone = false;
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

  /** What gave way to others while it was only near is drawn again when it is seen. */
  const seen = new IntersectionObserver(
    (entries) => entries.filter((entry) => entry.isIntersecting).forEach((entry) => cardOf(entry)?.load(true)),
    { root: scroller },
  );
  const observers = [near, far, seen];

  function watch(card: Card): void {
    byElement.set(card.element, card);
    observers.forEach((observer) => observer.observe(card.element));
  }

  function turnTo(card: Card | null): void {
    alone = isAlone ? card : null;
    keepingFocus(() => {
      for (const one of cards) {
        one.element.hidden = isAlone && one !== alone;
      }
    });
  }

  /** The focus of a page that goes away stays with the pages. */
  function keepingFocus(change: () => void): void {
    const focused = document.activeElement;
    const isInside = focused !== null && list.contains(focused);
    change();
    if (isInside && !focused.checkVisibility()) {
      scroller.focus({ preventScroll: true });
    }
  }

  function drop(card: Card): void {
    observers.forEach((observer) => observer.unobserve(card.element));
    card.release();
  }

  return {
    element,
    cards: () => (isAlone ? cards.filter((card) => card === alone) : cards),
    allCards: () => cards,
    update(evidence, cropped = false, entries = citedEntries(evidence?.pages ?? [])) {
      const old = new Map(cards.map((card) => [card.key, card]));
      const seen = new Map<string, number>();
      const fresh: Card[] = [];
      cards = entries.map(({ page }) => {
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
      keepingFocus(() =>
        arrange(
          list,
          cards.map((card) => card.element),
        ),
      );
      entries.forEach((entry, at) => {
        const card = cards[at];
        card?.update(entry, evidence?.document ?? null, cropped);
        card?.numbers?.update(evidence?.trace?.numbers ?? [], entry.position ?? -1);
        card?.select(selected);
      });
      const words = entries.some(({ position }) => position === null) ? 'Pages of the document' : 'Cited pages';
      setText(heading, words);
      setAttributes(element, { 'aria-label': words });
      element.hidden = cards.length === 0;
      turnTo(alone !== null && cards.includes(alone) ? alone : (cards.find(({ cited }) => cited) ?? cards[0] ?? null));
      fresh.forEach(watch);
    },
    showAlone(key) {
      isAlone = key !== null;
      turnTo(cards.find((card) => card.key === key) ?? cards[0] ?? null);
    },
    turn(step) {
      const next = alone === null ? undefined : cards[cards.indexOf(alone) + step];
      if (next === undefined) {
        return false;
      }
      turnTo(next);
      actions.turned();
      return true;
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
      const isThere = ({ cited, page }: Card): boolean =>
        cited && (page.pointer === pointer || page.regions.some((region) => region.pointer === pointer));
      const card = cards.find(isThere);
      if (card === undefined) {
        return null;
      }
      if (card.element.hidden) {
        turnTo(card);
        actions.turned();
      }
      return card.page.pointer === pointer ? card.element.getBoundingClientRect() : card.bounds(pointer);
    },
  };
}
