import { bracketCause } from '../programs/run.ts';
import { fixByChoice, replaceValue, safeFix, withFixes, writeNumber } from '../edit/fixes.ts';
import type { Fix } from '../edit/types.ts';
import { pointerTo } from '../record/canonical.ts';
import type { CanonicalRecord } from '../record/types.ts';
import { decimalsOf, readNumber } from '../solution/numbers.ts';
import type { ReadNumber } from '../solution/numbers.ts';
import { isRounding, judge } from '../solution/verdict.ts';
import type { Judgement } from '../solution/verdict.ts';
import { gapOf, reduceHidden, reduceMissing } from './gaps.ts';
import { count, difference, keyOfField, percent, show } from './messages.ts';
import { causeOfMismatch } from './mismatch.ts';
import { computesValue, correctSolution, roundInSolution } from './solution-fixes.ts';
import type { Rule, RunInput } from './types.ts';

const QUESTION = 'What was the change in widget revenue from 2031 to 2032? (in thousand)';
const SOLUTION = 'def solution():\n    r2031 = 1200\n    r2032 = 1350\n    return r2032 - r2031';

function example(python_solution: string | null, ...golds: unknown[]) {
  return {
    profile: 'docmath-eval',
    lines: golds.map((ground_truth, i) => ({
      question_id: `demo-${i}`,
      question: i === 0 ? QUESTION : `And in ${2032 + i}? (in thousand)`,
      python_solution,
      ground_truth,
    })),
  };
}

export const answerRules: readonly Rule[] = [
  {
    code: 'answer/mismatch',
    severity: 'error',
    needs: 'run',
    title: 'The solution does not yield the gold',
    why: `The solution was run, and its result is not the gold: not equal (to one part in 10^9), not within the tolerance (0.15 % unless configured), and not equal after rounding to the gold's decimals or three, whichever is more. Sign and powers of ten count.

Who trusts the stored answer and who runs the solution will then grade the same prediction differently.

The message names a cause where the two numbers show one: a power of ten together with what question and evidence say about scale (thousands, millions, percent, basis points), the opposite sign, the operands of a quotient exchanged, a result cut to a whole number. Decide which of the two is right against the evidence, then correct the other.`,
    fires: example(SOLUTION, 150000.0),
    quiet: example(SOLUTION, 150.0),
    checkRun(input, report) {
      const judged = judgedRun(input);
      if (judged?.verdict !== 'mismatch') return;
      const { record, run } = input;
      const repr = run.value?.repr ?? '';
      const gold = Array.isArray(record.gold) ? show(record.gold) : String(record.gold);
      const what = record.program === undefined ? 'solution' : 'program';
      report({
        pointer: pointerTo(record, 'gold'),
        message: `The ${what} yields ${showRepr(repr)}, but ${keyOfField(record, 'gold')} is ${gold}${causeOf(input, judged)}.`,
        found: `${repr} ${gold}`,
        related: [{ message: `The ${what}, which yields ${showRepr(repr)}`, pointer: pointerTo(record, 'solution') }],
        ...withFixes(...correctSolution(input, judged), storeValue(input)),
      });
    },
  },
  {
    code: 'answer/rounded',
    severity: 'info',
    needs: 'run',
    title: 'The gold is the result rounded, by more than the tolerance',
    why: `The gold equals the solution's result after rounding, yet rounding moved it by more than the relative tolerance: small numbers kept to three decimals do that. A prediction that equals the exact result would be scored as wrong against the stored gold.

Nothing is wrong with the record as such. Store more digits if the file is to be scored by a relative tolerance.`,
    fires: example('def solution():\n    return 0.04286875', 0.043),
    quiet: example('def solution():\n    return 0.04286875', 0.04286875),
    checkRun(input, report) {
      const judged = judgedRun(input);
      if (judged?.verdict !== 'rounded' || judged.gold === undefined) return;
      const { gold, value = 0, decimals } = judged;
      const places = count(decimals, 'decimal');
      report({
        pointer: pointerTo(input.record, 'gold'),
        message: `${keyOfField(input.record, 'gold')} ${gold} is the result ${showRepr(input.run.value?.repr ?? '')} rounded to ${places}; it differs by ${difference(value, gold)}, more than the tolerance of ${percent(input.settings.tolerance.relative)}.`,
        found: `${value} ${gold}`,
        ...withFixes(storeValue(input), roundInSolution(input, judged)),
      });
    },
  },
  {
    code: 'answer/inexact',
    severity: 'info',
    needs: 'run',
    title: 'The gold is close to the result, but neither equal nor a rounding of it',
    why: `The solution's result lies within the relative tolerance of the gold, so a scorer accepts it. Yet the gold is not the result, nor the result rounded. Usually one of them was computed from rounded intermediate values, or a digit was mistyped.

Recompute the gold from the solution, or see which operand was rounded.`,
    fires: example(SOLUTION, 150.0004),
    quiet: example(SOLUTION, 150.0),
    checkRun(input, report) {
      const judged = judgedRun(input);
      if (judged?.verdict !== 'tolerance' || judged.rounding || judged.gold === undefined) return;
      const { gold, value = 0 } = judged;
      report({
        pointer: pointerTo(input.record, 'gold'),
        message: `${keyOfField(input.record, 'gold')} ${gold} is ${nearness(value, gold, judged.decimals, showRepr(input.run.value?.repr ?? ''))}: it differs by ${difference(value, gold)}.`,
        found: `${value} ${gold}`,
        ...withFixes(storeValue(input)),
      });
    },
  },
  {
    code: 'answer/number-as-text',
    severity: 'error',
    needs: 'record',
    title: 'The gold is text that reads as a number',
    why: `In this dataset the gold is a JSON number. Here it is text: copied from a page with its separators, currency, percent or brackets, with a typographic minus, or simply quoted. Loaders that need one type per column stop at such a row, and careless conversion drops a sign.

The message says which number the text reads as. Accounting brackets mean a negative number. A percent sign is only dropped: whether the dataset writes 12.5 or 0.125 is for you to say.`,
    fires: example(null, '(1,234)', 12.5),
    quiet: example(null, -1234.5, 12.5),
    checkRecord({ record }, report) {
      const gold = record.gold;
      if (typeof gold !== 'string' || gold === '') return;
      const read = readNumber(gold);
      if (read === undefined) return;
      const marks = read.marks.length === 0 ? '' : ` (written with ${read.marks.join(', ')})`;
      report({
        pointer: pointerTo(record, 'gold'),
        message: `${keyOfField(record, 'gold')} is the text ${show(gold)} where a number belongs; it reads as ${read.text}${marks}.`,
        found: gold,
        ...withFixes(numberFix(record, read)),
      });
    },
  },
  {
    code: 'answer/missing',
    severity: 'warning',
    needs: 'file',
    title: 'A record has no answer while others of the file have one',
    why: `The answer is null, empty or absent here, while other records of the file (and of the same split, where records name one) have it. A whole split may hide its answers; a single gap is usually a record that was not finished.

Besides, readers that infer a column's type from the first rows stumble over a null among numbers.`,
    fires: example(null, null, 3.5),
    quiet: example(null, 1.5, 3.5),
    digest: gapOf,
    reduce: reduceMissing,
  },
  {
    code: 'answer/hidden',
    severity: 'info',
    needs: 'file',
    title: 'All answers of the file are hidden',
    why: `No record of the file (or of a split in it) has an answer. Test splits are published like that. Nothing is wrong; it is told once, so that you know why no verdict on solutions is given.`,
    fires: example(null, null, null),
    quiet: example(null, 1.5, 3.5),
    digest: gapOf,
    reduce: reduceHidden,
  },
];

