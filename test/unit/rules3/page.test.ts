import assert from 'node:assert/strict';
import { crossingsOf, hasMarks, inkOf } from '../../../server/src/core/page/ink.ts';
import { cutsOf } from '../../../server/src/core/page/cuts.ts';
import { furnitureIn } from '../../../server/src/core/page/furniture.ts';
import { textIn } from '../../../server/src/core/page/region-text.ts';
import { termsOf } from '../../../server/src/core/page/terms.ts';
import { pagesWanted } from '../../../server/src/core/page/wanted.ts';
import { analysePage } from '../../../server/src/core/page/words.ts';
import type { TextRun } from '../../../server/src/core/page/words.ts';
import type { PageInk } from '../../../server/src/core/ports.ts';
import { builtinProfile } from '../../../server/src/core/profile/builtin.ts';
import { toCanonical } from '../../../server/src/core/record/canonical.ts';
import { documentOf, SCIEGQA } from '../rules/support.ts';

const SIZE = { width: 600, height: 800 };

function run(text: string, x: number, y: number, length: number, turn: TextRun['turn'] = 0): TextRun {
  return { text, x, y, length, size: 10, turn };
}

/** A white page of 200 × 200 pixels with filled rectangles: left, top, right, bottom, grey value. */
function page(...rectangles: readonly (readonly [number, number, number, number, number])[]): PageInk {
  const data = new Uint8Array(200 * 200 * 3).fill(255);
  for (const [left, top, right, bottom, grey] of rectangles) {
    for (let y = top; y < bottom; y++) data.fill(grey, (y * 200 + left) * 3, (y * 200 + right) * 3);
  }
  return inkOf({ width: 200, height: 200, channels: 3, data });
}

describe('text of a page', () => {
  const text = analysePage(
    [
      run('Total revenue', 100, 100, 70),
      run('1,200', 300, 100, 28),
      run('grew in 2032.', 100, 114, 64),
      run('margin', 20, 400, 35, 3),
    ],
    [],
    SIZE,
  );

  it('comes in words, lines that end at gaps, and blocks', () => {
    const upright = text.lines.filter((line) => line.upright).map((line) => line.words.map((word) => word.text));
    assert.deepEqual(upright, [['Total', 'revenue'], ['1,200'], ['grew', 'in', '2032.']]);
    assert.equal(text.lines.filter((line) => !line.upright).length, 1);
    assert.equal(text.blocks.find((block) => block.lines.length === 2)?.lines[1]?.words[0]?.text, 'grew');
  });

  it('puts together what is one word in several runs, and nothing that is raised, smaller or apart', () => {
    const raised = { ...run('2', 144, 96, 4), size: 6 };
    const parts = analysePage(
      [run('a painted sta', 80, 100, 50), run('ff', 130, 100, 8), run('12', 134 + 4.5, 100, 10), raised],
      [],
      SIZE,
    );
    assert.deepEqual(
      parts.lines[0]!.words.map((word) => word.text),
      ['a', 'painted', 'staff', '12', '2'],
    );
    const [, , staff] = parts.lines[0]!.words;
    assert.equal(Math.round((staff!.left + staff!.width) * SIZE.width), 138);
  });

  it('has boxes that hug the glyphs', () => {
    const line = text.lines.find((one) => one.words[0]?.text === 'Total')!;
    assert.equal(Math.round(line.left * SIZE.width), 100);
    assert.equal(Math.round((line.left + line.width) * SIZE.width), 170);
    assert.equal(line.top * SIZE.height, 93);
    assert.equal((line.top + line.height) * SIZE.height, 100);
  });

  it('is cut where more than a tenth of the height or a glyph lies to either side', () => {
    const cut = (left: number, top: number, right: number, bottom: number): string[] =>
      cutsOf(text, { left: left / 600, top: top / 800, width: (right - left) / 600, height: (bottom - top) / 800 }).map(
        ({ side }) => side,
      );
    assert.deepEqual(cut(90, 80, 400, 130), []);
    assert.deepEqual(cut(90, 96, 400, 130), ['top']);
    assert.deepEqual(cut(90, 93.5, 400, 130), []);
    assert.deepEqual(cut(90, 80, 400, 110), ['bottom']);
    assert.deepEqual(cut(140, 80, 400, 102), ['left']);
    assert.deepEqual(cut(90, 80, 168, 102), []);
    // Beside the text, not through it.
    assert.deepEqual(cut(200, 80, 400, 130), []);
  });

  it('of a region, with whether a picture may hold more', () => {
    const region = { left: 90 / 600, top: 80 / 800, width: 100 / 600, height: 25 / 800 };
    assert.match(textIn(text, region).text, /Total revenue/);
    assert.doesNotMatch(textIn(text, region).text, /2032/);
    assert.equal(textIn(text, region).hasPicture, false);
    const drawn = analysePage([], [{ kind: 'image', left: 95, top: 85, right: 120, bottom: 95 }], SIZE);
    assert.equal(textIn(drawn, region).hasPicture, true);
    const ruled = analysePage([], [{ kind: 'rule', left: 95, top: 85, right: 120, bottom: 86 }], SIZE);
    assert.equal(textIn(ruled, region).hasPicture, false);
  });

  it('has furniture in its margins', () => {
    const all = { left: 0, top: 0, width: 1, height: 1 };
    const paged = analysePage([run('Some text of the page.', 100, 300, 120), run('7', 300, 780, 6)], [], SIZE);
    assert.deepEqual(furnitureIn(paged, all, 7), ['7']);
    assert.deepEqual(furnitureIn(paged, { left: 0, top: 0, width: 1, height: 0.9 }, 7), []);
    assert.deepEqual(furnitureIn(text, all, 7), []);
  });
});

