/** Changes that start from a page or from its text: citing it, a region around words, a record of them. */
import type { ShownEvidence } from '../../../schemas/page.ts';
import type { EvidenceChange } from '../../../schemas/regions.ts';
import type { Host } from '../host.ts';
import type { SelectedText } from './selection-bar.ts';

export interface Citing {
  /** Returns whether it was made. What stood in its way is announced. */
  change(change: EvidenceChange): Promise<boolean>;
  /** A region around selected words, on a page that becomes cited where it was not. */
  region(selected: SelectedText): void;
  /** A record whose answer the words are. */
  record(selected: SelectedText): void;
}

export interface CitingParts {
  readonly host: Pick<Host, 'ask'>;
  evidence(): ShownEvidence | null;
  announce(words: string): void;
}

/** What the dataset calls text; null: it has no such label, or none at all. */
function textLabel(labels: readonly string[] = []): string | null {
  return labels.find((label) => /^(?:plain[ _-]?)?text$|^paragraph$/iu.test(label)) ?? null;
}

/** Lines of the page are none of an answer. */
function inOneLine(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}

export function createCiting({ host, evidence, announce }: CitingParts): Citing {
  const label = (): string | null => textLabel(evidence()?.labels);

  async function change(wanted: EvidenceChange): Promise<boolean> {
    const shown = evidence();
    if (shown === null) {
      return false;
    }
    try {
      const { uri, index, version } = shown;
      const answer = await host.ask('change', { uri, index, version, change: wanted });
      announce(answer.done ? answer.title : answer.problem);
      return answer.done;
    } catch (error) {
      announce(error instanceof Error ? error.message : String(error));
      return false;
    }
  }

  /** The selection is done with when something was made of it. */
  function make(wanted: EvidenceChange): void {
    void change(wanted).then((isMade) => (isMade ? document.getSelection()?.removeAllRanges() : undefined));
  }

  return {
    change,
    region: ({ card, place }) => make({ kind: 'add', page: card.page.number, place, label: label() }),
    record: ({ card, place, text }) =>
      make({ kind: 'record', page: card.page.number, place, label: label(), text: inOneLine(text) }),
  };
}
