import assert from 'node:assert/strict';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { goTo, openFile, profileShown, runCommand, until, webviewFrame } from '../surface.ts';
import type { EditorWindow } from '../window.ts';
import { openWindow, screenshot } from '../window.ts';
import { makeWorkspace } from '../workspace.ts';

const tab = (name: string): string => `.tab.active[data-resource-name="${name}"]`;

describe('navigation in the window', () => {
  let window!: EditorWindow;
  before(async () => {
    const workspace = await makeWorkspace('navigation');
    window = await openWindow({ workspace, file: path.join(workspace, 'docmath.jsonl') });
    await window.page.locator('.codelens-decoration', { hasText: 'gold' }).first().waitFor();
  });
  after(async () => await (window as EditorWindow | undefined)?.close());

  const breadcrumbs = async (): Promise<string[]> =>
    (await window.page.locator('.editor-group-container.active .monaco-breadcrumb-item').allInnerTexts()).map((text) =>
      text.trim(),
    );

  const outline = async (): Promise<string> =>
    (await window.page.locator('.outline-tree .monaco-list-rows').innerText()).replaceAll('\u00a0', ' ');

  /** Ctrl and a click where a link stands: the editor draws its line anew once the pointer is there with the key down. */
  async function follow(link: Locator): Promise<void> {
    const { keyboard, mouse } = window.page;
    await link.waitFor();
    const bounds = await link.boundingBox();
    assert.ok(bounds !== null);
    const [x, y] = [bounds.x + bounds.width / 2, bounds.y + bounds.height / 2];
    await mouse.move(x, y);
    await keyboard.down('Control');
    await window.page.locator('.detected-link-active').waitFor();
    await mouse.click(x, y);
    await keyboard.up('Control');
  }

  it('outlines the records of a file and says in breadcrumbs where the cursor is', async () => {
    const { page } = window;
    await runCommand(page, 'Explorer: Focus on Outline View');
    // The outline gets the room of the files.
    await page.locator('.explorer-viewlet .pane-header', { hasText: 'navigation' }).first().click();
    await until(page, outline, (text) => /wells-0: By how much.*question_id.*wells-1: What is/s.test(text));
    // The outline tells what the solutions yield, though it was asked for before they ran.
    await until(page, outline, (text) => /3 = gold/.test(text));
    await goTo(page, 2, 120);
    await until(page, breadcrumbs, (crumbs) => crumbs.some((crumb) => crumb.startsWith('wells-1: What is the mean')));
    await screenshot(page, 'outline-file-light');
  });

  it('outlines a record with its elements and its code', async () => {
    const { page } = window;
    await page.locator('.editor-instance .view-line').first().click();
    await goTo(page, 2, 1);
    await runCommand(page, 'Auditable QA: Edit record');
    await page.locator(tab('wells-1.record')).waitFor();
    await until(page, outline, (text) => /question_id.*paragraphs.*python_solution/s.test(text));
    await page.locator('.view-line', { hasText: 'north = 41' }).first().click();
    await until(page, breadcrumbs, (crumbs) => crumbs.includes('north'));
    await screenshot(page, 'outline-record-light');
  });

  it('goes from a literal to the cell of the table, and back to the literal', async () => {
    const { page } = window;
    const line = async (wanted: number): Promise<void> =>
      await page.locator('.part.statusbar .statusbar-item', { hasText: `Ln ${wanted}, Col` }).waitFor();
    await page.locator('.view-line', { hasText: 'north = 41' }).first().click();
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    await line(17);
    await page.keyboard.press('F12');
    await line(9);
    await page.keyboard.press('F12');
    await line(17);
  });

  it('opens the evidence preview at the page that is clicked', async () => {
    const { page } = window;
    await openFile(page, 'sciegqa.jsonl');
    await profileShown(page, 'SciEGQA');
    await until(page, outline, (text) => text.includes('Which well is deeper'));
    await page.locator('.view-line .detected-link', { hasText: 'field-report' }).first().waitFor();
    const pages = page.locator('.view-line .detected-link', { hasText: /^3$/ });
    await follow(pages.first());
    const frame = await webviewFrame(page, '.paper[data-state="drawn"] g.region');
    const isInView = async (): Promise<boolean> =>
      await frame.locator('g.region[data-pointer="/bbox/1/0"]').evaluate((region) => {
        const { top, bottom } = region.getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight;
      });
    await until(page, isInView, (is) => is);
    await screenshot(page, 'page-link-light');
    // And nothing else: the file stays where it was.
    assert.equal(await page.locator('.tab', { hasText: 'field-report.pdf' }).count(), 0);
  });

  it('opens the document whose name is clicked', async () => {
    const { page } = window;
    const name = page.locator('.view-line .detected-link', { hasText: 'field-report' }).first();
    await follow(name);
    await page.locator('.tab', { hasText: 'field-report.pdf' }).waitFor();
    // VS Code itself shows no PDF; it has found the file, and offers to open it.
    await page.locator('.monaco-editor-pane-placeholder', { hasText: 'binary' }).waitFor();
    await screenshot(page, 'document-link-light');
    await page.keyboard.press('Control+F4');
  });

  for (const [theme, name, kind] of [
    ['Dark 2026', 'dark', '.vs-dark'],
    ['Default High Contrast', 'high-contrast', '.hc-black'],
  ] as const) {
    it(`can be read in ${name}`, async () => {
      window.change({ 'workbench.colorTheme': theme });
      await window.page.locator(`.monaco-workbench${kind}`).waitFor();
      await screenshot(window.page, `outline-${name}`);
    });
  }
});
