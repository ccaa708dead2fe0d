import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RULES } from '../../server/src/core/rules/registry.ts';
import type { RuleExample } from '../../server/src/core/rules/types.ts';
import { createCheck } from '../support/check.ts';
import type { Check } from '../support/check.ts';
import { HOME } from './format.ts';

/** Every rule's own examples, as `explain` shows them: the one fires, the other does not. */
describe('examples of the rules', () => {
  let check: Check;
  before(() => {
    check = createCheck();
  });
  after(() => check.dispose());

  async function codes(example: RuleExample, code: string): Promise<string[]> {
    const folder = mkdtempSync(join(tmpdir(), 'auditable-qa-example-'));
    cpSync(join(HOME, 'documents'), join(folder, 'documents'), { recursive: true });
    const text = example.lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
    const configures = code.startsWith('config/');
    writeFileSync(join(folder, configures ? 'auditable-qa.json' : 'a.jsonl'), `${text}\n`);
    if (configures) {
      writeFileSync(join(folder, 'a.jsonl'), '{"question_id":"a","question":"How many?","ground_truth":1.0}\n');
    } else {
      const rules = { [code]: RULES.find((rule) => rule.code === code)?.severity };
      const dataset = {
        files: ['*.jsonl'],
        profile: example.profile,
        pdf: example.profile === 'mmlongbench-doc' ? 'documents/{doc_id}' : 'documents/{doc_name}.pdf',
        pageImage: 'documents/{doc_name}_{page}.png',
        rules,
      };
      writeFileSync(join(folder, 'auditable-qa.json'), JSON.stringify({ datasets: [dataset] }));
    }
    const { report } = await check.run([folder]);
    rmSync(folder, { recursive: true, force: true });
    return report.files.flatMap((file) => file.findings.map((finding) => finding.code));
  }

  for (const rule of RULES) {
    it(`${rule.code} fires on its example and not on the other`, async () => {
      assert.ok((await codes(rule.fires, rule.code)).includes(rule.code), 'does not fire');
      assert.ok(!(await codes(rule.quiet, rule.code)).includes(rule.code), 'fires on the quiet example');
    });
  }
});
