import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { StatsReport } from '../../schemas/stats.ts';
import { docmath, layFolder, PROJECT, runCli } from './run.ts';

const DATA = path.resolve(PROJECT, '../shared/data');

const region = (id: number, pages: readonly number[], boxes: readonly number[], members: object = {}): string =>
  JSON.stringify({
    query: `Question ${id}?`,
    answer: 'yes',
    doc_name: id % 2 === 0 ? 'even' : 'odd',
    evidence_page: pages,
    bbox: boxes.map((count) => Array.from({ length: count }, () => [1, 2, 300, 400])),
    subimg_type: boxes.map((count) => Array.from({ length: count }, () => 'table')),
    category: 'cs',
    ...members,
  });

describe('auditable-qa stats', () => {
  let folder: string;
  let remove: () => Promise<void>;
  const lay = async (files: Readonly<Record<string, string>>): Promise<void> => {
    ({ folder, remove } = await layFolder(files));
  };
  const statsOf = (stdout: string): StatsReport => JSON.parse(stdout) as StatsReport;
  afterEach(() => remove());

  it('derives the types from pages and regions', async () => {
    const records = [
      region(1, [1], [1]),
      region(2, [1], [2]),
      region(3, [4, 2], [1, 1]),
      // The same page twice is one page; a page without a region is none of the three.
      region(4, [3, 3], [1, 1]),
      region(5, [1, 2], [1, 0]),
      region(6, [1], [0]),
    ];
    await lay({ 'a.jsonl': `${records.join('\n')}\nnot a record\n` });
    const { code, stdout, stderr } = await runCli(['stats', '--format', 'json', 'a.jsonl'], { cwd: folder });
    assert.equal(stderr, '');
    assert.equal(code, 0);
    const { files, total } = statsOf(stdout);
    const { path: name, profile, ...counted } = files[0]!;
    assert.deepEqual([name, profile], ['a.jsonl', 'sciegqa']);
    assert.deepEqual(counted, total);
    assert.deepEqual(total.types, { SPSR: 1, SPMR: 2, MPMR: 1 });
    assert.deepEqual(total.pages, { '1': 4, '2': 2 });
    assert.deepEqual(total.regions, { '0': 1, '1': 2, '2': 3 });
    assert.deepEqual(total.labels, { table: 8 });
    assert.deepEqual([total.records, total.unreadable, total.documents], [6, 1, 2]);
  });

  it('measures lengths in characters, and adds files up', async () => {
    await lay({
      'a.jsonl': `${docmath('a', { question: '😀ab' })}\n${docmath('b', { question: 'abcdef' })}\n`,
      'b.jsonl': `${region(1, [1], [1])}\n`,
      'other.json': '{"no":"records"}',
    });
    const { files, total } = statsOf((await runCli(['stats', '--format', 'json', '.'], { cwd: folder })).stdout);
    assert.deepEqual(files[0]?.lengths.question, { records: 2, min: 3, mean: 4.5, max: 6 });
    assert.equal(files.length, 2);
    assert.equal(total.records, 3);
    const { stdout } = await runCli(['stats', '.'], { cwd: folder });
    assert.match(stdout, /^a\.jsonl \(docmath-eval\)\n {2}records +2\n/);
    assert.match(stdout, /question length +3 to 6 characters, 4\.5 on average\n/);
    assert.match(stdout, /2 files together\n {2}records +3\n/);
    assert.match(stdout, /types +SPSR 1, SPMR 0, MPMR 0\n/);
  });

  it('says of what kind the answers are, and leaves blank ones out of the lengths', async () => {
    const answered = (id: number, answer: unknown): string => region(id, [1], [1], { answer });
    const lines = [answered(1, 'North'), answered(2, ''), answered(3, null), answered(4, 'South')];
    await lay({
      'a.jsonl': `${lines.join('\n')}\n`,
      'b.jsonl': `${docmath('a')}\n${docmath('b', { paragraphs: [] })}\n`,
    });
    const { files } = statsOf((await runCli(['stats', '--format', 'json', '.'], { cwd: folder })).stdout);
    assert.deepEqual({ ...files[0]?.answers }, { none: 2, text: 2 });
    assert.deepEqual(files[0]?.lengths.answer, { records: 2, min: 5, mean: 5, max: 5 });
    assert.deepEqual({ ...files[1]?.answers }, { number: 2 });
    assert.equal(files[1]?.lengths.answer, undefined);
    assert.equal(files[1]?.lengths.context?.records, 1);
    const { stdout } = await runCli(['stats', 'a.jsonl'], { cwd: folder });
    assert.match(stdout, /answers +none 2, text 2\n/);
  });

  it('values of the data are names only', async () => {
    await lay({
      'a.jsonl': `${region(1, [1], [1], { category: '__proto__', subimg_type: [['constructor\u001b[31m']] })}\n`,
    });
    const { total } = statsOf((await runCli(['stats', '--format', 'json', '.'], { cwd: folder })).stdout);
    assert.deepEqual(Object.entries(total.categories), [['__proto__', 1]]);
    const { stdout } = await runCli(['stats', '.'], { cwd: folder });
    assert.match(stdout, /constructor\\u001b\[31m 1/);
  });

  it('reads standard input, and says what it cannot count', async () => {
    await lay({ 'x.jsonl': '{"no":"profile"}\n' });
    const piped = await runCli(['stats', '--format', 'json', '-'], { cwd: folder, input: region(1, [1], [1]) });
    assert.equal(statsOf(piped.stdout).files[0]?.path, '<stdin>');
    for (const name of ['x.jsonl', 'missing.jsonl']) {
      const { code, stderr } = await runCli(['stats', name], { cwd: folder });
      assert.match(stderr, new RegExp(`^auditable-qa: ${name.replace('.', '\\.')}: `));
      assert.equal(code, 2);
    }
  });
});

describe('auditable-qa stats on real datasets', () => {
  before(function () {
    if (existsSync(DATA)) return;
    console.log('    ../shared/data is missing: skipped');
    this.skip();
  });

  it('benchmark_v2: 749 SPSR, 556 SPMR, 318 MPMR', async () => {
    const { stdout } = await runCli(['stats', '--format', 'json', 'sciegqa/benchmark_v2.jsonl'], { cwd: DATA });
    const { total } = JSON.parse(stdout) as StatsReport;
    assert.equal(total.records, 1623);
    assert.deepEqual(total.types, { SPSR: 749, SPMR: 556, MPMR: 318 });
    assert.deepEqual(total.pages, { '1': 1305, '2': 318 });
  });
});
