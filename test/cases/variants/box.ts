import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync, crc32 } from 'node:zlib';
import { degrees, PDFDocument } from 'pdf-lib';
import { fires, firesAll, line, oneBox, quiet, sciegqa } from './build.ts';
import type { Details, Group, Variant } from './build.ts';

/** Pages of sizes.pdf as they are displayed, in points. */
const SIZES: Readonly<Record<string, { page: number; width: number; height: number }>> = {
  letter: { page: 1, width: 612, height: 792 },
  landscape: { page: 2, width: 792, height: 612 },
  a4: { page: 3, width: 595.28, height: 841.89 },
  rotated: { page: 4, width: 792, height: 612 },
  cropped: { page: 5, width: 400, height: 500 },
  'rotated-and-cropped': { page: 6, width: 500, height: 400 },
};

/** Puts sizes.pdf, whose pages are of mixed sizes, into the groups that use it. */
export async function layBoxDocuments(root: string): Promise<void> {
  const pdf = await PDFDocument.create();
  for (const size of [
    [612, 792],
    [792, 612],
    [595.28, 841.89],
  ] as const)
    pdf.addPage([...size]);
  pdf.addPage([612, 792]).setRotation(degrees(90));
  pdf.addPage([612, 792]).setCropBox(50, 60, 400, 500);
  const last = pdf.addPage([612, 792]);
  last.setCropBox(10, 20, 400, 500);
  last.setRotation(degrees(270));
  const bytes = await pdf.save();
  for (const { name } of boxGroups) {
    mkdirSync(join(root, name, 'documents'), { recursive: true });
    writeFileSync(join(root, name, 'documents', 'sizes.pdf'), bytes);
    // Only images are there of `scans`; those of `drafts` have another resolution than 300 dpi.
    writeFileSync(join(root, name, 'documents', 'scans_1.png'), blankPng(1700, 2200));
    writeFileSync(join(root, name, 'documents', 'scans_2.png'), blankPng(2200, 1700));
    writeFileSync(join(root, name, 'documents', 'drafts.pdf'), bytes);
    writeFileSync(join(root, name, 'documents', 'drafts_1.png'), blankPng(1224, 1584));
  }
}

/** A page image without ink: one bit a pixel. */
function blankPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 1;
  const rows = deflateSync(Buffer.alloc((1 + Math.ceil(width / 8)) * height));
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const ends = Buffer.alloc(8);
    ends.writeUInt32BE(data.length, 0);
    ends.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
  };
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]);
}

type Box = readonly [number, number, number, number];
interface Page {
  readonly name: string;
  readonly number: number;
  readonly points: readonly [number, number];
  readonly pixels: readonly [number, number];
}
const PAGES: readonly Page[] = Object.entries(SIZES).map(([name, { page, width, height }]) => ({
  name,
  number: page,
  points: [width, height],
  pixels: [pixelsAt(width, 300), pixelsAt(height, 300)],
}));

function pixelsAt(points: number, dpi: number): number {
  return Math.ceil((points * dpi) / 72 - 1e-6);
}

const rounded = (value: number, decimals = 0): number => Number(value.toFixed(decimals));
const scaled = (box: Box, x: number, y: number, decimals = 0): Box => [
  rounded(box[0] * x, decimals),
  rounded(box[1] * y, decimals),
  rounded(box[2] * x, decimals),
  rounded(box[3] * y, decimals),
];
const xywh = ([a, b, c, d]: Box, decimals = 0): Box => [a, b, rounded(c - a, decimals), rounded(d - b, decimals)];
const flipped = ([a, b, c, d]: Box, height: number, decimals = 0): Box => [
  a,
  rounded(height - d, decimals),
  c,
  rounded(height - b, decimals),
];
const exchanged = ([a, b, c, d]: Box): Box => [b, a, d, c];

/** A region on the page: in whole pixels, and its relative twin as published. */
function region({ pixels: [width, height] }: Page, place: Box): { box: Box; relative: Box } {
  const box = scaled(place, width, height);
  return { box, relative: scaled(box, 1000 / width, 1000 / height, 6) };
}

const PLACE: Box = [0.12, 0.17, 0.71, 0.43];
const onPage = (page: Page, box: unknown, relative?: unknown): string =>
  oneBox(box, relative, { doc_name: 'sizes', evidence_page: [page.number] });

const image = (doc_name: string, page: number, box: unknown, relative?: unknown): string =>
  oneBox(box, relative, { doc_name, evidence_page: [page] });

