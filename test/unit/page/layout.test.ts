/** Layout, proposals and reading order of pages that are made up here. */
import assert from 'node:assert/strict';
import { fitPlace } from '../../../server/src/core/page/fit.ts';
import { inkOf } from '../../../server/src/core/page/ink.ts';
import { layoutOf } from '../../../server/src/core/page/layout.ts';
import type { PageLayout } from '../../../server/src/core/page/layout-types.ts';
import { learnMargins, USUAL_MARGINS } from '../../../server/src/core/page/margins.ts';
import { describePlace, proposeRegions } from '../../../server/src/core/page/proposals.ts';
import { textInPlace } from '../../../server/src/core/page/text-in-place.ts';
import { analysePage } from '../../../server/src/core/page/words.ts';
import type { TextRun } from '../../../server/src/core/page/words.ts';
import type { PageFacts } from '../../../server/src/core/ports.ts';
import { PAGE, edgesOf, moved, placeOf } from './annotated.ts';

const LABELS = ['text', 'table', 'image'];
const SIZE = 10;

/** A line of text in points of a letter page. */
const run = (text: string, x: number, y: number, length = text.length * 5): TextRun => ({
  text,
  x,
  y,
  length,
  size: SIZE,
  turn: 0,
});
const lines = (name: string, count: number, x: number, y: number, length: number): TextRun[] =>
  Array.from({ length: count }, (_, i) => run(`${name}${i} typed words of a paragraph`, x, y + 12 * i, length));

const BOX = { left: 60, top: 500, right: 260, bottom: 600 };

/** Heading, two columns, a picture with its caption, a table and a footer. */
function facts(): PageFacts {
  const runs = [
    run('A heading over both columns of the page', 150, 70, 300),
    ...lines('left', 10, 60, 110, 230),
    ...lines('right', 10, 320, 116, 230),
    ...['Region', 'North', 'South', 'East'].flatMap((name, i) => [
      run(name, 60, 300 + 18 * i, 40),
      run(`20${i}1`, 200, 300 + 18 * i, 25),
      run(`1,${i}50`, 285, 300 + 18 * i, 40),
    ]),
    run('Figure 1. What is shown', 90, 615, 140),
    run('7', 300, 770, 6),
  ];
  const text = analysePage(runs, [{ kind: 'image', ...BOX }], { width: 612, height: 792 });
  return { text };
}

