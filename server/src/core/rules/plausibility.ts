import { parseBlock } from '../evidence/blocks.ts';
import { pointerTo } from '../record/canonical.ts';
import { shortNumber } from '../solution/numbers.ts';
import { currenciesIn, mayBeSame } from '../trace/currency.ts';
import { behind, evaluate, literalsIn, termsOf } from '../trace/evaluate.ts';
import type { Expression } from '../trace/program.ts';
import { periodsIn } from '../trace/periods.ts';
import { powerOfTen } from '../trace/scales.ts';
import { rowLabel } from '../trace/table.ts';
import type { NumberPlace, TracedNumber } from '../trace/types.ts';
import { contentWords } from '../trace/words.ts';
import { blockName, show } from './messages.ts';
import type { Report, Rule, TraceInput } from './types.ts';

const TABLE =
  '| Item | 2031 | 2032 | 2033 |\n| Widget revenue | 1,200 | 1,350 | 1,500 |\n| Gadget revenue | 800 | 728 | 700 |';

function example(question: string, python_solution: string, ground_truth: number, text = 'Amounts are in thousands.') {
  return {
    profile: 'docmath-eval',
    lines: [
      {
        question_id: 'demo-0',
        question,
        paragraphs: [text, TABLE],
        table_evidence: [1],
        paragraph_evidence: [0],
        python_solution: `def solution():\n    ${python_solution}`,
        ground_truth,
      },
    ],
  };
}

export const plausibilityRules: readonly Rule[] = [
  {
    code: 'plausibility/divisor',
    severity: 'warning',
    needs: 'trace',
    title: 'A mean is divided by another number than there are periods',
    why: `The question asks for an average over periods that it names, and the solution divides a sum by another number than there are periods. Gold and solution agree with each other, and both are wrong.

Count the periods: from 2031 to 2035 are five years. Correct the divisor and the gold.`,
    fires: example('What was the average widget revenue from 2031 to 2033?', 'return (1200 + 1350 + 1500) / 2', 2025),
    quiet: example('What was the average widget revenue from 2031 to 2033?', 'return (1200 + 1350 + 1500) / 3', 1350),
    checkTrace: checkDivisor,
  },
  {
    code: 'plausibility/returns-operand',
    severity: 'warning',
    needs: 'trace',
    title: 'The question asks for a change, share or ratio, the solution returns one figure',
    why: `The question asks for a change, a percentage or a ratio. The solution returns a figure of the evidence unchanged, and nothing says that this figure is the change or share itself. Probably the last step of the calculation was lost.

Complete the calculation, and correct the gold.`,
    fires: example('What percentage of 2032 revenue came from widgets?', 'return 1350', 1350),
    quiet: example('What was widget revenue in 2032?', 'return 1350', 1350),
    checkTrace: checkOperand,
  },
  {
    code: 'plausibility/operand-order',
    severity: 'warning',
    needs: 'trace',
    title: 'A change is computed as earlier minus later',
    why: `The question asks for the change from one year to a later one, and the solution subtracts the later figure from the earlier one: the sign of the result is the opposite. Questions for a decrease are left alone, since a decrease is given as a positive number.

Exchange the operands, and change the sign of the gold.`,
    fires: example('What was the change in gadget revenue from 2031 to 2032?', 'return 800 - 728', 72),
    quiet: example('What was the change in gadget revenue from 2031 to 2032?', 'return 728 - 800', -72),
    checkTrace: checkOrder,
  },
  {
    code: 'plausibility/other-row',
    severity: 'warning',
    needs: 'trace',
    title: 'The values come from another row than the question names',
    why: `All values of the solution come from one row of a table. The label of that row names something that the question does not mention, and another row of the same table is called exactly as the question says.

Compare the rows, and take the values from the one that the question means.`,
    fires: example('What was gadget revenue in 2032?', 'return 1350', 1350),
    quiet: example('What was gadget revenue in 2032?', 'return 728', 728),
    checkTrace: checkRow,
  },
  {
    code: 'plausibility/currency',
    severity: 'warning',
    needs: 'trace',
    title: 'Question and evidence name different currencies',
    why: `The question asks for an amount in one currency, the evidence gives it in another, and the solution multiplies or divides by no rate.

Correct the currency in the question, or convert the amount by a rate from the evidence.`,
    fires: example('What was widget revenue in 2032 in USD?', 'return 1350', 1350, 'Amounts are in thousands of EUR.'),
    quiet: example('What was widget revenue in 2032 in EUR?', 'return 1350', 1350, 'Amounts are in thousands of EUR.'),
    checkTrace: checkCurrency,
  },
];

