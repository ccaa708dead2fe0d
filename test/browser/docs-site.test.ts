/** The documentation as it is read: from a folder, in light and dark, by keyboard, on a narrow screen, with its search. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { buildSite } from '../../scripts/site/build.ts';
import { launchChromium } from '../support/chromium.ts';
import { assertAccessible } from './axe.ts';

describe('the site of the documentation', () => {
  let folder!: string;
  let addresses: readonly string[] = [];
  let browser!: Browser;
  let page!: Page;
  /** What the page asked for beyond the folder, and what went wrong in it. */
  const faults: string[] = [];

  before(async function () {
    this.timeout(120_000);
    folder = mkdtempSync(path.join(os.tmpdir(), 'auditable-qa-site-'));
    addresses = await buildSite(folder);
    browser = await launchChromium();
    page = await browser.newPage({ viewport: { width: 1300, height: 900 } });
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('request', (request) => {
      if (!request.url().startsWith(pathToFileURL(folder).href)) faults.push(`asked for ${request.url()}`);
    });
    page.on('requestfailed', (request) => {
      const why = request.failure()?.errorText;
      // The page was left while its icon was on the way.
      if (why !== 'net::ERR_ABORTED') faults.push(`failed: ${request.url()} ${why}`);
    });
  });
  after(async () => {
    await (browser as Browser | undefined)?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const open = async (address: string): Promise<void> => {
    await page.goto(pathToFileURL(path.join(folder, address)).href);
  };

  it('has links and pictures that lead to its own files, and no place twice', () => {
    const wrong = addresses.flatMap((address) => {
      const html = readFileSync(path.join(folder, address), 'utf8');
      const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
      const twice = ids.filter((id, at) => ids.indexOf(id) !== at);
      const lost = [...html.matchAll(/ (?:href|src)="([^"]+)"/g)]
        .map(([, target = '']) => new URL(target, pathToFileURL(path.join(folder, address))))
        .filter((target) => target.protocol === 'file:')
        .filter((target) => !existsSync(fileURLToPath(target)) || !fileURLToPath(target).startsWith(folder))
        .map(({ href }) => href);
      return [...twice, ...lost].map((fault) => `${address}: ${fault}`);
    });
    assert.deepEqual(wrong, []);
  });

  for (const scheme of ['light', 'dark'] as const)
    it(`has nothing that axe objects to (${scheme})`, async () => {
      await page.emulateMedia({ colorScheme: scheme });
      for (const address of [
        'index.html',
        'docs/regions.html',
        'docs/command-line.html',
        'docs/rules/box/mismatch.html',
      ]) {
        await open(address);
        await assertAccessible(page, address);
      }
    });

  it('finds by words, and goes there by keyboard', async () => {
    await open('docs/rules/box/mismatch.html');
    await page.keyboard.press('/');
    await page.keyboard.type('pre-commit');
    const first = page.locator('#found [role=option]').first();
    await first.filter({ hasText: 'pre-commit' }).waitFor();
    assert.equal(await first.getAttribute('aria-selected'), 'true');
    assert.match(await page.locator('#count').innerText(), /^\d+ places? found$/);
    await page.keyboard.press('Enter');
    await page.waitForURL(/docs\/ci\.html#pre-commit$/);
    await page.locator('#search').fill('qwertzuiop');
    await page.locator('#count', { hasText: 'Nothing found' }).waitFor();
  });

  it('says that its texts did not come, and searches once they do', async () => {
    let isAway = true;
    await page.route(/sections\.js/, (route) => (isAway ? route.abort('aborted') : route.continue()));
    await open('docs/ci.html');
    await page.locator('#search').fill('pre-commit');
    await page.locator('#count', { hasText: 'could not be loaded' }).waitFor();
    isAway = false;
    await page.locator('#search').fill('pre-commits');
    await page.locator('#count', { hasText: 'found' }).waitFor();
    await page.unroute(/sections\.js/);
  });

  it('keeps the theme that is chosen', async () => {
    await page.emulateMedia({ colorScheme: 'light' });
    await open('index.html');
    const background = (): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await background();
    const button = page.locator('#theme');
    await button.click();
    await button.click();
    assert.equal(await button.innerText(), 'Theme: dark');
    assert.notEqual(await background(), light);
    await open('docs/ci.html');
    assert.equal(await page.locator('#theme').innerText(), 'Theme: dark');
    assert.notEqual(await background(), light);
    await page.locator('#theme').click();
    assert.equal(await background(), light);
  });

  it('fits a narrow screen, its pages behind a button', async () => {
    await page.setViewportSize({ width: 360, height: 700 });
    for (const address of ['index.html', 'docs/configuration.html', 'docs/false-alarms.html']) {
      await open(address);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(width <= 360, `${address} is ${width} px wide`);
    }
    const link = page
      .locator('#navigation a', { hasText: 'Security' })
      .or(page.locator('#navigation a[href$="security.html"]'));
    assert.equal(await link.first().isVisible(), false);
    await page.locator('#menu').click();
    assert.equal(await page.locator('#menu').getAttribute('aria-expanded'), 'true');
    await link.first().click();
    await page.waitForURL(/security\.html$/);
  });

  it('asks for nothing outside of its folder', () => assert.deepEqual(faults, []));
});
