import assert from 'node:assert/strict';
import { createChecker } from '../../../server/src/core/checker.ts';
import { settingsOf } from '../rules/support.ts';
import { BASE, codesOf, findingsOf, returning } from './support.ts';
import type { JsonRecord } from './support.ts';

const TABLE =
  '| (in thousands) | 2031 | 2032 | 2033 |\n| Widget revenue | 1,200 | 1,350 | 1,500 |\n| Gadget revenue | 800 | 728 | 700 |\n| Returns | (60) | (75) | (90) |';

/** One cited table, a solution of one expression, a gold and a question. */
function one(question: string, expression: string, ground_truth: number, more: JsonRecord = {}): JsonRecord {
  const paragraphs = ['Amounts are in thousands.', TABLE, 'A warehouse was sold for $4.5 million.'];
  const python_solution = returning(expression);
  const evidence = { paragraphs, table_evidence: [1], paragraph_evidence: [0] };
  return { ...BASE, ...evidence, question, python_solution, ground_truth, ...more };
}

type Row = readonly [name: string, record: JsonRecord, message?: RegExp];

function table(code: string, fires: readonly Row[], quiet: readonly Row[]): void {
  describe(code, () => {
    for (const [name, record, message] of fires) {
      it(`fires: ${name}`, () => {
        const found = findingsOf(record).find((finding) => finding.code === code);
        assert.ok(found !== undefined, codesOf(record).join());
        if (message !== undefined) assert.match(found.message, message);
      });
    }
    for (const [name, record] of quiet) {
      it(`quiet: ${name}`, () => assert.ok(!codesOf(record).includes(code)));
    }
  });
}

table(
  'evidence/value-not-cited',
  [
    [
      'the table is not cited',
      { ...BASE, table_evidence: [] },
      /^1200 and 1350 stand in paragraphs\[1\], which is not cited\./,
    ],
    ['one off', { ...BASE, table_evidence: [2] }, /paragraphs\[2\], 1 block off, is cited, but nothing comes from it/],
    ['scaled', one('Q', '4500 + 1350', 5850), /^4500 stands in paragraphs\[2\]/],
  ],
  [
    ['everything is cited', BASE],
    ['nothing is cited at all', { ...BASE, table_evidence: [], paragraph_evidence: [] }],
    ['the question has it', one('If returns were 4.5 million?', '4500 + 1350', 5850)],
  ],
);

describe('fixes of evidence/value-not-cited', () => {
  const fixesOf = (record: JsonRecord) =>
    findingsOf(record).find(({ code }) => code === 'evidence/value-not-cited')?.fixes ?? [];

  it('cite the block in the list of its kind', () => {
    const text = JSON.stringify({ ...BASE, table_evidence: [] });
    const [fix] = fixesOf({ ...BASE, table_evidence: [] });
    assert.equal(fix?.title, 'Cite paragraphs[1]');
    assert.equal(fix.safe, false);
    const [edit] = fix.edits;
    const fixed = text.slice(0, edit!.span.start) + edit!.text + text.slice(edit!.span.end);
    assert.deepEqual(JSON.parse(fixed), BASE);
  });

  it('offer the neighbour where an index is one off', () => {
    const titles = fixesOf({ ...BASE, table_evidence: [2] }).map(({ title }) => title);
    assert.deepEqual(titles, ['Cite paragraphs[1] instead of paragraphs[2]', 'Cite paragraphs[1]']);
  });
});

table(
  'evidence/value-not-found',
  [
    ['nowhere', { ...BASE, python_solution: returning('9876 - 1200') }, /^9876 stands nowhere in paragraphs/],
    ['exchanged digits', { ...BASE, python_solution: returning('1530 - 1200') }, /1,350, so that probably two digits/],
    ['a factor', { ...BASE, python_solution: returning('1350 + 0.4 * 1000') }, /^0\.4 /],
  ],
  [
    ['constants', { ...BASE, python_solution: returning('(1350 - 1200) / 1200 * 100 * 12 / 365 + 0.01 - 7') }],
    ['no context', { ...BASE, paragraphs: undefined, python_solution: returning('9876 - 1200') }],
    ['a blank context', { ...BASE, paragraphs: [''], python_solution: returning('9876 - 1200') }],
    ['other numbers inside texts and comments', { ...BASE, python_solution: `${returning("len('9876')")}  # 5555` }],
  ],
);

