import { docmath, fires, firesAll, line, quiet } from './build.ts';
import type { Group, Variant } from './build.ts';

const RANGE = 'evidence/index-out-of-range';
const TWICE = 'evidence/duplicate-index';
const KIND = 'evidence/kind-mismatch';
const PROSE = 'Gadget demand fell.';
const TABLE = '| a | 1 |\n| b | 2 |';

const cites = (paragraphs: unknown, table_evidence: unknown, paragraph_evidence: unknown): string =>
  docmath({ paragraphs, table_evidence, paragraph_evidence });

const range: readonly Variant[] = [
  fires('table-one-past', cites([PROSE, TABLE], [2], []), RANGE, {
    pointer: '/table_evidence/0',
    at: '2',
    mentions: ['2 blocks', '0-1'],
  }),
  fires('text-second', cites([PROSE, TABLE], [1], [0, 17]), RANGE, {
    pointer: '/paragraph_evidence/1',
    at: '17',
    mentions: ['17', '2 blocks'],
  }),
  fires('negative', cites([PROSE, TABLE], [-1], []), RANGE, {
    pointer: '/table_evidence/0',
    at: '-1',
    mentions: ['-1'],
  }),
  fires('no-blocks', cites([], [], [0]), RANGE, { pointer: '/paragraph_evidence/0', at: '0', mentions: ['0 blocks'] }),
  fires('one-block', cites([PROSE], [], [1]), RANGE, {
    pointer: '/paragraph_evidence/0',
    at: '1',
    mentions: ['1 block', 'index 0'],
  }),
  fires('huge', cites([PROSE], [], [123456]), RANGE, { pointer: '/paragraph_evidence/0', at: '123456' }),
  firesAll('in-both', cites([PROSE], [4], [-2]), [
    { code: RANGE, pointer: '/table_evidence/0', at: '4' },
    { code: RANGE, pointer: '/paragraph_evidence/0', at: '-2' },
  ]),
  fires(
    'pretty-array',
    JSON.stringify(
      [{ question_id: 'a', question: 'Q?', paragraphs: [PROSE], paragraph_evidence: [0, 3], ground_truth: 1 }],
      null,
      4,
    ),
    RANGE,
    { pointer: '/paragraph_evidence/1', at: '3', line: 10, file: 'a.json' },
  ),
  quiet('last', cites([PROSE, TABLE, PROSE], [1], [0, 2])),
  quiet('empty-lists', cites([PROSE], [], [])),
  quiet('descending', cites([PROSE, PROSE + ' Again.', TABLE], [2], [1, 0])),
];

const twice: readonly Variant[] = [
  fires('twice-table', cites([PROSE, TABLE], [1, 1], [0]), TWICE, {
    pointer: '/table_evidence/1',
    at: '1',
    mentions: ['paragraphs[1]'],
  }),
  fires('twice-apart', cites([PROSE, PROSE, TABLE], [2], [0, 1, 0]), TWICE, {
    pointer: '/paragraph_evidence/2',
    at: '0',
    mentions: ['paragraphs[0]'],
  }),
  firesAll('two-pairs', cites([PROSE, PROSE, TABLE], [2], [0, 1, 0, 1]), [
    { code: TWICE, pointer: '/paragraph_evidence/2', at: '0' },
    { code: TWICE, pointer: '/paragraph_evidence/3', at: '1' },
  ]),
  fires('thrice', cites([PROSE, TABLE], [1], [0, 0, 0]), TWICE, { beside: [TWICE] }),
  quiet('one-each', cites([PROSE, TABLE, TABLE + '\n| c | 3 |'], [1, 2], [0])),
];

