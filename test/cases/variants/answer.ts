import { docmath, fires, firesAll, line, quiet, solution } from './build.ts';
import type { Group, Variant } from './build.ts';

const GOLD = '/ground_truth';
const MISMATCH = 'answer/mismatch';

/** A solution that returns an expression. */
const returning = (expression: string, ground_truth: unknown, patch = {}): string =>
  solution(`def solution():\n    return ${expression}`, { ground_truth, ...patch });

const withContext = (...paragraphs: string[]) => ({
  paragraphs,
  table_evidence: [],
  paragraph_evidence: paragraphs.map((_, i) => i),
});

/** Factor, with what must be named as its reason. */
function factor(name: string, expression: string, gold: number, mentions: readonly string[], patch = {}): Variant {
  return fires(name, returning(expression, gold, patch), MISMATCH, {
    pointer: GOLD,
    at: String(gold),
    mentions: ['factor', ...mentions],
  });
}

const mismatch: readonly Variant[] = [
  factor(
    'factor-thousand-up',
    '1350',
    1350000,
    ['exactly 1000', 'paragraphs[0]', 'thousands'],
    withContext('Amounts are in thousands of dollars.'),
  ),
  factor('factor-thousand-down', '1350000', 1350, ['exactly 1000', '000s'], withContext('Sales ($000s) were 1,350.')),
  factor('factor-million-up', '7.25', 7250000, ['exactly 1000000', 'million'], {
    question: 'What were sales in dollars?',
    ...withContext('Sales were $7.25 million.'),
  }),
  factor('factor-million-mm', '7.25', 7250000, ['exactly 1000000', 'mm'], withContext('Sales were 7.25 mm.')),
  factor('factor-billion', '3.5', 3500000000, ['exactly 1000000000', 'bn'], withContext('Total assets of EUR 3.5 bn.')),
  factor('factor-million-for-thousand', '4200', 4.2, ['exactly 1000', 'millions|million'], {
    question: 'What were sales? (in million)',
  }),
  factor('factor-percent-up', '0.375', 37.5, ['exactly 100', 'percent|%'], {
    question: 'By what percent did sales rise?',
  }),
  factor('factor-percent-down', '-37.5', -0.375, ['exactly 100', '%'], withContext('Sales fell by 37.5%.')),
  factor('factor-bps', '-45', -0.45, ['exactly 100', 'basis points'], withContext('The margin fell 45 basis points.')),
  factor('factor-bps-fraction', '0.0045', 45, ['exactly 10000', 'bps'], {
    question: 'How did the yield move, in bps?',
  }),
  factor('factor-power-caret', '12500', 12.5, ['exactly 1000', '10^3'], { question: 'How many cells, in 10^3 cells?' }),
  factor('factor-power-superscript', '12500000', 12.5, ['exactly 1000000', '10⁶'], {
    question: 'How many cells, in 10⁶ cells?',
  }),
  factor('factor-ten', '48', 4.8, ['exactly 10', 'another unit']),
  factor('factor-ten-thousandth', '0.0312', 312, ['exactly 10000', 'ten thousandth'], {
    question: 'What is the rate? (in ten thousandth)',
  }),
  factor('factor-with-sign', '-1350', 1350000, ['exactly 1000', 'sign', 'thousand'], withContext('In thousands.')),
  factor('factor-of-rounded-gold', '1 / 3', 33.333, ['about 100'], { question: 'What share, in percent?' }),
  factor('factor-of-rounded-gold-down', '18.666666666', 0.187, ['about 100']),
  factor('factor-letter-k', '12', 12000, ['exactly 1000', '12k|k'], withContext('It sold 12K units.')),
  factor('factor-letter-m', '12', 12000000, ['$12M'], withContext('Net of $12M.')),
  factor('factor-letter-b', '1.5', 1500000000, ['€1.5b'], withContext('Assets of €1.5b.')),
  factor('factor-us-dollar-m', '12', 12000000, ['$m'], withContext('All in US$m.')),
  factor('factor-bps-attached', '190', 1.9, ['190bps|bps', 'percentage points'], {
    question: 'By how many percentage points?',
    ...withContext('It fell by 190bps.'),
  }),
  factor('factor-per-mille', '0.1', 100, ['‰'], withContext('A rate of 100 ‰.')),
  factor(
    'factor-not-stated',
    '12',
    12000,
    ['another unit'],
    withContext('It weighs 12 km, m and b; 100,000 of them; ebm 5.'),
  ),
  fires('rounded-to-one-decimal', returning('5 / 3', 1.7), MISMATCH, {
    pointer: GOLD,
    mentions: ['rounded to 1 decimal'],
  }),
  fires('rounded-to-none', returning('5 / 3', 2), MISMATCH, { pointer: GOLD, mentions: ['rounded to a whole number'] }),
  fires('cut-off-decimals', returning('5 / 3', 1.66), MISMATCH, { pointer: GOLD, silent: ['rounded'] }),
  fires('sign-lost', returning('1234.5', -1234.5), MISMATCH, { pointer: GOLD, at: '-1234.5', mentions: ['sign'] }),
  fires('sign-of-difference', returning('800 - 728', -72), MISMATCH, { pointer: GOLD, mentions: ['sign', 'swapped'] }),
  fires('sign-of-rounded-gold', returning('(1350 - 1200) / 1350', -0.111), MISMATCH, {
    pointer: GOLD,
    mentions: ['sign', 'swapped'],
  }),
  fires('swapped-division', returning('800 / 1350', 1350 / 800), MISMATCH, {
    pointer: GOLD,
    at: '1.6875',
    mentions: ['division', 'swapped'],
  }),
  fires('swapped-division-percent', returning('100 * 800 / 1250', 156.25), MISMATCH, {
    pointer: GOLD,
    mentions: ['reciprocal', 'swapped'],
  }),
  fires('swapped-change', returning('(1350 - 1200) / 1350', 0.125), MISMATCH, {
    pointer: GOLD,
    mentions: ['other operand', 'base'],
  }),
  fires('floor-division', returning('1350 // 800', 1.6875), MISMATCH, { pointer: GOLD, mentions: ['floor division'] }),
  fires('floor-division-negative', returning('-1350 // 800', -1.6875), MISMATCH, {
    pointer: GOLD,
    mentions: ['floor division'],
  }),
  fires('cut-by-int', returning('int(1350 / 800)', 1.6875), MISMATCH, { pointer: GOLD, mentions: ['int()'] }),
  fires('cut-by-round', returning('round(1350 / 800)', 1.6875), MISMATCH, { pointer: GOLD, mentions: ['round()'] }),
  fires('gold-zero', returning('150', 0), MISMATCH, {
    pointer: GOLD,
    at: '0',
    mentions: ['150'],
    silent: ['Infinity', 'NaN', 'factor'],
  }),
  fires('value-zero', returning('1200 - 1200', 150), MISMATCH, {
    pointer: GOLD,
    at: '150',
    mentions: ['yields 0'],
    silent: ['Infinity', 'NaN', 'factor'],
  }),
  fires('huge', returning('10 ** 300', 1.5e300), MISMATCH, { pointer: GOLD, mentions: ['differs'] }),
  fires('beyond-floats', returning('10 ** 400', 150), MISMATCH, { pointer: GOLD, mentions: ['beyond'] }),
  fires('tiny', returning('1e-12', 3e-12), MISMATCH, {
    pointer: GOLD,
    at: '3e-12',
    mentions: ['differs'],
    silent: ['factor'],
  }),
  fires('tiny-against-zero', returning('0.0004', 0.002), MISMATCH, { pointer: GOLD, mentions: ['differs'] }),
  fires('just-outside-tolerance', returning('1000', 1001.51), MISMATCH, { pointer: GOLD, mentions: ['1.51'] }),
  fires('transposed-digits', returning('1530 - 1200', 150), MISMATCH, { pointer: GOLD, mentions: ['180'] }),
  fires(
    'second-of-pretty-array',
    JSON.stringify(
      [JSON.parse(docmath()), { ...JSON.parse(docmath({ ground_truth: -150 })), question_id: 'v-2' }],
      null,
      2,
    ),
    MISMATCH,
    { pointer: GOLD, at: '-150', file: 'a.json', mentions: ['sign'] },
  ),
  fires(
    'crlf',
    docmath().replace('\n', '\r\n') + docmath({ question_id: 'v-2', ground_truth: 15 }).replace(/\n$/, '\r\n'),
    MISMATCH,
    { pointer: GOLD, at: '15', line: 2, mentions: ['exactly 10'] },
  ),
  quiet('equal-int-and-float', docmath({ ground_truth: 150.0 })),
  quiet('equal-float-noise', returning('0.1 + 0.2', 0.3)),
  quiet('equal-big-integer', returning('2 ** 53', 9007199254740992)),
  quiet('equal-exponent', returning('1e-7', 1e-7)),
  quiet('rounded-within-tolerance', returning('2 / 3', 0.667)),
  fires('half-even', returning('12.125', 12.12), 'answer/inexact', {
    pointer: GOLD,
    mentions: ['rounded to 2 decimals'],
  }),
  fires('half-up', returning('12.125', 12.13), 'answer/inexact', {
    pointer: GOLD,
    mentions: ['rounded to 2 decimals'],
  }),
  fires('negative-half-up', returning('-12.125', -12.13), 'answer/inexact', {
    pointer: GOLD,
    mentions: ['rounded to 2 decimals'],
  }),
  quiet('zero', returning('0.0', 0)),
  quiet('negative-zero', returning('-0.0', 0)),
];

