import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { goTo, hoverText, runCommand, statusText, until } from '../surface.ts';
import type { EditorWindow } from '../window.ts';
import { openWindow, screenshot } from '../window.ts';
import { makeWorkspace } from '../workspace.ts';

const RECORD = {
  question_id: 'sales-0',
  source: 'own',
  question: 'What was the mean of the yearly changes of widget revenue from 2030 to 2032, in percent?',
  paragraphs: [
    'The company sells widgets in three countries.',
    'Revenue by product (in thousands)\n| Product | 2032 | 2031 | 2030 |\n| Widget revenue | 1,350 | 1,200 | 1,000 |\n| Gadget revenue | 410 | 380 | 395.5 |',
    'Other income grew by 12.5% in 2032.',
  ],
  table_evidence: [1],
  paragraph_evidence: [2],
  python_solution: `def change(new, old):
    return (new - old) / old * 100

def solution():
    revenue = [1000, 1200]
    widget_revenue_2032 = 1350
    revenue.append(widget_revenue_2032)
    income_growth = 12.5
    total = 0
    for i in range(2):
        total += change(revenue[i + 1], revenue[i])
    mean = total / 2
    return mean
`,
  ground_truth: 16.25,
};

const TAB = '.tab.active[data-resource-name="sales-0.py"]';

