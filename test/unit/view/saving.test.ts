/** Saving documents of records into files that change under them: where the record goes, and what is told where it has gone. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rewriteFile } from '../../../server/src/node/files/rewrite.ts';
import { recordFiles } from '../../support/record-files.ts';
import type { RecordFiles } from '../../support/record-files.ts';

const record = (id: string, topic: string, more = ''): string =>
  `{"question_id": "${id}", "question": "How deep is the ${topic}?", "python_solution": "def solution():\\n    depth = 41\\n    return depth\\n", "ground_truth": 41.0, "paragraphs": ["The ${topic} is 41 m deep, says the report on ${topic}."], "table_evidence": [], "paragraph_evidence": [0], "note": "old"${more}}`;
const joined = (...lines: readonly string[]): string => `${lines.join('\n')}\n`;
const [A, B, C] = [record('a', 'lake'), record('b', 'harbour of the city'), record('c', 'canal')];
const DOUBLE = record('b', 'northern fjord, the one with the ferry');
const noted = (line: string, note: string): string => line.replace('"note": "old"', `"note": "${note}"`);

describe('a document of a record', () => {
  let all: RecordFiles;
  beforeEach(() => (all = recordFiles()));
  afterEach(() => all.stop());

  it('does not go over to another record that came when its own went', async () => {
    const uri = all.write('set.jsonl', joined(A, B, C));
    await all.open(uri);
    const shown = await all.show(uri, 1, 'record');
    const other = record('z', 'well');
    all.type(uri, joined(A, C, other));
    const result = await all.save({ ...shown, text: noted(shown.text, 'new') });
    assert.equal(result.kind, 'problem', JSON.stringify(result));
    assert.match((result as { message: string }).message, /not in its file any more/);
    assert.equal(all.textOf(uri), joined(A, C, other));
  });

  it('does not go over to the record that takes the place of its own', async () => {
    const uri = all.write('set.jsonl', joined(A, B, C));
    await all.open(uri);
    const shown = await all.show(uri, 1, 'record');
    const other = `{"question_id": "z", "question": "Why?", "python_solution": "def solution():\\n    return 1\\n", "ground_truth": 1, "note": "old", "paragraphs": []}`;
    all.type(uri, joined(A, other, C));
    assert.equal((await all.save({ ...shown, text: noted(shown.text, 'new') })).kind, 'problem');
    assert.equal(all.textOf(uri), joined(A, other, C));
  });

  it('does not go over to the other one of two records with its id when it is deleted', async () => {
    const uri = all.write('set.jsonl', joined(A, B, DOUBLE, C));
    await all.open(uri);
    const shown = await all.show(uri, 1, 'record');
    all.type(uri, joined(A, DOUBLE, C));
    const read = await all.read(shown);
    assert.equal(read.kind, 'problem', JSON.stringify(read));
    assert.equal((await all.save({ ...shown, text: noted(shown.text, 'new') })).kind, 'problem');
    // Nor when the other one is typed in, nor in another session of the file.
    all.type(uri, joined(A, DOUBLE.replace('fjord', 'fiord'), C));
    assert.equal((await all.save({ ...shown, text: noted(shown.text, 'new') })).kind, 'problem');
    all.keep(uri);
    all.close(uri);
    const later = await all.save({ ...shown, text: noted(shown.text, 'new') });
    assert.equal(later.kind, 'conflict', JSON.stringify(later));
    assert.equal(all.onDisk(uri), joined(A, DOUBLE.replace('fjord', 'fiord'), C));
  });

  it('is there again when its record is', async () => {
    const uri = all.write('set.jsonl', joined(A, B, C));
    await all.open(uri);
    const shown = await all.show(uri, 1, 'record');
    all.type(uri, joined(A, C));
    all.views.fileLooked(uri);
    assert.deepEqual(all.told, [shown.uri]);
    all.type(uri, joined(C, A, B));
    all.views.fileLooked(uri);
    assert.deepEqual(all.told, [shown.uri, shown.uri]);
    assert.equal((await all.save({ ...shown, text: noted(shown.text, 'new') })).kind, 'edits');
    assert.equal(all.textOf(uri), joined(C, A, noted(B, 'new')));
  });

  for (const way of [
    'the file is closed',
    'the server is another one',
    'the server is another one and nothing is open',
  ]) {
    it(`stays with its record among others with its id when ${way}`, async () => {
      const uri = all.write('set.jsonl', joined(DOUBLE, B, C));
      await all.open(uri);
      const shown = await all.show(uri, 1, 'record');
      all.type(uri, joined(A, DOUBLE, B, C));
      all.keep(uri);
      if (way !== 'the server is another one') all.close(uri);
      if (way !== 'the file is closed') await all.restart();
      const read = await all.read(shown);
      assert.equal(read.kind === 'text' && read.record, B, JSON.stringify(read));
      const result = await all.save({ ...shown, text: noted(shown.text, 'new') });
      assert.ok(result.kind === 'edits' || result.kind === 'written', JSON.stringify(result));
      const text = result.kind === 'edits' ? all.textOf(uri) : all.onDisk(uri);
      assert.equal(text, joined(A, DOUBLE, noted(B, 'new'), C));
    });
  }

  it('is another one for each record, whatever stood where before', async () => {
    const uri = all.write('set.jsonl', joined(DOUBLE, B, C));
    await all.open(uri);
    const second = await all.show(uri, 1, 'record');
    all.type(uri, joined(A, DOUBLE, B, C));
    const first = await all.show(uri, 1, 'record');
    assert.equal(first.base, DOUBLE);
    assert.notEqual(first.uri, second.uri);
    assert.equal((await all.show(uri, 2, 'record')).uri, second.uri);
  });

  it('asks where it cannot tell which record is its own', async () => {
    const uri = all.write('set.jsonl', joined(DOUBLE, B, C));
    const shown = await all.show(uri, 1, 'record');
    await all.restart();
    const changed = joined(A, DOUBLE, noted(B, 'theirs'), C);
    all.write('set.jsonl', changed);
    const result = await all.save({ ...shown, text: shown.text.replace('How deep', 'How very deep') });
    assert.deepEqual(result, { kind: 'conflict', names: ['the record'] });
    assert.equal(all.onDisk(uri), changed);
    // The record that it may be has a document of its own.
    assert.notEqual((await all.show(uri, 1, 'record')).uri, shown.uri);
  });

  it('takes up a file that was formatted anew, record by record', async () => {
    const uri = all.write('set.json', JSON.stringify([A, B, C].map((line) => JSON.parse(line) as unknown)));
    await all.open(uri);
    const shown = await all.show(uri, 1, 'record');
    const pretty = JSON.stringify(JSON.parse(all.textOf(uri)), null, 4);
    all.type(uri, pretty);
    assert.equal((await all.save({ ...shown, text: noted(shown.text, 'new') })).kind, 'edits');
    const at = pretty.indexOf('"old"', pretty.indexOf('"b"'));
    assert.equal(all.textOf(uri), `${pretty.slice(0, at)}"new"${pretty.slice(at + 5)}`);
  });

  it('is saved beside what was changed on disk without anybody telling', async () => {
    const uri = all.write('set.jsonl', joined(A, B, C));
    const shown = await all.show(uri, 1, 'record');
    all.write('set.jsonl', joined(record('new', 'sea'), A, B.replace('How deep', 'How very deep'), C));
    const result = await all.save({ ...shown, text: noted(shown.text, 'new') });
    assert.equal(result.kind, 'written', JSON.stringify(result));
    const expected = noted(B.replace('How deep', 'How very deep'), 'new');
    assert.equal(all.onDisk(uri), joined(record('new', 'sea'), A, expected, C));
  });

  it('says what is wrong where the file is gone, and goes on when it is back', async () => {
    const uri = all.write('set.jsonl', joined(A, B, C));
    const shown = await all.show(uri, 1, 'record');
    rmSync(new URL(uri));
    const told = new Promise<void>(
      (resolve) => (all.told.push = (...uris) => (uris.includes(shown.uri) && resolve(), 0)),
    );
    await all.files.changed(uri);
    await told;
    const gone = await all.save({ ...shown, text: noted(shown.text, 'new') });
    assert.match((gone as { message: string }).message, /set\.jsonl .*: nothing was written\.$/);
    all.write('set.jsonl', joined(A, B.replace('How deep', 'How very deep'), C));
    assert.equal((await all.save({ ...shown, text: noted(shown.text, 'new') })).kind, 'written');
    assert.equal(all.onDisk(uri), joined(A, noted(B.replace('How deep', 'How very deep'), 'new'), C));
  });

  it('is not shown where its file cannot be read or understood, and that is said', async () => {
    const strange = all.write('strange.jsonl', '{"some": 1}\n{"some": 2}\n');
    const none = await all.views.reference({ file: strange, index: 0, kind: 'record' });
    assert.equal(none?.problem, 'No profile fits the file.');
    const large = all.write('large.jsonl', Buffer.alloc(51 * 1024 * 1024, 32));
    const refused = await all.views.reference({ file: large, index: 0, kind: 'record' });
    assert.match(
      refused?.problem ?? '',
      /large\.jsonl has 51 MB: files of more than 50 MB are not taken into memory\.$/,
    );
  });

  it('is merged with what was read since by a client that does not say what it knows', async () => {
    const uri = all.write('set.jsonl', joined(A, B, C));
    await all.open(uri);
    const shown = await all.show(uri, 1, 'record');
    all.type(uri, joined(A, B.replace('How deep', 'How very deep'), C));
    await all.views.read({ uri: shown.uri });
    assert.equal((await all.save({ ...shown, text: noted(shown.text, 'new') })).kind, 'edits');
    assert.equal(all.textOf(uri), joined(A, noted(B.replace('How deep', 'How very deep'), 'new'), C));
  });

  it('of a solution is not written to where another profile has it', async () => {
    const uri = all.write('set.jsonl', joined(A, B, C));
    const shown = await all.show(uri, 1, 'solution');
    assert.equal(shown.place, '/python_solution');
    const result = await all.save({ ...shown, text: '# new\n', place: '/program' });
    assert.match((result as { message: string }).message, /another profile/);
    assert.equal(all.onDisk(uri), joined(A, B, C));
  });
});

describe('rewriting a file', () => {
  it('is refused where the file changes while it is read', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'auditable-qa-rewrite-'));
    try {
      const file = join(folder, 'set.jsonl');
      const lines = [A, B, C];
      const text = joined(...lines);
      writeFileSync(file, text);
      const changed = text.replace('"b"', '"changed meanwhile"');
      const at = lines[1]!.indexOf('"old"');
      const rewriting = rewriteFile(file, {
        layout: {
          // Asked for when the file was compared with what the editor has, and is about to be read for the edits.
          get form() {
            writeFileSync(file, changed);
            return 'lines' as const;
          },
          records: undefined,
        },
        text,
        editsOf: (index) => (index === 1 ? [{ span: { start: at, end: at + 5 }, text: '"new"' }] : []),
        repairs: [],
      });
      await assert.rejects(rewriting, /has changed on disk/);
      assert.equal(readFileSync(file, 'utf8'), changed);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
