import type { Span } from '../finding.ts';
import { SCALING_POWERS, worksAsConstant } from './constants.ts';
import { indexBlock, mentionAt } from './index.ts';
import type { Literal } from './program.ts';
import { digitsOf } from './scan.ts';
import type { NumberPlace, TraceVerdict } from './types.ts';
import { contentWords, spelledOut } from './words.ts';

/** Texts that numbers are looked up in: the blocks of a context, or what stands on pages. */
export interface Evidence {
  /** What is no text holds no number. */
  readonly texts: readonly unknown[];
  readonly question: string | undefined;
  /** Where a text stands in the record. */
  pointerOf(index: number): string;
  /** As in messages: `paragraphs[3]`. */
  nameOf(index: number): string;
}

/** A number to look for. */
export interface Wanted extends Literal {
  /** Pointer of the text that holds it. */
  readonly pointer: string;
  /** People may have rounded it: a number of an answer. */
  readonly rounding?: Rounding;
}

/** How a number of an answer is meant. */
export interface Rounding {
  /** Power of ten of its unit: 9 for "8.70 billion", or where the question wants billions. */
  readonly unit: number;
  readonly isPercent: boolean;
}

export interface Found {
  readonly verdict: Extract<
    TraceVerdict,
    'cited' | 'context' | 'scaled' | 'negated' | 'digits-exchanged' | 'nowhere' | 'constant'
  >;
  readonly power?: number;
  /** The places have more digits. */
  readonly isRounded?: true;
  readonly places: readonly NumberPlace[];
}

/** A number of the context that may be the one. */
interface Hit {
  readonly block: number;
  /** Position in the block's lists. */
  readonly at: number;
  /** 10^power by which the literal is larger. */
  readonly power: number;
}

/** Hits kept per number and kind: a year stands everywhere. Cited blocks are looked through first. */
const HITS = 24;
/** Places given per number. */
const PLACES = 8;

interface Search {
  readonly literal: Wanted;
  readonly power: number;
  readonly exact: Hit[];
  readonly scaled: Hit[];
}

/**
 * Looks numbers up, in what is cited first. Places are in the order of how well their row, column and sentence fit the name
 * of the variable (or the question).
 */
export function findNumbers(evidence: Evidence, wanted: readonly Wanted[], cited: readonly number[]): Found[] {
  const { texts } = evidence;
  const searches = new Map<number, Search[]>();
  const all = wanted.map((literal): Search => {
    const { digits, power } = digitsOf(literal.value);
    const search: Search = { literal, power, exact: [], scaled: [] };
    const same = searches.get(digits);
    if (same === undefined) searches.set(digits, [search]);
    else same.push(search);
    return search;
  });
  for (const block of cited) lookThrough(texts, block, searches);
  const isCited = new Set(cited);
  const isDone = all.every(({ exact }) => exact.length > 0);
  if (!isDone)
    for (let block = 0; block < texts.length; block++) if (!isCited.has(block)) lookThrough(texts, block, searches);
  return all.map((search) => judge(evidence, search, isCited));
}

function lookThrough(texts: readonly unknown[], block: number, searches: ReadonlyMap<number, readonly Search[]>): void {
  const text = texts[block];
  if (typeof text !== 'string') return;
  const { digits, powers } = indexBlock(text).numbers;
  for (let at = 0; at < digits.length; at++) {
    const found = searches.get(digits[at]!);
    if (found === undefined) continue;
    for (const search of found) {
      const power = search.power - powers[at]!;
      if (power === 0) {
        if (search.exact.length < HITS) search.exact.push({ block, at, power });
      } else if (SCALING_POWERS.has(power) && search.scaled.length < HITS) search.scaled.push({ block, at, power });
    }
  }
}

