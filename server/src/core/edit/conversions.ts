/** Boxes that are written in other coordinates together: those of one record, or of the whole file. */
import { conversionKey } from '../evidence/conversion.ts';
import type { Conversion } from '../evidence/conversion.ts';
import { nameOf } from '../evidence/coordinates.ts';
import type { Finding, PlacedFix } from '../finding.ts';
import type { FileSettings } from '../profile/types.ts';
import { chosenFix } from './choose.ts';

type Fixable = Pick<Finding, 'code' | 'fixes'>;

/** "Convert the 3 boxes of this record from 0-1000 to pixels at 300 dpi". */
export function conversionTitle(
  conversion: Conversion,
  settings: Pick<FileSettings, 'coordinates' | 'relativeCoordinates'>,
  boxes: number,
  scope: 'record' | 'file',
): string {
  const { field, from, exchanged } = conversion;
  const to = settings[field === 'boxes' ? 'coordinates' : 'relativeCoordinates'];
  const noun = field === 'boxes' ? 'box' : 'relative box';
  const count = boxes.toLocaleString('en');
  const what =
    scope === 'file'
      ? `all ${count} ${noun}${boxes === 1 ? '' : 'es'} of the file`
      : boxes === 1
        ? `the ${noun} of this record`
        : `the ${count} ${noun}es of this record`;
  const way = `from ${nameOf(from)}${exchanged ? ', x and y exchanged,' : ''} to ${to === undefined ? 'what is declared' : nameOf(to)}`;
  return `Convert ${what} ${way}`;
}

/** The one fix of a finding that converts what it stands on; undefined: it has none, or there is a choice. */
export function conversionFix({
  fixes,
}: Pick<Finding, 'fixes'>): (PlacedFix & { readonly conversion: Conversion }) | undefined {
  const [fix, ...others] = fixes;
  return others.length === 0 && fix?.conversion !== undefined ? { ...fix, conversion: fix.conversion } : undefined;
}

/**
 * Whether boxes of one record that contradict their relative twins are to be read in different ways, or some in a way and
 * some in none: nobody can tell what the record means, and it is not converted with others.
 */
export function isMixed(findings: readonly Fixable[]): boolean {
  const keys = new Set<string>();
  for (const finding of findings) {
    if (finding.code !== MISMATCH) continue;
    const fix = conversionFix(finding);
    keys.add(fix === undefined ? '' : conversionKey(fix.conversion));
  }
  return keys.size > 1;
}

/** The rule whose findings stand on boxes that contradict their relative twins. */
export const MISMATCH = 'box/mismatch';
/** The rule that speaks of all boxes of a file. */
export const WHOLE_FILE = 'box/coordinate-space';

/** The fix that is made with all others of its rule; `findings` are those of its record. undefined: somebody must choose. */
export function fixWithOthers(finding: Fixable, findings: readonly Fixable[]): PlacedFix | undefined {
  return finding.code === MISMATCH && isMixed(findings) ? undefined : chosenFix(finding, true);
}

/** Fixes of the findings of one record that make the conversion, unless the record is mixed. */
export function conversionsOf(findings: readonly Fixable[], conversion: Conversion): readonly PlacedFix[] {
  if (isMixed(findings)) return [];
  const key = conversionKey(conversion);
  return findings.flatMap((finding) => {
    const fix = finding.code === MISMATCH ? conversionFix(finding) : undefined;
    return fix !== undefined && conversionKey(fix.conversion) === key ? [fix] : [];
  });
}
