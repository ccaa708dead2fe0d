import assert from 'node:assert/strict';
import { gapsIn, labelOf, numbersOfImages, numbersOfPages } from '../../../server/src/core/evidence/document-pages.ts';
import { unitsOf } from '../../../server/src/core/evidence/units.ts';
import type { DocumentFacts, PageImageFacts } from '../../../server/src/core/ports.ts';
import type { Coordinates } from '../../../server/src/core/profile/types.ts';
import { aspectOf } from '../../../server/src/lsp/evidence/evidence-pages.ts';

const ok = (page: number): PageImageFacts => ({ state: 'ok', path: `/d_${page}.png`, width: 2550, height: 3300 });
const missing: PageImageFacts = { state: 'missing', looked: ['/d_9.png'] };
const pdfOf = (pages: number, labels?: readonly string[]): DocumentFacts['pdf'] & object => ({
  state: 'ok',
  path: '/d.pdf',
  pages: Array.from({ length: pages }, () => ({ width: 612, height: 792 })),
  ...(labels && { labels }),
});
const ONE = { pageBase: 1, imageBase: 1 } as const;

describe('pages of a document', () => {
  it('are numbered as a record cites them, whatever the images are called', () => {
    const document = { name: 'd', imageNumbers: [0, 1, 2] };
    assert.deepEqual(numbersOfImages(document, { pageBase: 1, imageBase: 0 }), [1, 2, 3]);
    assert.deepEqual(numbersOfImages(document, { pageBase: 0, imageBase: 0 }), [0, 1, 2]);
    // A cover with number 0 is no page where pages are counted from 1.
    assert.deepEqual(numbersOfImages(document, ONE), [1, 2]);
    assert.deepEqual(numbersOfImages({ name: 'd' }, ONE), []);
  });

  it('are those of the PDF, and images beyond it', () => {
    const images = new Map([
      [2, ok(2)],
      [5, ok(5)],
      [9, missing],
    ]);
    assert.deepEqual(numbersOfPages({ name: 'd', pdf: pdfOf(3), images }, ONE), [1, 2, 3, 5]);
    assert.deepEqual(numbersOfPages({ name: 'd', pdf: pdfOf(3) }, { pageBase: 0 }), [0, 1, 2]);
    assert.deepEqual(numbersOfPages({ name: 'd', images }, ONE), [2, 5]);
    assert.deepEqual(gapsIn([2, 5, 6, 8]), [3, 4, 7]);
  });

  it('are bounded', () => {
    const imageNumbers = Array.from({ length: 5000 }, (_, at) => at + 1);
    assert.equal(numbersOfImages({ name: 'd', imageNumbers }, ONE).length, 1000);
    assert.equal(gapsIn([1, 1e9]).length, 1000);
  });

  it('have the labels that readers show', () => {
    const document = { name: 'd', pdf: pdfOf(3, ['i', '', '1']) };
    assert.deepEqual(
      [1, 2, 3, 4].map((number) => labelOf(document, number, ONE)),
      ['i', null, '1', null],
    );
    assert.equal(labelOf(document, 0, { pageBase: 0 }), 'i');
    assert.equal(labelOf({ name: 'd', pdf: pdfOf(3) }, 1, ONE), null);
  });

  it('are measured in the units of the boxes', () => {
    const page = { points: { width: 612, height: 792 } };
    const pixel: Coordinates = { space: 'pixel', dpi: 300, order: 'xyxy', origin: 'top-left' };
    const boxes = [[[0.1, 0.25, 0.5, 0.125]]];
    assert.deepEqual(unitsOf({ boxes: undefined }, { coordinates: pixel }, page), {
      width: 2550,
      height: 3300,
      step: 1,
    });
    assert.deepEqual(unitsOf({ boxes }, { coordinates: { ...pixel, space: 'unit' } }, page), {
      width: 1,
      height: 1,
      step: 0.001,
    });
    assert.equal(unitsOf({ boxes }, { coordinates: pixel }, {}), undefined);
    assert.equal(unitsOf({ boxes }, { coordinates: undefined }, page), undefined);
  });

  it('have no shape where they have no size', () => {
    assert.equal(aspectOf({ points: { width: 612, height: 792 } }), 612 / 792);
    for (const points of [
      { width: 0, height: 792 },
      { width: 612, height: 0 },
    ]) {
      assert.equal(aspectOf({ points }), null);
    }
  });
});
