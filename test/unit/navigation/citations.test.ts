import assert from 'node:assert/strict';
import { BUILTIN_PROFILES } from '../../../server/src/core/profile/builtin.ts';
import { toCanonical } from '../../../server/src/core/record/canonical.ts';
import { blockAt, citationsOf } from '../../../server/src/core/record/citations.ts';
import { pointerTo } from '../../../server/src/core/record/canonical.ts';
import type { CanonicalRecord } from '../../../server/src/core/record/types.ts';

function read(profile: string, source: Record<string, unknown>): CanonicalRecord {
  const found = BUILTIN_PROFILES.find(({ name }) => name === profile);
  return toCanonical(source, found!);
}

const finqa = read('finqa', {
  pre_text: ['one', 'two'],
  post_text: ['three'],
  table: [
    ['', '2019'],
    ['sales', '5'],
  ],
  qa: { question: 'q', gold_inds: { text_1: 'two', table_1: 'sales', text_9: 'none' } },
});

describe('citations of a record', () => {
  it('are the indices with the blocks that they cite, those without a block left out', () => {
    const record = read('docmath-eval', {
      question: 'q',
      paragraphs: ['a', 'b', 'c'],
      table_evidence: [2],
      paragraph_evidence: [0, 7, '1'],
    });
    assert.deepEqual(citationsOf(record), [
      { pointer: '/table_evidence/0', block: 2 },
      { pointer: '/paragraph_evidence/0', block: 0 },
    ]);
  });

  it('are keys where the record writes them so', () => {
    assert.deepEqual(citationsOf(finqa), [
      { pointer: '/qa/gold_inds/table_1', block: 4 },
      { pointer: '/qa/gold_inds/text_1', block: 1 },
    ]);
  });

  it('lead back from a block, and from a cell in it', () => {
    assert.equal(blockAt(finqa, '/table/1/0'), 4);
    assert.equal(blockAt(finqa, '/post_text/0'), 2);
    assert.equal(blockAt(finqa, '/qa/question'), undefined);
    finqa.context!.forEach((_, block) => assert.equal(blockAt(finqa, pointerTo(finqa, 'context', block)), block));
  });
});
