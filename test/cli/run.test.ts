import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { findPython } from '../../server/src/node/native/interpreter.ts';
import { docmath, layFolder, PROJECT, reportOf, runCli } from './run.ts';

const program = (...lines: string[]): string => ['def solution():', ...lines.map((line) => `    ${line}`)].join('\n');

describe('auditable-qa run', () => {
  before(function () {
    if (existsSync(path.join(PROJECT, 'dist/sandbox/child.mjs'))) return;
    console.log('    dist/sandbox is missing: skipped');
    this.skip();
  });
  let folder: string;
  let remove: (() => Promise<void>) | undefined;
  const lay = async (...lines: string[]): Promise<void> => {
    ({ folder, remove } = await layFolder({ 'a.jsonl': `${lines.join('\n')}\n` }));
  };
  afterEach(() => remove?.());

  it('gives value, gold, verdict, error and what was printed', async () => {
    await lay(
      docmath('equal'),
      docmath('wrong', { python_solution: program('print("half way")', 'return 10 ** 30') }),
      docmath('raises', { python_solution: program('x = 1', 'return y') }),
      docmath('imports', { python_solution: program('import os', 'return 150') }),
      docmath('none', { python_solution: null }),
      docmath('odd', { evidence_pagse: 1 }),
    );
    const ran = await runCli(['run', '--format', 'json', 'a.jsonl'], { cwd: folder });
    const report = reportOf(ran);
    const results = report.files[0]?.results ?? [];
    assert.deepEqual(
      results.map(({ record, value, type, gold, verdict, error, stdout }) => [
        record.id,
        value,
        type,
        gold,
        verdict,
        error && [error.type, error.line],
        stdout,
      ]),
      [
        ['equal', '150', 'int', 150, 'equal', null, ''],
        ['wrong', `1${'0'.repeat(30)}`, 'int', 150, 'mismatch', null, 'half way\n'],
        ['raises', null, null, 150, 'error', ['NameError', 3], ''],
        ['imports', null, null, 150, 'skipped', null, ''],
        ['odd', '150', 'int', 150, 'equal', null, ''],
      ],
    );
    assert.deepEqual(report.solutions, { run: 4, passed: 2, failed: 2, skipped: 1 });
    assert.deepEqual(
      report.files[0]?.findings.map(({ code }) => code),
      ['answer/mismatch', 'solution/raises', 'solution/forbidden-import'],
    );
    assert.equal(ran.code, 1);
  });

  it('prints them for people', async () => {
    await lay(docmath('equal'), docmath('wrong', { python_solution: program('print("half way")', 'return 15') }));
    const { code, stdout } = await runCli(['run', 'a.jsonl'], { cwd: folder });
    const lines = stdout.split('\n');
    assert.match(lines[0]!, /^a\.jsonl:1: equal: 150 \(int\), gold 150, [\d.]+ ms \[record 1 “equal”\]$/);
    assert.match(lines[1]!, /^a\.jsonl:2: mismatch: 15 \(int\), gold 150, [\d.]+ ms \[record 2 “wrong”\]$/);
    assert.equal(lines[2], '    | half way');
    assert.match(lines[3]!, /^a\.jsonl:2:\d+: error answer\/mismatch /);
    assert.equal(code, 1);
  });

  it('runs nothing with --solutions off', async () => {
    await lay(docmath('a'));
    const ran = await runCli(['run', '--solutions', 'off', '--format', 'json', 'a.jsonl'], { cwd: folder });
    assert.deepEqual(reportOf(ran).solutions, { run: 0, passed: 0, failed: 0, skipped: 1 });
    assert.equal(reportOf(ran).files[0]?.results?.[0]?.verdict, 'skipped');
    assert.equal(ran.code, 0);
  });

  it('runs solutions with the own Python where the command line asks for it', async function () {
    if (findPython() === undefined) {
      console.log('      skipped: there is no Python on this machine');
      this.skip();
    }
    await lay(
      docmath('equal'),
      docmath('wrong', { python_solution: program('return 15') }),
      docmath('imports', { python_solution: program('import os', 'return 150') }),
    );
    const ran = await runCli(['run', '--solutions', 'python', '--format', 'json', 'a.jsonl'], { cwd: folder });
    const results = reportOf(ran).files[0]?.results ?? [];
    assert.deepEqual(
      results.map(({ value, verdict }) => [value, verdict]),
      [
        ['150', 'equal'],
        ['15', 'mismatch'],
        [null, 'skipped'],
      ],
    );
  });
});