const near: readonly Variant[] = [
  fires('rounded-small', returning('0.0123456', 0.012), 'answer/rounded', {
    pointer: GOLD,
    at: '0.012',
    mentions: ['3 decimals'],
  }),
  fires('rounded-negative', returning('-0.0043', -0.004), 'answer/rounded', { pointer: GOLD, at: '-0.004' }),
  fires('rounded-to-zero', returning('0.0004', 0), 'answer/rounded', { pointer: GOLD, at: '0' }),
  fires('rounded-half-even', returning('0.0625', 0.062), 'answer/rounded', { pointer: GOLD, at: '0.062' }),
  fires('rounded-half-up', returning('0.0625', 0.063), 'answer/rounded', { pointer: GOLD, at: '0.063' }),
  fires('half-of-the-wrong-side', returning('0.0625', 0.064), MISMATCH, { pointer: GOLD }),
  fires('inexact-middle', returning('1000', 1001), 'answer/inexact', { pointer: GOLD, at: '1001' }),
  fires('inexact-edge', returning('1000', 1001.5), 'answer/inexact', { pointer: GOLD, at: '1001.5' }),
  fires('inexact-negative', returning('-73.1', -73.19), 'answer/inexact', { pointer: GOLD, at: '-73.19' }),
  fires('inexact-large', returning('1234567', 1234500), 'answer/inexact', { pointer: GOLD, at: '1234500' }),
  quiet('rounded-exact', returning('0.012', 0.012)),
  fires('rounded-two-of-large', returning('1234.5678', 1234.57), 'answer/inexact', {
    pointer: GOLD,
    mentions: ['rounded to 2 decimals'],
  }),
  quiet('rounded-to-integer-within-tolerance', returning('1234.0004', 1234)),
];

