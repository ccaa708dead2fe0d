import assert from 'node:assert/strict';
import path from 'node:path';
import { lensTexts, runCommand, underlined, until } from '../surface.ts';
import type { EditorWindow } from '../window.ts';
import { openWindow, screenshot } from '../window.ts';
import { makeWorkspace } from '../workspace.ts';

describe('an untrusted workspace', () => {
  let window!: EditorWindow;
  before(async () => {
    const workspace = await makeWorkspace('untrusted');
    window = await openWindow({ workspace, file: path.join(workspace, 'docmath.jsonl'), trusted: false });
  });
  after(async () => await (window as EditorWindow | undefined)?.close());

  it('runs no solution, and says why', async () => {
    const { page } = window;
    const dialog = page.locator('.monaco-dialog-box', { hasText: 'trust' });
    await dialog.waitFor();
    await dialog.locator('.monaco-button', { hasText: /^No/ }).click();
    await dialog.waitFor({ state: 'hidden' });
    const texts = await until(
      page,
      async () => await lensTexts(page),
      (found) => found.length === 3 && found.every((text) => text.includes('not trusted')),
    );
    assert.ok(texts.every((text) => text.includes('Not run')));
    assert.deepEqual(await underlined(page, 'error'), []);
    await screenshot(page, 'untrusted');
  });

  it('runs them once it is trusted', async () => {
    const { page } = window;
    await runCommand(page, 'Workspaces: Manage Workspace Trust');
    await page.locator('.workspace-trust-editor .monaco-button', { hasText: /^Trust$/ }).click();
    await page.locator('.tab[data-resource-name="docmath.jsonl"]').click();
    const texts = await until(
      page,
      async () => await lensTexts(page),
      (found) => found.length === 3 && found[0]?.includes('= gold') === true,
    );
    assert.match(texts[1] ?? '', /39\.5 ≠ gold/);
  });
});
