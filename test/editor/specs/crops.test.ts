/** A region saved as a picture from the real VS Code: by the palette, at the full resolution of its page. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { decode } from 'fast-png';
import { goTo, openFile, profileShown, runCommand, until, webviewFrame } from '../surface.ts';
import type { EditorWindow } from '../window.ts';
import { openWindow, screenshot } from '../window.ts';
import { makeWorkspace } from '../workspace.ts';

describe('crops in the preview', () => {
  let window!: EditorWindow;
  let workspace = '';
  before(async () => {
    workspace = await makeWorkspace('crops');
    // A dialog of the window itself, that hands can reach.
    const settings = { 'files.simpleDialog.enable': true };
    window = await openWindow({ workspace, file: path.join(workspace, 'sciegqa.jsonl'), settings });
    window.page.setDefaultTimeout(60_000);
    await profileShown(window.page, 'SciEGQA');
  });
  after(async () => await (window as EditorWindow | undefined)?.close());

  it('are saved where the user says', async () => {
    const { page } = window;
    await openFile(page, 'sciegqa.jsonl');
    await goTo(page, 1, 1);
    await runCommand(page, 'Auditable QA: Preview evidence');
    const frame = await webviewFrame(page, '.paper[data-state="drawn"] g.region');
    await frame.locator('g.region[data-pointer="/bbox/0/0"] .box').click({ position: { x: 3, y: 3 } });
    await frame.locator('g.region.selected').waitFor();
    await runCommand(page, 'Auditable QA: Save crop…');
    const input = page.locator('.quick-input-widget input').first();
    await until(
      page,
      async () => await input.inputValue(),
      (value) => value.endsWith('field-report_p2_r1_table.png'),
    );
    const target = path.join(workspace, 'kept.png');
    await input.fill(target);
    await page.keyboard.press('Enter');
    await until(
      page,
      async () => await Promise.resolve(existsSync(target)),
      (isThere) => isThere,
    );
    // The box is 1800 × 900 pixels at 300 dpi, framed by a dashed line that is drawn on its very edge.
    const { width, height, channels, data } = decode(readFileSync(target));
    assert.deepEqual([width, height], [1800, 900]);
    const rows = [0, 1, 2, 3].map((y) => data.subarray(y * width * channels, (y + 1) * width * channels));
    assert.ok(
      rows.some((row) => row.some((value) => value < 200)),
      'its upper edge is in the picture',
    );
    await page.locator('.part.statusbar .statusbar-item', { hasText: 'was saved as kept.png' }).waitFor();
    await screenshot(page, 'crop-saved');
  });
});
