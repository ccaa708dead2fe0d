import { citeBlock, listFor } from '../edit/cite.ts';
import { fixByChoice, isPlainList, replaceElement, replaceInString, withFixes } from '../edit/fixes.ts';
import { pointerTo } from '../record/canonical.ts';
import type { CanonicalRecord } from '../record/types.ts';
import { decimalsOf } from '../solution/numbers.ts';
import { isEqual, isRounding } from '../solution/verdict.ts';
import { behind, evaluate, termsOf } from '../trace/evaluate.ts';
import type { Expression } from '../trace/program.ts';
import { scaleOfProse, scaleOfTerm } from '../trace/scales.ts';
import type { StatedScale } from '../trace/scale.ts';
import type { ScaledTerm } from '../trace/scales.ts';
import type { NumberPlace, TracedNumber } from '../trace/types.ts';
import { blockName, keyOfField, listNames } from './messages.ts';
import type { Report, Rule, TraceInput } from './types.ts';

const PARAGRAPHS = [
  'Widget revenue grew in 2032. Amounts are in thousands.',
  '| Item | 2031 | 2032 |\n| Widget revenue | 1,200 | 1,350 |\n| Returns | (60) | (75) |',
  'Gadget demand fell. A warehouse was sold for $4.5 million.',
];
const QUESTION = 'What was the change in widget revenue from 2031 to 2032? (in thousand)';
const GOOD = 'def solution():\n    r2031 = 1200\n    r2032 = 1350\n    return r2032 - r2031';

function example(
  python_solution: string,
  ground_truth: number,
  evidence: [number[], number[]] = [[1], [0]],
  question = QUESTION,
) {
  const [table_evidence, paragraph_evidence] = evidence;
  return {
    profile: 'docmath-eval',
    lines: [
      {
        question_id: 'demo-0',
        question,
        paragraphs: PARAGRAPHS,
        table_evidence,
        paragraph_evidence,
        python_solution,
        ground_truth,
      },
    ],
  };
}

const quiet = example(GOOD, 150);

