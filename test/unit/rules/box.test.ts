import assert from 'node:assert/strict';
import { boxRules } from '../../../server/src/core/rules/box.ts';
import type { Coordinates } from '../../../server/src/core/profile/types.ts';
import { SCIEGQA, check, documentOf, settingsOf } from './support.ts';
import type { Found, JsonRecord } from './support.ts';

const settings = settingsOf('sciegqa');

function found(patch: JsonRecord, images: readonly number[] = [2, 1, 3]): Found[] {
  return check(boxRules, settings, [{ ...SCIEGQA, ...patch }], { document: documentOf(3, images) });
}

function codes(patch: JsonRecord): string[] {
  return found(patch).map(({ code, pointer }) => `${code} ${pointer}`);
}

/** The relative twin of a pixel box on a letter-size page, six decimals. */
function permille([x1, y1, x2, y2]: readonly number[]): number[] {
  const share = (value: number, extent: number): number => Number(((value / extent) * 1000).toFixed(6));
  return [share(x1!, 2550), share(y1!, 3300), share(x2!, 2550), share(y2!, 3300)];
}

describe('box/shape', () => {
  const rows: readonly [string, JsonRecord, string[]][] = [
    ['lines up', {}, []],
    ['one page too many', { evidence_page: [2, 3] }, ['box/shape /bbox']],
    ['one page too few', { evidence_page: [] }, ['box/shape /bbox']],
    ['labels for another page', { subimg_type: [['table'], ['text']] }, ['box/shape /subimg_type']],
    ['a label too many', { subimg_type: [['table', 'text']] }, ['box/shape /subimg_type/0']],
    [
      'a relative box too many',
      { rel_bbox: [[permille([300, 600, 2100, 1500]), [1, 1, 2, 2]]] },
      ['box/shape /rel_bbox/0'],
    ],
    ['a level too few', { bbox: [[300, 600, 2100, 1500]] }, ['box/shape /bbox']],
    ['two levels too few', { bbox: [300, 600, 2100, 1500] }, ['box/shape /bbox']],
    ['a level too many', { bbox: [[[[300, 600, 2100, 1500]]]] }, ['box/shape /bbox']],
    ['flat labels', { subimg_type: ['table'] }, ['box/shape /subimg_type']],
    [
      'one page of two is flat',
      { evidence_page: [2, 3], bbox: [[[300, 600, 2100, 1500]], [1, 2, 3, 4]], rel_bbox: null, subimg_type: null },
      ['box/shape /bbox/1'],
    ],
    ['text instead of boxes is the schema’s', { bbox: ['<bbox>'], rel_bbox: null }, []],
    ['a box of three is the schema’s', { bbox: [[[300, 600, 2100]]] }, []],
  ];
  for (const [name, patch, expected] of rows) {
    it(name, () => assert.deepEqual(codes(patch), expected));
  }

  it('names both counts', () => {
    const [finding] = found({ evidence_page: [2, 3, 1] });
    assert.match(finding!.message, /3 pages/);
    assert.match(finding!.message, /\b1\b/);
  });
});

describe('box/corner-order and box/empty', () => {
  it('propose the ordered box', () => {
    const [finding] = found({ bbox: [[[2100, 600, 300, 1500]]] });
    assert.equal(finding!.code, 'box/corner-order');
    assert.match(finding!.message, /300, 600, 2100, 1500/);
    assert.match(finding!.message, /x1 2100 > x2 300/);
    assert.doesNotMatch(finding!.message, /y1/);
  });

  it('report a fault of both twins once, the other as related', () => {
    const twins = { bbox: [[[2100, 1500, 300, 600]]], rel_bbox: [[permille([2100, 1500, 300, 600])]] };
    const all = found(twins);
    assert.deepEqual(codes(twins), ['box/corner-order /bbox/0/0']);
    assert.equal(all[0]!.related?.[0]?.pointer, '/rel_bbox/0/0');
  });

  it('report a fault of the relative box alone at it', () => {
    const [x1, y1, x2, y2] = permille([300, 600, 2100, 1500]);
    assert.deepEqual(codes({ rel_bbox: [[[x2, y2, x1, y1]]] }), ['box/corner-order /rel_bbox/0/0']);
    assert.deepEqual(codes({ rel_bbox: [[[x1, y1, x1, y2]]] }), ['box/empty /rel_bbox/0/0']);
  });

  it('name the side that is 0', () => {
    assert.match(found({ bbox: [[[300, 600, 300, 1500]]] })[0]!.message, /width is 0/);
    assert.match(found({ bbox: [[[300, 600, 2100, 600]]] })[0]!.message, /height is 0/);
  });

  it('read a negative width as disorder where boxes are x, y, width, height', () => {
    const xywh = settingsOf('sciegqa', {
      coordinates: { space: 'pixel', dpi: 300, order: 'xywh', origin: 'top-left' },
      relativeCoordinates: undefined,
    });
    const bbox = [[[2100, 600, -1800, 900]]];
    const [finding] = check(boxRules, xywh, [{ ...SCIEGQA, bbox }]);
    assert.equal(finding!.code, 'box/corner-order');
    assert.match(finding!.message, /300, 600, 1800, 900/);
  });
});

