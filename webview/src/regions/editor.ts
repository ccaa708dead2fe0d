/** Regions drawn and corrected on the page: what is worked on, by which tool, and what each control does. */
import type { ShownEvidence, ShownPage } from '../../../schemas/page.ts';
import type { FitRegionParams, PlaceOnPage } from '../../../schemas/regions.ts';
import { setAttributes, svg } from '../dom.ts';
import type { Host, ViewState } from '../host.ts';
import type { Disclosure } from '../judging.ts';
import type { Overlay } from '../overlay.ts';
import { overlayOf } from '../overlay.ts';
import { sameRecord } from '../same-record.ts';
import type { ToolState } from '../tool.ts';
import type { RegionChanges } from './changes.ts';
import { createRegionChanges } from './changes.ts';
import type { Grip } from './frame.ts';
import { createFrame } from './frame.ts';
import type { Handle, Point } from './geometry.ts';
import { between, inMiddle, isPlace, moved, resized, sizeInWords, stepOf } from './geometry.ts';
import type { Drag } from './gestures.ts';
import { listenForGestures, seenOf } from './gestures.ts';
import type { Item } from './items.ts';

export interface RegionEditorParts {
  readonly host: Pick<Host, 'ask' | 'post'>;
  /** Holds the pages, and what scrolls it. */
  readonly pages: HTMLElement;
  readonly scroller: HTMLElement;
  readonly tool: ToolState;
  /** Marks a place, brings it into view where it is not, and lets the text editor select it. */
  choose(pointer: string): void;
  announce(words: string): void;
  /** As it was left. */
  readonly kept: ViewState['regions'];
  /** Something changed that is worth keeping. */
  save(): void;
}

export interface RegionEditor {
  readonly changes: RegionChanges;
  /** A part of the page's sections; comes after the pages. */
  update(evidence: ShownEvidence, disclosure: Disclosure): void;
  empty(): void;
  /** What is marked now. */
  select(pointers: ReadonlySet<string>): void;
  /** Regions can be changed: there are pages, and everything is shown. */
  enabled(): boolean;
  selected(): Item | null;
  choose(item: Item): void;
  snap(): boolean;
  toggleSnap(): void;
  /** The label of the next region that is drawn. */
  label(): string | null;
  setLabel(label: string | null): void;
  tool(): ToolState;
  /** A region of an everyday size in the middle of what is seen, or of the page `number`. */
  addInMiddle(number?: number): void;
  /** Puts a region there, as it is. */
  add(page: number, place: PlaceOnPage, label: string | null): void;
  nudge(by: Point): void;
  /** Moves edges: `e` and `s`, or `w` and `n`. */
  nudgeEdge(handle: Handle, by: Point): void;
  fit(how: FitRegionParams['how']): void;
  remove(): void;
  duplicate(): void;
  /** One place up or down among the regions of its page. */
  reorder(step: 1 | -1): void;
  relabel(item: Item, label: string | null): void;
  undo(redo: boolean): void;
  /** Takes back what is under way: a drag, or the tool. Whether there was something. */
  escape(): boolean;
  /** The overlay of the page at hand. */
  overlayAtHand(): Overlay | null;
  /** Called after anything that controls show has changed. */
  watch(changed: () => void): void;
  /** Called with what went wrong as a sentence; null: all is well again. */
  watchProblems(told: (message: string | null) => void): void;
}

/** How far a copy lies from its region, in hundredths of the page, and in steps at least. */
const COPY = 0.02;

function commonest(evidence: ShownEvidence): string | null {
  const counts = new Map<string, number>();
  for (const { label } of evidence.pages.flatMap((page) => page.regions)) {
    if (label !== null) {
      counts.set(label, (counts.get(label) ?? 0) + 1);
    }
  }
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? null;
}