const MISMATCH = 'box/mismatch';
const AT = '/bbox/0/0';

function twins(page: Page): Variant[] {
  const { box, relative } = region(page, PLACE);
  const [width, height] = page.pixels;
  const [x, y] = page.points;
  const wrong = (name: string, written: Box, ...mentions: string[]): Variant =>
    fires(`${page.name}-${name}`, onPage(page, written, relative), MISMATCH, {
      pointer: AT,
      at: JSON.stringify(written),
      mentions,
    });
  const relativeWrong = (name: string, written: Box, ...mentions: string[]): Variant =>
    fires(`${page.name}-${name}`, onPage(page, box, written), MISMATCH, {
      pointer: '/rel_bbox/0/0',
      at: JSON.stringify(written),
      mentions,
    });
  const points = scaled(box, x / width, y / height, 1);
  return [
    quiet(`${page.name}-sound`, onPage(page, box, relative)),
    quiet(`${page.name}-whole-page`, onPage(page, [0, 0, width, height], [0, 0, 1000, 1000])),
    wrong('permille', scaled(relative, 1, 1), '0-1000 instead of pixels'),
    wrong('unit', scaled(relative, 0.001, 0.001, 4), '0-1 instead of pixels'),
    wrong('percent', scaled(relative, 0.1, 0.1, 2), '0-100 instead of pixels'),
    wrong('points', points, 'points'),
    wrong('xywh', xywh(box), 'x, y, width and height'),
    wrong('exchanged', exchanged(box), 'x and y exchanged'),
    wrong('bottom-left', flipped(box, height), 'bottom left'),
    ...[96, 144, 150, 200].map((dpi) => wrong(`dpi-${dpi}`, scaled(box, dpi / 300, dpi / 300), `${dpi} dpi`)),
    // Seen at twice the resolution it leaves the page as well.
    { ...wrong('dpi-600', scaled(box, 2, 2), '600 dpi'), beside: ['box/out-of-page'] },
    wrong('points-xywh', xywh(points, 1), 'points', 'width'),
    wrong('points-bottom-left', flipped(points, y, 1), 'points', 'bottom left'),
    wrong('permille-xywh', xywh(scaled(relative, 1, 1)), '0-1000', 'width'),
    wrong('dpi-144-bottom-left', flipped(scaled(box, 0.48, 0.48), pixelsAt(y, 144)), '144 dpi', 'bottom left'),
    wrong('unusual-dpi', scaled(box, 170 / 300, 170 / 300), '170 dpi'),
    // A file that is like that throughout is a published variant.
    quiet(`${page.name}-relative-unit`, onPage(page, box, scaled(relative, 0.001, 0.001, 6))),
    relativeWrong('relative-percent', scaled(relative, 0.1, 0.1, 4), '0-100 instead of 0-1000'),
    relativeWrong('relative-pixels', box, 'pixels'),
    wrong(
      'one-edge',
      [box[0], box[1], box[2] + 40, box[3]],
      '39.99|40',
      'x2',
      'stands for',
      JSON.stringify([...box]).replaceAll(',', ', '),
    ),
    wrong('two-pixels', [box[0], box[1] + 2, box[2], box[3]], 'y1'),
    quiet(`${page.name}-rounded-relative`, onPage(page, box, scaled(relative, 1, 1, 1))),
  ];
}

function edges(page: Page): Variant[] {
  const [width, height] = page.pixels;
  const sides: readonly [string, (by: number) => Box][] = [
    ['left', (by) => [-by, 100, 400, 500]],
    ['top', (by) => [100, -by, 400, 500]],
    ['right', (by) => [100, 100, width + by, 500]],
    ['bottom', (by) => [100, 100, 400, height + by]],
  ];
  return sides.flatMap(([side, box]) => [
    quiet(`${page.name}-${side}-within`, onPage(page, box(0.4))),
    fires(`${page.name}-${side}-beyond`, onPage(page, box(0.6)), 'box/out-of-page', {
      pointer: AT,
      mentions: ['0.6 px', `${side} edge`],
    }),
    fires(`${page.name}-${side}-far`, onPage(page, box(37)), 'box/out-of-page', {
      pointer: AT,
      mentions: ['37 px', `${side} edge`, String(width), String(height)],
    }),
  ]);
}

const pick = (name: string): Page => PAGES.find((page) => page.name === name)!;

