import assert from 'node:assert/strict';
import { createChecker } from '../../../server/src/core/checker.ts';
import { plausibilityRules } from '../../../server/src/core/rules/plausibility.ts';
import { traceRules } from '../../../server/src/core/rules/trace.ts';
import { unusedRules } from '../../../server/src/core/rules/unused.ts';
import type { Rule, RuleExample } from '../../../server/src/core/rules/types.ts';
import { settingsOf } from '../rules/support.ts';
import { runOf } from './support.ts';

const rules: readonly Rule[] = [...traceRules, ...unusedRules, ...plausibilityRules].filter(
  ({ code }) => code !== 'plausibility/fields-exchanged',
);

function codesIn({ profile, lines }: RuleExample): string[] {
  const checker = createChecker(settingsOf(profile));
  return lines.flatMap((line, index) => {
    const text = JSON.stringify(line);
    const checked = checker.checkText(text);
    const run = runOf(checked);
    const slot = { index, line: index, column: 0, offset: 0, text };
    return checker.findings(slot, checked, run ? { run } : {}).map(({ code }) => code);
  });
}

describe('examples of the rules on traced numbers', () => {
  for (const { code, fires, quiet, why, title } of rules) {
    it(`${code} fires on its example and not on the other`, () => {
      assert.ok(codesIn(fires).includes(code), 'does not fire');
      assert.deepEqual(codesIn(quiet), []);
      assert.ok(why.length > 150 && title.length < 90);
    });
  }
});
