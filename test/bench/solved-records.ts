import { seeded } from './records.ts';

const ITEMS = 'Widgets Gadgets Parcels Licences Services Freight Storage Repairs Rentals Tickets'.split(' ');
const PLACES = 'North South East West Coast Valley Harbour Plains'.split(' ');

export interface SolvedOptions {
  readonly count: number;
  /** How many of them have a solution. */
  readonly solutions: number;
  readonly seed?: number;
}

/**
 * Lines in the shape of DocMath-Eval: a context of paragraphs and a table, a question, a gold, and every so often a solution that
 * computes it. Some have what rules across records look for: an id or a question that came before, a gap, a key of their own,
 * percentages in two conventions; and some solutions miss their gold.
 */
export function* solvedLines({ count, solutions, seed = 7 }: SolvedOptions): Generator<string> {
  const random = seeded(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const amount = (): number => Math.floor(random() * 90_000) + 1000;
  for (let index = 0; index < count; index++) {
    const rows = Array.from({ length: 5 }, () => [`${pick(ITEMS)} ${pick(PLACES)}`, amount(), amount()] as const);
    const [name, before, after] = pick(rows);
    const isSolved = Math.floor(((index + 1) * solutions) / count) > Math.floor((index * solutions) / count);
    const isShare = isSolved && random() < 0.3;
    const times100 = isShare && random() < 0.5;
    const value = isShare ? ((after - before) / before) * (times100 ? 100 : 1) : after - before;
    const question = isShare
      ? `By what percentage did the revenue of ${name} change from 2031 to 2032 in case ${index}?`
      : `By how much did the revenue of ${name} change from 2031 to 2032 in case ${index}?`;
    const formula = isShare ? `(after - before) / before${times100 ? ' * 100' : ''}` : 'after - before';
    const record: Record<string, unknown> = {
      question_id: `set-${random() < 0.001 ? Math.max(0, index - 50) : index}`,
      question: random() < 0.001 ? 'By how much did the revenue change?' : question,
      ...(isSolved && {
        python_solution: `def solution():\n    # Revenue of ${name}\n    before = ${before}\n    after = ${after}\n    change = ${formula}\n    return change`,
      }),
      ground_truth: random() < 0.002 ? null : random() < 0.01 ? value + 7 : value,
      paragraphs: [
        `The company reports the revenue of five lines of business, in thousands of dollars. Case ${index} is one of them.`,
        ['| Line | 2031 | 2032 |', ...rows.map(([line, first, second]) => `| ${line} | ${first} | ${second} |`)].join(
          '\n',
        ),
        `In 2032 the revenue of ${name} was ${after.toLocaleString('en')} dollars after ${before.toLocaleString('en')} dollars in 2031.`,
        'Amounts may not add up, as they were rounded. Figures of earlier years were restated where a line was sold.',
      ],
      table_evidence: [1],
      paragraph_evidence: [2],
      ...(random() < 0.002 && { paragraph_evidance: [] }),
    };
    yield JSON.stringify(record);
  }
}