table(
  'evidence/mixed-scales',
  [
    ['million and thousand', one('Both?', '4.5 + 1350', 1354.5), /million.*thousand|thousand.*million/],
    ['inside a mean', one('Both?', '(1350 + 4.5) / 2', 677.25)],
    ['by sum()', one('Both?', 'sum([1350, 4.5])', 1354.5)],
  ],
  [
    ['converted in the solution', one('Both?', '4.5 * 1000 + 1350', 5850)],
    ['converted by hand', one('Both?', '4500 + 1350', 5850)],
    ['divided', one('How often?', '1350 / 4.5', 300)],
    ['one scale', one('Both?', '1350 + 1200', 2550)],
  ],
);

table(
  'evidence/accounting-sign',
  [
    ['a bracket copied', one('Net?', '1350 + (75)', 1275), /\(75\), which is -75/],
    ['in a longer sum', one('Net?', '1350 + 60 + (75)', 1335)],
  ],
  [
    ['the gold agrees', one('Net?', '1350 - 75', 1275)],
    ['the minus is there', one('Net?', '1350 + -75', 1275)],
    ['flipping does not give the gold', one('Net?', '1350 + 75', 99)],
  ],
);

table(
  'solution/constant-answer',
  [
    ['a literal', { ...BASE, python_solution: returning('150.0') }, /^The solution returns the literal 150\.0/],
    ['through a variable', { ...BASE, python_solution: 'def solution():\n    answer = 150\n    return answer' }],
  ],
  [
    ['a cell', one('What was widget revenue in 2032?', '1350', 1350)],
    ['not the gold', { ...BASE, python_solution: returning('151.5') }],
    ['a count', one('How many items sold more in 2032?', '3', 3)],
    ['a calculation', BASE],
  ],
);

table(
  'evidence/unused',
  [
    ['a stray block', { ...BASE, paragraph_evidence: [0, 2] }, /^paragraphs\[2\] is cited, but/],
    ['without a solution', { ...BASE, python_solution: '', ground_truth: null, paragraph_evidence: [0, 2] }],
  ],
  [
    [
      'it states the scale',
      {
        ...BASE,
        paragraphs: [...(BASE['paragraphs'] as string[]).slice(0, 2), '(In millions)'],
        paragraph_evidence: [0, 2],
      },
    ],
    [
      'it is a row among which the question asks for the largest',
      {
        ...BASE,
        question: 'Which was the highest return?',
        paragraphs: ['| Index | 2032 |\n| North | 104 |', '| Index | 2032 |\n| South | 95 |'],
        python_solution: 'def solution():\n    return 104 - 100',
        ground_truth: 4,
        table_evidence: [0, 1],
        paragraph_evidence: [],
      },
    ],
    ['it shares a word', { ...BASE, question: 'Where did the office move?', paragraph_evidence: [0, 2] }],
    [
      'a blank block',
      { ...BASE, paragraphs: [...(BASE['paragraphs'] as string[]).slice(0, 2), ' '], paragraph_evidence: [0, 2] },
    ],
  ],
);

describe('evidence/unused, of a block that is cited twice', () => {
  it('is told once', () => {
    const checker = createChecker(settingsOf('docmath-eval'));
    const text = JSON.stringify({ ...BASE, paragraph_evidence: [0, 2, 2] });
    const found = checker.findings({ index: 0, line: 0, column: 0, offset: 0, text }, checker.checkText(text), {});
    const unused = found.filter(({ code }) => code === 'evidence/unused');
    assert.deepEqual(
      unused.map(({ pointer }) => pointer),
      ['/paragraph_evidence/1'],
    );
  });
});

