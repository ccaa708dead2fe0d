import assert from 'node:assert/strict';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ReportFinding } from '../../schemas/report.ts';
import { docmath, layFolder, reportOf, runCli } from './run.ts';

const ACCEPTED = 'auditable-qa.accepted.jsonl';
const FAST = ['--solutions', 'off', '--pages', 'off'];
const RECORDS = [
  docmath('a'),
  docmath('b', { ground_truth: '150' }),
  docmath('c', { paragraph_evidence: [0, 0] }),
] as const;

/** Everything that was found, by file and code. */
function told(report: ReturnType<typeof reportOf>): string[] {
  return report.files.flatMap(({ path: file, findings }) => findings.map(({ code }) => `${file} ${code}`));
}

describe('auditable-qa check, accepted findings', () => {
  let folder: string;
  let remove: () => Promise<void>;
  const lay = async (files: Readonly<Record<string, string>>): Promise<void> => {
    ({ folder, remove } = await layFolder(files));
  };
  const check = async (...args: string[]) =>
    reportOf(await runCli(['check', '--format', 'json', ...FAST, ...args], { cwd: folder }));
  const accept = async (finding: ReportFinding | undefined, members: object = {}, name = ACCEPTED): Promise<void> => {
    const line = {
      file: 'a.jsonl',
      code: finding?.code,
      fingerprint: finding?.fingerprint,
      reason: 'as printed',
      ...members,
    };
    await appendFile(path.join(folder, name), `${JSON.stringify(line)}\n`);
  };
  afterEach(() => remove());

  it('an accepted finding is not reported and not an error; it is counted', async () => {
    await lay({ 'a.jsonl': `${RECORDS.join('\n')}\n` });
    const before = await check('a.jsonl');
    assert.deepEqual(told(before), ['a.jsonl answer/number-as-text', 'a.jsonl evidence/duplicate-index']);
    assert.equal(before.summary.accepted, undefined);
    await accept(before.files[0]?.findings[0]);
    const after = await runCli(['check', ...FAST, '.'], { cwd: folder });
    assert.doesNotMatch(after.stdout, /number-as-text/);
    assert.match(after.stdout, /0 errors, 1 warning, 0 infos \(not counted: 1 accepted\)\./);
    assert.equal(after.code, 0);
    assert.deepEqual((await check('.')).summary, {
      files: 1,
      records: 3,
      errors: 0,
      warnings: 1,
      infos: 0,
      accepted: 1,
    });
  });

  it('it stays accepted when the record moves, and not when another value stands there', async () => {
    await lay({ 'a.jsonl': `${RECORDS.join('\n')}\n` });
    await accept((await check('a.jsonl')).files[0]?.findings[0]);
    await writeFile(path.join(folder, 'a.jsonl'), `${docmath('z')}\n\n${RECORDS.toReversed().join('\n')}\n`);
    const moved = await check('--rule', 'file/blank-line=off', 'a.jsonl');
    assert.deepEqual(told(moved), ['a.jsonl evidence/duplicate-index']);
    await writeFile(path.join(folder, 'a.jsonl'), `${docmath('b', { ground_truth: '151' })}\n`);
    assert.deepEqual(told(await check('a.jsonl')), [
      'a.jsonl answer/number-as-text',
      `${ACCEPTED} config/stale-acceptance`,
    ]);
  });

  it('holds for its file only, and without a file for the whole folder, not for others', async () => {
    const files = { 'a.jsonl': RECORDS[1], 'b.jsonl': RECORDS[1], 'sub/a.jsonl': RECORDS[1] };
    await lay(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, `${text}\n`])));
    const [finding] = (await check('a.jsonl')).files[0]!.findings;
    await accept(finding);
    assert.deepEqual(told(await check('.')), ['b.jsonl answer/number-as-text', 'sub/a.jsonl answer/number-as-text']);
    await writeFile(path.join(folder, ACCEPTED), '');
    await accept(finding, { file: undefined });
    assert.deepEqual(told(await check('.')), ['sub/a.jsonl answer/number-as-text']);
  });

  it('a stale line is told on its place, once its file was checked as a whole', async () => {
    await lay({ 'a.jsonl': `${RECORDS[0]}\n`, 'b.jsonl': `${RECORDS[1]}\n` });
    const gone = (code: string, at: number) => ({ code, fingerprint: `0123456789abcde${at}` }) as ReportFinding;
    await writeFile(path.join(folder, ACCEPTED), '\n');
    for (const [at, code] of ['answer/number-as-text', 'answer/mismatch', 'box/cuts-text'].entries())
      await accept(gone(code, at));
    // Solutions were not run and pages not looked at: of these rules nobody can tell.
    const report = await check('a.jsonl');
    const [file] = report.files.filter(({ path: shown }) => shown === ACCEPTED);
    assert.deepEqual(
      file?.findings.map(({ code, severity, range, record }) => ({ code, severity, line: range.start.line, record })),
      [{ code: 'config/stale-acceptance', severity: 'info', line: 2, record: null }],
    );
    assert.deepEqual(told(await check('b.jsonl')), ['b.jsonl answer/number-as-text']);
    assert.deepEqual(told(await check('--rule', 'answer/number-as-text=off', 'a.jsonl')), []);
    assert.deepEqual(told(await check('--rule', 'config/stale-acceptance=off', 'a.jsonl')), []);
  });

  it('lines that cannot be used are errors; named along with its files it is no record file', async () => {
    await lay({ 'a.jsonl': `${RECORDS[0]}\n`, [ACCEPTED]: 'oops\n{"fingerprint":"0123456789abcdef","reason":""}\n' });
    const ran = await runCli(['check', '--format', 'json', ...FAST, 'a.jsonl', ACCEPTED], { cwd: folder });
    assert.equal(ran.stderr, '');
    assert.deepEqual(
      reportOf(ran).files.map(({ path: file, findings }) => [file, findings.map(({ code }) => code)]),
      [
        ['a.jsonl', []],
        [ACCEPTED, ['config/invalid-acceptance', 'config/invalid-acceptance']],
      ],
    );
    assert.equal(ran.code, 1);
    const alone = await check(ACCEPTED);
    assert.equal(alone.summary.errors, 2);
  });
});

