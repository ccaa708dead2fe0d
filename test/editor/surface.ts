/** What stands in a VS Code window, and the hands that use it. */
import type { Frame, Locator, Page } from 'playwright-core';

const modifier = process.platform === 'darwin' ? 'Meta' : 'Control';

/** Opens the quick input by a key; what takes the focus just then, as a view that comes back, closes it again. */
async function openQuickInput(page: Page, key: string, text: string): Promise<void> {
  const input = page.locator('.quick-input-widget input');
  for (let tries = 1; ; tries++) {
    if (!(await input.isVisible())) await page.keyboard.press(key);
    try {
      await input.fill(text, { timeout: 5000 });
      return;
    } catch (error) {
      if (tries === 5) throw error;
    }
  }
}

/** Chooses a command by its title in the command palette; for those that ask something there. */
export async function startCommand(page: Page, title: string): Promise<void> {
  await openQuickInput(page, 'F1', `>${title}`);
  await page.locator('.quick-input-list .monaco-list-row', { hasText: title }).first().click();
}

/** Runs a command by its title. */
export async function runCommand(page: Page, title: string): Promise<void> {
  await startCommand(page, title);
  await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
}

/**
 * Reloads the window. Settled when the new one shows its workbench: the old one stands, and answers, for as long as it takes to keep
 * its state. The extension starts later.
 */
export async function reloadWindow(page: Page): Promise<void> {
  const mark = 'isAboutToGo';
  await page.evaluate((name) => Object.assign(window, { [name]: true }), mark);
  await runCommand(page, 'Developer: Reload Window');
  await page.waitForFunction(
    (name) => !(name in window) && document.querySelector('.monaco-workbench .part.statusbar') !== null,
    mark,
    { timeout: 60_000 },
  );
}

/** Our item in the status bar, which names the profile of the active file; what runs beside it names files. */
export const countsItem = (page: Page, text: string): Locator =>
  page.locator('.part.statusbar [id$=".auditableQa.counts"]', { hasText: text });

/** Waits until the active file has been read with a profile. */
export async function profileShown(page: Page, title: string): Promise<void> {
  await countsItem(page, title).waitFor();
}

/** Opens a file of the workspace by its name and waits for its text. */
export async function openFile(page: Page, name: string): Promise<void> {
  await openQuickInput(page, `${modifier}+P`, name);
  await page.locator('.quick-input-list .monaco-list-row', { hasText: name }).first().click();
  await page.locator(`.tab.active[data-resource-name="${name}"]`).waitFor();
  await page.locator('.editor-group-container.active .view-line').first().waitFor();
}

/** Puts the cursor at a place of the active text editor; both 1-based. */
export async function goTo(page: Page, line: number, column: number): Promise<void> {
  await page.keyboard.press('Control+G');
  await page.locator('.quick-input-widget input').fill(`:${line}:${column}`);
  await page.keyboard.press('Enter');
  await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
}

/** Characters over each mark of a CSS class in the visible editor, in the order of the screen; one text per row. */
async function textUnder(page: Page, markClass: string): Promise<string[]> {
  return await page.evaluate((wanted) => {
    /** Characters of a row whose middle lies between two x. */
    const textBetween = (row: Element, left: number, right: number): string => {
      const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
      const range = document.createRange();
      let text = '';
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        const content = node.nodeValue ?? '';
        for (let index = 0; index < content.length; index += 1) {
          range.setStart(node, index);
          range.setEnd(node, index + 1);
          const box = range.getBoundingClientRect();
          const middle = (box.left + box.right) / 2;
          if (box.width > 0 && middle > left && middle < right) text += content[index];
        }
      }
      return text.replaceAll('\u00a0', ' ');
    };
    const rows = [...document.querySelectorAll('.editor-instance .view-lines > .view-line')];
    const marks = [...document.querySelectorAll(`.editor-instance .view-overlays .${wanted}`)];
    const boxes = marks.map((mark) => mark.getBoundingClientRect());
    boxes.sort((a, b) => a.top - b.top || a.left - b.left);
    return boxes.map((box) => {
      const middle = (box.top + box.bottom) / 2;
      const row = rows.find((candidate) => {
        const line = candidate.getBoundingClientRect();
        return line.top <= middle && middle <= line.bottom && line.left <= box.right && box.left <= line.right;
      });
      return row === undefined ? '' : textBetween(row, box.left, box.right);
    });
  }, markClass);
}

