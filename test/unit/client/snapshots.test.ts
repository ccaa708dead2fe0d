import assert from 'node:assert/strict';
import { createSnapshots, isSameRecord, snapshotOf } from '../../../client/src/preview/snapshots.ts';
import type { EvidenceView } from '../../../schemas/protocol.ts';

/** Each page a list of boxes, by the text of their numbers. */
function view(version: number, pages: readonly (readonly string[])[], more: Partial<EvidenceView> = {}): EvidenceView {
  return {
    uri: 'file:///a.jsonl',
    version,
    index: 0,
    records: 9,
    id: 'a',
    profile: 'SciEGQA',
    question: 'How deep?',
    answer: null,
    solution: null,
    document: null,
    blocks: [],
    trace: null,
    problems: [],
    cursor: null,
    pages: pages.map((boxes, page) => ({
      number: page + 1,
      pointer: `/pages/${page}`,
      source: { kind: 'missing', message: '' },
      aspect: null,
      regions: boxes.map((text, at) => ({
        pointer: `/bbox/${page}/${at}`,
        label: null,
        left: 0,
        top: 0,
        width: 0,
        height: 0,
        text,
        problems: [],
      })),
    })),
    ...more,
  };
}

const own = { uri: 'file:///a.jsonl', index: 0 };

describe('snapshots of what the page showed', () => {
  it('find a region that one before it was removed from its list', () => {
    const snapshots = createSnapshots();
    const before = snapshots.add(view(1, [['one', 'two', 'three']]));
    snapshots.note({ ...own, version: 2, from: '/bbox/0/0', to: null });
    const now = snapshots.add(view(2, [['two', 'three']]));
    assert.equal(snapshots.pointerIn('/bbox/0/0', before, now), undefined);
    assert.equal(snapshots.pointerIn('/bbox/0/1', before, now), '/bbox/0/0');
    assert.equal(snapshots.pointerIn('/bbox/0/2', before, now), '/bbox/0/1');
  });

  it('follow a region through moves of its own, to another page, and what others typed', () => {
    const snapshots = createSnapshots();
    const before = snapshots.add(view(1, [['one', 'two'], ['three']]));
    snapshots.note({ ...own, version: 2, from: '/bbox/0/0', to: '/bbox/0/0' });
    snapshots.add(view(2, [['one, moved', 'two'], ['three']]));
    snapshots.note({ ...own, version: 3, from: '/bbox/0/0', to: '/bbox/1/1' });
    snapshots.add(view(3, [['two'], ['three', 'one, moved']]));
    const now = snapshots.add(view(4, [['two'], ['three', 'one, typed in']]));
    assert.equal(snapshots.pointerIn('/bbox/0/0', before, now), '/bbox/1/1');
    assert.equal(snapshots.pointerIn('/bbox/0/1', before, now), '/bbox/0/0');
    assert.equal(snapshots.pointerIn('/bbox/1/0', before, now), '/bbox/1/0');
  });

  it('tell boxes with the same numbers apart', () => {
    const snapshots = createSnapshots();
    const before = snapshots.add(view(1, [['same', 'same', 'same']]));
    snapshots.note({ ...own, version: 2, from: '/bbox/0/1', to: null });
    const now = snapshots.add(view(2, [['same', 'same']]));
    assert.equal(snapshots.pointerIn('/bbox/0/1', before, now), undefined);
    assert.equal(snapshots.pointerIn('/bbox/0/0', before, now), '/bbox/0/0');
    assert.equal(snapshots.pointerIn('/bbox/0/2', before, now), '/bbox/0/1');
  });

  it('do not take another box for one that is gone', () => {
    const snapshots = createSnapshots();
    const before = snapshots.add(view(1, [['one', 'two']]));
    const now = snapshots.add(view(2, [['two']]));
    assert.equal(snapshots.pointerIn('/bbox/0/0', before, now), undefined);
    assert.equal(snapshots.pointerIn('/bbox/0/1', before, now), '/bbox/0/0');
  });

  it('wait with a change for the version that has it', () => {
    const snapshots = createSnapshots();
    const before = snapshots.add(view(1, [['one', 'two']]));
    snapshots.note({ ...own, version: 3, from: '/bbox/0/0', to: null });
    snapshots.add(view(2, [['one', 'two, typed in']]));
    const now = snapshots.add(view(3, [['two, typed in']]));
    assert.equal(snapshots.pointerIn('/bbox/0/1', before, now), '/bbox/0/0');
  });

  it('take up regions that were not known yet in the same version', () => {
    const snapshots = createSnapshots();
    snapshots.add(view(1, [[]]));
    const whole = snapshots.add(view(1, [['one']]));
    assert.equal(snapshots.find(own.uri, 0, 1), whole);
    assert.equal(snapshots.pointerIn('/bbox/0/0', whole, whole), '/bbox/0/0');
  });

  it('keep records of two files apart that have the same place and version', () => {
    const snapshots = createSnapshots();
    const first = snapshots.add(view(1, [['one']]));
    snapshots.add(view(1, [['other']], { uri: 'file:///b.jsonl' }));
    assert.equal(snapshots.find(own.uri, 0, 1), first);
  });

  it('know no snapshot of a document that was closed, nor one of long ago', () => {
    const snapshots = createSnapshots();
    snapshots.add(view(1, [['one']]));
    snapshots.forget('file:///a.jsonl');
    assert.equal(snapshots.find(own.uri, 0, 1), undefined);
    for (let version = 1; version <= 100; version++) snapshots.add(view(version, [[`${version}`]]));
    assert.equal(snapshots.find(own.uri, 0, 1), undefined);
    assert.equal(snapshots.find(own.uri, 0, 100)?.version, 100);
  });

  it('tell records apart by their ids, else by their questions', () => {
    const a = snapshotOf(view(1, []));
    assert.ok(isSameRecord(a, snapshotOf(view(2, [], { question: 'How wide?' }))));
    assert.ok(!isSameRecord(a, snapshotOf(view(2, [], { id: 'b' }))));
    const unnamed = snapshotOf(view(1, [], { id: null }));
    assert.ok(isSameRecord(unnamed, snapshotOf(view(2, [], { id: null }))));
    assert.ok(!isSameRecord(unnamed, snapshotOf(view(2, [], { id: null, question: 'How wide?' }))));
  });
});
