import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Report } from '../../schemas/report.ts';
import { RULES } from '../../server/src/core/rules/registry.ts';
import { reportOf, runCli } from '../cli/run.ts';
import { filesIn } from './format.ts';
import { answerGroups } from './variants/answer.ts';
import { layBoxDocuments, boxGroups } from './variants/box.ts';
import type { Group } from './variants/build.ts';
import { faultsOf, layGroup, tell } from './variants/check.ts';
import { evidenceGroups } from './variants/evidence.ts';
import { fileGroups } from './variants/file.ts';
import { layPageDocuments, pageGroups } from './variants/page.ts';
import { schemaGroups } from './variants/schema.ts';
import { solutionGroups } from './variants/solution.ts';

const GROUPS: readonly Group[] = [
  ...answerGroups,
  ...solutionGroups,
  ...evidenceGroups,
  ...pageGroups,
  ...boxGroups,
  ...fileGroups,
  ...schemaGroups,
];

describe('variants', () => {
  const root = mkdtempSync(join(tmpdir(), 'auditable-qa-variants-'));
  let report: Report;

  before(async () => {
    for (const group of GROUPS) layGroup(group, root);
    await layBoxDocuments(root);
    layPageDocuments(root);
    const ran = await runCli(['check', '.', '--format', 'json', ...othersOff()], { cwd: root });
    report = reportOf(ran);
    if (process.env['SHOW_VARIANTS'] !== undefined) show(report);
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  it('have names of their own', () => {
    const names = GROUPS.flatMap((group) => group.variants.map((variant) => `${group.name}/${variant.name}`));
    assert.deepEqual(
      names.filter((name, i) => names.indexOf(name) !== i),
      [],
    );
  });

  for (const group of GROUPS) {
    describe(group.name, () => {
      for (const variant of group.variants) {
        it(variant.name, () => {
          const wrong = faultsOf(variant, filesIn(report, `${group.name}/${variant.name}`));
          assert.equal(wrong.length, 0, wrong.join('\n  '));
        });
      }
    });
  }
});

/** A variant of one kind may well be a true finding of another: only the kinds that have variants are looked at. */
function othersOff(): string[] {
  const varied = new Set(
    GROUPS.flatMap(({ variants }) => variants.flatMap(({ expect }) => expect.map(({ code }) => code))),
  );
  return RULES.filter(({ code }) => !varied.has(code)).flatMap(({ code }) => ['--rule', `${code}=off`]);
}

/** All messages, to be read as a curator would. */
function show(report: Report): void {
  for (const group of GROUPS) {
    for (const variant of group.variants) {
      const files = filesIn(report, `${group.name}/${variant.name}`);
      console.log(`## ${group.name}/${variant.name}`);
      for (const finding of files.flatMap((file) => file.findings)) {
        console.log(`   ${tell(finding, variant.content.toString('utf8'))}`);
      }
    }
  }
}
