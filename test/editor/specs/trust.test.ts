import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { installation } from '../installation.ts';
import { lensTexts, runCommand, underlined, until } from '../surface.ts';
import type { EditorWindow } from '../window.ts';
import { openWindow, screenshot } from '../window.ts';
import { makeWorkspace } from '../workspace.ts';

/** How many processes of the installed extension's sandbox there are; undefined where the system does not tell. */
async function sandboxes(): Promise<number | undefined> {
  if (process.platform !== 'linux') return undefined;
  const { extensionsDir } = await installation();
  const commandLines = readdirSync('/proc').map((entry) => {
    try {
      return /^\d+$/.test(entry) ? readFileSync(`/proc/${entry}/cmdline`, 'utf8') : '';
    } catch {
      return '';
    }
  });
  return commandLines.filter((line) => line.includes(extensionsDir) && line.includes('sandbox')).length;
}

const settledLenses = async (window: EditorWindow, part: string): Promise<string[]> =>
  await until(
    window.page,
    async () => await lensTexts(window.page),
    (texts) => texts.length === 3 && texts.some((text) => text.includes(part)),
  );

describe('an untrusted workspace', () => {
  let window!: EditorWindow;
  before(async () => {
    const workspace = await makeWorkspace('untrusted');
    window = await openWindow({ workspace, file: path.join(workspace, 'docmath.jsonl'), trusted: false });
  });
  after(async () => await (window as EditorWindow | undefined)?.close());

  it('runs no solution, and says so above each record', async () => {
    const { page } = window;
    await page.locator('.part.statusbar .statusbar-item', { hasText: 'Restricted Mode' }).waitFor();
    const texts = await settledLenses(window, 'not trusted');
    for (const text of texts) assert.match(text, /Not run: the workspace is not trusted/);
    assert.deepEqual(await underlined(page, 'error'), []);
    await screenshot(page, 'untrusted-light');
  });

  it('runs none when it is asked to either, but offers to manage trust', async () => {
    const { page } = window;
    // Driven by tests, VS Code shows no toasts; the notifications are in their centre.
    await runCommand(page, 'Notifications: Show Notifications');
    const notice = page.locator('.notifications-center .notification-list-item', {
      hasText: 'trusted workspaces only',
    });
    // VS Code lets go of the commands of lenses before it shows others; it asks for those where the editor has the keyboard.
    const isTold = async (): Promise<boolean> => {
      await page.locator('.codelens-decoration a', { hasText: 'Not run' }).first().click();
      return await notice.waitFor({ timeout: 5000 }).then(
        () => true,
        () => false,
      );
    };
    await until(page, isTold, (told) => told);
    assert.match(await notice.innerText(), /Manage workspace trust/);
    assert.ok([undefined, 0].includes(await sandboxes()));
    await runCommand(page, 'Notifications: Clear All Notifications');
  });

  it('runs them once it is trusted', async () => {
    const { page } = window;
    const restricted = page.locator('.part.statusbar .statusbar-item', { hasText: 'Restricted Mode' });
    if (await restricted.isVisible()) {
      await runCommand(page, 'Workspaces: Manage Workspace Trust');
      await page.locator('.workspace-trust-editor .monaco-button', { hasText: /^Trust$/ }).click();
      await restricted.waitFor({ state: 'hidden' });
    }
    const texts = await settledLenses(window, '= gold');
    assert.match(texts[0] ?? '', /▶ 3 = gold/);
    assert.match(texts[1] ?? '', /39\.5 ≠ gold/);
    assert.notEqual(await sandboxes(), 0);
  });
});