export function createRegionEditor(parts: RegionEditorParts): RegionEditor {
  const { host, pages, scroller, tool, announce } = parts;
  const frame = createFrame();
  const watchers: (() => void)[] = [];
  const problemWatchers: ((message: string | null) => void)[] = [];
  let enabled = false;
  let selectedId: number | null = null;
  let snap = parts.kept?.snap ?? true;
  let label: string | null = null;
  /** Pointer of the region that is dragged: the frame shows it instead. */
  let dragged: number | null = null;
  let draftRects: SVGSVGElement[] = [];
  let wantsFocus = false;

  const changes = createRegionChanges(host, {
    shown: refresh,
    turned: () => watchers.forEach((changed) => changed()),
    made(pointer, words, fresh, gone) {
      announce(words);
      const next = pointer ?? (gone === null ? null : neighbour(gone));
      if (next !== null && (fresh || changes.items.byPointer(next)?.id !== selectedId)) {
        parts.choose(next);
      }
      giveFocus(next);
      refresh();
    },
    problem(message) {
      if (message !== null) {
        // What was on its way out of the record is shown again.
        giveFocus(null);
      }
      problemWatchers.forEach((told) => told(message));
    },
    said: announce,
  });
  const { items } = changes;

  /**
   * The focus goes to a region, where it was on the pages before the change; `null`: where it was on what is gone, to the region that is
   * chosen, else to the pages. Whoever has gone elsewhere meanwhile stays there.
   */
  function giveFocus(next: string | null): void {
    const { activeElement } = document;
    const isNowhere = activeElement === null || activeElement === document.body;
    const isOnPages = pages.contains(activeElement) || activeElement === scroller;
    if (!wantsFocus || !(isNowhere || (next !== null && isOnPages))) {
      return;
    }
    const pointer = next ?? selected()?.region.pointer ?? null;
    const overlay = pointer === null ? null : overlayWith(pointer);
    if (pointer === null || overlay === null) {
      scroller.focus({ preventScroll: true });
    } else {
      overlay.focus(pointer);
    }
  }

  /** Pointer of what now stands where a region stood, or before it. */
  function neighbour(gone: Item): string | null {
    const left = items.all().filter((item) => item.page.number === gone.page.number);
    return (left[gone.position] ?? left.at(-1))?.region.pointer ?? null;
  }

  const overlays = (): Overlay[] =>
    [...pages.querySelectorAll('.overlay')].flatMap((element) => overlayOf(element) ?? []);

  function overlayWith(pointer: string): Overlay | null {
    const region = pages.querySelector(`.overlay [data-pointer="${CSS.escape(pointer)}"]`);
    return overlayOf(region?.closest('.overlay') ?? null);
  }

  const selected = (): Item | null => (selectedId === null ? null : items.byId(selectedId));
  const pageOf = (overlay: Overlay): ShownPage | null =>
    changes.evidence()?.pages.find((page) => page.number === overlay.page()) ?? null;

  function showFrame(): void {
    const item = selected();
    const place = item === null ? null : changes.placeOf(item);
    const overlay = item === null ? null : overlayWith(item.region.pointer);
    if (enabled && tool.current() !== 'text' && place !== null && isPlace(place) && overlay !== null) {
      frame.show(overlay, place);
    } else {
      frame.hide();
    }
  }

  /** Regions that are on their way into the record. */
  function showDrafts(): void {
    for (const rect of draftRects) {
      rect.remove();
    }
    draftRects = changes.drafts().flatMap(({ page, place }) => {
      const overlay = overlays().find((one) => one.page() === page);
      if (overlay === undefined) {
        return [];
      }
      const { width, height } = overlay.size();
      const rect = svg('rect', { x: place.left * width, y: place.top * height });
      setAttributes(rect, { width: place.width * width, height: place.height * height });
      const draft = svg('svg', { class: 'region-draft', 'aria-hidden': 'true' }, rect);
      overlay.element.after(draft);
      return [draft];
    });
  }

  function refresh(): void {
    const previews = new Map(changes.previews());
    const item = dragged === null ? null : items.byId(dragged);
    if (item !== null) {
      previews.set(item.region.pointer, null);
    }
    for (const overlay of overlays()) {
      overlay.preview(previews);
    }
    showDrafts();
    if (!gestures.active()) {
      showFrame();
    }
    watchers.forEach((changed) => changed());
  }

  function words(overlay: Overlay, place: PlaceOnPage): string {
    return sizeInWords(place, pageOf(overlay)?.units, changes.evidence()?.coordinates?.unit ?? '');
  }

  /** A drag of the frame: `shape` says where the region is by then. */
  function dragOf(shape: (by: Point, start: PlaceOnPage, item: Item) => PlaceOnPage): Drag | null {
    const item = selected();
    const start = item === null ? null : changes.placeOf(item);
    const overlay = frame.overlay();
    if (item === null || start === null || overlay === null) {
      return null;
    }
    const { id } = item;
    let place = start;
    changes.flush();
    dragged = id;
    refresh();
    const over = (): void => {
      dragged = null;
      frame.drag(null);
    };
    return {
      step(from, at) {
        place = shape({ x: at.x - from.x, y: at.y - from.y }, start, item);
        frame.show(overlay, place);
        frame.drag(words(overlay, place));
      },
      end({ inverted }) {
        over();
        const now = items.byId(id);
        if (now !== null) {
          wantsFocus = true;
          changes.place(now, place, snap !== inverted);
        }
        refresh();
        if (now !== null) {
          // It takes no focus before it is shown again.
          overlayWith(now.region.pointer)?.focus(now.region.pointer);
        }
      },
      cancel() {
        over();
        refresh();
      },
    };
  }

  function drawOn(overlay: Overlay): Drag | null {
    const units = pageOf(overlay)?.units;
    let place: PlaceOnPage | null = null;
    changes.flush();
    frame.element.classList.add('drawing');
    const over = (): void => {
      frame.element.classList.remove('drawing');
      frame.drag(null);
    };
    return {
      step(from, at) {
        place = between(from, at, units);
        frame.show(overlay, place);
        frame.drag(words(overlay, place));
      },
      end({ inverted, again }) {
        over();
        if (place !== null) {
          wantsFocus = true;
          changes.add(overlay.page(), place, label, snap !== inverted);
        }
        if (!again) {
          tool.choose('select');
        }
        refresh();
      },
      cancel() {
        over();
        refresh();
      },
    };
  }

  const gestures = listenForGestures(pages, scroller, frame, {
    enabled: () => enabled && tool.current() !== 'text',
    drawing: () => tool.current() === 'draw',
    grip(grip: Grip) {
      return dragOf((by, start, { page }) =>
        grip === 'move' ? moved(start, by, page.units) : resized(start, grip, by, page.units),
      );
    },
    draw: drawOn,
    click(overlay, point) {
      const pointer = overlay.hit(point);
      if (pointer !== null) {
        parts.choose(pointer);
        overlay.focus(pointer);
      }
    },
  });

  // The frame lies over the page in px.
  const sizes = new ResizeObserver(() => {
    if (!gestures.active()) {
      showFrame();
    }
    showDrafts();
  });
  function watchSizes(): void {
    sizes.disconnect();
    for (const overlay of overlays()) {
      sizes.observe(overlay.element);
    }
  }

  tool.watch(() => {
    gestures.cancel();
    if (tool.current() === 'draw' && !enabled) {
      tool.choose('select');
    }
    refresh();
  });
  // A click on a region gives its group the focus; the keys that follow are for it.
  pages.addEventListener('click', (event) => {
    const overlay = overlayOf(event.target instanceof Element ? event.target.closest('.overlay') : null);
    const pointer = overlay?.hit(event) ?? null;
    if (pointer !== null) {
      overlay?.focus(pointer);
    }
  });
  window.addEventListener('blur', () => changes.flush());
  document.addEventListener('visibilitychange', () => changes.flush());

  function withSelected(act: (item: Item, place: PlaceOnPage) => void): void {
    const item = selected();
    const place = item === null ? null : changes.placeOf(item);
    if (enabled && item !== null && place !== null) {
      wantsFocus = pages.contains(document.activeElement);
      act(item, place);
    }
  }

  function overlayAtHand(): Overlay | null {
    const item = selected();
    const own = item === null ? null : overlayWith(item.region.pointer);
    const seen = (overlay: Overlay): number => {
      const { width, height } = seenOf(overlay, scroller);
      return Math.max(0, width) * Math.max(0, height) * overlay.size().height;
    };
    if (own !== null && seen(own) > 0) {
      return own;
    }
    return (
      overlays()
        .filter((overlay) => seen(overlay) > 0)
        .sort((a, b) => seen(b) - seen(a))[0] ?? null
    );
  }

  function showRecord(evidence: ShownEvidence | null, same: boolean): void {
    if (!same) {
      gestures.cancel();
      selectedId = null;
      wantsFocus = false;
      label = null;
      problemWatchers.forEach((told) => told(null));
    }
    changes.update(evidence, same);
    if (evidence !== null) {
      label ??= commonest(evidence) ?? evidence.labels?.[0] ?? null;
    }
    if (dragged !== null && items.byId(dragged) === null) {
      gestures.cancel();
    }
    if (!enabled) {
      gestures.cancel();
      if (tool.current() === 'draw') {
        tool.choose('select');
      }
    }
    watchSizes();
    refresh();
  }

  return {
    changes,
    update(evidence, disclosure) {
      const same = sameRecord(changes.evidence(), evidence);
      enabled = disclosure === 'all' && evidence.pages.length > 0;
      showRecord(evidence, same);
    },
    empty() {
      enabled = false;
      showRecord(null, false);
    },
    select(pointers) {
      const found = [...pointers].flatMap((pointer) => items.byPointer(pointer) ?? []);
      const id = found.length === 1 ? (found[0]?.id ?? null) : null;
      if (id !== selectedId) {
        changes.flush();
        selectedId = id;
      }
      refresh();
    },
    enabled: () => enabled,
    selected,
    choose: (item) => parts.choose(item.region.pointer),
    snap: () => snap,
    toggleSnap() {
      snap = !snap;
      announce(snap ? 'Edges snap to what is on the page' : 'Edges stay where they are put');
      parts.save();
      refresh();
    },
    label: () => label,
    setLabel(next) {
      label = next;
      refresh();
    },
    tool: () => tool,
    addInMiddle(number) {
      const overlay =
        number === undefined ? overlayAtHand() : (overlays().find((one) => one.page() === number) ?? null);
      const page = number ?? overlay?.page();
      if (!enabled || page === undefined) {
        return;
      }
      const seen = overlay === null ? null : seenOf(overlay, scroller);
      const whole = { left: 0, top: 0, width: 1, height: 1 };
      wantsFocus = number === undefined;
      const inView = seen !== null && seen.width > 0 && seen.height > 0 ? seen : whole;
      changes.add(page, inMiddle(inView, overlay === null ? null : pageOf(overlay)?.units), label, false);
      tool.choose('select');
    },
    add(page, place, newLabel) {
      wantsFocus = false;
      changes.add(page, place, newLabel ?? label, false);
    },
    nudge: (by) => withSelected((item, place) => changes.nudge(item, moved(place, by, item.page.units))),
    nudgeEdge: (handle, by) =>
      withSelected((item, place) => changes.nudge(item, resized(place, handle, by, item.page.units))),
    fit: (how) => withSelected((item) => changes.fit(item, how)),
    remove: () => withSelected((item) => changes.remove(item)),
    duplicate() {
      withSelected((item, place) => {
        const step = stepOf(item.page.units);
        const away = (start: number, extent: number, size: number): number => {
          const by = Math.max(size, Math.round(COPY / size) * size);
          return start + extent + by <= 1 ? by : -by;
        };
        const by = { left: away(place.left, place.width, step.x), top: away(place.top, place.height, step.y) };
        changes.change(item, ({ region }) => ({ kind: 'duplicate', pointer: region.pointer, by }));
      });
    },
    reorder(step) {
      withSelected((item) => {
        const to = item.position + step;
        if (to >= 0 && to < item.page.regions.length) {
          changes.change(item, ({ region }) => ({ kind: 'order', pointer: region.pointer, to }));
        }
      });
    },
    relabel(item, next) {
      label = next;
      if (next !== item.region.label) {
        changes.change(item, ({ region }) => ({ kind: 'label', pointer: region.pointer, label: next }));
      }
    },
    undo: (redo) => {
      if (enabled) {
        wantsFocus = pages.contains(document.activeElement);
        changes.undo(redo);
      }
    },
    escape() {
      if (gestures.active()) {
        gestures.cancel();
        announce('Cancelled');
        return true;
      }
      if (tool.current() === 'draw') {
        tool.choose('select');
        return true;
      }
      return false;
    },
    overlayAtHand,
    watch: (changed) => watchers.push(changed),
    watchProblems: (told) => problemWatchers.push(told),
  };
}