/** The characters that stand over each squiggle of a severity. A wrapped squiggle comes as one text per row. */
export const underlined = async (page: Page, severity: 'error' | 'warning' | 'info'): Promise<string[]> =>
  await textUnder(page, `squiggly-${severity}`);

/** What is selected in the visible editors. */
export const selectedText = async (page: Page): Promise<string> => (await textUnder(page, 'selected-text')).join('');

/** Texts of the code lenses that are visible, one for each record's line of lenses. */
export async function lensTexts(page: Page): Promise<string[]> {
  const texts = await page.locator('.codelens-decoration').allInnerTexts();
  return texts.map((text) => text.replaceAll('\u00a0', ' ').trim()).filter((text) => text !== '');
}

/** Text of the status bar's item whose label contains `part`. */
export async function statusText(page: Page, part: string): Promise<string> {
  const item = page.locator('.part.statusbar .statusbar-item', { hasText: part }).first();
  await item.waitFor();
  return (await item.innerText()).replaceAll('\u00a0', ' ').trim();
}

/** Centre of the first place where `text` stands in one row of the visible editor, in pixels of the window. */
export async function placeOf(page: Page, text: string): Promise<{ x: number; y: number }> {
  const place = await page.evaluate((wanted) => {
    for (const row of document.querySelectorAll('.editor-instance .view-lines > .view-line')) {
      const start = (row.textContent ?? '').replaceAll('\u00a0', ' ').indexOf(wanted);
      if (start < 0) continue;
      const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
      const middle = start + Math.floor(wanted.length / 2);
      let passed = 0;
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        const length = node.nodeValue?.length ?? 0;
        if (middle < passed + length) {
          const range = document.createRange();
          range.setStart(node, middle - passed);
          range.setEnd(node, middle - passed + 1);
          const box = range.getBoundingClientRect();
          return { x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 };
        }
        passed += length;
      }
    }
    return undefined;
  }, text);
  if (place === undefined) throw new Error(`The editor does not show "${text}".`);
  return place;
}

/** Text of the hover over `text`. */
export async function hoverText(page: Page, text: string): Promise<string> {
  const { x, y } = await placeOf(page, text);
  await page.mouse.move(x, y);
  await page.mouse.move(x + 1, y);
  const hover = page
    .locator('.monaco-resizable-hover:visible .monaco-hover-content, .monaco-hover:visible .monaco-hover-content')
    .first();
  await hover.waitFor();
  return await hover.innerText();
}

/** The frame of a webview that holds an element of `selector`; waits until there is one. */
export async function webviewFrame(page: Page, selector: string, timeoutMs = 60_000): Promise<Frame> {
  const deadline = AbortSignal.timeout(timeoutMs);
  for (;;) {
    for (const frame of page.frames()) {
      if (frame === page.mainFrame()) continue;
      // A frame that goes while it is asked is not the one.
      const found = await frame.$(selector).catch(() => null);
      if (found !== null) return frame;
    }
    if (deadline.aborted) throw new Error(`No webview shows ${selector}.`);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  }
}

/** Reads again and again until `holds`; fails with what was read last. */
export async function until<T>(
  page: Page,
  read: () => Promise<T>,
  holds: (value: T) => boolean,
  timeoutMs = 60_000,
): Promise<T> {
  const deadline = AbortSignal.timeout(timeoutMs);
  for (;;) {
    const value = await read();
    if (holds(value)) return value;
    if (deadline.aborted) throw new Error(`Still ${JSON.stringify(value)} after ${timeoutMs} ms.`);
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 50)));
  }
}
