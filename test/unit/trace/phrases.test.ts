import assert from 'node:assert/strict';
import { createChecker } from '../../../server/src/core/checker.ts';
import type { PageLine, PageText } from '../../../server/src/core/ports.ts';
import { withContext } from '../../../server/src/core/record/external.ts';
import { locatePhrases, phrasePlaces, phrasesOf, phrasesOnPages } from '../../../server/src/core/trace/phrases.ts';
import { phraseWords, verdictWords } from '../../../server/src/core/trace/plain.ts';
import { traceShown } from '../../../server/src/core/trace/trace.ts';
import type { LocatedPhrase, TracedNumber } from '../../../server/src/core/trace/types.ts';
import { settingsOf } from '../rules/support.ts';
import { BASE, checkedOf } from './support.ts';

const WITHOUT_SOLUTION = Object.fromEntries(
  Object.entries(BASE).filter(([name]) => name !== 'python_solution' && name !== 'ground_truth'),
);

function located(answer: unknown, paragraphs: readonly string[], more = {}): readonly LocatedPhrase[] {
  const checked = checkedOf({
    ...WITHOUT_SOLUTION,
    paragraphs,
    table_evidence: [],
    paragraph_evidence: [0],
    answer,
    ...more,
  });
  const record = { ...withContext(checked.record!, undefined), answer };
  const phrases = phrasesOf(record);
  return locatePhrases(phrases, phrasePlaces(record, phrases), undefined);
}

const found = (phrases: readonly LocatedPhrase[]): unknown[] =>
  phrases.map((phrase) => [phrase.text, phrase.places.map(({ block, inString: { start } }) => [block, start])]);

describe('words of an answer', () => {
  it('stand in the evidence in any case, over ends of lines and borders of cells', () => {
    assert.deepEqual(found(located('The Northern  Line', ['It was the northern\nline.', 'The northern line'])), [
      ['The Northern  Line', [[0, 7]]],
    ]);
    assert.deepEqual(found(located('Widget A Group', ['| Widget A | Group |\n| 1 | 2 |'])), [
      ['Widget A Group', [[0, 2]]],
    ]);
  });

  it('are whole words, with quotation marks and dashes of any kind', () => {
    assert.deepEqual(found(located('cat', ['concatenation of cats'])), [['cat', []]]);
    assert.deepEqual(found(located("the firm's long-term plan", ['The firm’s long–term plan'])), [
      ["the firm's long-term plan", [[0, 0]]],
    ]);
  });

  it('are looked for in parts where the whole stands nowhere', () => {
    const [first, second] = located('Route C; Marble Arch', ['Marble Arch lies on route C.']);
    assert.deepEqual([first?.text, first?.places.length], ['Route C', 1]);
    assert.deepEqual(
      [second?.text, second?.inString, second?.places.length],
      ['Marble Arch', { start: 9, end: 20 }, 1],
    );
  });

  it('of a sentence are its names, and only those that are found', () => {
    const answer = 'It improved because of the launch of Widget Prime and better pricing in New Albany this year';
    assert.deepEqual(found(located(answer, ['Sales of Widget Prime rose.'])), [['Widget Prime', [[0, 9]]]]);
  });

  it('are no numbers, units and yes or no', () => {
    for (const answer of ['Yes', '$8.70 million', '12 %', '3 days', 5])
      assert.deepEqual(located(answer, ['Yes 12 %']), [], String(answer));
  });

  it('of a list are those of its elements', () => {
    const phrases = located(['Widget', 'Gadget'], ['Gadget and Widget']);
    assert.deepEqual(
      phrases.map(({ text, places }) => [text, places[0]?.inString.start]),
      [
        ['Widget', 11],
        ['Gadget', 0],
      ],
    );
  });

  it('say where they stand', () => {
    const says = (answer: string, paragraphs: string[]): string[] => located(answer, paragraphs).map(phraseWords);
    assert.deepEqual(says('Widget', ['A Widget']), ['stands in the cited evidence']);
    assert.deepEqual(says('Widget', ['None', 'A Widget']), ['stands elsewhere in the context, not in what is cited']);
    assert.deepEqual(says('Widget', ['None']), ['stands nowhere in the evidence as it is written']);
  });

  it('stand on pages, in boxes first', () => {
    const record = createChecker(settingsOf('financebench')).checkText(
      JSON.stringify({ financebench_id: 'x', question: 'Who?', answer: 'New Albany', doc_name: 'd', evidence: [] }),
    ).record!;
    const line = (top: number): PageLine => {
      const words = ['In', 'New', 'Albany.'].map((text, at) => ({
        text,
        left: 0.1 * at,
        top,
        width: 0.08,
        height: 0.01,
      }));
      return { words, left: 0, top, width: 0.3, height: 0.01, glyph: 0.005, upright: true };
    };
    const text: PageText = { lines: [line(0.2), line(0.6)], blocks: [], graphics: [] };
    const boxes = [{ left: 0, top: 0.5, width: 1, height: 0.2, pageAt: 0, at: 0 }];
    const [places] = phrasesOnPages(phrasesOf(record), [{ number: 7, at: 0, text, boxes }]);
    assert.deepEqual(
      places?.map(({ name, top, left, width }) => [name, top, left, Number(width.toFixed(3))]),
      [
        ['page 7, inside box 1', 0.6, 0.1, 0.18],
        ['page 7, outside its boxes', 0.2, 0.1, 0.18],
      ],
    );
  });
});

