/** Regions drawn and corrected in the built preview, with the language server behind it: what comes to stand in the file. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Locator } from 'playwright-core';
import { launchChromium } from '../support/chromium.ts';
import { DOCUMENTS, fileOf, sciegqa } from '../wire/records.ts';
import type { WireServer } from '../wire/server.ts';
import { startServer } from '../wire/server.ts';
import type { LiveOptions, LivePage } from './live-site.ts';
import { openLive } from './live-site.ts';
import type { Site } from './preview-site.ts';
import { startSite } from './preview-site.ts';

type Box = readonly number[];

/** px of the file's pages: Letter at 300 dpi. */
const WIDTH = 2550;
const UPPER: Box = [300, 400, 1500, 900];
const LOWER: Box = [300, 1200, 1500, 1800];

describe('regions on the page', function () {
  this.timeout(120_000);
  let browser: Browser;
  let site: Site;
  let server: WireServer;
  let live: LivePage;
  let files = 0;

  before(async () => {
    [browser, site, server] = await Promise.all([launchChromium(), startSite(), startServer({ trusted: false })]);
    server.write('demo-doc.pdf', readFileSync(join(DOCUMENTS, 'demo-doc.pdf')));
  });
  after(async () => {
    await browser.close();
    await site.close();
    await server.stop();
  });
  afterEach(async () => {
    assert.deepEqual(await live.open.breaches(), []);
    assert.deepEqual(live.open.complaints, []);
    await live.open.close();
  });

  const RECORD = {
    evidence_page: [1, 2],
    bbox: [[UPPER, LOWER], [[200, 200, 800, 800]]],
    subimg_type: [['table', 'text'], ['image']],
    rel_bbox: undefined,
  };

  async function start(patch: object = {}, more: Partial<LiveOptions> = {}): Promise<void> {
    files += 1;
    const text = fileOf(sciegqa({ ...RECORD, ...patch }));
    live = await openLive(browser, site, server, {
      file: `set-${files}.jsonl`,
      text,
      width: 720,
      height: 1000,
      ...more,
    });
    await live.open.page.waitForSelector('.region');
    await live.open.page.waitForSelector('[data-state=drawn]');
    // Nothing of the tests is about snapping but those that turn it on.
    await live.open.page.getByRole('button', { name: 'Snap edges to what is on the page' }).click();
  }

  interface Record {
    readonly evidence_page: number[];
    readonly bbox: Box[][];
    readonly subimg_type: (string | null)[][];
  }
  const record = (): Record => JSON.parse(live.text().split('\n')[0] ?? '') as Record;
  const region = (number: number): Locator => live.open.page.locator('.overlay .region').nth(number - 1);

  /** CSS px of a point of page 1, given in px of the file. */
  async function at(x: number, y: number): Promise<{ x: number; y: number }> {
    const overlay = live.open.page.locator('.overlay').first();
    await overlay.scrollIntoViewIfNeeded();
    const bounds = await overlay.boundingBox();
    assert.ok(bounds);
    const scale = bounds.width / WIDTH;
    return { x: bounds.x + x * scale, y: bounds.y + y * scale };
  }

  async function drag(from: { x: number; y: number }, to: { x: number; y: number }, drop = true): Promise<void> {
    const { mouse } = live.open.page;
    await mouse.move(from.x, from.y);
    await mouse.down();
    await mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2);
    await mouse.move(to.x, to.y);
    if (drop) {
      await mouse.up();
    }
  }

  /** Within what a pixel of the screen is, in px of the file. */
  function near(actual: Box | undefined, expected: Box, by = 6): void {
    assert.ok(
      actual?.length === 4 && actual.every((value, k) => Math.abs(value - (expected[k] ?? NaN)) <= by),
      `${JSON.stringify(actual)} is not near ${JSON.stringify(expected)}`,
    );
  }

  async function select(number: number): Promise<void> {
    await region(number).locator('.tag').click();
    await live.open.page.waitForSelector('.region.selected');
    await live.open.page.waitForSelector('.region-frame');
  }

  describe('with the mouse', () => {
    it('are drawn', async () => {
      await start();
      await live.open.page.keyboard.press('r');
      await drag(await at(1600, 500), await at(2200, 1000));
      await live.settled();
      const [, , added] = record().bbox[0] ?? [];
      near(added, [1600, 500, 2200, 1000]);
      assert.ok(added?.every(Number.isInteger), 'whole pixels');
      assert.deepEqual(
        live.changes().map(({ kind }) => kind),
        ['add'],
      );
      assert.match((await live.open.page.locator('.region.selected').getAttribute('aria-label')) ?? '', /^Region 3,/u);
      assert.equal(await live.open.page.locator('body').getAttribute('data-tool'), 'select');
    });

    it('are moved, and keep their size to the pixel', async () => {
      await start();
      await select(1);
      await drag(await at(900, 650), await at(1000, 760));
      await live.settled();
      const [moved] = record().bbox[0] ?? [];
      near(moved, [400, 510, 1600, 1010]);
      assert.deepEqual([moved![2]! - moved![0]!, moved![3]! - moved![1]!], [1200, 500]);
      assert.equal(live.changes().length, 1);
    });

    it('are resized by a handle; the other edges stay as they are', async () => {
      await start();
      await select(1);
      await drag(await at(1500, 900), await at(1800, 1000));
      await live.settled();
      const [box] = record().bbox[0] ?? [];
      near(box, [300, 400, 1800, 1000]);
      assert.deepEqual(box?.slice(0, 2), [300, 400]);
    });

    it('are deleted', async () => {
      await start();
      await select(2);
      await live.open.page.getByRole('button', { name: 'Delete the region' }).click();
      await live.settled();
      assert.deepEqual(record().bbox[0], [UPPER]);
      assert.deepEqual(record().subimg_type[0], ['table']);
    });
  });
});
