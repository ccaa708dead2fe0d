import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { RunResult } from '../../../server/src/core/ports.ts';
import { pointerTo } from '../../../server/src/core/record/canonical.ts';
import { blockName } from '../../../server/src/core/rules/messages.ts';
import { checkFileText } from './nested-data.ts';
import type { CheckedRecord } from './nested-data.ts';
import { skipWithout } from './shared-data.ts';

const DATA = fileURLToPath(new URL('../../../../shared/data/', import.meta.url));

/** The real files may not be there; the test then says so and is skipped. */
function needText(test: Mocha.Context, path: string): string {
  return existsSync(DATA + path) ? readFileSync(DATA + path, 'utf8') : skipWithout(test, path);
}

function codes(records: readonly CheckedRecord[]): string[] {
  return records.flatMap(({ findings }) => findings.map(({ code, severity }) => `${severity} ${code}`));
}

const FINQA = {
  id: 'demo/2032/page_1.pdf-1',
  filename: 'demo/2032/page_1.pdf',
  pre_text: ['widget revenue grew .', 'amounts are in thousands .'],
  post_text: ['gadget demand fell .'],
  table: [
    ['item', '2031', '2032'],
    ['widgets', '1200', '1350'],
  ],
  qa: {
    question: 'what was the growth of widget revenue ?',
    answer: '12.5%',
    program: 'subtract(1350, 1200), divide(#0, 1200)',
    gold_inds: { table_1: 'the widgets of 2031 is 1200', text_2: 'gadget demand fell .' },
    exe_ans: 0.125,
  },
};
const finqa = (qa: object): string => JSON.stringify([{ ...FINQA, qa: { ...FINQA.qa, ...qa } }]);

describe('FinQA', () => {
  it('joins sentences and rows into one context, each with its place', () => {
    const [{ checked } = { checked: undefined }] = checkFileText(finqa({}));
    const record = checked!.record!;
    assert.deepEqual(record.context, [
      'widget revenue grew .',
      'amounts are in thousands .',
      'gadget demand fell .',
      '| item | 2031 | 2032 |\n| widgets | 1200 | 1350 |',
      '| item | 2031 | 2032 |\n| widgets | 1200 | 1350 |',
    ]);
    assert.deepEqual(record.textEvidence, [2]);
    assert.deepEqual(record.tableEvidence, [4]);
    assert.equal(pointerTo(record, 'context', 2), '/post_text/0');
    assert.equal(pointerTo(record, 'context', 4), '/table/1');
    assert.equal(blockName(record, 2), 'post_text[0]');
    assert.equal(pointerTo(record, 'tableEvidence', 0), '/qa/gold_inds/table_1');
    assert.equal(record.solution, undefined);
    assert.equal(record.program?.language, 'finqa-program');
  });

  it('runs the program without any engine', () => {
    assert.deepEqual(
      checkFileText(finqa({})).map(({ verdict }) => verdict),
      ['equal'],
    );
    const [wrong] = checkFileText(finqa({ exe_ans: 12.5 }));
    assert.equal(wrong?.verdict, 'mismatch');
    const [finding] = wrong?.findings.filter(({ code }) => code === 'answer/mismatch') ?? [];
    assert.match(
      finding?.message ?? '',
      /The program yields 0\.125, but exe_ans is 12\.5: differs by a factor of exactly 100/,
    );
    assert.equal(finding?.pointer, '/qa/exe_ans');
  });

  it('compares yes and no', () => {
    const program = 'greater(1350, 1200)';
    assert.equal(checkFileText(finqa({ program, exe_ans: 'yes' }))[0]?.verdict, 'equal');
    const [wrong] = checkFileText(finqa({ program, exe_ans: 'no' }));
    const [finding] = wrong?.findings.filter(({ code }) => code === 'answer/mismatch') ?? [];
    assert.match(finding?.message ?? '', /The program yields yes, but exe_ans is no\./);
  });

  it('says why a program cannot be computed', () => {
    const found = checkFileText(finqa({ program: 'table_sum(cogs, none)' }))[0]?.findings ?? [];
    const [raises] = found.filter(({ code }) => code === 'solution/raises');
    assert.match(raises?.message ?? '', /The program cannot be computed: the table has no row "cogs"\./);
    assert.equal(raises?.pointer, '/qa/program');
  });

  for (const [key, said] of [
    ['table_7', /gold_inds cites table_7, but the table has 2 rows\./],
    ['text_3', /gold_inds cites text_3, but there are 3 text blocks\./],
  ] as const) {
    it(`finds ${key} beyond its part`, () => {
      const found = checkFileText(finqa({ gold_inds: { [key]: 'x' } }))[0]?.findings ?? [];
      const [range] = found.filter(({ code }) => code === 'evidence/index-out-of-range');
      assert.match(range?.message ?? '', said);
      assert.equal(range?.pointer, `/qa/gold_inds/${key}`);
    });
  }

  it('real file: every program yields its exe_ans, nothing above info', function () {
    const records = checkFileText(needText(this, 'finqa/dev_200.json'));
    assert.equal(
      records.filter(({ verdict }) => verdict === 'equal' || verdict === 'rounded' || verdict === 'tolerance').length,
      200,
    );
    assert.deepEqual(
      codes(records).filter((code) => !code.startsWith('info')),
      [],
    );
  });
});

