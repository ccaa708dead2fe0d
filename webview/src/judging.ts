/** Evidence alone: the record without what would tell the answer, for who judges whether the evidence suffices for it. */
import type { ShownEvidence } from '../../schemas/page.ts';
import type { EvidenceRegion } from '../../schemas/protocol.ts';

/** What of a record is shown beside its evidence: all; nothing until it is asked for; or what was asked for. */
export type Disclosure = 'all' | 'hidden' | 'revealed';

/** Answer, solution, numbers and findings taken out, so that nothing on the page can show them. */
export function withoutAnswer(evidence: ShownEvidence): ShownEvidence {
  return {
    ...evidence,
    answer: null,
    solution: null,
    code: null,
    trace: null,
    problems: [],
    pages: evidence.pages.map((page) => ({
      ...page,
      regions: page.regions.map((region) => ({ ...region, problems: [] })),
    })),
  };
}

/** A part of a page, as fractions of it. */
export interface Clip {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Less than this fraction of a page cannot be seen. */
const LEAST = 0.002;

/** The part of a region that lies on its page; null: nothing that could be seen does. */
export function clipOf({ left, top, width, height }: EvidenceRegion): Clip | null {
  const on = (value: number): number => Math.min(1, Math.max(0, value));
  const clip = { left: on(left), top: on(top), width: on(left + width) - on(left), height: on(top + height) - on(top) };
  return clip.width < LEAST || clip.height < LEAST ? null : clip;
}

/** Crops are shown up to so many times larger than their page would be. */
const LARGEST = 2;

/** How much wider than the room a page is taken to be so that its widest crop fills the room. */
export function cropScale(clips: readonly Clip[]): number {
  const widest = Math.max(...clips.map(({ width }) => width), 1 / LARGEST);
  return 1 / widest;
}
