/** Files that no editor has open, read when something asks for their records. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createFiles } from '../../../server/src/lsp/session/files.ts';
import type { Files, FilesHost } from '../../../server/src/lsp/session/files.ts';
import { indexFile } from '../../../server/src/node/index/indexer.ts';
import { readText } from '../../../server/src/node/files/read-text.ts';
import { sciegqaLines } from '../../bench/records.ts';
import { noLargeFiles } from '../../support/record-files.ts';
import { quietHost } from '../../support/record-session.ts';

const WORKER = new URL('../../../server/src/node/index/index-worker.ts', import.meta.url);

describe('files that no editor has open', () => {
  let folder: string;
  let files: Files;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'auditable-qa-files-'));
  });
  afterEach(() => {
    files.close();
    rmSync(folder, { recursive: true, force: true });
  });

  // What it says of an index that is let go is no concern here.
  const host = { ...quietHost(() => undefined), log: () => undefined };
  const given: Omit<FilesHost, 'large' | 'isLarge'> = {
    open: () => undefined,
    pathOf: (uri) => fileURLToPath(uri),
    formOf: () => 'lines',
    readText,
    host,
    looked: () => undefined,
    status: () => undefined,
    gone: () => undefined,
    log: () => undefined,
  };
  const large = noLargeFiles(host);

  it('are opened once more where a large one was written while it was read', async () => {
    const file = join(folder, 'growing.jsonl');
    const lines = sciegqaLines(300);
    const text = `${lines.join('\n')}\n`;
    writeFileSync(file, text);
    let times = 0;
    files = createFiles({
      ...given,
      isLarge: () => Promise.resolve(true),
      large: {
        ...large,
        isLarge: () => true,
        runtime: {
          ...large.runtime,
          sizeOf: () => Promise.resolve(text.length),
          firstRecords: () => Promise.resolve(lines.slice(0, 9).map((line) => JSON.parse(line) as unknown)),
          async indexFile(asked) {
            const indexed = await indexFile(WORKER, asked);
            // Somebody writes it just then: what the index says is not so any more.
            if (times++ === 0) writeFileSync(file, `${text.replaceAll('"query"', '"question"')}${lines[0]}\n`);
            return indexed;
          },
        },
      },
    });
    const uri = pathToFileURL(file).href;
    assert.equal(await files.session(uri), undefined);
    assert.match(files.problem(uri), /growing\.jsonl changed while it was read; try again\.$/);
    assert.equal((await files.session(uri))?.rows().length, 301);
  });

  it('are as they are on disk where they were changed while they were read', async () => {
    const file = join(folder, 'changing.jsonl');
    const lines = sciegqaLines(20);
    writeFileSync(file, `${lines.join('\n')}\n`);
    let hasRead = (): void => undefined;
    const read = new Promise<void>((resolve) => (hasRead = resolve));
    files = createFiles({
      ...given,
      async readText(path) {
        const text = await readText(path);
        hasRead();
        return text;
      },
      isLarge: () => Promise.resolve(false),
      large,
    });
    const uri = pathToFileURL(file).href;
    const asked = files.session(uri);
    await read;
    writeFileSync(file, `${lines.slice(0, 7).join('\n')}\n`);
    assert.ok(await files.changed(uri));
    assert.equal((await asked)?.rows().length, 7);
    assert.equal((await files.session(uri))?.rows().length, 7);
  });
});
