import assert from 'node:assert/strict';
import { answerTextRules } from '../../../server/src/core/rules/answer-text.ts';
import { evidenceTextRules } from '../../../server/src/core/rules/evidence-text.ts';
import { solutionStyleRules } from '../../../server/src/core/rules/solution-style.ts';
import type { Rule } from '../../../server/src/core/rules/types.ts';
import { check, DOCMATH, settingsOf } from '../rules/support.ts';
import type { JsonRecord } from '../rules/support.ts';

const MMLONG: JsonRecord = {
  doc_id: 'paper.pdf',
  question: 'How many parcels?',
  answer: '2550',
  evidence_pages: '[2]',
  answer_format: 'Int',
};

function codes(rules: readonly Rule[], profile: string, record: JsonRecord, value?: string): string[] {
  const run =
    value === undefined
      ? {}
      : {
          run: {
            engine: 'sandbox' as const,
            pythonVersion: '3.13.2',
            value: { kind: 'float' as const, repr: value },
            stdout: '',
            stdoutTruncated: false,
            ms: 1,
          },
        };
  return check(rules, settingsOf(profile), [record], run).map(({ code }) => code);
}

describe('answers and their declared format', () => {
  const faults = (answer: unknown, answer_format: string): string[] =>
    codes(answerTextRules, 'mmlongbench-doc', { ...MMLONG, answer, answer_format }).filter(
      (code) => code === 'answer/format',
    );

  it('fit', () => {
    for (const [answer, format] of [
      ['2550', 'Int'],
      ['2,550', 'Int'],
      ['73.2%', 'Float'],
      ['45', 'Float'],
      ['-0.5', 'Float'],
      ["['White', '10%']", 'List'],
      ['18', 'Str'],
    ] as const) {
      assert.deepEqual(faults(answer, format), [], `${answer} ${format}`);
    }
  });

  it('do not fit', () => {
    for (const [answer, format] of [
      ['73.2% ', 'Float'],
      ['about 73', 'Float'],
      ['yes', 'Int'],
      ['14:04 CET', 'Int'],
      ['2.5', 'Int'],
      ['21%', 'Int'],
      ['92', 'List'],
      ["['a']", 'Str'],
      ['12', 'None'],
    ] as const) {
      assert.deepEqual(faults(answer, format), ['answer/format'], `${answer} ${format}`);
    }
  });
});

describe('answers against their evidence', () => {
  const found = (patch: JsonRecord): string[] =>
    codes(answerTextRules, 'mmlongbench-doc', { ...MMLONG, answer_format: 'Str', ...patch });

  it('contradict each other in both directions', () => {
    assert.deepEqual(found({ answer: 'Not answerable' }), ['answer/unanswerable-with-evidence']);
    assert.deepEqual(found({ answer: 'The question cannot be answered.' }), ['answer/unanswerable-with-evidence']);
    assert.deepEqual(found({ evidence_pages: '[]' }), ['answer/unanswerable-with-evidence']);
    assert.deepEqual(found({ answer: 'Not answerable', evidence_pages: '[]', answer_format: 'None' }), []);
    assert.deepEqual(found({ answer: 'No' }), []);
  });

  it('may have changed places with the question', () => {
    const exchanged = { ...DOCMATH, question: '150', ground_truth: 'What was the change?' };
    assert.ok(codes(answerTextRules, 'docmath-eval', exchanged).includes('plausibility/fields-exchanged'));
    assert.ok(
      !codes(answerTextRules, 'docmath-eval', { ...DOCMATH, question: '150' }).includes(
        'plausibility/fields-exchanged',
      ),
    );
  });
});