function judge(evidence: Evidence, search: Search, cited: ReadonlySet<number>): Found {
  const { literal } = search;
  const places = rank(evidence, search, search.exact, cited);
  const isNegative = literal.value < 0;
  const constant = worksAsConstant(literal);
  if (constant && !places.some(({ fit }) => fit > 0)) return { verdict: 'constant', places: [] };
  const scaled = rank(evidence, search, search.scaled, cited).filter(({ hit, place }) => isLikely(literal, hit, place));
  for (const isInCited of [true, false]) {
    const exact = places.filter(({ place }) => place.cited === isInCited);
    const sameSign = exact.filter(({ place }) => place.isNegative === isNegative);
    const near = scaled.filter(({ place }) => place.cited === isInCited);
    if (exact.length > 0) {
      const verdict = sameSign.length === 0 ? 'negated' : isInCited ? 'cited' : 'context';
      return {
        verdict,
        places: take(sameSign.length === 0 ? exact : [...sameSign, ...exact.filter((one) => !sameSign.includes(one))]),
      };
    }
    if (near.length > 0) return { verdict: 'scaled', power: near[0]!.hit.power, places: take(near) };
    const spelled = spelledIn(evidence, literal, isInCited, cited);
    if (spelled !== undefined) return { verdict: isInCited ? 'cited' : 'context', places: [spelled] };
  }
  const rounded = roundedIn(evidence, search, cited);
  if (rounded !== undefined) return rounded;
  const swapped = exchanged(evidence, search, cited);
  return swapped.length > 0
    ? { verdict: 'digits-exchanged', places: take(swapped) }
    : { verdict: 'nowhere', places: [] };
}

interface Ranked {
  readonly hit: Hit;
  readonly place: NumberPlace;
  readonly fit: number;
}

function take(ranked: readonly Ranked[]): NumberPlace[] {
  return ranked.slice(0, PLACES).map(({ place }) => place);
}

function rank(evidence: Evidence, { literal }: Search, hits: readonly Hit[], cited: ReadonlySet<number>): Ranked[] {
  const words = contentWords(literal.name ?? evidence.question ?? '');
  const ranked = hits.map((hit): Ranked => {
    const place = placeOf(evidence, hit, cited.has(hit.block));
    return { hit, place, fit: fitOf(evidence, place, words) };
  });
  return ranked.sort((a, b) => Number(b.place.cited) - Number(a.place.cited) || b.fit - a.fit);
}

/** How many of the words stand with the number: in its row and column, or around it in its sentence. */
function fitOf(evidence: Evidence, place: NumberPlace, words: ReadonlySet<string>): number {
  if (words.size === 0) return 0;
  let near = contentWords(`${place.row ?? ''} ${place.column ?? ''}`);
  if (place.cell === undefined) {
    const text = evidence.texts[place.block] as string;
    near = contentWords(text.slice(Math.max(0, place.inString.start - 120), place.inString.end + 60));
  }
  let fit = 0;
  for (const word of words) if (near.has(word)) fit += 1;
  return fit;
}

function placeOf(evidence: Evidence, { block, at }: Hit, cited: boolean): NumberPlace {
  const { numbers } = indexBlock(evidence.texts[block] as string);
  return placeAt(evidence, block, { start: numbers.starts[at]!, end: numbers.ends[at]! }, cited);
}

function placeAt(evidence: Evidence, block: number, span: Span, cited: boolean): NumberPlace {
  const indexed = indexBlock(evidence.texts[block] as string);
  const { isNegative, isPercent, cell, labels, scale } = mentionAt(indexed, span.start, span.end);
  const pointer = evidence.pointerOf(block);
  return {
    pointer,
    name: nameOfPlace(evidence.nameOf(block), labels.row, labels.column),
    block,
    ...(cell !== undefined && { cell }),
    ...(labels.row !== undefined && { row: labels.row }),
    ...(labels.column !== undefined && { column: labels.column }),
    inString: span,
    cited,
    isNegative,
    isPercent,
    ...(scale !== undefined && { scale }),
  };
}

export function nameOfPlace(block: string, row: string | undefined, column: string | undefined): string {
  const parts = [
    row === undefined ? [] : [`row "${shorten(row)}"`],
    column === undefined ? [] : [`column "${shorten(column)}"`],
  ];
  const labels = parts.flat();
  return labels.length === 0 ? block : `${block} ${labels.join(', ')}`;
}

function shorten(label: string): string {
  const plain = label.replace(/\s+/g, ' ').trim();
  return plain.length <= 60 ? plain : `${plain.slice(0, 59)}…`;
}

/**
 * Whether a number of another scale is the literal: 2 or 20 differ from many numbers by a power of ten only. Percents and
 * scales that the place states speak for it; three significant digits do too.
 */
function isLikely(literal: Wanted, { power }: Hit, place: NumberPlace): boolean {
  if (power === -2 && place.isPercent) return true;
  if (digitsOf(literal.value).digits >= 100) return true;
  if (power === 2 || power === -2) return Math.abs(literal.value) < 1 === (power === -2);
  return place.scale !== undefined;
}

