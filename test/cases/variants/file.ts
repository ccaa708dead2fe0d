import { docmath, fires, firesAll, line, quiet } from './build.ts';
import type { Group, Variant } from './build.ts';

const record = (id: string): string => `{"question_id":"${id}","question":"Question ${id}?","ground_truth":1.0}`;
const good = (...ids: string[]): string => ids.map((id) => `${record(id)}\n`).join('');
const JSON_FAULT = 'file/invalid-json';

const broken: readonly Variant[] = [
  fires(
    'missing-comma',
    good('a', 'b') + '{"question_id":"c" "question":"Q?","ground_truth":1}\n' + good('d'),
    JSON_FAULT,
    { line: 3, mentions: ['column 20|,'] },
  ),
  fires('trailing-comma', '{"question_id":"c","question":"Q?","ground_truth":1,}\n' + good('d'), JSON_FAULT, {
    line: 1,
    mentions: ['column 52|column 53'],
  }),
  fires('single-quotes', good('a') + "{'question_id': 'b', 'question': 'Q?'}\n", JSON_FAULT, {
    line: 2,
    mentions: ['column 2'],
  }),
  fires('python-none', good('a') + '{"question_id":"b","question":"Q?","ground_truth":None}\n', JSON_FAULT, {
    line: 2,
    mentions: ['None'],
  }),
  fires('text-after', good('a') + record('b') + ' # checked\n' + good('c'), JSON_FAULT, { line: 2 }),
  fires('two-records-in-a-line', record('a') + record('b') + '\n' + good('c'), JSON_FAULT, { line: 1 }),
  fires('comma-between-lines', record('a') + ',\n' + record('b') + '\n', JSON_FAULT, { line: 1 }),
  fires('cut-off', good('a', 'b') + '{"question_id":"c","question":"What was', JSON_FAULT, { line: 3 }),
  fires(
    'unescaped-quote',
    good('a') + '{"question_id":"b","question":"What is "EBIT"?","ground_truth":1}\n',
    JSON_FAULT,
    { line: 2 },
  ),
  fires('bad-escape', good('a') + '{"question_id":"b","question":"C:\\data?","ground_truth":1}\n', JSON_FAULT, {
    line: 2,
  }),
  fires('raw-tab', good('a') + '{"question_id":"b","question":"A\tB?","ground_truth":1}\n', JSON_FAULT, {
    line: 2,
    mentions: ['tab|U+0009'],
  }),
  fires('leading-zero', good('a') + '{"question_id":"b","question":"Q?","ground_truth":007}\n', JSON_FAULT, {
    line: 2,
  }),
  fires('comment', good('a') + '// a comment\n' + good('b'), JSON_FAULT, { line: 2 }),
  fires('array-on-a-line', good('a') + '[1, 2]\n' + good('b'), JSON_FAULT, { line: 2 }),
  fires('number-on-a-line', good('a') + '42\n' + good('b'), JSON_FAULT, { line: 2 }),
  fires(
    'crlf',
    good('a').replace('\n', '\r\n') + '{"question_id":"c","question":"Q?","ground_truth":1,}\r\n',
    JSON_FAULT,
    { line: 2 },
  ),
  fires('in-array', `[\n${record('a')},\n{"question_id":"b","question":"Q?","ground_truth":}\n]`, JSON_FAULT, {
    line: 3,
    file: 'a.json',
  }),
  firesAll('two-broken', '{"question_id":\n' + good('a') + '{]\n', [
    { code: JSON_FAULT, line: 1 },
    { code: JSON_FAULT, line: 3 },
  ]),
  quiet(
    'escaped-everything',
    line({ question_id: 'a', question: 'A "quoted" \\ / \b\f\n\r\t \u0001 question?', ground_truth: 1 }),
  ),
  quiet('empty-object-inside', line({ question_id: 'a', question: 'Q?', ground_truth: 1, source: '' })),
  quiet('no-final-newline', record('a')),
];

const indented = (second: string): string => `[\n    ${record('a')},\n    ${second}\n]\n`;
const places: readonly Variant[] = [
  fires('column-in-array', indented('{"question_id":"b","question":"Q?","ground_truth":1,}'), JSON_FAULT, {
    line: 3,
    column: 56,
    mentions: ['column 56'],
    file: 'a.json',
  }),
  fires(
    'columns-of-repeated-key',
    indented('{"question_id":"b","question":"Q?","question":"R?","ground_truth":1}'),
    'file/duplicate-key',
    {
      line: 3,
      column: 40,
      mentions: ['column 24', 'column 40'],
      file: 'a.json',
    },
  ),
  fires(
    'nested-arrays',
    `[[${record('a')}], [${record('b')},\n${record('c').replace('1.0', '"7"')}]]`,
    'answer/number-as-text',
    {
      line: 2,
      at: '"7"',
      file: 'a.json',
    },
  ),
  fires(
    'records-in-an-object',
    `{"version": 1,\n"data": [${record('a')},\n${record('c').replace('1.0', '"7"')}]}`,
    'answer/number-as-text',
    {
      line: 3,
      at: '"7"',
      file: 'a.json',
    },
  ),
  fires(
    'one-record-in-json',
    JSON.stringify(JSON.parse(record('c').replace('1.0', '"7"')), null, 2),
    'answer/number-as-text',
    {
      line: 4,
      at: '"7"',
      file: 'a.json',
    },
  ),
  fires('lone-carriage-return', `${record('a')}\r${record('b')}\r`, JSON_FAULT, {
    line: 1,
    mentions: ['carriage return'],
  }),
  fires('cut-off-array', `[\n${record('a')},\n`, JSON_FAULT, { file: 'a.json', mentions: [']'] }),
];

