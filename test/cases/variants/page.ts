import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fires, firesAll, line, mmlongbench, quiet, sciegqa } from './build.ts';
import type { Group, Variant } from './build.ts';

const RANGE = 'page/out-of-range';
const PAGES = '/evidence_page';

/** Pages with one box each, without relative boxes. */
const pages = (evidence_page: readonly unknown[], patch = {}): string =>
  sciegqa({
    evidence_page,
    bbox: evidence_page.map(() => [[300, 600, 2100, 1500]]),
    rel_bbox: undefined,
    subimg_type: evidence_page.map(() => ['table']),
    ...patch,
  });

const ranges: readonly Variant[] = [
  fires('zero', pages([0]), RANGE, { pointer: `${PAGES}/0`, at: '0', mentions: ['page 0', '3 pages', '1-3'] }),
  fires('negative', pages([-2]), RANGE, { pointer: `${PAGES}/0`, at: '-2', mentions: ['-2', '3 pages'] }),
  fires('one-past', pages([1, 4]), RANGE, { pointer: `${PAGES}/1`, at: '4', mentions: ['page 4', '3 pages'] }),
  fires('missing-comma', pages([13]), RANGE, { pointer: `${PAGES}/0`, at: '13', mentions: ['1, 3'] }),
  fires('missing-comma-of-three', pages([123]), RANGE, { pointer: `${PAGES}/0`, at: '123', mentions: ['1, 2, 3'] }),
  fires('printed-number', pages([288]), RANGE, {
    pointer: `${PAGES}/0`,
    at: '288',
    mentions: ['printed'],
    silent: ['comma'],
  }),
  fires('second-of-two', pages([2, 31]), RANGE, { pointer: `${PAGES}/1`, at: '31', mentions: ['31'] }),
  firesAll('both', pages([0, 9]), [
    { code: RANGE, pointer: `${PAGES}/0`, at: '0' },
    { code: RANGE, pointer: `${PAGES}/1`, at: '9' },
  ]),
  fires('in-text', mmlongbench({ evidence_pages: '[2, 14]' }), RANGE, {
    pointer: '/evidence_pages',
    at: '14',
    mentions: ['14', '3 pages'],
  }),
  fires('in-text-zero', mmlongbench({ evidence_pages: '[0]' }), RANGE, {
    pointer: '/evidence_pages',
    at: '0',
    mentions: ['page 0'],
  }),
  fires('in-text-comma', mmlongbench({ evidence_pages: '[23]' }), RANGE, {
    pointer: '/evidence_pages',
    at: '23',
    mentions: ['2, 3'],
  }),
  quiet('first', pages([1])),
  quiet('last', pages([3])),
  quiet('descending', pages([3, 1])),
  quiet('in-text-empty', mmlongbench({ evidence_pages: '[]' })),
  quiet('in-text-all', mmlongbench({ evidence_pages: '[1, 2,3]' })),
];

const repeats: readonly Variant[] = [
  fires('repeat', pages([2, 2]), 'page/duplicate', { pointer: `${PAGES}/1`, at: '2', mentions: ['page 2'] }),
  fires('repeat-apart', pages([1, 3, 1]), 'page/duplicate', { pointer: `${PAGES}/2`, at: '1', mentions: ['page 1'] }),
  fires('repeat-thrice', pages([3, 3, 3]), 'page/duplicate', { pointer: `${PAGES}/1`, at: '3' }),
  fires('repeat-in-text', mmlongbench({ evidence_pages: '[1, 2, 1]' }), 'page/duplicate', {
    pointer: '/evidence_pages',
    at: '1',
  }),
  quiet('all-different', pages([3, 1, 2])),
];

const types: readonly Variant[] = [
  fires('page-as-text', pages(['2']), 'schema/type', { pointer: `${PAGES}/0`, at: '"2"' }),
  fires('page-with-fraction', pages([2.5]), 'schema/type', { pointer: `${PAGES}/0`, at: '2.5' }),
  fires('page-point-zero', pages([2]).replace('"evidence_page":[2]', '"evidence_page":[2.0]'), 'schema/type', {
    pointer: `${PAGES}/0`,
    at: '2.0',
    mentions: ['2'],
  }),
  fires('page-null', pages([null]), 'schema/type', { pointer: `${PAGES}/0`, at: 'null' }),
  fires('page-no-list', pages([2], { evidence_page: 2 }), 'schema/type', { pointer: PAGES, at: '2' }),
];

