import { docmath, fires, line, mmlongbench, quiet, sciegqa } from './build.ts';
import type { Group, Variant } from './build.ts';

const without = (key: string): string => sciegqa({ [key]: undefined });
const A = { rel_bbox: undefined, subimg_type: undefined, subimg_tpye: [['table'], ['text', 'image']] };
/** The card's variant: both names for the question and for the images. */
const D = {
  ...A,
  question: 'Which row of the table has the largest total?',
  image_paths: ['cs/demo-doc/demo-doc_3.png', 'cs/demo-doc/demo-doc_2.png'],
  images: ['cs/demo-doc/demo-doc_3.png', 'cs/demo-doc/demo-doc_2.png'],
};
const messages = [
  { role: 'user', content: '<image>\nWhich row?' },
  { role: 'assistant', content: 'North' },
];
const UNIT = [
  [[0.117647, 0.181818, 0.823529, 0.454545]],
  [
    [0.039216, 0.060606, 0.352941, 0.242424],
    [0.166667, 0.1, 0.5, 0.5],
  ],
];
const E = {
  messages,
  images: ['Images/cs/demo-doc/demo-doc_3.png', 'Images/cs/demo-doc/demo-doc_2.png'],
  bbox_docvqa_id: 1,
  image_mode: 'page',
  rel_bbox: UNIT,
};
const many = (make: (i: number) => object, times = 4): string =>
  Array.from({ length: times }, (_, i) => sciegqa({ query: `Question ${i}?`, ...make(i) })).join('');

const published: readonly Variant[] = [
  quiet(
    'variant-a',
    many(() => A),
  ),
  quiet(
    'variant-b',
    many(() => ({ rel_bbox: UNIT })),
  ),
  quiet(
    'variant-c',
    many(() => ({})),
  ),
  quiet(
    'variant-d',
    many((i) => ({ ...D, question: `Question ${i}?` })),
  ),
  quiet(
    'variant-e',
    many((i) => ({ ...E, bbox_docvqa_id: i + 1 })),
  ),
  quiet(
    'training-row',
    sciegqa({ category: undefined, rel_bbox: undefined, subimg_type: [['unknown'], ['text', 'image']] }),
  ),
];

const faults: readonly Variant[] = [
  ...['answer', 'doc_name', 'evidence_page', 'bbox', 'query'].map((key) =>
    fires(`without-${key}`, without(key), 'schema/required', { mentions: [key] }),
  ),
  fires('misnamed', sciegqa({ doc_name: undefined, docname: 'demo-doc' }), 'schema/required', {
    mentions: ['doc_name', 'docname'],
    beside: ['schema/unknown-key'],
  }),
  fires('misnamed-pages', sciegqa({ evidence_page: undefined, evidence_pages: [3, 2] }), 'schema/required', {
    mentions: ['evidence_page', 'evidence_pages'],
    beside: ['schema/unknown-key'],
  }),
  fires('answer-number', sciegqa({ answer: 5 }), 'schema/type', { pointer: '/answer', at: '5' }),
  fires('query-list', sciegqa({ query: ['Which?'] }), 'schema/type', { pointer: '/query', at: '["Which?"]' }),
  fires('doc-name-number', sciegqa({ doc_name: 2311.07631 }), 'schema/type', {
    pointer: '/doc_name',
    at: '2311.07631',
  }),
  fires(
    'coordinate-text',
    sciegqa({
      bbox: [
        [[300, 600, 2100, 1500]],
        [
          [100, 200, 900, 800],
          [425, '330', 1275, 1650],
        ],
      ],
    }),
    'schema/type',
    { pointer: '/bbox/1/1/1', at: '"330"' },
  ),
  fires(
    'coordinate-null',
    sciegqa({
      bbox: [
        [[300, 600, 2100, null]],
        [
          [100, 200, 900, 800],
          [425, 330, 1275, 1650],
        ],
      ],
    }),
    'schema/type',
    { pointer: '/bbox/0/0/3', at: 'null' },
  ),
  fires(
    'box-object',
    sciegqa({
      bbox: [
        [{ x1: 1 }],
        [
          [100, 200, 900, 800],
          [425, 330, 1275, 1650],
        ],
      ],
    }),
    'schema/type',
    { pointer: '/bbox/0/0' },
  ),
  fires('label-unknown', sciegqa({ subimg_type: [['table'], ['text', 'figure']] }), 'schema/enum', {
    pointer: '/subimg_type/1/1',
    at: '"figure"',
    mentions: ['figure', 'image'],
  }),
  fires('label-capital', sciegqa({ subimg_type: [['Table'], ['text', 'image']] }), 'schema/enum', {
    pointer: '/subimg_type/0/0',
    at: '"Table"',
    mentions: ['table'],
  }),
  fires('label-in-a', sciegqa({ ...A, subimg_tpye: [['table'], ['txt', 'image']] }), 'schema/enum', {
    pointer: '/subimg_tpye/1/0',
    at: '"txt"',
    mentions: ['text'],
  }),
  fires('category-typo', sciegqa({ category: 'q_bio' }), 'schema/enum', {
    pointer: '/category',
    at: '"q_bio"',
    mentions: ['q-bio'],
  }),
  fires('category-blank', sciegqa({ category: '' }), 'schema/enum', { pointer: '/category', at: '""' }),
  fires(
    'five-numbers',
    sciegqa({
      bbox: [
        [[300, 600, 2100, 1500, 1]],
        [
          [100, 200, 900, 800],
          [425, 330, 1275, 1650],
        ],
      ],
    }),
    'schema/constraint',
    { pointer: '/bbox/0/0', at: '[300,600,2100,1500,1]', mentions: ['four', '5'] },
  ),
  fires(
    'two-numbers-second',
    sciegqa({
      bbox: [
        [[300, 600, 2100, 1500]],
        [
          [100, 200, 900, 800],
          [425, 330],
        ],
      ],
    }),
    'schema/constraint',
    { pointer: '/bbox/1/1', at: '[425,330]' },
  ),
  fires(
    'relative-three',
    sciegqa({
      rel_bbox: [
        [[117.647059, 181.818182, 823.529412]],
        [
          [39.215686, 60.606061, 352.941176, 242.424242],
          [166.666667, 100, 500, 500],
        ],
      ],
    }),
    'schema/constraint',
    { pointer: '/rel_bbox/0/0' },
  ),
  fires('unknown-key', sciegqa({ note: 'x' }), 'schema/unknown-key', { pointer: '/note', at: '"note"' }),
  fires('unknown-near', sciegqa({ categroy: 'cs' }), 'schema/unknown-key', {
    pointer: '/categroy',
    at: '"categroy"',
    mentions: ['category'],
  }),
  fires(
    'unknown-in-every-near',
    many(() => ({ anwser: 'x' })),
    'schema/unknown-key',
    { mentions: ['answer'], beside: ['schema/unknown-key'] },
  ),
  quiet(
    'unknown-in-most',
    many(() => ({ annotator: 'x' })),
  ),
  fires(
    'unknown-in-one-of-four',
    many((i) => (i === 2 ? { annotator: 'x' } : {})),
    'schema/unknown-key',
    { pointer: '/annotator', line: 3 },
  ),
];

