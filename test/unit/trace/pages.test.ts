import assert from 'node:assert/strict';
import { createChecker } from '../../../server/src/core/checker.ts';
import type { PageLine, PagePlace, PageText } from '../../../server/src/core/ports.ts';
import { mergeTraces } from '../../../server/src/core/trace/merge.ts';
import { tracePages } from '../../../server/src/core/trace/pages.ts';
import type { ReadPage } from '../../../server/src/core/trace/pages.ts';
import { excerptAt, verdictWords } from '../../../server/src/core/trace/plain.ts';
import type { LocatedNumber, PageTracedNumber } from '../../../server/src/core/trace/types.ts';
import { settingsOf } from '../rules/support.ts';

const checker = createChecker(settingsOf('financebench'));

/** A line of words of equal width from `left` on, at a height on the page. */
function line(text: string, left: number, top: number): PageLine {
  const words = text
    .split(' ')
    .map((word, at) => ({ text: word, left: left + at * 0.05, top, width: 0.045, height: 0.01 }));
  return { words, left, top, width: words.length * 0.05, height: 0.01, glyph: 0.005, upright: true };
}

function page(number: number, lines: readonly PageLine[], boxes: readonly PagePlace[] = []): ReadPage {
  const text: PageText = { lines, blocks: [], graphics: [] };
  return { number, at: number - 1, text, boxes: boxes.map((box, at) => ({ ...box, pageAt: number - 1, at })) };
}

function trace(answer: string, pages: readonly ReadPage[], question = 'How much?'): readonly PageTracedNumber[] {
  const checked = checker.checkText(
    JSON.stringify({ financebench_id: 'x', question, answer, doc_name: 'd', evidence: [] }),
  );
  return tracePages(checked.record!, checked, pages) ?? [];
}

const TABLE = [line('Item', 0.1, 0.1), line('2031', 0.6, 0.1), line('Cash', 0.1, 0.2), line('4,711', 0.6, 0.2)];
const LOWER: PagePlace = { left: 0, top: 0.15, width: 1, height: 0.1 };
const UPPER: PagePlace = { left: 0, top: 0.05, width: 1, height: 0.08 };

describe('numbers on pages', () => {
  it('stand on a page without boxes', () => {
    const [number] = trace('$4711.00', [page(3, TABLE)]);
    assert.equal(number?.verdict, 'cited');
    assert.equal(number.text, '4711.00');
    const [place] = number.places;
    assert.equal(place?.name, 'page 3');
    assert.equal(place.pageAt, 2);
    assert.deepEqual(
      [place.left, place.top, place.width, place.height].map((n) => Number(n.toFixed(4))),
      [0.6, 0.2, 0.045, 0.01],
    );
    assert.equal(place.row, 'Cash | 4,711');
    assert.equal(place.row.slice(place.inRow.start, place.inRow.end), '4,711');
  });

  it('stand inside a box first, and beside the boxes else', () => {
    const [inside] = trace('4711', [page(1, [...TABLE, line('4,711', 0.6, 0.5)], [UPPER, LOWER])]);
    assert.equal(inside?.verdict, 'cited');
    assert.deepEqual(
      inside.places.map(({ name }) => name),
      ['page 1, inside box 2'],
    );
    const [beside] = trace('4711', [page(1, TABLE, [UPPER])]);
    assert.equal(beside?.verdict, 'context');
    assert.equal(beside.places[0]?.name, 'page 1, outside its boxes');
    assert.equal(beside.places[0].box, undefined);
  });

  it('are scaled, negated and exchanged as in texts', () => {
    const lines = [line('It cost $60.5 million', 0.1, 0.1), line('Loss', 0.1, 0.2), line('(71.3)', 0.6, 0.2)];
    assert.deepEqual(
      trace('60500 and 71.3 and 76.05', [page(1, lines)]).map(({ verdict, power }) => [verdict, power]),
      [
        ['scaled', 3],
        ['negated', undefined],
        ['nowhere', undefined],
      ],
    );
    assert.equal(trace('7.13', [page(1, [line('7.31', 0.1, 0.1)])])[0]?.verdict, 'digits-exchanged');
  });

  it('a dash in the cell beside is no minus', () => {
    const lines = [line('Loss', 0.1, 0.2), line('—', 0.4, 0.2), line('71.3', 0.6, 0.2)];
    assert.equal(trace('71.3', [page(1, lines)])[0]?.verdict, 'cited');
  });

  it('a scale on the next line belongs to the number, one beside it does not', () => {
    const [wrapped] = trace('60500', [page(1, [line('it cost $60.5', 0.1, 0.1), line('million in all', 0.1, 0.2)])]);
    assert.equal(wrapped?.verdict, 'scaled');
    assert.equal(wrapped.places[0]?.row, 'it cost $60.5');
  });

  it('prefer the better of several pages, and tell which', () => {
    const [number] = trace('4711', [page(1, TABLE, [UPPER]), page(2, TABLE, [LOWER])]);
    assert.equal(number?.verdict, 'cited');
    assert.equal(number.places[0]?.name, 'page 2, inside box 1');
  });

  it('from the question need no page; without words or numbers there is nothing to tell', () => {
    assert.equal(trace('2019', [page(1, TABLE)], 'In 2019?')[0]?.verdict, 'question');
    assert.deepEqual(trace('4711', [page(1, [])]), []);
    assert.deepEqual(trace('none', [page(1, TABLE)]), []);
  });
});

describe('numbers in the context and on pages', () => {
  const inString = { start: 0, end: 4 };
  const number = (verdict: LocatedNumber['verdict']) => ({
    value: 4711,
    text: '4711',
    pointer: '/a',
    inString,
    verdict,
  });
  const [onPage] = trace('4711', [page(1, TABLE)]);
  const nearMiss = { ...number('digits-exchanged'), places: onPage!.places };

  it('have the verdict that supports them best, and its places', () => {
    const [found] = mergeTraces([{ ...number('nowhere'), places: [] }], [onPage!]);
    assert.equal(found?.verdict, 'cited');
    assert.equal(found.onPages.length, 1);
    const [kept] = mergeTraces([{ ...number('context'), places: [] }], [nearMiss]);
    assert.equal(kept?.verdict, 'context');
    assert.deepEqual(kept.onPages, []);
  });

  it('are told in words', () => {
    const [found] = mergeTraces(undefined, [onPage!]);
    assert.equal(verdictWords(found!), 'stands on a cited page');
    const scaled = { ...number('scaled'), power: -3, places: [], onPages: [{ ...onPage!.places[0]!, cited: false }] };
    assert.equal(verdictWords(scaled), 'stands on a cited page, outside its boxes, scaled by 10⁻³');
  });
});

describe('excerpts', () => {
  it('stay on the line, are cut at words and keep the number', () => {
    const text = `One line.\n${'far '.repeat(40)}costs $ 25 a day${' later'.repeat(40)}\nNext line.`;
    const start = text.indexOf('25');
    const { before, text: own, after } = excerptAt(text, { start, end: start + 2 }, 20);
    assert.equal(own, '25');
    assert.equal(before, '… far far costs $ ');
    assert.equal(after, ' a day later later …');
    assert.deepEqual(excerptAt('25', { start: 0, end: 2 }), { before: '', text: '25', after: '' });
  });
});
