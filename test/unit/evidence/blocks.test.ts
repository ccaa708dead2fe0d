import assert from 'node:assert/strict';
import { hasColumns, isTable, parseBlock } from '../../../server/src/core/evidence/blocks.ts';

describe('context blocks', () => {
  it('reads ragged pipe rows below caption lines, without a separator row', () => {
    const block = parseBlock(
      'EXAMPLE CORP\nBalance Sheets\n| (in millions) | 2031 | 2030 |\n| ASSETS |\n| Cash | $ | 3,016 | $ | 8,105 |\nSee notes.',
    );
    assert.deepEqual(block, {
      kind: 'table',
      before: 'EXAMPLE CORP\nBalance Sheets',
      rows: [['(in millions)', '2031', '2030'], ['ASSETS'], ['Cash', '$', '3,016', '$', '8,105']],
      after: 'See notes.',
    });
  });

  it('drops the separator row of Markdown and keeps escaped pipes and empty cells', () => {
    const { rows } = parseBlock('| a | b |\n| --- | :-: |\n| x \\| y |  |');
    assert.deepEqual(rows, [
      ['a', 'b'],
      ['x | y', ''],
    ]);
  });

  it('keeps a heading between rows as a row of one cell', () => {
    const { rows, before } = parseBlock('| a | 1 |\nLiabilities\n| b | 2 |');
    assert.deepEqual(rows, [['a', '1'], ['Liabilities'], ['b', '2']]);
    assert.equal(before, '');
  });

  it('reads rows without outer pipes', () => {
    assert.deepEqual(parseBlock('Item | 2031\n--- | ---\nRevenue | 5').rows, [
      ['Item', '2031'],
      ['Revenue', '5'],
    ]);
    assert.ok(isTable('Item | 2031 | 2032\nRevenue | 5 | 6'));
  });

  it('reads HTML tables with text around them', () => {
    const block = parseBlock(
      'Sales<table border="1"><tr><th>Item</th><th>A&amp;B</th></tr><tr><td>x<td>1&#44;5</table>End',
    );
    assert.deepEqual(block, {
      kind: 'table',
      before: 'Sales',
      rows: [
        ['Item', 'A&B'],
        ['x', '1,5'],
      ],
      after: 'End',
    });
  });

  it('reads rows separated by tabs', () => {
    assert.deepEqual(parseBlock('Item\t2031\nRevenue\t5').rows, [
      ['Item', '2031'],
      ['Revenue', '5'],
    ]);
  });

  for (const prose of [
    'Widget revenue grew in 2032.',
    '',
    'The bound |x| < |y| holds for all x.',
    '|x| is below |y|',
    'form 10-k | 83 issuance pursuant to awards',
    'First line.\nSecond line with one | pipe.',
    'a < b and b > c',
    'Indented\n\tparagraph of text\n\tand more',
  ]) {
    it(`takes ${JSON.stringify(prose)} for prose`, () => {
      assert.equal(isTable(prose), false);
      assert.deepEqual(parseBlock(prose), { kind: 'text', before: prose, rows: [], after: '' });
    });
  }

  it('sees columns made of blanks', () => {
    assert.ok(hasColumns('Revenue      1,200    1,350\nCosts          800      728'));
    assert.equal(hasColumns('It grew in 2031.  Then it fell.\nNobody knows why.'), false);
  });

  it('stays fast on a megabyte of prose and of rows', () => {
    const prose = 'word | word '.repeat(80_000);
    const rows = '| Widget revenue | 1,200 | 1,350 |\n'.repeat(30_000);
    const start = performance.now();
    assert.equal(isTable(prose), false);
    assert.equal(parseBlock(rows).rows.length, 30_000);
    assert.ok(performance.now() - start < 2000);
  });
});