describe('evidence/unused, where an answer is no number', () => {
  const checker = createChecker(settingsOf('tat-qa'));
  const codes = (question: JsonRecord): string[] => {
    const outer = {
      text: '',
      value: {
        paragraphs: [{ order: 1, text: 'Stock awards.' }],
        table: {
          table: [
            ['', '2031', '2032'],
            ['Expected life', '4.6', '4.7'],
            ['Volatility', '22', '23'],
          ],
        },
      },
    };
    const record = { uid: 'u', answer_from: 'table', rel_paragraphs: [], scale: '', ...question };
    const text = JSON.stringify(record);
    const checked = checker.checkText(text, outer);
    return checker
      .findings({ index: 0, line: 0, column: 0, offset: 0, text, outer }, checked, {})
      .map(({ code }) => code);
  };
  const SPAN = { answer_type: 'multi-span', derivation: '' };

  it('a block that shows the years that are asked for is used, one of other years is not', () => {
    const asked = { ...SPAN, question: 'Which years does it cover?' };
    assert.ok(!codes({ ...asked, answer: ['2031', '2032'] }).includes('evidence/unused'));
    assert.ok(codes({ ...asked, answer: ['2029'] }).includes('evidence/unused'));
    const named = { ...SPAN, question: 'What was it in 2031?', answer: ['nothing'] };
    assert.ok(codes(named).includes('evidence/unused'));
  });

  it('so is one that holds the items that were counted', () => {
    const counted = { question: 'How many inputs are there?', answer: '2', answer_type: 'count' };
    assert.ok(!codes({ ...counted, derivation: 'expected life##volatility' }).includes('evidence/unused'));
    assert.ok(codes({ ...counted, derivation: 'desks##chairs' }).includes('evidence/unused'));
  });
});

const body = (...lines: readonly string[]): JsonRecord => ({
  ...BASE,
  python_solution: `def solution():\n${lines.map((line) => `    ${line}`).join('\n')}`,
});

table(
  'solution/unused-value',
  [
    ['never read', body('a = 1350', 'other = 1200', 'return a'), /^The value of other is assigned and never read/],
    ['cancelled', body('a = 1350', 'b = 1200', 'return a + b - b'), /^The value of b is read, but/],
    ['multiplied by zero', body('a = 1350', 'b = 1200', 'return a + b * 0'), /^The value of b/],
    ['overwritten', body('a = 1350', 'a = 1200', 'return a')],
  ],
  [
    ['all are used', BASE],
    ['by convention', body('_unused = 5', 'return 1350 - 1200')],
    ['in a text', body('a = 5', 'print(f"{a}")', 'return 1350 - 1200')],
    ['the larger of two', body('a = 1350', 'b = 1200', 'return max(a, b)')],
  ],
);

const FIVE = '| Item | 2031 | 2032 | 2033 | 2034 | 2035 |\n| Revenue | 8 | 16 | 23 | 42 | 51 |';
const five = (question: string, expression: string): JsonRecord =>
  one(question, expression, 0, { paragraphs: ['In millions.', FIVE] });

table(
  'plausibility/divisor',
  [
    [
      'a range',
      five('Average revenue from 2031 to 2035?', '(8 + 16 + 23 + 42 + 51) / 4'),
      /5 periods.*5 figures.*divided by 4/,
    ],
    ['a dash', five('What is the mean for 2031-2033?', 'sum([8, 16, 23]) / 2')],
    ['a list', five('What was the average revenue in 2031, 2032 and 2033?', '(8 + 16 + 23) / 4')],
    ['in words', five('Average revenue over the next five years?', '(8 + 16 + 23 + 42 + 51) / 4')],
  ],
  [
    ['right', five('Average revenue from 2031 to 2035?', '(8 + 16 + 23 + 42 + 51) / 5')],
    ['the ends of a range', five('Average of revenue between 2031 and 2035?', '(8 + 51) / 2')],
    ['two averages of two', five('Average of 2031 and 2032?', '(8 + 16) / 2')],
    ['no average', five('Total from 2031 to 2035 per quarter?', '(8 + 16 + 23 + 42 + 51) / 4')],
    ['other things than periods', five('What is the average of two items in 2031, 2032, 2033?', '(8 + 16) / 2')],
  ],
);

