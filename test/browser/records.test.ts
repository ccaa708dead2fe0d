import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import type { FromRecordsPage } from '../../schemas/records-page.ts';
import { sciegqaLines } from '../bench/records.ts';
import { launchChromium } from '../support/chromium.ts';
import { assertAccessible } from './axe.ts';
import { SHOTS } from './preview-site.ts';
import type { RecordsPage, RecordsSite } from './records-site.ts';
import { startRecordsSite } from './records-site.ts';
import { RECORDS_THEMES } from './records-themes.ts';

const MANY = 30_780;
const HOSTILE = '<img src=x onerror="document.title=1">';

/** Every seventh answer begins with a blank, and the second question is hostile. */
const lines = sciegqaLines(MANY).map((line, at) => {
  if (at === 1) return line.replace('"query":"', `"query":${JSON.stringify(HOSTILE).slice(0, -1)} `);
  return at % 7 === 0 ? line.replace('"answer":"', '"answer":" ') : line;
});
const WITH_BLANKS = Math.ceil(MANY / 7);

describe('the page of the Records view', () => {
  let browser: Browser;
  let site: RecordsSite;
  let records: RecordsPage;
  before(async () => {
    [browser, site] = await Promise.all([
      launchChromium(),
      startRecordsSite({ '/data/train.jsonl': lines, '/data/small.jsonl': sciegqaLines(20, 2) }),
    ]);
  });
  after(async () => {
    await browser.close();
    await site.close();
  });
  beforeEach(async () => {
    records = await site.open(browser);
    await records.page.locator('.row').first().waitFor();
    site.asked.length = 0;
  });
  afterEach(async () => {
    assert.deepEqual(records.complaints, []);
    assert.deepEqual(await records.breaches(), []);
    await records.close();
  });

  const current = (text: string): Promise<void> =>
    records.page.locator('.row.current .cell-index', { hasText: new RegExp(`^${text}$`) }).waitFor();
  const says = (selector: string, text: string | RegExp): Promise<void> =>
    records.page.locator(selector, { hasText: text }).first().waitFor();
  const deeds = async (): Promise<Extract<FromRecordsPage, { type: 'do' }>[]> =>
    (await records.posted()).filter((message) => message.type === 'do');

  it('has elements for the rows in sight only, and reaches the last of 30,780 by one key', async () => {
    const { page } = records;
    await says('.status-counts', `30,780 records · ${WITH_BLANKS.toLocaleString('en')} infos`);
    await page.locator('.grid').focus();
    await current('1');
    await page.keyboard.press('End');
    await current('30,780');
    assert.ok((await page.locator('.row').count()) < 60);
    const { rows, named, inView } = await page.evaluate(() => {
      const grid = document.querySelector('.grid')!;
      const row = document.getElementById(grid.getAttribute('aria-activedescendant') ?? '')!;
      const { bottom } = row.getBoundingClientRect();
      return {
        rows: grid.getAttribute('aria-rowcount'),
        named: row.getAttribute('aria-rowindex'),
        inView: bottom <= grid.getBoundingClientRect().bottom + 1,
      };
    });
    assert.deepEqual([rows, named, inView], ['30781', '30781', true]);
    await page.keyboard.press('Home');
    await current('1');
    await page.keyboard.press('PageDown');
    assert.notEqual(await page.locator('.row.current .cell-index').innerText(), '1');
  });

  it('chooses ranges, all, and single records more, by keyboard and by mouse', async () => {
    const { page } = records;
    await page.locator('.grid').focus();
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await says('.detail h2', '3 records selected');
    assert.equal(await page.locator('.row[aria-selected="true"]').count(), 3);
    await page.keyboard.press('Control+a');
    await says('.detail h2', '30,780 records selected');
    await page.locator('.row').nth(4).click();
    await says('.detail h2', '#5');
    await page
      .locator('.row')
      .nth(7)
      .click({ modifiers: ['Control'] });
    await says('.detail h2', '2 records selected');
    await page.locator('.row').nth(1).click();
    await page
      .locator('.row')
      .nth(5)
      .click({ modifiers: ['Shift'] });
    await says('.detail h2', '5 records selected');
    await page.keyboard.press('Shift+End');
    await says('.detail h2', '30,779 records selected');
  });

  it('opens, previews and edits the current record by keyboard', async () => {
    const { page } = records;
    await page.locator('.grid').focus();
    await page.keyboard.press('ArrowDown');
    for (const key of ['Enter', ' ', 'e', 's']) await page.keyboard.press(key);
    const done = await deeds();
    assert.deepEqual(
      done.map(({ deed }) => deed),
      ['open', 'preview', 'edit', 'solution'],
    );
    assert.equal(new Set(done.map(({ key }) => key)).size, 1);
    await page.keyboard.press('n');
    await current('8');
    await page.keyboard.press('Shift+N');
    await current('1');
    await says('.detail .finding', 'begins or ends with a blank');
    await page.locator('.detail .message').click();
    assert.equal((await deeds()).at(-1)?.pointer, '/answer');
  });

  it('asks for bulk work by keyboard, and for the fix of a rule from its facet', async () => {
    const { page } = records;
    await page.locator('.grid').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await says('.detail h2', '2 records selected');
    for (const key of ['Alt+ArrowUp', 'Alt+ArrowDown', 'Alt+Shift+ArrowDown', 'Delete']) await page.keyboard.press(key);
    const bulk = async () => (await records.posted()).filter((message) => message.type === 'bulk');
    const asked = await bulk();
    assert.deepEqual(
      asked.map(({ action }) => action),
      ['moveUp', 'moveDown', 'duplicate', 'delete'],
    );
    for (const { keys, rules } of asked) assert.deepEqual([keys.length, rules], [2, []]);
    await page.locator('.facet', { hasText: 'Rule' }).click();
    const button = page.locator('.popup:visible button', { hasText: 'Fix in all records' });
    assert.ok(await button.isHidden());
    await page.locator('.popup:visible label', { hasText: 'text/stray-blanks' }).click();
    await button.click();
    const last = (await bulk()).at(-1);
    assert.deepEqual([last?.action, last?.rules], ['fixEverywhere', ['text/stray-blanks']]);
  });

  it('filters by severity, facets and words, and clears', async () => {
    const { page } = records;
    await page.locator('.state').nth(2).click();
    await says('.status-counts', `${WITH_BLANKS.toLocaleString('en')} of 30,780 records`);
    await page.locator('.facet', { hasText: 'Type' }).click();
    await page.keyboard.press('Space');
    await says('.facet.chosen', 'Type: ');
    await page.keyboard.press('Escape');
    assert.equal(await page.evaluate(() => document.activeElement?.className), 'facet chosen');
    await page.keyboard.press('/');
    await page.locator('.search').fill('#8');
    await page.keyboard.press('Enter');
    await says('.status-counts', /^(?:0|1) of 30,780 records/);
    await page.locator('button', { hasText: 'Clear filters' }).click();
    await says('.status-counts', /^30,780 records/);
    await page.locator('.facet', { hasText: 'Document' }).click();
    await page.locator('.popup:visible input[type="search"]').fill('2401.0000');
    await page.waitForFunction(() =>
      [...document.querySelectorAll('.popup:not([hidden]) .value-name')].every((one) =>
        one.textContent?.startsWith('2401.0000'),
      ),
    );
  });

  it('sorts by a column, back again, and by keyboard in the header', async () => {
    const { page } = records;
    await page.locator('.grid-head button', { hasText: 'Findings' }).click();
    await says('.row .cell-index', /^1$/);
    await page.waitForFunction(
      () => document.querySelectorAll('.row')[1]?.querySelector('.cell-index')?.textContent === '8',
    );
    await page.locator('.cell-findings[role="columnheader"][aria-sort="ascending"]').waitFor();
    await page.locator('.grid-head button').first().focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.locator('.cell-question[role="columnheader"][aria-sort="ascending"]').waitFor();
  });

  it('shows what a fix changes before it is made, and accepts with a reason', async () => {
    const { page } = records;
    await page.locator('.grid').focus();
    await page.keyboard.press('Control+a');
    await says('.detail h2', 'records selected');
    await page.keyboard.press('f');
    await says(
      'dialog .note',
      `${WITH_BLANKS.toLocaleString('en')} changes in ${WITH_BLANKS.toLocaleString('en')} records`,
    );
    assert.equal(await page.locator('.changes li').count(), 200);
    assert.equal(await page.locator('.changes del').first().innerText(), ' ');
    await page.locator('dialog input[type="checkbox"]').uncheck();
    await says('dialog .note', 'There is nothing to fix any more.');
    assert.ok(await page.locator('dialog button', { hasText: 'Apply' }).isDisabled());
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
    assert.equal(await page.evaluate(() => document.activeElement?.className), 'grid');

    await page.keyboard.press('Home');
    await page.keyboard.press('f');
    await page.locator('.changes li').first().waitFor();
    await page.keyboard.press('Enter');
    await page.locator('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('a');
    assert.ok(await page.locator('dialog button', { hasText: 'Accept' }).isDisabled());
    await page.keyboard.type('As printed.');
    await page.keyboard.press('Enter');
    await page.locator('dialog').waitFor({ state: 'detached' });
    await says('.status-told', '1 finding accepted.');
    assert.deepEqual(
      site.asked.map(({ question }) => question),
      ['fix', 'accept'],
    );
    assert.equal((site.asked[1]!.params as { reason: string }).reason, 'As printed.');
  });

  it('keeps file, filter, order, selection and place through a reload', async () => {
    const { page } = records;
    await page.locator('.state').nth(2).click();
    await says('.status-counts', ' of 30,780 records');
    await page.locator('.grid-head button', { hasText: 'Document' }).click();
    await page.locator('.grid').focus();
    for (let press = 0; press < 12; press++) await page.keyboard.press('PageDown');
    await page.keyboard.press('Shift+ArrowDown');
    await says('.detail h2', '2 records selected');
    const seen = (): Promise<unknown> =>
      page.evaluate(() => [
        document.querySelector('.row.current .cell-index')?.textContent,
        Math.round(document.querySelector('.grid')!.scrollTop),
        [...document.querySelectorAll('.row.selected .cell-index')].map(({ textContent }) => textContent),
        document.querySelector('.status-counts')?.textContent,
      ]);
    const before = await seen();
    await page.waitForFunction(() => {
      const state = JSON.parse(sessionStorage.getItem('state') ?? '{}') as { selection?: number[] };
      return state.selection?.length === 2;
    });
    await page.reload();
    await page.locator('.row.current').waitFor();
    await says('.detail h2', '2 records selected');
    assert.deepEqual(await seen(), before);
  });

  it('changes the file, and shows a record that is named from outside', async () => {
    const { page } = records;
    await page.locator('.files').selectOption({ index: 1 });
    await says('.status-counts', /^20 records/);
    await records.send({ type: 'show', uri: site.uris[0]!, index: 12_345 });
    await current('12,346');
    await page.locator('.state').nth(0).click();
    await says('.empty', 'No record fits the filter.');
    await records.send({ type: 'show', uri: site.uris[0]!, index: 99 });
    await current('100');
  });

  it('shows text of records as text', async () => {
    const { page } = records;
    await says('.row .cell-question', '<img src=x');
    await page.locator('.row').nth(1).click();
    await says('.question', '<img src=x');
    assert.equal(await page.title(), 'Records');
    assert.equal(await page.locator('img').count(), 0);
  });

  it('can be used at 200 % and in a narrow panel', async () => {
    const { page } = records;
    await page.evaluate(() => document.documentElement.style.setProperty('--vscode-font-size', '26px'));
    await page.setViewportSize({ width: 600, height: 700 });
    await page.locator('.row').nth(2).click();
    await says('.detail h2', '#3');
    const { overflow, rowHeight } = await page.evaluate(() => ({
      overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
      rowHeight: document.querySelector('.row')!.getBoundingClientRect().height,
    }));
    assert.ok(overflow <= 0);
    const tops = await page.locator('.row').evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().top));
    assert.ok(tops.slice(1).every((top, at) => top - tops[at]! >= rowHeight - 1));
  });

  for (const theme of RECORDS_THEMES) {
    it(`is accessible in ${theme.name}`, async () => {
      const { page } = records;
      await records.setTheme(theme);
      await page.locator('.grid').focus();
      await page.keyboard.press('Home');
      await page.keyboard.press('Shift+ArrowDown');
      await says('.detail h2', '2 records selected');
      await page.keyboard.press('Home');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowUp');
      await says('.detail .finding', 'begins or ends');
      await page.screenshot({ path: join(SHOTS, `records-${theme.name}.png`) });
      await assertAccessible(page);
      await page.locator('.facet', { hasText: 'Rule' }).click();
      await page.locator('.popup:visible').waitFor();
      await assertAccessible(page);
      await page.keyboard.press('Escape');
      await page.locator('.grid').focus();
      await page.keyboard.press('f');
      await page.locator('.changes li').first().waitFor();
      await page.screenshot({ path: join(SHOTS, `records-fix-${theme.name}.png`) });
      await assertAccessible(page);
    });
  }
});
