/** Records inserted, deleted and moved: what a file reads like afterwards, which bytes stay, and that undo is exact. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createRecordLists, inverseEdits } from '../../../server/src/core/bulk/records.ts';
import type { RecordEdits, RecordLists } from '../../../server/src/core/bulk/records.ts';
import { applyEdits } from '../../../server/src/core/edit/edits.ts';
import { createNesting } from '../../../server/src/core/text/nested.ts';
import { readRecords } from '../../../server/src/core/text/reader.ts';
import type { FileForm } from '../../../server/src/core/text/types.ts';
import { oddLine, oddLines } from '../edit/odd-json.ts';

function recordsOf(text: string, form: FileForm, nested?: string): string[] {
  const body = text.replace(/^\ufeff/, '');
  return createNesting(nested)
    .expand(readRecords(body, form).slots)
    .map((slot) => slot.text.trim());
}

function listsOf(text: string, form: FileForm, nested?: string): RecordLists {
  const slots = createNesting(nested).expand(readRecords(text, form).slots);
  const places = {
    count: slots.length,
    start: (index: number) => slots[index]!.offset,
    end: (index: number) => slots[index]!.offset + slots[index]!.text.length,
  };
  return createRecordLists(text, places, form);
}

function after(text: string, { ...made }: RecordEdits): string {
  assert.equal(made.kind, 'edits', made.kind === 'problem' ? made.message : '');
  const { edits } = made as Extract<RecordEdits, { kind: 'edits' }>;
  const changed = applyEdits(text, edits);
  assert.equal(applyEdits(changed, inverseEdits(text, edits)), text);
  return changed;
}

function problemOf(made: RecordEdits): string {
  assert.equal(made.kind, 'problem');
  return (made as Extract<RecordEdits, { kind: 'problem' }>).message;
}

interface Laid {
  readonly text: string;
  readonly form: FileForm;
}

/** A file of some records in one of the layouts that there are; its byte order mark is no part of the text. */
const laid: fc.Arbitrary<Laid> = fc
  .record({
    records: fc.array(fc.oneof(oddLine, oddLines), { minLength: 1, maxLength: 6 }),
    end: fc.constantFrom('\n', '\r\n'),
    layout: fc.constantFrom(
      'lines',
      'blank lines',
      'compact',
      'one per line',
      'pretty',
      'ragged',
    ) as fc.Arbitrary<string>,
    ended: fc.boolean(),
  })
  .map(({ records, end, layout, ended }): Laid => {
    const last = ended ? end : '';
    if (layout.endsWith('lines')) {
      const lines = records.map(({ value }) => JSON.stringify(value));
      return { text: lines.join(layout === 'lines' ? end : end + end) + last, form: 'lines' };
    }
    const texts = records.map(({ text }) => text);
    const [open, between, close] =
      layout === 'compact'
        ? ['[', ',', ']']
        : layout === 'one per line'
          ? [`[${end}`, `,${end}`, `${end}]`]
          : layout === 'pretty'
            ? [`[${end}  `, `,${end}  `, `${end}]`]
            : [`${end} [ `, ` ,${end}\t`, ` ] `];
    return { text: open! + texts.join(between) + close! + last, form: 'json' };
  });

/** Positions of some records, in order. */
function chosen(count: number, seed: readonly number[]): number[] {
  return [...new Set(seed.map((one) => one % count))].sort((a, b) => a - b);
}

const seeds = fc.array(fc.nat(1000), { minLength: 1, maxLength: 4 });

