import type { LocatedNumber, PageTracedNumber, TraceVerdict, TracedNumber } from './types.ts';

/** What supports a number best comes first. */
const SUPPORT: readonly TraceVerdict[] = [
  'cited',
  'negated',
  'scaled',
  'context',
  'question',
  'derived',
  'constant',
  'digits-exchanged',
  'nowhere',
];

/** Whether a number needs somebody's eyes: nothing that could be looked at has it. */
export function isUnsupported({ verdict }: Pick<TracedNumber, 'verdict'>): boolean {
  return verdict === 'nowhere' || verdict === 'digits-exchanged';
}

/**
 * The numbers of one record from its context and from its pages, both in the same order or absent: the verdict that
 * supports a number best holds, and so do the places of it. Near misses give way to real places.
 */
export function mergeTraces(
  inContext: readonly TracedNumber[] | undefined,
  onPages: readonly PageTracedNumber[] | undefined,
): readonly LocatedNumber[] {
  if (onPages === undefined) return (inContext ?? []).map((number) => ({ ...number, onPages: [] }));
  return onPages.map(({ places, ...page }, i): LocatedNumber => {
    const context = inContext?.[i];
    if (context === undefined) return { ...page, places: [], onPages: places };
    const isPageBetter = SUPPORT.indexOf(page.verdict) < SUPPORT.indexOf(context.verdict);
    const { places: blocks, ...found } = context;
    return {
      ...(isPageBetter ? page : found),
      places: isUnsupported(context) && isPageBetter ? [] : blocks,
      onPages: isUnsupported(page) && !isPageBetter && page.verdict !== context.verdict ? [] : places,
    };
  });
}
