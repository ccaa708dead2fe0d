import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readRecords } from '../../../server/src/core/text/reader.ts';
import { createTable } from '../../../server/src/lsp/session/table.ts';
import { createTextStore } from '../../../server/src/lsp/session/text-store.ts';

interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

const piece = fc.constantFrom('{"a":1}', '\n', '{"a":"x"}\n', '[', ']', '"', ' ', '\n\n', '{"b":\n[1]}', ',', 'x', '');
const text = fc.array(piece, { maxLength: 12 }).map((parts) => parts.join(''));
const edits = fc.array(
  fc
    .record({ from: fc.nat({ max: 80 }), to: fc.nat({ max: 80 }), text })
    .map((edit): Edit => ({ ...edit, from: Math.min(edit.from, edit.to), to: Math.max(edit.from, edit.to) })),
  { maxLength: 6 },
);

function positionOf(whole: string, offset: number): { line: number; character: number } {
  const before = whole.slice(0, offset);
  return { line: before.split('\n').length - 1, character: before.length - (before.lastIndexOf('\n') + 1) };
}

const apply = (whole: string, { from, to, text: added }: Edit): string =>
  whole.slice(0, from) + added + whole.slice(to);
const changeOf = (whole: string, { from, to, text: added }: Edit): { range: object; text: string } => ({
  range: { start: positionOf(whole, from), end: positionOf(whole, to) },
  text: added,
});

describe('the text of an open document', () => {
  it('is what editing the whole text would give', () => {
    fc.assert(
      fc.property(text, edits, (first, list) => {
        const store = createTextStore(first, 1);
        let whole = first;
        for (const [at, edit] of list.entries()) {
          store.apply([changeOf(whole, edit) as never], at + 2);
          whole = apply(whole, edit);
        }
        assert.equal(store.text(), whole);
      }),
    );
  });

  it('takes positions beyond the end as the end', () => {
    const store = createTextStore('ab\ncd', 1);
    store.apply([{ range: { start: { line: 0, character: 9 }, end: { line: 9, character: 9 } }, text: '!' }], 2);
    assert.equal(store.text(), 'ab!');
  });

  it('reads CRLF as one line end', () => {
    const store = createTextStore('a\r\nb\r\n', 1);
    assert.deepEqual(store.lines, ['a', 'b', '']);
    store.apply([{ range: { start: { line: 1, character: 0 }, end: { line: 1, character: 0 } }, text: 'x\r\n' }], 2);
    assert.deepEqual(store.lines, ['a', 'x', 'b', '']);
  });
});

describe('the records of an open document', () => {
  for (const form of ['lines', 'json'] as const) {
    it(`are those of its text after any edits (${form})`, () => {
      fc.assert(
        fc.property(text, edits, (first, list) => {
          const table = createTable(first, 1, form);
          let whole = first;
          table.rows();
          for (const [at, edit] of list.entries()) {
            table.change([changeOf(whole, edit) as never], at + 2);
            whole = apply(whole, edit);
            if (at % 2 === 0) table.rows();
          }
          const expected = readRecords(whole, form);
          const rows = table.rows().map(({ index, line, column, offset, text: own }) => ({
            index,
            line,
            column,
            offset,
            text: own,
          }));
          assert.deepEqual(rows, expected.slots);
          assert.deepEqual(table.faults(), expected.faults);
        }),
        { numRuns: 400 },
      );
    });
  }

  it('keep their identity when lines are put before, taken out or exchanged', () => {
    const table = createTable('{"a":1}\n{"a":2}\n{"a":3}\n', 1, 'lines');
    const [one, two, three] = table.rows();
    table.change(
      [{ range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }, text: '{"n":0}\n' }],
      2,
    );
    assert.deepEqual(table.rows().slice(1), [one, two, three]);
    assert.equal(three?.line, 3);
    table.change([{ text: '{"a":3}\n{"a":1}\n' }], 3);
    assert.equal(table.rows()[0], three);
    assert.equal(table.rows()[1], one);
    assert.equal(two?.gone, true);
    assert.equal(one?.index, 1);
  });
});