describe('record edits', () => {
  it('delete leaves the others, byte for byte and in order', () => {
    fc.assert(
      fc.property(laid, seeds, ({ text, form }, seed) => {
        const before = recordsOf(text, form);
        // One object is no list.
        if (form === 'json' && before.length === 0) return;
        const gone = chosen(before.length, seed);
        const changed = after(text, listsOf(text, form).remove(gone));
        assert.deepEqual(
          recordsOf(changed, form),
          before.filter((_, index) => !gone.includes(index)),
        );
        if (form === 'json') assert.doesNotThrow(() => void JSON.parse(changed));
        assert.equal(/\n[ \t]*$/.test(changed), changed !== '' && /\n[ \t]*$/.test(text));
      }),
      { numRuns: 300 },
    );
  });

  it('insert puts a record where it was asked for', () => {
    fc.assert(
      fc.property(
        laid,
        fc.nat(),
        fc.constantFrom('before' as const, 'after' as const),
        ({ text, form }, seed, where) => {
          const before = recordsOf(text, form);
          const beside = seed % before.length;
          const changed = after(text, listsOf(text, form).insert([{ beside, where, text: '{"new":1.0}' }]));
          const at = where === 'before' ? beside : beside + 1;
          assert.deepEqual(recordsOf(changed, form), before.toSpliced(at, 0, '{"new":1.0}'));
          if (form === 'json') assert.doesNotThrow(() => void JSON.parse(changed));
          // Nothing else changes: without what was added the file is the old one.
          assert.ok(isSubsequence(text, changed));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('move makes the first of the records the one with that number', () => {
    fc.assert(
      fc.property(laid, seeds, fc.nat(7), ({ text, form }, seed, to) => {
        const before = recordsOf(text, form);
        const moved = chosen(before.length, seed);
        const left = before.filter((_, index) => !moved.includes(index));
        const at = Math.min(to, left.length);
        if (left.length === 0) return;
        const changed = after(text, listsOf(text, form).move(moved, at));
        assert.deepEqual(recordsOf(changed, form), left.toSpliced(at, 0, ...moved.map((index) => before[index]!)));
        if (form === 'json') assert.doesNotThrow(() => void JSON.parse(changed));
        assert.equal(/\n[ \t]*$/.test(changed), /\n[ \t]*$/.test(text));
      }),
      { numRuns: 400 },
    );
  });

  it('moves touch no record between', () => {
    const text = '{"a":1.0}\r\n{"b":2}\r\n\r\n{"c":3e0}\r\n{"d":4}';
    const lists = listsOf(text, 'lines');
    assert.equal(
      after(text, lists.move([0], 1)),
      '{"b":2}\r\n{"a":1.0}\r\n\r\n{"c":3e0}\r\n{"d":4}'.replace('{"a":1.0}\r\n\r\n', '\r\n{"a":1.0}\r\n'),
    );
    assert.equal(after(text, lists.move([3], 0)), '{"d":4}\r\n{"a":1.0}\r\n{"b":2}\r\n\r\n{"c":3e0}');
    assert.equal(after(text, lists.move([1, 3], 2)), '{"a":1.0}\r\n\r\n{"c":3e0}\r\n{"b":2}\r\n{"d":4}');
  });

  it('leaves an array of nothing where all go, and a mark at the start of a file', () => {
    assert.equal(
      after('[\n  {"a":1},\n  {"a":2}\n]\n', listsOf('[\n  {"a":1},\n  {"a":2}\n]\n', 'json').remove([0, 1])),
      '[]\n',
    );
    assert.equal(after('{"a":1}\n{"a":2}\n', listsOf('{"a":1}\n{"a":2}\n', 'lines').remove([0, 1])), '');
  });

  it('inserts several records at once, in the order given', () => {
    const text = '[{"a":1},\n {"a":2}]';
    const lists = listsOf(text, 'json');
    const made = lists.insert([
      { beside: 0, where: 'after', text: '{"x":1}' },
      { beside: 0, where: 'after', text: '{"x":2}' },
      { beside: 1, where: 'after', text: '{"x":3}' },
    ]);
    assert.equal(after(text, made), '[{"a":1},\n {"x":1},\n {"x":2},\n {"a":2},\n {"x":3}]');
  });

  it('works inside of elements, and refuses to leave them', () => {
    const text = '[\n {"t": 1, "questions": [{"q":1}, {"q":2}]},\n {"t": 2, "questions": [{"q":3}]}\n]';
    const lists = listsOf(text, 'json', '/questions/*');
    assert.equal(after(text, lists.move([0], 1)), text.replace('{"q":1}, {"q":2}', '{"q":2}, {"q":1}'));
    assert.equal(after(text, lists.remove([2])), text.replace('{"q":3}', ''));
    assert.match(problemOf(lists.move([0], 2)), /cannot be moved out of the list/);
    assert.match(problemOf(lists.move([1, 2], 0)), /different lists/);
  });

  it('the same in lines of JSONL that hold several records', () => {
    const text = '{"questions": [{"q":1}, {"q":2}]}\n{"questions": [{"q":3}]}\n';
    const lists = listsOf(text, 'lines', '/questions/*');
    assert.equal(after(text, lists.remove([0])), text.replace('{"q":1}, ', ''));
  });

  it('refuses what is no list', () => {
    assert.match(problemOf(listsOf('{\n"a":1}', 'json').remove([0])), /one object and no list/);
    assert.match(
      problemOf(listsOf('{"a":1}', 'json').insert([{ beside: 0, where: 'after', text: '{}' }])),
      /one object/,
    );
    assert.match(problemOf(listsOf('[{"a":1} {"a":2}]', 'json').remove([0])), /not parted .* by a comma/);
    const member = '{"qa": {"q": 1}, "t": 2}\n';
    assert.match(problemOf(listsOf(member, 'lines', '/qa').remove([0])), /part of a larger object/);
  });

  it('goes round lines that cannot be read', () => {
    const text = '{"a":1}\n{"a":"broken\nover lines"}\n{"a":2}\n{"a":3}\n';
    const lists = listsOf(text, 'lines');
    assert.equal(after(text, lists.remove([0, 1])), '{"a":"broken\nover lines"}\n{"a":3}\n');
    assert.equal(after(text, lists.move([2], 0)), '{"a":3}\n{"a":1}\n{"a":"broken\nover lines"}\n{"a":2}\n');
  });
});

function isSubsequence(part: string, whole: string): boolean {
  let at = 0;
  for (const sign of whole) if (at < part.length && part.startsWith(sign, at)) at += sign.length;
  return at === part.length;
}
