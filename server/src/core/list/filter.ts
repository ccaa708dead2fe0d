/** Filtering, counting and sorting of a file's records, in one pass over their summaries. */
import type { Column, Facet, FacetState, FacetValue, RecordFilter, RecordOrder } from '../../../../schemas/records.ts';
import { FACETS, NO_VALUE } from '../../../../schemas/records.ts';
import type { Severity } from '../../../../schemas/report.ts';
import type { Interners, Summary } from './summary.ts';
import { rank } from './summary.ts';

export interface Filtered {
  /** Indices into the summaries, in order. */
  readonly positions: Uint32Array;
  /** Findings of these. */
  readonly counts: Readonly<Record<Severity, number>>;
  /** By facet in the order of `FACETS`, by number of the value: records that the other facets and the text let through. */
  readonly tallies: readonly Uint32Array[];
}

/** `order`: positions of the summaries as `orderOf` gives them. */
export function filterRecords(
  summaries: readonly Summary[],
  order: Uint32Array,
  { text, facets }: RecordFilter,
  interners: Interners,
  haystackOf: (position: number) => string,
): Filtered {
  const words = wordsOf(text);
  const wanted = FACETS.map((facet) => wantedOf(facets[facet], interners, facet));
  const tallies = FACETS.map((facet) => new Uint32Array(interners[facet].size));
  const isAsked = words.length > 0 || wanted.some((one) => one !== undefined);
  const positions = new Uint32Array(summaries.length);
  const counts = { error: 0, warning: 0, info: 0 };
  let matched = 0;
  for (const position of order) {
    const summary = summaries[position]!;
    if (!summary.checked) {
      // Nothing is known of it: it is in no list that asks for something.
      if (!isAsked) positions[matched++] = position;
      continue;
    }
    if (words.length > 0 && !holds(haystackOf(position), position, words)) continue;
    const failing = failingFacet(summary, wanted);
    if (failing === SEVERAL) continue;
    if (failing !== NONE) {
      tally(tallies[failing]!, summary.values[failing]!);
      continue;
    }
    positions[matched++] = position;
    counts.error += summary.counts.error;
    counts.warning += summary.counts.warning;
    counts.info += summary.counts.info;
    for (let facet = 0; facet < tallies.length; facet++) tally(tallies[facet]!, summary.values[facet]!);
  }
  return { positions: positions.slice(0, matched), counts, tallies };
}

const NONE = -1;
const SEVERAL = -2;

/** The only facet that does not let a record through. */
function failingFacet({ values }: Summary, wanted: readonly (Uint8Array | undefined)[]): number {
  let failing = NONE;
  for (let facet = 0; facet < wanted.length; facet++) {
    const chosen = wanted[facet];
    if (chosen === undefined || values[facet]!.some((value) => chosen[value] === 1)) continue;
    if (failing !== NONE) return SEVERAL;
    failing = facet;
  }
  return failing;
}

function tally(counts: Uint32Array, values: readonly number[]): void {
  for (const value of values) counts[value]!++;
}

function wantedOf(values: readonly string[] | undefined, interners: Interners, facet: Facet): Uint8Array | undefined {
  if (values === undefined || values.length === 0) return undefined;
  const wanted = new Uint8Array(interners[facet].size);
  for (const value of values) {
    const number = interners[facet].known(value);
    if (number !== undefined) wanted[number] = 1;
  }
  return wanted;
}

export function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean);
}

/** `#12` is the 12th record; else a digit would be found in nearly every number. */
function holds(haystack: string, position: number, words: readonly string[]): boolean {
  return words.every((word) => haystack.includes(word) || word === `#${position + 1}`);
}

/** What the words of a filter are looked for in. */
export function haystackOf({ facts }: Summary): string {
  if (facts === undefined) return '';
  const { id, question, answer, document } = facts;
  return `${id ?? ''}\n${question ?? ''}\n${answer}\n${document ?? ''}`.toLowerCase();
}

/** Positions in the order of a column. Records that have nothing there come last, and equal ones stay as in the file. */
export function orderOf(summaries: readonly Summary[], { column, descending }: RecordOrder): Uint32Array {
  const order = Uint32Array.from(summaries.keys());
  if (column === 'index') return descending ? order.reverse() : order;
  const way = descending ? -1 : 1;
  if (column === 'state' || column === 'findings') {
    const keys = summaries.map(column === 'state' ? stateKey : gravity);
    return order.sort((a, b) => way * (keys[a]! - keys[b]!) || a - b);
  }
  const keys = summaries.map((summary) => sortKey(summary[column]));
  return order.sort((a, b) => {
    const one = keys[a]!;
    const two = keys[b]!;
    if (one === two) return a - b;
    if (one === '' || two === '') return one === '' ? 1 : -1;
    return (one < two ? -1 : 1) * way;
  });
}