/** The expression inside rounding, absolute values, percents and powers of ten. */
function core(expression: Expression, numbers: readonly TracedNumber[]): Expression {
  let at = behind(expression);
  for (let step = 0; step < 20; step++) {
    if (at.kind === 'call' && ['round', 'float', 'int'].includes(at.name) && at.arguments[0] !== undefined) {
      at = behind(at.arguments[0]);
    } else if (at.kind === 'binary' && (at.operator === '*' || at.operator === '/') && isPower(at.right, numbers)) {
      at = behind(at.left);
    } else if (at.kind === 'binary' && at.operator === '*' && isPower(at.left, numbers)) {
      at = behind(at.right);
    } else break;
  }
  return at;
}

function isPower(expression: Expression, numbers: readonly TracedNumber[]): boolean {
  const plain = behind(expression);
  return plain.kind === 'literal' && powerOfTen(numbers[plain.literal]!.value) !== undefined;
}

const MEAN = /\b(?:average|mean)\b/i;

function checkDivisor({ record, trace }: TraceInput, report: Report): void {
  const { program, numbers } = trace;
  const question = record.question ?? '';
  if (program?.result === undefined || !MEAN.test(question)) return;
  const periods = periodsIn(question).count;
  if (periods === undefined || periods < 2) return;
  const quotient = core(program.result, numbers);
  if (quotient.kind !== 'binary' || quotient.operator !== '/') return;
  const divisor = behind(quotient.right);
  const terms = termsOf(quotient.left);
  if (divisor.kind !== 'literal' || terms.length < 2 || terms.some(({ sign }) => sign < 0)) return;
  const number = numbers[divisor.literal]!;
  // Where as many figures are added up as are divided by, the sum is over other things than the periods.
  if (number.value === periods || number.value === terms.length || terms.length !== periods) return;
  if (!Number.isInteger(number.value) || number.value < 2 || number.value > 60) return;
  report({
    pointer: number.pointer,
    inString: number.inString,
    message: `The question names ${periods} periods and the solution adds up ${terms.length} figures, but the mean is divided by ${number.text}.`,
    found: `${number.text} ${periods}`,
  });
}

/** Questions whose answer takes two figures at least. */
const RELATES =
  /\b(?:percentage|percent|proportion|share|fraction) of\b|\bpercent(?:age)? (?:change|increase|decrease|growth|decline|difference)\b|\b(?:change|difference|increase|decrease|growth|decline) (?:in|of|between|from)\b|\bratio of\b|\bas a percent(?:age)? of\b|\bgrowth rate\b|\bpercent(?:age)? (?:did|do|does)\b|\bhow much (?:did|has|have)\b.*\b(?:increase|decrease|grow|grown|change|decline|rise|fall)d?\b/i;
/** What a row, column or sentence says of a figure that is such a change or share itself. */
const RELATED =
  /change|increas|decreas|growth|grew|declin|differen|ratio|rate|percent|%|share|portion|margin|versus|\bvs\b|\bof total\b|varian|effect|impact|gain|loss|adjust|reduc|higher|lower|improve|fell|rose|\bup\b|\bdown\b|more|less|net\b|average|yield|return|between|represent|account/i;

