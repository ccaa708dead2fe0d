/** Where in a text that was found the words and numbers of a query stand. */
import type { Span } from '../finding.ts';
import { indexBlock, mentionAt } from '../trace/index.ts';
import { numberTerm, scaledTerms, wordTerm } from './terms.ts';
import type { Query, QueryNumber } from './terms.ts';

const WORD = /\p{L}[\p{L}\p{M}]*/gu;

export interface PlacedNumber {
  readonly match: 'number' | 'other-sign' | 'scaled';
  readonly place: Span;
}

/** The best place of one of the numbers, where the text has all of them. */
export function placeOfNumbers(text: string, wanted: readonly QueryNumber[]): PlacedNumber | undefined {
  const indexed = indexBlock(text);
  const { digits, powers, starts, ends } = indexed.numbers;
  let worst: PlacedNumber | undefined;
  for (const number of wanted) {
    const equal = new Set(number.readings.map((reading) => numberTerm(reading.digits, reading.power)));
    const scaled = new Set(scaledTerms(number));
    let best: PlacedNumber | undefined;
    for (let at = 0; at < digits.length && best?.match !== 'number'; at++) {
      const term = numberTerm(digits[at]!, powers[at]!);
      if (!equal.has(term) && !scaled.has(term)) continue;
      const place = { start: starts[at]!, end: ends[at]! };
      const mention = mentionAt(indexed, place.start, place.end);
      const match = equal.has(term)
        ? mention.isNegative === number.isNegative
          ? 'number'
          : 'other-sign'
        : mention.isPercent === number.isPercent && isHundredfold(number, digits[at]!, powers[at]!)
          ? undefined
          : 'scaled';
      if (match === undefined) continue;
      if (best === undefined || GRADES.indexOf(match) < GRADES.indexOf(best.match)) best = { match, place };
    }
    if (best === undefined) return undefined;
    if (worst === undefined || GRADES.indexOf(best.match) > GRADES.indexOf(worst.match)) worst = best;
  }
  return worst;
}

/** Numbers that differ by a hundred are one number where one of them is a percent. */
function isHundredfold({ readings }: QueryNumber, digits: number, power: number): boolean {
  return readings.some((reading) => reading.digits === digits && Math.abs(reading.power - power) === 2);
}

const GRADES: readonly PlacedNumber['match'][] = ['number', 'other-sign', 'scaled'];

/** A stretch of a text that is shown of a hit, in UTF-16 units. */
const STRETCH = 160;

/** The stretch of a part with most different words of the query, from the first of them to the last. */
export function placeOfWords(text: string, part: Span, query: Query): Span {
  const found = markedParts(text, part, query);
  let best: Span | undefined;
  let most = 0;
  for (const [at, { start }] of found.entries()) {
    const within = found.slice(at, at + 40).filter(({ end }) => end <= start + STRETCH);
    const different = new Set(within.map(({ term }) => term)).size;
    if (different > most) [most, best] = [different, { start, end: within.at(-1)?.end ?? start }];
  }
  return best ?? { start: part.start, end: part.start };
}

export interface Marked extends Span {
  readonly term: string;
}

/** The words and numbers of the query in a part of a text, in order of place, without those inside others. */
export function markedParts(text: string, { start, end }: Span, query: Query): Marked[] {
  const wanted = new Set(query.words);
  const last = query.isOpen ? query.words.at(-1) : undefined;
  const found: Marked[] = [];
  for (const match of text.slice(start, end).matchAll(WORD)) {
    const [word] = match;
    const term = wordTerm(word) ?? word.toLowerCase();
    const isBegun = last !== undefined && term.startsWith(last);
    if (!wanted.has(term) && !isBegun) continue;
    found.push({ term: isBegun ? last : term, start: start + match.index, end: start + match.index + word.length });
  }
  const numbers = new Map(
    query.numbers.flatMap((number, at) =>
      [...number.readings.map((one) => numberTerm(one.digits, one.power)), ...scaledTerms(number)].map(
        (term) => [term, `number ${at}`] as const,
      ),
    ),
  );
  if (numbers.size > 0) {
    const { digits, powers, starts, ends } = indexBlock(text).numbers;
    for (let at = 0; at < digits.length; at++) {
      if (starts[at]! < start || ends[at]! > end) continue;
      const term = numbers.get(numberTerm(digits[at]!, powers[at]!));
      if (term !== undefined) found.push({ term, start: starts[at]!, end: ends[at]! });
    }
  }
  found.sort((a, b) => a.start - b.start || b.end - a.end);
  let to = -1;
  return found.filter((one) => one.start >= to && (to = one.end) > 0);
}
