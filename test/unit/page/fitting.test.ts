/** Snapping, growing and shrinking, measured on boxes that people drew. */
import assert from 'node:assert/strict';
import { sidesThatCut } from '../../../server/src/core/page/cuts.ts';
import { fitPlace } from '../../../server/src/core/page/fit.ts';
import { learnMargins, marginsOf } from '../../../server/src/core/page/margins.ts';
import type { Margins } from '../../../server/src/core/page/margins.ts';
import { rectOf } from '../../../server/src/core/page/rects.ts';
import { drawnBoxes, drawnRoughly, iou, moved, randomFrom } from './annotated.ts';
import type { DrawnBox } from './annotated.ts';

const SEEDS = Array.from({ length: 20 }, (_, i) => i + 1);
/** Pixels at 300 dpi by which an edge is off at most. */
const ROUGH = 60;

describe('boxes that people drew', function () {
  this.timeout(120_000);
  let boxes: readonly DrawnBox[] = [];
  let margins: readonly Margins[] = [];
  before(async function () {
    const found = await drawnBoxes();
    if (found === undefined) return this.skip();
    boxes = found;
    assert.equal(boxes.length, 34);
    // Of each box from the others alone: the same region is marked in several records.
    margins = boxes.map((box) =>
      learnMargins(
        boxes.flatMap((other) => {
          if (other.page === box.page && iou(other.place, box.place) > 0.5) return [];
          return marginsOf(other.on.layout, rectOf(other.place, other.on.layout)) ?? [];
        }),
      ),
    );
  });

  for (const how of ['grow', 'shrink'] as const) {
    it(`${how} leaves all of them as they are`, () => {
      const far = boxes.map(({ place, on }, i) => moved(place, fitPlace(on, place, how, margins[i]!) ?? place));
      assert.deepEqual(
        far.filter((pixels) => pixels > 2),
        [],
      );
    });
  }

  it('come back from rough ones: a mean IoU of 0.92, and 0.9 for 24 of the 34', () => {
    const drawn: number[] = [];
    const means: number[] = [];
    const counts: number[] = [];
    for (const seed of SEEDS) {
      const random = randomFrom(seed);
      const overlaps = boxes.map(({ place, on }, i) => {
        const rough = drawnRoughly(place, ROUGH, random);
        drawn.push(iou(place, rough));
        return iou(place, fitPlace(on, rough, 'snap', margins[i]!) ?? rough);
      });
      means.push(mean(overlaps));
      counts.push(overlaps.filter((overlap) => overlap >= 0.9).length);
    }
    assert.ok(Math.abs(mean(drawn) - 0.83) < 0.02, `they are as rough as they should be: ${mean(drawn)}`);
    const told = `means ${means.map((value) => value.toFixed(3)).join(' ')}; of 34: ${counts.join(' ')}`;
    assert.ok(mean(means) >= 0.92, told);
    assert.ok(Math.min(...means) >= 0.9, told);
    assert.ok(Math.min(...counts) >= 24, told);
  });

  it('grow until the rule on cut content is quiet', () => {
    let cut = 0;
    let closed = 0;
    for (const seed of SEEDS.slice(0, 5)) {
      const random = randomFrom(seed);
      boxes.forEach(({ place, on }, i) => {
        const rough = drawnRoughly(place, ROUGH, random);
        if (sidesThatCut(on.facts, rough, on.layout).length === 0) return;
        cut += 1;
        const grown = fitPlace(on, rough, 'grow', margins[i]!);
        if (grown === undefined) return;
        assert.deepEqual(sidesThatCut(on.facts, grown, on.layout), []);
        assert.ok(grown.left <= rough.left && grown.top <= rough.top, 'outward only');
        closed += 1;
      });
    }
    assert.ok(cut > 100, `${cut} cut something`);
    assert.ok(closed >= 0.97 * cut, `${closed} of ${cut} could be closed`);
  });
});

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
