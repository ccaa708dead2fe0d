/** What of the document's view survives hiding, moving and reloading the panel. */

export interface DocumentState {
  readonly version: 1;
  /** Cited pages only, or all pages of the document. */
  readonly scope: 'cited' | 'all';
  /** One page under the other, or one at a time. */
  readonly flow: 'continuous' | 'single';
  /** The thumbnails are shown. */
  readonly strip: boolean;
  /** The card that is shown alone. */
  readonly page: string | null;
}

const INITIAL: DocumentState = { version: 1, scope: 'cited', flow: 'continuous', strip: false, page: null };

/** Anything that was kept by another version is as if nothing had been kept. */
export function readState(kept: unknown): DocumentState {
  if (typeof kept !== 'object' || kept === null || !('version' in kept) || kept.version !== INITIAL.version) {
    return INITIAL;
  }
  const { scope, flow, strip, page } = kept as Partial<Record<keyof DocumentState, unknown>>;
  return {
    version: 1,
    scope: scope === 'all' ? 'all' : 'cited',
    flow: flow === 'single' ? 'single' : 'continuous',
    strip: strip === true,
    page: typeof page === 'string' ? page : null,
  };
}
