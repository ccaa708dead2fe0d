/** BM25 over what a record can cite, one hit for each text: what stands there as it was asked for comes first. */
import MiniSearch from 'minisearch';
import type { SearchOptions } from 'minisearch';
import type { Span } from '../finding.ts';
import { partsOf } from './parts.ts';
import type { Part } from './parts.ts';
import { placeOfNumbers, placeOfWords } from './place.ts';
import { numberTerm, readQuery, scaledTerms, termsIn } from './terms.ts';
import type { Query } from './terms.ts';

export interface SearchHit {
  /** Position among the texts. */
  readonly text: number;
  /** Why it is found, best first: the words as they are written, the number with the same or the other sign, in another scale, or some words. */
  readonly match: 'phrase' | 'number' | 'other-sign' | 'scaled' | 'words';
  /** What of the text was meant: the phrase, the number, or the part with most of the words. */
  readonly place: Span;
  /** BM25+; comparable within one search only. */
  readonly score: number;
}

export interface SearchIndex {
  /** Takes in further texts until so many UTF-16 units are done; whether all are in. */
  grow(units: number): boolean;
  /** At most `limit` hits among the texts that are in, best first. */
  search(query: string, limit: number): readonly SearchHit[];
}

interface Entry {
  readonly id: number;
  readonly own: string;
  readonly around: string;
}

/** A part of a text, by its id in the index. */
interface Known extends Part {
  readonly text: number;
}

/** What stands before a table tells of all its rows; UTF-16 units. */
const CAPTION = 300;
const WEIGHTS = { number: 4, scaled: 1, begun: 0.4 };
const OPTIONS = {
  /** Rows and paragraphs differ in length by nature: length counts for less than usual. */
  bm25: { k: 1.2, b: 0.4, d: 0.5 },
  boost: { around: 0.35 },
} satisfies SearchOptions;

export function createSearchIndex(texts: readonly string[]): SearchIndex {
  const split = (terms: string): string[] => (terms === '' ? [] : terms.split(' '));
  const index = new MiniSearch<Entry>({
    fields: ['own', 'around'],
    tokenize: split,
    processTerm: (term) => term,
    searchOptions: { ...OPTIONS, combineWith: 'OR' },
  });
  const parts: Known[] = [];
  let next = 0;
  /** Parts of the text at `next` that are still to be taken in. */
  let open: { readonly parts: readonly Part[]; at: number; readonly around: string } | undefined;

  function add(text: string, part: Part, around: string): void {
    const id = parts.length;
    parts.push({ ...part, text: next });
    const isBody = part.row !== undefined && part.row > 0;
    index.add({ id, own: termsIn(text, part).join(' '), around: isBody ? around : '' });
  }

  function begin(text: string): NonNullable<typeof open> {
    const own = partsOf(text);
    const header = own.find(({ row }) => row === 0);
    if (header === undefined) return { parts: own, at: 0, around: '' };
    const caption = { start: Math.max(0, header.start - CAPTION), end: header.end };
    return { parts: own, at: 0, around: termsIn(text, caption).join(' ') };
  }

  return {
    grow(units) {
      let left = units;
      while (next < texts.length && left > 0) {
        const text = texts[next]!;
        open ??= begin(text);
        for (; open.at < open.parts.length && left > 0; open.at++) {
          const part = open.parts[open.at]!;
          add(text, part, open.around);
          left -= part.end - part.start;
        }
        if (open.at < open.parts.length) return false;
        open = undefined;
        next++;
      }
      return next >= texts.length;
    },

    search(given, limit) {
      const query = readQuery(given);
      const hits = new Map<number, Scored>();
      for (const found of index.search(...toIndex(query))) {
        const part = parts[found.id as number]!;
        const before = hits.get(part.text);
        // Whole tables have all words somewhere: their best row says which.
        if (before === undefined)
          hits.set(part.text, { part, row: part.row === undefined ? undefined : part, score: found.score });
        else before.row ??= part.row === undefined ? undefined : part;
      }
      if (query.phrase !== undefined) {
        for (let at = 0; at < Math.min(texts.length, next + 1); at++) {
          if (query.phrase.test(texts[at]!) && !hits.has(at)) {
            hits.set(at, { part: { start: 0, end: texts[at]!.length, text: at }, row: undefined, score: 0 });
          }
        }
      }
      const graded = [...hits].flatMap(([text, { part, row, score }]) => {
        const grade = gradeOf(texts[text]!, query);
        return grade === undefined ? [] : [{ text, part: row ?? part, score, ...grade }];
      });
      graded.sort((a, b) => RANK[a.match] - RANK[b.match] || b.score - a.score || a.text - b.text);
      return graded.slice(0, limit).map(({ text, part, score, match, place }) => {
        return { text, score, match, place: place ?? placeOfWords(texts[text]!, part, query) };
      });
    },
  };
}

interface Scored {
  readonly part: Known;
  row: Known | undefined;
  readonly score: number;
}

const RANK: Readonly<Record<SearchHit['match'], number>> = {
  phrase: 0,
  number: 0,
  'other-sign': 1,
  scaled: 2,
  words: 3,
};

/** The query as MiniSearch takes it: terms with the weight of each. */
function toIndex({ words, numbers, isOpen }: Query): [string, SearchOptions] {
  const weights = new Map<string, number>(words.map((word) => [word, 1]));
  const raise = (term: string, weight: number): void =>
    void weights.set(term, Math.max(weight, weights.get(term) ?? 0));
  for (const number of numbers) {
    for (const term of scaledTerms(number)) raise(term, WEIGHTS.scaled);
    for (const { digits, power } of number.readings) raise(numberTerm(digits, power), WEIGHTS.number);
  }
  const last = isOpen ? words.at(-1) : undefined;
  return [
    [...weights.keys()].join(' '),
    {
      boostTerm: (term) => weights.get(term) ?? 1,
      // One letter begins a large part of all words.
      prefix: (term) => term === last && term.length > 1,
      weights: { fuzzy: 0, prefix: WEIGHTS.begun },
    },
  ];
}

/** Whether a text that was found has the query as it is written, or its number; undefined: only digits like it. */
function gradeOf(
  text: string,
  query: Query,
): { readonly match: SearchHit['match']; readonly place?: Span } | undefined {
  const phrase = query.phrase?.exec(text);
  if (phrase) return { match: 'phrase', place: { start: phrase.index, end: phrase.index + phrase[0].length } };
  if (query.numbers.length === 0 || query.words.length > 0) return { match: 'words' };
  return placeOfNumbers(text, query.numbers) ?? (query.numbers.length > 1 ? { match: 'words' } : undefined);
}
