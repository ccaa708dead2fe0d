/** The search in the record and its document: matches highlighted where they stand, gone through one by one. */
import { plural } from '../../dom.ts';
import type { PageCard } from '../../pages.ts';
import type { PdfEngine } from '../../pdf.ts';
import { reveal } from '../../viewport.ts';
import type { PageEntry } from '../entries.ts';
import { keyOf } from '../entries.ts';
import { createFindBar } from './find-bar.ts';
import type { FindOptions, Match } from './folded.ts';
import type { RecordText } from './record-text.ts';
import { recordText } from './record-text.ts';
import type { Found, Source } from './search.ts';
import { createSearch } from './search.ts';

export interface Find {
  readonly element: HTMLElement;
  open(): void;
  isOpen(): boolean;
  step(step: 1 | -1): void;
  /** Text was laid over a page. */
  refresh(): void;
  /** The record, or another one, is shown anew: what is looked for is looked for in it. */
  shown(): void;
}

export interface FindParts {
  readonly engine: PdfEngine;
  /** Holds the record's text. */
  readonly sheet: HTMLElement;
  /** All pages of the document. */
  entries(): Promise<readonly PageEntry[]>;
  cards(): readonly PageCard[];
  current(): PageCard | null;
  goTo(entry: PageEntry): PageCard | null;
  scrollerOf(element: Element): HTMLElement;
  /** Words of the page are selected with this tool. */
  selectText(): void;
  announce(words: string): void;
}

/** Names of the highlights; document.css says how they look. */
const ALL = 'find';
const CURRENT = 'find-current';

const NOTHING: Found = { matches: [], count: 0, textless: 0, unread: 0, done: true, more: false };

function rangeBetween(nodes: readonly (Node | null | undefined)[], { start, end }: Match): Range | null {
  const [from, to] = [nodes[start.piece], nodes[end.piece]];
  if (!from || !to) {
    return null;
  }
  const range = document.createRange();
  try {
    range.setStart(from, start.offset);
    range.setEnd(to, end.offset);
  } catch {
    // The text was shown anew meanwhile; it is searched again.
    return null;
  }
  return range;
}

