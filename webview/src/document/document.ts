/** The record's document: which of its pages are shown, one or all at a time, and the ways to a page. */
import type { PageQuestions, PageSourceUrl, ShownEvidence } from '../../../schemas/page.ts';
import type { PagePictureParams } from '../../../schemas/regions.ts';
import type { Host } from '../host.ts';
import type { PageCard, PageSection } from '../pages.ts';
import type { PdfEngine } from '../pdf.ts';
import type { Place } from '../place.ts';
import type { PageEntry } from './entries.ts';
import { allEntries, citedEntries, findPage, keyOf, pageName } from './entries.ts';
import type { Pictures } from './pictures.ts';
import type { DocumentState } from './state.ts';
import { readState } from './state.ts';
import { createStrip } from './strip.ts';
import type { Thumbnails } from './thumbnails.ts';

export interface DocumentView {
  readonly strip: HTMLElement;
  update(evidence: ShownEvidence | null, cropped: boolean): void;
  /** All pages of the document, asked for where they are not known yet; the cited ones where they cannot be. */
  pages(): Promise<readonly PageEntry[]>;
  /** Brings a page to the top of the view; one that is not cited makes all pages shown. Returns its card. */
  goTo(entry: PageEntry): PageCard | null;
  /** By number or label. Returns whether there is such a page. */
  goToNamed(words: string): Promise<boolean>;
  /** The record and the number of the page that has this source. */
  placeOf(source: PageSourceUrl): PagePictureParams | null;
  /** The page that is read is another one. */
  showCurrent(): void;
  toggleStrip(): void;
  toggleAllPages(): void;
  toggleOnePage(): void;
  state(): DocumentState;
}

export interface DocumentParts {
  readonly host: Pick<Host, 'ask'>;
  readonly engine: PdfEngine;
  readonly pictures: Pictures;
  readonly thumbnails: Thumbnails;
  pages(): PageSection;
  place(): Place;
  /** All pages are there: the place that was kept may be on one of them. */
  restore(): void;
  /** The focus goes where the pages are scrolled. */
  focusPages(): void;
  /** What is on or off has changed. */
  changed(state: DocumentState): void;
  announce(words: string): void;
}

type DocumentPages = PageQuestions['documentPages']['answer'];

