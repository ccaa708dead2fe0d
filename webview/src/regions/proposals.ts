/** What could be regions on a page, drawn dashed: a click or Enter takes one, arrows go from one to the next, Escape leaves. */
import type { PagePicture, ShownEvidence } from '../../../schemas/page.ts';
import type { RegionProposal } from '../../../schemas/regions.ts';
import { plural, setAttributes, svg } from '../dom.ts';
import type { Host } from '../host.ts';
import type { Overlay } from '../overlay.ts';
import { sameRecord } from '../same-record.ts';
import { reveal } from '../viewport.ts';
import type { RegionEditor } from './editor.ts';
import { isPlace } from './geometry.ts';

export interface Proposals {
  /** Asks for those of the page at hand; a second time takes them away. `picture`: for the service. */
  toggle(picture?: (overlay: Overlay) => Promise<PagePicture>): Promise<void>;
  /** Takes them away. Whether there were any. */
  leave(): boolean;
}

export interface ProposalParts {
  readonly host: Pick<Host, 'ask'>;
  readonly editor: RegionEditor;
  readonly scroller: HTMLElement;
  announce(words: string): void;
  problem(message: string): void;
}

/** A page of a record, where proposals for it can be shown. */
interface Place {
  readonly overlay: Overlay;
  readonly of: ShownEvidence;
  readonly page: number;
}

const percent = (fraction: number): string => `${fraction * 100}%`;

export function createProposals({ host, editor, scroller, announce, problem }: ProposalParts): Proposals {
  const layer = svg('svg', { class: 'proposals', role: 'group' });
  let shown: Place | null = null;
  let asked = 0;

  const buttons = (): SVGGElement[] => [...layer.querySelectorAll('g')];

  function leave(): boolean {
    asked += 1;
    if (shown === null) {
      return false;
    }
    const { overlay } = shown;
    const hadFocus = layer.contains(document.activeElement);
    shown = null;
    layer.remove();
    layer.replaceChildren();
    const item = editor.selected();
    if (hadFocus && item !== null) {
      overlay.focus(item.region.pointer);
    } else if (hadFocus) {
      scroller.focus();
    }
    return true;
  }

  function focusOn(button: SVGGElement | undefined): void {
    if (button !== undefined) {
      button.focus({ preventScroll: true });
      reveal(scroller, button.getBoundingClientRect());
    }
  }

  function accept(button: SVGGElement, proposal: RegionProposal): void {
    if (shown === null) {
      return;
    }
    const all = buttons();
    const at = all.indexOf(button);
    editor.add(shown.page, proposal.place, proposal.label);
    button.remove();
    const next = all[at + 1] ?? all[at - 1];
    if (next === undefined) {
      leave();
    } else {
      focusOn(next);
    }
  }

  function draw(proposal: RegionProposal, at: number, count: number): SVGGElement {
    const { left, top, width, height } = proposal.place;
    const box = { x: percent(left), y: percent(top), width: percent(width), height: percent(height) };
    const words = `Proposal ${at + 1} of ${count}: ${proposal.says}. Enter makes it a region`;
    const button = svg(
      'g',
      { class: 'proposal', role: 'button', tabindex: 0, 'aria-label': words },
      svg('title', {}, words),
      svg('rect', { class: 'proposal-casing', ...box }),
      svg('rect', { class: 'proposal-box', ...box }),
    );
    button.addEventListener('click', () => accept(button, proposal));
    button.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' || event.key === ' ') {
        event.preventDefault();
        accept(button, proposal);
      }
    });
    return button;
  }

  layer.addEventListener('keydown', (event) => {
    const step = ['ArrowDown', 'ArrowRight'].includes(event.key)
      ? 1
      : ['ArrowUp', 'ArrowLeft'].includes(event.key)
        ? -1
        : 0;
    if (step !== 0 && !event.altKey && !event.ctrlKey) {
      event.preventDefault();
      const all = buttons();
      const at = all.findIndex((button) => button === document.activeElement);
      focusOn(all[(at + step + all.length) % all.length]);
    }
  });

  // Another record, another mode, or the page is not there any more.
  function isThere({ overlay, of, page }: Place): boolean {
    const evidence = editor.changes.evidence();
    const isSame = evidence !== null && sameRecord(of, evidence);
    return isSame && editor.enabled() && overlay.element.isConnected && overlay.page() === page;
  }

  editor.watch(() => {
    if (shown !== null && !isThere(shown)) {
      leave();
    }
  });

  return {
    leave,
    async toggle(picture) {
      if (leave() || !editor.enabled()) {
        return;
      }
      const overlay = editor.overlayAtHand();
      const evidence = editor.changes.evidence();
      if (overlay === null || evidence === null) {
        return;
      }
      const mine = asked;
      const { uri, index } = evidence;
      const page = overlay.page();
      const isStill = (): boolean => mine === asked && isThere({ overlay, of: evidence, page });
      announce(`Looking for regions on page ${page}`);
      try {
        const service = await picture?.(overlay);
        if (!isStill()) {
          return;
        }
        const answer = await host.ask('propose', { uri, index, page, ...(service && { service }) });
        if (!isStill()) {
          return;
        }
        const proposals = answer.proposals.filter(({ place }) => isPlace(place));
        if (answer.problem !== null) {
          problem(answer.problem);
        }
        if (proposals.length === 0) {
          announce(answer.problem ?? `Nothing on page ${page} could be a region.`);
          return;
        }
        shown = { overlay, of: evidence, page };
        setAttributes(layer, { 'aria-label': `Proposals for page ${page}` });
        const drawn = proposals.map((proposal, at) => draw(proposal, at, proposals.length));
        layer.replaceChildren(...drawn);
        overlay.element.after(layer);
        announce(
          `${plural(proposals.length, 'proposal', 'proposals')} for page ${page}. Arrows go through them, Enter takes one, Escape leaves.`,
        );
        focusOn(drawn[0]);
      } catch (error) {
        if (isStill()) {
          problem(error instanceof Error ? error.message : String(error));
        }
      }
    },
  };
}