export function createFind(parts: FindParts): Find {
  const { engine, sheet, cards, current: currentCard, goTo, scrollerOf, selectText, announce } = parts;
  const search = createSearch();
  let entries: readonly PageEntry[] = [];
  let record: RecordText = { pieces: [], nodes: [] };
  let query = '';
  let options: FindOptions = { matchCase: false, wholeWord: false };
  let found = NOTHING;
  /** Source (0: the record; from 1: pages) and match. */
  let at: { readonly source: number; readonly match: number } | null = null;
  /** The current match is to come into view as soon as its page is there. */
  let isAwaited = false;
  let runs = 0;
  let opener: HTMLElement | SVGElement | null = null;
  const bar = createFindBar({ search: start, step, close });

  const cardOf = (entry: PageEntry | undefined): PageCard | undefined => {
    const key = entry && keyOf(entry.page);
    return cards().find((card) => card.key === key);
  };

  function nodesOf(source: number): readonly (Node | null | undefined)[] | null {
    if (source === 0) {
      return record.nodes;
    }
    return (
      cardOf(entries[source - 1])
        ?.text()
        ?.elements.map((element) => element.firstChild) ?? null
    );
  }

  function sources(): readonly Source[] {
    const ofPages = entries.map(({ page }): Source => {
      const { kind, url = '', pageIndex = 0 } = page.source;
      return {
        key: keyOf(page),
        read: () => (kind === 'pdf' ? engine.text(url, pageIndex) : Promise.resolve(null)),
      };
    });
    return [{ key: null, read: () => Promise.resolve(record.pieces) }, ...ofPages];
  }

  /** 0-based among all matches. */
  function ordinal(): number {
    return at === null ? -1 : found.matches.slice(0, at.source).reduce((sum, of) => sum + of.length, 0) + at.match;
  }

  function noteOf({ textless, unread, done }: Found): string {
    const notes = [
      textless === 0 ? '' : `${plural(textless, 'page has', 'pages have')} no text that could be searched.`,
      unread === 0 ? '' : `${plural(unread, 'page', 'pages')} could not be read.`,
    ];
    return done && query.trim() !== '' ? notes.filter((note) => note !== '').join(' ') : '';
  }

  function show(): void {
    bar.show(ordinal() + 1, found.count, found.more, found.done, noteOf(found));
    highlight();
  }

  function highlight(): void {
    const ranges: Range[] = [];
    let currentRange: Range | null = null;
    found.matches.forEach((matches, source) => {
      const nodes = matches.length === 0 ? null : nodesOf(source);
      if (nodes === null) {
        return;
      }
      matches.forEach((match, position) => {
        const range = rangeBetween(nodes, match);
        if (range !== null && at?.source === source && at.match === position) {
          currentRange = range;
        } else if (range !== null) {
          ranges.push(range);
        }
      });
    });
    CSS.highlights.set(ALL, new Highlight(...ranges));
    CSS.highlights.set(CURRENT, new Highlight(...(currentRange === null ? [] : [currentRange])));
    if (isAwaited && currentRange !== null) {
      bringIntoView(currentRange);
    }
  }

  function bringIntoView(range: Range): void {
    const holder = range.startContainer.parentElement;
    if (holder !== null) {
      isAwaited = false;
      reveal(scrollerOf(holder), range.getBoundingClientRect());
    }
  }

  /** Goes to the page of the current match; the match itself follows as soon as its text is laid out. */
  function goToCurrent(): void {
    if (at === null) {
      return;
    }
    isAwaited = true;
    const entry = entries[at.source - 1];
    if (entry !== undefined) {
      const card = cardOf(entry);
      if (card === undefined || card.element.hidden || card.text() === null) {
        goTo(entry);
      }
    }
    show();
  }

  function startingSource(): number {
    const card = currentCard();
    const key = card?.key;
    const position = entries.findIndex(({ page }) => keyOf(page) === key);
    return position < 0 ? 0 : position + 1;
  }

  async function run(keepsPlace: boolean): Promise<void> {
    if (query.trim() === '') {
      search.stop();
      found = NOTHING;
      at = null;
      show();
      return;
    }
    runs += 1;
    const mine = runs;
    record = recordText(sheet);
    const all = await parts.entries();
    if (mine !== runs) {
      return;
    }
    entries = all;
    const from = keepsPlace && at !== null ? at.source : startingSource();
    found = { ...NOTHING, done: false };
    const before = at;
    at = null;
    show();
    await search.run(sources(), query, options, from, (next) => {
      found = next;
      const matches = before !== null && keepsPlace ? next.matches[before.source] : undefined;
      if (at === null && matches !== undefined && before !== null && before.match < matches.length) {
        at = before;
        show();
      } else if (at === null && next.count > 0) {
        const order = next.matches.map((_, position) => (from + position) % next.matches.length);
        const source = order.find((position) => (next.matches[position]?.length ?? 0) > 0) ?? 0;
        at = { source, match: 0 };
        goToCurrent();
      } else {
        show();
      }
    });
  }

  function start(words: string, how: FindOptions): void {
    query = words;
    options = how;
    void run(false);
  }

  function step(by: 1 | -1): void {
    if (found.count === 0) {
      return;
    }
    let left = (ordinal() + by + found.count) % found.count;
    for (const [source, matches] of found.matches.entries()) {
      if (left < matches.length) {
        at = { source, match: left };
        break;
      }
      left -= matches.length;
    }
    goToCurrent();
    announce(`Match ${ordinal() + 1} of ${found.count}`);
  }

  /** The current match stays selected, so that it can be copied or cited. */
  function close(): void {
    bar.element.hidden = true;
    runs += 1;
    search.stop();
    const matches = at === null ? undefined : found.matches[at.source];
    const match = at === null ? undefined : matches?.[at.match];
    const nodes = at === null ? null : nodesOf(at.source);
    const range = match === undefined || nodes === null ? null : rangeBetween(nodes, match);
    CSS.highlights.delete(ALL);
    CSS.highlights.delete(CURRENT);
    isAwaited = false;
    opener?.focus({ preventScroll: true });
    if (range !== null) {
      if (at !== null && at.source > 0) {
        selectText();
      }
      const selection = document.getSelection();
      selection?.removeAllRanges();
      selection?.addRange(range);
    }
  }

  return {
    element: bar.element,
    open() {
      if (bar.element.hidden) {
        const { activeElement } = document;
        // A region is one, too.
        opener = activeElement instanceof HTMLElement || activeElement instanceof SVGElement ? activeElement : null;
      }
      const selected = document.getSelection()?.toString().trim() ?? '';
      bar.open(/^[^\n]{1,200}$/u.test(selected) ? selected : '');
    },
    isOpen: () => !bar.element.hidden,
    step,
    refresh() {
      if (!bar.element.hidden) {
        highlight();
      }
    },
    shown() {
      if (!bar.element.hidden) {
        void run(true);
      }
    },
  };
}
