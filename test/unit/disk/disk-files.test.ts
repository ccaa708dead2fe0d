import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { linkSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import type { TextEdit } from '../../../server/src/core/edit/types.ts';
import { createDiskFiles } from '../../../server/src/node/disk/disk-files.ts';
import type { DiskFiles } from '../../../server/src/node/disk/disk-files.ts';
import type { JournalLimits } from '../../../server/src/node/disk/journal.ts';
import {
  inverseOf,
  packPatches,
  patchedBytes,
  patchesOf,
  unpackPatches,
} from '../../../server/src/node/disk/patches.ts';
import type { Rewriting } from '../../../server/src/node/files/rewrite.ts';
import { editedBytes, NotWritten, stateOf } from '../../../server/src/node/files/write.ts';

const LIMITS: JournalLimits = { steps: 10, bytes: 1_000_000, allBytes: 10_000_000 };
/** A byte order mark, mixed line ends, and characters of every length in UTF-8. */
const TEXT = '\ufeff{"id":"a","n":1.50}\r\n{"id":"ä€😀","n":2}\n{"id":"c","n":3}';
const LINES = TEXT.slice(1).split(/\r?\n/);

async function bytes(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(Uint8Array.from(piece));
  return Buffer.concat(all);
}

async function* streamOf(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield await Promise.resolve(Buffer.from(text));
}

const KILLS = process.env['SOAK'] === undefined ? 4 : 100;

describe('changes of files on disk', () => {
  let folder: string;
  let file: string;
  let logged: string[];
  let disk: DiskFiles;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'auditable-qa-disk-'));
    file = path.join(folder, 'data.jsonl');
    writeFileSync(file, TEXT);
    logged = [];
    disk = open();
  });
  afterEach(async () => {
    await disk.settled();
    rmSync(folder, { recursive: true, force: true });
  });

  /** As another process would find it. */
  function open(limits = LIMITS): DiskFiles {
    return createDiskFiles({ folder: path.join(folder, 'journal'), limits, log: (line) => void logged.push(line) });
  }

  const onDisk = (): string => readFileSync(file, 'utf8');

  /** Replaces a text in a record, as a session that holds no whole text asks for it. */
  function replacing(index: number, from: string, to: string, lines = LINES): Rewriting {
    const start = lines[index]!.indexOf(from);
    const edits: readonly TextEdit[] = [{ span: { start, end: start + from.length }, text: to }];
    return {
      layout: { form: 'lines', records: undefined },
      editsOf: (at) => (at === index ? edits : []),
      recordOf: (at) => lines[at],
      repairs: [],
    };
  }

  const edit = (index: number, from: string, to: string, title: string, lines = LINES) =>
    disk.edit(file, replacing(index, from, to, lines), { title, record: index });

  async function refused(work: Promise<unknown>, expected: RegExp): Promise<void> {
    await assert.rejects(work, (error) => {
      assert.ok(error instanceof NotWritten, String(error));
      assert.match(error.message, expected);
      return true;
    });
  }

  it('are taken back and made again byte for byte, one after the other', async () => {
    assert.deepEqual(await disk.history(file), { undo: null, redo: null });
    const versions = [readFileSync(file)];
    const now = [...LINES];
    for (const [index, from, to] of [
      [1, 'ä€😀', 'b'],
      [0, '1.50', '"\u2028 \\u20ac"'],
      [2, '}', ',"more":[]}'],
    ] as const) {
      await edit(index, from, to, `Change ${index}`, now);
      now[index] = now[index]!.replace(from, to);
      versions.push(readFileSync(file));
    }
    assert.equal(onDisk(), `\ufeff${now[0]}\r\n${now[1]}\n${now[2]}`);
    for (const [at, title] of [
      [2, 'Change 2'],
      [1, 'Change 0'],
      [0, 'Change 1'],
    ] as const) {
      assert.equal((await disk.history(file)).undo, title);
      await refused(disk.step(file, false, { only: 'Change 9' }), /was changed again since \(“Change \d”\)/);
      assert.equal((await disk.step(file, false, { only: title })).title, title);
      assert.deepEqual(readFileSync(file), versions[at]);
    }
    assert.deepEqual(await disk.history(file), { undo: null, redo: 'Change 1' });
    await refused(disk.step(file, false), /no change that could be taken back/);
    disk = open();
    for (const at of [1, 2, 3]) {
      await disk.step(file, true);
      assert.deepEqual(readFileSync(file), versions[at]);
    }
    assert.deepEqual(await disk.history(file), { undo: 'Change 2', redo: null });
    await refused(disk.step(file, true), /no change that was taken back/);
    assert.deepEqual(logged, []);
  });

  it('of a file that somebody else changed meanwhile are not taken back', async () => {
    await edit(0, '1.50', '1.5', 'Shorten');
    const ours = readFileSync(file);
    const theirs = onDisk().replace('"n":2', '"n":7');
    writeFileSync(file, theirs);
    assert.deepEqual(await disk.history(file), { undo: null, redo: null });
    await refused(disk.step(file, false), /was changed by something else since “Shorten”/);
    assert.equal(onDisk(), theirs);
    // The same bytes again, as after a checkout: then it is the version that the journal knows.
    writeFileSync(file, ours);
    assert.deepEqual(await disk.history(file), { undo: 'Shorten', redo: null });
    await disk.step(file, false);
    assert.equal(onDisk(), TEXT);
  });

  it('are told by the bytes, not by size and time alone', async () => {
    await edit(0, '1.50', '1.60', 'One');
    const { mtimeMs } = statSync(file);
    writeFileSync(file, onDisk().replace('1.60', '1.70'));
    utimesSync(file, mtimeMs / 1000, mtimeMs / 1000);
    await refused(disk.step(file, false), /was changed by something else/);
    assert.match(onDisk(), /1\.70/);
  });

  it('are refused where a record is not what it was', async () => {
    writeFileSync(file, TEXT.replace('"n":3', '"n":4'));
    await refused(edit(2, '3', '5', 'Late'), /has changed on disk since it was read/);
    assert.deepEqual(await disk.history(file), { undo: null, redo: null });
  });

  it('are refused where an editor shows another text', async () => {
    await edit(0, '1.50', '1.5', 'Shorten');
    await refused(disk.step(file, false, { text: 'typed in' }), /is not on disk as it is in the editor/);
    await disk.step(file, false, { text: LINES.map((line) => line.replace('1.50', '1.5')).join('\n') });
    assert.equal(onDisk(), TEXT);
  });

  it('of two at the same time happen one after the other', async () => {
    await Promise.all([edit(0, '1.50', '10', 'One'), edit(1, '2', '20', 'Two'), edit(2, '3', '30', 'Three')]);
    assert.deepEqual(onDisk(), '\ufeff{"id":"a","n":10}\r\n{"id":"ä€😀","n":20}\n{"id":"c","n":30}');
    await Promise.all([disk.step(file, false), disk.step(file, false), disk.step(file, false)]);
    assert.equal(onDisk(), TEXT);
  });

  it('by two writers are never lost: one of them is refused or comes after', async () => {
    const other = open();
    const mine = disk.edit(file, replacing(0, '1.50', '10'), { title: 'Mine', record: 0 });
    const theirs = other.edit(file, replacing(1, '2', '20'), { title: 'Theirs', record: 1 });
    const results = await Promise.allSettled([mine, theirs]);
    const done = results.map(({ status }) => status === 'fulfilled');
    assert.ok(done.some(Boolean));
    for (const result of results) {
      if (result.status === 'rejected') assert.match(String(result.reason), /changed on disk|being written by another/);
    }
    const [first, second] = [done[0] ? '10' : '1.50', done[1] ? '20' : '2'];
    const both = `\ufeff{"id":"a","n":${first}}\r\n{"id":"ä€😀","n":${second}}\n{"id":"c","n":3}`;
    assert.equal(onDisk(), both);
  });

  it('by a writer that comes too late leave the step of the other one', async () => {
    const other = open();
    async function* slow(): AsyncGenerator<Uint8Array> {
      await other.edit(file, replacing(1, '2', '20'), { title: 'Theirs', record: 1 });
      yield Buffer.from('{"id":"mine"}');
    }
    await refused(
      disk.replaceWhole(file, slow(), await stateOf(file), { title: 'Mine', record: null }),
      /has changed on disk since it was read/,
    );
    assert.deepEqual(await disk.history(file), { undo: 'Theirs', redo: null });
    await disk.step(file, false);
    assert.equal(onDisk(), TEXT);
  });

  it('leave no step where the file could not be written, and what could be made again stays', async () => {
    await edit(0, '1.50', '10', 'One');
    await disk.step(file, false);
    linkSync(file, path.join(folder, 'second-name.jsonl'));
    await refused(edit(1, '2', '20', 'Two'), /more than one name/);
    rmSync(path.join(folder, 'second-name.jsonl'));
    assert.deepEqual(await disk.history(file), { undo: null, redo: 'One' });
    await disk.step(file, true);
    assert.match(onDisk(), /"n":10\}/);
  });

  it('are made also where the journal cannot be written; nothing is offered then', async () => {
    await edit(0, '1.50', '10', 'One');
    rmSync(path.join(folder, 'journal'), { recursive: true });
    writeFileSync(path.join(folder, 'journal'), 'a file in the place of the folder');
    await edit(1, '2', '20', 'Two');
    assert.match(onDisk(), /"n":20/);
    assert.match(logged.join(), /cannot be undone/);
    assert.deepEqual(await disk.history(file), { undo: null, redo: null });
  });

  it('that are older than the journal has room for are let go', async () => {
    disk = open({ ...LIMITS, steps: 2 });
    let text = LINES[0]!;
    for (const digit of ['7', '8', '9']) {
      await edit(0, text.slice(text.indexOf('"n":')), `"n":${digit}}`, digit, [text]);
      text = `{"id":"a","n":${digit}}`;
    }
    await disk.step(file, false);
    await disk.step(file, false);
    assert.deepEqual(await disk.history(file), { undo: null, redo: '8' });
    assert.match(onDisk(), /"n":7\}/);
    const [own] = readdirSync(path.join(folder, 'journal'));
    assert.equal(readdirSync(path.join(folder, 'journal', own!)).length, 3, 'an index and two steps');
  });

  it('of which what is kept is damaged or gone are not taken back', async () => {
    await edit(0, '1.50', '10', 'One');
    const [own] = readdirSync(path.join(folder, 'journal'));
    const [name] = readdirSync(path.join(folder, 'journal', own!)).filter((one) => one.endsWith('.patches'));
    const kept = path.join(folder, 'journal', own!, name!);
    const written = onDisk();
    const packed = readFileSync(kept);
    writeFileSync(kept, packed.toString('latin1').replace('1.50', '6.50'), 'latin1');
    await refused(disk.step(file, false), /what is kept of “One” is damaged/);
    writeFileSync(kept, packed.subarray(0, 10));
    await refused(disk.step(file, false), /is not there any more/);
    assert.equal(onDisk(), written);
  });

  describe('as a whole', () => {
    it('are taken back and made again', async () => {
      await edit(0, '1.50', '10', 'One');
      const before = readFileSync(file);
      const state = await stateOf(file);
      await disk.replaceWhole(file, streamOf('[', '1', ']'), state, { title: 'Convert', record: null });
      assert.equal(onDisk(), '[1]');
      for (let round = 0; round < 2; round++) {
        assert.equal((await disk.step(file, false)).title, 'Convert');
        assert.deepEqual(readFileSync(file), before);
        await disk.step(file, true);
        assert.equal(onDisk(), '[1]');
      }
      await disk.step(file, false);
      await disk.step(file, false);
      assert.equal(onDisk(), TEXT);
    });

    it('are made but not kept where the old version is too large for the journal', async () => {
      disk = open({ ...LIMITS, bytes: 20 });
      const whole = disk.replaceWhole(file, streamOf('[]'), await stateOf(file), { title: 'Convert', record: null });
      await whole;
      assert.equal(onDisk(), '[]');
      assert.deepEqual(await disk.history(file), { undo: null, redo: null });
    });

    it('leave the file as it is where the stream fails, or the file is another one', async () => {
      const state = await stateOf(file);
      async function* failing(): AsyncGenerator<Uint8Array> {
        yield* streamOf('[');
        throw new NotWritten('was cancelled');
      }
      await refused(disk.replaceWhole(file, failing(), state, { title: 'x', record: null }), /was cancelled/);
      assert.equal(onDisk(), TEXT);
      writeFileSync(file, '{}');
      await refused(
        disk.replaceWhole(file, streamOf('[]'), state, { title: 'x', record: null }),
        /has changed on disk/,
      );
      assert.equal(onDisk(), '{}');
    });
  });

  it('by a process that is killed leave the old or the new file, and a journal that fits it', async function () {
    this.timeout(KILLS * 30_000);
    const seen = new Set<number>();
    for (let round = 0; round < KILLS; round++) {
      writeFileSync(file, TEXT);
      const child = fork(path.join(import.meta.dirname, 'endless-writer.ts'), [file, path.join(folder, 'journal')]);
      await once(child, 'message');
      for (let more = 0; more < round; more++) await once(child, 'message');
      child.kill('SIGKILL');
      await once(child, 'exit');
      const found = /"n":(1\.50|\d+)\}\r\n/.exec(onDisk());
      assert.ok(found !== null && onDisk() === TEXT.replace('1.50', found[1]!), onDisk());
      seen.add(found[1] === '1.50' ? 0 : Number(found[1]));
      disk = open();
      const { undo } = await disk.history(file);
      assert.equal(undo, `To ${found[1]}`);
      await disk.step(file, false);
      assert.equal(onDisk(), TEXT.replace('1.50', found[1] === '1' ? '1.50' : String(Number(found[1]) - 1)));
    }
    assert.ok(seen.size > 1, [...seen].join());
  });
});

