import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Report } from '../../schemas/report.ts';
import { reportOf, runCli } from '../cli/run.ts';
import { filesIn, isBuilt, layOut, misses, readCases } from './format.ts';

describe('cases', () => {
  const root = mkdtempSync(join(tmpdir(), 'auditable-qa-cases-'));
  const file = readCases();
  const built = [...file.cases, ...file.fileCases].filter(isBuilt);
  const folders = new Map(built.map((one) => [one.name, layOut(file, one, root)]));
  let report: Report;

  before(async () => {
    report = reportOf(await runCli(['check', '.', '--format', 'json'], { cwd: root }));
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  for (const one of built) {
    it(one.name, () => {
      for (const folder of folders.get(one.name) ?? []) {
        const wrong = misses(one, filesIn(report, folder));
        assert.equal(wrong.length, 0, `${one.why}\n  ${wrong.join('\n  ')}`);
      }
    });
  }
});
