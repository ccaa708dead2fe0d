/** Which keys the preview keeps, and which go on to the editor around it, which hears what reaches the window. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { ShownEvidence } from '../../schemas/page.ts';
import { textPdf } from './documents.ts';
import { TEXT_BLOCK, evidenceOf, region, shownPage } from './evidence.ts';
import { usePreview } from './fixture.ts';
import type { OpenPage } from './preview-site.ts';

declare global {
  interface Window {
    /** Keys that reached the window. */
    reached?: string[];
  }
}

describe('keys in the preview', () => {
  const preview = usePreview();
  let open: OpenPage;
  let evidence: ShownEvidence;

  before(async () => {
    const url = preview.site.put('report.pdf', await textPdf(2));
    evidence = evidenceOf({
      editable: { question: '/question' },
      blocks: [TEXT_BLOCK],
      pages: [1, 2].map((number) =>
        shownPage(number, { kind: 'pdf', url, pageIndex: number - 1 }, [
          region(`/bbox/${number - 1}/0`, 0.1, 0.1, 0.5, 0.1),
        ]),
      ),
    });
  });

  async function start(): Promise<void> {
    open = await preview.site.open(preview.browser);
    await open.answer('documentPages', { name: 'report', pages: [], problem: null });
    await open.show(evidence);
    await open.page.waitForSelector('[data-state=drawn]');
    await open.page.evaluate(() => {
      window.reached = [];
      window.addEventListener('keydown', ({ key }) => window.reached?.push(key));
    });
  }

  /** Of these keys, the ones that went on. */
  async function reach(...keys: string[]): Promise<string[]> {
    await open.page.evaluate(() => (window.reached = []));
    for (const key of keys) await open.page.keyboard.press(key);
    const reached = await open.page.evaluate(() => window.reached ?? []);
    return reached.filter((key) => !['Control', 'Shift', 'Alt'].includes(key));
  }

  it('that mean something here mean nothing around it', async () => {
    await start();
    await open.page.locator('.region .tag').first().click();
    await open.page.waitForSelector('.region-frame');
    assert.deepEqual(
      await reach('Alt+ArrowLeft', 'Control+ArrowRight', 'Control+d', 'Alt+PageDown', 'n', 'Control+f'),
      [],
    );
    await open.page.keyboard.press('Escape');
    assert.deepEqual(await reach('Control+z', 'Control+Shift+z'), []);
  });

  it('that mean nothing here go on', async () => {
    await start();
    await open.page.locator('.scroller').focus();
    assert.deepEqual(await reach('Alt+ArrowLeft', 'Control+Shift+P', 'F6'), ['ArrowLeft', 'P', 'F6']);
  });

  const isFocused = (selector: string): Promise<boolean> =>
    open.page.evaluate((wanted) => document.activeElement?.matches(wanted) === true, selector);

  it('stay with the pages when the page that has the focus goes away', async () => {
    await start();
    await open.page.keyboard.press('o');
    await open.page.locator('.region').first().focus();
    await open.page.keyboard.press('PageDown');
    await open.page.waitForSelector('.page:nth-child(2):not([hidden])');
    assert.ok(await isFocused('.scroller'));
    await open.page.locator('.page:not([hidden]) .region').focus();
    await open.show({
      ...evidence,
      index: 5,
      id: 'q-0006',
      question: 'Another one?',
      pages: evidence.pages.slice(0, 1),
    });
    await open.page.waitForFunction(() => document.querySelectorAll('.page').length === 1);
    assert.ok(await isFocused('.scroller'));
  });

  it('stay with the pages when the thumbnails that have the focus are closed', async () => {
    await start();
    await open.page.keyboard.press('b');
    assert.ok(await isFocused('.thumb'));
    await open.page.keyboard.press('b');
    assert.equal(await open.page.locator('.strip').isVisible(), false);
    assert.ok(await isFocused('.scroller'));
  });

  it('are for the region again that had the focus before the search', async () => {
    await start();
    await open.page.locator('.region').first().focus();
    await open.page.keyboard.press('Control+f');
    assert.ok(await isFocused('.find-input'));
    await open.page.keyboard.press('Escape');
    assert.ok(await isFocused('.region'));
  });

  const FIELDS: Readonly<Record<string, () => Promise<Locator>>> = {
    'the page to go to': () => Promise.resolve(open.page.getByRole('textbox', { name: /^Go to page/u })),
    async 'the search'() {
      await open.page.keyboard.press('Control+f');
      return open.page.getByRole('textbox', { name: /^Find in/u });
    },
    async 'a text of the record'() {
      await open.page.getByRole('button', { name: 'Edit the question', exact: true }).click();
      return open.page.getByRole('textbox', { name: 'The question', exact: true });
    },
  };
  for (const [name, field] of Object.entries(FIELDS)) {
    it(`are typed into ${name}; those that lead out of it go on`, async () => {
      await start();
      const input = await field();
      await input.fill('');
      assert.deepEqual(await reach('e', 'n', 'Control+Shift+P', 'F6', 'Control+Tab'), ['P', 'F6', 'Tab']);
      assert.equal(await input.inputValue(), 'en');
      assert.equal(await open.page.locator('.crop').count(), 0);
    });
  }
});