function checkOperand({ record, trace }: TraceInput, report: Report): void {
  const { program, numbers } = trace;
  const asked = RELATES.exec(record.question ?? '')?.[0];
  if (program?.result === undefined || asked === undefined) return;
  const result = behind(program.result);
  if (result.kind !== 'literal') return;
  const number = numbers[result.literal]!;
  const place = number.places[0];
  if (!['cited', 'context', 'negated'].includes(number.verdict) || place === undefined) return;
  if (number.places.some((one) => one.isPercent || RELATED.test(surroundings(record.context?.[one.block], one))))
    return;
  report({
    pointer: number.pointer,
    inString: number.inString,
    message: `The question asks for "${asked.toLowerCase()}", but the solution returns ${number.text}, one figure of ${place.name}, unchanged.`,
    found: number.text,
    related: [{ message: `${number.text} stands here`, pointer: place.pointer }],
  });
}

/** What is said of a figure: the labels of its cell, or the sentence around it. */
function surroundings(block: unknown, place: NumberPlace): string {
  if (place.cell !== undefined) return `${place.row ?? ''} ${place.column ?? ''}`;
  const text = String(block);
  const start = text.lastIndexOf('. ', place.inString.start) + 1;
  const end = text.indexOf('. ', place.inString.end);
  return text.slice(start, end < 0 ? text.length : end);
}

const FALLS =
  /\b(?:decrease|decline|reduction|drop|fall|fell|lower|less|loss|lost|decreased|declined|dropped|reduced|saved|savings?)\b/i;
const CHANGES = /\b(?:change|changes|growth|grow|grew|increase|increased|difference|rise|rose|variation)\b/i;

