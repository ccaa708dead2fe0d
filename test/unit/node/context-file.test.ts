import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ContextFacts, DocumentReader } from '../../../server/src/core/ports.ts';
import { createDocumentReader } from '../../../server/src/node/pages/document-reader.ts';

describe('files that hold a context', () => {
  let folder: string;
  let reader: DocumentReader;
  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'context-'));
    mkdirSync(path.join(folder, 'data'));
    reader = createDocumentReader({ worker: pathToFileURL(path.join(folder, 'no-worker.mjs')) });
  });
  after(async () => {
    await reader.dispose();
    rmSync(folder, { recursive: true });
  });

  async function read(name: string, content?: string): Promise<ContextFacts | undefined> {
    const root = path.join(folder, 'data');
    const at = path.join(root, name);
    if (content !== undefined) writeFileSync(at, content);
    return (await reader.read({ name, root, pdf: [], images: new Map(), context: [at] })).context;
  }

  it('gives the paragraphs and tables in order', async () => {
    const blocks = [{ id: 0, context: 'a' }, { id: 1, context: '| b |' }, { id: 2 }];
    const found = await read('a.json', JSON.stringify({ url: 'u', context: blocks }));
    assert.deepEqual(found?.state === 'ok' && found.blocks, ['a', '| b |', '']);
    const list = await read('b.json', '\ufeff["x", {"text": "y"}]');
    assert.deepEqual(list?.state === 'ok' && list.blocks, ['x', 'y']);
  });

  for (const [content, reason] of [
    ['', 'is empty'],
    ['{"context": [', 'is no JSON'],
    ['{"pages": []}', 'has no list of paragraphs under "context"'],
  ] as const) {
    it(`says that one ${reason}`, async () => {
      const found = await read('bad.json', content);
      assert.equal(found?.state === 'unreadable' && found.reason, reason);
    });
  }

  it('says where it looked, and follows no link out of the folder', async function () {
    assert.equal((await read('none.json'))?.state, 'missing');
    writeFileSync(path.join(folder, 'outside.json'), '["secret"]');
    try {
      symlinkSync(path.join(folder, 'outside.json'), path.join(folder, 'data', 'link.json'));
    } catch {
      this.skip();
    }
    assert.equal((await read('link.json'))?.state, 'refused');
  });
});