const text = (name: string, gold: string, value: string): Variant =>
  fires(name, docmath({ ground_truth: gold }), 'answer/number-as-text', {
    pointer: GOLD,
    at: JSON.stringify(gold),
    mentions: [value],
  });

const texts: readonly Variant[] = [
  text('text-plain', '150', '150'),
  text('text-dollar', '$1,234.50', '1234.50'),
  text('text-percent', '12.5%', '12.5'),
  text('text-percent-blank', '12.5 %', '12.5'),
  text('text-brackets', '(71)', '-71'),
  text('text-brackets-dollar', '$(1,071.5)', '-1071.5'),
  text('text-minus', '−150', '-150'),
  text('text-en-dash', '–150', '-150'),
  text('text-em-dash', '—150', '-150'),
  text('text-full-width', '１５０', '150'),
  text('text-full-width-minus', '－１５０', '-150'),
  text('text-blank-thousands', '1 234', '1234'),
  text('text-no-break-thousands', '1\u00a0234\u00a0567', '1234567'),
  text('text-narrow-thousands', '1\u202f234,5', '1234.5'),
  text('text-commas', '1,234,567', '1234567'),
  text('text-euro', '€ 5', '5'),
  text('text-euro-behind', '5 €', '5'),
  text('text-pound', '£3.2', '3.2'),
  text('text-usd', 'USD 1,000', '1000'),
  text('text-us-dollar', 'US$ 250', '250'),
  text('text-exponent', '1.5e3', '1.5e3|1500'),
  text('text-plus', '+7', '7'),
  text('text-point', '.5', '0.5'),
  text('text-outer-blanks', ' 42 ', '42'),
  text('text-outer-newline', '42\n', '42'),
  text('text-apostrophes', "1'234'567", '1234567'),
  text('text-lakh', '12,34,567', '1234567'),
  text('text-negative-percent', '-0.5%', '-0.5'),
  text('text-arabic', '١٢٣', '123'),
  ...[
    'N/A',
    '-',
    '—',
    'twelve',
    '12-15',
    '2019-12-31',
    '1/2',
    'v2',
    '1.2.3',
    '3 to 4',
    '()',
    '%',
    '$',
    '1,2,3',
    'None',
    '12 apples',
    '1e',
    '(1',
    '5 5 5',
    '²',
    '10²',
    '5①',
    '3½',
    '5 million',
    '0x1F',
    '1:2',
    '12 %-points',
    'Ⅻ',
    'NaN',
    'true',
  ].map((gold, i): Variant => ({
    // Text that is no number: only the type is wrong.
    name: `no-number-${i}`,
    file: 'a.jsonl',
    content: docmath({ ground_truth: gold }),
    expect: [{ code: 'schema/type', pointer: GOLD, at: JSON.stringify(gold) }],
    beside: [],
  })),
];

