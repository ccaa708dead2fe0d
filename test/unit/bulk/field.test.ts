/** The value of a record by which records are told apart. */
import assert from 'node:assert/strict';
import { recordField } from '../../../server/src/core/bulk/field.ts';
import { settingsFor } from '../../../server/src/core/profile/settings.ts';

describe('the value that tells records apart', () => {
  const samples = [{ question_id: 'a', question: 'How deep?', python_solution: '', ground_truth: 1, paragraphs: [] }];
  const settings = settingsFor({ filePath: '/data/records.jsonl', samples });

  /** What the field tells of a record that is written so. */
  function told(name: string, text: string): string | undefined {
    const field = recordField(name, settings);
    assert.ok(typeof field !== 'string');
    return field.of(JSON.parse(text) as Record<string, unknown>, text)?.text;
  }

  it('is found under any spelling of the profile, under a key and by a pointer', () => {
    assert.equal(told('id', '{"question_id": "a"}'), 'a');
    assert.equal(told('split', '{"split": "dev"}'), 'dev');
    assert.equal(told('/meta/page', '{"meta": {"page": 3}}'), '3');
    assert.equal(told('note', '{"note": [1]}'), undefined);
  });

  it('is an integer as it is written where doubles hold several as one', () => {
    const [one, other] = ['9007199254740992', '9007199254740993'];
    assert.equal(Number(one), Number(other));
    for (const digits of [one, other]) {
      assert.equal(told('id', `{"question_id": ${digits}}`), digits);
      assert.equal(told('/meta/number', `{"meta": {"number": ${digits}}}`), digits);
    }
    assert.equal(told('id', '{"question_id": 12.50}'), '12.5');
  });
});