/** `restored`: what `state` gave before the page was loaded anew. */
export function createDocumentView(parts: DocumentParts, restored: unknown): DocumentView {
  const { host, engine, pictures, thumbnails, pages, place, changed, announce } = parts;
  let { scope, flow, strip: hasStrip, page: restoredPage } = readState(restored);
  let evidence: ShownEvidence | null = null;
  /** No answer has come yet. */
  let isFirst = restored !== undefined;
  let isCropped = false;
  let entries: readonly PageEntry[] = [];
  /** The document that was asked for, and what is known of it. */
  let asked: { readonly of: string; readonly answer: Promise<DocumentPages> } | null = null;
  let known: { readonly of: string; readonly answer: DocumentPages } | null = null;

  const strip = createStrip(thumbnails, (position) => {
    const entry = entries[position];
    if (entry !== undefined) {
      goTo(entry);
    }
  });

  const documentOf = ({ uri, index, document }: ShownEvidence): string => JSON.stringify([uri, document ?? index]);

  function ask(of: ShownEvidence): Promise<DocumentPages> {
    const name = documentOf(of);
    if (asked?.of !== name) {
      const answer = host.ask('documentPages', { uri: of.uri, index: of.index }).then((pagesOf) => {
        if (asked?.of === name) {
          known = { of: name, answer: pagesOf };
        }
        return pagesOf;
      });
      asked = { of: name, answer };
      answer.then(arrived, (error: unknown) => {
        // Asked again by whoever needs them next.
        asked = asked?.answer === answer ? null : asked;
        announce(error instanceof Error ? error.message : String(error));
      });
    }
    return asked.answer;
  }

  /** Every page that is known, in order. */
  function everything(): readonly PageEntry[] {
    if (evidence === null) {
      return [];
    }
    const cited = citedEntries(evidence.pages);
    return known?.of === documentOf(evidence) ? allEntries(cited, known.answer.pages) : cited;
  }

  function fill(): void {
    const all = everything();
    entries = scope === 'all' ? all : all.filter(({ position }) => position !== null);
    pages().update(evidence, isCropped, entries);
    if (flow === 'single') {
      const isThere = pages()
        .allCards()
        .some(({ key }) => key === restoredPage);
      pages().showAlone((isThere ? restoredPage : pages().cards()[0]?.key) ?? '');
      restoredPage = isThere ? null : restoredPage;
    }
    strip.element.hidden = !hasStrip || evidence === null || entries.length === 0;
    strip.update(entries);
    const urls = new Set(all.map(({ page }) => page.source.url ?? ''));
    engine.keep(urls);
    pictures.retain((key) => urls.has(key.slice(0, key.lastIndexOf('#'))));
  }

  function refill(): void {
    place().holding(() => {
      fill();
      place().layout();
    });
    showCurrent();
  }

  function arrived(): void {
    refill();
    if (scope === 'all' && isFirst) {
      isFirst = false;
      parts.restore();
    }
    if (scope === 'all' && known !== null && known.answer.problem !== null) {
      announce(known.answer.problem);
    }
  }

  function settle(): void {
    changed(state());
    place().show();
  }

  function setScope(next: DocumentState['scope']): void {
    if (next !== scope) {
      scope = next;
      if (evidence !== null && scope === 'all') {
        ask(evidence).catch(() => undefined);
      }
      refill();
      settle();
    }
  }

  function showCurrent(): void {
    const card = place().card();
    const cards = pages().allCards();
    if (card !== null) {
      strip.showCurrent(cards.indexOf(card));
    }
  }

  function cardOf({ page }: PageEntry): PageCard | null {
    const key = keyOf(page);
    return (
      pages()
        .allCards()
        .find((card) => card.key === key) ?? null
    );
  }

  function goTo(entry: PageEntry): PageCard | null {
    if (entry.position === null && cardOf(entry) === null) {
      setScope('all');
    }
    const card = cardOf(entry);
    if (card !== null) {
      if (card.element.hidden) {
        pages().showAlone(card.key);
        place().relayout();
      }
      place().toCard(card);
      announce(`Page ${pageName(card.page)}`);
    }
    return card;
  }

  async function allPages(): Promise<readonly PageEntry[]> {
    if (evidence !== null) {
      await ask(evidence).catch(() => undefined);
    }
    return everything();
  }

  function state(): DocumentState {
    const alone = flow === 'single' ? (restoredPage ?? pages().cards()[0]?.key ?? null) : null;
    return { version: 1, scope, flow, strip: hasStrip, page: alone };
  }

  return {
    strip: strip.element,
    update(next, cropped) {
      evidence = next;
      // Read while the page is laid out.
      const first = next?.pages[0]?.source;
      if (first?.kind === 'pdf' && first.url !== undefined) {
        engine.prepare(first.url);
      }
      isCropped = cropped;
      if (next !== null && known !== null && known.of !== documentOf(next)) {
        known = null;
      }
      if (next !== null && scope === 'all') {
        ask(next).catch(() => undefined);
      }
      fill();
    },
    pages: allPages,
    goTo,
    async goToNamed(words) {
      const all = await allPages();
      const found = findPage(
        all.map(({ page }) => page),
        words,
      );
      const entry = all.find(({ page }) => page === found);
      if (entry === undefined) {
        announce(`There is no page ${words.trim()}.`);
        return false;
      }
      goTo(entry);
      return true;
    },
    placeOf(source) {
      const page = everything().find((entry) => entry.page.source.url === source.url)?.page;
      if (evidence === null || page === undefined) {
        return null;
      }
      const { uri, index } = evidence;
      return { uri, index, page: page.number };
    },
    showCurrent,
    toggleStrip() {
      hasStrip = !hasStrip;
      if (!hasStrip && strip.element.contains(document.activeElement)) {
        parts.focusPages();
      }
      refill();
      settle();
      if (hasStrip && !strip.element.hidden) {
        strip.focus();
      }
    },
    toggleAllPages() {
      setScope(scope === 'all' ? 'cited' : 'all');
      announce(scope === 'all' ? 'All pages of the document' : 'Cited pages');
    },
    toggleOnePage() {
      const card = place().card();
      flow = flow === 'single' ? 'continuous' : 'single';
      pages().showAlone(flow === 'single' ? (card?.key ?? '') : null);
      place().relayout();
      if (card !== null) {
        place().toCard(card);
      }
      settle();
      announce(flow === 'single' ? 'One page at a time' : 'Pages one under the other');
    },
    state,
  };
}
