import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createSpool } from '../../../server/src/node/files/spool.ts';
import type { Spool } from '../../../server/src/node/files/spool.ts';

describe('bytes kept for a second reading', () => {
  let folder: string;
  before(async () => (folder = await mkdtemp(path.join(tmpdir(), 'auditable-qa-spool-'))));
  after(() => rm(folder, { recursive: true }));

  const chunks = Array.from({ length: 300 }, (_, i) => Buffer.alloc(1000, i));
  const fill = (spool: Spool): Buffer => {
    for (const chunk of chunks) spool.keep(chunk);
    return Buffer.concat([...spool.read()]);
  };

  it('come back as they were, from memory and from the file', () => {
    for (const inMemory of [0, 1, 150_500, 1e9]) {
      const spool = createSpool(inMemory, folder);
      assert.ok(fill(spool).equals(Buffer.concat(chunks)), String(inMemory));
      assert.ok(Buffer.concat([...spool.read()]).equals(Buffer.concat(chunks)), 'a second time');
    }
  });

  it('leave no file behind', async () => {
    fill(createSpool(0, folder));
    assert.deepEqual(await readdir(folder), []);
  });

  it('stay in memory where no file can be written', () => {
    assert.ok(fill(createSpool(5000, path.join(folder, 'missing'))).equals(Buffer.concat(chunks)));
  });

  it('may be none', () => assert.deepEqual([...createSpool().read()], []));
});
