/** What is chosen: marked on the pages and in the cited text, the same place as the editor's cursor. */
import type { ShownEvidence } from '../../schemas/page.ts';
import type { EvidenceNumber } from '../../schemas/protocol.ts';
import { flash } from './flash.ts';
import type { Host } from './host.ts';
import type { PageSection } from './pages.ts';
import type { Target } from './pointer.ts';
import { targetsAt } from './pointer.ts';
import type { BlockSection } from './record/blocks.ts';
import { placeIn } from './record/marks.ts';
import { reveal } from './viewport.ts';

export interface Selection {
  /** Marks what the editor's cursor stands in; moves the view only where `move`. */
  follow(pointer: string | null, move: boolean): void;
  /** The editor's cursor as it was told last. */
  cursor(): string | null;
  /** Marks a place and lets the editor select it. */
  choose(pointer: string): void;
  /** The editor selects the number where it is written. */
  chooseNumber(number: EvidenceNumber): void;
  /** Brings the best shown place of a number into view; where none is shown, the editor shows its place. */
  findNumber(number: EvidenceNumber, at: number): void;
}

export interface SelectionParts {
  readonly host: Pick<Host, 'post'>;
  evidence(): ShownEvidence | null;
  pages(): PageSection;
  blocks(): BlockSection;
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

export function createSelection(parts: SelectionParts): Selection {
  const { host, evidence, pages, blocks, scrollerOf, announce } = parts;
  let cursor: string | null = null;

  function mark(pointers: readonly string[]): void {
    const selected = new Set(pointers);
    pages().select(selected);
    blocks().select(selected);
    parts.marked(selected);
  }

  function bring(pointer: string): void {
    const onPage = pages().bounds(pointer);
    const bounds = onPage ?? blocks().bounds(pointer);
    if (bounds !== null) {
      reveal(scrollerOf(onPage === null ? blocks().element : pages().element), bounds);
    }
  }

  function select(pointer: string, inString?: EvidenceNumber['inString']): void {
    const shown = evidence();
    if (shown !== null) {
      host.post({ type: 'select', index: shown.index, pointer, ...(inString && { inString }) });
    }
  }

  const chooseNumber = ({ pointer, inString }: EvidenceNumber): void => select(pointer, inString);

  return {
    follow(pointer, move) {
      cursor = pointer;
      const shown = evidence();
      const found = shown === null ? [] : targetsAt(targets(shown), pointer).map((target) => target.pointers[0] ?? '');
      mark(found);
      if (move && found[0] !== undefined) {
        bring(found[0]);
      }
    },
    cursor: () => cursor,
    choose(pointer) {
      if (evidence() !== null) {
        mark([pointer]);
        select(pointer);
      }
    },
    chooseNumber,
    findNumber(number, at) {
      const place = placeIn(blocks().element, at) ?? placeIn(pages().element, at);
      const [first] = number.places;
      if (place !== null) {
        // A table scrolls on its own.
        place.scrollIntoView({ block: 'nearest', inline: 'nearest' });
        reveal(scrollerOf(place), place.getBoundingClientRect());
        flash(place);
        announce(place.getAttribute('aria-label') ?? '');
      } else if (first?.kind === 'block') {
        select(first.blockPointer, first.inString);
      } else {
        chooseNumber(number);
      }
    },
  };
}
