import assert from 'node:assert/strict';
import fc from 'fast-check';
import { extentOf, fromFractions, toFractions } from '../../../server/src/core/evidence/geometry.ts';
import type { BoxNumbers, PageMeasure } from '../../../server/src/core/evidence/geometry.ts';
import type { Coordinates } from '../../../server/src/core/profile/types.ts';

const LETTER: PageMeasure = { points: { width: 612, height: 792 } };
const A4: PageMeasure = { points: { width: 595.276, height: 841.89 } };
const PIXEL: Coordinates = { space: 'pixel', dpi: 300, order: 'xyxy', origin: 'top-left' };

describe('page sizes', () => {
  it('come from points at the dpi, rounded up', () => {
    assert.deepEqual(extentOf(PIXEL, LETTER), { width: 2550, height: 3300 });
    assert.deepEqual(extentOf(PIXEL, A4), { width: 2481, height: 3508 });
    assert.deepEqual(extentOf({ ...PIXEL, dpi: 200 }, LETTER), { width: 1700, height: 2200 });
  });

  it('come from the image where it is the page at that dpi', () => {
    const pixels = { width: 2480, height: 3508 };
    assert.deepEqual(extentOf(PIXEL, { ...A4, pixels }), pixels);
    assert.deepEqual(extentOf(PIXEL, { pixels }), pixels);
  });

  it('come from points where the image shows the page at another resolution', () => {
    const pixels = { width: 1224, height: 1584 };
    assert.deepEqual(extentOf(PIXEL, { ...LETTER, pixels }), { width: 2550, height: 3300 });
  });

  it('come from the image where no dpi is stated, or the shapes differ', () => {
    const pixels = { width: 1224, height: 1584 };
    const own: Coordinates = { space: 'pixel', order: 'xyxy', origin: 'top-left' };
    assert.deepEqual(extentOf(own, { ...LETTER, pixels }), pixels);
    assert.equal(extentOf(own, LETTER), undefined);
    assert.deepEqual(extentOf(PIXEL, { ...LETTER, pixels: { width: 3300, height: 2550 } }), {
      width: 3300,
      height: 2550,
    });
  });

  it('of relative spaces need no page, points need one', () => {
    assert.deepEqual(extentOf({ ...PIXEL, space: 'permille' }, {}), { width: 1000, height: 1000 });
    assert.equal(extentOf({ ...PIXEL, space: 'point' }, {}), undefined);
    assert.equal(extentOf(PIXEL, {}), undefined);
  });
});

describe('boxes on a page', () => {
  const meant = { left: 0.25, top: 0.5, width: 0.5, height: 0.25 };
  const rows: readonly [Coordinates, BoxNumbers][] = [
    [PIXEL, [637.5, 1650, 1912.5, 2475]],
    [{ ...PIXEL, order: 'xywh' }, [637.5, 1650, 1275, 825]],
    [{ ...PIXEL, order: 'whxy' }, [1275, 825, 637.5, 1650]],
    [{ ...PIXEL, origin: 'bottom-left' }, [637.5, 825, 1912.5, 1650]],
    [{ ...PIXEL, order: 'xywh', origin: 'bottom-left' }, [637.5, 825, 1275, 825]],
    [{ ...PIXEL, space: 'point' }, [153, 396, 459, 594]],
    [{ ...PIXEL, space: 'unit' }, [0.25, 0.5, 0.75, 0.75]],
    [{ ...PIXEL, space: 'percent' }, [25, 50, 75, 75]],
    [{ ...PIXEL, space: 'permille' }, [250, 500, 750, 750]],
  ];
  for (const [coordinates, box] of rows) {
    const { space, order, origin } = coordinates;
    it(`${space} ${order} ${origin}: to fractions and back`, () => {
      assert.deepEqual(toFractions(box, coordinates, LETTER), meant);
      assert.deepEqual(fromFractions(meant, coordinates, LETTER, 6), box);
    });
  }

  it('lie nowhere on a page without a size', () => {
    const nothing = { width: 0, height: 0 };
    const coordinates = { space: 'point', order: 'xyxy', origin: 'top-left' } as const;
    assert.equal(toFractions([0, 0, 1, 1], coordinates, { points: nothing }), undefined);
    assert.equal(toFractions([0, 0, 1, 1], { ...coordinates, space: 'pixel' }, { pixels: nothing }), undefined);
  });

  it('are put in order for showing', () => {
    assert.deepEqual(toFractions([1912.5, 2475, 637.5, 1650], PIXEL, LETTER), meant);
  });

  it('come back exactly, whatever space, order, origin and page', () => {
    const spaces = fc.constantFrom<[Coordinates['space'], number]>(
      ['pixel', 0],
      ['point', 2],
      ['unit', 6],
      ['percent', 4],
      ['permille', 6],
    );
    const corner = fc
      .tuple(fc.nat(1_000_000), fc.nat(1_000_000))
      .map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);
    fc.assert(
      fc.property(
        spaces,
        fc.constantFrom<Coordinates['order']>('xyxy', 'xywh', 'whxy'),
        fc.constantFrom<Coordinates['origin']>('top-left', 'bottom-left'),
        fc.constantFrom(LETTER, A4),
        corner,
        corner,
        ([space, decimals], order, origin, page, [x1, x2], [y1, y2]) => {
          const coordinates: Coordinates = { space, order, origin, ...(space === 'pixel' && { dpi: 300 }) };
          const { width, height } = extentOf(coordinates, page)!;
          const at = (share: number, extent: number): number => Number(((share / 1e6) * extent).toFixed(decimals));
          const [l, t, r, b] = [at(x1, width), at(y1, height), at(x2, width), at(y2, height)];
          const size = [Number((r - l).toFixed(decimals)), Number((b - t).toFixed(decimals))] as const;
          const box: BoxNumbers =
            order === 'xyxy' ? [l, t, r, b] : order === 'xywh' ? [l, t, ...size] : [...size, l, t];
          const fractions = toFractions(box, coordinates, page)!;
          assert.deepEqual(fromFractions(fractions, coordinates, page, decimals), box);
        },
      ),
    );
  });
});