describe('box/out-of-page', () => {
  const alone = (bbox: readonly number[]): JsonRecord => ({ bbox: [[bbox]], rel_bbox: null });
  it('names the sides, by how much, and the size of the page', () => {
    const [finding] = found(alone([-7, 100, 2700, 3412]));
    assert.equal(finding!.code, 'box/out-of-page');
    for (const said of [
      '7 px past the left edge',
      '150 px past the right',
      '112 px past the bottom',
      '2550 × 3300 px',
    ]) {
      assert.ok(finding!.message.includes(said), `${said} in ${finding!.message}`);
    }
  });

  it('allows the edges and half a pixel', () => {
    assert.deepEqual(codes(alone([0, 0, 2550, 3300])), []);
    assert.deepEqual(codes(alone([-0.5, 0, 2550.5, 3300.5])), []);
    assert.deepEqual(codes(alone([0, 0, 2551, 3300])), ['box/out-of-page /bbox/0/0']);
  });

  it('takes the size from the PDF where there is no image, and is silent where the page does not exist', () => {
    const record = { ...SCIEGQA, ...alone([0, 0, 2551, 3300]) };
    assert.equal(check(boxRules, settings, [record], { document: documentOf(3) }).length, 1);
    assert.equal(check(boxRules, settings, [record], { document: documentOf(1) }).length, 0);
    assert.equal(check(boxRules, settings, [record], { document: { name: 'paper' } }).length, 0);
  });
});

