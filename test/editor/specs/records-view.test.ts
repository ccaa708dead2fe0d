import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Frame } from 'playwright-core';
import { openFile, reloadWindow, runCommand, until, webviewFrame } from '../surface.ts';
import type { EditorWindow } from '../window.ts';
import { openWindow, screenshot } from '../window.ts';
import { makeWorkspace } from '../workspace.ts';

const record = (at: number, answer: string, category = 'cs'): string =>
  `{"query": "Which well is the deepest of number ${at}?", "answer": ${JSON.stringify(answer)}, "doc_name": "field-report", "evidence_page": [2], "bbox": [[[300, 600, 2100, 1500]]], "subimg_type": [["table"]], "category": ${JSON.stringify(category)}}`;
const LINES = [
  record(1, 'North'),
  record(2, ' East'),
  record(3, 'West ', 'physics'),
  record(4, 'South', 'physics'),
  record(5, ' both'),
];
const TEXT = `${LINES.join('\n')}\n`;

describe('the Records view', () => {
  let window!: EditorWindow;
  let frame!: Frame;
  let folder!: string;
  let file!: string;
  before(async () => {
    folder = await makeWorkspace('records-view');
    file = path.join(folder, 'sciegqa-triage.jsonl');
    writeFileSync(file, TEXT);
    const settings = { 'files.autoSave': 'off' };
    window = await openWindow({ workspace: folder, file: path.join(folder, 'docmath.jsonl'), settings });
    await window.page.locator('.codelens-decoration', { hasText: 'gold' }).first().waitFor();
  });
  after(async () => await (window as EditorWindow | undefined)?.close());

  const rows = async (): Promise<string[]> => {
    const texts = await frame.locator('.row .cell-index').allInnerTexts();
    return texts.map((text) => text.trim());
  };
  const rowsAre = (wanted: readonly string[]): Promise<string[]> =>
    until(window.page, rows, (found) => JSON.stringify(found) === JSON.stringify(wanted));
  const status = (): Promise<string> => frame.locator('.status-counts').innerText();
  const cursor = (): Promise<string> =>
    window.page.locator('.part.statusbar .statusbar-item', { hasText: /^Ln / }).innerText();
  const focusGrid = (): Promise<void> => frame.locator('.grid').focus();

  it('shows the records of the active file with their state', async () => {
    const { page } = window;
    await runCommand(page, 'Auditable QA: Show in Records view');
    frame = await webviewFrame(page, '.grid .row');
    await rowsAre(['1', '2', '3']);
    await until(
      page,
      () => frame.locator('.row .cell-state').allInnerTexts(),
      (states) => states[1]?.includes('≠ gold') === true && states[2]?.includes('fails') === true,
    );
    assert.match(await status(), /^3 records · \d+ error/);
    await screenshot(page, 'records-view-light');
  });

  it('lists the record files of the workspace and reads one that is not open', async () => {
    const names = await until(
      window.page,
      () => frame.locator('.files option').allInnerTexts(),
      (options) => options.length >= 3,
    );
    assert.match(names[0]!, /^docmath\.jsonl \(3: /);
    assert.ok(!names.some((name) => name.startsWith('log.jsonl') || name.startsWith('auditable-qa.json')));
    await frame.locator('.files').selectOption({ label: 'sciegqa-triage.jsonl' });
    await rowsAre(['1', '2', '3', '4', '5']);
  });

  it('filters by facet, severity and words, with counts', async () => {
    const { page } = window;
    await frame.locator('.facet', { hasText: 'Category' }).click();
    await frame.locator('.popup:visible label', { hasText: 'physics' }).click();
    await rowsAre(['3', '4']);
    assert.match(await status(), /^2 of 5 records/);
    await page.keyboard.press('Escape');
    await frame.locator('.search').fill('number 4');
    await rowsAre(['4']);
    await frame.locator('button', { hasText: 'Clear filters' }).click();
    await rowsAre(['1', '2', '3', '4', '5']);
    await frame.locator('.facet', { hasText: 'Rule' }).click();
    await frame.locator('.popup:visible label', { hasText: 'text/stray-blanks' }).click();
    await rowsAre(['2', '3', '5']);
    await page.keyboard.press('Escape');
  });

  it('opens the value of a finding by keyboard', async () => {
    const { page } = window;
    await focusGrid();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
    await frame.locator('.row.current .cell-index', { hasText: /^3$/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.tab.active[data-resource-name="sciegqa-triage.jsonl"]').waitFor();
    const column = LINES[2]!.indexOf('"West') + 1;
    const found = await until(page, cursor, (text) => text.startsWith('Ln 3, Col '));
    assert.ok(Math.abs(Number(/Col (\d+)/.exec(found)![1]) - column) <= 6, found);
    assert.ok((await frame.locator('.row.selected').count()) === 1);
  });

  it('steps from problem to problem through the filtered list', async () => {
    const { page } = window;
    await page.keyboard.press('Alt+Shift+PageDown');
    await until(page, cursor, (text) => text.startsWith('Ln 5, '));
    await page.keyboard.press('Alt+Shift+PageDown');
    await until(page, cursor, (text) => text.startsWith('Ln 2, '));
    await page.keyboard.press('Alt+Shift+PageUp');
    await until(page, cursor, (text) => text.startsWith('Ln 5, '));
  });

  it('fixes the findings of several records after showing what changes, and one undo takes it back', async () => {
    const { page } = window;
    await focusGrid();
    await page.keyboard.press('Home');
    await page.keyboard.press('Shift+ArrowDown');
    await frame.locator('.detail h2', { hasText: '2 records selected' }).waitFor();
    await page.keyboard.press('f');
    const dialog = frame.locator('dialog[open]');
    await dialog.locator('.changes li').nth(1).waitFor();
    assert.match(await dialog.locator('.note').first().innerText(), /^2 changes in 2 records\. One undo/);
    await screenshot(page, 'records-view-fix-light');
    await dialog.locator('button', { hasText: 'Apply' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await rowsAre(['5']);
    await page.locator('.tab.dirty[data-resource-name="sciegqa-triage.jsonl"]').waitFor();
    await openFile(page, 'sciegqa-triage.jsonl');
    await page.keyboard.press('Control+Z');
    await page.locator('.tab:not(.dirty)[data-resource-name="sciegqa-triage.jsonl"]').waitFor();
    await rowsAre(['2', '3', '5']);
    await page.keyboard.press('Control+Shift+Z');
    await rowsAre(['5']);
    await page.keyboard.press('Control+S');
    await page.locator('.tab:not(.dirty)[data-resource-name="sciegqa-triage.jsonl"]').waitFor();
    const fixed = TEXT.replace('" East"', '"East"').replace('"West "', '"West"');
    assert.equal(readFileSync(file, 'utf8'), fixed);
  });

  it('accepts a finding with a reason', async () => {
    const { page } = window;
    await focusGrid();
    await page.keyboard.press('Home');
    await page.keyboard.press('a');
    const dialog = frame.locator('dialog[open]');
    await dialog.locator('textarea').fill('As it is printed.');
    await screenshot(page, 'records-view-accept-light');
    await dialog.locator('textarea').press('Enter');
    await dialog.waitFor({ state: 'hidden' });
    await frame.locator('.empty', { hasText: 'No record fits the filter.' }).waitFor();
    const list = path.join(folder, 'auditable-qa.accepted.jsonl');
    assert.ok(existsSync(list));
    assert.match(readFileSync(list, 'utf8'), /"reason": ?"As it is printed\."/);
  });

  it('keeps file and filter through a reload of the window', async () => {
    const { page } = window;
    await frame.locator('button', { hasText: 'Clear filters' }).click();
    await frame.locator('.search').fill('#4');
    await rowsAre(['4']);
    await focusGrid();
    await frame.locator('.row.current').waitFor();
    await reloadWindow(page);
    frame = await webviewFrame(page, '.grid .row');
    await rowsAre(['4']);
    assert.equal(await frame.locator('.search').inputValue(), '#4');
    await frame.locator('.row.current .cell-index', { hasText: /^4$/ }).waitFor();
  });

  for (const [theme, name] of [
    ['Dark 2026', 'dark'],
    ['Default High Contrast', 'high-contrast'],
  ] as const) {
    it(`can be read in ${name}`, async () => {
      const { page } = window;
      await frame.locator('.files').selectOption({ label: (await optionOf('docmath.jsonl')) ?? '' });
      await rowsAre(['1', '2', '3']);
      window.change({ 'workbench.colorTheme': theme });
      await frame.locator(`body.${name === 'dark' ? 'vscode-dark' : 'vscode-high-contrast'}`).waitFor();
      await focusGrid();
      await page.keyboard.press('Home');
      await page.keyboard.press('ArrowDown');
      await frame.locator('.detail .finding').first().waitFor();
      await screenshot(page, `records-view-${name}`);
    });
  }

  async function optionOf(name: string): Promise<string | undefined> {
    return (await frame.locator('.files option').allInnerTexts()).find((text) => text.startsWith(name));
  }
});
