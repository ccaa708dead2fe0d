import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { openFile, runCommand, until } from '../surface.ts';
import type { EditorWindow } from '../window.ts';
import { openWindow, screenshot } from '../window.ts';
import { makeWorkspace } from '../workspace.ts';

const record = (id: string, question: string, body: string, gold: number): string =>
  JSON.stringify({
    question_id: id,
    question,
    python_solution: `def solution():\n    ${body}\n`,
    ground_truth: gold,
    paragraphs: ['Revenue (in thousands) was 1,350 in 2032 and 1,200 in 2031.'],
    table_evidence: [],
    paragraph_evidence: [0],
  });

const TEXT = `${[
  record('wells-0', 'How much did revenue grow, in thousands?', 'return 1350 - 1200', 150),
  record('wells-1', 'What was the revenue of 2032?', 'revenue = 1350\n    return revenue', 1350000),
  record('wells-2', 'What was the revenue of 2031?', 'revenue = 1200\n    return revenu', 1200),
].join('\n')}\n`;

const ROW = '.test-explorer .monaco-list-row';

describe('the Test Explorer in the window', () => {
  let window!: EditorWindow;
  before(async () => {
    const workspace = await makeWorkspace('test-explorer');
    const file = path.join(workspace, 'wells.jsonl');
    writeFileSync(file, TEXT);
    window = await openWindow({ workspace, file });
    await window.page.locator('.codelens-decoration', { hasText: 'gold' }).first().waitFor();
  });
  after(async () => await (window as EditorWindow | undefined)?.close());

  const row = (text: string) => window.page.locator(ROW, { hasText: text }).first();
  const labels = async (): Promise<string[]> =>
    await window.page.locator(ROW).evaluateAll((rows) => rows.map((one) => one.getAttribute('aria-label') ?? ''));

  async function expand(text: string): Promise<void> {
    await row(text).waitFor();
    if ((await row(text).getAttribute('aria-expanded')) === 'true') return;
    await row(text).click();
    await window.page.keyboard.press('ArrowRight');
  }

  it('lists the record files of the folder, and the solutions of one when it is opened', async () => {
    const { page } = window;
    await runCommand(page, 'Testing: Focus on Test Explorer View');
    await expand('wells.jsonl');
    await row('wells-2').waitFor();
    await row('docmath.jsonl').waitFor();
    const shown = await labels();
    assert.ok(!shown.some((label) => label.includes('sciegqa.jsonl')), shown.join('\n'));
  });

  it('runs the file under the cursor, with the same verdicts as the lenses', async () => {
    const { page } = window;
    await openFile(page, 'wells.jsonl');
    await runCommand(page, 'Test: Run Tests in Current File');
    const shown = await until(page, labels, (now) => now.some((label) => /wells-2.*(?:Errored|Failed)/.test(label)));
    assert.ok(
      shown.some((label) => /wells-0.*Passed/.test(label)),
      shown.join('\n'),
    );
    assert.ok(
      shown.some((label) => /wells-1.*Failed/.test(label)),
      shown.join('\n'),
    );
    await screenshot(page, 'test-explorer-run-light');
  });

  it('shows expected and actual of a mismatch as a difference', async () => {
    const { page } = window;
    await row('wells-1').click();
    await runCommand(page, 'Test: Peek Output');
    const peek = page.locator('.zone-widget', { hasText: 'a factor of exactly 1000' }).first();
    await peek.waitFor();
    const sides = await until(
      page,
      async () => (await peek.locator('.view-lines').allInnerTexts()).map((text) => text.trim()),
      (now) => now.length === 2 && now.every((text) => text !== ''),
    );
    assert.deepEqual(sides, ['1350000', '1350']);
    await screenshot(page, 'test-explorer-difference-light');
  });

  it('runs those that failed again', async () => {
    const { page } = window;
    await runCommand(page, 'Test: Rerun Failed Tests');
    await until(
      page,
      labels,
      (now) => now.filter((label) => /wells-[12].*(?:Errored|Failed)/.test(label)).length === 2,
    );
  });

  for (const [theme, name] of [
    ['Dark 2026', 'dark'],
    ['Default High Contrast', 'high-contrast'],
  ] as const) {
    it(`can be read in ${name}`, async () => {
      const { page } = window;
      window.change({ 'workbench.colorTheme': theme });
      await page.locator(name === 'dark' ? '.monaco-workbench.vs-dark' : '.monaco-workbench.hc-black').waitFor();
      await screenshot(page, `test-explorer-${name}`);
    });
  }
});

describe('the Test Explorer in an untrusted window', () => {
  let window!: EditorWindow;
  before(async () => {
    const workspace = await makeWorkspace('test-explorer-untrusted');
    const file = path.join(workspace, 'wells.jsonl');
    writeFileSync(file, TEXT);
    window = await openWindow({
      workspace,
      file,
      trusted: false,
      settings: { 'security.workspace.trust.startupPrompt': 'never', 'security.workspace.trust.banner': 'never' },
    });
  });
  after(async () => await (window as EditorWindow | undefined)?.close());

  it('lists the solutions, and none is run', async () => {
    const { page } = window;
    await page.locator('.codelens-decoration', { hasText: 'Not run' }).first().waitFor();
    await runCommand(page, 'Testing: Focus on Test Explorer View');
    await page.locator(ROW, { hasText: 'wells.jsonl' }).first().waitFor();
    await runCommand(page, 'Test: Run All Tests');
    // VS Code itself asks before tests of such a folder are run.
    const question = page.locator('.monaco-dialog-box', { hasText: 'Running tests may execute code' });
    await question.waitFor();
    await screenshot(page, 'test-explorer-untrusted-light');
    await question.locator('.monaco-button', { hasText: 'Cancel' }).click();
    await question.waitFor({ state: 'hidden' });
    await page.locator('.codelens-decoration', { hasText: 'Not run' }).first().waitFor();
    const shown = await page
      .locator(ROW)
      .evaluateAll((rows) => rows.map((one) => one.getAttribute('aria-label') ?? ''));
    assert.ok(!shown.some((label) => /Passed|Failed|Errored/.test(label)), shown.join('\n'));
  });
});