/** The judgement where the gold is a number and the solution gave one. */
function judgedRun({ record, run, settings }: RunInput): Judgement | undefined {
  return run.value === undefined ? undefined : judge(run, record.gold, settings);
}

/** Near without being a rounding, or rounded more coarsely than counts as one. */
function nearness(value: number, gold: number, decimals: number, result: string): string {
  const own = decimalsOf(gold);
  if (!isRounding(value, gold, own)) return `near the result ${result}, but neither equal to it nor a rounding of it`;
  const places = own === 0 ? 'a whole number' : count(own, 'decimal');
  return `the result ${result} rounded to ${places}, where ${count(decimals, 'decimal')} are kept`;
}

/** ": why", where the two numbers or the program show it. */
function causeOf({ record, settings }: RunInput, { value, gold }: Judgement): string {
  if (value === undefined || gold === undefined) return '';
  return `: ${bracketCause(record, settings) ?? causeOfMismatch(record, value, gold)}`;
}

/** The executed value for the gold: it changes what the record means, so that nobody but a person decides it. */
function storeValue(input: RunInput): Fix | undefined {
  const { record, run, settings } = input;
  // Then the formula is wrong, and not the gold.
  if (bracketCause(record, settings) !== undefined) return undefined;
  if (run.value === undefined || typeof record.gold !== 'number' || !computesValue(input)) return undefined;
  // What a decoder makes of the file's value cannot be written back.
  if (record.profile.fields.gold?.decoder !== undefined) return undefined;
  const { kind, repr } = run.value;
  const pointer = pointerTo(record, 'gold');
  const value = Number(repr);
  const isExact = kind === 'int' ? Number.isSafeInteger(value) : /^-?\d/.test(repr) && Number.isFinite(value);
  if (!isExact) return undefined;
  const edit = kind === 'int' ? replaceValue(pointer, value) : writeNumber(pointer, repr);
  return fixByChoice(`Store the executed value ${repr} as ${keyOfField(record, 'gold')}`, edit);
}

/** Marks that can be undone without a doubt: separators may be decimal ones, and a percent sign or currency is lost. */
const CERTAIN = /^(?:U\+[0-9A-F]{4} as its sign|digits that are not ASCII)$/;

/** The number that the text reads as. */
function numberFix(record: CanonicalRecord, { text, value, marks }: ReadNumber): Fix | undefined {
  // Beyond that a double does not say what is written.
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER || record.profile.fields.gold?.decoder !== undefined) return undefined;
  const edit = writeNumber(pointerTo(record, 'gold'), text);
  const title = `Write the number ${text}`;
  return marks.every((mark) => CERTAIN.test(mark)) ? safeFix(title, edit) : fixByChoice(title, edit);
}

function showRepr(repr: string): string {
  return repr.length <= 40 ? repr : `${repr.slice(0, 20)}… (${repr.length} characters)`;
}