/** The base record of the groups has boxes on two pages; the last of them is changed. */
const last = (box: unknown, relative?: unknown): string =>
  sciegqa({
    bbox: [[[300, 600, 2100, 1500]], [[100, 200, 900, 800], box]],
    rel_bbox:
      relative === undefined
        ? undefined
        : [
            [[117.647059, 181.818182, 823.529412, 454.545455]],
            [[39.215686, 60.606061, 352.941176, 242.424242], relative],
          ],
  });
const LAST = '/bbox/1/1';
const TWIN = [166.666667, 100, 500, 500];

const records: readonly Variant[] = [
  quiet('base', sciegqa()),
  fires('order-x', last([1275, 330, 425, 1650]), 'box/corner-order', {
    pointer: LAST,
    at: '[1275,330,425,1650]',
    mentions: ['425, 330, 1275, 1650', 'x1'],
    silent: ['y1'],
  }),
  fires('order-y', last([425, 1650, 1275, 330]), 'box/corner-order', {
    pointer: LAST,
    mentions: ['425, 330, 1275, 1650', 'y1'],
    silent: ['x1'],
  }),
  fires('order-both-with-twin', last([1275, 1650, 425, 330], TWIN), 'box/corner-order', {
    pointer: LAST,
    mentions: ['425, 330, 1275, 1650'],
  }),
  fires('order-of-relative', last([425, 330, 1275, 1650], [500, 500, 166.666667, 100]), 'box/corner-order', {
    pointer: '/rel_bbox/1/1',
    mentions: ['166.666667, 100, 500, 500'],
  }),
  fires('empty-width', last([425, 330, 425, 1650]), 'box/empty', {
    pointer: LAST,
    at: '[425,330,425,1650]',
    mentions: ['width'],
    silent: ['height'],
  }),
  fires('empty-height', last([425, 330, 1275, 330], TWIN), 'box/empty', {
    pointer: LAST,
    mentions: ['height'],
    silent: ['width'],
  }),
  fires('empty-both', last([0, 0, 0, 0]), 'box/empty', { pointer: LAST, mentions: ['width', 'height'] }),
  fires('empty-relative', last([425, 330, 1275, 1650], [166.666667, 100, 166.666667, 500]), 'box/empty', {
    pointer: '/rel_bbox/1/1',
    mentions: ['width'],
  }),
  quiet('thin-is-not-empty', last([425, 330, 426, 1650])),
  fires('far-away', last([4250, 3300, 12750, 16500]), 'box/out-of-page', {
    pointer: LAST,
    mentions: ['right', 'bottom'],
  }),
  fires(
    'twin-of-another-box',
    sciegqa({
      rel_bbox: [
        [[117.647059, 181.818182, 823.529412, 454.545455]],
        [TWIN, [39.215686, 60.606061, 352.941176, 242.424242]],
      ],
    }),
    MISMATCH,
    { pointer: '/bbox/1/0', mentions: ['rel_bbox[1][1]'], beside: [MISMATCH] },
  ),
  fires('negative-zero', last([-0.0, 330, 1275, 3300.6]), 'box/out-of-page', { pointer: LAST, mentions: ['0.6'] }),
];

const shape = (patch: Readonly<Record<string, unknown>>, pointer: string, ...mentions: string[]): [string, Details] => [
  sciegqa(patch),
  { pointer, mentions },
];
const BOXES = [
  [[300, 600, 2100, 1500]],
  [
    [100, 200, 900, 800],
    [425, 330, 1275, 1650],
  ],
];
const shapes: readonly Variant[] = Object.entries({
  'shape-page-without-boxes': shape({ evidence_page: [3, 2, 1] }, '/bbox', '3 pages', '2'),
  'shape-boxes-without-page': shape({ evidence_page: [3] }, '/bbox', '1 page', '2'),
  'shape-label-missing': shape({ subimg_type: [['table'], ['text']] }, '/subimg_type/1', '2', '1'),
  'shape-label-too-many': shape(
    {
      subimg_type: [
        ['table', 'text'],
        ['text', 'image'],
      ],
    },
    '/subimg_type/0',
    '1',
    '2',
  ),
  'shape-labels-of-one-page': shape({ subimg_type: [['table']] }, '/subimg_type', '2', '1'),
  'shape-relative-missing': shape(
    {
      rel_bbox: [[[117.647059, 181.818182, 823.529412, 454.545455]], [[39.215686, 60.606061, 352.941176, 242.424242]]],
    },
    '/rel_bbox/1',
    '2',
    '1',
  ),
  'shape-flat-boxes': shape(
    {
      bbox: BOXES.flat(),
      rel_bbox: undefined,
      evidence_page: [3, 2, 2],
      subimg_type: [['table'], ['text'], ['image']],
    },
    '/bbox',
    'missing',
  ),
  'shape-too-deep': shape({ bbox: [BOXES], rel_bbox: undefined }, '/bbox', 'too many'),
  'shape-second-page-flat': shape(
    { bbox: [[[300, 600, 2100, 1500]], [100, 200, 900, 800]], rel_bbox: undefined, subimg_type: [['table'], ['text']] },
    '/bbox/1',
    'missing',
  ),
  'shape-labels-flat': shape({ subimg_type: ['table', 'text'] }, '/subimg_type', 'missing'),
}).map(([name, [content, details]]) =>
  fires(name, content, 'box/shape', { ...details, beside: name === 'shape-flat-boxes' ? ['page/duplicate'] : [] }),
);

