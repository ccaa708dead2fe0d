import assert from 'node:assert/strict';
import fc from 'fast-check';
import { BUILTIN_PROFILES } from '../../../server/src/core/profile/builtin.ts';
import { toCanonical } from '../../../server/src/core/record/canonical.ts';
import { describeHits, searchedBlocks } from '../../../server/src/core/search/found.ts';
import type { Found } from '../../../server/src/core/search/found.ts';
import { createSearchIndex } from '../../../server/src/core/search/index.ts';
import type { SearchHit, SearchIndex } from '../../../server/src/core/search/index.ts';
import { partsOf } from '../../../server/src/core/search/parts.ts';
import { readQuery } from '../../../server/src/core/search/terms.ts';

const TEXTS = [
  'Widget revenue grew in 2032. Amounts are in thousands.',
  '| Item | 2031 | 2032 |\n| Widget revenue | 1,200 | 1,350 |\n| Returns | (60) | (75) |\n| Gadgets sold | 7 | 12 |',
  'Gadget demand fell by 12 %. A warehouse was sold for $1.35 million.',
  'The tax rate was 21 percent; 75 people were hired, and sales of gadgets rose.',
];

function indexed(texts: readonly string[]): SearchIndex {
  const index = createSearchIndex(texts);
  while (!index.grow(1000));
  return index;
}

const search = (query: string, texts: readonly string[] = TEXTS): readonly SearchHit[] =>
  indexed(texts).search(query, 10);
const order = (query: string): number[] => search(query).map(({ text }) => text);
const placeOf = ({ text, place }: SearchHit): string => TEXTS[text]!.slice(place.start, place.end);

describe('search in the evidence', () => {
  it('takes the spellings of a number for one number', () => {
    for (const query of ['1350', '1,350', '1 350', '1.35e3', '$1,350', '1350.0']) {
      const [first] = search(query);
      assert.equal(first?.text, 1, query);
      assert.equal(placeOf(first), '1,350', query);
    }
  });

  it('finds the number in other scales, after those with its value', () => {
    const hits = search('1,350');
    assert.deepEqual(
      hits.map(({ text, match }) => [text, match]),
      [
        [1, 'phrase'],
        [2, 'scaled'],
      ],
    );
    assert.equal(placeOf(hits[1]!), '1.35');
    assert.deepEqual(
      search('0.12').map(({ text, match }) => [text, match]),
      [[2, 'scaled']],
    );
  });

  it('puts the number with the sign asked for first', () => {
    assert.deepEqual(
      search('-75').map(({ text, match }) => [text, match]),
      [
        [1, 'number'],
        [3, 'other-sign'],
      ],
    );
    assert.deepEqual(
      search('(75)').map(({ text }) => text),
      [1, 3],
    );
    assert.equal(search('75.0')[0]?.text, 3);
  });

  it('does not look for a year in thousands', () => {
    assert.deepEqual(
      search('2032', ['It was 2.032 million.', 'It was in 2032.']).map(({ text }) => text),
      [1],
    );
  });

  it('puts what stands there word for word first, across cells and line ends too', () => {
    assert.deepEqual(order('gadget demand')[0], 2);
    assert.equal(search('Widget revenue 1,200')[0]?.match, 'phrase');
    assert.equal(search('sales  of\ngadgets')[0]?.match, 'phrase');
    assert.notEqual(search('idget revenue')[0]?.match, 'phrase');
    assert.equal(
      search('135').find(({ match }) => match === 'phrase'),
      undefined,
    );
  });

  it('finds words in the plural and the singular, and words that are still being typed', () => {
    assert.ok(order('gadgets').includes(2));
    assert.ok(order('warehouses').includes(2));
    assert.ok(order('wareh').includes(2));
    assert.deepEqual(order('nothing like it'), []);
    assert.deepEqual(order('   '), []);
  });

  it('names the row of a table, and its column where a number was asked for', () => {
    const record = toCanonical(
      { question_id: 'a', question: 'q', paragraphs: TEXTS, table_evidence: [1], paragraph_evidence: [] },
      BUILTIN_PROFILES.find(({ name }) => name === 'docmath-eval')!,
    );
    const texts = searchedBlocks(record);
    const found = (query: string): Found[] =>
      describeHits(record, texts, indexed(TEXTS).search(query, 10), readQuery(query));
    const [number] = found('1350');
    assert.equal(number?.name, 'paragraphs[1] row "Widget revenue", column "2032"');
    assert.equal(number.cited, true);
    assert.equal(number.pointer, '/paragraphs/1');
    assert.equal(number.excerpt.text, 'Widget revenue | 1,200 | 1,350');
    assert.deepEqual(
      number.excerpt.marks.map(({ start, end }) => number.excerpt.text.slice(start, end)),
      ['1,350'],
    );
    const row = found('returns')[0];
    assert.equal(row?.name, 'paragraphs[1] row "Returns"');
    const prose = found('warehouse demand')[0];
    assert.equal(prose?.kind, 'text');
    assert.equal(prose.cited, false);
    assert.deepEqual(
      prose.excerpt.marks.map(({ start, end }) => prose.excerpt.text.slice(start, end)),
      ['demand', 'warehouse'],
    );
  });

  it('cuts long prose into passages and long tables into rows, which cover all of it', () => {
    const prose = 'A sentence about nothing much at all. '.repeat(400);
    const parts = partsOf(prose);
    assert.ok(parts.length > 5);
    assert.equal(parts.map(({ start, end }) => prose.slice(start, end)).join(''), prose);
    const table = Array.from({ length: 200 }, (_, at) => `| row ${at} | ${at * 7} | more words here |`).join('\n');
    assert.equal(partsOf(`Caption\n${table}\nA note`).filter(({ row }) => row !== undefined).length, 200);
    assert.equal(search('zebra', [`${prose} The zebra is here. ${prose}`])[0]?.text, 0);
  });

  it('takes in large records a slice at a time', () => {
    const index = createSearchIndex(Array.from({ length: 300 }, (_, at) => `Paragraph ${at}. ${'word '.repeat(200)}`));
    let slices = 0;
    while (!index.grow(20_000)) slices++;
    assert.ok(slices >= 10, `${slices} slices`);
    assert.equal(index.search('paragraph 299', 5)[0]?.text, 299);
  });

  it('never fails, and gives places inside the texts', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(...TEXTS),
      fc.constantFrom('(', '1,2,3', '|||', '\\u{'),
    );
    fc.assert(
      fc.property(fc.array(text, { maxLength: 6 }), text, (texts, query) => {
        for (const { text: at, place } of search(query, texts)) {
          const length = texts[at]!.length;
          assert.ok(place.start >= 0 && place.start <= place.end && place.end <= length);
        }
      }),
      { numRuns: 300 },
    );
  });
});
