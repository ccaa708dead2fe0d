import assert from 'node:assert/strict';
import { indexBlock } from '../../../server/src/core/trace/index.ts';
import { traceOf } from '../../../server/src/core/trace/trace.ts';
import type { Trace, TracedNumber } from '../../../server/src/core/trace/types.ts';
import { BASE, checkedOf, returning } from './support.ts';
import type { JsonRecord } from './support.ts';

function trace(patch: JsonRecord): Trace {
  const traced = traceOf(checkedOf({ ...BASE, ...patch }));
  assert.ok(traced !== undefined);
  return traced;
}

/** The first number of a solution that returns the expression, in a context of these blocks, the first one cited. */
function first(expression: string, paragraphs: readonly string[], question = 'How much?'): TracedNumber {
  const python_solution = returning(expression);
  return trace({ python_solution, paragraphs, question, table_evidence: [], paragraph_evidence: [0] }).numbers[0]!;
}

describe('where a number comes from', () => {
  const rows: readonly [
    name: string,
    expression: string,
    blocks: readonly string[],
    verdict: string,
    more?: Readonly<Record<string, unknown>>,
  ][] = [
    ['cited', '1350 + 1', ['Sales were 1,350 units.', 'x'], 'cited', { name: 'paragraphs[0]' }],
    ['elsewhere', '1350 + 1', ['x', 'Sales were 1,350 units.'], 'context', { name: 'paragraphs[1]' }],
    ['thousands', '60500 + 1', ['It cost $60.5 million.'], 'scaled', { power: 3 }],
    ['percent as a fraction', '0.125 + 1', ['Up 12.5% on the year.'], 'scaled', { power: -2 }],
    ['short percent as a fraction', '0.3 + 1', ['The tax rate is 30%.'], 'scaled', { power: -2 }],
    ['a short number of another scale is another number', '20 + 1', ['He sold 2,000 of them.'], 'nowhere'],
    ['brackets for minus', '71 + 1', ['| A | (71) |\n| B | 3 |'], 'negated'],
    ['brackets for minus, negated', '-71 + 1', ['| A | (71) |\n| B | 3 |'], 'cited'],
    ['brackets split over cells', '-71 + 1', ['| A | $ | (71 | ) |\n| B | $ | 3 | |'], 'cited'],
    ['a minus sign', '-7.5 + 1', ['It fell by −7.5 points.'], 'cited'],
    ['a range is no minus', '2015 + 1', ['In 2013-2015 it grew.'], 'cited'],
    ['digits exchanged', '1530 + 1', ['Sales were 1,350 units.'], 'digits-exchanged', { name: 'paragraphs[0]' }],
    ['a zero exchanged', '1203 + 1', ['Sales were 1,230 units.'], 'digits-exchanged'],
    ['in words', '25 + 1', ['It lasts twenty-five days.'], 'cited'],
    ['in words elsewhere', '300 + 1', ['x', 'About three hundred came.'], 'context'],
    ['nowhere', '9876 + 1', ['Sales were 1,350 units.'], 'nowhere'],
    ['a rate beside one', '1.12 * 5', ['Costs rose by 12%.'], 'derived'],
    ['what is left of one', '0.7 * 5', ['The tax rate is 30%.'], 'derived'],
    ['a count', '(7 + 8) / 2', ['Seven'], 'cited'],
    ['a divisor', '2 / 3', ['x'], 'constant'],
    ['days of a year', '365 - 0.5', ['x'], 'constant'],
    ['a root', '(16 ** 0.5)', ['We have 16.'], 'cited'],
  ];
  for (const [name, expression, blocks, verdict, more = {}] of rows) {
    it(name, () => {
      const number = first(expression, blocks);
      assert.equal(number.verdict, verdict);
      if ('name' in more) assert.equal(number.places[0]?.name, more['name']);
      if ('power' in more) assert.equal(number.power, more['power']);
    });
  }

  it('is the question, scaled and in words too', () => {
    assert.equal(first('700 - 1', ['x'], 'If it was $700 instead?').verdict, 'question');
    assert.equal(first('700000 - 1', ['x'], 'If it was $700 thousand?').verdict, 'question');
    assert.equal(first('15 - 1', ['x'], 'Over the next fifteen years?').verdict, 'question');
    assert.equal(first('0.0234 - 1', ['x'], 'A spread of 234 basis points?').verdict, 'question');
  });

  it('names row and column of ragged tables with currency cells of their own', () => {
    const table =
      'BALANCE SHEETS\n| (in millions) | March 31, 2032 | March 31, 2031 |\n| ASSETS |\n| Cash | $ | 293,093 | $ | 357,409 |';
    const place = first('357409 + 1', [table]).places[0]!;
    assert.equal(place.name, 'paragraphs[0] row "Cash", column "March 31, 2031"');
    assert.deepEqual(place.cell, { row: 2, column: 4 });
    assert.equal(place.scale?.word, 'million');
    assert.equal(table.slice(place.inString.start, place.inString.end), '357,409');
  });

  it('prefers the place that the name of the variable describes', () => {
    const table = '| Item | 2031 | 2032 |\n| Salaries | 40 | 15 |\n| Schemes | 15 | 40 |';
    const python_solution = 'def solution():\n    schemes_2032 = 40\n    return schemes_2032 + 15';
    const { numbers } = trace({ python_solution, paragraphs: [table], table_evidence: [0], paragraph_evidence: [] });
    assert.equal(numbers[0]?.places[0]?.name, 'paragraphs[0] row "Schemes", column "2032"');
  });

  it('stands in Markdown, HTML and tab tables', () => {
    const tables = [
      '| Item | 2031 |\n| --- | --- |\n| Cash | 4,711 |',
      '<table><tr><th>Item</th><th>2031</th></tr><tr><td>Cash</td><td>4,711</td></tr></table>',
      'Item\t2031\nCash\t4,711',
    ];
    for (const table of tables) {
      const place = first('4711 + 1', [table]).places[0]!;
      assert.equal(place.row, 'Cash', table);
      assert.equal(place.column, '2031', table);
      assert.deepEqual(place.cell, { row: 1, column: 1 }, table);
    }
  });
});