function checkOrder({ record, trace }: TraceInput, report: Report): void {
  const { program, numbers } = trace;
  const question = record.question ?? '';
  const change = periodsIn(question).change;
  if (program?.result === undefined || change === undefined) return;
  // An increase / (decrease) has the sign of a change.
  if (
    !CHANGES.test(question) ||
    (FALLS.test(question) && !/increase\s*\/?\s*\(?\s*(?:or\s+)?\(?decrease/i.test(question))
  )
    return;
  const difference = differenceIn(program.result, numbers);
  if (difference === undefined) return;
  const [first, second] = difference;
  const earlier = placeOfYear(first, change.from, change.to);
  const later = placeOfYear(second, change.to, change.from);
  if (earlier === undefined || later === undefined || first.value === second.value) return;
  if (earlier.block !== later.block || earlier.row !== later.row) return;
  const whole = evaluate(program.result, program.literals) ?? first.value - second.value;
  report({
    pointer: first.pointer,
    inString: {
      start: Math.min(first.inString.start, second.inString.start),
      end: Math.max(first.inString.end, second.inString.end),
    },
    message: `The question asks for the change from ${change.from} to ${change.to}, but the solution subtracts the ${change.to} figure ${second.text} from the ${change.from} figure ${first.text}: the change is ${shortNumber(second.value - first.value)}, not ${shortNumber(first.value - second.value)}.`,
    found: `${first.text} ${second.text} ${shortNumber(whole)}`,
    related: [
      { message: `${change.from}: ${first.text}`, pointer: earlier.pointer },
      { message: `${change.to}: ${second.text}`, pointer: later.pointer },
    ],
  });
}

/** The two figures of a difference, which may be divided by one of them. */
function differenceIn(
  result: Expression,
  numbers: readonly TracedNumber[],
): readonly [TracedNumber, TracedNumber] | undefined {
  let at = core(result, numbers);
  if (at.kind === 'binary' && at.operator === '/') at = core(at.left, numbers);
  if (at.kind !== 'binary' || at.operator !== '-') return undefined;
  const left = behind(at.left);
  const right = behind(at.right);
  if (left.kind !== 'literal' || right.kind !== 'literal') return undefined;
  const first = numbers[left.literal];
  const second = numbers[right.literal];
  return first === undefined || second === undefined ? undefined : [first, second];
}

/** The number's place in the column of a year, where all its places in tables stand under that year and none under the other. */
function placeOfYear(number: TracedNumber, year: string, other: string): NumberPlace | undefined {
  if (number.verdict !== 'cited' && number.verdict !== 'context') return undefined;
  if (number.places.some(({ column }) => column?.includes(other) === true && !column.includes(year))) return undefined;
  return number.places.find(({ column }) => column?.includes(year) === true && !column.includes(other));
}

function checkRow({ record, trace }: TraceInput, report: Report): void {
  const { program, numbers } = trace;
  if (program?.result === undefined) return;
  const figures = literalsIn(program.result)
    .map((at) => numbers[at]!)
    .filter(({ verdict }) => verdict !== 'constant' && verdict !== 'question');
  const first = figures[0]?.places[0];
  if (first?.cell === undefined || first.row === undefined) return;
  const isOneRow = figures.every(
    ({ verdict, places }) =>
      verdict === 'cited' &&
      places.length > 0 &&
      places.every((place) => place.block === first.block && place.row === first.row),
  );
  if (!isOneRow) return;
  const asked = contentWords(record.question ?? '');
  const own = contentWords(first.row);
  const foreign = [...own].filter((word) => !asked.has(word));
  if (own.size === 0 || foreign.length === 0) return;
  const other = rowNamedBy(asked, own, String(record.context![first.block]));
  if (other === undefined) return;
  const number = figures[0]!;
  report({
    pointer: number.pointer,
    inString: number.inString,
    message: `${number.text} stands in the row ${show(first.row, 60)} of ${blockName(record, first.block)}, but the question names the row ${show(other, 60)}.`,
    found: `${number.text} ${first.row}`,
    related: [{ message: `The row ${show(first.row, 60)}`, pointer: first.pointer }],
  });
}

/**
 * The only row with figures whose words all stand in the question, and that has more of the question than the row used.
 */
function rowNamedBy(asked: ReadonlySet<string>, own: ReadonlySet<string>, text: string): string | undefined {
  const shared = [...own].filter((word) => asked.has(word)).length;
  const named = new Set<string>();
  for (const cells of parseBlock(text).rows) {
    const label = rowLabel(cells, cells.length);
    if (label === undefined || !cells.some((cell, i) => i > 0 && /\d/.test(cell))) continue;
    const words = [...contentWords(label)].filter((word) => !/^\d/.test(word));
    if (words.length > shared && words.every((word) => asked.has(word))) named.add(label);
  }
  return named.size === 1 ? [...named][0] : undefined;
}

function checkCurrency({ record, trace }: TraceInput, report: Report): void {
  const { program, numbers } = trace;
  const asked = currenciesIn(record.question ?? '');
  const [wanted] = asked;
  if (program?.result === undefined || wanted === undefined || asked.length > 1 || wanted.code === '$') return;
  if (converts(program.result, numbers)) return;
  const evidence = trace.cited.map((block) => String(record.context![block])).join('\n');
  const given = currenciesIn(evidence);
  if (given.length !== 1 || given.some(({ code }) => mayBeSame(code, wanted.code))) return;
  const number = literalsIn(program.result)
    .map((at) => numbers[at]!)
    .find(({ verdict }) => verdict === 'cited');
  if (number === undefined) return;
  const [other] = given;
  report({
    pointer: number.pointer,
    inString: number.inString,
    message: `The question asks for ${wanted.code} ("${wanted.text}"), the cited evidence gives ${other!.code} ("${other!.text}"), and the solution converts nothing.`,
    found: `${wanted.code} ${other!.code}`,
    related: [
      { message: `In ${other!.code} here`, pointer: number.places[0]?.pointer ?? pointerTo(record, 'context') },
    ],
  });
}

/** Whether a product or quotient takes part that is more than a power of ten. */
function converts(expression: Expression, numbers: readonly TracedNumber[]): boolean {
  const plain = core(expression, numbers);
  if (plain.kind === 'binary') {
    if (plain.operator !== '+' && plain.operator !== '-') return true;
    return converts(plain.left, numbers) || converts(plain.right, numbers);
  }
  return plain.kind === 'call' || plain.kind === 'unknown';
}
