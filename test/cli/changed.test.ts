import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFile, mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { docmath, layFolder, reportOf, runCli } from './run.ts';

const FAST = ['--solutions', 'off', '--pages', 'off'];
const faulty = (id: string, gold = '150'): string => docmath(id, { ground_truth: gold });

describe('auditable-qa check --changed-since', () => {
  let folder: string;
  let remove: () => Promise<void>;
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  const lay = async (files: Readonly<Record<string, string>>): Promise<void> => {
    ({ folder, remove } = await layFolder(files));
    git('init', '-q', '-b', 'main');
    git('add', '-A');
    git('commit', '-q', '-m', 'first');
  };
  const write = (name: string, text: string): Promise<void> => writeFile(path.join(folder, name), text);
  const changed = (...args: string[]) =>
    runCli(['check', '--format', 'json', ...FAST, '--changed-since', 'main', ...args], { cwd: folder });
  const ids = async (...args: string[]): Promise<(string | null | undefined)[]> =>
    reportOf(await changed(...args)).files.flatMap(({ findings }) => findings.map(({ record }) => record?.id));
  before(function () {
    try {
      execFileSync('git', ['--version'], { stdio: 'ignore' });
    } catch {
      console.log('    git is missing: skipped');
      this.skip();
    }
  });
  afterEach(() => remove());

  it('tells of changed and new lines only', async () => {
    await lay({ 'a.jsonl': ['a', 'b', 'c', 'd'].map((id) => faulty(id)).join('\n') + '\n' });
    assert.deepEqual(await ids('.'), []);
    await write('a.jsonl', `${faulty('a')}\n${faulty('b', '151')}\n${faulty('d')}\n${faulty('e')}\n`);
    assert.deepEqual(await ids('.'), ['b', 'e']);
    const report = reportOf(await changed('.'));
    assert.equal(report.summary.records, 2);
  });

  it('tells of an array element when any of its lines has changed, one inside it is gone included', async () => {
    const pretty = (records: readonly string[]): string =>
      JSON.stringify(
        records.map((record) => JSON.parse(record) as unknown),
        null,
        2,
      );
    await lay({ 'a.json': pretty([faulty('a'), faulty('b'), faulty('c')]) });
    const text = pretty([faulty('a'), faulty('b'), faulty('c')]);
    const at = text.indexOf('"table_evidence"', text.indexOf('"b"'));
    await write('a.json', text.slice(0, at) + text.slice(text.indexOf('"paragraph_evidence"', at)));
    assert.deepEqual(await ids('a.json'), ['b']);
  });

  it('compares with where the branch began, and counts what is not committed', async () => {
    await lay({ 'a.jsonl': `${faulty('a')}\n`, 'other.jsonl': `${faulty('x')}\n` });
    git('checkout', '-q', '-b', 'work');
    await appendFile(path.join(folder, 'a.jsonl'), `${faulty('b')}\n`);
    git('commit', '-q', '-a', '-m', 'work');
    git('checkout', '-q', 'main');
    await write('other.jsonl', `${faulty('x', '7')}\n`);
    git('commit', '-q', '-a', '-m', 'main goes on');
    git('checkout', '-q', 'work');
    await appendFile(path.join(folder, 'a.jsonl'), `${faulty('c')}\n`);
    assert.deepEqual(await ids('.'), ['b', 'c']);
  });

  it('takes files that git does not know, ignored and moved ones, as new', async () => {
    await lay({ 'a.jsonl': `${faulty('a')}\n`, '.gitignore': 'out/\n' });
    await rename(path.join(folder, 'a.jsonl'), path.join(folder, 'sp ace ü.jsonl'));
    await mkdir(path.join(folder, 'out'));
    await write('out/i.jsonl', `${faulty('i')}\n`);
    assert.deepEqual(await ids('sp ace ü.jsonl', 'out/i.jsonl'), ['a', 'i']);
  });

  it('rules across the file see all records', async () => {
    await lay({ 'a.jsonl': `${docmath('same')}\n` });
    await appendFile(path.join(folder, 'a.jsonl'), `${docmath('same', { question: 'Another one, in dollars?' })}\n`);
    const report = reportOf(await changed('a.jsonl'));
    assert.deepEqual(
      report.files[0]?.findings.map(({ code, record }) => [code, record?.index]),
      [['dataset/duplicate-id', 1]],
    );
  });

  it('is the same in shards that are put together', async () => {
    const before = Array.from({ length: 12 }, (_, at) => faulty(`old-${at}`));
    await lay({ 'a.jsonl': `${before.join('\n')}\n`, 'b.jsonl': `${faulty('b')}\n` });
    const fresh = Array.from({ length: 12 }, (_, at) => faulty(`new-${at}`, at % 3 === 0 ? '151' : '150'));
    await write('a.jsonl', `${[...before, ...fresh, docmath('old-3', { question: 'Another one?' })].join('\n')}\n`);
    const whole = reportOf(await changed('.'));
    assert.ok(whole.files.some(({ findings }) => findings.some(({ code }) => code === 'dataset/duplicate-id')));
    for (const shard of [1, 2]) {
      const args = ['check', ...FAST, '--changed-since', 'main', '--shard', `${shard}/2`, '.'];
      const { stdout, stderr } = await runCli(args, { cwd: folder });
      assert.equal(stderr, '');
      await write(`shard-${shard}.txt`, stdout);
    }
    const merging = ['merge-reports', '--format', 'json', 'shard-1.txt', 'shard-2.txt'];
    assert.deepEqual(reportOf(await runCli(merging, { cwd: folder })), whole);
  });

  it('says what git cannot tell', async () => {
    await lay({ 'a.jsonl': `${faulty('a')}\n` });
    const no = await runCli(['check', ...FAST, '--changed-since', 'nowhere', '.'], { cwd: folder });
    assert.match(no.stderr, /There is no revision nowhere/);
    assert.equal(no.code, 2);
    const option = await runCli(['check', ...FAST, '--changed-since=--output=x', '.'], { cwd: folder });
    assert.match(option.stderr, /There is no revision --output=x/);
    const outside = await layFolder({ 'a.jsonl': `${faulty('a')}\n` });
    try {
      const none = await runCli(['check', ...FAST, '--changed-since', 'main', '.'], {
        cwd: outside.folder,
        env: { GIT_CEILING_DIRECTORIES: path.dirname(outside.folder) },
      });
      assert.match(none.stderr, /is not in a git repository/);
      assert.equal(none.code, 2);
    } finally {
      await outside.remove();
    }
  });
});
