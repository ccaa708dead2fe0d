import assert from 'node:assert/strict';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import type { RunRequest, RunResult } from '../../server/src/core/ports.ts';
import { createResultCache } from '../../server/src/node/sandbox/cache.ts';
import { builtSandbox, LIMITS, openRunner, solve } from './sandbox.ts';

const request = (source: string): RunRequest => ({ source, entryPoint: 'solution', limits: LIMITS });
const result = (repr: string): RunResult => ({
  engine: 'sandbox',
  pythonVersion: '3.13.2',
  value: { kind: 'int', repr },
  stdout: '',
  stdoutTruncated: false,
  ms: 1,
});

describe('results on disk', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'sandbox-cache-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const open = async (identity = 'one', at = folder): Promise<ReturnType<typeof createResultCache>> => {
    const cache = createResultCache(identity, at);
    await cache.loaded;
    return cache;
  };
  const find = (cache: ReturnType<typeof createResultCache>, source: string): string | undefined =>
    cache.get(cache.key(request(source)))?.value?.repr;
  const keep = (cache: ReturnType<typeof createResultCache>, source: string, repr: string, lasting = true): void =>
    cache.put(cache.key(request(source)), result(repr), lasting);
  const segments = (): string[] => readdirSync(folder).map((name) => join(folder, name));

  it('outlive the process that wrote them', async () => {
    const writer = await open();
    for (let at = 0; at < 5000; at++) keep(writer, `s${at}`, String(at));
    keep(writer, 'passing', '1', false);
    await writer.flush();
    const reader = await open();
    assert.deepEqual([find(reader, 's0'), find(reader, 's4999'), find(reader, 's5000')], ['0', '4999', undefined]);
    assert.equal(find(reader, 'passing'), undefined, 'what may differ next time is not written');
    assert.equal(find(writer, 'passing'), '1', 'but is kept in memory');
  });

  it('depend on everything that a run depends on', async () => {
    const cache = await open();
    const keys = [
      cache.key(request('a')),
      cache.key({ ...request('a'), entryPoint: 'other' }),
      cache.key({ ...request('a'), limits: { ...LIMITS, timeoutMs: 1 } }),
      cache.key({ ...request('a'), limits: { ...LIMITS, memoryMb: 1 } }),
      cache.key({ ...request('a'), limits: { ...LIMITS, outputLimit: 1 } }),
      cache.key(request('b')),
      (await open('two')).key(request('a')),
    ];
    assert.equal(new Set(keys).size, keys.length);
    assert.equal(cache.key(request('a')), keys[0]);
  });

  it('survive two writers at once', async () => {
    const [first, second] = [await open(), await open()];
    for (let at = 0; at < 3000; at++) {
      keep(first, `f${at}`, String(at));
      keep(second, `s${at}`, String(at));
      keep(at % 2 ? first : second, `both${at % 10}`, '7');
    }
    await Promise.all([first.flush(), second.flush()]);
    const reader = await open();
    assert.deepEqual([find(reader, 'f2999'), find(reader, 's2999'), find(reader, 'both3')], ['2999', '2999', '7']);
  });

  it('are left out where they are damaged, and only those', async () => {
    const writer = await open();
    for (let at = 0; at < 10; at++) keep(writer, `s${at}`, String(at));
    await writer.flush();
    const [path] = segments();
    const lines = readFileSync(path!, 'utf8').split('\n');
    lines[2] = lines[2]!.replace('"repr":"2"', '"repr":"9"');
    lines[4] = lines[4]!.slice(0, -10);
    lines[6] = 'nonsense\t\u0000';
    // By somebody who knows how checksums are made.
    const checksum = createHash('sha256').update('key{').digest('base64url').slice(0, 22);
    lines.splice(1, 0, `key\t${checksum}\t{`);
    writeFileSync(path!, lines.join('\n'));
    truncateSync(path!, readFileSync(path!).length - 20);
    writeFileSync(join(folder, '00000000-0000-4000-8000-000000000000.jsonl'), Buffer.from([0xff, 0xfe, 0, 10, 9, 9]));
    writeFileSync(join(folder, 'notes.txt'), 'of somebody else');
    mkdirSync(join(folder, '11111111-0000-4000-8000-000000000000.jsonl'));
    const [young, old] = ['2', '3'].map((id) => join(folder, `${id.repeat(8)}-0000-4000-8000-000000000000.jsonl.tmp`));
    for (const unfinished of [young!, old!]) writeFileSync(unfinished, '');
    utimesSync(old!, new Date(0), new Date(0));
    const reader = await open();
    const found = Array.from({ length: 10 }, (_, at) => find(reader, `s${at}`));
    assert.deepEqual(found, ['0', '1', undefined, '3', undefined, '5', undefined, '7', '8', undefined]);
    assert.equal(readFileSync(join(folder, 'notes.txt'), 'utf8'), 'of somebody else');
    assert.deepEqual([existsSync(young!), existsSync(old!)], [true, false]);
  });

  it('are merged when there are many segments', async () => {
    const writers = await Promise.all(Array.from({ length: 40 }, () => open()));
    for (const [at, writer] of writers.entries()) {
      keep(writer, `s${at}`, String(at));
      await writer.flush();
    }
    assert.equal(segments().length, 40);
    assert.equal(find(await open(), 's0'), '0');
    assert.equal(segments().length, 1);
    assert.equal(find(await open(), 's39'), '39');
  });

  it('are done without where there is no place for them', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    const cache = await open('one', file);
    keep(cache, 'a', '1');
    await cache.flush();
    assert.equal(find(cache, 'a'), '1');
  });

  it('hold what is certain and nothing else', async () => {
    const runner = await openRunner({ cacheFolder: folder });
    const body = (text: string): Promise<RunResult> =>
      solve(runner, `def solution():\n    ${text}\n`, { timeoutMs: 1000 });
    await body('return 41 + 1');
    await body('return nothing');
    await body('while True: pass');
    await body('import time; return time.time()');
    await body('import os; return len(os.urandom(3))');
    await body('return float(open("/dev/urandom", "rb", buffering=0).read(1)[0])');
    await runner.dispose();
    const written = segments()
      .map((path) => readFileSync(path, 'utf8'))
      .join('');
    const kept = written
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line.split('\t')[2]!) as RunResult);
    assert.deepEqual(kept.map(({ value, error }) => value?.repr ?? error?.type).sort(), ['42', 'NameError']);
    const again = await openRunner({
      cacheFolder: folder,
      childPath: (await builtSandbox()).childPath,
      pyodideFolder: '/nowhere',
    });
    assert.equal(
      (await solve(again, 'def solution():\n    return 41 + 1\n', { timeoutMs: 1000 })).value?.repr,
      '42',
      'without any process',
    );
    await again.dispose();
  });
});

