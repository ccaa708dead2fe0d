/** Regions corrected in the real VS Code: by mouse and by keyboard, undone on either side, kept through whatever happens to the panel. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Frame, Locator } from 'playwright-core';
import { goTo, openFile, profileShown, reloadWindow, runCommand, until, webviewFrame } from '../surface.ts';
import type { EditorWindow } from '../window.ts';
import { openWindow, screenshot } from '../window.ts';
import { makeWorkspace } from '../workspace.ts';

type Box = readonly number[];

const NAME = 'sciegqa-boxes.jsonl';
/** Pixels of the pages: US letter at 300 dpi. */
const WIDTH = 2550;

const record = (query: string, box: string): string =>
  `{"query": "${query}", "answer": "41 m",  "doc_name": "field-report", "evidence_page": [2], "bbox": [[${box}, [450, 1800, 1950.0, 2700]]], "subimg_type": [["table", "image"]], "category": "cs"}`;
/** The box of the second record reaches beyond its page. */
const LINES = [
  record('Which well is deeper?', '[300, 600, 2100, 1500]'),
  record('How deep is the east well?', '[300, 600, 2700, 1500]'),
  record('When was that?', '[300, 600, 2100, 1500]'),
];
const TEXT = `${LINES.join('\n')}\n`;

interface Regions {
  readonly bbox: Box[][];
  readonly subimg_type: (string | null)[][];
}

