import assert from 'node:assert/strict';
import fc from 'fast-check';
import { numbersFor } from '../../../server/src/core/edit/region-numbers.ts';
import { cornersOf, extentOf, toFractions } from '../../../server/src/core/evidence/geometry.ts';
import type { BoxNumbers, Fractions, PageMeasure } from '../../../server/src/core/evidence/geometry.ts';
import type { Coordinates } from '../../../server/src/core/profile/types.ts';

const SIZES = [
  { width: 612, height: 792 },
  { width: 792, height: 612 },
  { width: 595.276, height: 841.89 },
  { width: 841.89, height: 595.276 },
  { width: 433.2, height: 650.4 },
];

interface Setting {
  readonly coordinates: Coordinates;
  readonly page: PageMeasure;
  readonly decimals: number;
}

/** Every space, order and origin, on pages known in points, in pixels or in both, at usual and odd resolutions. */
const settings: fc.Arbitrary<Setting> = fc
  .record({
    space: fc.constantFrom('pixel', 'point', 'unit', 'percent', 'permille'),
    order: fc.constantFrom('xyxy', 'xywh', 'whxy'),
    origin: fc.constantFrom('top-left', 'bottom-left'),
    points: fc.constantFrom(...SIZES),
    dpi: fc.constantFrom(72, 96, 110, 144, 150, 200, 233, 300),
    known: fc.constantFrom('points', 'pixels', 'both'),
    finer: fc.integer({ min: 0, max: 3 }),
  })
  .map(({ space, order, origin, points, dpi, known, finer }) => {
    const pixels = { width: Math.ceil((points.width * dpi) / 72), height: Math.ceil((points.height * dpi) / 72) };
    const isSized = space === 'pixel' || (space === 'point' && known === 'pixels');
    return {
      coordinates: { space, order, origin, ...(isSized && { dpi }) } as Coordinates,
      page: { ...(known !== 'pixels' && { points }), ...(known !== 'points' && { pixels }) },
      decimals: { pixel: 0, point: 0, unit: 2, percent: 0, permille: 0 }[space] + finer,
    };
  });

/** Four numbers on the grid of the space, the corners in order and on the page. */
function boxOn({ coordinates, page, decimals }: Setting, [a, b, c, d]: readonly number[]): BoxNumbers {
  const extent = extentOf(coordinates, page)!;
  const steps = [extent.width, extent.height].map((size) => Math.floor(size * 10 ** decimals + 1e-6));
  const side = (one: number, two: number, most: number): [number, number] => {
    const [low, high] = [Math.floor(Math.min(one, two) * most), Math.floor(Math.max(one, two) * most)];
    const [start, end] = high > low ? [low, high] : high < most ? [low, low + 1] : [low - 1, low];
    return [start, end].map((step) => Number((step / 10 ** decimals).toFixed(decimals))) as [number, number];
  };
  const [x1, x2] = side(a!, c!, steps[0]!);
  const [y1, y2] = side(b!, d!, steps[1]!);
  const length = (low: number, high: number): number => Number((high - low).toFixed(decimals));
  if (coordinates.order === 'xyxy') return [x1, y1, x2, y2];
  const [w, h] = [length(x1, x2), length(y1, y2)];
  return coordinates.order === 'xywh' ? [x1, y1, w, h] : [w, h, x1, y1];
}

const part = fc.double({ min: 0, max: 1, noNaN: true });
const parts = fc.tuple(part, part, part, part);
/** Also what lies beyond the page, and what has no size. */
const loose = fc.double({ min: -0.5, max: 1.5, noNaN: true });
const places: fc.Arbitrary<Fractions> = fc.record({ left: loose, top: loose, width: part, height: part });

/** As it comes back from the preview. */
function sent(place: Fractions): Fractions {
  return JSON.parse(JSON.stringify(place)) as Fractions;
}

