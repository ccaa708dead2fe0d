import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Report } from '../../schemas/report.ts';
import { PROJECT, reportOf, runCli } from './run.ts';

const DATA = path.resolve(PROJECT, '../shared/data');
const SANDBOX = path.join(PROJECT, 'dist/sandbox/child.mjs');

/** Good data stays quiet; each figure is that of the published files. */
describe('auditable-qa on real datasets', function () {
  this.timeout(180_000);
  before(function () {
    if (existsSync(DATA) && existsSync(SANDBOX)) return;
    console.log(`    ${existsSync(DATA) ? 'dist/sandbox' : '../shared/data'} is missing: skipped`);
    this.skip();
  });

  const check = async (...args: string[]): Promise<Report> => {
    const ran = await runCli(['check', '--format', 'json', ...args], { cwd: DATA });
    assert.equal(ran.stderr, '');
    return reportOf(ran);
  };
  const told = (report: Report): string[] =>
    report.files.flatMap((file) => file.findings.map(({ severity, code }) => `${severity} ${code}`));

  it('testmini_703: every solution runs and yields its gold', async () => {
    const report = await check('docmath-eval/testmini_703.jsonl');
    assert.deepEqual(report.solutions, { run: 703, passed: 703, failed: 0, skipped: 0 });
    const { files, records, errors, warnings } = report.summary;
    assert.deepEqual({ files, records, errors, warnings }, { files: 1, records: 703, errors: 0, warnings: 0 });
    const ran = await runCli(['run', '--format', 'json', 'docmath-eval/testmini_703.jsonl'], { cwd: DATA });
    const results = reportOf(ran).files[0]?.results ?? [];
    assert.equal(results.length, 703);
    assert.ok(results.every(({ verdict }) => verdict === 'equal'));
    assert.equal(ran.code, 0);
  });

  it('full_shape_119: as lines and as an array, nothing but invisible characters above info', async () => {
    for (const name of ['full_shape_119_reconstructed.jsonl', 'full_shape_119_reconstructed.json']) {
      const report = await check(`docmath-eval/${name}`);
      const above = told(report).filter((one) => !one.startsWith('info'));
      assert.deepEqual(new Set(above), new Set(['warning text/invisible-character']));
      assert.deepEqual(report.solutions, { run: 119, passed: 119, failed: 0, skipped: 0 });
    }
  });

  it('benchmark_v2: 1,623 records, nothing above info, one info on where documents are', async () => {
    const report = await check('sciegqa/benchmark_v2.jsonl');
    assert.equal(told(report).filter((one) => one === 'info page/document-missing').length, 1);
    assert.equal(report.summary.errors + report.summary.warnings, 0);
    assert.equal(report.summary.records, 1623);
  });

  it('2311.07631 with its page images: 22 records, nothing above info', async () => {
    const report = await check('sciegqa/2311.07631.jsonl');
    assert.equal(report.summary.records, 22);
    assert.equal(report.summary.errors + report.summary.warnings, 0);
  });

  it('the converted views: nothing above info', async () => {
    const report = await check('sciegqa/views');
    assert.equal(report.summary.files, 5);
    assert.equal(report.summary.errors + report.summary.warnings, 0);
  });
});
