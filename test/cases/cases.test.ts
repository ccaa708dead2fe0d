import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { createCheck } from '../support/check.ts';
import type { Check } from '../support/check.ts';
import { isBuilt, layOut, misses, readCases } from './format.ts';

describe('cases', () => {
  let check: Check;
  before(() => {
    check = createCheck();
  });
  after(() => check.dispose());

  const file = readCases();
  for (const one of [...file.cases, ...file.fileCases].filter(isBuilt)) {
    it(one.name, async () => {
      for (const folder of layOut(file, one)) {
        const { report } = await check.run([folder]);
        rmSync(folder, { recursive: true, force: true });
        const wrong = misses(one, report);
        assert.equal(wrong.length, 0, `${one.why}\n  ${wrong.join('\n  ')}`);
      }
    });
  }
});
