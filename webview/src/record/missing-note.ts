/** Says where a record has nothing to show. */
import type { ShownEvidence } from '../../../schemas/page.ts';
import { html, setText } from '../dom.ts';

export interface MissingNote {
  readonly element: HTMLElement;
  readonly update: (evidence: ShownEvidence) => void;
}

function whatIsMissing({ pages, blocks }: ShownEvidence): string {
  if (pages.length === 0 && blocks.length === 0) {
    return 'This record cites no paragraphs, no tables and no pages.';
  }
  return pages.length > 0 && pages.every((page) => page.regions.length === 0)
    ? 'No regions are marked on the cited pages.'
    : '';
}

export function createMissingNote(): MissingNote {
  const element = html('p', { class: 'nothing', hidden: true });
  return {
    element,
    update(evidence) {
      const missing = whatIsMissing(evidence);
      element.hidden = missing === '';
      setText(element, missing);
    },
  };
}
