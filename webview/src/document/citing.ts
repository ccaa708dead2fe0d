/** Changes that start from a page or from its text: citing it, a region around words, a record of them. */
import type { ShownEvidence } from '../../../schemas/page.ts';
import type { EvidenceChange } from '../../../schemas/regions.ts';
import type { Host } from '../host.ts';

export interface Citing {
  /** Returns whether it was made. What stood in its way is announced. */
  change(change: EvidenceChange): Promise<boolean>;
}

export interface CitingParts {
  readonly host: Pick<Host, 'ask'>;
  evidence(): ShownEvidence | null;
  announce(words: string): void;
}

export function createCiting({ host, evidence, announce }: CitingParts): Citing {
  return {
    async change(change) {
      const shown = evidence();
      if (shown === null) {
        return false;
      }
      try {
        const answer = await host.ask('change', { index: shown.index, version: shown.version, change });
        announce(answer.done ? answer.title : answer.problem);
        return answer.done;
      } catch (error) {
        announce(error instanceof Error ? error.message : String(error));
        return false;
      }
    },
  };
}
