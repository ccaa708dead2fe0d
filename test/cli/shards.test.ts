import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFile, lstat, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Ajv } from 'ajv';
import { docmath, layFolder, PROJECT, reportOf, runCli } from './run.ts';
import type { Ran } from './run.ts';

const SHARDS = 3;
const NAMES = Array.from({ length: SHARDS }, (_, i) => `auditable-qa.shard-${i + 1}.json`);

/** Records that need each other to be judged, in two files of one dataset, beside what is accepted, damaged or no record. */
const FILES = {
  'auditable-qa.json': JSON.stringify({
    datasets: [
      { files: ['set/flood.jsonl'], profile: 'docmath-eval' },
      { files: ['set/*.jsonl'], pdf: 'pdf/{doc}.pdf', odd: 1 },
    ],
  }),
  'set/a.jsonl': [
    ...Array.from({ length: 24 }, (_, i) => docmath(`a-${i}`, i % 5 === 0 ? { ground_truth: 151 } : {})),
    docmath('a-1', { question: 'Another question under an id that was there?' }),
    docmath('a-1', { question: 'And again another one?', paragraph_evidence: [7] }),
    docmath('twin', { question: 'What is the sum for a-3, in dollars?' }),
    docmath('gap', { ground_truth: null }),
    docmath('odd', { reviwer: 'R. Demo' }),
    '{"question_id": "broken',
    '',
    '[1]',
  ].join('\n'),
  'set/b.jsonl': [docmath('a-2', { ground_truth: 152 }), docmath('b-1'), docmath('b-1')].join('\r\n') + '\n',
  // Nearly all records lack what is required: told once.
  'set/flood.jsonl': Array.from({ length: 30 }, (_, i) =>
    docmath(`f-${i}`, i === 3 ? {} : { question: undefined }),
  ).join('\n'),
  'set/none.json': '[{"unlike": "anything"}]',
  'set/empty.jsonl': '',
};