describe('values of a solution in the window', () => {
  let window!: EditorWindow;
  before(async () => {
    const workspace = await makeWorkspace('solution-values');
    const file = path.join(workspace, 'sales.jsonl');
    writeFileSync(file, `${JSON.stringify(RECORD)}\n`);
    window = await openWindow({ workspace, file, settings: { 'editor.inlayHints.enabled': 'on' } });
    await window.page.locator('.codelens-decoration', { hasText: 'gold' }).first().waitFor();
    await runCommand(window.page, 'Auditable QA: Edit solution');
    await window.page.locator(TAB).waitFor();
  });
  after(async () => await (window as EditorWindow | undefined)?.close());

  /** The lines of the active editor as they are shown, with what stands beside them. */
  const shown = async (): Promise<string> =>
    (await window.page.locator('.editor-group-container.active .view-line').allInnerTexts())
      .join('\n')
      .replaceAll(/\u00a0|\u200b|\u200d|\u202f/g, ' ');

  /** What is drawn behind the lines while stepping. */
  const besideLines = (): Promise<string[]> =>
    window.page.evaluate(() =>
      [...document.querySelectorAll('.editor-group-container.active .view-line span')]
        .map((span) => getComputedStyle(span, '::after').content)
        .filter((content) => content.startsWith('"'))
        .map((content) => (JSON.parse(content) as string).replaceAll('\u00a0', ' ')),
    );

  it('stand beside its assignments after the run, with their scale and where they come from', async () => {
    const { page } = window;
    const text = await until(page, shown, (now) => now.includes('= 16.25'));
    assert.match(text, /widget_revenue_2032 = 1350\s*= 1350 thousand\s*↗ paragraphs\[1\]/);
    assert.match(text, /income_growth = 12\.5\s*= 12\.5 %\s*↗ paragraphs\[2\]/);
    assert.match(text, /total \+= .*= 32\.5\s*×2/);
    await goTo(page, 14, 1);
    await screenshot(page, 'solution-values-light');
  });

  it('lead to the evidence', async () => {
    const { page } = window;
    const link = page.locator('.view-line span', { hasText: /↗\s*paragraphs\[1\]/ }).last();
    const box = await link.boundingBox();
    assert.ok(box !== null);
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const file = page.locator('.tab.active[data-resource-name="sales.jsonl"]');
    // The editor makes a link of it when the pointer moves over it with the key held, a moment later.
    await page.keyboard.down('Control');
    let nudge = 0;
    await until(
      page,
      async () => {
        nudge = 1 - nudge;
        await page.mouse.move(x + nudge, y);
        if ((await file.count()) === 0) await page.mouse.click(x + nudge, y);
        return file.count();
      },
      (count) => count === 1,
    );
    await page.keyboard.up('Control');
    await runCommand(page, 'View: Close Editor');
    // Closing the file has left the solution alone.
    await page.locator(TAB).waitFor();
  });

  it('can be followed step by step, by keyboard', async () => {
    const { page } = window;
    await goTo(page, 1, 1);
    await page.keyboard.press('Alt+F11');
    const first = await statusText(page, 'Step 1 of');
    assert.match(first, /line 5 is next/);
    for (let i = 0; i < 9; i++) await page.keyboard.press('Alt+F11');
    await statusText(page, 'Step 10 of');
    const beside = await until(page, besideLines, (now) => now.includes('total = 20.0'));
    assert.deepEqual(beside, [
      'revenue = [1000, 1200]',
      'widget_revenue_2032 = 1350',
      'revenue = [1000, 1200, 1350]',
      'income_growth = 12.5',
      'total = 0',
      'i = 0',
      'total = 20.0',
    ]);
    // The values of the whole run make room for those so far.
    await until(page, shown, (now) => !now.includes('= 16.25'));
    await screenshot(page, 'solution-steps-light');
    await page.keyboard.press('Alt+Shift+F11');
    const item = page.locator('.statusbar-item', { hasText: 'Step 9 of' });
    await item.waitFor();
    const label = await item.locator('a').first().getAttribute('aria-label');
    assert.equal(label, 'Step 9 of 17 in change: line 2 returns 20.0.');
  });

  it('go to the end, tell all variables, and stop when the solution is changed', async () => {
    const { page } = window;
    await page.keyboard.press('Alt+End');
    await page.locator('.statusbar-item', { hasText: 'returns 16.25' }).waitFor();
    const hover = await hoverText(page, 'return mean');
    assert.match(hover.replaceAll('\u00a0', ' '), /Variables of solution[^]*total = 32\.5[^]*return 16\.25/);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.locator('.statusbar-item', { hasText: 'Step ' }).waitFor({ state: 'hidden' });
    await page.keyboard.press('Alt+F11');
    await page.locator('.statusbar-item', { hasText: 'Step 1 of' }).waitFor();
    await page.keyboard.press('End');
    await page.keyboard.type(' ');
    await page.locator('.statusbar-item', { hasText: 'Step ' }).waitFor({ state: 'hidden' });
    await page.keyboard.press('Control+Z');
  });

  it('are offered where a number is written: those of the evidence that fit the name first', async () => {
    const { page } = window;
    await goTo(page, 6, 100);
    await page.keyboard.press('Enter');
    await page.keyboard.type('gadget_revenue_2030 =');
    await page.keyboard.press('Space');
    const list = page.locator('.suggest-widget.visible');
    await list.waitFor();
    const row = list.locator('.monaco-list-row', { hasText: '395.5' }).first();
    await row.waitFor();
    await page.keyboard.type('395');
    await list.locator('.monaco-list-row.focused', { hasText: '395.5' }).waitFor();
    await screenshot(page, 'solution-completion-light');
    await page.keyboard.press('Enter');
    await until(page, shown, (now) => now.includes('gadget_revenue_2030 = 395.5'));
    for (let i = 0; i < 40 && (await shown()).includes('gadget'); i++) await page.keyboard.press('Control+Z');
    await until(page, shown, (now) => now.includes('= 16.25') && !now.includes('gadget'));
  });

  for (const [theme, name] of [
    ['Dark 2026', 'dark'],
    ['Default High Contrast', 'high-contrast'],
  ] as const) {
    it(`can be read in ${name}`, async () => {
      const { page } = window;
      window.change({ 'workbench.colorTheme': theme });
      await page.locator(name === 'dark' ? '.monaco-workbench.vs-dark' : '.monaco-workbench.hc-black').waitFor();
      await goTo(page, 1, 1);
      await page.keyboard.press('Alt+F11');
      await page.locator('.statusbar-item', { hasText: 'Step 1 of' }).waitFor();
      await page.keyboard.press('Alt+End');
      await page.locator('.statusbar-item', { hasText: 'returns' }).waitFor();
      await page.keyboard.press('Alt+Shift+F11');
      await page.locator('.statusbar-item', { hasText: 'line 13 is next' }).waitFor();
      await screenshot(page, `solution-steps-${name}`);
      await page.keyboard.press('Escape');
    });
  }
});
