import type { CanonicalRecord } from '../record/types.ts';
import { decimalsOf } from '../solution/numbers.ts';
import { EQUAL_RELATIVE, isEqual, isRounding } from '../solution/verdict.ts';
import { blockName, count, difference, keyOfField, listNames } from './messages.ts';

/** Causes of a mismatch that the two numbers themselves show, together with what question and evidence say of scale. */

/** Powers of ten by which scales are confused. */
const POWERS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
/** A gold that was rounded after scaling still shows the factor: as much as the tolerance of the comparison. */
const NEAR = 0.0015;

/**
 * How a value differs from the gold, as the end of a sentence: "differs by exactly 1000; paragraphs[0] says thousands".
 * Falls back to the plain difference.
 */
export function causeOfMismatch(record: CanonicalRecord, value: number, gold: number): string {
  if (!Number.isFinite(value)) return 'the result is beyond what a JSON number can hold';
  return (
    signCause(record, value, gold) ??
    factorCause(record, value, gold) ??
    wholeNumberCause(record, value, gold) ??
    quotientCause(record, value, gold) ??
    `differs by ${difference(value, gold)}${roundingCause(value, gold)}`
  );
}

/** Rounded to fewer decimals than are kept, and so by more than the tolerance. */
function roundingCause(value: number, gold: number): string {
  const decimals = decimalsOf(gold);
  if (gold === 0 || !isRounding(value, gold, decimals)) return '';
  return `, for the gold is the result rounded to ${decimals === 0 ? 'a whole number' : count(decimals, 'decimal')}`;
}

function signCause(record: CanonicalRecord, value: number, gold: number): string | undefined {
  if (value === 0 || !agrees(-value, gold)) return undefined;
  const subtracts = /[\w)\]]\s*-\s*[\w(]/.test(record.solution ?? '');
  return `the sign differs; ${subtracts ? 'probably the operands of a difference are swapped' : 'probably a minus was lost'}`;
}

function factorCause(record: CanonicalRecord, value: number, gold: number): string | undefined {
  if (value === 0 || gold === 0) return undefined;
  const ratio = Math.abs(gold / value);
  // Nothing rounds a factor of ten away, so the nearest power is the only candidate.
  const power = Math.round(Math.log10(ratio));
  if (power === 0 || !POWERS.includes(Math.abs(power))) return undefined;
  const factor = 10 ** Math.abs(power);
  const scaled = power > 0 ? value * factor : value / factor;
  if (!agrees(Math.abs(scaled), Math.abs(gold))) return undefined;
  const exactly = Math.abs(Math.abs(scaled) - Math.abs(gold)) <= EQUAL_RELATIVE * Math.abs(gold) ? 'exactly' : 'about';
  const sign = value > 0 === gold > 0 ? '' : ', and in sign';
  const stated = statedScales(record, Math.abs(power));
  const reason =
    stated.length > 0
      ? `; ${listNames(stated)}`
      : Math.abs(power) === 2
        ? '; probably one is in percent and the other a fraction'
        : '; probably one is given in another unit';
  return `differs by a factor of ${exactly} ${factor}${sign}${reason}`;
}

