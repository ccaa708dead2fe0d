import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Frame, Locator } from 'playwright-core';
import { goTo, profileShown, runCommand, selectedText, until, webviewFrame } from '../surface.ts';
import type { EditorWindow } from '../window.ts';
import { openWindow, screenshot } from '../window.ts';
import { makeWorkspace } from '../workspace.ts';

const record = (id: string, question: string): string =>
  JSON.stringify({
    question_id: id,
    question,
    paragraphs: [
      'The survey of the wells was made in spring.',
      '| Well | Depth | Yield |\n| North | 41 | 1,350 |\n| East | 38 | 1,200 |',
      'The pumps of both wells were renewed for $1.35 million.',
      'Rain was scarce in the year before.',
    ],
    table_evidence: [],
    paragraph_evidence: [0, 3],
    python_solution: 'def solution():\n    north = 1350\n    east = 1200\n    return north - east',
    ground_truth: 150.0,
  });

const THEMES = [
  ['dark', 'Dark 2026', '.monaco-workbench.vs-dark', 'vscode-dark'],
  ['high-contrast', 'Default High Contrast', '.monaco-workbench.hc-black', 'vscode-high-contrast'],
] as const;

describe('finding evidence', () => {
  let window!: EditorWindow;
  let file!: string;
  before(async () => {
    const workspace = await makeWorkspace('find-evidence');
    file = path.join(workspace, 'pumps.jsonl');
    const questions = ['How much more does the north well yield?', 'How much does the east well yield less?'];
    writeFileSync(file, questions.map((question, at) => `${record(`pumps-${at}`, question)}\n`).join(''));
    window = await openWindow({ workspace, file, settings: { 'files.autoSave': 'off' } });
    await profileShown(window.page, 'DocMath-Eval');
    await window.page.locator('.codelens-decoration', { hasText: 'gold' }).first().waitFor();
  });
  after(async () => await (window as EditorWindow | undefined)?.close());

  const rows = (): Locator => window.page.locator('.quick-input-list .monaco-list-row');
  const text = (): Promise<string> =>
    window.page
      .locator('.editor-instance .view-lines')
      .first()
      .evaluate((lines) => (lines.textContent ?? '').replaceAll('\u00a0', ' '));

  async function find(query: string, first: string): Promise<void> {
    const { page } = window;
    await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
    // The palette gives way to the list, which is the same widget.
    await page.keyboard.press('F1');
    await page.locator('.quick-input-widget input').fill('>Auditable QA: Find evidence');
    await rows().filter({ hasText: 'Find evidence' }).first().click();
    await page.locator('.quick-input-title', { hasText: 'Find evidence in record' }).waitFor();
    await page.locator('.quick-input-widget input').fill(query);
    await until(
      page,
      async () => (await rows().first().innerText()).replaceAll('\u00a0', ' '),
      (row) => row.includes(first),
    );
  }

  it('lists what has a number in any spelling and scale, best first', async () => {
    const { page } = window;
    await goTo(page, 2, 1);
    await runCommand(page, 'Auditable QA: Edit record');
    await page.locator('.tab.active[data-resource-name="pumps-1.record"]').waitFor();
    await page.locator('.view-line', { hasText: '"paragraph_evidence": [0, 3]' }).first().waitFor();
    await find('1350', 'paragraphs[1] row "North", column "Yield"');
    assert.equal(await rows().count(), 2);
    assert.match(await rows().nth(0).innerText(), /North \| 41 \| 1,350/);
    assert.match(await rows().nth(1).innerText(), /paragraphs\[2\][\s\S]*in another scale[\s\S]*\$1\.35 million/);
    await screenshot(page, 'find-evidence-light');
  });

  it('says what was looked through where nothing is found', async () => {
    const { page } = window;
    await page.locator('.quick-input-widget input').fill('walrus');
    await until(
      page,
      async () => await rows().first().innerText(),
      (row) => /Nothing has “walrus”/.test(row),
    );
    assert.match(await rows().first().innerText(), /Looked through 4 paragraphs and tables/);
    await page.keyboard.press('Escape');
  });

  it('cites what is chosen, in the list of its kind and in its place, and undo takes it back', async () => {
    const { page } = window;
    await find('renewed pumps', 'paragraphs[2]');
    await page.keyboard.press('Enter');
    await until(page, text, (shown) => shown.includes('"paragraph_evidence": [0, 2, 3]'));
    await page.locator('.tab.dirty.active').waitFor();
    await page.locator('.editor-instance .view-line').first().click();
    await page.keyboard.press('Control+Z');
    await until(page, text, (shown) => shown.includes('"paragraph_evidence": [0, 3]'));
    await find('North', 'paragraphs[1]');
    await page.keyboard.press('Enter');
    await page.locator('.view-line', { hasText: /^\s*1$/ }).waitFor();
  });

  it('offers to remove what is cited already', async () => {
    const { page } = window;
    await find('rain', 'paragraphs[3]');
    assert.match(await rows().first().innerText(), /cited/);
    await page.keyboard.press('Enter');
    await until(
      page,
      async () => await rows().first().innerText(),
      (row) => row.includes('Remove the citation'),
    );
    await page.keyboard.press('Enter');
    await until(page, text, (shown) => shown.includes('"paragraph_evidence": [0]'));
    await page.keyboard.press('Control+S');
    await page.locator('.tab.active:not(.dirty)').waitFor();
    const saved = JSON.parse(readFileSync(file, 'utf8').split('\n')[1] ?? '') as Record<string, unknown>;
    assert.deepEqual([saved['table_evidence'], saved['paragraph_evidence']], [[1], [0]]);
  });

  it('cites in the file from the document of a solution', async () => {
    const { page } = window;
    await page.locator('.tab', { hasText: 'pumps.jsonl' }).click();
    await page.locator('.tab.active[data-resource-name="pumps.jsonl"]').waitFor();
    await goTo(page, 1, 1);
    await runCommand(page, 'Auditable QA: Edit solution');
    await page.locator('.tab.active[data-resource-name="pumps-0.py"]').waitFor();
    await page.locator('.view-line', { hasText: 'north = 1350' }).first().waitFor();
    await find('1,200', 'paragraphs[1] row "East"');
    await page.keyboard.press('Enter');
    await until(
      page,
      () => Promise.resolve(readFileSync(file, 'utf8').split('\n')[0] ?? ''),
      (line) => line.includes('"table_evidence":[1]'),
    );
  });

  describe('alone', () => {
    let frame!: Frame;

    it('is shown for a record document, with the answer hidden until it is asked for', async () => {
      const { page } = window;
      await page.locator('.tab', { hasText: 'pumps-1.record' }).click();
      await page.locator('.tab.active[data-resource-name="pumps-1.record"]').waitFor();
      await runCommand(page, 'Auditable QA: Show evidence only');
      frame = await webviewFrame(page, '.reveal');
      await frame.getByText('How much does the east well yield less?').waitFor();
      assert.doesNotMatch(await frame.locator('body').innerText(), /150|Solution|numbers/);
      assert.equal(await frame.locator('.number, .problem').count(), 0);
      await screenshot(page, 'evidence-only-light');
      await frame.locator('.reveal').click();
      await frame.locator('dd', { hasText: '150' }).first().waitFor();
    });

    it('follows what is typed in the record document, and selects there what is chosen', async () => {
      const { page } = window;
      await frame.locator('.block-name', { hasText: 'paragraphs[0]' }).click();
      const selected = await until(
        page,
        async () => await selectedText(page),
        (found) => found !== '',
      );
      assert.equal(selected, '0');
      await page.locator('.tab.active[data-resource-name="pumps-1.record"]').waitFor();
    });

    it('goes on to the next record’s document, whose answer is hidden again', async () => {
      const { page } = window;
      await frame.locator('.scroller').focus();
      await page.keyboard.press('Alt+PageUp');
      await frame.getByText('How much more does the north well yield?').waitFor();
      await page.locator('.tab[data-resource-name="pumps-0.record"]').waitFor();
      assert.equal(await frame.locator('.reveal').innerText(), 'Reveal answer');
      assert.doesNotMatch(await frame.locator('body').innerText(), /Solution/);
    });

    for (const [name, theme, workbench, kind] of THEMES) {
      it(`can be read in ${name}, like the list`, async () => {
        const { page } = window;
        window.change({ 'workbench.colorTheme': theme });
        await page.locator(workbench).waitFor();
        await frame.locator(`body.${kind}`).waitFor();
        await screenshot(page, `evidence-only-${name}`);
        await page.locator('.tab[data-resource-name="pumps-0.record"]').click();
        await find('1350', 'paragraphs[1] row "North"');
        await screenshot(page, `find-evidence-${name}`);
        await page.keyboard.press('Escape');
      });
    }
  });
});
