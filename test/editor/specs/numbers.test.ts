import assert from 'node:assert/strict';
import path from 'node:path';
import type { Frame } from 'playwright-core';
import { goTo, hoverText, lensTexts, profileShown, runCommand, selectedText, until, webviewFrame } from '../surface.ts';
import type { EditorWindow } from '../window.ts';
import { openWindow, screenshot } from '../window.ts';
import { makeWorkspace } from '../workspace.ts';

describe('the numbers of a record', () => {
  let window!: EditorWindow;
  let frame!: Frame;
  before(async () => {
    const workspace = await makeWorkspace('numbers');
    window = await openWindow({ workspace, file: path.join(workspace, 'docmath.jsonl') });
    await profileShown(window.page, 'DocMath-Eval');
  });
  after(async () => await (window as EditorWindow | undefined)?.close());

  it('are told by the card over a literal of the solution', async () => {
    // Lenses move the lines; with the last result they stand still.
    const isDone = (lenses: string[]): boolean =>
      lenses.length === 3 && !lenses.some((lens) => /Run solution/.test(lens));
    await until(window.page, async () => await lensTexts(window.page), isDone);
    const text = await hoverText(window.page, '38\\');
    assert.match(text, /38 \(east\) stands in the cited evidence\.[\s\S]*paragraphs\[1\] row "East", column "Depth"/);
    await screenshot(window.page, 'number-hover-light');
    await window.page.keyboard.press('Escape');
  });

  it('are listed with their verdicts and marked where they stand', async () => {
    const { page } = window;
    await goTo(page, 1, 1);
    await runCommand(page, 'Auditable QA: Preview evidence');
    frame = await webviewFrame(page, '.numbers li');
    assert.deepEqual(await frame.locator('.numbers .value').allInnerTexts(), ['41', '38']);
    assert.match(await frame.locator('.numbers').innerText(), /2 numbers, none without support/);
    assert.deepEqual(await frame.locator('td .number').allInnerTexts(), ['41', '38']);
    await screenshot(page, 'numbers-light');
  });

  it('lead from their place in the evidence to where they are written', async () => {
    const { page } = window;
    await frame.locator('td .number', { hasText: '38' }).click();
    const text = await until(
      page,
      async () => await selectedText(page),
      (found) => found !== '',
    );
    assert.equal(text, '38');
  });

  it('lead from the list to their place in the evidence', async () => {
    await frame.getByRole('button', { name: /^41 north stands in the cited evidence/ }).click();
    await frame.locator('td .number.flash').waitFor();
    assert.equal(await frame.locator('.flash').innerText(), '41');
  });

  for (const [name, theme, kind] of [
    ['dark', 'Dark 2026', 'vscode-dark'],
    ['high-contrast', 'Default High Contrast', 'vscode-high-contrast'],
  ] as const)
    it(`are marked in the ${name} theme`, async () => {
      const { page } = window;
      window.change({ 'workbench.colorTheme': theme });
      await frame.locator(`body.${kind}`).waitFor();
      await screenshot(page, `numbers-${name}`);
    });
});