/** Points from the bottom left, x, y, width and height. */
const a4 = pick('a4');
const inPoints = (box: unknown): string => onPage(a4, box);
const points: readonly Variant[] = [
  quiet('inside', inPoints([72, 72, 451.28, 697.89])),
  quiet('at-the-corner', inPoints([0, 0, 595.28, 841.89])),
  quiet('a-tenth-beyond', inPoints([495.3, 0, 100.08, 100])),
  fires('beyond-right', inPoints([500, 100, 100, 100]), 'box/out-of-page', {
    pointer: AT,
    mentions: ['4.72 pt', 'right'],
  }),
  fires('beyond-top', inPoints([100, 800, 100, 50]), 'box/out-of-page', { pointer: AT, mentions: ['8.11 pt', 'top'] }),
  fires('below-bottom', inPoints([100, -3, 100, 50]), 'box/out-of-page', { pointer: AT, mentions: ['3 pt', 'bottom'] }),
  fires('negative-width', inPoints([200, 100, -50, 30]), 'box/corner-order', {
    pointer: AT,
    mentions: ['150, 100, 50, 30', 'width'],
  }),
  fires('no-height', inPoints([200, 100, 50, 0]), 'box/empty', { pointer: AT, mentions: ['height'] }),
  // Corners would be in the wrong order, sizes are not.
  quiet('small-size-far-out', inPoints([400, 500, 20, 10])),
];

const inSpace = (name: string, space: string, scale: number): Group => ({
  name: `box-${name}`,
  dataset: { profile: 'sciegqa', pdf: 'documents/{doc_name}.pdf', coordinates: { space } },
  variants: PAGES.slice(0, 4).flatMap((page) => [
    quiet(`${page.name}-inside`, onPage(page, scaled(PLACE, scale, scale, 4))),
    quiet(`${page.name}-whole`, onPage(page, [0, 0, scale, scale])),
    fires(
      `${page.name}-beyond`,
      onPage(page, [0.2 * scale, 0.2 * scale, 1.05 * scale, 0.5 * scale]),
      'box/out-of-page',
      { pointer: AT, mentions: ['right', String(rounded(0.05 * scale, 6))] },
    ),
    fires(
      `${page.name}-order`,
      onPage(page, [0.5 * scale, 0.2 * scale, 0.25 * scale, 0.5 * scale]),
      'box/corner-order',
      { pointer: AT },
    ),
  ]),
});

