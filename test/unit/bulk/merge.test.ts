/** What differs between records, which of several files a merge takes, new ids, names of parts. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { differences } from '../../../server/src/core/bulk/differences.ts';
import { createFreshIds } from '../../../server/src/core/bulk/fresh-ids.ts';
import { idEdits } from '../../../server/src/core/bulk/ids.ts';
import { createMerge } from '../../../server/src/core/bulk/merge.ts';
import type { MergePlan, OnConflict } from '../../../server/src/core/bulk/merge.ts';
import { idPattern, renumber } from '../../../server/src/core/bulk/renumber.ts';
import { createSplitNames, idsOfList, partName } from '../../../server/src/core/bulk/split.ts';
import { applyEdits } from '../../../server/src/core/edit/edits.ts';
import type { Json } from '../edit/odd-json.ts';
import { oddLine, respell } from '../edit/odd-json.ts';

describe('differences of records', () => {
  const told = (ours: string, theirs: string): string[] =>
    differences(ours, theirs, 10).first.map((one) => `${one.pointer} ${one.ours} ${one.theirs}`);

  it('are told by pointer, in the order of the first record', () => {
    const ours = '{"a": 1, "b": [1, 2, 3], "c": {"d/e": "x"}, "gone": true}';
    const theirs = '{"b": [1, 5], "a": 1, "c": {"d/e": "y"}, "new": null}';
    assert.deepEqual(told(ours, theirs), [
      '/b/1 2 5',
      '/b/2 3 null',
      '/c/d~1e "x" "y"',
      '/gone true null',
      '/new null null',
    ]);
    assert.equal(differences(ours, theirs, 2).total, 5);
  });

  it('are none where only blanks, escapes and the order of keys differ', () => {
    fc.assert(
      fc.property(oddLine, fc.nat(), ({ value }, seed) => {
        const strings = JSON.parse(
          JSON.stringify(value, (_, one: unknown) => (typeof one === 'number' ? String(one) : one)),
        ) as Json;
        assert.equal(differences(JSON.stringify(strings), respell(strings, seed), 9).total, 0);
      }),
      { numRuns: 200 },
    );
  });

  it('tell an integer from a float, and repeated keys', () => {
    assert.deepEqual(told('{"a":1}', '{"a":1.0}'), ['/a 1 1.0']);
    assert.deepEqual(told('{"a":1000.0}', '{"a":1e3}'), []);
    assert.deepEqual(told('{"a":9007199254740993}', '{"a":9007199254740992}'), [
      '/a 9007199254740993 9007199254740992',
    ]);
    assert.deepEqual(told('{"a":1,"a":2}', '{"a":2}'), ['/a 1 2', '/a 2 null']);
  });
});

describe('merge', () => {
  async function merged(files: readonly (readonly [string | undefined, string][])[], onConflict: OnConflict) {
    const merge = createMerge(onConflict, {
      compare: (ours, theirs) =>
        Promise.resolve(differences(files[ours.file]![ours.index]![1], files[theirs.file]![theirs.index]![1], 5)),
    });
    for (const [file, records] of files.entries()) {
      for (const [index, [id, text]] of records.entries()) await merge.add({ file, index, line: index }, id, text);
    }
    const plan: MergePlan = merge.end();
    const texts = plan.taken.map(
      ({ record, id }) => `${files[record.file]![record.index]![1]}${id === undefined ? '' : ` as ${id}`}`,
    );
    return { texts, repeated: plan.repeated, conflicts: plan.conflictCount, plan };
  }
  const files = [
    [
      ['q-1', '{"v":1}'],
      ['q-2', '{"v":2,"w":3}'],
    ],
    [
      ['q-2', '{"w":3,"v":2}'],
      ['q-1', '{"v":7}'],
      ['q-3', '{"v":3}'],
    ],
    [
      ['q-1', '{"v":7}'],
      ['q-1', '{"v":8}'],
    ],
  ] as const satisfies readonly (readonly [string, string][])[];

  it('takes records that say the same once', async () => {
    const { texts, repeated, conflicts, plan } = await merged(files, 'first');
    assert.deepEqual(texts, ['{"v":1}', '{"v":2,"w":3}', '{"v":3}']);
    assert.deepEqual([repeated, conflicts], [1, 3]);
    const [first] = plan.conflicts;
    assert.deepEqual(
      [first?.id, first?.ours, first?.theirs, first?.differences.first[0]?.pointer],
      ['q-1', { file: 0, index: 0, line: 0 }, { file: 1, index: 1, line: 1 }, '/v'],
    );
  });

  it('lets the last one win at the place of the first', async () => {
    const { texts, repeated, conflicts } = await merged(files, 'last');
    assert.deepEqual(texts, ['{"v":8}', '{"v":2,"w":3}', '{"v":3}']);
    assert.deepEqual([repeated, conflicts], [2, 2]);
  });

  it('keeps both with new ids, each different record once', async () => {
    const { texts, repeated, conflicts } = await merged(files, 'keep-both');
    assert.deepEqual(texts, ['{"v":1}', '{"v":2,"w":3}', '{"v":7} as q-4', '{"v":3}', '{"v":8} as q-5']);
    assert.deepEqual([repeated, conflicts], [2, 2]);
  });

  it('knows records without an id by what they say', async () => {
    const { texts, repeated } = await merged(
      [
        [
          [undefined, '{"a":1}'],
          [undefined, '{"a":2}'],
        ],
        [[undefined, '{"a":1}']],
      ],
      'stop',
    );
    assert.deepEqual(texts, ['{"a":1}', '{"a":2}']);
    assert.equal(repeated, 1);
  });
});

describe('ids', () => {
  it('go on from the largest, each another one', () => {
    const fresh = createFreshIds(['q-09', 'q-10', 'other', '7']);
    assert.deepEqual(['q-09', 'q-09', 'q-10', 'other', 'other', '7', '7'].map(fresh), [
      'q-11',
      'q-12',
      'q-13',
      'other-2',
      'other-3',
      '8',
      '9',
    ]);
    const taken = new Set(['a1']);
    const many = createFreshIds(taken);
    const made = Array.from({ length: 2000 }, (_, at) => many(at % 2 === 0 ? 'a1' : 'b-7-x'));
    assert.equal(new Set([...made, ...taken]).size, 2001);
  });

  it('are written as the one that they replace', () => {
    const edited = (text: string, old: unknown, id: string): string | undefined => {
      const edits = idEdits(text, '/id', old, id);
      return edits && applyEdits(text, edits);
    };
    assert.equal(edited('{"id": "\\u0061", "x": 1.0}', 'a', 'b'), '{"id": "b", "x": 1.0}');
    assert.equal(edited('{"id":7 ,"x":1e3}', 7, '12'), '{"id":12 ,"x":1e3}');
    assert.equal(edited('{"id":7}', 7, 'q-12'), undefined);
    assert.equal(edited('{"x": 1}', undefined, 'q'), '{"x": 1, "id": "q"}');
  });

  it('come from patterns, with what is wrong about one', () => {
    const pattern = idPattern('q-{n:4}/x');
    assert.ok(typeof pattern === 'object');
    assert.equal(pattern.of(7), 'q-0007/x');
    assert.equal(pattern.of(12345), 'q-12345/x');
    for (const [wrong, why] of [
      ['', /is empty/],
      ['q', /has no \{n\}/],
      ['{n}{n}', /more than once/],
      ['{n:99}', /99 digits/],
      ['{x}{n}', /braces/],
    ] as const) {
      assert.match(String(idPattern(wrong)), why);
    }
  });

  it('renumber those chosen, and tell ids that others have', () => {
    const pattern = idPattern('q{n}') as Exclude<ReturnType<typeof idPattern>, string>;
    const records = ['q1', 'b', undefined, 'q3', 'q2'].map((id, index) => ({ id, chosen: index < 3 }));
    const { ids, clashes, clashCount } = renumber(records, pattern, 1);
    assert.deepEqual(
      [...ids],
      [
        [1, 'q2'],
        [2, 'q3'],
      ],
    );
    assert.deepEqual(clashes, [
      { id: 'q2', index: 4 },
      { id: 'q3', index: 3 },
    ]);
    assert.equal(clashCount, 2);
    assert.equal(
      renumber(
        records.map((one) => ({ ...one, chosen: true })),
        pattern,
        1,
      ).clashCount,
      0,
    );
  });
});

describe('names of parts', () => {
  it('are those of any file system, each another one', () => {
    const { of } = createSplitNames('data', '.jsonl', 'split');
    assert.deepEqual(['test', 'Test', 'a/b', 'a:b', '../x', null, '', 'test'].map(of), [
      'data.test.jsonl',
      'data.Test-2.jsonl',
      'data.a_b.jsonl',
      'data.a_b-2.jsonl',
      'data.__x.jsonl',
      'data.no-split.jsonl',
      'data._.jsonl',
      'data.test.jsonl',
    ]);
    for (const long of ['x', '财', '𝒳'].map((one) => of(one.repeat(500)))) {
      assert.ok(Buffer.byteLength(long) < 120, long);
      assert.doesNotMatch(long, /\p{Surrogate}/u);
    }
    assert.equal(partName('data', '.json', 3, 120), 'data.003.json');
  });

  it('lists of ids may have blanks, blank lines and CRLF', () => {
    assert.deepEqual(idsOfList('\ufeffq-1\r\n\n  q 2 \nq-3'), ['q-1', 'q 2', 'q-3']);
  });
});
