import assert from 'node:assert/strict';
import { createChecker } from '../../../server/src/core/checker.ts';
import { spellingOf } from '../../../server/src/core/edit/spelling.ts';
import { readTextList } from '../../../server/src/core/edit/text-lists.ts';
import { settingsFor } from '../../../server/src/core/profile/settings.ts';
import { readRecords } from '../../../server/src/core/text/reader.ts';
import { stringGoesOn } from '../../../server/src/core/text/resync.ts';

/** Patterns for strings overflow their stack at about half of it. */
const LENGTH = 24_000_000;

const NOWHERE = { start: 0, end: 0 };

describe('strings of many megabytes', () => {
  const long = 'x'.repeat(LENGTH);

  it('are a key on which a finding on the whole record stands', () => {
    const text = `{"${long}":1}`;
    const settings = settingsFor({
      filePath: '/data/a.jsonl',
      samples: [{ query: 'a', doc_name: 'b', evidence_page: [1], bbox: [] }],
    });
    assert.ok('profile' in settings);
    const checker = createChecker(settings);
    const [slot] = readRecords(`${text}\n`, 'lines').slots;
    const findings = checker.findings(slot!, checker.checkText(text), {});
    const missing = findings.find(({ code }) => code === 'schema/required');
    assert.deepEqual(missing?.end, { line: 0, column: LENGTH + 3 });
  });

  it('are a key that begins the line after a string that is not closed', () => {
    const broken = '"a\n';
    assert.equal(stringGoesOn(`${broken}"${long}": 1}\n`, 2, true), false);
    assert.equal(stringGoesOn(`${broken}{ "${long}" : 1}\n`, 2, true), false);
    assert.equal(stringGoesOn(`${broken}"${long}" and more\n`, 2, true), true);
    assert.equal(stringGoesOn(`${broken}"${long}\\"\n`, 2, true), true);
  });

  it('are the one key whose colon tells how blanks are written', () => {
    assert.equal(spellingOf(`{"${long}":1}`, NOWHERE).afterComma, '');
    assert.equal(spellingOf(`{"${long}": 1}`, NOWHERE).afterComma, ' ');
  });

  it('are elements of a list that is stored as text', () => {
    assert.equal(readTextList(`['${long}', "${long}"]`)?.children?.length, 2);
    assert.equal(readTextList(`['${long}]`), undefined);
  });
});