describe('the snapshot', () => {
  let folder: string;
  let path: string;
  const log: string[] = [];
  before(async () => {
    const { snapshotPath } = await builtSandbox();
    folder = mkdtempSync(join(tmpdir(), 'sandbox-snapshot-'));
    path = join(folder, 'snapshot.br');
    copyFileSync(snapshotPath, path);
    copyFileSync(`${snapshotPath}.json`, `${path}.json`);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));
  beforeEach(() => (log.length = 0));

  async function startsWith(snapshotPath: string | undefined): Promise<void> {
    const { childPath, pyodideFolder } = await builtSandbox();
    const { createSandboxRunner } = await import('../../server/src/node/sandbox/runner.ts');
    const runner = createSandboxRunner({
      childPath,
      pyodideFolder,
      ...(snapshotPath === undefined ? {} : { snapshotPath }),
      workers: 1,
      log: (line) => log.push(line),
    });
    const source = 'import statistics\ndef solution():\n    return statistics.mean([1, 2])\n';
    assert.deepEqual((await solve(runner, source, { timeoutMs: 20_000 })).value, { kind: 'float', repr: '1.5' });
    await runner.dispose();
  }

  it('is used as it ships', async () => {
    await startsWith(path);
    assert.deepEqual(log, []);
  });

  it('is noticed when damaged', async () => {
    const bytes = readFileSync(path);
    bytes[bytes.length >> 1]! ^= 1;
    writeFileSync(path, bytes);
    await startsWith(path);
    assert.match(log.join(), /snapshot is damaged/);
  }).timeout(60_000);

  it('is noticed when it is of another build', async () => {
    const other = brotliCompressSync(Buffer.alloc(1 << 20, 7));
    writeFileSync(path, other);
    writeFileSync(
      `${path}.json`,
      JSON.stringify({ inputs: '', sha256: createHash('sha256').update(other).digest('hex') }),
    );
    await startsWith(path);
    assert.match(log.join(), /snapshot does not fit/);
  }).timeout(60_000);

  it('is done without when it is missing', async () => {
    await startsWith(join(dirname(path), 'absent.br'));
    assert.match(log.join(), /snapshot cannot be read/);
    log.length = 0;
    await startsWith(undefined);
    assert.match(log.join(), /there is no snapshot/);
  }).timeout(60_000);
});
