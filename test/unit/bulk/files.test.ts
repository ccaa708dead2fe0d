import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { recordField } from '../../../server/src/core/bulk/field.ts';
import { mergeFiles } from '../../../server/src/node/bulk/merge.ts';
import { fileToRead } from '../../../server/src/node/bulk/source.ts';
import { splitFile } from '../../../server/src/node/bulk/split.ts';
import { NotWritten } from '../../../server/src/node/files/write.ts';

const run = { stop: new AbortController().signal, advanced: () => undefined };

describe('bulk work on files', () => {
  let folder: string;
  const at = (name: string): string => path.join(folder, name);
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'auditable-qa-bulk-'));
    writeFileSync(at('one.jsonl'), '{"id":"a"}\n');
    writeFileSync(at('two.jsonl'), '{"id":"b"}\n');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('does not merge a file that was replaced since it was read, whose new records would be lost', async () => {
    const id = recordField('id', { nearest: undefined, missing: [], message: '' });
    assert.ok(typeof id !== 'string');
    const files = ['one.jsonl', 'two.jsonl'].map((name) => ({ path: at(name), id }));
    const merging = await mergeFiles(files, 'lines', 'stop', run);
    writeFileSync(at('saved'), '{"id":"a"}\n{"id":"new"}\n');
    renameSync(at('saved'), at('one.jsonl'));
    await assert.rejects(
      async () => {
        for await (const piece of merging.bytes()) assert.ok(piece);
      },
      { file: at('one.jsonl'), message: 'changed while it was read' },
    );
    await merging.close();
  });

  it('says where parts cannot lie', async () => {
    const target = { folder: at('two.jsonl'), name: 'one.jsonl', replace: false };
    await assert.rejects(
      splitFile(fileToRead(at('one.jsonl'), run), { kind: 'count', count: 1 }, target),
      (error) => error instanceof NotWritten,
    );
  });

  it('removes the parts of a split that was killed long ago', async () => {
    mkdirSync(at('.parts.auditable-qa-1-aa.tmp'));
    writeFileSync(at('.parts.auditable-qa-1-aa.tmp/0'), 'half');
    for (const old of ['.parts.auditable-qa-1-aa.tmp/0', '.parts.auditable-qa-1-aa.tmp']) utimesSync(at(old), 1, 1);
    const target = { folder: at('parts'), name: 'one.jsonl', replace: false };
    await splitFile(fileToRead(at('one.jsonl'), run), { kind: 'count', count: 1 }, target);
    assert.deepEqual(readdirSync(folder).sort(), ['one.jsonl', 'parts', 'two.jsonl']);
  });
});
