/**
 * Texts as terms of an index. Words are in lower case with their plural endings off. A number is its significant digits and its
 * power of ten, so that 1,234, 1234 and 1.234e3 are one term, and 1.234 million is that term with another power.
 */
import { SCALING_POWERS } from '../trace/constants.ts';
import { indexBlock, mentionAt } from '../trace/index.ts';
import type { Span } from '../finding.ts';
import { stem } from '../trace/words.ts';

/** Words so frequent that they tell nothing; they count where a phrase is looked for. */
const EVERYWHERE: ReadonlySet<string> = new Set(
  'a an and are as at be by for from has have in is it its of on or our that the this to was were with'.split(' '),
);

const WORD = /\p{L}[\p{L}\p{M}]*/gu;

/** A number as a term. `digits` without trailing zeros. */
export function numberTerm(digits: number, power: number): string {
  return `${digits}e${power}`;
}

/** Term of a word; undefined where it tells nothing. */
export function wordTerm(word: string): string | undefined {
  const lower = word.toLowerCase();
  return EVERYWHERE.has(lower) ? undefined : stem(lower);
}

/** Terms of the words and numbers that begin in a part of a text. */
export function termsIn(text: string, { start, end }: Span): string[] {
  const terms: string[] = [];
  for (const [word] of text.slice(start, end).matchAll(WORD)) {
    const term = wordTerm(word);
    if (term !== undefined) terms.push(term);
  }
  const { digits, powers, starts } = indexBlock(text).numbers;
  for (let at = firstFrom(starts, start); at < starts.length && starts[at]! < end; at++) {
    terms.push(numberTerm(digits[at]!, powers[at]!));
  }
  return terms;
}

/** Position of the first number that starts at an offset or after it; a number's other readings start a little before others. */
function firstFrom(starts: Int32Array, offset: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (starts[middle]! < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A number of a query with its other readings: `12,5` may be twelve and five, or twelve and a half. */
export interface QueryNumber {
  readonly readings: readonly { readonly digits: number; readonly power: number }[];
  readonly isNegative: boolean;
  readonly isPercent: boolean;
  /** Nobody writes a year in thousands. */
  readonly isScalable: boolean;
}

export interface Query {
  /** Finds the query as it is written, blanks and borders of cells between its parts; undefined: it is too short for that. */
  readonly phrase: RegExp | undefined;
  /** Terms of the words, each once, in order. */
  readonly words: readonly string[];
  readonly numbers: readonly QueryNumber[];
  /** The last word may go on. */
  readonly isOpen: boolean;
}

/** Queries are looked at up to so many UTF-16 units: what was selected may be a whole paragraph. */
const LONGEST = 1000;

export function readQuery(given: string): Query {
  const text = given.slice(0, LONGEST);
  const words = new Set([...text.matchAll(WORD)].flatMap(([word]) => wordTerm(word) ?? []));
  // What is no word of its own is one where there is nothing else: "is", "with".
  if (words.size === 0) for (const [word] of text.matchAll(WORD)) words.add(stem(word.toLowerCase()));
  return {
    phrase: phraseOf(text.trim()),
    words: [...words].filter((word) => !isUnit(word, text)),
    numbers: numbersOf(text),
    isOpen: /\p{L}$/u.test(text),
  };
}

/** The exponent of 1.2e3 is no word. */
function isUnit(word: string, text: string): boolean {
  return word === 'e' && /\de[+-]?\d/i.test(text);
}

function numbersOf(text: string): QueryNumber[] {
  const indexed = indexBlock(text);
  const { digits, powers, starts, ends } = indexed.numbers;
  const numbers: (QueryNumber & { readonly readings: { digits: number; power: number }[] })[] = [];
  let from = -1;
  let end = -1;
  for (let at = 0; at < digits.length; at++) {
    const reading = { digits: digits[at]!, power: powers[at]! };
    // A reading inside the last number is one more of it.
    if (starts[at]! < end && starts[at]! >= from) {
      numbers.at(-1)!.readings.push(reading);
      end = Math.max(end, ends[at]!);
      continue;
    }
    from = starts[at]!;
    end = ends[at]!;
    const isYear = /^(?:19|20)\d\d$/.test(text.slice(from, end));
    const { isNegative, isPercent } = mentionAt(indexed, from, end);
    const sign = isNegative || isNegated(text, from);
    numbers.push({ readings: [reading], isNegative: sign, isPercent, isScalable: !isYear });
  }
  return numbers;
}

/** `-5` alone, and `(5)` while its bracket is still to be written. */
function isNegated(text: string, at: number): boolean {
  return /^\s*[-−–(]\s*[$€£¥]?\s*$/.test(text.slice(0, at));
}

/** The terms that stand for a number in other scales. */
export function scaledTerms({ readings, isScalable }: QueryNumber): string[] {
  if (!isScalable) return [];
  return readings.flatMap(({ digits, power }) =>
    digits === 0 ? [] : [...SCALING_POWERS].map((by) => numberTerm(digits, power + by)),
  );
}

/** Whole words and numbers only; the last word may go on. */
function phraseOf(text: string): RegExp | undefined {
  const parts = text.split(/[\s|]+/).filter((part) => part !== '');
  if (parts.join('').length < 2) return undefined;
  const before = /^[\p{L}\p{N}]/u.test(text) ? '(?<![\\p{L}\\p{N}]|\\p{N}[.,])' : '';
  const after = /\p{N}$/u.test(text) ? '(?!\\p{L}|[.,]?\\p{N})' : '';
  return new RegExp(before + parts.map(escaped).join('[\\s|]+') + after, 'iu');
}

function escaped(part: string): string {
  return part.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