const CONTEXT = {
  table: {
    uid: 't',
    table: [
      ['', '2032', '2031'],
      ['Widgets', '1,350', '(71)'],
    ],
  },
  paragraphs: [{ uid: 'p', order: 1, text: 'Amounts are in thousands.' }],
  questions: [
    {
      uid: 'q-1',
      order: 1,
      question: 'What is the sum of widgets?',
      answer: 1279,
      derivation: '1,350+(71)',
      answer_type: 'arithmetic',
      answer_from: 'table-text',
      rel_paragraphs: ['1'],
      req_comparison: false,
      scale: 'thousand',
    },
  ],
};
const tatqa = (question: object): string =>
  JSON.stringify([{ ...CONTEXT, questions: [{ ...CONTEXT.questions[0], ...question }] }]);

describe('TAT-QA', () => {
  it('takes the questions inside a context as records that share it', () => {
    const [{ checked } = { checked: undefined }] = checkFileText(tatqa({}));
    const record = checked!.record!;
    assert.equal(record.id, 'q-1');
    assert.deepEqual(record.context, ['Amounts are in thousands.', '|  | 2032 | 2031 |\n| Widgets | 1,350 | (71) |']);
    assert.deepEqual([record.textEvidence, record.tableEvidence], [[0], [1]]);
    assert.deepEqual([blockName(record, 0), blockName(record, 1)], ['paragraphs[0]', 'table']);
  });

  it('names the brackets that a formula copies', () => {
    const [record] = checkFileText(tatqa({}));
    const [finding] = record?.findings.filter(({ code }) => code === 'answer/mismatch') ?? [];
    assert.match(
      finding?.message ?? '',
      /The program yields 1421, but answer is 1279: the formula copies \(71\) from a table/,
    );
    assert.equal(checkFileText(tatqa({ derivation: '1,350-71' }))[0]?.verdict, 'equal');
  });

  it('takes shares in percent as fractions too', () => {
    const share = { answer: 5.26, derivation: '71/1,350', scale: 'percent' };
    assert.equal(checkFileText(tatqa(share))[0]?.verdict, 'tolerance');
    assert.equal(checkFileText(tatqa({ ...share, scale: '' }))[0]?.verdict, 'mismatch');
  });

  it('evaluates arithmetic alone, and is content with answers of other types', () => {
    const list = { answer: ['a', 'b'], answer_type: 'multi-span', derivation: 'a##b', scale: '' };
    const count = { answer: '2', answer_type: 'count', derivation: 'a##b', scale: '' };
    for (const question of [list, count, { ...list, answer: ['1,350'], derivation: '1,350>71' }]) {
      const [record] = checkFileText(tatqa(question));
      assert.equal(record?.verdict, undefined);
      assert.deepEqual(
        record?.findings.filter(({ severity }) => severity !== 'info'),
        [],
      );
    }
  });

  it('finds a paragraph number that is none', () => {
    const [record] = checkFileText(tatqa({ rel_paragraphs: ['2'], derivation: '1,350-71' }));
    const [finding] = record?.findings.filter(({ code }) => code === 'evidence/index-out-of-range') ?? [];
    assert.match(finding?.message ?? '', /rel_paragraphs cites 2, but there is 1 text block\./);
    assert.equal(finding?.pointer, '/rel_paragraphs/0');
  });

  it('real file: all derivations yield their answers but the two that copy brackets', function () {
    const records = checkFileText(needText(this, 'tat-qa/tatqa_dataset_dev.json'));
    assert.equal(records.length, 1668);
    const verdicts = records.flatMap(({ verdict }) => verdict ?? []);
    assert.equal(verdicts.length, 718);
    const wrong = records.filter(({ verdict }) => verdict === 'mismatch');
    assert.deepEqual(
      wrong.map(({ checked }) => checked.record?.program?.source.includes('(')),
      [true, true],
    );
    const errors = records.flatMap(({ findings }) => findings.filter(({ severity }) => severity === 'error'));
    assert.equal(errors.length, 2);
    for (const { message } of errors) assert.match(message, /the formula copies \(\d+\) from a table/);
  });
});