export const traceRules: readonly Rule[] = [
  {
    code: 'evidence/value-not-cited',
    severity: 'warning',
    needs: 'trace',
    title: 'A value of the solution stands in a block that is not cited',
    why: `The solution uses a number that stands in the record's context, yet not in the blocks that the evidence cites. Who gets the cited blocks only cannot answer, and retrieval is scored against the wrong blocks.

Likely causes: the block was forgotten, or all indices are one off because they were counted from 1 or a block was removed; the message says so where the neighbouring block is cited for nothing.

Cite the block that holds the value. Small counts, 100, 365, powers of ten and numbers of the question need no evidence; thousands, millions, percents, brackets for minus and number words count as found.`,
    fires: example(GOOD, 150, [[], [0]]),
    quiet,
    checkTrace(input, report) {
      if (input.trace.cited.length > 0) checkCitations(input, report);
    },
  },
  {
    code: 'evidence/value-not-found',
    severity: 'warning',
    needs: 'trace',
    title: 'A value of the solution stands nowhere in the context',
    why: `The solution uses a number that stands nowhere in the record's context or question: neither as it is, nor in thousands, millions, billions or percent, nor with the other sign, nor in words.

Likely causes: it was mistyped (the message names numbers that differ by two exchanged digits), it was computed by hand before it was typed in, it comes from general knowledge, or the context belongs to another record.

Correct the number, compute it in the solution from numbers of the context, or add the block that holds it.`,
    fires: example('def solution():\n    return 1530 - 1200', 330),
    quiet,
    checkTrace(input, report) {
      if (isConstantAnswer(input)) return;
      for (const number of input.trace.numbers) {
        if (number.verdict === 'nowhere' || number.verdict === 'digits-exchanged') reportMissing(input, number, report);
      }
    },
  },
  {
    code: 'evidence/mixed-scales',
    severity: 'warning',
    needs: 'trace',
    title: 'A sum adds figures of different scales',
    why: `Two figures of one sum come from places that state different scales, such as a table in thousands and a sentence with millions, and the solution adds them as they are.

Convert one of them: multiply the figure in millions by 1000 before it is added to one in thousands.`,
    fires: example('def solution():\n    return 4.5 + 1350', 1354.5, [[1], [0, 2]]),
    quiet: example('def solution():\n    return 4.5 * 1000 + 1350', 5850, [[1], [0, 2]]),
    checkTrace({ trace, record }, report) {
      const result = trace.program?.result;
      if (result === undefined) return;
      const elsewhere = scaleOfProse(record, trace.cited);
      for (const sum of sumsIn(result)) {
        const mixed = mixedScales(sum, trace.numbers, elsewhere);
        if (mixed === undefined) continue;
        const [first, second] = mixed;
        report({
          pointer: pointerTo(record, 'solution'),
          inString: second.number.inString,
          message: `The sum adds ${first.number.text}, which ${first.place.name} gives in ${unitName(first)}, to ${second.number.text}, which ${second.place.name} gives in ${unitName(second)}.`,
          found: `${first.number.text} ${second.number.text}`,
          related: [first, second].map(({ place, stated }) => ({
            message: `In ${stated.word}s here`,
            pointer: place.pointer,
          })),
        });
      }
    },
  },
  {
    code: 'evidence/accounting-sign',
    severity: 'warning',
    needs: 'trace',
    title: 'A negative in accounting brackets is used as a positive number',
    why: `Tables write negative numbers in brackets: (71) is minus 71. In Python (71) is plus 71. The solution uses the number with a plus sign, its result is not the gold, and with a minus it would be.

Write the number with a minus.`,
    fires: example('def solution():\n    return 1350 + (75)', 1275),
    quiet: example('def solution():\n    return 1350 + -75', 1275),
    checkTrace: checkAccountingSign,
  },
  {
    code: 'solution/constant-answer',
    severity: 'warning',
    needs: 'trace',
    title: 'The solution returns the gold as a literal',
    why: `The solution returns a number that was typed in, equal to the gold, and the number stands nowhere in the context. Running it proves nothing: there is no calculation, and no evidence for the result.

Write down how the result follows from numbers of the context. A looked-up cell is fine: then the number is in the context.`,
    fires: example('def solution():\n    return 150.0', 150),
    quiet: example('def solution():\n    return 1350', 1350, [[1], [0]], 'What was widget revenue in 2032?'),
    checkTrace(input, report) {
      const literal = isConstantAnswer(input);
      if (literal === undefined) return;
      report({
        pointer: pointerTo(input.record, 'solution'),
        inString: literal.inString,
        message: `The solution returns the literal ${literal.text}, which is ${keyOfField(input.record, 'gold')} itself and stands nowhere in ${keyOfField(input.record, 'context')}: nothing is computed.`,
        found: literal.text,
      });
    },
  },
];

/** Verdicts of numbers that the context holds. */
const HELD: ReadonlySet<string> = new Set(['context', 'scaled', 'negated']);

interface Missing {
  readonly number: TracedNumber;
  readonly blocks: readonly number[];
}

/** One finding per block that should be cited, at the first number that it holds. */
function checkCitations({ record, trace }: TraceInput, report: Report): void {
  let missing: Missing[] = trace.numbers
    .filter(({ verdict, places }) => HELD.has(verdict) && places.length > 0 && places.every(({ cited }) => !cited))
    .map((number) => ({ number, blocks: [...new Set(number.places.map(({ block }) => block))] }));
  while (missing.length > 0) {
    const block = fullestBlock(missing);
    const held = missing.filter(({ blocks }) => blocks.includes(block));
    missing = missing.filter((one) => !held.includes(one));
    reportUncited(record, trace.numbers, held, block, report);
  }
}