describe('traceOf', () => {
  it('gives nothing without context or with a blank one', () => {
    assert.equal(traceOf(checkedOf({ ...BASE, paragraphs: undefined })), undefined);
    assert.equal(traceOf(checkedOf({ ...BASE, paragraphs: ['', ' '] })), undefined);
  });

  it('is the same object the second time', () => {
    const checked = checkedOf(BASE);
    assert.equal(traceOf(checked), traceOf(checked));
  });

  it('has the literals of the program in their order', () => {
    const { numbers, program, cited } = trace({});
    assert.deepEqual(
      numbers.map(({ text, name, verdict }) => [text, name, verdict]),
      [
        ['1200', 'r2031', 'cited'],
        ['1350', 'r2032', 'cited'],
      ],
    );
    assert.equal(program?.literals.length, 2);
    assert.deepEqual(cited, [0, 1]);
  });

  it('survives indices that are none', () => {
    assert.deepEqual(trace({ table_evidence: [1, 1, -1, 99, 'a', null, 1.5] }).cited, [0, 1]);
  });

  // The goal is 50 ms of a warm process; a cold one compiles while it looks.
  it('looks through a megabyte of context in 250 ms of work', () => {
    const sentence =
      'The company had net sales of $293,093 and an increase of 12.5% on the year 2019, driven by growth. ';
    const paragraphs = Array.from({ length: 500 }, (_, i) => `${i} ${sentence.repeat(20)}`);
    const checked = checkedOf({ ...BASE, paragraphs, table_evidence: [], paragraph_evidence: [0] });
    const started = process.cpuUsage();
    assert.equal(traceOf(checked)?.numbers.length, 2);
    assert.ok(process.cpuUsage(started).user < 250_000);
  });

  it('indexes a block once', () => {
    const text = 'A paragraph that many records share: 4,711.';
    assert.equal(indexBlock(text), indexBlock(`${text.slice(0, 5)}${text.slice(5)}`));
  });
});