export const boxGroups: readonly Group[] = [
  {
    name: 'box-sizes',
    dataset: { profile: 'sciegqa', pdf: 'documents/{doc_name}.pdf' },
    variants: [...PAGES.flatMap(twins), ...PAGES.flatMap(edges)],
  },
  {
    name: 'box',
    dataset: { profile: 'sciegqa', pdf: 'documents/{doc_name}.pdf', pageImage: 'documents/{doc_name}_{page}.png' },
    variants: [...records, ...shapes],
  },
  {
    name: 'box-points',
    dataset: {
      profile: 'sciegqa',
      pdf: 'documents/{doc_name}.pdf',
      coordinates: { space: 'point', order: 'xywh', origin: 'bottom-left' },
    },
    variants: points,
  },
  inSpace('unit', 'unit', 1),
  inSpace('percent', 'percent', 100),
  inSpace('permille', 'permille', 1000),
  {
    name: 'box-at-144-dpi',
    dataset: { profile: 'sciegqa', pdf: 'documents/{doc_name}.pdf', coordinates: { space: 'pixel', dpi: 144 } },
    variants: [
      quiet('whole', onPage(pick('letter'), [0, 0, 1224, 1584], [0, 0, 1000, 1000])),
      fires(
        'at-300',
        onPage(pick('letter'), [300, 600, 1200, 1500], [117.647059, 181.818182, 470.588235, 454.545455]),
        MISMATCH,
        { pointer: AT, mentions: ['300 dpi', '144 dpi'] },
      ),
      fires('beyond', onPage(pick('letter'), [300, 600, 1230, 1500]), 'box/out-of-page', {
        pointer: AT,
        mentions: ['6 px', 'right', '1224'],
      }),
    ],
  },
  {
    name: 'box-images-only',
    dataset: { profile: 'sciegqa', pageImage: 'documents/{doc_name}_{page}.png', coordinates: { space: 'pixel' } },
    variants: [
      quiet('whole', image('scans', 1, [0, 0, 1700, 2200], [0, 0, 1000, 1000])),
      quiet('landscape', image('scans', 2, [0, 0, 2200, 1700], [0, 0, 1000, 1000])),
      fires('beyond', image('scans', 1, [0, 0, 1720, 2200]), 'box/out-of-page', {
        pointer: AT,
        mentions: ['20 px', 'right', '1700'],
      }),
      fires('other-page-size', image('scans', 2, [0, 0, 1700, 2200]), 'box/out-of-page', {
        pointer: AT,
        mentions: ['500 px', 'bottom'],
      }),
      fires('permille', image('scans', 1, [100, 200, 500, 600], [100, 200, 500, 600]), MISMATCH, {
        pointer: AT,
        mentions: ['0-1000'],
      }),
      fires('exchanged', image('scans', 1, [440, 170, 1320, 850], [100, 200, 500, 600]), MISMATCH, {
        pointer: AT,
        mentions: ['x and y'],
      }),
    ],
  },
  {
    name: 'box-images-at-144-dpi',
    dataset: { profile: 'sciegqa', pdf: 'documents/{doc_name}.pdf', pageImage: 'documents/{doc_name}_{page}.png' },
    variants: [
      quiet('at-300', image('drafts', 1, [0, 0, 2550, 3300], [0, 0, 1000, 1000])),
      fires('at-144', image('drafts', 1, [122, 317, 612, 950], [99.673203, 200.126263, 500, 599.747475]), MISMATCH, {
        pointer: AT,
        mentions: ['144 dpi'],
      }),
      fires('beyond', image('drafts', 1, [100, 100, 2560, 3300]), 'box/out-of-page', {
        pointer: AT,
        mentions: ['10 px', '2550'],
      }),
    ],
  },
  {
    name: 'box-own-keys',
    dataset: { profile: 'ours', pdf: 'documents/{paper}.pdf' },
    profiles: {
      ours: {
        fields: {
          question: '/q',
          document: '/paper',
          regions: { pages: '/areas/*/page', boxes: '/areas/*/boxes', labels: '/areas/*/kinds' },
        },
        coordinates: { space: 'unit', order: 'xywh', origin: 'top-left' },
      },
    },
    variants: [
      quiet(
        'one-box-per-area',
        line({
          q: 'Which?',
          paper: 'sizes',
          areas: [
            { page: 1, boxes: [[0.1, 0.1, 0.5, 0.2]], kinds: ['x'] },
            { page: 3, boxes: [[0.5, 0.5, 0.5, 0.5]], kinds: ['y'] },
          ],
        }),
      ),
      fires(
        'beyond',
        line({
          q: 'Which?',
          paper: 'sizes',
          areas: [
            { page: 1, boxes: [[0.1, 0.1, 0.5, 0.2]] },
            { page: 3, boxes: [[0.5, 0.5, 0.6, 0.5]] },
          ],
        }),
        'box/out-of-page',
        { pointer: '/areas/1/boxes/0', at: '[0.5,0.5,0.6,0.5]', mentions: ['right'] },
      ),
      firesAll(
        'page-and-box',
        line({
          q: 'Which?',
          paper: 'sizes',
          areas: [
            { page: 9, boxes: [[0.1, 0.1, 0.5, 0.2]] },
            { page: 2, boxes: [[0.1, 0.1, 0, 0.2]] },
          ],
        }),
        [
          { code: 'page/out-of-range', pointer: '/areas/0/page', at: '9' },
          { code: 'box/empty', pointer: '/areas/1/boxes/0', at: '[0.1,0.1,0,0.2]' },
        ],
      ),
    ],
  },
];