/** The block that holds most of the numbers; of equal ones the first number's best. */
function fullestBlock(missing: readonly Missing[]): number {
  let best = missing[0]!.blocks[0]!;
  let most = 0;
  for (const block of missing.flatMap(({ blocks }) => blocks)) {
    const held = missing.filter(({ blocks }) => blocks.includes(block)).length;
    if (held > most) [best, most] = [block, held];
  }
  return best;
}

function reportUncited(
  record: CanonicalRecord,
  numbers: readonly TracedNumber[],
  held: readonly Missing[],
  block: number,
  report: Report,
): void {
  const first = held[0]!.number;
  const names = [...new Set(held.map(({ number }) => number.text))];
  const place = first.places.find((one) => one.block === block)!;
  const where = names.length === 1 ? place.name : blockName(record, block);
  const more = held.length === 1 ? held[0]!.blocks.length - 1 : 0;
  const others = more === 0 ? '' : ` (and in ${more} more that ${more === 1 ? 'is' : 'are'} not)`;
  const neighbour = idleNeighbour(record, numbers, block);
  const off = neighbour === undefined ? '' : ` ${neighbour.name}, 1 block off, is cited, but nothing comes from it.`;
  report({
    pointer: first.pointer,
    inString: first.inString,
    message: `${list(names)} ${names.length === 1 ? 'stands' : 'stand'} in ${where}, which is not cited${others}.${off}`,
    found: `${names.join(' ')} ${block}`,
    related: [{ message: `${first.text} stands here`, pointer: place.pointer }],
    ...withFixes(
      neighbour && {
        title: `Cite ${blockName(record, block)} instead of ${neighbour.name}`,
        safe: false,
        edits: [neighbour.edit],
      },
      citeFix(record, block),
    ),
  });
}

function citeFix(record: CanonicalRecord, block: number) {
  const edits = citeBlock(record, block);
  return edits && fixByChoice(`Cite ${blockName(record, block)}`, ...edits);
}

/** A cited block beside the one that holds the number, from which nothing comes: its index is probably one off. */
function idleNeighbour(record: CanonicalRecord, numbers: readonly TracedNumber[], block: number) {
  const field = listFor(record, block);
  const list = record[field];
  if (list === undefined || !isPlainList(record, field)) return undefined;
  for (const [at, cited] of list.entries()) {
    if (typeof cited !== 'number' || Math.abs(cited - block) !== 1) continue;
    if (numbers.some(({ places }) => places.some((place) => place.block === cited))) continue;
    const edit = replaceElement(record, field, at, [String(block)]);
    if (edit !== undefined) return { name: blockName(record, cited), edit };
  }
  return undefined;
}