const notLines: readonly Variant[] = [
  fires('array', `[${record('a')},${record('b')}]\n`, 'file/not-json-lines', { line: 1, column: 1 }),
  fires(
    'array-pretty',
    JSON.stringify([JSON.parse(record('a')), JSON.parse(record('b'))], null, 2),
    'file/not-json-lines',
    { line: 1, column: 1 },
  ),
  fires(
    'objects-pretty',
    [record('a'), record('b')].map((one) => JSON.stringify(JSON.parse(one), null, 2)).join('\n'),
    'file/not-json-lines',
    { line: 1, column: 1 },
  ),
  fires('array-crlf', `[\r\n${record('a')},\r\n${record('b')}\r\n]\r\n`, 'file/not-json-lines', { line: 1, column: 1 }),
  quiet('array-in-json', `[${record('a')},${record('b')}]`, 'a.json'),
  quiet(
    'array-pretty-in-json',
    JSON.stringify([JSON.parse(record('a')), JSON.parse(record('b'))], null, 4) + '\n',
    'a.json',
  ),
  quiet('ndjson', good('a', 'b'), 'a.ndjson'),
];

const BOM = '\ufeff';
const characters: readonly Variant[] = [
  fires('bom', BOM + good('a'), 'file/byte-order-mark', { line: 1 }),
  fires('bom-in-the-middle', good('a', 'b') + BOM + good('c'), 'file/byte-order-mark', { line: 3 }),
  fires('bom-in-json', `${BOM}[${record('a')}]`, 'file/byte-order-mark', { line: 1, file: 'a.json' }),
  firesAll('bom-twice', BOM + good('a') + BOM + good('b'), [
    { code: 'file/byte-order-mark', line: 1 },
    { code: 'file/byte-order-mark', line: 2 },
  ]),
  quiet('bom-in-a-string', line({ question_id: 'a', question: `A${BOM}B?`, ground_truth: 1 })),
  fires('line-separator', good('a') + record('b').replace('Question', 'Ques\u2028tion') + '\n', 'file/line-separator', {
    line: 2,
    at: '\u2028',
    mentions: ['U+2028'],
  }),
  fires('paragraph-separator', record('b').replace('Question', 'Ques\u2029tion') + '\n', 'file/line-separator', {
    at: '\u2029',
    mentions: ['U+2029'],
  }),
  fires('next-line', record('b').replace('Question', 'Ques\u0085tion') + '\n', 'file/line-separator', {
    at: '\u0085',
    mentions: ['U+0085'],
  }),
  fires('separator-in-array', `[\n${record('b').replace('Question', 'Ques\u2028tion')}\n]`, 'file/line-separator', {
    line: 2,
    file: 'a.json',
  }),
  fires(
    'separator-in-block',
    docmath({ paragraphs: ['One\u2028two'], table_evidence: [], paragraph_evidence: [0] }),
    'file/line-separator',
    { pointer: '/paragraphs/0', at: '\u2028' },
  ),
  quiet('separator-escaped', record('b').replace('Question', 'Ques\\u2028tion\\u0085') + '\n'),
  fires('utf-16-be', Buffer.from('\ufeff' + good('a'), 'utf16le').swap16(), 'file/encoding', { mentions: ['UTF-16'] }),
  fires('utf-16-without-mark', Buffer.from(good('a'), 'utf16le'), 'file/encoding', { mentions: ['UTF-16'] }),
  fires('latin-1', Buffer.from(record('a').replace('Question', 'Währung') + '\n', 'latin1'), 'file/encoding', {
    mentions: ['offset|byte'],
  }),
  fires(
    'latin-1-later',
    Buffer.concat([Buffer.from(good('a')), Buffer.from(record('b').replace('Question', 'Währung') + '\n', 'latin1')]),
    'file/encoding',
  ),
  quiet('wide-characters', line({ question_id: 'ä', question: 'Wie viele 座席 😀?', ground_truth: 1 })),
];

const value = (json: string, more = ''): string =>
  `{"question_id":"a","question":"Q?","ground_truth":${json}${more}}\n`;
const block = (json: string): string =>
  `{"question_id":"a","question":"Q?","ground_truth":1,"source":"s","table_evidence":[${json}]}\n`;
