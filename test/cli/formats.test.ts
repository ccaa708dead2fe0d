import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { RULES } from '../../server/src/core/rules/registry.ts';
import { ODD_FILES, ODD_NAME } from './odd-files.ts';
import { docmath, layFolder, reportOf, runCli } from './run.ts';
import { assertSarif, offsetsOf } from './sarif.ts';
import type { Sarif } from './sarif.ts';
import { isAsKept } from './snapshot.ts';
import { assertWellFormed } from './xml.ts';

const FAST = ['--solutions', 'off', '--pages', 'off'];

describe('report formats', () => {
  let folder: string;
  let remove: () => Promise<void>;
  const lay = async (files: Readonly<Record<string, string>>): Promise<void> => {
    ({ folder, remove } = await layFolder(files));
  };
  const check = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    runCli(['check', ...FAST, ...args], {
      cwd: folder,
      env: { GITHUB_WORKSPACE: '', GITHUB_STEP_SUMMARY: '', ...env },
    });
  const sarifOf = (stdout: string): Sarif => JSON.parse(stdout) as Sarif;
  afterEach(() => remove());

  for (const format of ['text', 'json', 'sarif', 'junit', 'github']) {
    it(`${format}: odd characters are as they are kept`, async () => {
      await lay(ODD_FILES);
      const { code, stdout, stderr } = await check(['--format', format, '.']);
      assert.equal(stderr, '');
      assert.equal(code, 1);
      if (format === 'sarif') {
        const [run] = sarifOf(stdout).runs;
        // Rules come and go; the results are what is kept.
        const results = run!.results.map(({ ruleIndex, ...result }) => (ruleIndex >= 0 ? result : undefined));
        isAsKept('odd.sarif.txt', `${JSON.stringify({ results, invocations: run!.invocations }, null, 2)}\n`);
      } else isAsKept(`odd.${format}.txt`, stdout);
    });
  }

  it('sarif: keeps to the specification, with a help for every rule', async () => {
    await lay(ODD_FILES);
    const { stdout } = await check(['--format', 'sarif', '.']);
    const sarif = sarifOf(stdout);
    assertSarif(sarif);
    const [run] = sarif.runs;
    assert.deepEqual(
      run?.tool.driver.rules.map(({ id }) => id),
      RULES.map(({ code }) => code),
    );
    assert.ok(run.tool.driver.rules.every(({ helpUri }) => helpUri?.endsWith('.md') === true));
    const report = reportOf(await check(['--format', 'json', '.']));
    assert.deepEqual(
      run.results.map(({ ruleId, partialFingerprints }) => [ruleId, Object.values(partialFingerprints)]),
      report.files.flatMap(({ findings }) => findings.map(({ code, fingerprint }) => [code, [fingerprint]])),
    );
  });

  it('sarif: regions hold the values, and the fixes put them right', async () => {
    await lay(ODD_FILES);
    const text = await readFile(path.join(folder, ODD_NAME), 'utf8');
    const { results } = sarifOf((await check(['--format', 'sarif', '.'])).stdout).runs[0]!;
    const placed = (code: string, from = results) => {
      const result = from.find(({ ruleId }) => ruleId === code);
      assert.ok(result, code);
      assert.equal(decodeURIComponent(result.locations[0]!.physicalLocation.artifactLocation.uri), ODD_NAME);
      const [start, end] = offsetsOf(text, result.locations[0]!.physicalLocation.region);
      return { result, value: text.slice(start, end) };
    };
    const { result, value } = placed('answer/number-as-text');
    assert.equal(value, '"1,200"');
    assert.equal(placed('schema/unknown-key').value, '"note😀"');
    const { result: repeated } = placed('evidence/duplicate-index');
    const [first] = repeated.relatedLocations ?? [];
    assert.equal(text.slice(...offsetsOf(text, first!.physicalLocation.region)), '0');
    const [replacement] = result.fixes![0]!.artifactChanges[0]!.replacements;
    const [from, to] = offsetsOf(text, replacement!.deletedRegion);
    const fixed = text.slice(0, from) + replacement!.insertedContent.text + text.slice(to);
    assert.equal((JSON.parse(fixed.split('\n')[0]!) as { ground_truth: unknown }).ground_truth, 1200);
  });

  it('sarif: a repeated id links the first one', async () => {
    await lay({ 'a.jsonl': `${docmath('a')}\n${docmath('b')}\n  ${docmath('a', { ground_truth: 7 })}\n` });
    const { results } = sarifOf((await check(['--format', 'sarif', 'a.jsonl'])).stdout).runs[0]!;
    const repeated = results.find(({ ruleId }) => ruleId === 'dataset/duplicate-id');
    const region = repeated?.relatedLocations?.[0]?.physicalLocation.region;
    assert.equal(repeated?.locations[0]?.physicalLocation.region.startLine, 3);
    assert.equal(region?.startLine, 1);
    const text = await readFile(path.join(folder, 'a.jsonl'), 'utf8');
    assert.equal(text.slice(...offsetsOf(text, region)), '"a"');
  });

  it('sarif: without findings, and where a file is missing, it is whole all the same', async () => {
    await lay({ 'a.jsonl': `${docmath('a')}\n` });
    const none = await check(['--format', 'sarif', 'a.jsonl']);
    assertSarif(sarifOf(none.stdout));
    assert.deepEqual(sarifOf(none.stdout).runs[0]?.invocations, [{ executionSuccessful: true, exitCode: 0 }]);
    const failed = await check(['--format', 'sarif', 'b.jsonl']);
    assertSarif(sarifOf(failed.stdout));
    assert.deepEqual(sarifOf(failed.stdout).runs[0]?.invocations, [{ executionSuccessful: false, exitCode: 2 }]);
    assert.equal(failed.code, 2);
  });

  it('junit: is well-formed, failures are errors only', async () => {
    await lay(ODD_FILES);
    const { stdout } = await check(['--format', 'junit', '.']);
    const tags = assertWellFormed(stdout);
    const suites = tags.filter(({ name }) => name === 'testsuite');
    assert.deepEqual(
      suites.map(({ attributes: { name, tests, failures } }) => ({ name, tests, failures })),
      [
        { name: ODD_NAME, tests: '4', failures: '2' },
        { name: 'sub/sound.jsonl', tests: '1', failures: '0' },
      ],
    );
    assert.equal(tags.filter(({ name }) => name === 'testcase').length, 5);
    assert.equal(tags.filter(({ name }) => name === 'failure').length, 2);
    await remove();
    await lay({ 'a.jsonl': `${docmath('a')}\n` });
    assertWellFormed((await check(['--format', 'junit', 'b.jsonl'])).stdout);
  });

  it('github: ten annotations of a kind, errors first, and how many more there are', async () => {
    const records = Array.from({ length: 40 }, (_, i) =>
      docmath(`r${i}`, i % 2 === 0 ? { ground_truth: String(i) } : { paragraph_evidence: [0, 0], odd: 1 }),
    );
    await lay({ ...ODD_FILES, [ODD_NAME]: `${records.join('\n')}\n` });
    const { stdout, code } = await check(['--format', 'github', ODD_NAME]);
    const lines = stdout.trimEnd().split('\n');
    const kinds = lines.flatMap((line) => /^::(\w+) /.exec(line)?.[1] ?? []);
    const wanted = [10, 10].map((count, i) => Array.from({ length: count }, () => ['error', 'warning'][i]!));
    assert.deepEqual(kinds, [...wanted.flat(), ...kinds.filter((kind) => kind === 'notice')]);
    assert.ok(kinds.filter((kind) => kind === 'notice').length <= 10);
    assert.match(lines.at(-2) ?? '', /^10 errors, 10 warnings\b.* more without annotation/);
    assert.match(lines.at(-1) ?? '', /20 errors, 20 warnings/);
    assert.equal(code, 1);
  });

  it('github: annotations say what the findings say, on the file as the repository knows it', async () => {
    await lay(Object.fromEntries(Object.entries(ODD_FILES).map(([name, text]) => [`in/${name}`, text])));
    const inside = path.join(folder, 'in');
    const env = { GITHUB_WORKSPACE: folder, GITHUB_STEP_SUMMARY: '' };
    const options = { cwd: inside, env };
    const { stdout } = await runCli(['check', ...FAST, '--format', 'github', '.'], options);
    const report = reportOf(await runCli(['check', ...FAST, '--format', 'json', '.'], options));
    const annotations = stdout
      .split('\n')
      .map(readCommand)
      .filter((one) => one !== undefined);
    const { findings } = report.files[0]!;
    assert.equal(annotations.length, findings.length);
    for (const { message, range } of findings) {
      const told = annotations.find((one) => one.message === message && one.line === String(range.start.line));
      assert.equal(told?.file, `in/${ODD_NAME}`);
      assert.equal(told.col, String(range.start.column));
    }
  });

  it('github: the job summary is added to what is there, and shows data as text', async () => {
    await lay({ ...ODD_FILES, 'summary.md': 'before\n' });
    const file = path.join(folder, 'summary.md');
    await check(['--format', 'github', '.'], { GITHUB_STEP_SUMMARY: file });
    const summary = await readFile(file, 'utf8');
    assert.match(summary, /^before\n## Auditable QA\n/);
    assert.doesNotMatch(summary, /<b>/);
    isAsKept('odd.summary.txt', summary);
  });
});

/** Reads a workflow command as the runner does. */
function readCommand(line: string): Readonly<Record<string, string>> | undefined {
  const [, list = '', data = ''] = /^::\w+ ([^:]*)::(.*)$/s.exec(line) ?? [];
  if (list === '') return undefined;
  const undo = (text: string): string =>
    text
      .replaceAll('%0D', '\r')
      .replaceAll('%0A', '\n')
      .replaceAll('%3A', ':')
      .replaceAll('%2C', ',')
      .replaceAll('%25', '%');
  const members = list.split(',').map((member): [string, string] => {
    const at = member.indexOf('=');
    return [member.slice(0, at), undo(member.slice(at + 1))];
  });
  return { ...Object.fromEntries(members), message: undo(data) };
}
