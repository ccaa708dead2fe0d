/** A file that VS Code hands to no extension, in the real one: what is said of it, and its records seen and edited all the same. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { closeSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import path from 'node:path';
import type { Frame, Locator } from 'playwright-core';
import { profileShown, runCommand, until, webviewFrame } from '../surface.ts';
import type { EditorWindow } from '../window.ts';
import { openWindow, screenshot } from '../window.ts';
import { makeWorkspace } from '../workspace.ts';

const NAME = 'sciegqa-large.jsonl';
const RECORDS = 3000;
const NOTE = 'Long notes make large files. '.repeat(700);

const record = (at: number): string =>
  `{"query": "How deep is well number ${at}?", "answer": "${at === RECORDS ? ' 41 m' : '41 m'}",  "doc_name": "field-report", "evidence_page": [2], "bbox": [[[300, 600, 2100, 1500]]], "subimg_type": [["table"]], "category": "cs"${at === RECORDS ? '' : `, "note": "${NOTE}"`}}\n`;

describe('a file over 50 MB', () => {
  let window!: EditorWindow;
  let records!: Frame;
  let file!: string;
  let original!: Buffer;
  before(async () => {
    const workspace = await makeWorkspace('large-files');
    file = path.join(workspace, NAME);
    const handle = openSync(file, 'w');
    for (let at = 1; at <= RECORDS; at++) writeSync(handle, record(at));
    closeSync(handle);
    original = readFileSync(file);
    assert.ok(original.length > 55 * 1024 * 1024);
    window = await openWindow({ workspace, file, settings: { 'files.autoSave': 'off' } });
    window.page.setDefaultTimeout(40_000);
  });
  after(async () => await (window as EditorWindow | undefined)?.close());

  /** Driven by tests, VS Code shows no toasts; the notifications are in their centre. */
  const notices = (): Locator =>
    window.page.locator('.notifications-center .notification-list-item', { hasText: 'does not hand files over 50 MB' });
  const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
  /** The file once it is another one than `before` says. */
  const changedFrom = async (before: { readonly mtimeMs: number; readonly ino: number }): Promise<Buffer> => {
    const look = () => Promise.resolve(statSync(file));
    await until(window.page, look, ({ mtimeMs, ino }) => mtimeMs !== before.mtimeMs || ino !== before.ino);
    return readFileSync(file);
  };
  const last = (bytes: Buffer): string => bytes.toString('utf8', original.length - record(RECORDS).length);
  /** Nothing but the last record was changed. */
  function onlyLastChanged(bytes: Buffer): void {
    const head = original.length - record(RECORDS).length;
    assert.equal(Buffer.compare(bytes.subarray(0, head), original.subarray(0, head)), 0);
  }

  it('is told of once, with a way to its records; the status bar knows it', async () => {
    const { page } = window;
    await profileShown(page, 'SciEGQA');
    await runCommand(page, 'Notifications: Show Notifications');
    const told = notices();
    await told.waitFor();
    await screenshot(page, 'large-file-notice');
    await told.getByRole('button', { name: 'Open in Records view' }).click();
    records = await webviewFrame(page, '.grid .row');
    await until(
      page,
      () => records.locator('.status-counts').innerText(),
      (text) => text.startsWith(`${RECORDS.toLocaleString('en')} records`),
    );
    await screenshot(page, 'large-file-records');
  });

  it('has its records opened, edited and saved in their own documents: only that value’s bytes differ', async () => {
    const { page } = window;
    await records.locator('.search').fill(`#${RECORDS}`);
    await until(
      page,
      () => records.locator('.row .cell-index').allInnerTexts(),
      (found) => found.join() === RECORDS.toLocaleString('en'),
    );
    await records.locator('.grid').focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await page.locator(`.tab.active[data-resource-name$=".record"]`).waitFor();
    await page.locator('.editor-group-container.active .view-line', { hasText: 'How deep is well' }).waitFor();
    // At the value that the finding of stray blanks is about; then behind its quote.
    await page.locator('.part.statusbar .statusbar-item', { hasText: `Ln 3, Col ${'  "answer": "'.length}` }).waitFor();
    await page.keyboard.press('ArrowRight');
    const before = statSync(file);
    await page.keyboard.type('about');
    await page.keyboard.press('Control+S');
    const changed = await changedFrom(before);
    onlyLastChanged(changed);
    assert.equal(last(changed), record(RECORDS).replace('" 41 m"', '"about 41 m"'));
    await page.locator('.tab.active:not(.dirty)[data-resource-name$=".record"]').waitFor();
    await screenshot(page, 'large-file-record');
  });

  it('has what was changed on disk undone and made again', async () => {
    const { page } = window;
    const saved = statSync(file);
    await runCommand(page, 'Auditable QA: Undo last change on disk');
    const undone = await changedFrom(saved);
    assert.equal(hashOf(undone), hashOf(original));
    await page.locator('.editor-group-container.active .view-line', { hasText: '"answer": " 41 m"' }).waitFor();
    const taken = statSync(file);
    await runCommand(page, 'Auditable QA: Redo last change on disk');
    assert.equal(last(await changedFrom(taken)), record(RECORDS).replace('" 41 m"', '"about 41 m"'));
  });

  it('has its regions corrected in the preview, on disk, and undone there', async () => {
    const { page } = window;
    await records.locator('.grid').focus();
    await page.keyboard.press('Home');
    await records.getByRole('button', { name: 'Preview' }).click();
    const frame = await webviewFrame(page, '.paper[data-state="drawn"] .region');
    await frame.getByRole('button', { name: 'Snap edges to what is on the page' }).click();
    const region = frame.locator('.overlay .region').first();
    await region.locator('.tag').click();
    await frame.locator('.region-frame').waitFor();
    const before = statSync(file);
    await page.keyboard.press('ArrowRight');
    const moved = await changedFrom(before);
    onlyLastChanged(moved);
    const text = last(moved);
    const box = /"bbox": \[\[\[(.*?)\]\]\]/.exec(text)?.[1]?.split(', ').map(Number);
    assert.ok(box?.[0] !== undefined && box[0] > 300, text);
    assert.deepEqual([box[1], box[2]! - box[0], box[3]], [600, 1800, 1500]);
    await until(
      page,
      () => frame.getByLabel('x1').inputValue(),
      (shown) => shown === String(box[0]),
    );
    await screenshot(page, 'large-file-preview');
    const nudged = statSync(file);
    await page.keyboard.press('Control+Z');
    const undone = await changedFrom(nudged);
    assert.equal(last(undone), record(RECORDS).replace('" 41 m"', '"about 41 m"'));
    onlyLastChanged(undone);
  });

  it('is not told of again', async () => {
    const { page } = window;
    await page.locator('.tab[data-resource-name$=".record"]').click();
    await page.locator('.editor-group-container.active .view-line').first().click();
    await runCommand(page, 'Auditable QA: Show record in its file');
    await page.locator(`.tab.active[data-resource-name="${NAME}"]`).waitFor();
    await profileShown(page, 'SciEGQA');
    await runCommand(page, 'Notifications: Show Notifications');
    await page.locator('.notifications-center').waitFor();
    assert.equal(await notices().count(), 0);
  });
});
