import { fixByChoice, removeElement, withFixes } from '../edit/fixes.ts';
import { isTable } from '../evidence/blocks.ts';
import type { LocalFinding, Span } from '../finding.ts';
import { pointerTo } from '../record/canonical.ts';
import type { CanonicalRecord } from '../record/types.ts';
import { isEqual } from '../solution/verdict.ts';
import { evaluate, literalsIn } from '../trace/evaluate.ts';
import { programOf } from '../trace/program.ts';
import type { Program } from '../trace/program.ts';
import { statedScale } from '../trace/scale.ts';
import { contentWords, sharesWord } from '../trace/words.ts';
import type { Trace } from '../trace/types.ts';
import { blockName, placeOfElement, show, valueAt } from './messages.ts';
import type { Report, Rule, RunInput } from './types.ts';

const QUESTION = 'What was the change in widget revenue from 2031 to 2032? (in thousand)';
const GOOD = 'def solution():\n    r2031 = 1200\n    r2032 = 1350\n    return r2032 - r2031';

function example(python_solution: string, paragraph_evidence: readonly number[] = [0]) {
  return {
    profile: 'docmath-eval',
    lines: [
      {
        question_id: 'demo-0',
        question: QUESTION,
        paragraphs: [
          'Widget revenue grew in 2032. Amounts are in thousands.',
          '| Item | 2031 | 2032 |\n| Widget revenue | 1,200 | 1,350 |\n| Gadget revenue | 800 | 728 |',
          'Our offices moved.',
        ],
        table_evidence: [1],
        paragraph_evidence,
        python_solution,
        ground_truth: 150,
      },
    ],
  };
}

export const unusedRules: readonly Rule[] = [
  {
    code: 'evidence/unused',
    severity: 'info',
    needs: 'trace',
    title: 'A cited block gives nothing to question, answer or solution',
    why: `The evidence cites a block from which no value of the solution comes, that states no scale, and that shares no word with the question, the answer or the names in the solution (words such as "the" or "year" apart). Retrieval is scored against it all the same.

Likely causes: the index is wrong, or the block was cited for its neighbourhood. Remove the index, or correct it.`,
    fires: example(GOOD, [0, 2]),
    quiet: example(GOOD),
    checkTrace({ record, trace }, report) {
      let words: ReadonlySet<string> | undefined;
      // A block that is cited twice is evidence/duplicate-index's.
      const seen = new Set<number>();
      for (const field of ['tableEvidence', 'textEvidence'] as const) {
        for (const [at, block] of (record[field] ?? []).entries()) {
          if (typeof block !== 'number' || !trace.cited.includes(block) || seen.has(block)) continue;
          seen.add(block);
          if (givesValueOrScale(record, trace, block)) continue;
          if (isCompared(record, block)) continue;
          words ??= wordsOf(record, trace);
          if (sharesWord(String(record.context![block]), words)) continue;
          const text = show(record.context![block], 60).replace(/\s+/g, ' ');
          // Evidence that is empty would be the next fault.
          const removal = trace.cited.length > 1 ? removeElement(record, field, at) : undefined;
          report({
            ...placeOfElement(record, field, at),
            message: `${blockName(record, block)} is cited, but it gives no value, no scale and no word of question, answer or solution: ${text}.`,
            found: String(block),
            ...withFixes(removal && fixByChoice(`Do not cite ${blockName(record, block)}`, removal)),
          });
        }
      }
    },
  },
  unusedValue(),
];

/** What the text tells is said at once; what further runs tell, when they are there. */
function unusedValue(): Rule {
  const rule: Rule = {
    code: 'solution/unused-value',
    severity: 'info',
    needs: 'solution',
    title: 'A value is assigned and never matters',
    why: `The solution assigns a value and does nothing with it: the name is never read, or whatever the value were, the result would be the same (the value was tried out as smaller, larger, zero and negative). Sometimes it is padding; sometimes a step of the calculation was forgotten.

Remove the assignment, or use the value.`,
    fires: example(`${GOOD.replace('    return', '    other = 800\n    return')}`),
    quiet: example(GOOD),
    checkRecord({ record, solution, settings }, report) {
      if (solution?.runnable !== true) return;
      checkAssignments(record, programOf(solution, settings.profile.entryPoint), report);
    },
  };
  const both = {
    ...rule,
    checkRun({ record, run, solution, settings }: RunInput, report: Report) {
      const still = run.probed?.withoutEffect;
      if (still === undefined || solution === undefined) return;
      for (const { name, span } of programOf(solution, settings.profile.entryPoint).assignments) {
        if (still.includes(name)) report(withoutEffectOf(record, name, span));
      }
    },
  };
  return both;
}

