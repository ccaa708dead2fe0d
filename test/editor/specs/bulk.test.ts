/** Bulk work as people do it: in the Records view and the explorer, with a look at what changes, undo and new files. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Frame } from 'playwright-core';
import { openFile, runCommand, startCommand, until, webviewFrame } from '../surface.ts';
import type { EditorWindow } from '../window.ts';
import { openWindow, screenshot } from '../window.ts';
import { makeWorkspace } from '../workspace.ts';

const record = (at: number, answer: string): string =>
  `{"query": "Which well is the deepest of number ${at}?", "answer": ${JSON.stringify(answer)}, "doc_name": "field-report", "evidence_page": [2], "bbox": [[[300, 600, 2100, 1500]]], "subimg_type": [["table"]], "category": "cs"}`;
const LINES = [record(1, 'North'), record(2, ' East'), record(3, 'West '), record(4, 'South'), record(5, ' both')];
const TEXT = `${LINES.join('\n')}\n`;

describe('bulk work', () => {
  let window!: EditorWindow;
  let frame!: Frame;
  let folder!: string;
  before(async () => {
    folder = await makeWorkspace('bulk');
    writeFileSync(path.join(folder, 'sciegqa-bulk.jsonl'), TEXT);
    writeFileSync(path.join(folder, 'sciegqa-closed.jsonl'), TEXT);
    writeFileSync(path.join(folder, 'sciegqa-other.jsonl'), TEXT);
    const settings = { 'files.autoSave': 'off' };
    window = await openWindow({ workspace: folder, file: path.join(folder, 'docmath.jsonl'), settings });
    await window.page.locator('.codelens-decoration', { hasText: 'gold' }).first().waitFor();
    await openFile(window.page, 'sciegqa-bulk.jsonl');
    await window.page.locator('.codelens-decoration').first().waitFor();
    await runCommand(window.page, 'Auditable QA: Show in Records view');
    frame = await webviewFrame(window.page, '.grid .row');
  });
  after(async () => await (window as EditorWindow | undefined)?.close());

  const onDisk = (name: string): string => readFileSync(path.join(folder, name), 'utf8');
  const questions = async (): Promise<string> => {
    const texts = await frame.locator('.row .cell-question').allInnerTexts();
    return texts.map((text) => /number (\d)/.exec(text)?.[1] ?? '-').join('');
  };
  const orderIs = (wanted: string): Promise<string> => until(window.page, questions, (found) => found === wanted);
  const choose = async (position: number): Promise<void> => {
    const current = frame.locator('.row.current .cell-index', { hasText: new RegExp(`^${position}$`) });
    const choices = async (): Promise<number> => {
      await frame.locator('.grid').focus();
      await window.page.keyboard.press('Home');
      for (let at = 1; at < position; at++) await window.page.keyboard.press('ArrowDown');
      return current.count();
    };
    // A list that has just come may come once more, with what was counted meanwhile.
    await until(window.page, choices, (count) => count === 1);
  };
  /** Driven by tests, VS Code shows no toasts; the notifications are in their centre. */
  const notice = async (text: RegExp) => {
    const item = window.page.locator('.notifications-center .notification-list-item', { hasText: text });
    await runCommand(window.page, 'Notifications: Show Notifications');
    await item.waitFor();
    return item;
  };
  const undo = async (): Promise<void> => {
    await openFile(window.page, 'sciegqa-bulk.jsonl');
    await window.page.keyboard.press('Control+Z');
  };

  it('offers to convert, split and merge files of records in the explorer, and not our own', async () => {
    const { page } = window;
    const offered = async (name: string): Promise<string[]> => {
      await page.locator(`.explorer-folders-view [aria-label^="${name}"]`).first().click({ button: 'right' });
      const items = page.locator('.context-view .action-label:visible');
      await items.filter({ hasText: 'Copy Path' }).first().waitFor();
      const texts = await items.allInnerTexts();
      await page.keyboard.press('Escape');
      await items.first().waitFor({ state: 'hidden' });
      return texts.filter((text) => /^(?:Convert|Split|Merge)/.test(text));
    };
    assert.equal((await offered('sciegqa-closed.jsonl')).length, 3);
    assert.deepEqual(await offered('auditable-qa.json'), []);
  });

  it('moves, duplicates and deletes by keyboard; each is one undo', async () => {
    const { page } = window;
    await orderIs('12345');
    await choose(2);
    await page.keyboard.press('Alt+ArrowUp');
    await orderIs('21345');
    await page.keyboard.press('Alt+Shift+ArrowDown');
    await orderIs('221345');
    await choose(4);
    await page.keyboard.press('Shift+ArrowDown');
    await frame.locator('.detail h2', { hasText: '2 records selected' }).waitFor();
    await page.keyboard.press('Delete');
    await orderIs('2215');
    await screenshot(page, 'bulk-records-light');
    for (const before of ['221345', '21345', '12345']) {
      await undo();
      await orderIs(before);
    }
    await page.locator('.tab:not(.dirty)[data-resource-name="sciegqa-bulk.jsonl"]').waitFor();
    assert.equal(onDisk('sciegqa-bulk.jsonl'), TEXT);
  });

  it('makes one fix everywhere after a comparison, from the facet of its rule', async () => {
    const { page } = window;
    await frame.locator('.facet', { hasText: 'Rule' }).click();
    await frame.locator('.popup:visible label', { hasText: 'text/stray-blanks' }).click();
    await orderIs('235');
    await frame.locator('.popup:visible button', { hasText: 'Fix in all records' }).click();
    await page.locator('.monaco-diff-editor:visible .char-delete').first().waitFor();
    await screenshot(page, 'bulk-fix-comparison-light');
    const question = await notice(/Fix text\/stray-blanks in 3 records in sciegqa-bulk\.jsonl\?/);
    await screenshot(page, 'bulk-fix-question-light');
    await question.locator('.monaco-button', { hasText: 'Apply' }).click();
    await page.locator('.monaco-diff-editor').first().waitFor({ state: 'hidden' });
    await frame.locator('.empty', { hasText: 'No record fits the filter.' }).waitFor();
    await frame.locator('button', { hasText: 'Clear filters' }).click();
    await orderIs('12345');
    await openFile(page, 'sciegqa-bulk.jsonl');
    await page.keyboard.press('Control+S');
    await page.locator('.tab:not(.dirty)[data-resource-name="sciegqa-bulk.jsonl"]').waitFor();
    const fixed = TEXT.replace('" East"', '"East"').replace('"West "', '"West"').replace('" both"', '"both"');
    assert.equal(onDisk('sciegqa-bulk.jsonl'), fixed);
  });

  const chooseFile = async (name: string): Promise<void> => {
    const labels = await frame.locator('.files option').allInnerTexts();
    await frame.locator('.files').selectOption({ label: labels.find((text) => text.startsWith(name))! });
  };

  it('changes a file that is not open on the disk, and takes it back', async () => {
    const { page } = window;
    await chooseFile('sciegqa-closed');
    await orderIs('12345');
    await choose(3);
    await page.keyboard.press('Delete');
    await orderIs('1245');
    const told = await notice(/Delete record 3: sciegqa-closed\.jsonl is written/);
    assert.equal(onDisk('sciegqa-closed.jsonl'), `${LINES.toSpliced(2, 1).join('\n')}\n`);
    await told.locator('.monaco-button', { hasText: 'Undo' }).click();
    await orderIs('12345');
    assert.equal(onDisk('sciegqa-closed.jsonl'), TEXT);
  });

  it('asks which file’s change is taken back where it may be more than one’s', async () => {
    const { page } = window;
    await choose(1);
    await page.keyboard.press('Delete');
    await orderIs('2345');
    await chooseFile('sciegqa-other');
    await orderIs('12345');
    await choose(2);
    await page.keyboard.press('Delete');
    await orderIs('1345');
    await chooseFile('sciegqa-closed');
    await orderIs('2345');
    await startCommand(page, 'Auditable QA: Undo last change on disk');
    const input = page.locator('.quick-input-widget:visible');
    await input.locator('.quick-input-title', { hasText: 'Undo the last change in' }).waitFor();
    await screenshot(page, 'bulk-undo-which-light');
    await input.locator('.monaco-list-row', { hasText: 'sciegqa-other' }).click();
    await until(
      page,
      () => Promise.resolve(onDisk('sciegqa-other.jsonl')),
      (found) => found === TEXT,
    );
    assert.equal(onDisk('sciegqa-closed.jsonl'), `${LINES.toSpliced(0, 1).join('\n')}\n`);
    await runCommand(page, 'Auditable QA: Undo last change on disk');
    await orderIs('12345');
    assert.equal(onDisk('sciegqa-closed.jsonl'), TEXT);
  });

  it('converts a file beside it', async () => {
    const { page } = window;
    await openFile(page, 'sciegqa-bulk.jsonl');
    await startCommand(page, 'Auditable QA: Convert between');
    const input = page.locator('.quick-input-widget:visible');
    await input.locator('.quick-input-title', { hasText: 'Convert to a JSON array' }).waitFor();
    await screenshot(page, 'bulk-convert-light');
    await page.keyboard.press('Enter');
    const told = await notice(/5 records written to sciegqa-bulk\.json\./);
    await screenshot(page, 'bulk-converted-light');
    const lines = onDisk('sciegqa-bulk.jsonl').trimEnd().split('\n');
    assert.equal(onDisk('sciegqa-bulk.json'), `[\n${lines.join(',\n')}\n]\n`);
    await told.locator('.monaco-button', { hasText: 'Open' }).click();
    await page.locator('.tab.active[data-resource-name="sciegqa-bulk.json"]').waitFor();
    assert.ok(existsSync(path.join(folder, 'sciegqa-bulk.jsonl')));
  });
});
