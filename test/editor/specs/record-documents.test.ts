import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { goTo, reloadWindow, runCommand, until } from '../surface.ts';
import type { EditorWindow } from '../window.ts';
import { openWindow, screenshot } from '../window.ts';
import { makeWorkspace } from '../workspace.ts';

/** Whether VS Code has kept a copy of a document with this text, somewhere below a folder. */
function isKept(folder: string, text: string): boolean {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).some((entry) => {
    const isBackup = entry.isFile() && entry.parentPath.includes(`${path.sep}Backups${path.sep}`);
    return isBackup && readFileSync(path.join(entry.parentPath, entry.name), 'utf8').includes(text);
  });
}

const tab = (name: string): string => `.tab.active[data-resource-name="${name}"]`;

describe('a record document in the window', () => {
  let window!: EditorWindow;
  let file!: string;
  before(async () => {
    const workspace = await makeWorkspace('record-documents');
    file = path.join(workspace, 'docmath.jsonl');
    window = await openWindow({ workspace, file, settings: { 'files.autoSave': 'off' } });
    await window.page.locator('.codelens-decoration', { hasText: 'gold' }).first().waitFor();
  });
  after(async () => await (window as EditorWindow | undefined)?.close());

  it('shows the record with its code over many lines, its findings and its lens', async () => {
    const { page } = window;
    await goTo(page, 2, 1);
    await runCommand(page, 'Auditable QA: Edit record');
    await page.locator(tab('wells-1.record')).waitFor();
    await page.locator('.view-line', { hasText: 'return (north + east) / 2' }).first().waitFor();
    await page.locator('.editor-instance .squiggly-error').first().waitFor();
    await page.locator('.codelens-decoration', { hasText: '≠ gold 42.75' }).first().waitFor();
    await screenshot(page, 'record-document-light');
  });

  it('keeps what was typed through a reload of the window, and saves it beside what changed on disk', async () => {
    const { page } = window;
    const question = 'What is the mean depth of both wells?';
    await page.locator('.view-line', { hasText: question }).first().click();
    await page.keyboard.press('Home');
    await page.keyboard.press('Home');
    await page.keyboard.press('Control+F');
    await page.locator('.find-widget.visible textarea').first().fill('mean depth');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await page.keyboard.type('average depth');
    await page.locator('.tab.dirty.active').waitFor();
    // A browser's page cannot write while it is left: what VS Code has kept by then is what it gives back.
    await until(
      page,
      () => Promise.resolve(isKept(path.dirname(path.dirname(file)), 'average depth')),
      (kept) => kept,
    );
    const before = readFileSync(file, 'utf8');
    await reloadWindow(page);
    await page.locator('.tab.dirty', { hasText: 'wells-1.record' }).waitFor({ timeout: 60_000 });
    await page.locator('.tab', { hasText: 'wells-1.record' }).click();
    await page.locator('.view-line', { hasText: 'average depth' }).first().waitFor();
    assert.equal(readFileSync(file, 'utf8'), before);
    const meanwhile = before.replace(
      '"question_id": "wells-1", "source": "own"',
      '"question_id": "wells-1", "source": "other"',
    );
    assert.notEqual(meanwhile, before);
    writeFileSync(file, meanwhile);
    await page.keyboard.press('Control+S');
    await page.locator('.tab:not(.dirty)', { hasText: 'wells-1.record' }).waitFor();
    await page.locator('.view-line', { hasText: '"source": "other"' }).first().waitFor();
    assert.equal(readFileSync(file, 'utf8'), meanwhile.replace('mean depth', 'average depth'));
  });

  for (const [theme, name] of [
    ['Dark 2026', 'dark'],
    ['Default High Contrast', 'high-contrast'],
  ] as const) {
    it(`can be read in ${name}`, async () => {
      window.change({ 'workbench.colorTheme': theme });
      await window.page.locator(name === 'dark' ? '.monaco-workbench.vs-dark' : '.monaco-workbench.hc-black').waitFor();
      await screenshot(window.page, `record-document-${name}`);
    });
  }

  it('becomes the solution as Python', async () => {
    const { page } = window;
    await runCommand(page, 'Auditable QA: Edit solution');
    await page.locator(tab('wells-1.py')).waitFor();
    await page.locator('.view-line', { hasText: 'return (north + east) / 2' }).first().waitFor();
    await page.locator('.codelens-decoration', { hasText: '≠ gold 42.75' }).first().waitFor();
    await screenshot(page, 'solution-document-high-contrast');
  });
});
