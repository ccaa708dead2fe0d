import assert from 'node:assert/strict';
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileSource, readFileFaults, streamSource } from '../../../server/src/node/files/read.ts';
import { createSpool } from '../../../server/src/node/files/spool.ts';
import type { RecordSource } from '../../../server/src/node/files/read.ts';

async function textsOf(source: RecordSource): Promise<string[]> {
  const texts: string[] = [];
  for await (const batch of source.open()) texts.push(...batch.map((slot) => slot.text));
  return texts;
}
async function* pieces(...texts: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield typeof text === 'string' ? Buffer.from(text) : text;
}

describe('reading record files', () => {
  let folder: string;
  const at = (name: string): string => path.join(folder, name);
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'auditable-qa-read-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('gives all records of a file longer than one piece, and the same again', async () => {
    const lines = Array.from({ length: 3000 }, (_, i) => JSON.stringify({ i, text: 'Größe ☃ 😀 '.repeat(40) }));
    await writeFile(at('a.jsonl'), `${lines.join('\n')}\n`);
    let heard = 0;
    const source = fileSource(at('a.jsonl'), (count) => (heard += count));
    assert.deepEqual(await textsOf(source), lines);
    assert.deepEqual(await textsOf(source), lines);
    assert.equal(heard, 2 * source.bytes);
    assert.equal(source.problem, undefined);
  });

  it('takes the form from the name, else from the text', async () => {
    const array = '[{"a": 1},\n {"a": 2}]';
    for (const name of ['a.json', 'a.JSON', 'a.data']) {
      await writeFile(at(name), array);
      assert.deepEqual(await textsOf(fileSource(at(name))), ['{"a": 1}', '{"a": 2}'], name);
      assert.deepEqual(await readFileFaults(at(name)), [], name);
    }
    await writeFile(at('a.jsonl'), array);
    assert.deepEqual(
      (await readFileFaults(at('a.jsonl'))).map(({ code }) => code),
      ['file/not-json-lines'],
    );
  });

  it('reads a stream, cut anywhere, and gives it twice', async () => {
    const bytes = Buffer.from('{"a": "Größe"}\n{"a": "☃"}\n');
    for (let cut = 0; cut <= bytes.length; cut++) {
      const source = streamSource(pieces(bytes.subarray(0, cut), bytes.subarray(cut)));
      assert.deepEqual(await textsOf(source), ['{"a": "Größe"}', '{"a": "☃"}']);
      assert.deepEqual(await textsOf(source), ['{"a": "Größe"}', '{"a": "☃"}']);
    }
    assert.deepEqual(await textsOf(streamSource(pieces('\n  [', '{"a": 1}]'))), ['{"a": 1}']);
    assert.deepEqual(await textsOf(streamSource(pieces('{\n "a": 1\n}\n'))), ['{\n "a": 1\n}']);
  });

  it('says what kept a file from being read', async () => {
    const missing = fileSource(at('missing.jsonl'));
    assert.deepEqual(await textsOf(missing), []);
    assert.equal(missing.problem, 'does not exist');
  });

  it('says that a file changed or vanished meanwhile, also between two readings', async () => {
    const lines = Array.from({ length: 30_000 }, (_, i) => `{"i": ${i}, "text": "${'x'.repeat(100)}"}`);
    const source = async (meanwhile: () => Promise<void>): Promise<RecordSource> => {
      await writeFile(at('a.jsonl'), lines.join('\n'));
      const opened = fileSource(at('a.jsonl'));
      let first = true;
      let count = 0;
      for await (const batch of opened.open()) {
        if (first) await meanwhile();
        first = false;
        count += batch.length;
      }
      assert.ok(count >= 30_000);
      return opened;
    };
    const appended = await source(() => appendFile(at('a.jsonl'), '\n{"late": 1}'));
    assert.match(appended.problem ?? '', /changed while/);
    const deleted = await source(() => rm(at('a.jsonl')));
    assert.match(deleted.problem ?? '', /deleted while/);
    const untouched = await source(() => Promise.resolve());
    assert.equal(untouched.problem, undefined);
    await appendFile(at('a.jsonl'), '\n{"late": 1}');
    await textsOf(untouched);
    assert.match(untouched.problem ?? '', /changed while/);
  });

  it('says that a record is longer than a text can be, and gives what stands before it', async () => {
    const piece = Buffer.alloc(64 * 1024 * 1024, 'x');
    for (const first of ['{"a": 1}\n{"a": "', '[{"a": 1},\n{"a": "']) {
      const inMemory = createSpool(Infinity);
      const source = streamSource(pieces(first, ...Array.from({ length: 13 }, () => piece)), inMemory);
      assert.deepEqual(await textsOf(source), ['{"a": 1}']);
      assert.match(source.problem ?? '', /longer than a text can be/);
    }
  });

  it('tells bytes that are no text', async () => {
    await writeFile(at('a.jsonl'), Buffer.from('{"a": 1}\n', 'utf16le'));
    assert.deepEqual(
      (await readFileFaults(at('a.jsonl'))).map(({ code }) => code),
      ['file/encoding'],
    );
  });
});
