/** What is chosen: marked on the pages and in the cited text, the same place as the editor's cursor. */
import type { ShownEvidence } from '../../schemas/page.ts';
import type { EvidenceNumber } from '../../schemas/protocol.ts';
import { flash } from './flash.ts';
import type { Host } from './host.ts';
import type { PageSection } from './pages.ts';
import type { Target } from './pointer.ts';
import { targetsAt } from './pointer.ts';
import type { OnNumber } from './record/marks.ts';
import { placeIn } from './record/marks.ts';
import type { RecordPanel } from './record/panel.ts';
import { withPhrases } from './record/traced.ts';
import type { Tracing } from './record/tracing.ts';
import { reveal } from './viewport.ts';

export interface Selection {
  /**
   * Marks what the editor's cursor stands in, `at` units into a text. The view goes there (`go`), only where the cursor went
   * somewhere else (`changed`), or not (`stay`). `snapshot`: as `changed`, told along with what is shown, perhaps from before the last choice.
   */
  follow(pointer: string | null, at: number | null, view: 'go' | 'changed' | 'snapshot' | 'stay'): void;
  /** After what is shown was built anew. */
  again(): void;
  /** Marks a place and lets the editor select it. */
  choose(pointer: string): void;
  /** Brings what is shown of a place into view. */
  bring(pointer: string): void;
  /** Leads to what is shown of a place, and lets the editor select it. */
  goTo(pointer: string): void;
  /** A number that was chosen where it stands: it is shown where it is written, here and in the editor. */
  chooseNumber: OnNumber;
  /** A number that was chosen where it is written: its best place is shown; where none is, the editor shows it. */
  findNumber: OnNumber;
}

export interface SelectionParts {
  readonly host: Pick<Host, 'post'>;
  evidence(): ShownEvidence | null;
  pages(): PageSection;
  panel(): Pick<RecordPanel, 'element' | 'blocks' | 'placeOf'>;
  tracing(): Tracing;
  /** What scrolls an element that is shown. */
  scrollerOf(element: Element): HTMLElement;
  announce(words: string): void;
  /** These places are marked now. */
  marked(pointers: ReadonlySet<string>): void;
}

function targets(shown: ShownEvidence): Target[] {
  return [
    ...shown.pages.flatMap((page) => page.regions.map((region) => ({ pointers: [region.pointer] }))),
    ...shown.pages.map((page) => ({ pointers: [page.pointer] })),
    ...shown.blocks.map((block) => ({ pointers: [block.pointer, block.blockPointer] })),
  ];
}

/** Position of the number, or phrase, that is written at a place of a text; -1: there is none. */
function numberAt(shown: ShownEvidence, pointer: string | null, at: number | null): number {
  const numbers = withPhrases(shown).trace?.numbers ?? [];
  return at === null
    ? -1
    : numbers.findIndex((one) => one.pointer === pointer && one.inString.start <= at && at <= one.inString.end);
}

export function createSelection(parts: SelectionParts): Selection {
  const { host, evidence, pages, panel, tracing, scrollerOf, announce } = parts;
  let cursor: string | null = null;
  let cursorAt: number | null = null;
  /** Chosen on the page, while the editor's cursor is on its way there: a snapshot from before does not take the choice back. */
  let chosen: string | null = null;

  function mark(pointers: readonly string[]): void {
    const selected = new Set(pointers);
    pages().select(selected);
    panel().blocks.select(selected);
    parts.marked(selected);
  }

  function bring(pointer: string): void {
    const onPage = pages().bounds(pointer);
    const bounds = onPage ?? panel().blocks.bounds(pointer);
    if (bounds !== null) {
      reveal(scrollerOf(onPage === null ? panel().element : pages().element), bounds);
    }
  }

  function select(pointer: string, inString?: EvidenceNumber['inString']): void {
    const shown = evidence();
    if (shown !== null) {
      host.post({ type: 'select', index: shown.index, pointer, ...(inString && { inString }) });
    }
  }

  const placeOf = (at: number): Element | null => placeIn(panel().blocks.element, at) ?? placeIn(pages().element, at);

  function show(place: Element): void {
    // A table scrolls on its own.
    place.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    reveal(scrollerOf(place), place.getBoundingClientRect());
  }

  /** The places that are shown of what the cursor stands in. */
  function underCursor(): string[] {
    const shown = evidence();
    if (shown === null) return [];
    const all = targets(shown);
    if (chosen !== null && all.some(({ pointers }) => pointers[0] === chosen)) return [chosen];
    return targetsAt(all, cursor).map((target) => target.pointers[0] ?? '');
  }

  function isUnderCursor(pointer: string | null): boolean {
    const shown = evidence();
    return shown !== null && targetsAt(targets(shown), cursor).some(({ pointers }) => pointers[0] === pointer);
  }

  function again(): number {
    const shown = evidence();
    mark(underCursor());
    const number = shown === null ? -1 : numberAt(shown, cursor, cursorAt);
    if (number >= 0) tracing().show(number);
    else tracing().again();
    return number;
  }

  return {
    bring,
    follow(pointer, at, view) {
      const moved = pointer !== cursor || at !== cursorAt;
      const elsewhere = pointer !== cursor;
      cursor = pointer;
      cursorAt = at;
      // It has moved where it was sent, or somewhere else since.
      if (view !== 'snapshot' || isUnderCursor(chosen)) chosen = null;
      if (moved) tracing().show(null);
      const number = again();
      const [first] = underCursor();
      const isGoing = view === 'go' || (view !== 'stay' && moved);
      const place = number >= 0 && isGoing ? placeOf(number) : null;
      if (place !== null) {
        show(place);
      } else if (first !== undefined && isGoing && (elsewhere || view === 'go')) {
        bring(first);
      }
    },
    again,
    choose(pointer) {
      if (evidence() !== null) {
        chosen = pointer;
        mark([pointer]);
        select(pointer);
      }
    },
    goTo(pointer) {
      const shown = evidence();
      if (shown === null) return;
      const [first] = targetsAt(targets(shown), pointer);
      const field = panel().placeOf(pointer);
      if (first?.pointers[0] !== undefined) {
        mark([first.pointers[0]]);
        bring(first.pointers[0]);
      } else if (field !== null) {
        show(field);
        flash(field);
      }
      select(pointer);
    },
    chooseNumber(number, at) {
      tracing().show(at);
      const literal = panel().element.querySelector(`[data-literal="${at}"]`);
      if (literal !== null) {
        // In view in the record where that scrolls on its own; the pages stay where they are.
        if (scrollerOf(literal) !== scrollerOf(pages().element)) show(literal);
        flash(literal);
      }
      select(number.pointer, number.inString);
    },
    findNumber(number, at) {
      tracing().show(at);
      const place = placeOf(at);
      const [first] = number.places;
      if (place !== null) {
        show(place);
        flash(place);
        announce(place.getAttribute('aria-label') ?? '');
      } else if (first?.kind === 'block') {
        select(first.blockPointer, first.inString);
      } else {
        select(number.pointer, number.inString);
      }
    },
  };
}
