import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findRecordFilesWithin } from '../../../server/src/node/files/walk.ts';

describe('the walk through a folder', () => {
  let folder!: string;
  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'auditable-qa-walk-'));
    for (const name of ['a', 'b', 'c']) {
      mkdirSync(path.join(folder, name));
      for (const file of ['1.jsonl', '2.json']) writeFileSync(path.join(folder, name, file), '{}\n');
    }
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('ends when enough was found, and goes on to the end else', async () => {
    const names = async (enough?: (found: number) => boolean): Promise<string[]> =>
      (await findRecordFilesWithin(folder, enough)).map((file) => path.relative(folder, file.path));
    assert.equal((await names()).length, 6);
    assert.deepEqual(await names((found) => found >= 3), ['a/1.jsonl', 'a/2.json', 'b/1.jsonl'].map(path.normalize));
    assert.deepEqual(await names(() => true), []);
  });
});
