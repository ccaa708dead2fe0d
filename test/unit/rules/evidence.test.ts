import assert from 'node:assert/strict';
import { datasetRules } from '../../../server/src/core/rules/dataset.ts';
import { evidenceRules } from '../../../server/src/core/rules/evidence.ts';
import { DOCMATH, check, settingsOf } from './support.ts';
import type { JsonRecord } from './support.ts';

const settings = settingsOf('docmath-eval');

function found(patch: JsonRecord) {
  return check(evidenceRules, settings, [{ ...DOCMATH, ...patch }]);
}

function codes(patch: JsonRecord): string[] {
  return found(patch).map(({ code, pointer }) => `${code} ${pointer}`);
}

describe('evidence/index-out-of-range', () => {
  it('names the index, the number of blocks and the range', () => {
    const [finding] = found({ table_evidence: [1, 7] });
    assert.equal(finding!.pointer, '/table_evidence/1');
    assert.match(finding!.message, /block 7, but paragraphs holds 3 blocks \(index 0-2\)/);
  });
  it('knows indices counted from 1', () => {
    assert.match(found({ paragraph_evidence: [3] })[0]!.message, /count from 0.*2/);
  });
  it('reports negative ones and an empty context', () => {
    assert.deepEqual(codes({ paragraph_evidence: [-1], table_evidence: [] }), [
      'evidence/index-out-of-range /paragraph_evidence/0',
    ]);
    assert.match(found({ paragraphs: [], table_evidence: [], paragraph_evidence: [0] })[0]!.message, /0 blocks/);
  });
  it('leaves text and fractions to the schema, and says nothing without a context', () => {
    assert.deepEqual(codes({ table_evidence: ['9', 1.5] }), []);
    assert.deepEqual(codes({ paragraphs: undefined, table_evidence: [9] }), []);
  });
});

describe('evidence/duplicate-index', () => {
  it('marks each repeat and links the first', () => {
    const repeats = found({ paragraph_evidence: [2, 0, 2, 2] });
    assert.deepEqual(
      repeats.map(({ pointer, related }) => [pointer, related?.[0]?.pointer]),
      [
        ['/paragraph_evidence/2', '/paragraph_evidence/0'],
        ['/paragraph_evidence/3', '/paragraph_evidence/0'],
      ],
    );
  });
});

describe('evidence/kind-mismatch', () => {
  it('reports both lists where they were exchanged', () => {
    assert.deepEqual(codes({ table_evidence: [0], paragraph_evidence: [1] }), [
      'evidence/kind-mismatch /table_evidence/0',
      'evidence/kind-mismatch /paragraph_evidence/0',
    ]);
    assert.match(found({ table_evidence: [2] })[0]!.message, /paragraphs\[2\].*Gadget demand fell/);
  });
  it('lets a table with much prose be cited either way, and columns of blanks as a table', () => {
    const paragraphs = [
      `${'Long prose. '.repeat(30)}\n| a | 1 |\n| b | 2 |`,
      'Revenue   1,200   1,350\nCosts       800     728',
      ' ',
    ];
    assert.deepEqual(codes({ paragraphs, table_evidence: [0, 1, 2], paragraph_evidence: [0, 2] }), []);
  });
});

describe('dataset/duplicate-id', () => {
  const records = [
    { question_id: 'a', question: 'Q1' },
    { question_id: 'b', question: 'Q2' },
    { question_id: 'a', question: 'Q3' },
    { question_id: 'b', question: 'Q2' },
    { question: 'Q4' },
    { question: 'Q5' },
  ];
  it('links the first record with the id, and lets exact copies and absent ids be', () => {
    const findings = check(datasetRules, settings, records);
    assert.deepEqual(
      findings.map(({ index, pointer, related }) => [index, pointer, related?.[0]?.recordIndex]),
      [[2, '/question_id', 0]],
    );
    assert.match(findings[0]!.message, /"a".*line 1/);
  });
});
