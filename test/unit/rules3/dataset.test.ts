import assert from 'node:assert/strict';
import { createHashCounter, createHashIndex } from '../../../server/src/core/hash-index.ts';
import { hashWords } from '../../../server/src/core/hash.ts';
import { collectorOf, isAcross, isLate } from '../../../server/src/core/rules/across.ts';
import { conflictingCopyRule } from '../../../server/src/core/rules/dataset-copies.ts';
import { datasetQuestionRules } from '../../../server/src/core/rules/dataset-questions.ts';
import { check, DOCMATH, inputOf, settingsOf } from '../rules/support.ts';
import type { JsonRecord } from '../rules/support.ts';

const settings = settingsOf('docmath-eval');

describe('questions of a file', () => {
  const found = (...records: readonly JsonRecord[]): string[] =>
    check(
      datasetQuestionRules,
      settings,
      records.map((record) => ({ ground_truth: 1, ...record })),
    ).map(({ code, index }) => `${code} ${index}`);

  it('are the same whatever their case, blanks and closing signs', () => {
    const same = ['What is X?', 'what is  x?', ' What is X', 'WHAT\tIS X ?'];
    assert.deepEqual(
      found(...same.map((question, i) => ({ question_id: String(i), question }))),
      [1, 2, 3].map((i) => `dataset/duplicate-question ${i}`),
    );
    assert.deepEqual(found({ question: 'What is X?' }, { question: 'What is X1?' }), []);
    assert.deepEqual(found({ question: '' }, { question: '' }), []);
    assert.equal(hashWords('Änderung  im JAHR', 17), hashWords('änderung im jahr', 16));
    assert.equal(hashWords('Δ of 2032', 9), hashWords('δ of  2032', 10));
    assert.notEqual(hashWords('一', 1), hashWords('丠', 1));
    assert.equal(hashWords('a\u0001b', 3), hashWords('A\u0001b', 3));
  });

  it('are other questions on another context', () => {
    assert.deepEqual(found({ ...DOCMATH }, { ...DOCMATH, paragraphs: ['Another report.'] }), []);
    assert.deepEqual(found({ ...DOCMATH }, { ...DOCMATH, question_id: 'q-1' }), ['dataset/duplicate-question 1']);
  });

  it('mix conventions of percent where the rarer has a tenth', () => {
    const percent = {
      question: 'By what percentage did it grow?',
      python_solution: 'def solution():\n    return 3 / 24 * 100',
    };
    const fraction = { ...percent, python_solution: 'def solution():\n    return 3 / 24' };
    const many = (record: JsonRecord, times: number): JsonRecord[] =>
      Array.from({ length: times }, (_, i) => ({
        ...record,
        question: `By what percentage did item ${i} of ${String(record['python_solution']).length} grow?`,
      }));
    assert.deepEqual(found(...many(percent, 3), ...many(fraction, 1)), ['dataset/percent-convention null']);
    assert.deepEqual(found(...many(percent, 12), ...many(fraction, 1)), []);
    assert.deepEqual(found(...many(percent, 3)), []);
    assert.deepEqual(
      found(...many({ ...fraction, question: 'x' }, 1), {
        question: 'What was the ratio (in percent points)?',
        python_solution: 'def solution():\n    return 1 / 2 * 100',
      }),
      [],
    );
  });
});

describe('copies of a record in the files of one dataset', () => {
  const rule = conflictingCopyRule;
  assert.ok(isAcross(rule));
  const kept = new Map<string, unknown>();
  const read = (file: string, ...records: readonly JsonRecord[]): string[] => {
    const collector = collectorOf(rule, settings, { file, kept });
    const inputs = records.map((record) => inputOf(JSON.stringify(record), settings));
    for (const [index, input] of inputs.entries()) collector.add(input, { index, line: index, column: 0 });
    const messages: string[] = [];
    collector.end((index, finding) => {
      const { message, pointer } = isLate(finding) ? finding.say(inputs[index ?? 0]!) : finding;
      messages.push(`${pointer} ${message}`);
    });
    return messages;
  };

  it('are told with both golds and the other file', () => {
    assert.deepEqual(
      read(
        'a.jsonl',
        { question_id: 'x', ground_truth: 4.5 },
        { question_id: 'y', ground_truth: 1, python_solution: 'a' },
      ),
      [],
    );
    assert.deepEqual(read('b.jsonl', { question_id: 'x', ground_truth: 5.5 }, { question_id: 'x', ground_truth: 6 }), [
      '/ground_truth The record "x" stands in a.jsonl, line 1 as well, with the ground_truth 4.5, here it is 5.5.',
      '/ground_truth The record "x" stands in a.jsonl, line 1 as well, with the ground_truth 4.5, here it is 6.',
    ]);
    assert.match(
      read('c.jsonl', { question_id: 'y', ground_truth: 1, python_solution: 'b' })[0]!,
      /^\/python_solution .* a\.jsonl, line 2 .* another solution/,
    );
    assert.deepEqual(read('d.jsonl', { question_id: 'x', ground_truth: 4.5 }, { question: 'no id' }), []);
  });
});

describe('index of hashes', () => {
  it('keeps the first value of each, however many there are', () => {
    const index = createHashIndex();
    // All of them look for their slot at the same place.
    for (let i = 0; i < 5000; i++) assert.equal(index.add(i * 4294967296 + 7, i), undefined);
    for (let i = 0; i < 5000; i++) assert.equal(index.add(i * 4294967296 + 7, 1), i);
    assert.equal(index.get(7), 0);
    assert.equal(index.get(8), undefined);
  });

  it('knows the hash 0 and the largest', () => {
    const index = createHashIndex();
    assert.equal(index.get(0), undefined);
    assert.equal(index.add(0, 3), undefined);
    assert.equal(index.add(2 ** 53 - 1, 4), undefined);
    assert.equal(index.get(0), 3);
    assert.equal(index.get(2 ** 53 - 1), 4);
  });

  it('counts how often each has come', () => {
    const times = createHashCounter();
    for (let round = 0; round < 3; round++) {
      for (let hash = 0; hash < 3000; hash++) assert.equal(times(hash * 2654435761), round);
    }
  });
});