table(
  'plausibility/returns-operand',
  [
    ['a share', one('What percentage of 2032 revenue came from widgets?', '1350', 1350)],
    ['a change', one('What was the change in widget revenue from 2031 to 2032?', '1350', 1350)],
    ['a ratio', one('What is the ratio of widget revenue to gadget revenue?', '1350', 1350)],
  ],
  [
    ['a cell asked for', one('What was widget revenue in 2032?', '1350', 1350)],
    [
      'the table has the change',
      one('What was the percentage change in revenue?', '12.5', 12.5, {
        paragraphs: ['x', '| Item | 2031 | 2032 | Change |\n| Revenue | 8 | 9 | 12.5 |'],
      }),
    ],
    [
      'the sentence has the change',
      one('What was the increase in revenue?', '621', 621, {
        paragraphs: ['Revenue rose by $621 million.'],
        table_evidence: [],
      }),
    ],
    ['computed', one('What was the change in widget revenue from 2031 to 2032?', '1350 - 1200', 150)],
  ],
);

table(
  'plausibility/operand-order',
  [
    [
      'a change',
      one('What was the change in gadget revenue from 2031 to 2032?', '800 - 728', 72),
      /the change is -72, not 72/,
    ],
    [
      'a percentage',
      one('What was the percentage change in gadget revenue from 2031 to 2032?', '(800 - 728) / 800 * 100', 9),
    ],
    ['in 2032 from 2031', one('What is the growth of gadget revenue in 2032 from 2031?', '800 - 728', 72)],
    [
      'an increase / (decrease)',
      one('What is the increase / (decrease) in gadget revenue from 2031 to 2032?', '800 - 728', 72),
    ],
  ],
  [
    ['later minus earlier', one('What was the change in gadget revenue from 2031 to 2032?', '728 - 800', -72)],
    ['a decrease', one('What was the decrease in gadget revenue from 2031 to 2032?', '800 - 728', 72)],
    ['between', one('What was the difference in gadget revenue between 2031 and 2032?', '800 - 728', 72)],
    ['the later year named first', one('What was the change in gadget revenue from 2032 to 2031?', '800 - 728', 72)],
    ['two rows', one('What was the change from 2031 to 2032?', '1200 - 728', 472)],
  ],
);

table(
  'plausibility/other-row',
  [
    [
      'a cell',
      one('What was gadget revenue in 2032?', '1350', 1350),
      /row "Widget revenue".*names the row "Gadget revenue"/,
    ],
    ['a difference', one('What was the change in gadget revenue from 2031 to 2032?', '1350 - 1200', 150)],
  ],
  [
    ['the row', one('What was gadget revenue in 2032?', '728', 728)],
    ['two rows', one('What were gadget revenue and the others in 2032?', '728 + 1350', 2078)],
    ['no such row', one('What was gizmo revenue in 2032?', '1350', 1350)],
    ['both named', one('What was widget revenue, next to gadget revenue, in 2032?', '1350', 1350)],
  ],
);

const money = (question: string, sentence: string, expression = '40'): JsonRecord =>
  one(question, expression, 40, { paragraphs: [sentence], table_evidence: [] });

table(
  'plausibility/currency',
  [
    ['euros for dollars', money('What was revenue in USD?', 'Revenue was EUR 40.'), /USD.*EUR/],
    ['signs', money('What was revenue in £?', 'Revenue was €40.')],
    ['a sum', money('What was revenue in euros?', 'Revenue was US$40, then US$ 50.', '40 + 50')],
  ],
  [
    ['the same', money('What was revenue in USD?', 'Revenue was US$ 40.')],
    ['a dollar may be any', money('What was revenue in USD?', 'Revenue was $40.')],
    ['converted', money('What was revenue in USD?', 'Revenue was EUR 40 at a rate of 1.25.', '40 * 1.25')],
    ['none named', money('What was revenue?', 'Revenue was EUR 40.')],
  ],
);

describe('precedence', () => {
  it('does not say twice that a returned literal is nowhere', () => {
    const codes = codesOf({ ...BASE, python_solution: returning('150.5'), ground_truth: 150.5 });
    assert.ok(codes.includes('solution/constant-answer'));
    assert.ok(!codes.includes('evidence/value-not-found'));
  });

  it('leaves solutions alone that are no program', () => {
    const codes = codesOf({ ...BASE, python_solution: '```python\ndef solution():\n    return 9876\n```' });
    assert.deepEqual(codes, ['solution/code-fence']);
  });
});
