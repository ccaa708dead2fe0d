import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { createHash, randomInt } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { FileRepair, TextEdit } from '../../../server/src/core/edit/types.ts';
import { locateEdits } from '../../../server/src/node/files/locate.ts';
import { editedBytes, NotWritten, replaceFile, stateOf } from '../../../server/src/node/files/write.ts';

describe('writing files', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'auditable-qa-write-'));
    file = path.join(folder, 'data.jsonl');
    writeFileSync(file, '{"a":1}\n');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  async function* pieces(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
    for (const text of texts) yield await Promise.resolve(Buffer.from(text));
  }

  async function refused(expected: RegExp, written = pieces('new'), state = stateOf(file)): Promise<void> {
    await assert.rejects(replaceFile(file, written, await state), (error) => {
      assert.ok(error instanceof NotWritten, String(error));
      assert.match(error.message, expected);
      return true;
    });
  }

  it('puts the new version in the place of the old one and leaves nothing behind', async () => {
    chmodSync(file, 0o640);
    await replaceFile(file, pieces('{"a"', ':2}\n'), await stateOf(file));
    assert.equal(readFileSync(file, 'utf8'), '{"a":2}\n');
    assert.equal(statSync(file).mode & 0o777, 0o640);
    assert.deepEqual(readdirSync(folder), ['data.jsonl']);
  });

  it('keeps modes that the mask for new files forbids', async () => {
    chmodSync(file, 0o666);
    await replaceFile(file, pieces('new'), await stateOf(file));
    assert.equal(statSync(file).mode & 0o777, 0o666);
  });

  it('writes files whose names are as long as file systems take', async () => {
    const long = path.join(folder, `${'ü'.repeat(125)}.json`);
    writeFileSync(long, 'old');
    await replaceFile(long, pieces('new'), await stateOf(long));
    assert.equal(readFileSync(long, 'utf8'), 'new');
    assert.equal(readdirSync(folder).length, 2);
  });

  it('writes through links', async () => {
    const link = path.join(folder, 'link.jsonl');
    symlinkSync('data.jsonl', link);
    await replaceFile(link, pieces('new'), await stateOf(link));
    assert.equal(readlinkSync(link), 'data.jsonl');
    assert.equal(readFileSync(file, 'utf8'), 'new');
  });

  it('refuses a file that has other bytes, even of the same size and time', async () => {
    const state = await stateOf(file);
    const { atime, mtime } = statSync(file);
    writeFileSync(file, '{"a":7}\n');
    utimesSync(file, atime, mtime);
    await refused(/^has changed on disk since it was read/, pieces('new'), Promise.resolve(state));
    assert.equal(readFileSync(file, 'utf8'), '{"a":7}\n');
    assert.deepEqual(readdirSync(folder), ['data.jsonl']);
  });

  it('refuses a file that changes while the new version is written', async () => {
    async function* meanwhile(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('new');
      writeFileSync(file, 'somebody else');
      yield await Promise.resolve(Buffer.from('er'));
    }
    await refused(/^has changed on disk/, meanwhile());
    assert.equal(readFileSync(file, 'utf8'), 'somebody else');
  });

  it('refuses a file with a second name, which would keep the old version', async () => {
    linkSync(file, path.join(folder, 'second.jsonl'));
    await refused(/hard links/);
  });

  it('refuses a file that may only be read, which a new one in its place would get around', async () => {
    chmodSync(file, 0o444);
    await refused(/^is read-only$/);
    assert.equal(statSync(file).mode & 0o777, 0o444);
  });

  it('waits for no other writer at work, and takes no notice of one that is gone', async () => {
    const lock = path.join(folder, '.data.jsonl.auditable-qa-lock.tmp');
    writeFileSync(lock, `${process.pid} 1 ${hostname()}`);
    await refused(/^is just being written by another window or program; try again$/);
    writeFileSync(lock, '1 1 another-machine');
    await refused(/being written by another/);
    assert.equal(readFileSync(file, 'utf8'), '{"a":1}\n');
    // No process has a number as high as that.
    writeFileSync(lock, `${2 ** 30} 1 ${hostname()}`);
    await replaceFile(file, pieces('new'), await stateOf(file));
    writeFileSync(lock, '1 1 another-machine');
    utimesSync(lock, new Date(0), new Date(0));
    await replaceFile(file, pieces('newer'), await stateOf(file));
    assert.equal(readFileSync(file, 'utf8'), 'newer');
    assert.deepEqual(readdirSync(folder), ['data.jsonl']);
  });

  it('cleans up where the new version cannot be made', async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield await Promise.resolve(Buffer.from('half'));
      throw new NotWritten('holds bytes that are not UTF-8; they would be lost');
    }
    await refused(/not UTF-8/, broken());
    assert.equal(readFileSync(file, 'utf8'), '{"a":1}\n');
    assert.deepEqual(readdirSync(folder), ['data.jsonl']);
  });

  it('says so where the file is gone', async () => {
    const state = await stateOf(file);
    rmSync(file);
    await refused(/^does not exist$/, pieces('new'), Promise.resolve(state));
  });

  it('removes what a killed program left long ago, and nothing young', async () => {
    const [old, young] = ['1-aa', '2-bb'].map((name) => path.join(folder, `.data.jsonl.auditable-qa-${name}.tmp`));
    writeFileSync(old!, 'half');
    writeFileSync(young!, 'half');
    utimesSync(old!, new Date(0), new Date(0));
    await replaceFile(file, pieces('new'), await stateOf(file));
    assert.deepEqual(readdirSync(folder).sort(), ['.data.jsonl.auditable-qa-2-bb.tmp', 'data.jsonl']);
  });

  it('the same of folders, which are as young as what is in them', async () => {
    for (const [name, time] of [
      ['1-aa', 0],
      ['2-bb', Date.now()],
    ] as const) {
      const at = path.join(folder, `.data.jsonl.auditable-qa-${name}.tmp`);
      mkdirSync(at);
      writeFileSync(path.join(at, 'part'), 'half');
      utimesSync(path.join(at, 'part'), new Date(time), new Date(time));
      utimesSync(at, new Date(0), new Date(0));
    }
    await replaceFile(file, pieces('new'), await stateOf(file));
    assert.deepEqual(readdirSync(folder).sort(), ['.data.jsonl.auditable-qa-2-bb.tmp', 'data.jsonl']);
  });

  describe('edits on their way', () => {
    async function rewritten(
      bytes: string | Buffer,
      editsOf: (text: string) => readonly TextEdit[],
      repairs: readonly FileRepair[] = [],
    ): Promise<string> {
      writeFileSync(file, bytes);
      const { edits } = await locateEdits(
        file,
        { form: 'lines', records: undefined },
        ({ text }) => editsOf(text),
        repairs,
      );
      const out: Buffer[] = [];
      for await (const piece of editedBytes(file, edits)) out.push(Buffer.from(piece));
      return Buffer.concat(out).toString();
    }
    const none = (): readonly TextEdit[] => [];
    const shout = (text: string): readonly TextEdit[] =>
      [...text.matchAll(/é/g)].map(({ index }) => ({ span: { start: index, end: index + 1 }, text: 'E' }));

    it('keep mark, line ends and blanks of a file', async () => {
      const text = '\ufeff{"a": "é😀é"}\r\n\n {"b":1.0}\t\r\n{"c":"é"}';
      assert.equal(await rewritten(text, shout), text.replaceAll('é', 'E'));
    });

    it('are made across the borders of pieces', async () => {
      // Three bytes a character and pieces of 2^19: borders fall into characters.
      const text = `{"a":"${'€é'.repeat(150_000)}"}\n{"b":"é"}\n`;
      assert.equal(await rewritten(text, shout), text.replaceAll('é', 'E'));
    });

    it('of the file are made where its lines are', async () => {
      const text = '\ufeff\n{"a":1}\r\n\r\n\n\ufeff{"b":2}\n  ';
      const repairs: FileRepair[] = [
        { kind: 'byteOrderMark', line: 0, column: 0 },
        { kind: 'blankLines', line: 0, count: 1 },
        { kind: 'blankLines', line: 2, count: 2 },
        { kind: 'byteOrderMark', line: 4, column: 0 },
        { kind: 'blankLines', line: 5, count: 1 },
      ];
      assert.equal(await rewritten(text, none, repairs), '{"a":1}\r\n{"b":2}\n');
    });

    it('of line ends change the others only', async () => {
      const text = '{"a":"\\r\\n"}\r\n{"b":2}\n{"c":\r3}\r\n';
      const toLf: FileRepair = { kind: 'lineEnds', end: '\n' };
      const toCrLf: FileRepair = { kind: 'lineEnds', end: '\r\n' };
      assert.equal(await rewritten(text, none, [toLf]), text.replaceAll('\r\n', '\n'));
      assert.equal(await rewritten(text, none, [toCrLf]), text.replace('2}\n', '2}\r\n'));
    });

    it('are refused where bytes would be lost', async () => {
      const bytes = Buffer.from('{"a":"x"}\n');
      bytes[6] = 0xe4;
      await assert.rejects(rewritten(bytes, none), NotWritten);
      await assert.rejects(rewritten(Buffer.from('\ufeff{"a":1}\n', 'utf16le'), none), NotWritten);
    });
  });
});