describe('what cited blocks say', () => {
  const found = (patch: JsonRecord): string[] => codes(evidenceTextRules, 'docmath-eval', { ...DOCMATH, ...patch });

  it('nothing is cited for an answer', () => {
    assert.deepEqual(found({ table_evidence: [], paragraph_evidence: [] }), ['evidence/empty']);
    assert.deepEqual(found({ table_evidence: [], paragraph_evidence: [], ground_truth: null }), []);
    assert.deepEqual(found({ table_evidence: [], paragraph_evidence: undefined }), []);
  });

  it('a table that is pointed to is missing', () => {
    const question = 'According to Table 2, what was the change?';
    assert.deepEqual(
      found({ question, paragraphs: ['See Table 2 for more.'], table_evidence: [], paragraph_evidence: [0] }),
      ['evidence/missing-table'],
    );
    assert.deepEqual(
      found({ question, paragraphs: ['See Table 21 for more.'], table_evidence: [], paragraph_evidence: [0] }),
      [],
    );
    assert.deepEqual(
      found({
        question,
        paragraphs: ['See Table 2 for more.', '| a | b |\n| 1 | 2 |'],
        table_evidence: [1],
        paragraph_evidence: [0],
      }),
      [],
    );
  });

  it('a table has lost its rows', () => {
    for (const table of ['| Item | 2031 | 2032 |\n| --- | --- | --- |', 'Revenue\n| Item | 2031 |\n|---|---|']) {
      assert.deepEqual(found({ paragraphs: ['Revenue grew.', table] }), ['evidence/table-without-rows'], table);
    }
    assert.deepEqual(found({ paragraphs: ['Revenue grew.', '| Widget revenue | 1,200 | 1,350 |'] }), []);
  });

  it('prose stops inside a sentence', () => {
    const ends = (text: string): string[] => found({ paragraphs: [text, '| a | 1 |\n| b | 2 |'] });
    assert.deepEqual(ends('Widget revenue grew because the new factory in the nor'), ['evidence/truncated-text']);
    for (const text of [
      'Widget revenue grew in 2032.',
      'Results of Operations and Financial Condition of the Company',
      'Table 3. Widget revenue by region and quarter, with the changes from year to year',
      '(in thousands, except share data)',
      'The amounts are as follows:',
      'Widget revenue grew because of the new factory.(1)',
      'Note: amounts were rounded by the company before they were published here',
    ]) {
      assert.deepEqual(ends(text), [], text);
    }
  });
});

describe('how solutions are written', () => {
  const found = (source: string, gold: number, value?: string): string[] =>
    codes(
      solutionStyleRules.filter((rule) => rule.off !== true),
      'docmath-eval',
      { ...DOCMATH, python_solution: source, ground_truth: gold },
      value,
    );

  it('a floor division is told where the exact one gives the gold', () => {
    assert.deepEqual(found('def solution():\n    return 1350 // 8', 168.75, '168'), ['solution/floor-division']);
    assert.deepEqual(found('def solution():\n    a = 1350\n    b = int(a / 8)\n    return b * 2', 337.5, '336'), [
      'solution/floor-division',
    ]);
    assert.deepEqual(found('def solution():\n    return 1350 // 8', 168.0, '168'), []);
    assert.deepEqual(found('def solution():\n    return 1350 // 8', 170.5, '168'), []);
    assert.deepEqual(found('def solution():\n    # a // b\n    return 168', 168.75, '168'), []);
  });

  it('a caret between numbers is no power', () => {
    assert.deepEqual(found('def solution():\n    return 5 ^ 2', 25), ['solution/power-operator']);
    assert.deepEqual(found('def solution():\n    a = 5\n    a ^= 2\n    return a', 25), ['solution/power-operator']);
    assert.deepEqual(found('def solution():\n    # 5 ^ 2\n    return 5 ** 2', 25), []);
    assert.deepEqual(found('def solution():\n    return len({1, 2} ^ {2, 3})', 2), []);
  });

  it('statements beside the function', () => {
    const good = 'def solution():\n    return 1';
    assert.deepEqual(found(`${good}\nprint(solution())`, 1), ['solution/top-level-code']);
    assert.deepEqual(found(`rate = 2\n${good}`, 1), ['solution/top-level-code']);
    assert.deepEqual(found(`"""About."""\nimport math\n\ndef helper():\n    return 1\n\n${good}\n`, 1), []);
    assert.deepEqual(found('solution = lambda: 1\n', 1), []);
  });
});