describe('numbers of a region', () => {
  it('come back exactly from their place, whatever space, order, origin, page and decimals', () => {
    fc.assert(
      fc.property(settings, parts, (setting, numbers) => {
        const { coordinates, page, decimals } = setting;
        const box = boxOn(setting, numbers);
        const place = sent(toFractions(box, coordinates, page)!);
        assert.deepEqual(numbersFor(place, coordinates, page, decimals), box);
        assert.deepEqual(numbersFor(place, coordinates, page, decimals, box), box);
      }),
      { numRuns: 4000 },
    );
  });

  it('of any place are in order, on the page, at least a step wide and high, and stay when they are placed again', () => {
    fc.assert(
      fc.property(settings, places, ({ coordinates, page, decimals }, wanted) => {
        const box = numbersFor(wanted, coordinates, page, decimals)!;
        const extent = extentOf(coordinates, page)!;
        const [x1, y1, x2, y2] = cornersOf(box, coordinates.order);
        const step = 10 ** -decimals;
        assert.ok(x2 - x1 >= step * 0.999 && y2 - y1 >= step * 0.999, `${box}`);
        assert.ok(x1 >= 0 && y1 >= 0 && x2 <= extent.width + 1e-6 && y2 <= extent.height + 1e-6, `${box}`);
        const again = sent(toFractions(box, coordinates, page)!);
        assert.deepEqual(numbersFor(again, coordinates, page, decimals), box);
      }),
      { numRuns: 4000 },
    );
  });

  it('are the nearest ones for a place on the page', () => {
    fc.assert(
      fc.property(settings, parts, ({ coordinates, page, decimals }, [a, b, c, d]) => {
        const [left, top] = [Math.min(a, c), Math.min(b, d)];
        const place = { left, top, width: Math.max(a, c) - left, height: Math.max(b, d) - top };
        const extent = extentOf(coordinates, page)!;
        const step = 10 ** -decimals;
        if (place.width * extent.width < 2 * step || place.height * extent.height < 2 * step) return;
        const got = toFractions(numbersFor(place, coordinates, page, decimals)!, coordinates, page)!;
        // At the far edge down to the last step that is on the page.
        const near = (one: number, two: number, size: number): boolean => Math.abs(one - two) * size <= step * 1.001;
        assert.ok(near(got.left, place.left, extent.width) && near(got.top, place.top, extent.height));
        assert.ok(near(got.left + got.width, place.left + place.width, extent.width));
        assert.ok(near(got.top + got.height, place.top + place.height, extent.height));
      }),
      { numRuns: 2000 },
    );
  });

  it('of a region that is moved keep its size, and only where it lies is written', () => {
    fc.assert(
      fc.property(settings, parts, loose, loose, (setting, numbers, x, y) => {
        const { coordinates, page, decimals } = setting;
        const box = boxOn(setting, numbers);
        const place = toFractions(box, coordinates, page)!;
        const moved = { ...place, left: place.left + x, top: place.top + y };
        const got = numbersFor(sent(moved), coordinates, page, decimals, box)!;
        const [before, after] = [cornersOf(box, coordinates.order), cornersOf(got, coordinates.order)];
        const step = 10 ** -decimals;
        assert.ok(Math.abs(after[2] - after[0] - (before[2] - before[0])) < step * 1e-3);
        assert.ok(Math.abs(after[3] - after[1] - (before[3] - before[1])) < step * 1e-3);
        if (coordinates.order === 'xywh') assert.deepEqual(got.slice(2), box.slice(2));
        if (coordinates.order === 'whxy') assert.deepEqual(got.slice(0, 2), box.slice(0, 2));
      }),
      { numRuns: 2000 },
    );
  });

  it('of a region of which one edge is moved keep those of the other edges', () => {
    fc.assert(
      fc.property(settings, parts, part, fc.nat(3), (setting, numbers, to, edge) => {
        const { coordinates, page, decimals } = setting;
        const box = boxOn(setting, numbers);
        const { left, top, width, height } = toFractions(box, coordinates, page)!;
        const edges = [left, top, left + width, top + height];
        edges[edge] = edge < 2 ? edges[edge + 2]! * to : edges[edge - 2]! + (1 - edges[edge - 2]!) * to;
        const [x1, y1, x2, y2] = edges as [number, number, number, number];
        const place = { left: x1, top: y1, width: x2 - x1, height: y2 - y1 };
        const got = numbersFor(sent(place), coordinates, page, decimals, box)!;
        const [before, after] = [cornersOf(box, coordinates.order), cornersOf(got, coordinates.order)];
        const isTurned = coordinates.origin === 'bottom-left' && edge % 2 === 1;
        const own = isTurned ? 4 - edge : edge;
        for (const at of [0, 1, 2, 3]) {
          if (at !== own) assert.ok(Math.abs(before[at]! - after[at]!) < 1e-9, `${box} ${got}`);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('keep more decimals than are written where they stay, and odd ones where nothing is moved', () => {
    const coordinates = { space: 'pixel', dpi: 300, order: 'xyxy', origin: 'top-left' } as const;
    const page = { points: SIZES[0]! };
    const box = [281.123456789, 2228, 1890.5, 2941] as const;
    const place = toFractions(box, coordinates, page)!;
    const lower = { ...place, height: place.height + 59 / 3300 };
    assert.deepEqual(numbersFor(lower, coordinates, page, 0, box), [281.123456789, 2228, 1890.5, 3000]);
    const swapped = [1890, 2941, 281, 2228] as const;
    assert.equal(numbersFor(toFractions(swapped, coordinates, page)!, coordinates, page, 0, swapped), swapped);
    assert.deepEqual(
      numbersFor({ ...toFractions(swapped, coordinates, page)!, left: 0 }, coordinates, page, 0, swapped),
      [0, 2228, 1609, 2941],
    );
    const outside = [-40, 100, 300, 400] as const;
    const higher = { ...toFractions(outside, coordinates, page)!, top: 90 / 3300, height: 310 / 3300 };
    assert.deepEqual(numbersFor(higher, coordinates, page, 0, outside), [-40, 90, 300, 400]);
  });

  it('are not known where the page has no size', () => {
    const coordinates = { space: 'pixel', dpi: 300, order: 'xyxy', origin: 'top-left' } as const;
    assert.equal(numbersFor({ left: 0, top: 0, width: 1, height: 1 }, coordinates, {}, 0), undefined);
  });
});
