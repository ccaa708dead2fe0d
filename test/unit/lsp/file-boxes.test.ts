import assert from 'node:assert/strict';
import { createChecker } from '../../../server/src/core/checker.ts';
import { fileBoxFacts } from '../../../server/src/lsp/evidence/file-boxes.ts';
import type { Session } from '../../../server/src/lsp/session/session.ts';
import { documentOf, SCIEGQA, settingsOf } from '../rules/support.ts';

describe('the vote of a file', function () {
  this.timeout(30_000);

  it('is the one before where a large file has just changed, until the new one is there', async () => {
    const checker = createChecker(settingsOf('sciegqa'));
    const row = { checked: checker.checkText(JSON.stringify(SCIEGQA)), document: documentOf(12) };
    const file = { checker, version: 1, busy: false, all: [row], rows: () => file.all };
    const boxes = async (): Promise<number | undefined> => (await fileBoxFacts(file as unknown as Session))?.boxes;
    assert.equal(await boxes(), 1);
    file.version = 2;
    file.all = Array.from({ length: 300_000 }, () => row);
    assert.equal(await boxes(), 1);
    let now = await boxes();
    while (now === 1) now = await boxes();
    assert.equal(now, 300_000);
  });

  it('of other settings is none before it is counted', async () => {
    const row = {
      checked: createChecker(settingsOf('sciegqa')).checkText(JSON.stringify(SCIEGQA)),
      document: documentOf(12),
    };
    const file = { checker: createChecker(settingsOf('sciegqa')), version: 1, busy: false, rows: () => [row] };
    assert.equal((await fileBoxFacts(file as unknown as Session))?.boxes, 1);
    const rows = Array.from({ length: 300_000 }, () => row);
    Object.assign(file, { checker: createChecker(settingsOf('sciegqa')), rows: () => rows });
    assert.equal(await fileBoxFacts(file as unknown as Session), undefined);
  });
});
