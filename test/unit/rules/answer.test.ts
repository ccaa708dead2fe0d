import assert from 'node:assert/strict';
import { answerRules } from '../../../server/src/core/rules/answer.ts';
import { DOCMATH, SCIEGQA, check, settingsOf, yields } from './support.ts';
import type { Found, JsonRecord } from './support.ts';

const settings = settingsOf('docmath-eval');

function run(repr: string, patch: JsonRecord): Found[] {
  return check(answerRules, settings, [{ ...DOCMATH, ...patch }], { run: yields(repr) });
}

function file(...golds: readonly unknown[]): Found[] {
  return check(
    answerRules,
    settings,
    golds.map((gold, i) =>
      gold === 'absent'
        ? { question_id: `${i}`, question: 'Q' }
        : { question_id: `${i}`, question: 'Q', ground_truth: gold },
    ),
  );
}

describe('answer/mismatch, rounded, inexact', () => {
  const rows: readonly [name: string, repr: string, patch: JsonRecord, code: string | undefined, message: RegExp][] = [
    ['equal', '150', { ground_truth: 150 }, undefined, /./],
    ['rounded within the tolerance', '12.34567', { ground_truth: 12.346 }, undefined, /./],
    ['rounded beyond it', '0.00548', { ground_truth: 0.005 }, 'answer/rounded', /3 decimals/],
    ['inexact', '250', { ground_truth: 250.0007 }, 'answer/inexact', /0\.0007/],
    ['plain difference', '150', { ground_truth: 200 }, 'answer/mismatch', /differs by 50 \(25 %\)/],
    ['gold 0', '150', { ground_truth: 0 }, 'answer/mismatch', /differs by 150\./],
    [
      'thousands in a cited paragraph',
      '1350',
      { ground_truth: 1350000 },
      'answer/mismatch',
      /exactly 1000; paragraphs\[0\] says "thousands"/,
    ],
    [
      'millions in the header of a cited table',
      '7.25',
      {
        question: 'Q',
        paragraphs: ['x', '| ($ in millions) | 2031 |\n| Sales | 7.25 |'],
        paragraph_evidence: [],
        ground_truth: 7250000,
      },
      'answer/mismatch',
      /exactly 1000000; paragraphs\[1\] says "millions"/,
    ],
    [
      'billions only in a block that is not cited',
      '2',
      {
        question: 'Q',
        paragraphs: ['x', '| a | b |', 'Amounts are in billions.'],
        paragraph_evidence: [],
        ground_truth: 2e9,
      },
      'answer/mismatch',
      /1000000000; paragraphs\[2\] says "billions"/,
    ],
    [
      'percent in the question',
      '0.125',
      { question: 'By what percentage?', ground_truth: 12.5 },
      'answer/mismatch',
      /100; the question says "percentage"/,
    ],
    [
      'percent, rounded',
      '0.123456',
      { question: 'Q', paragraphs: [], ground_truth: 12.35 },
      'answer/mismatch',
      /about 100; .*fraction/,
    ],
    [
      'percent, rounded to whole ones',
      '0.1249',
      { question: 'Q', paragraphs: [], ground_truth: 12 },
      'answer/mismatch',
      /about 100;/,
    ],
    ['a swapped difference, rounded', '-12.3456', { ground_truth: 12.3 }, 'answer/mismatch', /sign differs/],
    ['one digit tells nothing', '0.05', { ground_truth: 5.4 }, 'answer/mismatch', /differs by 5\.35/],
    [
      'basis points',
      '-0.019',
      { question: 'Change in bps?', ground_truth: -190 },
      'answer/mismatch',
      /10000; the question says "bps"/,
    ],
    [
      'a power of ten written out',
      '6020',
      { question: 'How many, in 10^3 units?', ground_truth: 6.02 },
      'answer/mismatch',
      /"10\^3"/,
    ],
    [
      'a power of ten in superscript',
      '6020000',
      { question: 'How many, in 10⁶ units?', ground_truth: 6.02 },
      'answer/mismatch',
      /"10⁶"/,
    ],
    [
      'a factor and the sign',
      '-1.5',
      { question: 'Q', paragraphs: [], ground_truth: 1500 },
      'answer/mismatch',
      /1000, and in sign/,
    ],
    ['operands of a difference swapped', '-150', { ground_truth: 150 }, 'answer/mismatch', /sign differs.*swapped/],
    [
      'a lost minus',
      '71',
      { python_solution: 'def solution():\n    return 71', ground_truth: -71 },
      'answer/mismatch',
      /sign.*minus was lost/,
    ],
    ['operands of a division swapped', '1.5', { ground_truth: 0.667 }, 'answer/mismatch', /division are swapped/],
    ['and in percent', '150.0', { ground_truth: 66.6667 }, 'answer/mismatch', /reciprocal in percent/],
    ['change from the other operand', '0.125', { ground_truth: -0.1111111 }, 'answer/mismatch', /other operand/],
    [
      'floor division',
      '168',
      { python_solution: 'def solution():\n    return 1350 // 8', ground_truth: 168.75 },
      'answer/mismatch',
      /0\.75.*floor division/,
    ],
    [
      'int()',
      '168',
      { python_solution: 'def solution():\n    return int(1350 / 8)', ground_truth: 168.75 },
      'answer/mismatch',
      /int\(\)/,
    ],
    ['hidden gold', '150', { ground_truth: null }, undefined, /./],
    ['gold as text', '150', { ground_truth: '151' }, undefined, /./],
    ['gold of a wrong type', '150', { ground_truth: 'see the table' }, undefined, /./],
  ];
  for (const [name, repr, patch, code, message] of rows) {
    it(name, () => {
      const findings = run(repr, patch).filter((finding) => /mismatch|rounded|inexact/.test(finding.code));
      assert.deepEqual(
        findings.map((finding) => [finding.code, finding.pointer]),
        code === undefined ? [] : [[code, '/ground_truth']],
      );
      if (code !== undefined) assert.match(findings[0]!.message, message);
    });
  }

  it('shows the full value of big ints', () => {
    const [finding] = run('12345678901234567890', { ground_truth: 5 });
    assert.match(finding!.message, /12345678901234567890/);
    assert.match(
      run(`1${'0'.repeat(400)}`, { ground_truth: 5 })[0]!.message,
      /401 characters.*beyond what a JSON number/,
    );
  });
});

