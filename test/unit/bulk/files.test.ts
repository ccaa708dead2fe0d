import assert from 'node:assert/strict';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
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

  const splitInto = (name: string, replace: boolean): ReturnType<typeof splitFile> =>
    splitFile(
      fileToRead(at('one.jsonl'), run),
      { kind: 'count', count: 1 },
      { folder: at(name), name: 'one.jsonl', replace },
    );

  it('says where parts cannot lie', async () => {
    const target = { folder: at('two.jsonl'), name: 'one.jsonl', replace: false };
    await assert.rejects(
      splitFile(fileToRead(at('one.jsonl'), run), { kind: 'count', count: 1 }, target),
      (error) => error instanceof NotWritten,
    );
  });

  it('gives back what a split has replaced where it cannot be completed', async () => {
    writeFileSync(at('one.jsonl'), '{"id":"a"}\n{"id":"b"}\n{"id":"c"}\n');
    const { records } = await splitInto('parts', false);
    assert.ok(records > 1);
    const parts = readdirSync(at('parts')).map((name) => path.join(at('parts'), name));
    for (const part of parts) writeFileSync(part, `old ${path.basename(part)}`);
    const [first, second] = parts;
    rmSync(second!);
    mkdirSync(second!);
    await assert.rejects(splitInto('parts', true), (error) => {
      assert.ok(error instanceof NotWritten);
      assert.match(error.message, /is no regular file/);
      return true;
    });
    assert.equal(readFileSync(first!, 'utf8'), `old ${path.basename(first!)}`);
    rmSync(second!, { recursive: true });
    symlinkSync(first!, second!);
    await assert.rejects(splitInto('parts', true), /is a link/);
    assert.equal(readFileSync(first!, 'utf8'), `old ${path.basename(first!)}`);
    rmSync(second!);
    writeFileSync(second!, '');
    chmodSync(second!, 0o444);
    await assert.rejects(splitInto('parts', true), /is read-only/);
    chmodSync(second!, 0o644);
    await splitInto('parts', true);
    assert.match(readFileSync(first!, 'utf8'), /^\{/);
    assert.deepEqual(readdirSync(at('parts')).length, parts.length);
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
