import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findingsOf } from './support.ts';

/** Faults put into real records without findings (seeded): the share that some rule reports on. */

interface Row {
  readonly question_id: string;
  readonly paragraphs: readonly string[];
  readonly table_evidence: readonly number[];
  readonly paragraph_evidence: readonly number[];
  readonly python_solution: string;
  readonly ground_truth: number;
  readonly [key: string]: unknown;
}

const FILE = join(import.meta.dirname, '../../../../shared/data/docmath-eval/full_shape_119_reconstructed.jsonl');
const TRIALS = 400;

type Random = () => number;

function seeded(seed: number): Random {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
}

function pick<T>(list: readonly T[], random: Random): T {
  return list[Math.floor(random() * list.length)]!;
}

/** Two digits of one literal exchanged; undefined where the literal has no two different ones, or would begin with 0. */
function exchangeDigits(row: Row, random: Random): Row | undefined {
  const literals = [...row.python_solution.matchAll(/(?<=[=(*/+-] ?)-?\d[\d_]*(?:\.\d+)?/g)];
  const { index, 0: text } = pick(literals, random);
  const places = [...text].flatMap((unit, i) => (/\d/.test(unit) ? [i] : []));
  const [a, b] = [pick(places, random), pick(places, random)];
  const units = [...text];
  [units[a], units[b]] = [units[b]!, units[a]!];
  const mistyped = units.join('');
  if (Number(mistyped.replaceAll('_', '')) === Number(text.replaceAll('_', '')) || /^-?0\d/.test(mistyped))
    return undefined;
  const { python_solution } = row;
  return {
    ...row,
    python_solution: python_solution.slice(0, index) + mistyped + python_solution.slice(index + text.length),
  };
}

type List = 'table_evidence' | 'paragraph_evidence';

function citations(row: Row): (readonly [list: List, at: number])[] {
  return (['table_evidence', 'paragraph_evidence'] as const).flatMap((list) =>
    row[list].map((_, at) => [list, at] as const),
  );
}

/** Only blocks that hold a number of the solution: without another one nothing is missing. */
function dropBlock(row: Row, random: Random): Row | undefined {
  const numbers = row.python_solution.match(/\d[\d_]*(?:\.\d+)?/g)!.map((text) => text.replaceAll('_', ''));
  const [list, at] = pick(citations(row), random);
  const text = row.paragraphs[row[list][at]!]!.replaceAll(',', '');
  if (!numbers.some((number) => number.length > 2 && text.includes(number))) return undefined;
  return { ...row, [list]: row[list].filter((_, i) => i !== at) };
}

function shiftIndex(row: Row, random: Random): Row {
  const [list, at] = pick(citations(row), random);
  const step = random() < 0.5 ? -1 : 1;
  return { ...row, [list]: row[list].map((index, i) => (i === at ? index + step : index)) };
}

const flipSign = (row: Row): Row | undefined =>
  row.ground_truth === 0 ? undefined : { ...row, ground_truth: -row.ground_truth };

const changeScale = (row: Row, random: Random): Row | undefined =>
  row.ground_truth === 0
    ? undefined
    : { ...row, ground_truth: row.ground_truth * pick([100, 1000, 1e6, 0.01, 0.001], random) };

const MUTATIONS: readonly [
  name: string,
  goal: number,
  mutate: (row: Row, random: Random) => Row | undefined,
  codes: RegExp,
][] = [
  ['two digits of a literal exchanged', 0.95, exchangeDigits, /./],
  ['two digits of a literal exchanged, told by the trace alone', 0.94, exchangeDigits, /^evidence\/value-/],
  ['a cited block dropped', 0.9, dropBlock, /^evidence\//],
  ['an evidence index one off', 0.95, shiftIndex, /^evidence\//],
  ['the sign changed', 1, flipSign, /^answer\/mismatch$/],
  ['the scale changed', 1, changeScale, /^answer\/mismatch$/],
];

describe('faults put into real records', () => {
  before(function () {
    if (!existsSync(FILE)) {
      console.log(`      ${FILE} is not there`);
      this.skip();
    }
  });

  let clean: readonly Row[] = [];
  before(() => {
    const lines = readFileSync(FILE, 'utf8').split('\n');
    const rows = lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Row);
    clean = rows.filter((row) => findingsOf(row).length === 0);
  });

  it('are put into records without findings, which nearly all are', () => assert.ok(clean.length > 100));

  for (const [name, goal, mutate, codes] of MUTATIONS) {
    it(`${name}: ${goal} are found`, () => {
      const random = seeded(20_320_101);
      let found = 0;
      for (let trials = 0; trials < TRIALS;) {
        const mutated = mutate(pick(clean, random), random);
        if (mutated === undefined) continue;
        trials += 1;
        if (findingsOf(mutated).some(({ code }) => codes.test(code))) found += 1;
      }
      assert.ok(found / TRIALS >= goal, `${found} of ${TRIALS}`);
    });
  }
});
