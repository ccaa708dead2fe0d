import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { contentVersion, watchVersion } from '../../../server/src/node/files/version.ts';

describe('the version of a file that was read', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'auditable-qa-version-'));
    file = path.join(folder, 'data.jsonl');
    writeFileSync(file, '{"id":"a"}\n');
    utimesSync(file, 1, 1);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is that of its content', async () => {
    const version = await watchVersion(file);
    assert.deepEqual(await version(), await contentVersion(file));
  });

  it('is not told of a file that was written to, or replaced, meanwhile', async () => {
    const version = await watchVersion(file);
    appendFileSync(file, '{"id":"b"}\n');
    assert.equal(await version(), undefined);
    const again = await watchVersion(file);
    writeFileSync(`${file}.new`, '{"id":"a"}\n{"id":"c"}\n');
    renameSync(`${file}.new`, file);
    assert.equal(await again(), undefined);
    rmSync(file);
    await assert.rejects(again, { code: 'ENOENT' });
  });
});
