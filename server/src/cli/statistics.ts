/** Counts over records; what is kept does not grow with their number, but for the names of documents. */
import type { Counts, Lengths, Statistics } from '../../../schemas/stats.ts';
import { hashNumber } from '../core/hash.ts';
import { evidenceTypeOf, regionsOf } from '../core/record/evidence-type.ts';
import type { CanonicalRecord } from '../core/record/types.ts';

export interface Counter {
  /** undefined: a line or element that is no record. */
  add(record: CanonicalRecord | undefined): void;
  end(): Statistics;
}

interface Measure {
  records: number;
  min: number;
  sum: number;
  max: number;
}

const TEXTS = ['question', 'answer', 'solution', 'context'] as const;

export function createCounter(): Counter {
  let records = 0;
  let unreadable = 0;
  const documents = new Set<number>();
  const answers = new Map<string, number>();
  const splits = new Map<string, number>();
  const labels = new Map<string, number>();
  const categories = new Map<string, number>();
  const pages = new Map<string, number>();
  const regions = new Map<string, number>();
  const types = { SPSR: 0, SPMR: 0, MPMR: 0 };
  const lengths = new Map(
    TEXTS.map((text): [(typeof TEXTS)[number], Measure] => [text, { records: 0, min: Infinity, sum: 0, max: 0 }]),
  );

  function measure(text: (typeof TEXTS)[number], parts: readonly string[]): void {
    const length = parts.reduce((sum, part) => sum + (part.trim() === '' ? 0 : characters(part)), 0);
    if (length === 0) return;
    const of = lengths.get(text)!;
    of.records += 1;
    of.min = Math.min(of.min, length);
    of.max = Math.max(of.max, length);
    of.sum += length;
  }

  return {
    add(record) {
      if (record === undefined) {
        unreadable += 1;
        return;
      }
      records += 1;
      const { question, answer, gold, solution, program, context, document, split, category } = record;
      if (document !== undefined) documents.add(hashNumber(document));
      if (split !== undefined) count(splits, split);
      if (category !== undefined) count(categories, category);
      for (const label of textsIn(record.labels ?? [])) count(labels, label);
      if (record.pages !== undefined) count(pages, String(new Set(record.pages).size));
      const boxes = regionsOf(record);
      if (boxes !== undefined) count(regions, String(boxes));
      const type = evidenceTypeOf(record, boxes);
      if (type !== undefined) types[type] += 1;
      const answered = isBlank(answer) ? gold : answer;
      count(answers, kindOf(answered));
      measure('question', textsIn([question]));
      measure('answer', textsIn([answered]));
      measure('solution', textsIn([solution ?? program?.source]));
      measure('context', textsIn(context ?? []));
    },
    end: () => ({
      records,
      unreadable,
      answers: byFrequency(answers),
      documents: documents.size,
      splits: byFrequency(splits),
      types: { ...types },
      labels: byFrequency(labels),
      categories: byFrequency(categories),
      pages: byNumber(pages),
      regions: byNumber(regions),
      lengths: Object.fromEntries(
        [...lengths].flatMap(([text, { records: some, min, sum, max }]): [string, Lengths][] =>
          some === 0 ? [] : [[text, { records: some, min, mean: Math.round((10 * sum) / some) / 10, max }]],
        ),
      ),
    }),
  };
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

function kindOf(answer: unknown): string {
  if (isBlank(answer)) return 'none';
  if (typeof answer === 'number') return 'number';
  if (typeof answer === 'boolean') return 'yes or no';
  return Array.isArray(answer) ? 'list' : 'text';
}

function textsIn(list: readonly unknown[]): string[] {
  return list.flatMap((value) => (typeof value === 'string' ? [value] : Array.isArray(value) ? textsIn(value) : []));
}

function characters(text: string): number {
  return text.length - (text.match(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)?.length ?? 0);
}

function count(counts: Map<string, number>, value: string): void {
  counts.set(value, (counts.get(value) ?? 0) + 1);
}

function byFrequency(counts: ReadonlyMap<string, number>): Counts {
  return toCounts([...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)));
}

function byNumber(counts: ReadonlyMap<string, number>): Counts {
  return toCounts([...counts].sort(([a], [b]) => Number(a) - Number(b)));
}

/** Without a prototype, so that no value of the data (`__proto__`) means anything else than a name. */
function toCounts(entries: readonly (readonly [string, number])[]): Counts {
  const counts = Object.create(null) as Record<string, number>;
  for (const [value, many] of entries) counts[value] = many;
  return counts;
}
