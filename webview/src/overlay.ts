/** Regions over a page, as SVG in CSS px. The page below is never redrawn for them. */
import type { EvidenceRegion } from '../../schemas/protocol.ts';
import type { PlaceOnPage } from '../../schemas/regions.ts';
import { arrange, setAttributes, svg } from './dom.ts';
import { worst } from './severity.ts';

export interface Overlay {
  readonly element: SVGSVGElement;
  /** `first`: number of the first region, counted from 1 over the whole record; `page`: as the record writes it. */
  update(regions: readonly EvidenceRegion[], first: number, page: number): void;
  /** Size of the page in CSS px. */
  layout(width: number, height: number): void;
  select(pointers: ReadonlySet<string>): void;
  /** Bounds of a region with its tag, in client coordinates. */
  bounds(pointer: string): DOMRect | null;
  /** The page as the record writes it, and its size in CSS px. */
  page(): number;
  size(): { readonly width: number; readonly height: number };
  /** Where regions are to be shown instead of where the record has them, by pointer; null: nowhere. */
  preview(places: ReadonlyMap<string, PlaceOnPage | null>): void;
  /** Pointer of the smallest region at a point, in client coordinates. */
  hit(point: { readonly clientX: number; readonly clientY: number }): string | null;
  focus(pointer: string): void;
}

const overlays = new WeakMap<Element, Overlay>();

/** The overlay whose element this is. */
export function overlayOf(element: Element | null): Overlay | null {
  return (element && overlays.get(element)) ?? null;
}

interface Drawn {
  readonly group: SVGGElement;
  readonly title: SVGTitleElement;
  readonly casing: SVGRectElement;
  readonly box: SVGRectElement;
  readonly tag: SVGGElement;
  readonly plate: SVGRectElement;
  readonly text: SVGTextElement;
  region: EvidenceRegion;
  /** Where it is shown; null: it is not. */
  shown: PlaceOnPage | null;
  /** The text that the plate is as wide as. */
  measured: string | null;
}

const TAG_HEIGHT = 18;
const TAG_PADDING = 5;
/** A pointer this close to a box, in CSS px, means the box. */
const TOLERANCE = 4;
/** A box that begins left of this fraction of the page has the margin beside it. */
const MARGIN = 0.25;
/** The ring around a box runs this far outside its edge, in CSS px, so that it hides nothing of what the box holds. */
const RING = 2.5;
/** A box needs some extent to be seen and hit. */
const MIN_EXTENT = 2;

const KINDS: Readonly<Record<string, string>> = {
  text: 'text',
  table: 'table',
  image: 'figure',
  figure: 'figure',
  chart: 'figure',
};

function kindOf(label: string | null): string {
  return KINDS[label?.toLowerCase() ?? ''] ?? 'other';
}

/** What a screen reader says and what the tooltip shows; `page` null where the place tells it. */
export function describeRegion(region: EvidenceRegion, number: number, page: number | null): string {
  const parts = [`Region ${number}`, region.label ?? 'no label', page === null ? '' : `page ${page}`, region.text];
  const problems = region.problems.map((problem) => `${problem.severity}: ${problem.message}`);
  return [parts.filter((part) => part !== '').join(', '), ...problems].join('. ');
}

const EMPTY: EvidenceRegion = {
  pointer: '',
  label: null,
  left: 0,
  top: 0,
  width: 0,
  height: 0,
  text: '',
  problems: [],
};

function draw(): Drawn {
  const title = svg('title');
  const casing = svg('rect', { class: 'casing' });
  const box = svg('rect', { class: 'box' });
  const plate = svg('rect', { class: 'plate', height: TAG_HEIGHT });
  const text = svg('text', { x: TAG_PADDING, y: 13 });
  const tag = svg('g', { class: 'tag', 'aria-hidden': 'true' }, plate, text);
  const group = svg('g', { role: 'button', tabindex: 0 }, title, casing, box, tag);
  return { group, title, casing, box, tag, plate, text, region: EMPTY, shown: EMPTY, measured: null };
}

/** Beside a box at the page's margin, where it covers nothing; else above the box; else inside it. */
function tagPlace(
  x: number,
  y: number,
  tagWidth: number,
  page: { width: number; height: number },
): { x: number; y: number } {
  const lowest = page.height - TAG_HEIGHT;
  if (x >= tagWidth + 3 && x < page.width * MARGIN) {
    return { x: x - tagWidth - 3, y: Math.max(0, Math.min(y, lowest)) };
  }
  const inPage = Math.max(0, Math.min(x - 1, page.width - tagWidth));
  return { x: inPage, y: Math.max(0, Math.min(y >= TAG_HEIGHT ? y - TAG_HEIGHT : y, lowest)) };
}

