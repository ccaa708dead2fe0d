import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Report } from '../../schemas/report.ts';
import { ACCEPTED_EXAMPLE, ACCEPTED_EXAMPLE_RECORD } from '../../server/src/core/rules/acceptance.ts';
import { RULES } from '../../server/src/core/rules/registry.ts';
import type { Rule, RuleExample } from '../../server/src/core/rules/types.ts';
import { reportOf, runCli } from '../cli/run.ts';
import { filesIn, HOME } from './format.ts';

/** Every rule's own examples, as `explain` shows them: the one fires, the other does not. */
describe('examples of the rules', () => {
  const root = mkdtempSync(join(tmpdir(), 'auditable-qa-examples-'));
  for (const rule of RULES) {
    layOut(rule, rule.fires, join(root, 'fires', rule.code));
    layOut(rule, rule.quiet, join(root, 'quiet', rule.code));
  }
  let report: Report;
  before(async () => {
    report = reportOf(await runCli(['check', '.', '--format', 'json'], { cwd: root }));
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  const codesIn = (folder: string): string[] =>
    filesIn(report, folder).flatMap((file) => file.findings.map((finding) => finding.code));

  for (const rule of RULES) {
    it(`${rule.code} fires on its example and not on the other`, () => {
      assert.ok(codesIn(`fires/${rule.code}`).includes(rule.code), 'does not fire');
      assert.ok(!codesIn(`quiet/${rule.code}`).includes(rule.code), 'fires on the quiet example');
    });
  }
});

function layOut(rule: Rule, example: RuleExample, folder: string): void {
  mkdirSync(folder, { recursive: true });
  cpSync(join(HOME, 'documents'), join(folder, 'documents'), { recursive: true });
  const lines = example.lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  const text = `${lines.join('\n')}\n`;
  if (example.profile === ACCEPTED_EXAMPLE) {
    writeFileSync(join(folder, ACCEPTED_EXAMPLE), text);
    writeFileSync(join(folder, 'a.jsonl'), `${ACCEPTED_EXAMPLE_RECORD}\n`);
    return;
  }
  if (rule.code.startsWith('config/')) {
    writeFileSync(join(folder, 'auditable-qa.json'), text);
    writeFileSync(join(folder, 'a.jsonl'), '{"question_id":"a","question":"How many?","ground_truth":1.0}\n');
    return;
  }
  writeFileSync(join(folder, 'later.jsonl'), text);
  for (const [name, records] of Object.entries(example.files ?? {})) {
    writeFileSync(join(folder, name), records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  }
  const dataset = {
    files: ['*.jsonl'],
    profile: example.profile,
    pdf: example.profile === 'mmlongbench-doc' ? 'documents/{doc_id}' : 'documents/{doc_name}.pdf',
    pageImage: 'documents/{doc_name}_{page}.png',
    // A rule that is off by default shows its example all the same.
    rules: { [rule.code]: rule.severity },
  };
  writeFileSync(join(folder, 'auditable-qa.json'), JSON.stringify({ datasets: [dataset] }));
}