describe('regions in the preview', () => {
  let window!: EditorWindow;
  let frame!: Frame;
  let file = '';
  before(async () => {
    const workspace = await makeWorkspace('regions');
    file = path.join(workspace, NAME);
    writeFileSync(file, TEXT);
    // What is in the document is on disk a moment later, where the tests read it.
    const settings = { 'files.autoSave': 'afterDelay', 'files.autoSaveDelay': 20 };
    // A window that is told to open a file does not bring back the tabs that it had.
    window = await openWindow({ workspace, settings });
    window.page.setDefaultTimeout(60_000);
    await openFile(window.page, NAME);
    await profileShown(window.page, 'SciEGQA');
    await goTo(window.page, 1, 1);
    await runCommand(window.page, 'Auditable QA: Preview evidence');
    frame = await webviewFrame(window.page, '.paper[data-state="drawn"] .region');
    // Nothing here is about snapping.
    await frame.getByRole('button', { name: 'Snap edges to what is on the page' }).click();
  });
  after(async () => await (window as EditorWindow | undefined)?.close());

  const read = async (): Promise<string> => await Promise.resolve(readFileSync(file, 'utf8'));
  const lineOf = (text: string, line: number): Regions => JSON.parse(text.split('\n')[line] ?? '') as Regions;
  /** The file once it fulfils what is wanted; while it is being written, its end is not there yet. */
  const fileWith = async (wanted: (text: string) => boolean): Promise<string> =>
    await until(window.page, read, (text) => text.endsWith('\n') && wanted(text));
  const boxesWith = async (wanted: (boxes: readonly Box[]) => boolean, line = 0): Promise<Regions> =>
    lineOf(await fileWith((text) => wanted(lineOf(text, line).bbox[0] ?? [])), line);
  /** Nothing but what stands in the lists of one line was changed. */
  function onlyListsChanged(text: string, line: number, before = TEXT): void {
    const bare = (one: string): string => one.replace(/"(bbox|subimg_type)": \[\[.*?\]\](?=[,}])/g, '"$1": …');
    assert.deepEqual(
      text.split('\n').map((one, at) => (at === line ? bare(one) : one)),
      before.split('\n').map((one, at) => (at === line ? bare(one) : one)),
    );
  }

  const region = (number: number): Locator => frame.locator('.overlay .region').nth(number - 1);

  /** Pixels of the window at a point of the page. */
  async function at(x: number, y: number): Promise<{ x: number; y: number }> {
    const overlay = frame.locator('.overlay').first();
    await overlay.scrollIntoViewIfNeeded();
    const bounds = await overlay.boundingBox();
    assert.ok(bounds !== null);
    const scale = bounds.width / WIDTH;
    return { x: bounds.x + x * scale, y: bounds.y + y * scale };
  }

  async function drag(from: readonly [number, number], to: readonly [number, number]): Promise<void> {
    const { mouse } = window.page;
    const [start, end] = [await at(...from), await at(...to)];
    await mouse.move(start.x, start.y);
    await mouse.down();
    await mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2);
    await mouse.move(end.x, end.y);
    await mouse.up();
  }

  /** Within what a pixel of the screen is, in pixels of the page. */
  function near(actual: Box | undefined, expected: Box, by = 8): void {
    const isNear = actual?.length === 4 && actual.every((value, k) => Math.abs(value - (expected[k] ?? NaN)) <= by);
    assert.ok(isNear, `${JSON.stringify(actual)} is not near ${JSON.stringify(expected)}`);
  }

  async function select(number: number): Promise<void> {
    await region(number).locator('.tag').click();
    await region(number).and(frame.locator('.selected')).waitFor();
    await frame.locator('.region-frame').waitFor();
    await frame.locator('.region-bar').getByText(`Region ${number}`, { exact: true }).waitFor();
  }

  /** Left and top edge of a region, as fractions of its page. */
  const shownAt = async (number: number): Promise<readonly [number, number]> =>
    await region(number).evaluate((group) => {
      const box = group.querySelector('.box')?.getBoundingClientRect();
      const paper = group.closest('.paper')?.getBoundingClientRect();
      if (box === undefined || paper === undefined) throw new Error('The region lies on no page.');
      return [(box.left - paper.left) / paper.width, (box.top - paper.top) / paper.height] as const;
    });
  const isShownAt = async (number: number, x: number): Promise<void> => {
    await until(
      window.page,
      async () => await shownAt(number),
      ([left]) => Math.abs(left - x / WIDTH) < 0.004,
    );
  };

  const focusEditor = async (): Promise<void> => {
    await window.page.locator('.editor-instance .view-line').first().click();
    await window.page.locator('.editor-instance.focused, .monaco-editor.focused').first().waitFor();
  };
  /** Puts the cursor into a record. */
  const goToRecord = async (line: number, question: string): Promise<void> => {
    await window.page.locator(`.tab[data-resource-name="${NAME}"]`).click();
    await goTo(window.page, line, 1);
    await frame.getByText(question).first().waitFor();
  };
  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) await window.page.keyboard.press(key);
  };

  describe('with the mouse', () => {
    it('are drawn', async () => {
      await frame.getByRole('button', { name: 'Draw a region' }).click();
      await drag([1600, 150], [2300, 450]);
      const { bbox, subimg_type } = await boxesWith((boxes) => boxes.length === 3);
      near(bbox[0]?.[2], [1600, 150, 2300, 450]);
      assert.equal(subimg_type[0]?.length, 3);
      onlyListsChanged(await read(), 0);
      assert.ok((await read()).includes('[450, 1800, 1950.0, 2700]'), 'other boxes keep their spelling');
      await frame.locator('.overlay .region').nth(2).waitFor();
    });

    it('are moved, and undone in the editor', async () => {
      const before = await read();
      await select(1);
      await drag([1200, 1000], [1300, 1100]);
      const { bbox } = await boxesWith(([box]) => box?.[0] !== 300);
      near(bbox[0]?.[0], [400, 700, 2200, 1600]);
      await isShownAt(1, bbox[0]![0]![0]!);
      onlyListsChanged(await read(), 0);
      await screenshot(window.page, 'region-moved-light');
      await focusEditor();
      await press('Control+Z');
      await fileWith((text) => text === before);
      await isShownAt(1, 300);
    });

    it('are resized by a handle', async () => {
      await select(1);
      await drag([2100, 1500], [2250, 1600]);
      const { bbox } = await boxesWith(([box]) => box?.[2] !== 2100);
      near(bbox[0]?.[0], [300, 600, 2250, 1600]);
      assert.deepEqual(bbox[0]?.[0]?.slice(0, 2), [300, 600]);
    });

    it('are relabelled', async () => {
      await select(3);
      await frame.locator('.region-bar').getByRole('combobox', { name: 'Label' }).selectOption('text');
      await fileWith((text) => lineOf(text, 0).subimg_type[0]?.[2] === 'text');
      onlyListsChanged(await read(), 0);
    });

    it('are deleted', async () => {
      await select(3);
      await frame.getByRole('button', { name: 'Delete the region' }).click();
      const { subimg_type } = await boxesWith((boxes) => boxes.length === 2);
      assert.deepEqual(subimg_type[0], ['table', 'image']);
    });
  });

  describe('with the keyboard', () => {
    let text = '';
    beforeEach(async () => (text = await read()));
    before(async () => {
      await goToRecord(3, 'When was that?');
      await isShownAt(1, 300);
    });

    it('are drawn, moved, resized, relabelled and deleted', async () => {
      await frame.locator('.scroller').focus();
      await press('r', 'Enter');
      const [, , drawn] = (await boxesWith((boxes) => boxes.length === 3, 2)).bbox[0] ?? [];
      await frame.locator('.region.selected:focus').waitFor();
      const [left = 0, top = 0, right = 0, bottom = 0] = drawn ?? [];
      await press('ArrowRight', 'Shift+ArrowDown');
      await boxesWith(([, , box]) => box?.[0] === left + 1 && box[1] === top + 10, 2);
      await press('Alt+ArrowRight');
      const { bbox } = await boxesWith(([, , box]) => box?.[2] === right + 2, 2);
      assert.deepEqual(bbox[0]?.[2], [left + 1, top + 10, right + 2, bottom + 10]);
      await press('l');
      await window.page.keyboard.type('text');
      await press('Enter');
      await fileWith((text) => lineOf(text, 2).subimg_type[0]?.[2] === 'text');
      onlyListsChanged(await read(), 2, text);
      await region(3).focus();
      await press('Delete');
      await boxesWith((boxes) => boxes.length === 2, 2);
      assert.equal((await read()).split('\n')[2], LINES[2]);
    });

    it('are undone and done again where the keyboard is, which stays there', async () => {
      await region(1).focus();
      await press('Enter');
      await frame.locator('.region-frame').waitFor();
      await press('ArrowRight');
      await boxesWith(([box]) => box?.[0] === 301, 2);
      await isShownAt(1, 301);
      await press('Control+Z');
      await boxesWith(([box]) => box?.[0] === 300, 2);
      assert.ok(await frame.evaluate(() => document.hasFocus()), 'the panel has the focus again');
      await press('Control+Shift+Z');
      await boxesWith(([box]) => box?.[0] === 301, 2);
      await press('Control+Z');
      await boxesWith(([box]) => box?.[0] === 300, 2);
      assert.equal((await read()).split('\n')[2], LINES[2]);
    });

    it('get the numbers that are typed', async () => {
      await region(1).focus();
      await press('Enter');
      const first = frame.locator('.region-bar').getByRole('textbox', { name: 'x1' });
      await first.fill('321');
      await press('Enter');
      await fileWith((text) => text.split('\n')[2] === LINES[2]!.replace('[300,', '[321,'));
    });
  });

  describe('in the panel', () => {
    it('are repaired, and their problem is gone', async () => {
      const { page } = window;
      await goToRecord(2, 'How deep is the east well?');
      await runCommand(page, 'Problems: Focus on Problems View');
      const problem = page.locator('.markers-panel .monaco-list-row', { hasText: '[300, 600, 2700, 1500]' });
      await problem.first().waitFor();
      await screenshot(page, 'region-problem-light');
      await region(1).locator('.tag').click();
      const third = frame.locator('.region-bar').getByRole('textbox', { name: 'x2' });
      await third.fill('2100');
      await press('Enter');
      await fileWith((text) => text.split('\n')[1] === LINES[1]!.replace('2700', '2100'));
      await problem.first().waitFor({ state: 'detached' });
      await runCommand(page, 'View: Toggle Panel Visibility');
    });

    it('stay in view when the panel is hidden, moved, and its window reloaded', async () => {
      const { page } = window;
      const comes = async (): Promise<void> => {
        frame = await webviewFrame(page, '.paper[data-state="drawn"] .region');
        await frame.getByText('How deep is the east well?').first().waitFor();
        assert.equal(
          await frame.getByRole('button', { name: 'Snap edges to what is on the page' }).getAttribute('aria-pressed'),
          'false',
        );
      };
      const panel = page.locator('.tab', { hasText: 'Evidence:' });
      await panel.click();
      await openFile(page, 'log.jsonl');
      await until(
        page,
        async () => await Promise.resolve(frame.isDetached()),
        (isGone) => isGone,
      );
      await panel.click();
      await comes();
      await runCommand(page, 'View: Move Editor into Previous Group');
      await comes();
      await reloadWindow(page);
      await comes();
      await screenshot(page, 'regions-after-reload-light');
      // It goes on as before: a change is made, and can be undone.
      await region(1).focus();
      await press('Enter', 'ArrowRight');
      await boxesWith(([box]) => box?.[0] === 301, 1);
      await press('Control+Z');
      await boxesWith(([box]) => box?.[0] === 300, 1);
      await isShownAt(1, 300);
      await comes();
    });

    for (const [name, theme, kind] of [
      ['dark', 'Dark 2026', 'vscode-dark'],
      ['high-contrast', 'Default High Contrast', 'vscode-high-contrast'],
      ['high-contrast-light', 'Default High Contrast Light', 'vscode-high-contrast-light'],
      ['light', 'Light 2026', 'vscode-light'],
    ] as const)
      it(`follow the ${name} theme`, async () => {
        window.change({ 'workbench.colorTheme': theme });
        await frame.locator(`body.${kind}`).waitFor();
        await select(1);
        await screenshot(window.page, `regions-${name}`);
      });

    it('asks nothing outside this machine', () => {
      assert.deepEqual(window.outside, []);
    });
  });
});
