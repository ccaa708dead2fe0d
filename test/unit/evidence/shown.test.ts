import assert from 'node:assert/strict';
import { cellSpans, parseBlock, shownFinder } from '../../../server/src/core/evidence/blocks.ts';
import type { ShownPlace } from '../../../server/src/core/evidence/blocks.ts';
import { scanNumbers } from '../../../server/src/core/trace/scan.ts';

/** What is shown at a place. */
function at(text: string, { part, cell, start, end }: ShownPlace): string {
  const block = parseBlock(text);
  const whole = part === 'cell' ? block.rows[cell!.row]![cell!.column]! : part === 'after' ? block.after : block.before;
  return whole.slice(start, end);
}

function place(text: string, part: string): ShownPlace | undefined {
  const start = text.indexOf(part);
  return shownFinder(text)(start, start + part.length);
}

const PIPES = 'Revenue of 12 segments\n\n| Item |  2031 | 2032 |\n| A \\| B | $ 1,200 | (71) |\n\n  In 14 notes.';
const HTML =
  '<p>In 12 parts &amp; 5</p><table border="3"><tr><th colspan="2">Item</th></tr>' +
  '<tr><td width="41"> Cash &amp; 6 </td><td><b>4,711</b></td></tr></table><p>After 13</p>';

describe('where a part of a block is shown', () => {
  const rows: readonly [name: string, text: string, part: string, expected: Partial<ShownPlace> | undefined][] = [
    ['prose', 'Sales of 1,350 units', '1,350', { part: 'text', start: 9, end: 14 }],
    ['before a table', PIPES, '12', { part: 'before', start: 11, end: 13 }],
    ['in a trimmed cell', PIPES, '2031', { part: 'cell', cell: { row: 0, column: 1 }, start: 0, end: 4 }],
    ['behind a sign', PIPES, '1,200', { part: 'cell', cell: { row: 1, column: 1 }, start: 2, end: 7 }],
    ['in the last cell', PIPES, '71', { part: 'cell', cell: { row: 1, column: 2 }, start: 1, end: 3 }],
    ['behind a pipe in the cell', PIPES, 'B', { part: 'cell', cell: { row: 1, column: 0 }, start: 4, end: 5 }],
    ['after a table', PIPES, '14', { part: 'after', start: 3, end: 5 }],
    ['in Markdown', '| A | 7 |\n|---|--:|\n| B | 85 |', '85', { part: 'cell', cell: { row: 1, column: 1 }, start: 0 }],
    ['in a separator row: nowhere', '| A | 7 |\n|---|--:|\n| B | 85 |', '--:', undefined],
    ['between tabs', 'Item\t2031\n Cash \t 4,711', '4,711', { part: 'cell', cell: { row: 1, column: 1 }, start: 0 }],
    [
      'without outer pipes',
      'Item | 2031\nCash | 4,711',
      '4,711',
      { part: 'cell', cell: { row: 1, column: 1 }, start: 0 },
    ],
    ['before HTML, behind an entity', HTML, '5', { part: 'before', start: 14, end: 15 }],
    ['in HTML, behind an entity', HTML, '6', { part: 'cell', cell: { row: 1, column: 0 }, start: 7, end: 8 }],
    ['in HTML, inside a tag’s text', HTML, '4,711', { part: 'cell', cell: { row: 1, column: 1 }, start: 0, end: 5 }],
    ['in HTML, in an attribute: nowhere', HTML, '41', undefined],
    ['after HTML', HTML, '13', { part: 'after', start: 6, end: 8 }],
  ];
  for (const [name, text, part, expected] of rows) {
    it(name, () => {
      const found = place(text, part);
      if (expected === undefined) assert.equal(found, undefined);
      else {
        assert.ok(found !== undefined);
        assert.deepEqual({ ...found, ...expected }, found);
        assert.equal(at(text, found), part);
      }
    });
  }

  it('shows every number of a table as it is written', () => {
    for (const text of [PIPES, 'BALANCE\n| x | $ | 293,093 | $ | 357,409 |\n| y | (1 | ) | 2 | 3.5% |\nnote 9']) {
      const { starts, ends } = scanNumbers(text);
      const find = shownFinder(text);
      assert.ok(starts.length > 4);
      for (const [i, start] of starts.entries()) {
        const found = find(start, ends[i]!);
        assert.ok(found !== undefined);
        assert.equal(at(text, found), text.slice(start, ends[i]));
      }
    }
  });
});

describe('where the cells of a table stand', () => {
  const cellsOf = (text: string): (string | undefined)[][] =>
    cellSpans(text).map((row) => row.map((span) => span && text.slice(span.start, span.end)));

  it('tells each cell of each kind of table, without the blanks around it', () => {
    assert.deepEqual(cellsOf(PIPES), [
      ['Item', '2031', '2032'],
      ['A \\| B', '$ 1,200', '(71)'],
    ]);
    assert.deepEqual(cellsOf('Item\t2031\n Cash \t 4,711'), [
      ['Item', '2031'],
      ['Cash', '4,711'],
    ]);
    assert.deepEqual(cellsOf('Item | 2031\nCash | 4,711'), [
      ['Item', '2031'],
      ['Cash', '4,711'],
    ]);
  });

  it('leaves out what tags or entities part, and keeps the others', () => {
    assert.deepEqual(cellsOf(HTML), [['Item'], [undefined, undefined]]);
    assert.deepEqual(cellsOf('<table><tr><td> 7 </td><td>a<br>b</td></tr></table>'), [['7', undefined]]);
  });

  it('tells where something can be put into an empty cell', () => {
    const text = '| a |  | 3 |\n| b || 4 |';
    assert.deepEqual(cellSpans(text)[0]?.[1], { start: 6, end: 6 });
    assert.deepEqual(cellSpans(text)[1]?.[1], { start: 18, end: 18 });
    assert.deepEqual(parseBlock(`${text.slice(0, 6)}x${text.slice(6)}`).rows[0], ['a', 'x', '3']);
  });

  it('has none in prose, and one of a line between rows', () => {
    assert.deepEqual(cellSpans('Sales of 1,350 units'), []);
    assert.deepEqual(cellsOf('| a | 1 |\nLiabilities\n| b | 2 |')[1], ['Liabilities']);
  });
});