describe('auditable-qa check --shard and merge-reports', () => {
  let folder: string;
  let remove: () => Promise<void>;
  const cli = (...args: string[]): Promise<Ran> => runCli(args, { cwd: folder });

  before(async () => {
    ({ folder, remove } = await layFolder(FILES));
    const { files } = reportOf(await cli('check', 'set', '--format', 'json'));
    const [accepted, known] = files.find(({ path: file }) => file.endsWith('a.jsonl'))!.findings;
    assert.ok(accepted !== undefined && known !== undefined);
    const lines = [accepted, { ...accepted, fingerprint: '0123456789abcdef' }].map(({ fingerprint }) =>
      JSON.stringify({ file: 'a.jsonl', fingerprint, reason: 'as published' }),
    );
    await writeFile(path.join(folder, 'set/auditable-qa.accepted.jsonl'), `${lines.join('\n')}\n`);
    const baseline = { file: 'set/a.jsonl', fingerprint: known.fingerprint };
    await writeFile(
      path.join(folder, 'auditable-qa.baseline.json'),
      JSON.stringify({ version: 1, findings: [baseline] }),
    );
    const shards = await Promise.all(NAMES.map((_, i) => cli('check', 'set', '--shard', `${i + 1}/${SHARDS}`)));
    for (const [i, { code, stdout, stderr }] of shards.entries()) {
      assert.equal(code, 0, stderr);
      await writeFile(path.join(folder, NAMES[i]!), stdout);
    }
  });
  after(() => remove());

  it('give together what the check of all gives, in every format', async () => {
    const options = ['--baseline', 'auditable-qa.baseline.json', '--max-findings', '9'];
    await Promise.all(
      ['json', 'sarif', 'text'].map(async (format) => {
        const others = format === 'sarif' ? [] : options;
        const [merged, whole] = await Promise.all([
          cli('merge-reports', ...NAMES.toReversed(), '--format', format, ...others),
          cli('check', 'set', '--format', format, ...others),
        ]);
        assert.deepEqual(merged, whole);
        assert.equal(whole.code, 1);
      }),
    );
    const { stdout } = await cli('check', 'set');
    for (const code of ['duplicate-id', 'duplicate-question', 'conflicting-copy']) assert.match(stdout, RegExp(code));
    assert.match(stdout, /29 of 30 records have no/);
    assert.match(stdout, /1 accepted/);
  });

  it('part the records, with those of a key together', async () => {
    const reports = await Promise.all(
      NAMES.map(async (name) =>
        reportOf({ code: 0, stderr: '', stdout: await readFile(path.join(folder, name), 'utf8') }),
      ),
    );
    const keys = reports.map(
      ({ files }) =>
        new Set(files.flatMap(({ findings }) => findings.map((one) => one.recordKey?.replace(/#\d+$/, '')))),
    );
    for (const key of keys[0]!) if (key !== undefined) assert.ok(!keys[1]!.has(key) && !keys[2]!.has(key), key);
    assert.ok(reports.every(({ summary }) => summary.records > 5));
    const schema: unknown = JSON.parse(await readFile(path.join(PROJECT, 'schemas/report.schema.json'), 'utf8'));
    const check = new Ajv({ strict: true, allowUnionTypes: true }).compile(schema as object);
    for (const report of reports) assert.ok(check(report), JSON.stringify(check.errors));
  });

  it('write the file only once it is whole', async () => {
    const { code, stdout } = await cli('merge-reports', ...NAMES, '-o', 'all.sarif', '--format', 'sarif');
    assert.deepEqual([code, stdout], [1, '']);
    JSON.parse(await readFile(path.join(folder, 'all.sarif'), 'utf8'));
    const refused = await cli('merge-reports', ...NAMES.slice(1), '-o', 'part.sarif');
    assert.equal(refused.code, 2);
    assert.ok((await readdir(folder)).every((name) => !name.includes('part.sarif')));
  });

  it('write through links and into pipes, and leave both what they are', async function () {
    if (process.platform === 'win32') this.skip();
    const at = (name: string): string => path.join(folder, name);
    await writeFile(at('real.txt'), 'old', { mode: 0o600 });
    await symlink('real.txt', at('link.txt'));
    assert.equal((await cli('merge-reports', ...NAMES, '-o', 'link.txt')).code, 1);
    assert.ok((await lstat(at('link.txt'))).isSymbolicLink());
    assert.equal((await lstat(at('real.txt'))).mode & 0o777, 0o600);
    execFileSync('mkfifo', [at('pipe')]);
    const [read] = await Promise.all([readFile(at('pipe'), 'utf8'), cli('merge-reports', ...NAMES, '-o', 'pipe')]);
    assert.equal(read, await readFile(at('real.txt'), 'utf8'));
    assert.ok((await lstat(at('pipe'))).isFIFO());
  });

  it('tell what is missing, twice there, or not of one check', async () => {
    const [one = '', two = '', three = ''] = NAMES;
    await writeFile(
      path.join(folder, 'other.json'),
      (await cli('check', 'set', '--shard', '3/3', '--pages', 'off')).stdout,
    );
    await writeFile(path.join(folder, 'half.json'), (await readFile(path.join(folder, one), 'utf8')).slice(0, -200));
    await writeFile(path.join(folder, 'null.json'), '{"files":[],"shard":null}');
    const told = async (...names: string[]): Promise<string> => {
      const { code, stdout, stderr } = await cli('merge-reports', ...names);
      assert.deepEqual([code, stdout], [2, '']);
      return stderr;
    };
    const answers = await Promise.all([
      told(one, three),
      told(one, two, two),
      told(one, two, 'other.json'),
      told('half.json', two, three),
      told('auditable-qa.json'),
      told('null.json'),
    ]);
    assert.match(answers[0]!, /shard 2\/3 is missing/);
    assert.match(answers[1]!, /both of shard 2\/3/);
    assert.match(answers[2]!, /--pages is on in the first and off in the second/);
    assert.match(answers[3]!, /half\.json is no whole report/);
    assert.match(answers[4]!, /auditable-qa\.json is no report of a shard/);
    assert.match(answers[5]!, /null\.json is no report of a shard/);
  });

  it('tell files that changed, are gone or new, and another configuration', async () => {
    const told = async (): Promise<string> => (await cli('merge-reports', ...NAMES)).stderr;
    const at = (name: string): string => path.join(folder, name);
    await rename(at('set/b.jsonl'), at('b.away'));
    assert.match(await told(), /set\/b\.jsonl is not there/);
    await rename(at('b.away'), at('set/b.jsonl'));
    await writeFile(at('set/c.jsonl'), docmath('c'));
    assert.match(await told(), /set\/c\.jsonl is new/);
    await rm(at('set/c.jsonl'));
    await writeFile(at('auditable-qa.json'), FILES['auditable-qa.json'].replace('"odd":1', '"pageBase":0'));
    assert.match(await told(), /set\/a\.jsonl: its configuration is not the one/);
    await writeFile(at('auditable-qa.json'), FILES['auditable-qa.json']);
    await appendFile(at('set/b.jsonl'), '\n');
    assert.match(await told(), /set\/b\.jsonl is not the file that the shard of .* has checked: it had \d+ bytes/);
    await writeFile(at('set/b.jsonl'), FILES['set/b.jsonl']);
  });

  it('refuse what cannot be merged', async () => {
    const answers = await Promise.all([
      cli('check', 'set', '--shard', '0/3'),
      cli('check', 'set', '--shard', '1/3', '--format', 'sarif'),
      cli('check', '-', '--shard', '1/3'),
      cli('check', 'set', '--shard', '1/3', '--baseline', 'auditable-qa.baseline.json'),
    ]);
    for (const { code } of answers) assert.equal(code, 2);
    assert.match(answers[0].stderr, /Write I\/N/);
    assert.match(answers[1].stderr, /prints JSON only/);
    assert.match(answers[2].stderr, /Standard input has no shards/);
    assert.match(answers[3].stderr, /give it to merge-reports/);
  });
});