function list(names: readonly string[]): string {
  const shown = listNames(names, 4).split(', ');
  return shown.length === 1 || names.length > 4
    ? shown.join(', ')
    : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)!}`;
}

function reportMissing({ record }: TraceInput, number: TracedNumber, report: Report): void {
  const near = number.verdict === 'digits-exchanged' ? number.places[0] : undefined;
  const written = near && writtenAt(record, near);
  const cause =
    written === undefined
      ? 'neither as it is, nor scaled, with the other sign or in words'
      : `${near!.name} has ${written}, so that probably two digits were exchanged`;
  report({
    pointer: number.pointer,
    inString: number.inString,
    message: `${number.text} stands nowhere in ${keyOfField(record, 'context')}: ${cause}.`,
    found: number.text,
    ...(near !== undefined && { related: [{ message: `${written} stands here`, pointer: near.pointer }] }),
    ...withFixes(written === undefined ? undefined : correctionOf(number, written)),
  });
}

function writtenAt(record: CanonicalRecord, place: NumberPlace): string {
  return String(record.context?.[place.block]).slice(place.inString.start, place.inString.end);
}

function correctionOf(number: TracedNumber, written: string) {
  const plain = written.replace(/[,\s]/g, '');
  if (!/^\d+(?:\.\d+)?$/.test(plain)) return undefined;
  const text = number.text.startsWith('-') ? `-${plain}` : plain;
  return fixByChoice(`Write ${text} instead of ${number.text}`, replaceInString(number.pointer, number.inString, text));
}

/** The sums inside an expression, outermost first. */
function sumsIn(expression: Expression): (readonly Expression[])[] {
  const sums: (readonly Expression[])[] = [];
  const seen = new Set<Expression>();
  const visit = (at: Expression): void => {
    const plain = behind(at);
    if (seen.has(plain) || seen.size > 400) return;
    seen.add(plain);
    const terms = termsOf(plain).map(({ term }) => term);
    if (terms.length > 1) {
      sums.push(terms);
      terms.forEach(visit);
    } else if (plain.kind === 'binary') {
      visit(plain.left);
      visit(plain.right);
    } else if (plain.kind === 'call') plain.arguments.forEach(visit);
    else if (plain.kind === 'sign') visit(plain.of);
  };
  visit(expression);
  return sums;
}

function mixedScales(
  terms: readonly Expression[],
  numbers: readonly TracedNumber[],
  elsewhere: StatedScale | undefined,
): readonly [ScaledTerm, ScaledTerm] | undefined {
  const scaled = terms.flatMap((term) => scaleOfTerm(term, numbers, elsewhere) ?? []);
  const first = scaled[0];
  const other = scaled.find(({ unit }) => unit !== first?.unit);
  return first === undefined || other === undefined ? undefined : [first, other];
}

function unitName({ stated }: ScaledTerm): string {
  return `${stated.word}s`;
}

function checkAccountingSign({ record, settings, trace }: TraceInput, report: Report): void {
  const { program, numbers } = trace;
  const gold = record.gold;
  if (program?.result === undefined || typeof gold !== 'number') return;
  const value = evaluate(program.result, program.literals);
  if (value === undefined || agrees(value, gold, settings.tolerance)) return;
  for (const [at, number] of numbers.entries()) {
    const place = number.places.find(({ isNegative }) => isNegative);
    if (number.verdict !== 'negated' || number.value <= 0 || place === undefined) continue;
    const flipped = evaluate(program.result, program.literals, new Map([[at, -number.value]]));
    if (flipped === undefined || !agrees(flipped, gold, settings.tolerance)) continue;
    report({
      pointer: number.pointer,
      inString: number.inString,
      message: `${place.name} has (${writtenAt(record, place)}), which is ${-number.value}; the solution uses ${number.value}. With the minus the result is the gold ${gold}.`,
      found: number.text,
      related: [{ message: 'In accounting brackets here', pointer: place.pointer }],
      ...withFixes(
        fixByChoice(`Write -${number.text}`, replaceInString(number.pointer, number.inString, `-${number.text}`)),
      ),
    });
  }
}

/** Equal, within the tolerance, or equal after rounding, as the comparison of result and gold goes. */
function agrees(value: number, gold: number, tolerance: TraceInput['settings']['tolerance']): boolean {
  if (isEqual(value, gold) || Math.abs(value - gold) <= tolerance.relative * Math.abs(gold)) return true;
  return isRounding(value, gold, Math.max(decimalsOf(gold), tolerance.decimals));
}

/** Questions that a count answers: it stands nowhere, it is made by counting. */
const COUNTS = /\bhow many\b|\bnumber of\b|\bcount\b/i;

/** The literal that the solution returns, where it is the gold and the context does not hold it. */
function isConstantAnswer({ record, settings, trace }: TraceInput): TracedNumber | undefined {
  const { program, numbers } = trace;
  if (program?.result === undefined || typeof record.gold !== 'number') return undefined;
  const result = behind(program.result);
  if (result.kind !== 'literal') return undefined;
  const number = numbers[result.literal];
  if (number === undefined || !agrees(number.value, record.gold, settings.tolerance)) return undefined;
  const isNowhere = ['nowhere', 'digits-exchanged', 'derived'].includes(number.verdict);
  const isCount = number.verdict === 'constant' && !COUNTS.test(record.question ?? '');
  return isNowhere || isCount ? number : undefined;
}