describe('patches of bytes', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'auditable-qa-patches-'));
    file = path.join(folder, 'data.jsonl');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const character = fc.constantFrom('a', '\n', 'ä', '€', '😀', '\ufeff');

  it('say the same as edits of the text, and their inverses take them back', async () => {
    const cases = fc.record({
      text: fc.array(character, { maxLength: 40 }),
      cuts: fc.array(fc.nat(40), { maxLength: 8 }),
      texts: fc.array(fc.string({ unit: character, maxLength: 3 }), { minLength: 4, maxLength: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ text, cuts, texts }) => {
        const offsets = cuts.map((cut) => text.slice(0, cut).join('').length).sort((a, b) => a - b);
        const edits = texts.flatMap((written, at) => {
          const [start, end] = [offsets[2 * at], offsets[2 * at + 1]];
          return start === undefined || end === undefined ? [] : [{ span: { start, end }, text: written }];
        });
        writeFileSync(file, text.join(''));
        const before = readFileSync(file);
        const patches = await patchesOf(file, edits);
        const after = await bytes(patchedBytes(file, patches));
        assert.deepEqual(after, await bytes(editedBytes(file, edits)));
        writeFileSync(file, after);
        const kept = unpackPatches(Buffer.from(packPatches(inverseOf(patches))))!;
        assert.deepEqual(await bytes(patchedBytes(file, kept)), before);
      }),
      { numRuns: 80 },
    );
  });

  it('are found and made across the pieces in which a file is read', async () => {
    const text = `${'x'.repeat(524_287)}€${'y'.repeat(524_290)}`;
    writeFileSync(file, text);
    const edits = [
      { span: { start: 524_280, end: 524_290 }, text: '1' },
      { span: { start: 524_290, end: 1_048_577 }, text: '2' },
      { span: { start: text.length, end: text.length }, text: '3' },
    ];
    const patches = await patchesOf(file, edits);
    const after = await bytes(patchedBytes(file, patches));
    assert.equal(after.toString(), `${'x'.repeat(524_280)}12y3`);
    writeFileSync(file, after);
    assert.equal((await bytes(patchedBytes(file, inverseOf(patches)))).toString(), text);
  });

  it('are not made where the file holds something else', async () => {
    writeFileSync(file, 'abc');
    for (const at of [0, 2, 3, 9]) {
      const patches = [{ at, removed: Buffer.from('b'), added: Buffer.from('B') }];
      await assert.rejects(bytes(patchedBytes(file, patches)), NotWritten);
    }
  });
});