describe('ink of a page image', () => {
  const box = { left: 50, top: 50, right: 150, bottom: 150 };

  it('is dark, content is whatever is not background', () => {
    const ink = page([60, 60, 70, 70, 0], [100, 100, 110, 110, 200]);
    assert.equal(
      ink.bits.reduce((sum, byte) => sum + byte.toString(2).replaceAll('0', '').length, 0),
      100,
    );
    assert.equal(hasMarks(ink, { left: 96, top: 96, right: 128, bottom: 128 }), true);
    assert.equal(hasMarks(ink, { left: 130, top: 0, right: 200, bottom: 90 }), false);
    assert.equal(hasMarks(page([0, 0, 200, 200, 0]), box), false);
  });

  it('crosses an edge that it reaches more than 5 pixels to either side of', () => {
    assert.deepEqual(crossingsOf(page([140, 90, 160, 100, 0]), box, 5), [{ side: 'right', pieces: 1, at: 90 }]);
    assert.deepEqual(crossingsOf(page([90, 144, 95, 156, 0], [120, 140, 125, 160, 0]), box, 5), [
      { side: 'bottom', pieces: 2, at: 90 },
    ]);
    assert.deepEqual(crossingsOf(page([140, 90, 155, 100, 0]), box, 5), []);
    assert.deepEqual(crossingsOf(page([145, 90, 160, 100, 0]), box, 5), []);
    // Two pieces that touch the edge from either side, with a gap between.
    assert.deepEqual(crossingsOf(page([130, 90, 149, 100, 0], [151, 90, 170, 100, 0]), box, 5), []);
  });

  it('does not cross where an edge lies on a rule, or at the edge of the page', () => {
    assert.deepEqual(crossingsOf(page([20, 48, 180, 52, 0]), box, 5), []);
    assert.deepEqual(crossingsOf(page([0, 90, 200, 100, 0]), { left: 0, top: 50, right: 200, bottom: 150 }, 5), []);
  });
});

describe('names and numbers of an answer', () => {
  const terms = (answer: string): string[] => termsOf(answer).map(({ text }) => text);

  it('are those that tell something', () => {
    assert.deepEqual(terms('North'), ['North']);
    assert.deepEqual(terms('It is 2,550 in New York.'), ['2,550', 'New York']);
    assert.deepEqual(terms('Increased by 12 in 2031'), []);
    assert.deepEqual(terms('Yes'), []);
    assert.deepEqual(terms('$8.70 or 0.25 or 41.25'), ['41.25']);
  });

  it('are found without separators, case and line breaks', () => {
    const has = (answer: string, text: string): boolean => termsOf(answer)[0]!.isIn(text);
    for (const text of ['2,550', '2550', '2 550', '$2,550.00']) assert.ok(has('2550', text), text);
    for (const text of ['12,550', '25500', '2,550.5', '2550,1']) assert.ok(!has('2550', text), text);
    assert.ok(has('New York', 'NEW\nYORK'));
    assert.ok(has('Cloudwatch', 'Cloud-\nwatch'));
    assert.equal(termsOf('North')[0]!.isDistinct(['to the north of it']), false);
    assert.equal(termsOf('North')[0]!.isDistinct(['the North district']), true);
  });
});

describe('pages that are looked at', () => {
  const profile = builtinProfile('sciegqa')!;
  const numbers = (change: Readonly<Record<string, unknown>>, document = documentOf(3)): number[] =>
    pagesWanted(toCanonical({ ...SCIEGQA, ...change }, profile), { pageBase: 1 }, document).map(({ number }) => number);

  it('are the cited ones that are there, each once', () => {
    assert.deepEqual(numbers({}), [2]);
    assert.deepEqual(numbers({ evidence_page: [3, 2, 2, 9, 'x'], bbox: [[], [[1, 2, 3, 4]], []] }), [3, 2]);
    assert.deepEqual(numbers({ evidence_page: [3, 2], bbox: [[], [[1, 2, 3, 4]]], rel_bbox: null, answer: 5 }), [2]);
    assert.deepEqual(numbers({}, { name: 'paper' }), []);
  });
});
