/** Where the keyboard is after something was changed, and what stays in place on the screen. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { DOCUMENTS, fileOf, sciegqa } from '../wire/records.ts';
import type { WireServer } from '../wire/server.ts';
import { startServer } from '../wire/server.ts';
import { usePreview } from './fixture.ts';
import type { LiveOptions, LivePage } from './live-site.ts';
import { openLive } from './live-site.ts';

describe('after a change of a region', function () {
  this.timeout(120_000);
  const preview = usePreview();
  let server: WireServer;
  let live: LivePage;
  let files = 0;

  before(async () => {
    server = await startServer({ trusted: false });
    server.write('demo-doc.pdf', readFileSync(join(DOCUMENTS, 'demo-doc.pdf')));
  });
  after(() => server.stop());

  async function start(more: Partial<LiveOptions> = {}): Promise<void> {
    files += 1;
    const boxes = [
      [300, 400, 1500, 900],
      [300, 1200, 1500, 1800],
    ];
    const record = {
      evidence_page: [1, 2],
      bbox: [boxes, [[200, 200, 800, 800]]],
      subimg_type: [['table', 'text'], ['image']],
      rel_bbox: undefined,
    };
    live = await openLive(preview.browser, preview.site, server, {
      file: `focus-${files}.jsonl`,
      text: fileOf(sciegqa(record)),
      width: 720,
      height: 1000,
      ...more,
    });
    await live.open.page.waitForSelector('[data-state=drawn]');
  }

  const region = (number: number): Locator => live.open.page.locator('.overlay .region').nth(number - 1);
  const bar = (): Locator => live.open.page.getByRole('region', { name: 'Region tools' });

  async function choose(number: number): Promise<void> {
    await region(number).focus();
    await live.open.page.keyboard.press('Enter');
    await live.open.page.waitForSelector('.region-frame');
  }

  const has = (one: Locator): Promise<boolean> => one.evaluate((element) => element === document.activeElement);

  it('the focus is on the region that took the place of a deleted one, and on the pages after the last', async () => {
    await start();
    await choose(1);
    await live.open.page.keyboard.press('Delete');
    await live.settled();
    assert.ok(await has(region(1)));
    await choose(2);
    await live.open.page.keyboard.press('Delete');
    await live.settled();
    assert.equal(await live.open.page.locator('.region').count(), 1);
    assert.ok(await has(live.open.page.locator('.scroller')));
  });

  it('the focus is back on a region that could not be deleted', async () => {
    await start();
    await choose(2);
    live.refuse('The file is read-only.');
    await live.open.page.keyboard.press('Delete');
    await live.settled();
    await live.open.page.getByText('The file is read-only.').first().waitFor();
    assert.ok(await has(region(2)));
  });

  it('the focus stays in the tools, whatever was done on the page before', async () => {
    await start();
    const { page } = live.open;
    await choose(3);
    await page.keyboard.press('ArrowRight');
    await live.settled();
    const label = bar().getByLabel('Label of region 3');
    await label.focus();
    await label.selectOption('table');
    await live.settled();
    assert.ok(await has(label));
    const remove = bar().getByRole('button', { name: 'Delete the region' });
    await remove.focus();
    await page.keyboard.press('Enter');
    await live.settled();
    assert.equal(await page.locator('.region').count(), 2);
    assert.ok(await has(bar().getByRole('button', { name: 'Draw a region' })));
  });

  it('the focus and the open row of the list go along to another page', async () => {
    await start();
    const { page } = live.open;
    await page.getByRole('button', { name: /^Regions/u }).click();
    await page.locator('.row-button').first().focus();
    await page.keyboard.press('Enter');
    const pages = page.getByRole('group', { name: 'Region 1', exact: true }).getByLabel('Page of region 1');
    await pages.focus();
    await pages.selectOption('2');
    await live.settled();
    // Regions are counted over the record: it is the last one now.
    const moved = page.getByRole('group', { name: 'Region 3', exact: true }).getByLabel('Page of region 3');
    assert.equal(await moved.inputValue(), '2');
    assert.ok(await has(moved));
  });

  for (const width of [1400, 940, 700, 360]) {
    it(`the tools have no empty rows, and pages do not jump when a region is chosen, ${width} px wide`, async () => {
      await start({ width });
      const { page } = live.open;
      /** CSS px below the last control, the border left out. */
      const empty = (): Promise<number> =>
        bar().evaluate((element) => {
          const controls = [...element.querySelectorAll<HTMLElement>('button, input, select')];
          const bottoms = controls
            .filter((one) => one.checkVisibility({ visibilityProperty: true }))
            .map((one) => one.getBoundingClientRect().bottom);
          return element.getBoundingClientRect().bottom - Math.max(...bottoms);
        });
      const top = async (selector: string): Promise<number> =>
        (await page.locator(selector).first().boundingBox())?.y ?? NaN;
      assert.ok((await empty()) < 8, String(await empty()));
      await region(2).locator('.tag').scrollIntoViewIfNeeded();
      const before = await top('.paper');
      await region(2).locator('.tag').click();
      await page.waitForSelector('.region-frame');
      assert.ok(Math.abs((await top('.paper')) - before) <= 1, `${await top('.paper')}, was ${before}`);
      assert.ok((await empty()) < 8, String(await empty()));
    });
  }
});