const SOLUTIONS = ['error', 'mismatch', 'running', 'skipped', 'rounded', 'tolerance', 'equal'];

function stateKey({ severity, solution }: Summary): number {
  return 10 * rank(severity) + (solution === null ? 9 : SOLUTIONS.indexOf(solution));
}

/** The gravest first, then the many. */
function gravity({ counts: { error, warning, info } }: Summary): number {
  return -(error * 1e8 + Math.min(warning, 9999) * 1e4 + Math.min(info, 9999));
}

/** Without regard to case, and `item 9` before `item 10`. */
function sortKey(text: string | null): string {
  return text === null
    ? ''
    : text
        .slice(0, 100)
        .toLowerCase()
        .replace(/\d+/g, (digits) => digits.padStart(12, '0'));
}

/** Values a facet shows at once. */
const SHOWN = 60;

/** Facets that tell the records apart, with the counts of their values. */
export function facetStates({ tallies }: Filtered, { facets }: RecordFilter, interners: Interners): FacetState[] {
  return FACETS.flatMap((facet, at) => {
    const chosen = facets[facet] ?? [];
    if (!tellsApart(interners, facet) && chosen.length === 0) return [];
    return [{ facet, ...mostFrequent(tallies[at]!, interners, facet, chosen) }];
  });
}

/** Without sorting all values: a file may have as many documents as records. Equally frequent ones as they come in the file. */
function mostFrequent(
  tally: Uint32Array,
  interners: Interners,
  facet: Facet,
  chosen: readonly string[],
): Pick<FacetState, 'values' | 'more'> {
  const first: number[] = [];
  let all = 0;
  for (let number = 0; number < tally.length; number++) {
    const count = tally[number]!;
    if (count === 0) continue;
    all++;
    if (first.length === SHOWN && count <= tally[first[SHOWN - 1]!]!) continue;
    let at = first.length;
    while (at > 0 && tally[first[at - 1]!]! < count) at--;
    first.splice(at, 0, number);
    if (first.length > SHOWN) first.pop();
  }
  const values = first.map((number) => ({ value: interners[facet].text(number), count: tally[number]! }));
  const shown = new Set(values.map(({ value }) => value));
  const others = chosen.flatMap((value) => {
    if (shown.has(value)) return [];
    const number = interners[facet].known(value);
    return [{ value, count: number === undefined ? 0 : (tally[number] ?? 0) }];
  });
  const more = all - first.length - others.filter(({ count }) => count > 0).length;
  return { values: [...values, ...others], more };
}

function tellsApart(interners: Interners, facet: Facet): boolean {
  const { size } = interners[facet];
  return size > 1 || (size === 1 && interners[facet].text(0) !== NO_VALUE && facet !== 'document' && facet !== 'split');
}

/** Values that hold a text, of those that are chosen or that records of the list have; the most frequent first. */
export function facetValues(
  tally: Uint32Array,
  interners: Interners,
  facet: Facet,
  search: string,
  chosen: readonly string[],
): FacetValue[] {
  const wanted = search.toLowerCase();
  const values: FacetValue[] = [];
  for (const [number, count] of tally.entries()) {
    const value = interners[facet].text(number);
    if ((count > 0 || chosen.includes(value)) && value.toLowerCase().includes(wanted)) values.push({ value, count });
  }
  for (const value of chosen) {
    const isThere = interners[facet].known(value) !== undefined;
    if (!isThere && value.toLowerCase().includes(wanted)) values.push({ value, count: 0 });
  }
  return values.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
}

/** Columns in which some record has something. */
export function filledColumns(interners: Interners, hasId: boolean): Column[] {
  const has = (facet: Facet): boolean => {
    const { size } = interners[facet];
    return size > 1 || (size === 1 && interners[facet].text(0) !== NO_VALUE);
  };
  return [
    'state',
    'index',
    ...(hasId ? (['id'] as const) : []),
    'question',
    ...(has('type') ? (['type'] as const) : []),
    ...(has('document') ? (['document'] as const) : []),
    ...(has('category') ? (['category'] as const) : []),
    ...(has('split') ? (['split'] as const) : []),
    'findings',
  ];
}