/** Published in one form throughout, but for one record. */
const oneOfFour: readonly Variant[] = [
  fires(
    'unit-among-permille',
    many((i) => (i === 2 ? { rel_bbox: UNIT } : {})),
    'box/mismatch',
    {
      pointer: '/rel_bbox/0/0',
      line: 3,
      mentions: ['0-1 instead of 0-1000'],
      beside: ['box/mismatch'],
    },
  ),
  fires(
    'permille-among-unit',
    many((i) => (i === 1 ? {} : { rel_bbox: UNIT })),
    'box/mismatch',
    {
      pointer: '/rel_bbox/0/0',
      line: 2,
      mentions: ['0-1000 instead of 0-1'],
      // Read as fractions of the page the region leaves it; the pixels are right.
      beside: ['box/mismatch'],
    },
  ),
  fires(
    'answer-empty',
    many((i) => (i === 3 ? { answer: '' } : {})),
    'answer/missing',
    { pointer: '/answer', at: '""', line: 4 },
  ),
  fires(
    'labels-as-text',
    many((i) => (i === 0 ? { subimg_type: ['table', ['text', 'image']] } : {})),
    'box/shape',
    {
      pointer: '/subimg_type/0',
      line: 1,
    },
  ),
  fires(
    'label-list-as-text',
    many((i) => (i === 0 ? { subimg_type: 'table' } : {})),
    'schema/type',
    {
      pointer: '/subimg_type',
      at: '"table"',
    },
  ),
  fires(
    'fault-in-image-paths',
    many((i) => ({
      ...D,
      question: `Question ${i}?`,
      ...(i === 1 && { image_paths: undefined, images: ['cs/demo-doc/demo-doc_1.png', 'cs/demo-doc/demo-doc_2.png'] }),
    })),
    'page/image-mismatch',
    {
      pointer: '/images/0',
      line: 2,
      mentions: ['1', '3'],
    },
  ),
  fires(
    'fault-in-message-view',
    many((i) => ({ ...E, bbox_docvqa_id: i + 1, ...(i === 2 && { evidence_page: [3, 7] }) })),
    'page/out-of-range',
    {
      pointer: '/evidence_page/1',
      at: '7',
      line: 3,
      beside: ['page/image-mismatch'],
    },
  ),
  fires(
    'id-twice-in-message-view',
    many((i) => ({ ...E, bbox_docvqa_id: Math.min(i + 1, 3) })),
    'dataset/duplicate-id',
    {
      pointer: '/bbox_docvqa_id',
      at: '3',
      line: 4,
    },
  ),
  fires(
    'question-differs-in-d',
    many((i) => ({ ...D, question: `Question ${i}?`, ...(i === 1 && { query: 5 }) })),
    'schema/type',
    {
      pointer: '/query',
      at: '5',
      line: 2,
    },
  ),
];