describe('the layout of a page', () => {
  const page = facts();
  const layout = layoutOf(page, PAGE)!;

  it('is proposed as paragraphs, a table and a figure with its caption, none over another', () => {
    const proposals = proposeRegions(layout, USUAL_MARGINS, LABELS);
    const named = (label: string) => proposals.filter((one) => one.label === label);
    assert.deepEqual(
      named('image').map(({ says }) => says),
      ['figure with its caption'],
    );
    assert.deepEqual(
      named('table').map(({ says }) => says),
      ['table'],
    );
    assert.equal(named('text').filter(({ says }) => says === 'paragraph of 10 lines').length, 2);
    assert.ok(!proposals.some(({ place }) => place.top > 0.93), 'no page number');
    assert.ok(['image', 'table'].includes(proposals[0]!.label!), 'tables and figures come first');
    for (const [i, { place: a }] of proposals.entries()) {
      for (const { place: b } of proposals.slice(i + 1)) {
        const x = Math.min(a.left + a.width, b.left + b.width) - Math.max(a.left, b.left);
        const y = Math.min(a.top + a.height, b.top + b.height) - Math.max(a.top, b.top);
        assert.ok(x < 0.001 || y < 0.001, `${JSON.stringify(a)} and ${JSON.stringify(b)}`);
      }
    }
    assert.ok(proposeRegions(layout, USUAL_MARGINS, ['chart 1']).every(({ label }) => label === null));
  });

  it('says what a place holds', () => {
    const of = (label: string) =>
      proposeRegions(layout, USUAL_MARGINS, LABELS).find((one) => one.label === label)!.place;
    assert.equal(describePlace(layout, of('table')), 'table');
    assert.equal(describePlace(layout, of('image')), 'figure');
    assert.equal(describePlace(layout, of('text')), '10 lines of text');
    assert.equal(describePlace(layout, placeOf(100, 3000, 200, 3100)), null);
  });

  it('is read column by column, and tables row by row', () => {
    const text = textInPlace(page.text!, { left: 0, top: 0, width: 1, height: 1 }, { width: 612, height: 792 });
    const starts = text.split('\n').map((line) => line.split(' ')[0]);
    const at = (word: string): number => starts.indexOf(word);
    assert.ok(at('A') < at('left0') && at('left9') < at('right0') && at('right9') < at('Region'), text);
    assert.ok(text.includes('\nNorth 2011 1,150\n'), text);
  });

  it('takes rough boxes to its blocks, and leaves those that are nowhere near', () => {
    const rough = placeOf(220, 400, 1230, 930);
    const snapped = edgesOf(fitPlace({ facts: page, layout }, rough, 'snap', USUAL_MARGINS)!);
    const [left, top, right] = snapped;
    assert.ok(Math.abs(left - (60 * 300) / 72) <= 12 && Math.abs(right - (290 * 300) / 72) <= 12, snapped.join());
    assert.ok(top > 400 && top < (110 * 300) / 72, snapped.join());
    const away = placeOf(1700, 2400, 2100, 2700);
    assert.deepEqual(fitPlace({ facts: page, layout }, away, 'snap', USUAL_MARGINS), away);
  });

  it('shrinks a box with much empty room, and not one with little', () => {
    const content = [BOX.left, BOX.top, BOX.right, BOX.bottom].map((edge) => (edge * 300) / 72);
    const [left, top, right, bottom] = content as [number, number, number, number];
    const wide = placeOf(left - 20, top - 200, right + 300, bottom - 100);
    const shrunk = edgesOf(fitPlace({ facts: page, layout }, wide, 'shrink', USUAL_MARGINS)!);
    assert.ok(Math.abs(shrunk[0] - (left - 20)) < 1, 'little room stays');
    assert.ok(Math.abs(shrunk[1] - (top - USUAL_MARGINS.top)) < 1);
    assert.ok(Math.abs(shrunk[2] - (right + USUAL_MARGINS.right)) < 1);
    assert.ok(Math.abs(shrunk[3] - (bottom - 100)) < 1, 'what is cut stays cut');
    assert.equal(
      fitPlace({ facts: page, layout }, placeOf(1700, 2400, 2100, 2700), 'shrink', USUAL_MARGINS),
      undefined,
    );
  });

  it('of an image is the same at any resolution', () => {
    const sizes: PageLayout[] = [100, 200, 300].map((dpi) => layoutOf({ ink: inkAt(dpi) }, PAGE)!);
    const places = sizes.map((one) => proposeRegions(one, USUAL_MARGINS, LABELS));
    for (const proposals of places) {
      assert.deepEqual(
        proposals.map(({ label }) => label),
        ['image', 'text', 'text'],
      );
      proposals.forEach(({ place }, i) => assert.ok(moved(place, places[2]![i]!.place) <= 16));
    }
  });
});

describe('margins of boxes', () => {
  it('are the median of each side; what cuts or is far away does not count', () => {
    assert.deepEqual(learnMargins([]), USUAL_MARGINS);
    const boxes = [20, 22, 24, 26, 200].map((left) => ({ left, top: -9, right: 20, bottom: 3 }));
    const { left, top, right, bottom } = learnMargins(boxes);
    assert.ok(left >= 20 && left <= 24, String(left));
    assert.equal(top, USUAL_MARGINS.top);
    assert.deepEqual([right, bottom], [20, 3]);
  });
});

/** Two paragraphs of dashes and a pale square, on a letter page. */
function inkAt(dpi: number) {
  const scale = dpi / 300;
  const width = Math.round(PAGE.width * scale);
  const height = Math.round(PAGE.height * scale);
  const data = new Uint8Array(width * height).fill(255);
  const fill = (left: number, top: number, right: number, bottom: number, grey: number): void => {
    for (let y = Math.round(top * scale); y < Math.round(bottom * scale); y++) {
      data.fill(grey, y * width + Math.round(left * scale), y * width + Math.round(right * scale));
    }
  };
  for (const [top, count] of [
    [300, 8],
    [900, 5],
  ] as const) {
    for (let i = 0; i < count; i++) {
      for (let x = 300; x < 2200; x += 135) fill(x, top + 60 * i, x + 120, top + 60 * i + 36, 20);
    }
  }
  fill(600, 1500, 1900, 2300, 200);
  return inkOf({ width, height, channels: 1, data });
}