const two = (first: object, second: object): string => line(first) + line(second);
const bare = (id: string, ground_truth?: unknown, more = {}) => ({
  question_id: id,
  question: `Question ${id}?`,
  ground_truth,
  ...more,
});

const gaps: readonly Variant[] = [
  fires('missing-second', two(bare('a', 1), bare('b', null)), 'answer/missing', { pointer: GOLD, at: 'null', line: 2 }),
  fires('missing-key', two(bare('a', 1), bare('b', undefined)), 'answer/missing', { line: 2 }),
  fires('missing-empty', two(bare('a', 1), bare('b', '')), 'answer/missing', { pointer: GOLD, at: '""', line: 2 }),
  fires('missing-in-array', JSON.stringify([bare('a', 1), bare('b', null), bare('c', 2)], null, 1), 'answer/missing', {
    pointer: GOLD,
    at: 'null',
    line: 10,
    file: 'a.json',
  }),
  fires('missing-first', two(bare('a', null), bare('b', 0)), 'answer/missing', { pointer: GOLD, at: 'null', line: 1 }),
  fires(
    'hidden-null',
    two(bare('a', null, { python_solution: '' }), bare('b', null, { python_solution: '' })),
    'answer/hidden',
  ),
  fires('hidden-empty', two(bare('a', ''), bare('b', '')), 'answer/hidden'),
  fires('hidden-array', JSON.stringify([bare('a', null), bare('b', null)]), 'answer/hidden', { file: 'a.json' }),
  fires('hidden-single', line(bare('a', null)), 'answer/hidden'),
  fires(
    'nan-is-not-missing',
    two(bare('a', 1), bare('b', 0)).replace('"ground_truth":0', '"ground_truth":NaN'),
    'file/non-finite-number',
    { at: 'NaN', line: 2 },
  ),
  fires(
    'all-nan-is-not-hidden',
    line(bare('a', 0)).replace('"ground_truth":0', '"ground_truth":NaN'),
    'file/non-finite-number',
    { at: 'NaN', line: 1 },
  ),
  quiet('zero-is-an-answer', two(bare('a', 1), bare('b', 0))),
  firesAll('same-id-thrice', line(bare('x', 1)) + line(bare('x', 2)) + line(bare('x', 3)), [
    { code: 'dataset/duplicate-id', line: 2, at: '"x"', mentions: ['x'] },
    { code: 'dataset/duplicate-id', line: 3, at: '"x"', mentions: ['x'] },
  ]),
  fires(
    'same-id-in-array',
    JSON.stringify([bare('q', 1), bare('r', 1), bare('q', 9)], null, 2),
    'dataset/duplicate-id',
    { pointer: '/question_id', at: '"q"', line: 13, file: 'a.json' },
  ),
  fires(
    'same-id-other-question',
    two(bare('x', 1), { ...bare('x', 1), question: 'Another?' }),
    'dataset/duplicate-id',
    { pointer: '/question_id', at: '"x"', line: 2 },
  ),
  fires(
    'same-number-as-id',
    two({ ...bare('', 1), question_id: 7, question: 'A?' }, { ...bare('', 1), question_id: 7, question: 'B?' }),
    'dataset/duplicate-id',
    { line: 2, at: '7', beside: ['schema/type'] },
  ),
  quiet('same-record-twice', two(bare('x', 1), bare('x', 1))),
  quiet('ids-differ-in-case', two(bare('x', 1), bare('X', 2))),
  quiet(
    'no-ids',
    two(
      { ...bare('', 1), question_id: undefined, python_solution: '' },
      { ...bare('', 2), question: 'B?', question_id: undefined, python_solution: '' },
    ),
  ),
];