const FINDVER = {
  example_id: 'demo-0',
  subset: 'numeric',
  split: 'testmini',
  statement: 'Widget revenue grew by 150 and 12.5 %.',
  explaination: '…',
  entailment_label: true,
  python_calculation: 'def calculate():\n    return 1350 - 1200',
  execution_result: 150,
  relevant_context: [1],
  report: 'DEMO.json',
};
const RUN = { engine: 'sandbox', pythonVersion: '3.13.2', stdout: '', stdoutTruncated: false, ms: 1 } as const;
const tuple: RunResult = { ...RUN, error: { kind: 'badReturn', type: 'tuple', message: '(150, 12.504)' } };
const BLOCKS = ['Widgets sold for 1350 in 2032 and 1200 in 2031.', 'They sold well: 1350 after 1200.'];
const REPORT = { name: 'DEMO.json', context: { state: 'ok', path: '/data/DEMO.json', blocks: BLOCKS } } as const;

describe('FinDVer', () => {
  it('compares several results with a list', () => {
    const check = (execution_result: unknown): CheckedRecord =>
      checkFileText(JSON.stringify({ ...FINDVER, execution_result }), 'findver', () => ({ run: tuple }))[0]!;
    assert.equal(check([150, 12.5]).verdict, 'tolerance');
    assert.deepEqual(codes([check([150, 12.5])]), []);
    const wrong = check([150, 13]);
    assert.match(wrong.findings[0]?.message ?? '', /yields \(150, 12\.504\), but execution_result is \[150, 13\]/);
    assert.equal(check([150]).verdict, 'mismatch');
  });

  it('is content with records that are not numeric', () => {
    const { example_id, statement, entailment_label, relevant_context, report } = FINDVER;
    const others = {
      example_id,
      subset: 'ie',
      split: 'testmini',
      statement,
      entailment_label,
      relevant_context,
      report,
    };
    assert.deepEqual(codes(checkFileText(JSON.stringify({ ...others, explanation: '…' }), 'findver')), []);
  });

  it('checks evidence once the report is there', () => {
    const text = JSON.stringify({ ...FINDVER, relevant_context: [1, 2] });
    assert.deepEqual(codes(checkFileText(text, 'findver')), []);
    const [record] = checkFileText(text, 'findver', () => ({ document: REPORT }));
    const [range] = record?.findings.filter(({ code }) => code === 'evidence/index-out-of-range') ?? [];
    assert.match(range?.message ?? '', /relevant_context cites block 2, but report holds 2 blocks/);
    assert.equal(range?.pointer, '/relevant_context/1');
  });
});

