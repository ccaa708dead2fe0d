import assert from 'node:assert/strict';
import { answerRules } from '../../../server/src/core/rules/answer.ts';
import { boxRules } from '../../../server/src/core/rules/box.ts';
import { datasetRules } from '../../../server/src/core/rules/dataset.ts';
import { evidenceRules } from '../../../server/src/core/rules/evidence.ts';
import { pageRules } from '../../../server/src/core/rules/page.ts';
import { solutionRules } from '../../../server/src/core/rules/solution.ts';
import type { Rule } from '../../../server/src/core/rules/types.ts';
import { check, documentOf, settingsOf } from './support.ts';

/** Examples that need neither a run nor the static analysis; the others are run end to end with the cases. */
const families: readonly Rule[] = [
  ...answerRules,
  ...solutionRules,
  ...evidenceRules,
  ...pageRules,
  ...boxRules,
  ...datasetRules,
];
const rules = families.filter(
  (rule) =>
    rule.needs !== 'run' &&
    rule.needs !== 'solution' &&
    !['page/document-missing', 'page/document-unreadable', 'page/image-missing'].includes(rule.code),
);

describe('examples of the rules on records', () => {
  for (const rule of rules) {
    it(`${rule.code} fires on its example and not on the other`, () => {
      const found = ({ profile, lines }: Rule['fires']): number =>
        check([rule], settingsOf(profile), lines, { document: documentOf(3, [1, 2, 3], 'demo-doc') }).length;
      assert.ok(found(rule.fires) > 0, 'does not fire');
      assert.equal(found(rule.quiet), 0, 'fires on the quiet example');
    });
  }

  it('every rule has a code of its own, and says why', () => {
    assert.equal(new Set(families.map(({ code }) => code)).size, families.length);
    for (const { code, why, title } of families) {
      assert.ok(why.length > 150, code);
      assert.ok(!title.endsWith('.') && title.length < 90, code);
    }
  });
});