const numbers: readonly Variant[] = [
  fires('infinity', good('x') + value('Infinity'), 'file/non-finite-number', {
    pointer: '/ground_truth',
    at: 'Infinity',
    line: 2,
    mentions: ['Infinity'],
  }),
  fires('minus-infinity', value('-Infinity'), 'file/non-finite-number', { at: '-Infinity', mentions: ['-Infinity'] }),
  fires('nan-nested', value('1', ',"meta":{"deep":[0,{"x":NaN}]}'), 'file/non-finite-number', {
    pointer: '/meta/deep/1/x',
    at: 'NaN',
    beside: ['schema/unknown-key'],
  }),
  fires('nan-in-array', `[\n${value('NaN')}]`, 'file/non-finite-number', { at: 'NaN', line: 2, file: 'a.json' }),
  fires('nan-in-list', block('NaN'), 'file/non-finite-number', { pointer: '/table_evidence/0', at: 'NaN' }),
  fires('overflowing-exponent', value('1e400'), 'file/non-finite-number', { pointer: '/ground_truth', at: '1e400' }),
  quiet('nan-in-a-string', line({ question_id: 'a', question: 'Is NaN equal to -Infinity?', ground_truth: 1 })),
  quiet('small-exponent', value('1e-400')),
  fires('unsafe', value('9007199254740993'), 'file/unsafe-number', {
    pointer: '/ground_truth',
    at: '9007199254740993',
    mentions: ['9007199254740993'],
  }),
  fires('unsafe-negative', value('-9007199254740993'), 'file/unsafe-number', { at: '-9007199254740993' }),
  fires('unsafe-nested', value('1', ',"ids":[{"k":123456789012345678901}]'), 'file/unsafe-number', {
    pointer: '/ids/0/k',
    at: '123456789012345678901',
    beside: ['schema/unknown-key'],
  }),
  fires('unsafe-in-array', `[\n\n${value('90071992547409931')}]`, 'file/unsafe-number', {
    at: '90071992547409931',
    line: 3,
    file: 'a.json',
  }),
  quiet('two-to-the-53', value('9007199254740992')),
  quiet('minus-two-to-the-53', value('-9007199254740992')),
  quiet('long-decimal', value('0.12345678901234567890123')),
  quiet('large-with-exponent', value('1e300')),
  quiet('large-float', value('12345678901234567890.0')),
];

const keys: readonly Variant[] = [
  fires('same-key', value('1', ',"question":"R?"'), 'file/duplicate-key', {
    mentions: ['question'],
    at: '"question"',
    beside: [],
  }),
  fires('same-key-nested', value('1', ',"meta":{"a":1,"b":{"c":1,"c":2}}'), 'file/duplicate-key', {
    mentions: ['c'],
    at: '"c"',
    beside: ['schema/unknown-key'],
  }),
  fires('same-key-escaped', value('1', ',"\\u0071uestion":"R?"'), 'file/duplicate-key', {
    mentions: ['question'],
    at: '"\\u0071uestion"',
  }),
  fires('same-key-in-list', value('1', ',"meta":[{"a":1},{"b":1,"b":1}]'), 'file/duplicate-key', {
    mentions: ['b'],
    at: '"b"',
    beside: ['schema/unknown-key'],
  }),
  fires(
    'same-key-in-array',
    `[${value('1')},${value('2', ',"ground_truth":3').replace('"a"', '"b"')}]`,
    'file/duplicate-key',
    { mentions: ['ground_truth'], at: '"ground_truth"', line: 2, file: 'a.json' },
  ),
  fires('same-key-thrice', value('1', ',"source":"a","source":"b","source":"c"'), 'file/duplicate-key', {
    beside: ['file/duplicate-key'],
  }),
  quiet('same-key-elsewhere', `{"question_id":"a","question":"Q?","ground_truth":1,"source":"question"}\n`),
];

const lines: readonly Variant[] = [
  fires('mixed', good('a') + good('b', 'c').replaceAll('\n', '\r\n'), 'file/mixed-line-endings'),
  fires('mixed-array', `[\r\n${record('a')},\n${record('b')}\r\n]`, 'file/mixed-line-endings', { file: 'a.json' }),
  quiet('all-crlf', good('a', 'b').replaceAll('\n', '\r\n')),
  fires('blank-between', good('a') + '\n' + good('b'), 'file/blank-line', { line: 2 }),
  fires('blank-run', good('a') + '\n\n\n' + good('b'), 'file/blank-line', { line: 2, mentions: ['3|2'] }),
  fires('blank-at-end', good('a') + '\n', 'file/blank-line', { line: 2 }),
  fires('blank-with-spaces', good('a') + '   \t\n' + good('b'), 'file/blank-line', { line: 2 }),
  firesAll('blank-twice', good('a') + '\n' + good('b') + '\n\n' + good('c'), [
    { code: 'file/blank-line', line: 2 },
    { code: 'file/blank-line', line: 4 },
  ]),
  fires('blank-crlf', (good('a') + '\n' + good('b')).replaceAll('\n', '\r\n'), 'file/blank-line', { line: 2 }),
  quiet('blank-in-json', `[\n\n${record('a')},\n\n${record('b')}\n\n]\n`, 'a.json'),
];

export const fileGroups: readonly Group[] = [
  {
    name: 'file',
    dataset: { profile: 'docmath-eval' },
    variants: [...broken, ...places, ...notLines, ...characters, ...numbers, ...keys, ...lines],
  },
];