/** Units that a block states for others; a number with its own scale word states none. */
const UNIT =
  /\bin (?:percent|percentages?|basis points|units|dollars|euros)\b|\bexcept (?:for )?(?:per|share|percent)|\bper share data\b/i;

function givesValueOrScale(record: CanonicalRecord, trace: Trace, block: number): boolean {
  if (trace.numbers.some(({ places }) => places.some((place) => place.block === block))) return true;
  const text = record.context![block];
  // A blank block has nothing to say, and is another matter.
  return typeof text !== 'string' || text.trim() === '' || UNIT.test(text) || statedScale(text) !== undefined;
}

/** Questions for the first, last or largest of several: rows that lose are evidence as well. */
const COMPARES =
  /\b(?:highest|lowest|largest|smallest|biggest|greatest|least|fewest|most|best|worst|maximum|minimum|max|min|exceed(?:s|ed)?|rank(?:s|ed)?)\b/i;

function isCompared({ question, context }: CanonicalRecord, block: number): boolean {
  return COMPARES.test(question ?? '') && isTable(String(context![block]));
}

const YEAR = /^(?:19|20)\d\d$/;

function wordsOf(record: CanonicalRecord, { program }: Trace): Set<string> {
  const answer = Array.isArray(record.answer) ? record.answer.map(String).join(' ') : String(record.answer ?? '');
  const comments = record.solution?.match(/#[^\n]*/g)?.join(' ') ?? '';
  const names = program?.names.join(' ').replaceAll('_', ' ') ?? '';
  // What is written where a solution belongs and is none: items that were counted, rows that were compared.
  const written = valueAt(record.source, pointerTo(record, 'solution'));
  const isNote = record.solution === undefined && record.program === undefined && typeof written === 'string';
  const notes = isNote ? written : '';
  const words = contentWords(`${record.question ?? ''} ${names} ${comments} ${notes}`);
  // Years stand everywhere; those that are the answer itself are looked up all the same.
  for (const word of words) if (YEAR.test(word)) words.delete(word);
  for (const word of contentWords(answer)) words.add(word);
  return words;
}

/** Other values of a number, tried out to see whether the result moves. */
const NUDGES: readonly ((value: number) => number)[] = [
  (value) => value * 1.01 + 0.01,
  (value) => value * 0.5 - 1,
  (value) => -value * 1000 - 7,
  (value) => value * 1000 + 7,
  () => 0,
];

function checkAssignments(record: CanonicalRecord, program: Program, report: Report): void {
  const still = withoutEffect(program);
  for (const { name, span, value, isRead } of program.assignments) {
    if (name.startsWith('_')) continue;
    const literals = literalsIn(value);
    const isStill = value.kind === 'literal' && literals.every((literal) => still.has(literal));
    if (isRead && !isStill) continue;
    if (isRead) report(withoutEffectOf(record, name, span));
    else {
      report({
        pointer: pointerTo(record, 'solution'),
        inString: span,
        message: `The value of ${name} is assigned and never read.`,
        found: name,
      });
    }
  }
}

function withoutEffectOf(record: CanonicalRecord, name: string, span: Span): Omit<LocalFinding, 'code'> {
  return {
    pointer: pointerTo(record, 'solution'),
    inString: span,
    message: `The value of ${name} is read, but the result is the same whatever it is.`,
    found: name,
  };
}

/** Literals that the result is made of and does not move with; none where the result takes more than arithmetic. */
function withoutEffect({ result, literals }: Program): ReadonlySet<number> {
  const still = new Set<number>();
  const value = result && evaluate(result, literals);
  if (result === undefined || value === undefined) return still;
  for (const literal of literalsIn(result)) {
    const moves = NUDGES.some((nudge) => {
      const replaced = new Map([[literal, nudge(literals[literal]!.value)]]);
      const nudged = evaluate(result, literals, replaced);
      // A value that cancels out leaves the last digits of floats behind.
      return nudged === undefined || !isEqual(nudged, value);
    });
    if (!moves) still.add(literal);
  }
  return still;
}