const tolerance: readonly Variant[] = [
  quiet('within-wide-tolerance', returning('100', 104.99999).replace('104.99999', '105')),
  fires('outside-wide-tolerance', returning('100', 106), MISMATCH, { pointer: GOLD, mentions: ['6'] }),
];

export const answerGroups: readonly Group[] = [
  { name: 'answer', dataset: { profile: 'docmath-eval' }, variants: [...mismatch, ...near, ...texts, ...gaps] },
  {
    name: 'answer-tolerance',
    dataset: {
      profile: 'docmath-eval',
      tolerance: { relative: 0.05, decimals: 0 },
      rules: { 'answer/inexact': 'off' },
    },
    variants: tolerance,
  },
  {
    name: 'answer-own-keys',
    dataset: { profile: 'ours' },
    profiles: {
      ours: {
        extends: 'docmath-eval',
        fields: {
          id: '/meta/id',
          question: '/q',
          gold: '/target/value',
          solution: '/code',
          context: '/blocks',
          tableEvidence: '/ev/tables',
          textEvidence: '/ev/texts',
        },
        entryPoint: 'answer',
      },
    },
    variants: ownKeys(),
  },
];

function ownKeys(): Variant[] {
  const record = (change: { code?: string; value?: unknown; tables?: unknown[]; texts?: unknown[] } = {}): string =>
    line({
      meta: { id: 'o-1' },
      q: 'How many?',
      code: change.code ?? 'def answer():\n    return 1350 - 1200',
      target: { value: change.value ?? 150 },
      blocks: ['In thousands.', '| a | b |\n| c | d |'],
      ev: { tables: change.tables ?? [1], texts: change.texts ?? [0] },
    });
  return [
    quiet('base', record()),
    fires('mismatch', record({ value: 150000 }), MISMATCH, {
      pointer: '/target/value',
      at: '150000',
      mentions: ['1000', 'blocks[0]', 'thousands'],
    }),
    fires('text', record({ value: '(150)' }), 'answer/number-as-text', {
      pointer: '/target/value',
      at: '"(150)"',
      mentions: ['-150'],
    }),
    fires('index', record({ tables: [1, 5] }), 'evidence/index-out-of-range', {
      pointer: '/ev/tables/1',
      at: '5',
      mentions: ['blocks', '2 blocks'],
    }),
    fires('twice', record({ texts: [0, 0] }), 'evidence/duplicate-index', {
      pointer: '/ev/texts/1',
      at: '0',
      mentions: ['blocks[0]'],
    }),
    fires('kind', record({ tables: [0] }), 'evidence/kind-mismatch', {
      pointer: '/ev/tables/0',
      at: '0',
      mentions: ['blocks[0]'],
    }),
    fires('entry', record({ code: 'def solution():\n    return 150' }), 'solution/entry-point', {
      pointer: '/code',
      mentions: ['answer'],
    }),
    fires('raises', record({ code: 'def answer():\n    x = 1\n    return x / 0' }), 'solution/raises', {
      pointer: '/code',
      at: 'return x / 0',
      mentions: ['line 3'],
    }),
  ];
}