describe('numbers of an answer', () => {
  function shown(answer: unknown, table: string, question = 'How much?'): readonly TracedNumber[] {
    const checked = checkedOf({
      ...WITHOUT_SOLUTION,
      question,
      paragraphs: [table],
      table_evidence: [0],
      paragraph_evidence: [],
    });
    return traceShown(checked, { ...checked.record!, answer }) ?? [];
  }
  const says = (...given: Parameters<typeof shown>): string[] =>
    shown(...given).map((number) => verdictWords({ ...number, onPages: [] }));
  const MILLIONS = '| (in millions) | 2031 | 2030 |\n| Property, net | 8,738 | 8,866 |';

  it('may be rounded, in the scale that question or answer and table are written in', () => {
    const rounded = ['stands in the cited evidence, scaled by 10⁻³ and rounded'];
    assert.deepEqual(says('8.70', MILLIONS, 'What is net property? Answer in USD billions.'), rounded);
    assert.deepEqual(says('It was $8.74 billion.', MILLIONS), rounded);
    assert.deepEqual(says('12.3 %', '| Rate | 2031 |\n| Tax | 12.34 % |'), ['stands in the cited evidence, rounded']);
  });

  it('are not rounded from what begins alike by chance', () => {
    assert.deepEqual(says('8.70', MILLIONS), ['stands nowhere in the evidence']);
    assert.deepEqual(says('8.60', MILLIONS, 'Answer in billions.'), ['stands nowhere in the evidence']);
    assert.deepEqual(says('8.74 million', MILLIONS), ['stands nowhere in the evidence']);
    assert.deepEqual(says('12.3', '| Rate | 2031 |\n| Tax | 12.34 % |'), ['stands nowhere in the evidence']);
    assert.deepEqual(says('3.7', '| Item | 2031 |\n| A | 3.69 |'), ['stands nowhere in the evidence']);
    assert.deepEqual(says('88', '| Item | 2031 |\n| A | 87.6 |'), ['stands nowhere in the evidence']);
  });

  it('are looked up where the answer is a number or a list', () => {
    assert.deepEqual(
      shown(8738, MILLIONS).map(({ text, verdict, inString }) => [text, verdict, inString]),
      [['8738', 'cited', { start: 0, end: 4 }]],
    );
    const list = shown(['8,738 in all', 8866, 4711], MILLIONS);
    assert.deepEqual(
      list.map(({ text, verdict }) => [text, verdict]),
      [
        ['8,738', 'cited'],
        ['8866', 'cited'],
        ['4711', 'nowhere'],
      ],
    );
  });
});