/** A block that is a table: cited as text it is reported, as a table not. */
const tables: Readonly<Record<string, string>> = {
  ragged: '| a | b | c |\n| x |\n| 1 | 2 |',
  'caption-first':
    'DELTA AIR LINES, INC.\nConsolidated Balance Sheets\n| (in millions) | 2018 | 2017 |\n| ASSETS |\n| Cash | 1 | 2 |',
  markdown: '| a | b |\n|---|:-:|\n| 1 | 2 |',
  'markdown-open': 'a | b\n--- | ---\n1 | 2',
  html: '<table><tr><th>a</th><td>1</td></tr></table>',
  'html-attributes': '<TABLE border="1">\n<TR><TD>a</TD><TD>1</TD></TR>\n</TABLE>',
  tabs: 'Item\t2031\t2032\nWidgets\t1,200\t1,350',
  'dollar-cells': '| Utility | $ | 293,093 | $ | 357,409 |\n| Total | $ | 1 | $ | 2 |',
  'two-rows': '| Revenue | 5 |\n| Cost | 3 |',
  'crlf-rows': '| Revenue | 5 |\r\n| Cost | 3 |\r\n',
  'separator-ends': '| h1 | h2 |\n| --- | --- |\n| 1 | 2 |\nSource: company data.',
};
/** Prose: cited as a table it is reported, as text not. */
const prose: Readonly<Record<string, string>> = {
  sentence: 'Revenue grew by 12% to $1,350 thousand.',
  'one-pipe': 'The union A | B holds both; revenue was 5.',
  'bars-in-math': 'The distance |x - y| is at most |x| + |y| for all x and y.',
  'bars-at-start': '|x| is the absolute value of x, and |y| that of y.',
  'bars-on-two-lines': 'Let |x| < 1.\nThen |x|^2 < |x| as well.',
  'shell-pipe': 'Use ls | wc to count, then sort | uniq to list.',
  'html-words': 'The tag <b>table</b> is bold, 3 < 5 and 7 > 2.',
  'one-tab': 'Note 1:\tRevenue is recognised at delivery.',
  dashes: '--- Revenue --- fell in 2032.',
  conditional: 'We estimate P(A | B) = 0.4.\nHence P(B | A) = 0.2 holds.',
  'bullet-list': '- Revenue 5\n- Cost 3',
};

const kinds: readonly Variant[] = [
  ...Object.entries(tables).flatMap(([name, block]) => [
    fires(`${name}-as-text`, cites([PROSE, block], [], [0, 1]), KIND, {
      pointer: '/paragraph_evidence/1',
      at: '1',
      mentions: ['paragraphs[1]', 'table_evidence'],
    }),
    quiet(`${name}-as-table`, cites([PROSE, block], [1], [0])),
  ]),
  ...Object.entries(prose).flatMap(([name, block]) => [
    fires(`${name}-as-table`, cites([block, TABLE], [1, 0], []), KIND, {
      pointer: '/table_evidence/1',
      at: '0',
      mentions: ['paragraphs[0]', 'paragraph_evidence'],
    }),
    quiet(`${name}-as-text`, cites([block, TABLE], [1], [0])),
  ]),
  quiet('blank-block', cites(['', TABLE], [1], [0])),
  quiet('long-prose-around', cites([`${'Revenue grew in every region this year. '.repeat(12)}\n${TABLE}`], [], [0])),
];

const mixed: readonly Variant[] = [
  fires('text-index', cites([PROSE, TABLE], ['1'], [0]), 'schema/type', { pointer: '/table_evidence/0', at: '"1"' }),
  fires('float-index', cites([PROSE, TABLE], [1], [0.5]), 'schema/type', {
    pointer: '/paragraph_evidence/0',
    at: '0.5',
  }),
  fires(
    'point-zero-index',
    cites([PROSE, TABLE], [1], [0]).replace('"paragraph_evidence":[0]', '"paragraph_evidence":[0.0]'),
    'schema/type',
    { pointer: '/paragraph_evidence/0', at: '0.0' },
  ),
  fires('no-list', cites([PROSE, TABLE], 1, [0]), 'schema/type', { pointer: '/table_evidence', at: '1' }),
  fires('null-index', cites([PROSE, TABLE], [null], [0]), 'schema/type', { pointer: '/table_evidence/0', at: 'null' }),
  quiet('without-context', line({ question_id: 'a', question: 'Q?', ground_truth: 1, table_evidence: [4] })),
];

export const evidenceGroups: readonly Group[] = [
  { name: 'evidence', dataset: { profile: 'docmath-eval' }, variants: [...range, ...twice, ...kinds, ...mixed] },
];