/** 10 MB of records: writing them takes long enough to be hit. */
const RECORDS = 100_000;
const KILLS = process.env['SOAK'] === undefined ? 4 : 200;

describe('a writer that is killed', () => {
  it('leaves the old or the new version', async function () {
    this.timeout(KILLS * 30_000);
    const folder = mkdtempSync(path.join(tmpdir(), 'auditable-qa-crash-'));
    try {
      const file = path.join(folder, 'data.jsonl');
      const versionOf = (word: string): string =>
        Array.from(
          { length: RECORDS },
          (_, i) => `{"id":${i},"question":"${'x'.repeat(60)}","answer":"${word}"}\n`,
        ).join('');
      const whole = new Map(['old', 'replaced'].map((word) => [hashOf(versionOf(word)), word]));
      writeFileSync(file, versionOf('old'));
      let unfinished = 0;
      for (let kill = 0; kill < KILLS; kill++) {
        const child = fork(path.join(import.meta.dirname, 'writer.ts'), [file, 'old', 'replaced']);
        const ended = once(child, 'exit');
        await once(child, 'message');
        await pause(randomInt(500));
        child.kill('SIGKILL');
        await ended;
        assert.ok(whole.has(hashOf(readFileSync(file))), `neither version after kill ${kill}`);
        const left = readdirSync(folder).filter((name) => name.endsWith('.tmp'));
        unfinished += left.length;
        for (const name of left) rmSync(path.join(folder, name));
      }
      assert.ok(unfinished > 0, 'no kill hit a writer at work');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

function hashOf(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