const documents: readonly Variant[] = [
  fires('missing', pages([2], { doc_name: '2311.07631' }), 'page/document-missing', {
    pointer: '/doc_name',
    at: '"2311.07631"',
    mentions: ['2311.07631'],
  }),
  fires(
    'missing-once',
    pages([2], { doc_name: 'gone' }) + pages([1], { doc_name: 'gone', query: 'Another?' }),
    'page/document-missing',
    { pointer: '/doc_name', at: '"gone"', line: 1 },
  ),
  firesAll('missing-two', pages([2], { doc_name: 'gone' }) + pages([1], { doc_name: 'lost', query: 'Another?' }), [
    { code: 'page/document-missing', pointer: '/doc_name', at: '"gone"', line: 1 },
    { code: 'page/document-missing', pointer: '/doc_name', at: '"lost"', line: 2 },
  ]),
  fires('missing-case', pages([2], { doc_name: 'Demo-Doc' }), 'page/document-missing', {
    pointer: '/doc_name',
    at: '"Demo-Doc"',
  }),
  fires('missing-in-text', mmlongbench({ doc_id: 'other.pdf' }), 'page/document-missing', {
    pointer: '/doc_id',
    at: '"other.pdf"',
    mentions: ['other.pdf'],
  }),
  fires('path-that-leads-out', pages([2], { doc_name: '../../etc/passwd' }), 'page/document-missing', {
    pointer: '/doc_name',
  }),
];

const unreadable = (name: string, ...mentions: string[]): Variant =>
  fires(`unreadable-${name}`, pages([2], { doc_name: name }), 'page/document-unreadable', {
    pointer: '/doc_name',
    at: JSON.stringify(name),
    mentions: [name, ...mentions],
  });
const damaged: readonly Variant[] = [
  unreadable('empty', 'empty'),
  unreadable('web-page'),
  unreadable('head-only'),
  unreadable('encrypted', 'password|encrypted'),
  fires(
    'unreadable-told-once',
    pages([2], { doc_name: 'empty' }) + pages([7], { doc_name: 'empty', query: 'Another?' }),
    'page/document-unreadable',
    { line: 1 },
  ),
];

const image = (images: unknown, patch = {}): string => pages([2, 3], { images, ...patch });
const MISMATCH = 'page/image-mismatch';
const images: readonly Variant[] = [
  fires('image-of-another-page', image(['demo-doc_2.png', 'demo-doc_1.png']), MISMATCH, {
    pointer: '/images/1',
    at: '"demo-doc_1.png"',
    mentions: ['1', '3'],
  }),
  fires(
    'image-of-another-document',
    image(['Images/cs/other/other_2.png', 'Images/cs/demo-doc/demo-doc_3.png']),
    MISMATCH,
    { pointer: '/images/0', at: '"Images/cs/other/other_2.png"', mentions: ['other'] },
  ),
  fires('image-padded', image(['demo-doc_002.png', 'demo-doc_004.png']), MISMATCH, {
    pointer: '/images/1',
    mentions: ['4', '3'],
  }),
  firesAll('images-exchanged', image(['demo-doc_3.png', 'demo-doc_2.png']), [
    { code: MISMATCH, pointer: '/images/0', at: '"demo-doc_3.png"' },
    { code: MISMATCH, pointer: '/images/1', at: '"demo-doc_2.png"' },
  ]),
  fires('image-paths-key', pages([1], { image_paths: ['cs/demo-doc/demo-doc_2.png'] }), MISMATCH, {
    pointer: '/image_paths/0',
    mentions: ['2', '1'],
  }),
  quiet('images-fit', image(['Images/cs/demo-doc/demo-doc_2.png', 'Images/cs/demo-doc/demo-doc_3.png'])),
  quiet('images-of-whole-document', pages([2], { images: ['demo-doc_1.png', 'demo-doc_2.png', 'demo-doc_3.png'] })),
  quiet('images-windows', pages([2], { images: ['Images\\cs\\demo-doc\\demo-doc_2.png'] })),
  quiet('images-crops', pages([2], { images: ['crops/sample_00001_cs_demo-doc_p2_r1_image.png'] })),
  quiet('images-zero-padded', pages([2], { images: ['demo-doc/page_0002.png'] })),
];

/** Pages counted from 0, as FinanceBench does. */
const zeroBased: readonly Variant[] = [
  quiet('first-is-zero', pages([0, 2])),
  fires('one-past', pages([3]), RANGE, { pointer: `${PAGES}/0`, at: '3', mentions: ['0-2', 'counted from 1'] }),
  fires('negative', pages([-1]), RANGE, { pointer: `${PAGES}/0`, at: '-1' }),
  fires('beyond', pages([12]), RANGE, { pointer: `${PAGES}/0`, at: '12', mentions: ['1, 2'] }),
];

const ours = (sheets: unknown, more = {}): string =>
  line({ q: 'Which?', a: 'North', paper: 'demo-doc', sheets, areas: [[[300, 600, 2100, 1500]]], ...more });

