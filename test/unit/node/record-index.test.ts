import assert from 'node:assert/strict';
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createNesting } from '../../../server/src/core/text/nested.ts';
import { readRecords } from '../../../server/src/core/text/reader.ts';
import type { FileForm } from '../../../server/src/core/text/types.ts';
import { decodeBytes } from '../../../server/src/node/files/decode.ts';
import { buildIndex } from '../../../server/src/node/index/build.ts';
import { createIndexCache } from '../../../server/src/node/index/index-cache.ts';
import { openIndexed } from '../../../server/src/node/index/indexed-file.ts';
import type { IndexedFile } from '../../../server/src/node/index/indexed-file.ts';
import { indexFile } from '../../../server/src/node/index/indexer.ts';
import type { RecordIndex } from '../../../server/src/node/index/record-index.ts';
import { withPlainLines } from '../../../server/src/node/index/record-index.ts';

const WORKER = new URL('../../../server/src/node/index/index-worker.ts', import.meta.url);
const NESTED = '/qas/*';

/** Numbers below `limit`, the same in each run. */
function dice(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

const WORDS = ['plain', 'größe', '漢字かな', '😀😀', 'a\\"b', '{[,', 'x'.repeat(700), '\\u0041\\n'];

function elementOf(roll: (limit: number) => number, at: number, isNested: boolean): unknown {
  const word = (): string => JSON.parse(`"${WORDS[roll(WORDS.length)]}"`) as string;
  const own = { id: `r${at}`, text: Array.from({ length: roll(5) }, word), ends: word() };
  if (!isNested) return own;
  return {
    ...own,
    qas: Array.from({ length: roll(4) }, (_, one) => ({ question: `${word()} ${one}?`, answer: word() })),
  };
}

function fileOf(roll: (limit: number) => number, form: FileForm, isNested: boolean): string {
  const elements = Array.from({ length: 40 }, (_, at) => elementOf(roll, at, isNested));
  if (form === 'lines') {
    const gap = (): string => (roll(9) === 0 ? '\n\n' : '\n');
    return `${roll(2) === 0 ? '\ufeff' : ''}${elements.map((one) => JSON.stringify(one) + gap()).join('')}`;
  }
  const end = roll(2) === 0 ? '\r\n' : '\n';
  const pretty = roll(3);
  const between = pretty === 0 ? ', ' : `,${end}`;
  const texts = elements.map((one) => JSON.stringify(one, null, pretty).replaceAll('\n', end));
  return `${roll(2) === 0 ? '\ufeff' : ''}[${texts.join(between)}]${end}`;
}

describe('the index of a record file', () => {
  let folder: string;
  let file: string;
  const opened: IndexedFile[] = [];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'auditable-qa-index-'));
    file = join(folder, 'records.jsonl');
  });
  afterEach(() => {
    for (const one of opened.splice(0)) one.close();
    rmSync(folder, { recursive: true, force: true });
  });

  function open(index: RecordIndex, cacheFolder?: string): IndexedFile {
    const indexed = openIndexed(file, index, createIndexCache(cacheFolder));
    opened.push(indexed);
    return indexed;
  }

  const build = (form: FileForm, records?: string): RecordIndex => buildIndex({ file, form, records }, () => undefined);

  /** As the reader of whole texts has it. */
  function compare(form: FileForm, records: string | undefined, what: string): IndexedFile {
    const { text, fault } = decodeBytes(readFileSync(file));
    const read = readRecords(text, form);
    const nesting = createNesting(records);
    const slots = nesting.expand(read.slots);
    const indexed = open(build(form, records));
    const { places, faults } = indexed.index;
    assert.equal(places.count, slots.length, what);
    for (const [at, slot] of slots.entries()) {
      assert.equal(indexed.textOf(at), slot.text, `${what}, record ${at}`);
      assert.equal(indexed.elementTextOf(at), slot.outer?.text ?? null, `${what}, element of record ${at}`);
      const place = [places.lines[at], places.columns[at], places.offsets[at]];
      assert.deepEqual(place, [slot.line, slot.column, slot.offset], `${what}, record ${at}`);
    }
    assert.deepEqual(faults, [...(fault === undefined ? [] : [fault]), ...read.faults, ...nesting.faults], what);
    return indexed;
  }

  it('has the records where the reader of whole texts has them, in any form and script', () => {
    const roll = dice(7);
    for (let round = 0; round < 30; round++) {
      const form = round % 3 === 0 ? 'lines' : 'json';
      const records = round % 2 === 0 ? NESTED : undefined;
      writeFileSync(file, fileOf(roll, form, records !== undefined));
      compare(form, records, `round ${round}`);
    }
  });

  it('has them behind bytes that are no UTF-8, and across the pieces in which it reads', () => {
    const lines = Array.from({ length: 300 }, (_, at) =>
      JSON.stringify({ id: at, text: WORDS[at % 8]!.repeat(1 + (at % 90)) }),
    );
    const bytes = Buffer.from(`${lines.join('\n')}\n`);
    assert.ok(bytes.length > 3 * 65536);
    for (let at = 1000; at < bytes.length; at += 777) if (bytes[at]! >= 0x80) bytes[at] = 0xc3;
    writeFileSync(file, bytes);
    compare('lines', undefined, 'broken bytes');
    // Of a Cyrillic page: every letter looks like the first byte of a character.
    const word = Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2, 0x20, 0xec, 0xe8, 0xf0, 0xf3]);
    const parts = Array.from({ length: 6000 }, (_, at) => [
      Buffer.from(`{"id": ${at}, "text": "${'x'.repeat(90 + (at % 7))}`),
      ...Array.from({ length: at < 40 ? 0 : 6 }, () => word),
      Buffer.from('"}\n'),
    ]);
    writeFileSync(file, Buffer.concat(parts.flat()));
    compare('lines', undefined, 'another encoding');
  });

  it('says of a file that is no text that it is none', () => {
    writeFileSync(file, Buffer.from('{"id": 1}\n'.repeat(900), 'utf16le'));
    const index = build('lines');
    assert.equal(index.places.count, 0);
    assert.deepEqual(
      index.faults.map(({ code }) => code),
      ['file/encoding'],
    );
  });

  it('takes nothing else for a record that is not there any more', () => {
    writeFileSync(file, '{"id": 1}\n{"id": 2}\n');
    const indexed = open(build('lines'));
    assert.equal(indexed.textOf(1), '{"id": 2}');
    const { atime, mtime } = statSync(file);
    writeFileSync(file, '{"id": 3}\n{"id": 4}\n');
    utimesSync(file, atime, mtime);
    assert.equal(indexed.textOf(1), undefined);
    writeFileSync(file, '');
    assert.equal(indexed.textOf(0), undefined);
    assert.equal(indexed.isCurrent(), false);
  });

  it('is brought in step after edits of records as if the file had been read again', () => {
    const roll = dice(11);
    let updates = 0;
    for (let round = 0; round < 60; round++) {
      const form = round % 3 === 0 ? 'lines' : 'json';
      const records = round % 2 === 0 ? NESTED : undefined;
      writeFileSync(file, fileOf(roll, form, records !== undefined));
      const indexed = open(build(form, records));
      const { count } = indexed.index.places;
      const chosen = [...new Set([roll(count), roll(count), roll(count)])].sort((a, b) => a - b);
      const patches = chosen.flatMap((record) => {
        const text = withPlainLines(indexed.textOf(record)!);
        const start = text.indexOf('"', text.indexOf(':')) + 1;
        if (start === 0) return [];
        const written = roll(4) === 0 ? `",\n"more": "` : WORDS[roll(4)]!;
        const isBreak = form === 'lines' && written.includes('\n');
        return indexed.patchesOf(record, [{ span: { start, end: start }, text: isBreak ? 'x' : written }])!;
      });
      const before = readFileSync(file);
      const pieces: Uint8Array[] = [];
      let at = 0;
      for (const { at: start, removed, added } of patches) {
        assert.deepEqual(before.subarray(start, start + removed.length), Buffer.from(removed));
        pieces.push(before.subarray(at, start), added);
        at = start + removed.length;
      }
      writeFileSync(file, Buffer.concat([...pieces, before.subarray(at)]));
      const fresh = build(form, records);
      const updated = indexed.updated(patches, fresh.stamp);
      if (updated === undefined) continue;
      updates++;
      assert.deepEqual(updated.index, fresh, `round ${round}`);
      if (records === undefined) assert.deepEqual([...updated.changed], chosen);
    }
    assert.ok(updates > 20, `${updates} updates`);
  });

  it('takes a pass where records came or went, or where it cannot be sure', () => {
    writeFileSync(file, '{"id": 1}\n{"id": 2}\n');
    const { stamp } = build('lines');
    const updated = (at: number, removed: string, added: string): unknown => {
      writeFileSync(file, '{"id": 1}\n{"id": 2}\n');
      const indexed = open(build('lines'));
      const text = readFileSync(file, 'utf8');
      writeFileSync(file, text.slice(0, at) + added + text.slice(at + removed.length));
      return indexed.updated([{ at, removed: Buffer.from(removed), added: Buffer.from(added) }], stamp);
    };
    assert.ok(updated(7, '1', '17'));
    assert.equal(updated(10, '', '{"id": 9}\n'), undefined);
    assert.equal(updated(9, '\n', ''), undefined);
    assert.equal(updated(7, '1', '1}\n{"id": 3'), undefined);
    assert.ok(updated(7, '1', '11}'));
  });

  it('takes a pass where other elements of an array may begin or end, or have records', () => {
    const updated = (text: string, at: string, removed: string, added: string, records?: string): unknown => {
      writeFileSync(file, text);
      const indexed = open(build('json', records));
      const place = text.indexOf(at) + at.indexOf(removed || '|');
      const start = removed === '' ? text.indexOf(at) + at.length : place;
      writeFileSync(file, text.slice(0, start) + added + text.slice(start + removed.length));
      const fresh = build('json', records);
      const found = indexed.updated(
        [{ at: start, removed: Buffer.from(removed), added: Buffer.from(added) }],
        fresh.stamp,
      );
      if (found !== undefined) assert.deepEqual(found.index, fresh, `${at} -> ${added}`);
      return found;
    };
    const flat = '[{"id": 1, "a": [1]},\n{"id": 2}]\n';
    assert.ok(updated(flat, '"id": 1', '1', '17'));
    // No JSON any more: it reaches into what follows.
    assert.equal(updated(flat, '"id":', '', '{'), undefined);
    const nested =
      '[{"id": 1, "qas": [{"q": 1}]},\n{"id": 2, "qaz": [{"q": 2}, {"q": 3}]}, {"id": 4,\n"qas": [{"q": 4}]}]\n';
    assert.ok(updated(nested, '"q": 1', '1', '11', NESTED));
    // An element that had no records may have some now, and the other way round.
    assert.equal(updated(nested, '"qaz"', 'z', 's', NESTED), undefined);
    assert.equal(updated(nested.replace('qaz', 'qas'), '"qas": [{"q": 2}', 's', 'z', NESTED), undefined);
    // The next element begins in the line in which it ends, and its records do not.
    updated(nested.replace('qaz', 'qas'), '"id": 2', '2', '2000', NESTED);
  });

  it('is kept, and found for the same file only', async () => {
    const cacheFolder = join(folder, 'cache');
    const ask = async (): Promise<boolean> => {
      const found = await indexFile(WORKER, { file, form: 'lines', records: undefined, cacheFolder });
      assert.ok('file' in found, JSON.stringify(found));
      opened.push(found.file);
      assert.deepEqual(found.file.index, build('lines'));
      return found.isFromCache;
    };
    writeFileSync(file, fileOf(dice(3), 'lines', false));
    assert.equal(await ask(), false);
    assert.equal(await ask(), true);
    const [name] = readdirSync(cacheFolder);
    const kept = join(cacheFolder, name!);
    const whole = readFileSync(kept);
    for (const damage of [
      (bytes: Buffer) => bytes.subarray(0, bytes.length - 8),
      (bytes: Buffer) => bytes.subarray(0, 20),
      (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc(8)]),
      (bytes: Buffer) => bytes.fill(1, bytes.length - 40, bytes.length - 32),
      () => Buffer.from('something else'),
    ]) {
      writeFileSync(kept, damage(Buffer.from(whole)));
      assert.equal(await ask(), false);
      assert.equal(await ask(), true);
    }
    appendFileSync(file, '{"id": "late"}\n');
    assert.equal(await ask(), false);
    // The same size and time, other bytes at its end.
    const { atime, mtime } = statSync(file);
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace('"late"', '"last"'));
    utimesSync(file, atime, mtime);
    assert.equal(await ask(), false);
    assert.deepEqual(readdirSync(cacheFolder), [name]);
  });

  it('says why a file has none', async () => {
    const found = await indexFile(WORKER, { file, form: 'lines', records: undefined });
    assert.deepEqual(found, { problem: 'does not exist' });
  });
});
