import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Frame } from 'playwright-core';
import { goTo, profileShown, runCommand, selectedText, until, webviewFrame } from '../surface.ts';
import type { EditorWindow } from '../window.ts';
import { openWindow, screenshot } from '../window.ts';
import { makeWorkspace } from '../workspace.ts';

/** Column of the first character of `part` in a line of the file, 1-based. */
const columnOf = (line: string, part: string): number => line.indexOf(part) + 1;

/** Edges of the region as fractions of the page it lies on. */
const edges = async (frame: Frame, pointer: string): Promise<number[]> =>
  await frame.locator(`g.region[data-pointer="${pointer}"]`).evaluate((region) => {
    const box = region.querySelector('.box')?.getBoundingClientRect();
    const paper = region.closest('.paper')?.getBoundingClientRect();
    if (box === undefined || paper === undefined) throw new Error('The region lies on no page.');
    return [
      (box.left - paper.left) / paper.width,
      (box.top - paper.top) / paper.height,
      (box.right - paper.left) / paper.width,
      (box.bottom - paper.top) / paper.height,
    ];
  });

const selectedRegions = async (frame: Frame): Promise<(string | null)[]> =>
  await frame
    .locator('g.region.selected')
    .evaluateAll((regions) => regions.map((region) => region.getAttribute('data-pointer')));

describe('the evidence preview', () => {
  let window!: EditorWindow;
  let frame!: Frame;
  let lines: string[] = [];
  before(async () => {
    const workspace = await makeWorkspace('preview');
    const file = path.join(workspace, 'sciegqa.jsonl');
    lines = readFileSync(file, 'utf8').split('\n');
    window = await openWindow({ workspace, file });
    await profileShown(window.page, 'SciEGQA');
  });
  after(async () => await (window as EditorWindow | undefined)?.close());

  it('shows the cited page with its box where the record says', async () => {
    const { page } = window;
    await goTo(page, 1, 1);
    await runCommand(page, 'Auditable QA: Preview evidence');
    frame = await webviewFrame(page, '.paper[data-state="drawn"] g.region');
    const [left = 0, top = 0, right = 0, bottom = 0] = await edges(frame, '/bbox/0/0');
    const near = (value: number, wanted: number): void =>
      assert.ok(Math.abs(value - wanted) < 0.005, `${value} is not ${wanted}`);
    near(left, 300 / 2550);
    near(top, 600 / 3300);
    near(right, 2100 / 2550);
    near(bottom, 1500 / 3300);
    await screenshot(page, 'preview-light');
  });

  it('selects the numbers of a box that is clicked', async () => {
    const { page } = window;
    await frame.locator('g.region[data-pointer="/bbox/0/0"] .box').click({ position: { x: 3, y: 3 } });
    const text = await until(
      page,
      async () => await selectedText(page),
      (found) => found !== '',
    );
    assert.equal(text.replaceAll(/\s/g, ''), '[300,600,2100,1500]');
    await screenshot(page, 'box-clicked-light');
  });

  it('marks the box whose numbers the cursor is in', async () => {
    const { page } = window;
    await page.locator('.tab[data-resource-name="sciegqa.jsonl"]').click();
    await goTo(page, 3, columnOf(lines[2] ?? '', '450, 1800') + 2);
    frame = await webviewFrame(page, 'g.region[data-pointer="/bbox/1/0"].selected');
    assert.deepEqual(await selectedRegions(frame), ['/bbox/1/0']);
    await goTo(page, 3, columnOf(lines[2] ?? '', '300, 400') + 2);
    const marked = await until(
      page,
      async () => await selectedRegions(frame),
      (found) => found[0] === '/bbox/0/0',
    );
    assert.deepEqual(marked, ['/bbox/0/0']);
    await screenshot(page, 'two-pages-light');
  });

  for (const [name, theme, kind] of [
    ['dark', 'Dark 2026', 'vscode-dark'],
    ['high-contrast', 'Default High Contrast', 'vscode-high-contrast'],
  ] as const)
    it(`follows the ${name} theme`, async () => {
      const { page } = window;
      window.change({ 'workbench.colorTheme': theme });
      await frame.locator(`body.${kind}`).waitFor();
      await screenshot(page, `preview-${name}`);
    });

  it('asks nothing outside this machine', () => {
    assert.deepEqual(window.outside, []);
  });
});
