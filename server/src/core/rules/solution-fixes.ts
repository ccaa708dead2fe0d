import { fixByChoice, replaceInString, replaceValue, safeFix, withFixes } from '../edit/fixes.ts';
import { fenceParts, returnedBy, returnForPrint, unescapedOnce } from '../edit/solution-edits.ts';
import type { SourceEdit } from '../edit/solution-edits.ts';
import type { Fix } from '../edit/types.ts';
import type { LocalFinding } from '../finding.ts';
import type { RunError } from '../ports.ts';
import { pointerTo } from '../record/canonical.ts';
import type { CanonicalRecord } from '../record/types.ts';
import { isEqual, judge } from '../solution/verdict.ts';
import type { Judgement } from '../solution/verdict.ts';
import type { StaticFault } from '../solution/types.ts';
import type { RunInput } from './types.ts';

/** Repairs inside solutions. Which of solution and gold is wrong only a person can say: none that changes a result is safe. */

/** Powers of ten by which scales are confused. */
const LARGEST_POWER = 12;

/** Changes of the returned expression under which the solution would yield the gold. */
export function correctSolution(input: RunInput, { value = 0, gold = 0 }: Judgement): readonly (Fix | undefined)[] {
  const { record, settings } = input;
  const yieldsGold = (changed: number): boolean => agrees(input, changed);
  const returned = returnedBy(record.solution ?? '', settings.profile.entryPoint);
  if (returned === undefined || value === 0 || gold === 0) return [];
  if (yieldsGold(-value)) {
    const swapped = returned.swapped('-');
    if (swapped !== undefined) return [ofSource(record, `Swap the operands: ${swapped.shown}`, swapped)];
    return [
      ofSource(
        record,
        'Negate the result',
        returned.replaced((atom) => `-${atom}`),
      ),
    ];
  }
  if (yieldsGold(1 / value)) {
    const swapped = returned.swapped('/');
    return [swapped && ofSource(record, `Swap the operands: ${swapped.shown}`, swapped)];
  }
  const power = Math.round(Math.log10(Math.abs(gold / value)));
  const factor = 10 ** Math.abs(power);
  if (power === 0 || Math.abs(power) > LARGEST_POWER) return [];
  if (!yieldsGold(power > 0 ? value * factor : value / factor)) return [];
  const [word, sign] = power > 0 ? ['Multiply', '*'] : ['Divide', '/'];
  return [
    ofSource(
      record,
      `${word} the result by ${factor}`,
      returned.replaced((atom) => `${atom} ${sign} ${factor}`),
    ),
  ];
}

/** Whether a value is computed: storing a number that only stands in the solution would make the record prove nothing. */
export function computesValue({ record, settings }: RunInput): boolean {
  return returnedBy(record.solution ?? '', settings.profile.entryPoint)?.isLiteral !== true;
}

/** `round(…, decimals)` around the result, where that gives the gold. */
export function roundInSolution(input: RunInput, { value = 0, gold, decimals }: Judgement): Fix | undefined {
  const returned = returnedBy(input.record.solution ?? '', input.settings.profile.entryPoint);
  if (
    returned === undefined ||
    returned.isLiteral ||
    gold === undefined ||
    !isEqual(Number(value.toFixed(decimals)), gold)
  )
    return undefined;
  const rounded = { span: returned.replaced((atom) => atom).span, text: `round(${returned.text}, ${decimals})` };
  return ofSource(input.record, `Round in the solution: ${rounded.text}`, rounded);
}

/** `return` for `print`, where the printed text is a number. */
export function returnInstead({ record, settings, run }: RunInput): Fix | undefined {
  const printed = run.stdout.trim();
  if (printed === '' || !Number.isFinite(Number(printed))) return undefined;
  const edit = returnForPrint(record.solution ?? '', settings.profile.entryPoint);
  return edit && ofSource(record, `Return it instead: ${edit.shown}`, edit);
}

/** True as 1 and False as 0; undefined for any other result. */
export function truthAsNumber({ kind, type, message }: RunError): number | undefined {
  if (kind !== 'badReturn' || type !== 'bool') return undefined;
  return message === 'True' ? 1 : 0;
}

/** `int(…)` around a comparison, where that gives the gold. */
export function numberOfTruth({ record, settings, run }: RunInput): Fix | undefined {
  const value = run.error && truthAsNumber(run.error);
  const returned = returnedBy(record.solution ?? '', settings.profile.entryPoint);
  if (value === undefined || record.gold !== value || returned === undefined) return undefined;
  const { span } = returned.replaced((atom) => atom);
  return ofSource(record, `Return the number: int(${returned.text})`, { span, text: `int(${returned.text})` });
}

/** What the text around or in a solution did not survive: a Markdown fence, a second escaping. */
export function unwrapped(record: CanonicalRecord, { kind }: StaticFault): Pick<LocalFinding, 'fixes'> {
  const source = record.solution ?? '';
  const pointer = pointerTo(record, 'solution');
  if (kind === 'code-fence') {
    const parts = fenceParts(source);
    if (parts === undefined) return {};
    const edits = [replaceInString(pointer, parts.before, ''), replaceInString(pointer, parts.after, '')];
    return withFixes(
      parts.whole
        ? safeFix('Remove the fence', ...edits)
        : fixByChoice('Keep only the code inside the fence', ...edits),
    );
  }
  if (kind !== 'double-escaped') return {};
  const plain = unescapedOnce(source);
  const decoded =
    plain === undefined ? undefined : safeFix('Decode the solution once more', replaceValue(pointer, plain));
  return withFixes(decoded);
}

function agrees({ record, run, settings }: RunInput, changed: number): boolean {
  const value = { kind: 'float', repr: String(changed) } as const;
  const { verdict, rounding } = judge({ ...run, value }, record.gold, settings);
  return verdict === 'equal' || (verdict === 'tolerance' && rounding);
}

function ofSource(record: CanonicalRecord, title: string, { span, text }: SourceEdit): Fix {
  return fixByChoice(title, replaceInString(pointerTo(record, 'solution'), span, text));
}
