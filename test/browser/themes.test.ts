import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import type { ShownEvidence } from '../../schemas/page.ts';
import { launchChromium } from '../support/chromium.ts';
import { assertAccessible } from './axe.ts';
import { markedPng, textPdf } from './documents.ts';
import {
  MISSING_BLOCK,
  TABLE_BLOCK,
  TEXT_BLOCK,
  TRACE,
  evidenceOf,
  region,
  shownPage,
  tracedNumber,
} from './evidence.ts';
import type { Site } from './preview-site.ts';
import { SHOTS, startSite } from './preview-site.ts';
import { THEMES } from './themes.ts';

const CASES = join(import.meta.dirname, '../../../shared/cases/documents');

describe('evidence preview in VS Code’s themes', () => {
  let browser: Browser;
  let site: Site;
  let evidence: ShownEvidence;

  before(async () => {
    [browser, site] = await Promise.all([launchChromium(), startSite()]);
    const real = existsSync(CASES);
    const pdf = site.put('paper.pdf', real ? readFileSync(join(CASES, 'demo-doc.pdf')) : await textPdf(3));
    const png = site.put('paper_2.png', real ? readFileSync(join(CASES, 'demo-doc_2.png')) : markedPng().bytes);
    const broken = site.put('broken.pdf', new TextEncoder().encode('%PDF-1.7'));
    const message = 'bbox[1][0]: x2 2700 is beyond the page width of 2550 px at 300 dpi by 150 px.';
    evidence = evidenceOf({
      blocks: [TABLE_BLOCK, TEXT_BLOCK, MISSING_BLOCK],
      trace: {
        ...TRACE,
        numbers: [
          ...TRACE.numbers,
          ...(['cited', 'scaled', 'nowhere'] as const).map((verdict, at) =>
            tracedNumber(String(41 + at), { start: at, end: at + 1 }, verdict, [
              {
                kind: 'page',
                page: 1,
                region: '/bbox/1/0',
                name: 'page 2, inside box 1',
                cited: true,
                left: 0.3 + 0.15 * at,
                top: 0.22,
                width: 0.04,
                height: 0.015,
              },
            ]),
          ),
        ],
      },
      solution: { value: '12.5', type: 'float', gold: 12.5, verdict: 'equal', error: null, stdout: 'rows: 4', ms: 2 },
      problems: [
        { severity: 'error', code: 'box/out-of-page', message, pointer: '/bbox/1/0' },
        {
          severity: 'warning',
          code: 'box/order',
          message: 'bbox[1][1] is not in reading order.',
          pointer: '/bbox/1/1',
        },
        { severity: 'info', code: 'text/stray-blanks', message: 'The answer ends with a blank.', pointer: '/answer' },
      ],
      pages: [
        shownPage(1, { kind: 'pdf', url: pdf, pageIndex: 0 }, [
          region('/bbox/0/0', 0.115, 0.085, 0.75, 0.05, { label: 'text' }),
          region('/bbox/0/1', 0.115, 0.3, 0.77, 0.1, { label: 'text' }),
        ]),
        shownPage(2, { kind: 'image', url: png }, [
          region('/bbox/1/0', 0.13, 0.17, 0.69, 0.22, {
            label: 'table',
            problems: [{ severity: 'error', code: 'box/out-of-page', message }],
          }),
          region('/bbox/1/1', 0.115, 0.43, 0.72, 0.06, {
            label: 'image',
            problems: [{ severity: 'warning', code: 'box/order', message: 'bbox[1][1] is not in reading order.' }],
          }),
          region('/bbox/1/2', 0.4, 0.6, 0.3, 0.1, { label: null }),
        ]),
        shownPage(4, { kind: 'pdf', url: broken, pageIndex: 3 }, []),
        shownPage(9, { kind: 'missing', message: 'Page 9 of demo-doc was not found: there is no demo-doc_9.png.' }, [
          region('/bbox/3/0', 0.1, 0.1, 0.2, 0.2),
        ]),
      ],
    });
  });
  after(async () => {
    await browser.close();
    await site.close();
  });

  for (const theme of THEMES) {
    it(`is accessible in ${theme.name}`, async () => {
      const open = await site.open(browser, { theme });
      await open.show(evidence, 'There is no readable record under the cursor. This is what was last shown.');
      await open.page.waitForFunction(() => document.querySelectorAll('[data-state=drawn]').length >= 1);
      await open.page.screenshot({ path: join(SHOTS, `record-${theme.name}.png`) });
      await assertAccessible(open.page);

      await open.send({ type: 'cursor', pointer: '/bbox/1/0/2' });
      await open.page.waitForSelector('.region.selected');
      await open.page.waitForFunction(() => document.querySelectorAll('[data-state=drawn]').length === 2);
      await open.page.screenshot({ path: join(SHOTS, `regions-${theme.name}.png`) });
      await assertAccessible(open.page);

      await open.page.locator('.scroller').evaluate((scroller) => scroller.scrollTo(0, scroller.scrollHeight));
      await open.page.waitForSelector('[data-state=failed]');
      await open.page.screenshot({ path: join(SHOTS, `failures-${theme.name}.png`) });
      await assertAccessible(open.page);
      assert.deepEqual(await open.breaches(), []);
      await open.close();
    });
  }

  it('is usable in a narrow panel and at high zoom', async () => {
    const open = await site.open(browser, { width: 360, height: 700 });
    await open.show(evidence);
    await open.page.locator('.page').first().scrollIntoViewIfNeeded();
    await open.page.waitForSelector('[data-state=drawn]');
    const overflow = await open.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(overflow <= 0, `${overflow} px too wide`);
    await open.page.screenshot({ path: join(SHOTS, 'narrow.png') });
    await open.page.keyboard.press('0');
    await open.send({ type: 'cursor', pointer: '/bbox/0/1' });
    await open.page.waitForSelector('.region.selected');
    await open.page.screenshot({ path: join(SHOTS, 'narrow-zoomed.png') });
    await open.close();
  });
});