export function createOverlay(onSelect: (pointer: string) => void): Overlay {
  const element = svg('svg', { class: 'overlay', role: 'group', 'aria-label': 'Regions' });
  let drawn: Drawn[] = [];
  let selected: ReadonlySet<string> = new Set();
  let hovered: Drawn | null = null;
  let size = { width: 0, height: 0 };
  let pageNumber = 0;
  let previews: ReadonlyMap<string, PlaceOnPage | null> = new Map();

  function place(item: Drawn): void {
    const { width, height } = size;
    const { shown } = item;
    setAttributes(item.group, { visibility: shown === null ? 'hidden' : null });
    if (shown === null) {
      return;
    }
    const x = shown.left * width;
    const y = shown.top * height;
    const w = Math.max(MIN_EXTENT, shown.width * width);
    const h = Math.max(MIN_EXTENT, shown.height * height);
    setAttributes(item.box, { x, y, width: w, height: h });
    setAttributes(item.casing, { x: x - RING, y: y - RING, width: w + 2 * RING, height: h + 2 * RING });
    const tagWidth = Number(item.plate.getAttribute('width') ?? 0);
    const tag = tagPlace(x, y, tagWidth, size);
    setAttributes(item.tag, { transform: `translate(${tag.x} ${tag.y})` });
  }

  /** Sizes the tags whose text is new. A page that is not laid out yet measures nothing; `layout` comes again then. */
  function measure(): void {
    const fresh = drawn.filter((item) => item.measured !== item.text.textContent);
    // First read all widths, then write: one layout for all tags.
    const widths = fresh.map((item) => item.text.getComputedTextLength());
    fresh.forEach((item, position) => {
      const width = widths[position] ?? 0;
      setAttributes(item.plate, { width: Math.ceil(width + 2 * TAG_PADDING) });
      item.measured = width > 0 ? item.text.textContent : null;
    });
  }

  function mark(item: Drawn): void {
    const { region } = item;
    const isSelected = selected.has(region.pointer);
    const severity = worst(region.problems);
    const classes = [
      'region',
      `kind-${kindOf(region.label)}`,
      severity ? `has-${severity}` : '',
      isSelected ? 'selected' : '',
    ];
    const hover = item === hovered ? 'hovered' : '';
    setAttributes(item.group, {
      class: [...classes, hover].filter((name) => name !== '').join(' '),
      'aria-pressed': isSelected ? 'true' : 'false',
    });
  }

  function shownAt(region: EvidenceRegion): PlaceOnPage | null {
    const preview = previews.get(region.pointer);
    if (preview !== undefined) {
      return preview;
    }
    return region.unplaced === true ? null : region;
  }

  function at(event: MouseEvent): Drawn | null {
    const target = event.target instanceof Element ? event.target.closest('.tag') : null;
    const tagged = target && drawn.find((item) => item.tag === target);
    return tagged ?? smallestAt(event);
  }

  /** The smallest region at a point: boxes inside boxes stay within reach. */
  function smallestAt(event: { readonly clientX: number; readonly clientY: number }): Drawn | null {
    const bounds = element.getBoundingClientRect();
    const x = event.clientX - bounds.left;
    const y = event.clientY - bounds.top;
    let best: Drawn | null = null;
    let bestArea = Infinity;
    for (const item of drawn) {
      if (item.shown === null) {
        continue;
      }
      const { left, top, width, height } = item.shown;
      const inside =
        x >= left * size.width - TOLERANCE &&
        x <= (left + width) * size.width + TOLERANCE &&
        y >= top * size.height - TOLERANCE &&
        y <= (top + height) * size.height + TOLERANCE;
      if (inside && width * height < bestArea) {
        best = item;
        bestArea = width * height;
      }
    }
    return best;
  }

  function hover(item: Drawn | null): void {
    if (item === hovered) {
      return;
    }
    const before = hovered;
    hovered = item;
    for (const changed of [before, item]) {
      if (changed) {
        mark(changed);
      }
    }
  }

  element.addEventListener('pointermove', (event) => {
    // Every box is looked at: not while one is dragged.
    if (event.buttons === 0) {
      hover(at(event));
    }
  });
  element.addEventListener('pointerleave', () => hover(null));
  element.addEventListener('click', (event) => {
    const item = at(event);
    if (item) {
      onSelect(item.region.pointer);
    }
  });
  element.addEventListener('keydown', (event) => {
    // Where one draws, Enter draws.
    if ((event.key !== 'Enter' || document.body.dataset['tool'] === 'draw') && event.key !== ' ') {
      return;
    }
    const item = drawn.find((candidate) => candidate.group === event.target);
    if (item) {
      event.preventDefault();
      onSelect(item.region.pointer);
    }
  });

  const overlay: Overlay = {
    element,
    update(regions, first, page) {
      pageNumber = page;
      drawn.length = Math.min(drawn.length, regions.length);
      hovered = hovered && drawn.includes(hovered) ? hovered : null;
      regions.forEach((region, position) => {
        const item = drawn[position] ?? draw();
        drawn[position] = item;
        const number = first + position;
        item.region = region;
        item.shown = shownAt(region);
        const words = describeRegion(region, number, page);
        const severity = worst(region.problems);
        item.title.textContent = words;
        item.text.textContent = `${severity === null ? '' : '! '}${number} ${region.label ?? ''}`.trimEnd();
        setAttributes(item.group, { 'aria-label': words, 'data-pointer': region.pointer });
        mark(item);
      });
      drawn = drawn.slice(0, regions.length);
      arrange(
        element,
        drawn.map((item) => item.group),
      );
      setAttributes(element, { 'aria-hidden': drawn.length === 0 ? 'true' : null });
      measure();
      drawn.forEach(place);
    },
    layout(width, height) {
      size = { width, height };
      measure();
      drawn.forEach(place);
    },
    select(pointers) {
      selected = pointers;
      drawn.forEach(mark);
    },
    bounds(pointer) {
      return drawn.find((item) => item.region.pointer === pointer)?.group.getBoundingClientRect() ?? null;
    },
    page: () => pageNumber,
    size: () => size,
    preview(places) {
      previews = places;
      for (const item of drawn) {
        const shown = shownAt(item.region);
        if (shown !== item.shown) {
          item.shown = shown;
          place(item);
        }
      }
    },
    hit: (point) => smallestAt(point)?.region.pointer ?? null,
    focus(pointer) {
      drawn.find((item) => item.region.pointer === pointer)?.group.focus({ preventScroll: true });
    },
  };
  overlays.set(element, overlay);
  return overlay;
}
