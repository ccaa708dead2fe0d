/** What is said of files that do not fit, whole or in part. */
import assert from 'node:assert/strict';
import { docmath, layFolder, reportOf, runCli } from './run.ts';

const FAST = ['--solutions', 'off', '--pages', 'off'];
const UNFIT = { 'chat.jsonl': '{"prompt":"Which one?","completion":"That one."}\n' };

describe('auditable-qa check of files that do not fit', () => {
  let folder: string;
  let remove: () => Promise<void>;
  const lay = async (files: Readonly<Record<string, string>>): Promise<void> => {
    ({ folder, remove } = await layFolder(files));
  };
  const check = (...args: readonly string[]) => runCli(['check', ...FAST, ...args], { cwd: folder });
  afterEach(() => remove());

  it('counts lines that are no record, in the report and in the last line', async () => {
    await lay({ 'a.jsonl': `${docmath('a')}\n{"question\n${docmath('b')}\n[1]\n`, 'b.jsonl': `${docmath('c')}\n` });
    const report = reportOf(await check('--format', 'json', '.'));
    assert.deepEqual(
      report.files.map(({ records, unreadable }) => [records, unreadable]),
      [
        [2, 2],
        [1, undefined],
      ],
    );
    assert.deepEqual([report.summary.records, report.summary.unreadable], [3, 2]);
    const { stdout } = await check('.');
    assert.match(stdout, /2 files, 3 records and 2 that cannot be read: 2 errors/);
  });

  it('tells the way out where no profile is near, and where one is', async () => {
    await lay({ ...UNFIT, 'near.jsonl': '{"query":"Which?","doc_name":"d","evidence_page":[1]}\n' });
    for (const command of ['check', 'stats']) {
      const far = await runCli([command, 'chat.jsonl'], { cwd: folder });
      assert.equal(far.code, 2);
      assert.match(
        far.stderr,
        /chat\.jsonl: No profile fits the keys of its records\. To check it all the same, name its profile with --profile NAME; .*"profiles" in auditable-qa\.json .*\("extends"\).*docs\/profiles\.md\n$/,
      );
      const near = await runCli([command, 'near.jsonl'], { cwd: folder });
      assert.match(near.stderr, /the nearest is sciegqa, .* --profile sciegqa; /);
    }
  });

  it('says once what nearly all records lack, with the profile that fits them', async () => {
    const lines = Array.from({ length: 40 }, (_, i) => docmath(`q-${i}`));
    await lay({ 'a.jsonl': `${lines.join('\n')}\n` });
    const ran = await check('--profile', 'sciegqa', '--format', 'json', 'a.jsonl');
    const report = reportOf(ran);
    const required = report.files[0]!.findings.filter(({ code }) => code === 'schema/required');
    assert.deepEqual(
      required.map(({ record, message }) => [record, message.replace(/^All 40 records have no (\w+).*$/, '$1')]),
      [
        [null, 'answer'],
        [null, 'doc_name'],
        [null, 'evidence_page'],
        [null, 'bbox'],
      ],
    );
    assert.match(
      required[0]!.message,
      / requires it\. The keys of the records are those of the profile docmath-eval\.$/,
    );
    assert.equal(
      report.summary.errors,
      report.files[0]!.findings.filter(({ severity }) => severity === 'error').length,
    );
    assert.equal(ran.code, 1);
    const cut = reportOf(await check('--profile', 'sciegqa', '--max-findings', '2', '--format', 'json', 'a.jsonl'));
    assert.deepEqual(cut.summary, report.summary);
  });

  it('points to the field map where no other profile fits', async () => {
    const lines = Array.from({ length: 20 }, (_, i) => JSON.stringify({ id: i, prompt: `Which ${i}?` }));
    await lay({ 'a.jsonl': `${lines.join('\n')}\n` });
    const report = reportOf(await check('--profile', 'docmath-eval', '--format', 'json', 'a.jsonl'));
    assert.match(
      report.files[0]!.findings.find(({ code }) => code === 'schema/required')!.message,
      /^All 20 records have no question\. DocMath-Eval requires it\. Where it stands under another key, .*"extends": "docmath-eval" and "fields"/,
    );
  });

  it('tells single records that lack a field one by one', async () => {
    const lack = (i: number): string => docmath(`q-${i}`, { question: undefined });
    const lines = Array.from({ length: 40 }, (_, i) => (i < 37 ? lack(i) : docmath(`q-${i}`)));
    await lay({
      'a.jsonl': `${lines.join('\n')}\n`,
      'b.jsonl': `${Array.from({ length: 19 }, (_, i) => lack(i)).join('\n')}\n`,
    });
    const report = reportOf(await check('--profile', 'docmath-eval', '--format', 'json', '.'));
    const counts = report.files.map(({ findings }) => findings.filter(({ code }) => code === 'schema/required').length);
    assert.deepEqual(counts, [37, 19]);
  });

  it('what is said once can be a known finding', async () => {
    const lines = Array.from({ length: 25 }, (_, i) => docmath(`q-${i}`, { question: undefined }));
    await lay({
      'a.jsonl': `${lines.join('\n')}\n`,
      'auditable-qa.json': '{"datasets":[{"files":["*.jsonl"],"profile":"docmath-eval"}]}',
    });
    assert.equal((await runCli(['baseline', ...FAST, 'a.jsonl'], { cwd: folder })).code, 0);
    const again = await check('--baseline', 'auditable-qa.baseline.json', '--format', 'json', 'a.jsonl');
    assert.deepEqual(reportOf(again).files[0]!.findings, []);
    assert.equal(again.code, 0);
  });
});
