import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, open, symlink, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { docmath, finished, layFolder, reportOf, runCli, start } from './run.ts';

/** Without solutions and pages: what these tests are about needs neither. */
const FAST = ['--solutions', 'off', '--pages', 'off'];
const SOUND = `${docmath('a')}\n${docmath('b')}\n`;
/** One error: the gold is text. */
const FAULTY = `${docmath('a')}\n${docmath('b', { ground_truth: '150' })}\n`;

describe('auditable-qa check', () => {
  let folder: string;
  let remove: () => Promise<void>;
  const lay = async (files: Readonly<Record<string, string | Buffer>>): Promise<void> => {
    ({ folder, remove } = await layFolder(files));
  };
  const check = (...args: string[]) => runCli(['check', ...FAST, ...args], { cwd: folder });
  afterEach(() => remove());

  it('ends with 0 where there is no error', async () => {
    await lay({ 'a.jsonl': SOUND });
    const { code, stdout, stderr } = await check('a.jsonl');
    assert.equal(stderr, '');
    assert.equal(
      stdout,
      '1 file, 2 records: 0 errors, 0 warnings, 0 infos. 0 solutions run: 0 passed, 0 failed, 2 not run.\n',
    );
    assert.equal(code, 0);
  });

  it('ends with 1 where there is one, and names its place, code and record', async () => {
    await lay({ 'a.jsonl': FAULTY });
    const { code, stdout } = await check('a.jsonl');
    const column = docmath('b', { ground_truth: '150' }).indexOf('"150"') + 1;
    const lines = stdout.split('\n');
    assert.match(
      lines[0]!,
      new RegExp(`^a\\.jsonl:2:${column}: error answer/number-as-text .*150.* \\[record 2 “b”\\]$`),
    );
    assert.match(lines[1]!, /1 error, 0 warnings, 0 infos/);
    assert.equal(code, 1);
  });

  it('ends with 0 where only warnings and infos are found', async () => {
    await lay({ 'a.jsonl': FAULTY });
    const { code, stdout } = await check('--rule', 'answer/number-as-text=warning', 'a.jsonl');
    assert.match(stdout, /0 errors, 1 warning/);
    assert.equal(code, 0);
  });

  it('prints the report as JSON, findings in order of place', async () => {
    await lay({ 'b.jsonl': FAULTY, 'a.jsonl': `\n${docmath('b', { ground_truth: '1', odd: 1 })}\n{"question": \n` });
    const ran = await check('--format', 'json', '.');
    const report = reportOf(ran);
    assert.equal(report.version, 1);
    assert.deepEqual(
      report.files.map(({ path, profile, records, truncated }) => ({ path, profile, records, truncated })),
      [
        { path: 'a.jsonl', profile: 'docmath-eval', records: 1, truncated: false },
        { path: 'b.jsonl', profile: 'docmath-eval', records: 2, truncated: false },
      ],
    );
    const places = report.files[0]!.findings.map(({ range }) => range.start.line * 10_000 + range.start.column);
    assert.ok(places.length >= 3);
    assert.deepEqual(
      places,
      places.toSorted((a, b) => a - b),
    );
    const [finding] = report.files[1]!.findings;
    const column = docmath('b', { ground_truth: '150' }).indexOf('"150"') + 1;
    assert.deepEqual(finding && { ...finding, message: '', fingerprint: '' }, {
      code: 'answer/number-as-text',
      severity: 'error',
      message: '',
      record: { index: 1, line: 2, id: 'b' },
      pointer: '/ground_truth',
      range: { start: { line: 2, column }, end: { line: 2, column: column + 5 } },
      fingerprint: '',
      fixes: [{ title: 'Write the number 150', safe: true }],
    });
    assert.match(finding?.fingerprint ?? '', /^[0-9a-f]{16}$/);
    assert.deepEqual(report.solutions, { run: 0, passed: 0, failed: 0, skipped: report.solutions.skipped });
    assert.equal(report.summary.records, 3);
    assert.equal(report.summary.files, 2);
    assert.equal(ran.code, 1);
  });

  it('lists at most so many findings a file, the gravest first, and counts all', async () => {
    const records = Array.from({ length: 20 }, (_, i) =>
      docmath(`r${i}`, i === 15 ? { ground_truth: '1' } : { evidence_pagse: 1 }),
    );
    await lay({ 'a.jsonl': `\n${records[0]}\n\n${records.slice(1).join('\n\n')}\n` });
    const all = reportOf(await check('--format', 'json', 'a.jsonl'));
    const cut = await check('--format', 'json', '--max-findings', '2', 'a.jsonl');
    const [file] = reportOf(cut).files;
    assert.ok(all.files[0]!.findings.length > 2);
    assert.equal(all.files[0]!.truncated, false);
    assert.equal(file?.findings.length, 2);
    assert.equal(file.truncated, true);
    assert.ok(file.findings.some((finding) => finding.severity === 'error'));
    assert.deepEqual(reportOf(cut).summary, all.summary);
    assert.equal(cut.code, 1);
  });

  it('walks folders: ignored files, foreign JSON and link loops left out', async () => {
    await lay({
      '.gitignore': 'out/\n',
      'data/a.jsonl': SOUND,
      'data/b.json': `[${docmath('a')},\n${docmath('b')}]`,
      'data/other.json': '{"name": "no records here"}',
      'data/list.json': '[1, 2, 3]',
      'data/broken.json': '{ // a comment\n}',
      'out/c.jsonl': FAULTY,
      'node_modules/d.jsonl': FAULTY,
    });
    await symlink(path.join(folder, 'data'), path.join(folder, 'data', 'loop'));
    const ran = await check('--format', 'json', '.');
    assert.equal(ran.stderr, '');
    assert.deepEqual(
      reportOf(ran).files.map((file) => file.path),
      ['data/a.jsonl', 'data/b.json'],
    );
    assert.equal(ran.code, 0);
  });

  it('tells a missing path and checks the others', async () => {
    await lay({ 'a.jsonl': SOUND });
    const { code, stdout, stderr } = await check('missing.jsonl', 'a.jsonl');
    assert.equal(stderr, 'auditable-qa: missing.jsonl: does not exist\n');
    assert.match(stdout, /1 file, 2 records/);
    assert.equal(code, 2);
  });

  it('tells a special file and does not wait for it', async () => {
    await lay({ 'a.jsonl': SOUND });
    execFileSync('mkfifo', [path.join(folder, 'pipe.jsonl')]);
    const { code, stderr } = await check('pipe.jsonl', 'a.jsonl');
    assert.match(stderr, /pipe\.jsonl: is neither a file nor a folder/);
    assert.equal(code, 2);
  });

  it('tells that a folder holds no record files', async () => {
    await lay({ 'readme.md': 'text' });
    await mkdir(path.join(folder, 'empty'));
    const { code, stdout, stderr } = await check('.');
    assert.match(stderr, /no record file/);
    assert.match(stdout, /^0 files/);
    assert.equal(code, 2);
  });

  it('tells an empty file', async () => {
    await lay({ 'a.jsonl': '' });
    const { code, stderr } = await check('a.jsonl');
    assert.match(stderr, /a\.jsonl: is empty/);
    assert.equal(code, 2);
    const known = await check('--profile', 'docmath-eval', 'a.jsonl');
    assert.match(known.stderr, /a\.jsonl: is empty/);
    assert.match(known.stdout, /^1 file, 0 records/);
    assert.equal(known.code, 0);
  });

  it('tells a file of blank lines and an empty array, as an empty file', async () => {
    await lay({ 'a.jsonl': '\n\n', 'b.json': '[]', 'c.jsonl': SOUND });
    for (const name of ['a.jsonl', 'b.json']) {
      const { code, stdout, stderr } = await check(name);
      assert.match(stderr, /: holds no record/);
      assert.match(stdout, /^0 files/);
      assert.equal(code, 2);
    }
    const walked = await check('.');
    assert.equal(walked.stderr, '');
    assert.match(walked.stdout, /^1 file,/);
    assert.equal(walked.code, 0);
  });

  it('tells a binary file under .jsonl', async () => {
    await lay({
      'a.jsonl': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0xff, 0xfe, 0x80, 10, 0, 1]),
    });
    const { code, stdout, stderr } = await check('a.jsonl');
    assert.match(stdout, /a\.jsonl:1:\d+: error file\/(encoding|invalid-json)/);
    assert.doesNotMatch(stderr, /\n\s+at /);
    assert.equal(code, 1);
  });

  it('tells the nearest profile of a file that none fits', async () => {
    await lay({
      'a.jsonl': '{"query": "What?", "answer": "This.", "doc_name": "d", "evidence_page": [1]}\n',
      'b.jsonl': SOUND,
    });
    const named = await check('a.jsonl');
    assert.match(named.stderr, /a\.jsonl: .*sciegqa.*bbox/);
    assert.equal(named.code, 2);
    const walked = await check('.');
    assert.equal(walked.stderr, '');
    assert.equal(walked.code, 0);
  });

  it('reads standard input', async () => {
    await lay({});
    const { code, stdout } = await runCli(['check', ...FAST, '-'], { cwd: folder, input: FAULTY });
    assert.match(stdout, /^<stdin>:2:\d+: error answer\/number-as-text/);
    assert.equal(code, 1);
    const array = await runCli(['check', ...FAST, '--format', 'json', '-'], {
      cwd: folder,
      input: `[\n${docmath('a')},\n${docmath('a', { ground_truth: 151 })}\n]`,
    });
    const [file] = reportOf(array).files;
    assert.equal(file?.records, 2);
    assert.deepEqual(
      file.findings.map(({ code, range }) => [code, range.start.line]),
      [
        ['dataset/duplicate-id', 3],
        ['dataset/duplicate-question', 3],
      ],
      'rules across the file find their places without a second reading',
    );
  });

  it('places what rules across the file found', async () => {
    await lay({ 'a.jsonl': `${docmath('a')}\n${docmath('b')}\n${docmath('a', { ground_truth: 151 })}\n` });
    const { stdout } = await check('a.jsonl');
    assert.match(stdout, /^a\.jsonl:3:\d+: error dataset\/duplicate-id .*\[record 3 “a”\]/m);
  });

  it('uses the nearest configuration, or the one that is given', async () => {
    const rules = { 'answer/number-as-text': 'info' };
    await lay({
      'auditable-qa.json': JSON.stringify({ datasets: [{ files: ['**/*.jsonl'], profile: 'docmath-eval', rules }] }),
      'data/a.jsonl': FAULTY,
      'other/strict.json': JSON.stringify({
        datasets: [{ files: ['../data/*.jsonl', '**'], profile: 'docmath-eval' }],
      }),
    });
    assert.equal((await check('data')).code, 0);
    const missing = await check('--config', 'gone.json', 'data');
    assert.match(missing.stderr, /gone\.json does not exist/);
    assert.equal(missing.code, 2);
  });

  it('reports a damaged configuration on its place and checks with the defaults', async () => {
    await lay({
      'auditable-qa.json': '{ "datasets": [ { "files": ["*.jsonl"], }',
      'a.jsonl': FAULTY,
      'b.jsonl': SOUND,
    });
    const { code, stdout } = await check('.');
    const configuration = stdout.split('\n').filter((line) => line.startsWith('auditable-qa.json:'));
    assert.ok(configuration.length >= 1, stdout);
    assert.match(configuration[0]!, /^auditable-qa\.json:1:\d+: error /);
    assert.match(stdout, /a\.jsonl:2:\d+: error answer\/number-as-text/);
    assert.equal(code, 1);
  });

  it('does not take a configuration for a record file', async () => {
    await lay({
      'auditable-qa.json': '{"datasets": [{"files": ["*.json*"], "profile": "docmath-eval"}]}',
      'a.jsonl': SOUND,
    });
    const ran = await check('--format', 'json', 'auditable-qa.json', 'a.jsonl');
    assert.equal(reportOf(ran).summary.records, 2);
  });

  it('tells a file that changed while it was read', async () => {
    await lay({ 'a.jsonl': SOUND });
    // Long enough that it cannot be read at once.
    const line = `${docmath('x', { paragraphs: ['100 and 50 dollars.', 'A sentence that goes on. '.repeat(400)] })}\n`;
    const file = path.join(folder, 'long.jsonl');
    await writeFile(file, Array.from({ length: 5000 }, (_, i) => line.replace('"x"', `"x${i}"`)).join(''));
    for (const change of ['append', 'delete'] as const) {
      const child = start(['check', ...FAST, 'long.jsonl', '--format', 'json'], {
        cwd: folder,
        env: { NODE_OPTIONS: '' },
      });
      child.stdin.end();
      const end = finished(child);
      await opened(child.pid!, file);
      if (change === 'append') {
        const handle = await open(file, 'a');
        await handle.write(`${docmath('late')}\n`);
        await handle.close();
      } else await unlink(file);
      const ran = await end;
      assert.match(ran.stderr, change === 'append' ? /long\.jsonl: changed while/ : /long\.jsonl: was deleted while/);
      assert.equal(ran.code, 2);
      assert.ok(reportOf(ran).summary.records >= 5000);
    }
  });

  it('ends quietly where its reader goes', async () => {
    const many = Array.from({ length: 8000 }, (_, i) => docmath(`r${i}`, { ground_truth: '150' })).join('\n');
    await lay({ 'a.jsonl': many });
    const child = start(['check', ...FAST, 'a.jsonl'], { cwd: folder });
    child.stdin.end();
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    await once(child.stdout, 'data');
    child.stdout.destroy();
    const [code] = (await once(child, 'close')) as [number | null];
    assert.equal(stderr, '');
    assert.equal(code, 2);
  });

  for (const [signal, expected] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    it(`ends at ${signal} with its exit code`, async () => {
      await lay({});
      const child = start(['check', ...FAST, '-'], { cwd: folder });
      child.stdin.on('error', () => undefined);
      const end = finished(child);
      // It reads: the pipe takes more than it can hold.
      const line = Buffer.from(`${docmath('a')}\n`.repeat(2000));
      await new Promise<void>((done) => child.stdin.write(line, () => done()));
      child.kill(signal);
      const { code, stderr } = await end;
      assert.equal(stderr, '');
      assert.equal(code, expected);
    });
  }

  it('shows control characters from data and does not obey them', async () => {
    await lay({ 'a.jsonl': `${docmath('\u001b[31mred\u0007', { ground_truth: '1' })}\n` });
    const { stdout } = await check('a.jsonl');
    assert.match(stdout, /\[record 1 “\\u001b\[31mred\\u0007”\]/);
    assert.doesNotMatch(stdout, /\p{Cc}(?<!\n)/u);
  });
});

/** Resolves once the process has the file open. */
async function opened(pid: number, file: string): Promise<void> {
  const { readdir, readlink } = await import('node:fs/promises');
  for (;;) {
    const descriptors = await readdir(`/proc/${pid}/fd`).catch(() => undefined);
    if (descriptors === undefined) throw new Error('The process ended before it opened the file');
    for (const descriptor of descriptors) {
      if ((await readlink(`/proc/${pid}/fd/${descriptor}`).catch(() => '')) === file) return;
    }
  }
}