/** The result is the gold cut or rounded to a whole number, and the solution does such a thing. */
function wholeNumberCause(record: CanonicalRecord, value: number, gold: number): string | undefined {
  const solution = record.solution ?? '';
  if (!Number.isInteger(value) || Number.isInteger(gold) || Math.abs(value - gold) >= 1) return undefined;
  const plain = `differs by ${difference(value, gold)}`;
  if (solution.includes('//') && value === Math.floor(gold)) return `${plain}, lost to the floor division //`;
  if (/\bint\s*\(/.test(solution) && value === Math.trunc(gold)) return `${plain}, cut off by int()`;
  if (/\bround\s*\(/.test(solution) && Math.abs(value - gold) <= 0.5) return `${plain}, lost to round()`;
  return undefined;
}

function quotientCause(record: CanonicalRecord, value: number, gold: number): string | undefined {
  if (value === 0 || gold === 0 || Math.abs(value) === 1) return undefined;
  // a/b against b/a; both may be in percent. (a-b)/b against (b-a)/a has the other base.
  if (isNear(value * gold, 1)) return 'it is 1 divided by the result: probably the operands of a division are swapped';
  if (isNear(value * gold, 1e4))
    return 'it is the reciprocal in percent: probably the operands of a division are swapped';
  if (isNear(1 / (1 + value) - 1, gold) || isNear(100 / (1 + value / 100) - 100, gold)) {
    return `differs by ${difference(value, gold)}; it is the change measured from the other operand: they are probably swapped`;
  }
  // The same difference over the other operand: (a-b)/a against (a-b)/b, and the reverse.
  if (!/-[^/]*\//s.test(record.solution ?? '')) return undefined;
  if ([1, 100].some((whole) => [whole - value, whole + value].some((base) => isNear((value * whole) / base, gold)))) {
    return `differs by ${difference(value, gold)}; it is the same difference divided by the other operand: probably the wrong one is the base`;
  }
  return undefined;
}

/** Near, or rounded to the gold's own decimals, of which at least two digits are left to tell anything. */
function agrees(value: number, gold: number): boolean {
  if (isNear(value, gold)) return true;
  const decimals = decimalsOf(gold);
  return Math.abs(gold) * 10 ** decimals >= 10 && isRounding(value, gold, decimals);
}

/** Equal, or as near as rounding of one of the two to three or more digits leaves it. */
function isNear(a: number, b: number): boolean {
  if (!Number.isFinite(a) || !Number.isFinite(b)) return false;
  return isEqual(a, b) || (a > 0 === b > 0 && Math.abs(a - b) <= NEAR * Math.max(Math.abs(a), Math.abs(b)));
}

/** Words for scale, and the powers of ten by which a number is off when one of them is overlooked or mistaken. */
const SCALES: readonly { readonly pattern: RegExp; readonly powers: readonly number[] }[] = [
  { pattern: /(?<![a-z])(?:basis points?|bps?)\b/i, powers: [2, 4] },
  { pattern: /\bper ?cent(?:ages?)?(?: points?)?\b|%/i, powers: [2] },
  { pattern: /\b(?:ten )thousand(?:th)?s?\b/i, powers: [4] },
  // Letters stand alone behind a currency sign, or right behind a number with one: US$m, $12M; K also without one.
  {
    pattern:
      /(?<!ten )\bthousand(?:th)?s?\b|(?<![\d,.])['’]?\b000s?\b|\p{Sc} ?(?:[\d.,]*\d ?)?k\b|(?<=\d)K\b|\bTEUR\b|\bTsd\b|\bkilo(?=[a-z])/iu,
    powers: [3],
  },
  {
    pattern: /\bmillions?\b|(?<![a-z])(?:mm|mn|mio|mln)\b|\p{Sc} ?(?:[\d.,]*\d ?)?m\b|\bppm\b/iu,
    powers: [3, 6],
  },
  { pattern: /\bbillions?\b|(?<![a-z])bn\b|\p{Sc} ?(?:[\d.,]*\d ?)?b\b/iu, powers: [3, 6, 9] },
  { pattern: /‰|\bper ?mille?\b/i, powers: [1, 3] },
  { pattern: /\btrillions?\b/i, powers: [3, 6, 9, 12] },
  { pattern: /\bhundreds?\b/i, powers: [2] },
  { pattern: /\bla(?:kh|c)s?\b/i, powers: [5] },
  { pattern: /\bcrores?\b/i, powers: [7] },
];
const POWER_OF_TEN = /\b10\s?(?:\^|\*\*)\s?\{?([+-]?\d{1,2})\}?|\b10([⁻⁺]?[¹²³⁴⁵⁶⁷⁸⁹])|\b1e([+-]?\d{1,2})\b/iu;
const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** Statements of a scale that explains the power: in the question, in what is cited, else in the whole context. */
function statedScales(record: CanonicalRecord, power: number): string[] {
  const cited = [...(record.textEvidence ?? []), ...(record.tableEvidence ?? [])];
  const ofQuestion = statementsIn(record.question, 'the question', power);
  const ofEvidence = cited.flatMap((index) => ofBlock(record, index, power));
  if (ofEvidence.length > 0 || ofQuestion.length > 0) return [...ofEvidence, ...ofQuestion];
  const unit = record.unit === undefined ? [] : statementsIn(record.unit, keyOfField(record, 'unit'), power);
  return unit.length > 0
    ? unit
    : (record.context ?? []).flatMap((_, index) => ofBlock(record, index, power)).slice(0, 3);
}

function ofBlock(record: CanonicalRecord, index: unknown, power: number): string[] {
  if (typeof index !== 'number') return [];
  return statementsIn(record.context?.[index], blockName(record, index), power);
}

function statementsIn(text: unknown, place: string, power: number): string[] {
  if (typeof text !== 'string') return [];
  const words = SCALES.filter(({ powers }) => powers.includes(power)).flatMap(
    ({ pattern }) => pattern.exec(text)?.[0] ?? [],
  );
  const written = POWER_OF_TEN.exec(text);
  if (written !== null && Math.abs(exponentOf(written)) === power) words.push(written[0]);
  return words.length === 0 ? [] : [`${place} says ${words.map((word) => `"${word}"`).join(' and ')}`];
}

function exponentOf([, caret, superscript, scientific]: RegExpExecArray): number {
  if (superscript === undefined) return Number(caret ?? scientific);
  return SUPERSCRIPTS.indexOf(superscript.at(-1)!);
}