describe('auditable-qa baseline', () => {
  let folder: string;
  let remove: () => Promise<void>;
  const lay = async (files: Readonly<Record<string, string>>): Promise<void> => {
    ({ folder, remove } = await layFolder(files));
  };
  const run = (...args: string[]) => runCli(args, { cwd: folder });
  afterEach(() => remove());

  it('writes what is known; check reports what is new', async () => {
    await lay({ 'data/a.jsonl': `${RECORDS.join('\n')}\n` });
    const written = await run('baseline', ...FAST, 'data', '-o', 'known/b.json');
    assert.equal(written.code, 2, 'the folder is missing');
    assert.match(written.stderr, /The baseline known\/b\.json does not exist/);
    const ran = await run('baseline', ...FAST, 'data');
    assert.equal(ran.stderr, 'auditable-qa: auditable-qa.baseline.json: 2 findings written\n');
    assert.equal(ran.stdout, '');
    assert.equal(ran.code, 0);
    const text = await readFile(path.join(folder, 'auditable-qa.baseline.json'), 'utf8');
    assert.equal((await run('baseline', ...FAST, 'data', '-o', '-')).stdout, text);
    const same = reportOf(
      await run('check', '--format', 'json', ...FAST, '--baseline', 'auditable-qa.baseline.json', '.'),
    );
    assert.deepEqual(same.summary, { files: 1, records: 3, errors: 0, warnings: 0, infos: 0, known: 2 });

    await appendFile(path.join(folder, 'data/a.jsonl'), `${docmath('d', { ground_truth: '1' })}\n`);
    // From another folder it means the same files.
    const inside = await runCli(
      ['check', '--format', 'json', ...FAST, '--baseline', '../auditable-qa.baseline.json', 'a.jsonl'],
      { cwd: path.join(folder, 'data') },
    );
    assert.deepEqual(told(reportOf(inside)), ['a.jsonl answer/number-as-text']);
    assert.equal(inside.code, 1);
  });

  it('is the same after records have moved, and written over as a whole', async () => {
    await lay({ 'a.jsonl': `${RECORDS.join('\n')}\n` });
    await run('baseline', ...FAST, 'a.jsonl');
    const file = path.join(folder, 'auditable-qa.baseline.json');
    const before = await readFile(file, 'utf8');
    await writeFile(path.join(folder, 'a.jsonl'), `${RECORDS.toReversed().join('\n')}\n`);
    await run('baseline', ...FAST, 'a.jsonl');
    assert.equal(await readFile(file, 'utf8'), before);
  });

  it('leaves accepted findings out', async () => {
    await lay({ 'a.jsonl': `${RECORDS[1]}\n` });
    const report = reportOf(await run('check', '--format', 'json', ...FAST, 'a.jsonl'));
    const { fingerprint } = report.files[0]!.findings[0]!;
    await writeFile(path.join(folder, ACCEPTED), `${JSON.stringify({ fingerprint, reason: 'as printed' })}\n`);
    assert.match((await run('baseline', ...FAST, 'a.jsonl', '-o', '-')).stdout, /"findings":\[\]/);
  });

  it('cannot be written where something could not be looked at, nor read where it is none', async () => {
    await lay({ 'a.jsonl': `${RECORDS[1]}\n`, 'broken.txt': '<<<<<<< HEAD' });
    assert.equal((await run('baseline', ...FAST, 'a.jsonl', 'missing.jsonl')).code, 2);
    await assert.rejects(readFile(path.join(folder, 'auditable-qa.baseline.json')));
    for (const [name, expected] of [
      ['broken.txt', /The baseline broken\.txt is not JSON/],
      ['missing.json', /The baseline missing\.json does not exist/],
    ] as const) {
      const { code, stdout, stderr } = await run('check', ...FAST, '--baseline', name, 'a.jsonl');
      assert.match(stderr, expected);
      assert.equal(stdout, '');
      assert.equal(code, 2);
    }
  });
});
