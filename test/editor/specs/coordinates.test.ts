/** Boxes that are read in another way, in the real VS Code: tried, converted, undone, and declared. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Frame } from 'playwright-core';
import { goTo, profileShown, runCommand, until, webviewFrame } from '../surface.ts';
import type { EditorWindow } from '../window.ts';
import { openWindow, screenshot } from '../window.ts';
import { makeWorkspace } from '../workspace.ts';

const record = (query: string): string =>
  `{"query": "${query}", "answer": "41 m",  "doc_name": "field-report", "evidence_page": [2], "bbox": [[[118, 182, 824, 455]]], "subimg_type": [["table"]], "category": "cs"}`;
const LINES = ['Which well is deeper?', 'How deep is the east well?', 'When was that?'].map(record);
const TEXT = `${LINES.join('\n')}\n`;

describe('coordinates in the preview', () => {
  let window!: EditorWindow;
  let frame!: Frame;
  let file = '';
  before(async () => {
    const workspace = await makeWorkspace('coordinates');
    file = path.join(workspace, 'sciegqa-permille.jsonl');
    writeFileSync(file, TEXT);
    const settings = { 'files.autoSave': 'afterDelay', 'files.autoSaveDelay': 20 };
    window = await openWindow({ workspace, file, settings });
    window.page.setDefaultTimeout(60_000);
    await profileShown(window.page, 'SciEGQA');
    await goTo(window.page, 1, 1);
    await runCommand(window.page, 'Auditable QA: Preview evidence');
    frame = await webviewFrame(window.page, '.paper[data-state="drawn"] .region');
  });
  after(async () => await (window as EditorWindow | undefined)?.close());

  const fileWith = (wanted: (text: string) => boolean): Promise<string> =>
    until(window.page, async () => await Promise.resolve(readFileSync(file, 'utf8')), wanted);
  /** Share of the page that the box is wide. */
  const share = (): Promise<number> =>
    frame.evaluate(() => {
      const box = document.querySelector('.overlay .region .box')!.getBoundingClientRect();
      return box.width / document.querySelector('.overlay')!.getBoundingClientRect().width;
    });
  const isWide = (wide: boolean): Promise<number> =>
    until(window.page, share, (width) => (wide ? width > 0.6 : width < 0.4));

  it('are tried, and the record is converted in one step to undo', async () => {
    await isWide(false);
    await frame.getByRole('button', { name: 'Coordinates', exact: true }).click();
    await frame.getByRole('radio', { name: '0-1000', exact: true }).check();
    await frame.locator('.tried').waitFor();
    await isWide(true);
    await screenshot(window.page, 'coordinates-tried');
    assert.equal(readFileSync(file, 'utf8'), TEXT);
    await frame.getByRole('button', { name: 'Convert this record' }).click();
    const inPixels = LINES[0]!.replace('[118, 182, 824, 455]', '[301, 601, 2101, 1502]');
    assert.equal(await fileWith((text) => text !== TEXT), TEXT.replace(LINES[0]!, inPixels));
    await frame.locator('.tried').waitFor({ state: 'hidden' });
    await isWide(true);
    await frame.locator('.overlay .region').first().focus();
    await window.page.keyboard.press('Control+Z');
    assert.equal(await fileWith((text) => text === TEXT), TEXT);
    await isWide(false);
  });

  it('are declared in the configuration, which is not overwritten', async () => {
    const configuration = path.join(path.dirname(file), 'auditable-qa.json');
    const before = readFileSync(configuration, 'utf8');
    await frame.getByRole('radio', { name: '0-1000', exact: true }).check();
    await frame.getByRole('button', { name: 'Declare in auditable-qa.json' }).click();
    await window.page.getByText('What belongs into the entry of the data set was copied').first().waitFor();
    assert.equal(readFileSync(configuration, 'utf8'), before);
  });
});
