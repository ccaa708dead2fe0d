import { regionPointer } from '../evidence/cited-regions.ts';
import { toFractions } from '../evidence/geometry.ts';
import type { BoxNumbers, Fractions } from '../evidence/geometry.ts';
import { measureOf } from '../evidence/measure.ts';
import { fixByChoice } from '../edit/fixes.ts';
import { boxFor } from '../edit/region-twins.ts';
import { changeRegions } from '../edit/regions.ts';
import type { Fix } from '../edit/types.ts';
import { sidesThatCut } from '../page/cuts.ts';
import { fitPlace } from '../page/fit.ts';
import { layoutOf } from '../page/layout.ts';
import type { PageLayout } from '../page/layout-types.ts';
import { USUAL_MARGINS } from '../page/margins.ts';
import type { PageFacts } from '../ports.ts';
import { show } from './messages.ts';
import type { PageInput } from './types.ts';

/** Several boxes of a page may cut something. */
const layouts = new WeakMap<PageFacts, PageLayout>();

/**
 * The box grown until nothing is cut, and its relative twin with it; undefined where growing cannot do that, or the record cannot
 * say it.
 * @param page size in pixels at 300 dpi
 * @param at positions of the page and of the box on it
 */
export function growthFix(
  { record, settings, document }: PageInput,
  facts: PageFacts,
  page: { readonly width: number; readonly height: number },
  place: Fractions,
  box: readonly number[],
  at: readonly [number, number],
): Fix | undefined {
  const layout = layouts.get(facts) ?? layoutOf(facts, page);
  const measure = measureOf(document, record.pages?.[at[0]], settings);
  if (layout === undefined || measure === undefined || settings.coordinates === undefined) return undefined;
  layouts.set(facts, layout);
  const grown = fitPlace({ facts, layout }, place, 'grow', USUAL_MARGINS);
  if (grown === undefined) return undefined;
  const context = { settings, document };
  const numbers = boxFor(record, grown, measure, context, box as BoxNumbers);
  // The numbers are rounded: what they say must be quiet.
  const written = numbers && toFractions(numbers, settings.coordinates, measure);
  if (written === undefined || sidesThatCut(facts, written, page).length > 0) return undefined;
  const change = { kind: 'place', pointer: regionPointer(record, ...at), place: grown } as const;
  const changed = changeRegions(record, change, context);
  if (changed.kind === 'problem' || changed.edits.length === 0) return undefined;
  return fixByChoice(`Grow the box until nothing is cut: ${show(numbers)}`, ...changed.edits);
}
