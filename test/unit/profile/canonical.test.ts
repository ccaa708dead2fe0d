import assert from 'node:assert/strict';
import { builtinProfile } from '../../../server/src/core/profile/builtin.ts';
import { defineProfile } from '../../../server/src/core/profile/definition.ts';
import { pointerTo, toCanonical } from '../../../server/src/core/record/canonical.ts';
import { readListInString } from '../../../server/src/core/record/list-in-string.ts';
import { DOCMATH, MMLONGBENCH, SCIEGQA } from './records.ts';

const sciegqa = builtinProfile('sciegqa')!;

describe('canonical record', () => {
  it('reads each built-in profile', () => {
    const math = toCanonical(DOCMATH, builtinProfile('docmath-eval')!);
    assert.deepEqual([math.id, math.gold, math.tableEvidence, math.textEvidence], ['demo-0001', 12.5, [1], [0]]);
    assert.equal(math.context, DOCMATH.paragraphs);
    const page = toCanonical(SCIEGQA, sciegqa);
    assert.deepEqual([page.question, page.document, page.pages], [SCIEGQA.query, 'demo-doc', [2]]);
    assert.deepEqual([page.boxes, page.labels, page.category], [SCIEGQA.bbox, SCIEGQA.subimg_type, 'cs']);
    const long = toCanonical(MMLONGBENCH, builtinProfile('mmlongbench-doc')!);
    assert.deepEqual([long.pages, long.answerFormat, long.boxes], [[2, 3], 'Int', undefined]);
  });

  it('leaves out what is null or of a wrong type', () => {
    const record = toCanonical({ query: 5, answer: null, evidence_page: '6', bbox: {}, bbox_docvqa_id: 12 }, sciegqa);
    assert.deepEqual(
      [record.question, record.answer, record.pages, record.boxes, record.id],
      [undefined, undefined, undefined, undefined, '12'],
    );
  });

  it('points to the spelling that the record uses', () => {
    const { query, subimg_type, ...rest } = SCIEGQA;
    const other = toCanonical({ ...rest, question: query, subimg_tpye: subimg_type }, sciegqa);
    assert.equal(pointerTo(other, 'question'), '/question');
    assert.equal(pointerTo(other, 'labels', 0, 0), '/subimg_tpye/0/0');
    assert.equal(pointerTo(toCanonical(SCIEGQA, sciegqa), 'labels', 0), '/subimg_type/0');
    assert.equal(pointerTo(toCanonical({ query: null, question: 'Q' }, sciegqa), 'question'), '/question');
    assert.equal(pointerTo(toCanonical({}, sciegqa), 'question'), '/query');
    assert.equal(pointerTo(toCanonical(SCIEGQA, sciegqa), 'solution'), '');
  });

  it('stops at a list that is stored as text', () => {
    const profile = builtinProfile('mmlongbench-doc')!;
    assert.equal(pointerTo(toCanonical(MMLONGBENCH, profile), 'pages', 1), '/evidence_pages');
    assert.equal(
      pointerTo(toCanonical({ ...MMLONGBENCH, evidence_pages: [2, 3] }, profile), 'pages', 1),
      '/evidence_pages/1',
    );
  });

  it('follows pointers into lists and objects', () => {
    const profile = defineProfile('ours', {
      fields: {
        id: '/meta/the~1id',
        question: '/meta/q',
        pages: '/evidence/*/page',
        regions: { boxes: '/evidence/*/regions/*/box', labels: '/evidence/*/regions/*/label' },
      },
      required: ['question', 'pages'],
    });
    const record = toCanonical(
      {
        meta: { q: 'Q', 'the/id': 'a' },
        evidence: [
          { page: 3, regions: [{ box: [1, 2, 3, 4], label: 'text' }] },
          { page: 5, regions: [] },
        ],
      },
      profile,
    );
    assert.deepEqual([record.id, record.question, record.pages], ['a', 'Q', [3, 5]]);
    assert.deepEqual(
      [record.boxes, record.labels],
      [
        [[[1, 2, 3, 4]], []],
        [['text'], []],
      ],
    );
    assert.equal(pointerTo(record, 'id'), '/meta/the~1id');
    assert.equal(pointerTo(record, 'pages', 1), '/evidence/1/page');
    assert.equal(pointerTo(record, 'pages'), '/evidence');
    assert.equal(pointerTo(record, 'boxes', 0, 0, 2), '/evidence/0/regions/0/box/2');
    assert.equal(pointerTo(record, 'boxes', 1), '/evidence/1/regions');
  });

  it('reads own keys only', () => {
    const profile = defineProfile('odd', { fields: { question: '/toString', answer: '/constructor/name' } });
    const record = toCanonical({}, profile);
    assert.deepEqual([record.question, record.answer], [undefined, undefined]);
  });
});

describe('list in a string', () => {
  const lists: readonly (readonly [string, unknown])[] = [
    ['[]', []],
    ['[5, 7]', [5, 7]],
    ["['Chart', 'Pure-text (Plain-text)']", ['Chart', 'Pure-text (Plain-text)']],
    [`["it's", 'say "x"', 'don\\'t', '\\x41\\u00e9\\n']`, ["it's", 'say "x"', "don't", 'Aé\n']],
    ['[None, True, False, -1.5, 1e3, 1_000]', [null, true, false, -1.5, 1000, 1000]],
    ["[('a', 1), [2,]]", [['a', 1], [2]]],
    [" [ 'a' ,\n 'b' ] ", ['a', 'b']],
  ];
  for (const [text, list] of lists)
    it(`reads ${JSON.stringify(text)}`, () => assert.deepEqual(readListInString(text), list));

  for (const text of [
    '',
    '5',
    '"[5]"',
    '{"a":1}',
    "['a'",
    "['a'] x",
    "['a' 'b']",
    '[a]',
    "['a\\']",
    '[1,,2]',
    '['.repeat(90_000),
  ]) {
    it(`refuses ${JSON.stringify(text.slice(0, 20))}`, () => assert.equal(readListInString(text), undefined));
  }
});
