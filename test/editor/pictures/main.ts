/**
 * The pictures of the documentation, taken of the packaged extension in the real VS Code on examples/: `npm run pictures`
 * writes docs/pictures/. `npm run pictures NAME` takes one.
 */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { newFolder } from '../folders.ts';
import { projectRoot } from '../paths.ts';
import { goTo, hoverText, runCommand, until, webviewFrame } from '../surface.ts';
import { openWindow } from '../window.ts';
import { withPalette } from './palette.ts';

const folder = path.join(projectRoot, 'docs/pictures');
/** A picture is looked at in the middle of a page, at half of its pixels or less. */
const largestBytes = 150_000;
const size = { width: 1200, height: 720 };
const scale = 1.4;

/** Nothing but the editor: no activity bar, no side bar, no path, no layout buttons. */
const plain = {
  'workbench.activityBar.location': 'hidden',
  'workbench.layoutControl.enabled': false,
  'window.commandCenter': false,
  'workbench.navigationControl.enabled': false,
  'workbench.editor.editorActionsLocation': 'default',
  'workbench.statusBar.visible': true,
  'breadcrumbs.enabled': false,
  'editor.fontSize': 13,
  'editor.scrollBeyondLastLine': false,
  'editor.stickyScroll.enabled': false,
  'editor.lightbulb.enabled': 'off',
  'editor.occurrencesHighlight': 'off',
  'editor.guides.indentation': false,
  'editor.renderLineHighlight': 'none',
  'editor.hover.delay': 100,
  'scm.diffDecorations': 'none',
};

interface Picture {
  readonly file: string;
  /** Brings the window to where the picture is taken. */
  readonly pose: (page: Page) => Promise<void>;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly size?: { readonly width: number; readonly height: number };
}

/** Once the record file is there and checked: before that, what opens takes the focus from the command. */
async function hideSideBar(page: Page): Promise<void> {
  await page
    .locator('.part.statusbar .statusbar-item', { hasText: /SciEGQA|DocMath/ })
    .first()
    .waitFor();
  await page.locator('.codelens-decoration:visible', { hasText: /\w/ }).first().waitFor();
  await runCommand(page, 'View: Toggle Primary Side Bar Visibility');
  await page.locator('.part.sidebar').waitFor({ state: 'hidden' });
}

/** Two frames in which nothing more comes: what fades in is there. */
const settled = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    await document.fonts.ready;
    await Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => undefined)));
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  });

async function drawn(page: Page): Promise<Frame> {
  return await webviewFrame(page, '.paper[data-state="drawn"] g.region');
}

const PICTURES: Readonly<Record<string, Picture>> = {
  findings: {
    file: 'papers/papers.jsonl',
    size: { width: 1200, height: 520 },
    pose: async (page) => {
      await goTo(page, 11, 1);
      await page.locator('.squiggly-error').first().waitFor();
      await page.locator('.codelens-decoration:visible', { hasText: 'evidence' }).first().waitFor();
      await hoverText(page, '2049');
    },
  },
  preview: {
    file: 'papers/papers.jsonl',
    size: { width: 1400, height: 800 },
    pose: async (page) => {
      await goTo(page, 6, 1);
      await runCommand(page, 'Auditable QA: Preview evidence');
      await drawn(page);
      // Wide enough for the record to stand beside its pages.
      await narrowEditor(page, 430);
      const frame = await drawn(page);
      await frame.locator('.paper[data-state="drawn"]').first().scrollIntoViewIfNeeded();
      await page.mouse.move(200, 400);
    },
  },
  records: {
    file: 'reports/ferries.jsonl',
    size: { width: 1200, height: 600 },
    pose: async (page) => {
      await runCommand(page, 'Auditable QA: Show in Records view');
      const frame = await webviewFrame(page, '.grid .row');
      await runCommand(page, 'View: Toggle Maximized Panel');
      await until(
        page,
        () => frame.locator('.row .cell-state').allInnerTexts(),
        (states) => states.some((state) => state.includes('≠ gold')),
      );
      await frame.locator('.row', { hasText: 'ferries-demo-13' }).click();
      await frame.locator('.detail', { hasText: 'differs by a factor' }).waitFor();
    },
  },
  solution: {
    file: 'reports/ferries.jsonl',
    size: { width: 1200, height: 260 },
    settings: { 'editor.inlayHints.enabled': 'on' },
    pose: async (page) => {
      await goTo(page, 6, 1);
      await runCommand(page, 'Auditable QA: Edit solution');
      await page.locator('.tab.active[data-resource-name="ferries-demo-5.py"]').waitFor();
      await until(
        page,
        async () => (await page.locator('.editor-group-container.active .view-line').allInnerTexts()).join(' '),
        (text) => text.includes('103.968'),
      );
    },
  },
};

/** Draws the border between the two columns of editors to `x`. */
async function narrowEditor(page: Page, x: number): Promise<void> {
  const right = await page.locator('.editor-group-container').nth(1).boundingBox();
  if (right === null) throw new Error('There is no second column of editors.');
  await page.mouse.move(right.x, right.y + 300);
  await page.mouse.down();
  await page.mouse.move(x, right.y + 300, { steps: 10 });
  await page.mouse.up();
}

/** A copy: nothing of the examples is changed, and no path of this machine stands anywhere. */
function examples(): string {
  const copy = path.join(newFolder('pictures'), 'examples');
  cpSync(path.join(projectRoot, 'examples'), copy, { recursive: true });
  return copy;
}

async function take(name: string, picture: Picture): Promise<void> {
  const workspace = examples();
  const window = await openWindow({
    workspace,
    file: path.join(workspace, picture.file),
    settings: { ...plain, ...picture.settings },
    size: picture.size ?? size,
    scale,
  });
  // Nobody waits for a picture: a slow machine takes it, too.
  window.page.setDefaultTimeout(120_000);
  try {
    await hideSideBar(window.page);
    await picture.pose(window.page);
    await settled(window.page);
    const png = withPalette(await window.page.screenshot());
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, `${name}.png`), png);
    console.log(`docs/pictures/${name}.png: ${Math.round(png.length / 1000)} KB`);
    if (png.length > largestBytes) {
      console.error(`docs/pictures/${name}.png is too large: ${largestBytes / 1000} KB are allowed.`);
      process.exitCode = 1;
    }
  } finally {
    await window.close();
  }
}

const names = process.argv.slice(2);
const unknown = names.filter((name) => !(name in PICTURES));
if (unknown.length > 0)
  throw new Error(`No such picture: ${unknown.join(', ')}. There are ${Object.keys(PICTURES).join(', ')}.`);
for (const [name, picture] of Object.entries(PICTURES))
  if (names.length === 0 || names.includes(name)) await take(name, picture);
process.exit(process.exitCode ?? 0);