describe('SciEGQA as a chat', () => {
  it('takes question from the messages where the keys are left out', () => {
    const chat = {
      messages: [
        { role: 'user', content: '<image>\nAnswer shortly.\nWhich row is the largest?' },
        { role: 'assistant', content: 'North' },
      ],
      answer: 'North',
      doc_name: 'd',
      evidence_page: [1],
      bbox: [[[1, 2, 3, 4]]],
    };
    const [{ checked } = { checked: undefined }] = checkFileText(JSON.stringify(chat), 'sciegqa');
    assert.equal(checked?.record?.question, 'Which row is the largest?');
    assert.equal(pointerTo(checked!.record!, 'question'), '/messages/0/content');
  });

  it('reads the variant that writes keys twice', () => {
    const twice = {
      query: 'Q?',
      question: 'Q?',
      images: ['d_1.png'],
      image_paths: ['d_1.png'],
      answer: 'A',
      doc_name: 'd',
      category: 'cs',
    };
    const boxes = { evidence_page: [1], bbox: [[[100, 200, 300, 400]]], subimg_tpye: [['table']] };
    assert.deepEqual(codes(checkFileText(JSON.stringify({ ...twice, ...boxes }))), []);
  });
});

describe('FinanceBench', () => {
  const BENCH = {
    financebench_id: 'demo-1',
    company: 'Demo',
    doc_name: 'DEMO_2032_10K',
    question: 'What was the capital expenditure?',
    answer: '$1,577.00',
    evidence: [
      { evidence_text: 'a', doc_name: 'DEMO_2032_10K', evidence_page_num: 2, evidence_text_full_page: 'a b' },
      { evidence_text: 'b', doc_name: 'DEMO_2032_10K', evidence_page_num: 2, evidence_text_full_page: 'a b' },
      { evidence_text: 'c', doc_name: 'DEMO_2032_10K', evidence_page_num: 3, evidence_text_full_page: 'c' },
    ],
  };
  const pdf = {
    state: 'ok',
    path: '/data/pdfs/DEMO_2032_10K.pdf',
    pages: Array.from({ length: 3 }, () => ({ width: 612, height: 792 })),
  } as const;

  it('counts pages from 0, and takes two pieces of evidence on one page', () => {
    const [record] = checkFileText(JSON.stringify(BENCH), undefined, () => ({
      document: { name: BENCH.doc_name, pdf },
    }));
    const found = record?.findings ?? [];
    assert.deepEqual(
      found.map(({ code, pointer }) => [code, pointer]),
      [['page/out-of-range', '/evidence/2/evidence_page_num']],
    );
    assert.match(found[0]?.message ?? '', /0-2.*looks as if counted from 1/);
  });

  it('real file: no error', function () {
    const found = codes(checkFileText(needText(this, 'financebench/financebench_open_source.jsonl')));
    assert.deepEqual(
      found.filter((code) => code.startsWith('error') || code.includes(' page/') || code.includes(' schema/')),
      [],
    );
  });
});

describe('MMLongBench-Doc', () => {
  it('knows the kinds of sources', () => {
    const record = {
      doc_id: 'd.pdf',
      doc_type: 'Report',
      question: 'Q?',
      answer: '2',
      evidence_pages: '[0]',
      evidence_sources: "['Tabel']",
      answer_format: 'Int',
    };
    const missing = { name: 'd.pdf', pdf: { state: 'missing', looked: [] } } as const;
    const [checked] = checkFileText(JSON.stringify(record), undefined, () => ({ document: missing }));
    const found = checked?.findings ?? [];
    assert.deepEqual(found.map(({ code }) => code).sort(), ['page/out-of-range', 'schema/enum']);
    assert.match(found.find(({ code }) => code === 'schema/enum')?.message ?? '', /Did you mean "Table"/);
    assert.match(
      found.find(({ code }) => code === 'page/out-of-range')?.message ?? '',
      /There is no page 0\. Pages are counted from 1/,
    );
  });
});