const docmathFaults: readonly Variant[] = [
  fires('without-question', docmath({ question: undefined }), 'schema/required', { mentions: ['question'] }),
  fires('question-misnamed', docmath({ question: undefined, query: 'Q?' }), 'schema/required', {
    mentions: ['question'],
    beside: ['schema/unknown-key'],
  }),
  fires('question-null', docmath({ question: null }), 'schema/type', { pointer: '/question', at: 'null' }),
  fires('paragraphs-text', docmath({ paragraphs: 'One.' }), 'schema/type', { pointer: '/paragraphs', at: '"One."' }),
  fires('paragraph-number', docmath({ paragraphs: ['One.', '| a | 1 |\n| b | 2 |', 3] }), 'schema/type', {
    pointer: '/paragraphs/2',
    at: '3',
  }),
  fires('solution-list', docmath({ python_solution: ['def solution():'] }), 'schema/type', {
    pointer: '/python_solution',
  }),
  fires('gold-list', docmath({ ground_truth: [150] }), 'schema/type', { pointer: '/ground_truth', at: '[150]' }),
  fires('gold-true', docmath({ ground_truth: true }), 'schema/type', { pointer: '/ground_truth', at: 'true' }),
  quiet('published-keys', docmath({ source: 'FinQA', original_question_id: 'PKG/2009/page_65.pdf-4' })),
  fires('key-near', docmath({ pythn_solution: '' }), 'schema/unknown-key', {
    pointer: '/pythn_solution',
    at: '"pythn_solution"',
    mentions: ['python_solution'],
  }),
  fires(
    'in-array',
    JSON.stringify([JSON.parse(docmath()), JSON.parse(docmath({ question_id: 'v-2', question: 7 }))], null, 2),
    'schema/type',
    { pointer: '/question', at: '7', file: 'a.json' },
  ),
];

const mmFaults: readonly Variant[] = [
  quiet('base', mmlongbench()),
  quiet('list-answer', mmlongbench({ answer: "['White', '10%']", answer_format: 'List' })),
  fires('format', mmlongbench({ answer_format: 'Integer' }), 'schema/enum', {
    pointer: '/answer_format',
    at: '"Integer"',
    mentions: ['Int'],
  }),
  fires('format-case', mmlongbench({ answer_format: 'str' }), 'schema/enum', {
    pointer: '/answer_format',
    at: '"str"',
    mentions: ['Str'],
  }),
  fires('without-doc', mmlongbench({ doc_id: undefined }), 'schema/required', { mentions: ['doc_id'] }),
  fires('pages-not-a-list', mmlongbench({ evidence_pages: 'page 2' }), 'schema/type', {
    pointer: '/evidence_pages',
    at: '"page 2"',
  }),
  fires('pages-unclosed', mmlongbench({ evidence_pages: '[2' }), 'schema/type', { pointer: '/evidence_pages' }),
  fires('pages-words', mmlongbench({ evidence_pages: "['2']" }), 'schema/type', { pointer: '/evidence_pages' }),
  fires('answer-number', mmlongbench({ answer: 2550 }), 'schema/type', { pointer: '/answer', at: '2550' }),
];

export const schemaGroups: readonly Group[] = [
  { name: 'schema-published', dataset: undefined, variants: published.map(beside) },
  {
    name: 'schema',
    dataset: { profile: 'sciegqa', pdf: 'documents/{doc_name}.pdf', pageImage: 'documents/{doc_name}_{page}.png' },
    variants: [...faults, ...oneOfFour],
  },
  { name: 'schema-docmath', dataset: { profile: 'docmath-eval' }, variants: docmathFaults },
  {
    name: 'schema-mmlongbench',
    dataset: { profile: 'mmlongbench-doc', pdf: 'documents/{doc_id}' },
    variants: mmFaults,
  },
  {
    name: 'schema-own-enums',
    dataset: { profile: 'ours', pdf: 'documents/{doc_name}.pdf', pageImage: 'documents/{doc_name}_{page}.png' },
    profiles: {
      ours: { extends: 'sciegqa', enums: { labels: ['chart', 'table', 'text', 'image'] }, knownKeys: ['reviewer'] },
    },
    variants: [
      quiet('own-label', sciegqa({ subimg_type: [['chart'], ['text', 'image']], reviewer: 'R' })),
      fires('unknown-label', sciegqa({ subimg_type: [['chrat'], ['text', 'image']] }), 'schema/enum', {
        pointer: '/subimg_type/0/0',
        mentions: ['chart'],
      }),
    ],
  },
  {
    name: 'recognised',
    dataset: undefined,
    variants: [
      quiet('docmath', docmath()),
      fires('docmath-fault', docmath({ ground_truth: -150 }), 'answer/mismatch', { mentions: ['sign'] }),
      quiet('unknown', line({ text: 'a', label: 'b' })),
    ],
  },
];

/** Without a configuration, documents are looked for beside the file; that they are not there is told once. */
function beside(variant: Variant): Variant {
  return { ...variant, beside: ['page/document-missing'] };
}