/** Where the number is spelled out; only words that nobody uses otherwise count. */
function spelledIn(
  evidence: Evidence,
  literal: Wanted,
  isInCited: boolean,
  cited: ReadonlySet<number>,
): NumberPlace | undefined {
  const pattern = spelledOut(Math.abs(literal.value));
  if (pattern === undefined) return undefined;
  for (const [block, text] of evidence.texts.entries()) {
    if (cited.has(block) !== isInCited || typeof text !== 'string') continue;
    const found = pattern.exec(text);
    if (found === null) continue;
    return placeAt(evidence, block, { start: found.index, end: found.index + found[0].length }, isInCited);
  }
  return undefined;
}

/** Numbers that become the literal when two of their digits change places: what mistyping does. */
function exchanged(evidence: Evidence, search: Search, cited: ReadonlySet<number>): Ranked[] {
  const { digits, power } = digitsOf(search.literal.value);
  // Two digits exchanged in a short number are as likely another number.
  if (digits < 10 || (digits < 100 && power <= 0)) return [];
  const hits: Hit[] = [];
  const least = 10 ** (String(digits).length - 1);
  for (const [block, text] of evidence.texts.entries()) {
    if (typeof text !== 'string') continue;
    const numbers = indexBlock(text).numbers;
    for (let at = 0; at < numbers.digits.length && hits.length < HITS; at++) {
      const other = numbers.digits[at]!;
      if (numbers.powers[at] === power && (other < least || other >= least * 10)) continue;
      // The sum of the digits stays, and with it the rest by nine.
      if ((other - digits) % 9 === 0 && areExchanged(digits, power, other, numbers.powers[at]!)) {
        hits.push({ block, at, power: 0 });
      }
    }
  }
  return rank(evidence, search, hits, cited);
}

function areExchanged(digits: number, power: number, otherDigits: number, otherPower: number): boolean {
  const common = Math.min(power, otherPower);
  if (otherDigits === 0 || power - common > 3 || otherPower - common > 3) return false;
  const own = String(digits).padEnd(String(digits).length + power - common, '0');
  const other = String(otherDigits).padEnd(String(otherDigits).length + otherPower - common, '0');
  if (own.length !== other.length) return false;
  const differing = [...own].flatMap((digit, i) => (digit === other[i] ? [] : [i]));
  const [first, second] = differing;
  if (differing.length !== 2 || first === undefined || second === undefined) return false;
  return own[first] === other[second] && own[second] === other[first];
}

const SHIFTS: readonly number[] = [0, -3, 3, -6, 6, -9, 9];
const YEAR = /^(?:19|20)\d\d$/;

/** Numbers that give the literal when they are rounded to its digits, in the scale that both are written in. */
function roundedIn(evidence: Evidence, { literal }: Search, cited: ReadonlySet<number>): Found | undefined {
  const { rounding } = literal;
  const { digits, power } = digitsOf(literal.value);
  if (rounding === undefined || digits < 10 || YEAR.test(literal.text)) return undefined;
  const hits: Hit[] = [];
  for (const [block, text] of evidence.texts.entries()) {
    if (typeof text !== 'string') continue;
    const { digits: others, powers } = indexBlock(text).numbers;
    for (let at = 0; at < others.length && hits.length < 4 * HITS; at++) {
      for (const shift of SHIFTS) {
        const finer = others[at]! * 10 ** (powers[at]! + shift - power);
        if (finer !== digits && Math.abs(finer - digits) <= 0.5) hits.push({ block, at, power: shift });
      }
    }
  }
  const likely = rank(evidence, { literal, power, exact: [], scaled: [] }, hits, cited).filter(({ hit, place }) =>
    isRounding(rounding, digits, hit, place),
  );
  const [first] = likely;
  if (first === undefined) return undefined;
  return {
    verdict: 'scaled',
    power: first.hit.power,
    isRounded: true,
    places: take(likely.filter(({ hit, place }) => hit.power === first.hit.power && place.cited === first.place.cited)),
  };
}

/**
 * Whether a number that only begins as the literal does is meant: two or three digits are the beginning of many numbers, so that the
 * scales that both are written in must be those by which they differ; two in one scale are a ratio as often (3.7 and 3.69).
 */
function isRounding({ unit, isPercent }: Rounding, digits: number, { power }: Hit, place: NumberPlace): boolean {
  if (place.isPercent !== isPercent) return false;
  if (digits >= 1000) return true;
  if (power !== (place.scale?.power ?? 0) - unit) return false;
  return digits >= 100 || power !== 0 || isPercent;
}
