import assert from 'node:assert/strict';
import { builtinProfile } from '../../../server/src/core/profile/builtin.ts';
import { relativeSpaceVote } from '../../../server/src/core/profile/relative-space.ts';
import { SCIEGQA } from './records.ts';
import { needSharedRecords } from './shared-data.ts';

const profile = builtinProfile('sciegqa')!;
const unit = { ...SCIEGQA, rel_bbox: [[[0.117647, 0.181818, 0.823529, 0.454545]]] };

describe('space of relative boxes', () => {
  it('is 0–1 where the boxes lie within it', () => {
    assert.equal(relativeSpaceVote([unit], profile), 'unit');
    assert.equal(relativeSpaceVote([SCIEGQA], profile), undefined);
  });

  it('is decided by most boxes, whatever else the records hold', () => {
    assert.equal(relativeSpaceVote([unit, unit, SCIEGQA], profile), 'unit');
    assert.equal(relativeSpaceVote([unit, SCIEGQA], profile), undefined);
    assert.equal(relativeSpaceVote([undefined, null, 'x', { rel_bbox: 'x' }, { rel_bbox: [] }, unit], profile), 'unit');
  });

  it('is left to the profile without boxes', () => {
    assert.equal(relativeSpaceVote([{ query: 'Q' }, { rel_bbox: [[]] }], profile), undefined);
    assert.equal(relativeSpaceVote([unit], builtinProfile('docmath-eval')!), undefined);
  });

  it('does not follow lists deeper than boxes lie', () => {
    const deep: unknown = JSON.parse(`${'['.repeat(20_000)}0.5${']'.repeat(20_000)}`);
    assert.equal(relativeSpaceVote([{ ...SCIEGQA, rel_bbox: deep }], profile), undefined);
  });

  for (const [view, space] of [
    ['page_demo', 'unit'],
    ['crop_demo', 'unit'],
    ['bbox_docvqa_document', 'unit'],
    ['pred_bbox_crop_demo', 'unit'],
    ['pred_bbox_demo', undefined],
  ] as const) {
    it(`${view}: ${space ?? '0–1000'}`, function () {
      const records = needSharedRecords(this, `sciegqa/views/${view}.jsonl`);
      assert.equal(
        relativeSpaceVote(
          records.map(({ value }) => value),
          profile,
        ),
        space,
      );
    });
  }
});