/** Files that are no readable PDF, in the group that cites them. */
export function layPageDocuments(root: string): void {
  const folder = join(root, 'page-unreadable', 'documents');
  mkdirSync(folder, { recursive: true });
  const hex = (byte: string): string => `<${byte.repeat(32)}>`;
  const encrypted = [
    '%PDF-1.4',
    '1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj',
    '2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj',
    '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]>>endobj',
    `4 0 obj<</Filter/Standard/V 1/R 2/P -4/O${hex('a1')}/U${hex('b2')}>>endobj`,
    `trailer<</Root 1 0 R/Size 5/Encrypt 4 0 R/ID[${hex('c3')}${hex('c3')}]>>`,
    '%%EOF',
  ];
  const files = {
    empty: '',
    'web-page': '<!doctype html><title>404</title><p>Not found',
    'head-only': '%PDF-1.7\n%\n',
    encrypted: encrypted.join('\n'),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, `${name}.pdf`), text);
}

export const pageGroups: readonly Group[] = [
  {
    name: 'page',
    dataset: { profile: 'sciegqa', pdf: 'documents/{doc_name}.pdf', pageImage: 'documents/{doc_name}_{page}.png' },
    variants: [...ranges, ...repeats, ...types, ...documents, ...images].filter((variant) => !isText(variant)),
  },
  {
    name: 'page-unreadable',
    dataset: { profile: 'sciegqa', pdf: 'documents/{doc_name}.pdf' },
    variants: damaged,
  },
  {
    name: 'page-in-text',
    dataset: { profile: 'mmlongbench-doc', pdf: 'documents/{doc_id}' },
    variants: [...ranges, ...repeats, ...types, ...documents, ...images].filter(isText),
  },
  {
    name: 'page-from-zero',
    dataset: {
      profile: 'sciegqa',
      pdf: 'documents/{doc_name}.pdf',
      pageImage: 'documents/{doc_name}_{page}.png',
      pageBase: 0,
      imageBase: 1,
    },
    variants: zeroBased,
  },
  {
    name: 'page-images-only',
    dataset: { profile: 'sciegqa', pageImage: 'documents/{doc_name}_{page}.png' },
    variants: [
      quiet('there', pages([1, 3])),
      fires('beyond', pages([7]), RANGE, { pointer: `${PAGES}/0`, at: '7', mentions: ['3 pages'] }),
      fires('zero', pages([0]), RANGE, { pointer: `${PAGES}/0`, at: '0' }),
      fires('missing', pages([1], { doc_name: 'none' }), 'page/document-missing', {
        pointer: '/doc_name',
        at: '"none"',
      }),
    ],
  },
  {
    name: 'page-wrong-image-base',
    dataset: {
      profile: 'sciegqa',
      pdf: 'documents/{doc_name}.pdf',
      pageImage: 'documents/{doc_name}_{page}.png',
      imageBase: 0,
    },
    variants: [
      fires('first', pages([1]), 'page/image-missing', {
        pointer: `${PAGES}/0`,
        at: '1',
        mentions: ['imageBase', 'numbered from 1'],
      }),
    ],
  },
  {
    name: 'page-no-images',
    dataset: { profile: 'sciegqa', pdf: 'documents/{doc_name}.pdf', pageImage: 'images/{doc_name}/{page}.jpg' },
    variants: [
      fires('one', pages([2]), 'page/image-missing', {
        pointer: `${PAGES}/0`,
        at: '2',
        mentions: ['page 2', 'demo-doc'],
      }),
      firesAll('two', pages([2, 3]), [
        { code: 'page/image-missing', pointer: `${PAGES}/0`, at: '2' },
        { code: 'page/image-missing', pointer: `${PAGES}/1`, at: '3' },
      ]),
      fires('once-per-page', pages([2, 2]), 'page/image-missing', {
        pointer: `${PAGES}/0`,
        beside: ['page/duplicate'],
      }),
      fires('not-for-pages-beyond', pages([8]), RANGE, { pointer: `${PAGES}/0` }),
    ],
  },
  {
    name: 'page-own-keys',
    dataset: { profile: 'ours', pdf: 'documents/{paper}.pdf' },
    profiles: {
      ours: {
        fields: { question: '/q', answer: '/a', document: '/paper', pages: '/sheets', regions: { boxes: '/areas' } },
        required: ['question', 'document'],
        coordinates: { space: 'pixel', dpi: 300, order: 'xyxy', origin: 'top-left' },
      },
    },
    variants: [
      quiet('base', ours([2])),
      fires('beyond', ours([5]), RANGE, { pointer: '/sheets/0', at: '5', mentions: ['3 pages'] }),
      fires('required', line({ q: 'Which?', a: 'x' }), 'schema/required', { mentions: ['paper'] }),
      fires('shape', ours([2, 3]), 'box/shape', { pointer: '/areas', mentions: ['2 pages'] }),
    ],
  },
];

function isText(variant: Variant): boolean {
  return variant.content.toString().includes('"doc_id"');
}