describe('box/mismatch', () => {
  const TRUE_BOX = [322, 641, 1903, 1477] as const;
  const [x1, y1, x2, y2] = TRUE_BOX;
  const rel = permille(TRUE_BOX);
  const scaled = (dpi: number, decimals = 0): number[] =>
    TRUE_BOX.map((v) => Number(((v * dpi) / 300).toFixed(decimals)));
  const spaces = {
    permille: rel.map(Math.round),
    percent: rel.map((v) => Number((v / 10).toFixed(2))),
    unit: rel.map((v) => Number((v / 1000).toFixed(4))),
  };
  const rows: readonly [string, readonly number[], readonly number[], string | undefined, RegExp | undefined][] = [
    ['is silent on true twins', TRUE_BOX, rel, undefined, undefined],
    ['allows half a pixel', [x1 + 0.4, y1, x2, y2], rel, undefined, undefined],
    ['allows the printed precision', TRUE_BOX, rel.map((v) => Number(v.toFixed(1))), undefined, undefined],
    ['reports two pixels, and what was meant', [x1 + 2, y1, x2, y2], rel, '/bbox/0/0', /322, 641, 1903, 1477/],
    ['0-1000 in the pixel box', spaces.permille, rel, '/bbox/0/0', /\b0-1000 instead of pixels/],
    ['0-100 in the pixel box', spaces.percent, rel, '/bbox/0/0', /\b0-100 instead of pixels/],
    ['0-1 in the pixel box', spaces.unit, rel, '/bbox/0/0', /\b0-1 instead of pixels/],
    ['points', scaled(72, 1), rel, '/bbox/0/0', /points/],
    ['width and height', [x1, y1, x2 - x1, y2 - y1], rel, '/bbox/0/0', /width and height/],
    ['x and y exchanged', [y1, x1, y2, x2], rel, '/bbox/0/0', /x and y exchanged/],
    ['bottom-left origin', [x1, 3300 - y2, x2, 3300 - y1], rel, '/bbox/0/0', /bottom left/],
    [
      'points from the bottom',
      [x1 * 0.24, 792 - y2 * 0.24, x2 * 0.24, 792 - y1 * 0.24],
      rel,
      '/bbox/0/0',
      /points.*bottom left/,
    ],
    [
      '0-1000 with y first',
      [rel[1]!, rel[0]!, rel[3]!, rel[2]!].map(Math.round),
      rel,
      '/bbox/0/0',
      /0-1000.*x and y exchanged/,
    ],
    ['200 dpi', scaled(200), rel, '/bbox/0/0', /\b200 dpi/],
    ['150 dpi', scaled(150), rel, '/bbox/0/0', /\b150 dpi/],
    ['96 dpi', scaled(96), rel, '/bbox/0/0', /\b96 dpi/],
    ['144 dpi', scaled(144), rel, '/bbox/0/0', /\b144 dpi/],
    ['an unusual resolution', scaled(167), rel, '/bbox/0/0', /\b(?:166\.\d|167(?:\.\d)?) dpi/],
    ['relative in 0-1', TRUE_BOX, rel.map((v) => v / 1000), '/rel_bbox/0/0', /\b0-1 instead of 0-1000/],
    ['relative in 0-100', TRUE_BOX, rel.map((v) => v / 10), '/rel_bbox/0/0', /\b0-100 instead of 0-1000/],
    [
      'relative as width and height',
      TRUE_BOX,
      [rel[0]!, rel[1]!, rel[2]! - rel[0]!, rel[3]! - rel[1]!],
      '/rel_bbox/0/0',
      /width and height/,
    ],
    ['relative is a copy of the pixels', TRUE_BOX, TRUE_BOX, '/rel_bbox/0/0', /pixels at 300 dpi instead of 0-1000/],
    ['no reading explains it', [100, 200, 900, 950], rel, '/bbox/0/0', /stands for \[322, 641, 1903, 1477\]/],
  ];
  for (const [name, bbox, rel_bbox, pointer, message] of rows) {
    it(name, () => {
      const findings = found({ bbox: [[bbox]], rel_bbox: [[rel_bbox]] }).filter(({ code }) => code === 'box/mismatch');
      assert.deepEqual(
        findings.map((finding) => finding.pointer),
        pointer === undefined ? [] : [pointer],
      );
      if (message !== undefined) assert.match(findings[0]!.message, message);
    });
  }

  it('finds the twin that stands in another place of the list', () => {
    const other = [100, 1700, 2000, 2900];
    const [first] = found({
      bbox: [[TRUE_BOX, other]],
      rel_bbox: [[permille(other), rel]],
      subimg_type: [['text', 'table']],
    });
    assert.match(first!.message, /agrees with rel_bbox\[0\]\[1\]/);
  });

  it('goes by the configured space of the relative boxes', () => {
    const relativeCoordinates: Coordinates = { space: 'unit', order: 'xyxy', origin: 'top-left' };
    const unit = settingsOf('sciegqa', { relativeCoordinates });
    const record = { ...SCIEGQA, rel_bbox: [[[0.117647, 0.181818, 0.823529, 0.454545]]] };
    assert.deepEqual(check(boxRules, unit, [record], { document: documentOf(3) }), []);
  });

  it('allows what a renderer may make of a broken pixel where there is no page image', () => {
    // A4 is 2480.3 px wide at 300 dpi: some renderers make 2480 of it, some 2481.
    const pdf = { state: 'ok', path: '/data/pdf/paper.pdf', pages: [{ width: 595.276, height: 841.89 }] } as const;
    for (const width of [2480, 2481]) {
      const bbox = [[[300, 600, 2400, 1500]]];
      const rel_bbox = [
        [[300 / width, 600 / 3508, 2400 / width, 1500 / 3508].map((v) => Number((v * 1000).toFixed(6)))],
      ];
      const record = { ...SCIEGQA, evidence_page: [1], bbox, rel_bbox };
      assert.deepEqual(check(boxRules, settings, [record], { document: { name: 'paper', pdf } }), [], `${width}`);
    }
  });
});