describe('answer/number-as-text', () => {
  for (const [gold, reads] of [
    ['−150', '-150'],
    ['(1,234)', '-1234'],
    ['14.1', '14.1'],
    ['$ 5', '5'],
    ['１２', '12'],
  ] as const) {
    it(`${gold} reads as ${reads}`, () => {
      const [finding] = file(gold);
      assert.equal(finding!.code, 'answer/number-as-text');
      assert.ok(finding!.message.includes(`reads as ${reads}`), finding!.message);
    });
  }
  it('leaves other text to the schema', () => assert.deepEqual(file('What was the change?'), []));
  it('is about numeric gold only', () =>
    assert.deepEqual(check(answerRules, settingsOf('sciegqa'), [{ ...SCIEGQA, answer: '2550' }]), []));
});

describe('answer/missing and answer/hidden', () => {
  const brief = (findings: Found[]): string[] => findings.map(({ code, index }) => `${code} ${index}`);

  it('report each gap where others have an answer', () => {
    assert.deepEqual(brief(file(null, 3, '', 'absent', 0)), [
      'answer/missing 0',
      'answer/missing 2',
      'answer/missing 3',
    ]);
  });
  it('report a hidden split once, for the file', () => {
    assert.deepEqual(brief(file(null, null, null)), ['answer/hidden null']);
    assert.deepEqual(brief(file('absent', '')), ['answer/hidden null']);
    assert.match(file(null, null)[0]!.message, /all 2 records/);
  });
  it('say nothing of an empty file', () => assert.deepEqual(brief(file()), []));
  it('take NaN for an answer that is told elsewhere', () => {
    const lines = ['{"question_id":"a","question":"Q","ground_truth":NaN}'];
    assert.deepEqual(check(answerRules, settings, lines), []);
  });
  it('go by split where records name one', () => {
    const own = settingsOf('docmath-eval');
    const profile = { ...own.profile, fields: { ...own.profile.fields, split: { at: '/split' } } };
    const records = [
      { question: 'a', split: 'dev', ground_truth: 1 },
      { question: 'b', split: 'dev', ground_truth: null },
      { question: 'c', split: 'test', ground_truth: null },
    ];
    const findings = check(answerRules, { ...own, profile }, records);
    assert.deepEqual(brief(findings), ['answer/missing 1', 'answer/hidden null']);
    assert.match(findings[1]!.message, /split test/);
  });
  it('cover text answers', () => {
    const sciegqa = settingsOf('sciegqa');
    assert.deepEqual(brief(check(answerRules, sciegqa, [SCIEGQA, { ...SCIEGQA, answer: ' ' }])), ['answer/missing 1']);
  });
});
