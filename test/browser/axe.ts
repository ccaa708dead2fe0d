import { strict as assert } from 'node:assert';
import axe from 'axe-core';
import type { Page } from 'playwright-core';

type Engine = Pick<typeof axe, 'run'>;

/** Fails with what axe objects to in the page as it is now. `what`: of the page, for the message. */
export async function assertAccessible(page: Page, what?: string): Promise<void> {
  // By the debugger's hand, since the page's policy lets no other script in.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  const violations = await page.evaluate(async () => {
    const engine = (globalThis as unknown as { axe: Engine }).axe;
    // Style sheets are looked at as they are applied: fetched once more they would tell the same.
    const found = await engine.run({ preload: false, resultTypes: ['violations'] });
    return found.violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
    );
  });
  assert.deepEqual(violations, [], what);
}
