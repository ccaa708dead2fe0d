import assert from 'node:assert/strict';
import { createNesting, withOuter } from '../../../server/src/core/text/nested.ts';
import { readRecords } from '../../../server/src/core/text/reader.ts';

const FILE = `[
  {"paragraphs": [{"text": "a"}],
   "questions": [
     {"uid": "q1", "note": "]}"},
     {"uid": "q2"}]},
  {"paragraphs": [], "questions": []},
  {"questions": [{"uid": "q3"}], "paragraphs": [{"text": "b"}, {"text": "c", "text": "d"}]},
  {"paragraphs": []}
]`;

describe('nested records', () => {
  const { slots } = readRecords(FILE, 'json');

  it('get slots of their own, in order, with their places in the file', () => {
    const records = createNesting('/questions/*').expand(slots);
    assert.deepEqual(
      records.map(({ index, line, column }) => [index, line, column]),
      [
        [0, 3, 5],
        [1, 4, 5],
        [2, 6, 17],
        [3, 7, 2],
      ],
    );
    for (const { offset, text } of records) assert.equal(FILE.slice(offset, offset + text.length), text);
    assert.deepEqual(JSON.parse(records[0]!.text), { uid: 'q1', note: ']}' });
  });

  it('keep what they lie in, without showing it among their keys', () => {
    const [first] = createNesting('/questions/*').expand(slots);
    const value = withOuter(JSON.parse(first!.text) as Record<string, unknown>, first!.outer);
    assert.deepEqual(Object.keys(value), ['uid', 'note']);
    assert.deepEqual((value['..'] as Record<string, unknown>)['paragraphs'], [{ text: 'a' }]);
    assert.equal(JSON.stringify(value), '{"uid":"q1","note":"]}"}');
  });

  it('leave faults beside them to the file', () => {
    const nesting = createNesting('/questions/*');
    nesting.expand(slots);
    assert.deepEqual(
      nesting.faults.map(({ code, line }) => [code, line]),
      [['file/duplicate-key', 6]],
    );
  });

  it('number on over batches, and take several levels', () => {
    const nesting = createNesting('/a/*/b/*');
    const [one] = readRecords('{"a": [{"b": [1, {"x": 2}]}, {"b": [3]}]}\n', 'lines').slots;
    assert.deepEqual(
      [...nesting.expand([one!]), ...nesting.expand([one!])].map(({ index, text }) => [index, text]),
      ['1', '{"x": 2}', '3', '1', '{"x": 2}', '3'].map((text, at) => [at, text]),
    );
  });

  it('an element that cannot be read is a record with its fault', () => {
    const broken = readRecords('{"questions": [{]}\n', 'lines').slots;
    const [only, ...others] = createNesting('/questions/*').expand(broken);
    assert.equal(only?.text, '{"questions": [{]}');
    assert.deepEqual(others, []);
  });

  it('without a pointer elements are the records', () => {
    assert.equal(createNesting(undefined).expand(slots), slots);
  });
});
