/** Where edits of records are made in the bytes of a file that is not in memory. */
import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildIndex } from '../../../server/src/node/index/build.ts';
import { createIndexCache } from '../../../server/src/node/index/index-cache.ts';
import { openIndexed } from '../../../server/src/node/index/indexed-file.ts';
import { patchesOfRows } from '../../../server/src/lsp/disk/large-edits.ts';
import { createLargeTable } from '../../../server/src/lsp/session/large-table.ts';
import type { LargeTable } from '../../../server/src/lsp/session/large-table.ts';

describe('edits of records of a large file', () => {
  let folder: string;
  let file: string;
  let table: LargeTable | undefined;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'auditable-qa-large-edits-'));
    file = join(folder, 'records.jsonl');
  });
  afterEach(() => {
    table?.large.file.close();
    rmSync(folder, { recursive: true, force: true });
  });

  function tableOf(bytes: Uint8Array): LargeTable {
    writeFileSync(file, bytes);
    const index = buildIndex({ file, form: 'lines', records: undefined }, () => undefined);
    return (table = createLargeTable(openIndexed(file, index, createIndexCache(undefined)), 1, {
      stale: () => undefined,
    }));
  }

  /** An insertion at the end of the text of each of these records' first value. */
  function insertions(of: LargeTable, indices: readonly number[]) {
    const rows = of.large.rows();
    return new Map(
      indices.map((index) => {
        const row = rows[index]!;
        const start = row.text.lastIndexOf('"');
        return [row, [{ span: { start, end: start }, text: '!' }]];
      }),
    );
  }

  it('are placed by bytes, in the order of the file', async () => {
    const bytes = Buffer.from('{"a": "größe"}\n{"a": "b"}\n{"a": "漢字"}\n');
    const made = await patchesOfRows(tableOf(bytes).large, insertions(table!, [2, 0]));
    assert.deepEqual(
      made?.patches.map(({ at, removed, added }) => [at, removed.length, Buffer.from(added).toString()]),
      [
        [bytes.indexOf('"}'), 0, '!'],
        [bytes.lastIndexOf('"}'), 0, '!'],
      ],
    );
  });

  it('are not placed in a record that is not UTF-8, where characters say nothing of bytes', async () => {
    const bytes = Buffer.concat([Buffer.from('{"a": "'), Buffer.from([0xff, 0xfe]), Buffer.from('b"}\n{"a": "c"}\n')]);
    tableOf(bytes);
    assert.equal(await patchesOfRows(table!.large, insertions(table!, [0])), undefined);
    assert.equal((await patchesOfRows(table!.large, insertions(table!, [1])))?.patches.length, 1);
  });

  it('are not placed in a file that has changed since', async () => {
    const edits = insertions(tableOf(Buffer.from('{"a": "b"}\n')), [0]);
    appendFileSync(file, '{"a": "c"}\n');
    assert.equal(await patchesOfRows(table!.large, edits), undefined);
  });
});
