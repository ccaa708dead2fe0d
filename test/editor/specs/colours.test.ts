import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { openFile, until } from '../surface.ts';
import type { EditorWindow } from '../window.ts';
import { openWindow, screenshot } from '../window.ts';
import { makeWorkspace } from '../workspace.ts';

const SOLUTION = `import math

def solution(rate: float = 0.05):
    # the "net" amount, in thousands
    total_2032 = 1_350.5
    label = f"{total_2032:.1f} of 'all'" + "\\t"
    if total_2032 > 0 and rate is not None:
        return math.sqrt(total_2032) - round(rate, 2)
    return None`;

/** A record whose solution uses what Python has to offer. */
const RECORD = {
  question_id: 'colours-0',
  question: 'How much is left of the amount?',
  python_solution: SOLUTION,
  ground_truth: 1,
};

const DOCUMENT = `{
  "question_id": "colours-0",
  "question": """
    How much is left of the "amount"?
    """,
  "python_solution": """
    ${SOLUTION.replaceAll('\n', '\n    ')}
    """,
  "ground_truth": 1
}
`;

/** The colours of the characters of a text where it first stands in the visible editor, each once. */
async function coloursOf(page: Page, text: string): Promise<string[]> {
  return await page.evaluate((wanted) => {
    const rows = [...document.querySelectorAll('.editor-instance .view-lines > .view-line')];
    rows.sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top);
    let shown = '';
    const colours: string[] = [];
    for (const span of rows.flatMap((row) => [...row.querySelectorAll('span > span')])) {
      const { color } = getComputedStyle(span);
      for (const character of (span.textContent ?? '').replaceAll('\u00a0', ' ')) {
        shown += character;
        colours.push(color);
      }
    }
    const at = shown.indexOf(wanted);
    return at < 0 ? [] : [...new Set(colours.slice(at, at + wanted.length))];
  }, text);
}

/** The one colour of each text; texts are long enough to stand at one place only. */
async function colours<K extends string>(page: Page, texts: Readonly<Record<K, string>>): Promise<Record<K, string>> {
  const found = await Promise.all(
    Object.entries<string>(texts).map(async ([name, text]) => {
      const seen = await coloursOf(page, text);
      assert.equal(seen.length, 1, `${text} has one colour: ${seen.join(', ')}`);
      return [name, seen[0]];
    }),
  );
  return Object.fromEntries(found) as Record<K, string>;
}

const distinct = (values: Readonly<Record<string, string>>): number => new Set(Object.values(values)).size;

/** Waits until the visible editor has its colours: at first all its text has one. */
async function coloured(page: Page): Promise<void> {
  await until(
    page,
    async () => [...(await coloursOf(page, 'return')), ...(await coloursOf(page, 'label'))],
    (found) => found.length === 2 && found[0] !== found[1],
  );
}

const PARTS = {
  keyword: 'return',
  comment: ' amount, in thousands',
  number: '1_350.5',
  text: "of 'all'",
  plain: 'How much is left',
} as const;

/** Four kinds are told apart, and texts of Python look like texts of JSON; a theme that is applied takes the colours away for a moment. */
async function settledColours(page: Page): Promise<Record<keyof typeof PARTS, string>> {
  const found = await until(
    page,
    async () => await colours(page, PARTS).catch(String),
    (seen) => typeof seen !== 'string' && distinct(seen) === 4,
  );
  assert.ok(typeof found !== 'string');
  assert.equal(found.text, found.plain);
  return found;
}

describe('colours of a solution in the window', () => {
  let window!: EditorWindow;
  /** Settings of the folder replace each other. */
  const show = (theme: string, semantic: boolean): void =>
    window.change({ 'workbench.colorTheme': theme, 'editor.semanticHighlighting.enabled': semantic });

  before(async () => {
    const workspace = await makeWorkspace('colours');
    writeFileSync(path.join(workspace, 'colours.jsonl'), `${JSON.stringify(RECORD)}\n`);
    writeFileSync(path.join(workspace, 'colours.record'), DOCUMENT);
    window = await openWindow({
      workspace,
      file: path.join(workspace, 'colours.jsonl'),
      settings: {
        'workbench.colorTheme': 'Dark 2026',
        'editor.semanticHighlighting.enabled': false,
        'auditableQa.solutions.run': 'off',
        'auditableQa.codeLens.enabled': false,
      },
    });
  });
  after(async () => await (window as EditorWindow | undefined)?.close());

  it('come from the grammar where the server says nothing', async () => {
    const { page } = window;
    await coloured(page);
    const { text } = await settledColours(page);
    const { name, escape } = await colours(page, { name: 'label', escape: '\\\\t' });
    assert.equal(distinct({ name, text, escape }), 3);
    await screenshot(page, 'colours-grammar-dark');
  });

  it('tell parameters and variables from the rest with the server', async () => {
    const { page } = window;
    const before = { ...(await settledColours(page)), ...(await colours(page, { variable: 'label' })) };
    show('Dark 2026', true);
    await until(
      page,
      async () => await coloursOf(page, 'label'),
      ([colour]) => colour !== undefined && colour !== before.variable,
    );
    const after = await colours(page, PARTS);
    assert.deepEqual(
      after,
      (({ keyword, comment, number, text, plain }) => ({ keyword, comment, number, text, plain }))(before),
    );
    await screenshot(page, 'colours-semantic-dark');
  });

  for (const [name, theme] of [
    ['light', 'Light 2026'],
    ['high-contrast', 'Default High Contrast'],
  ] as const)
    it(`keep apart in ${theme}`, async () => {
      const { page } = window;
      for (const semantic of [true, false]) {
        const { keyword: before } = await colours(page, { keyword: PARTS.keyword });
        show(theme, semantic);
        if (semantic) {
          await until(
            page,
            async () => await coloursOf(page, PARTS.keyword),
            ([colour]) => colour !== before,
          );
        }
        await settledColours(page);
        await screenshot(page, `colours-${semantic ? 'semantic' : 'grammar'}-${name}`);
      }
    });

  it('are those of Python in the raw block of a record document', async () => {
    const { page } = window;
    show('Dark 2026', true);
    await openFile(page, 'colours.record');
    await coloured(page);
    await settledColours(page);
    await screenshot(page, 'colours-record-dark');
  });
});
