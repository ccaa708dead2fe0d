import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import type { FromPage, ShownEvidence } from '../../schemas/page.ts';
import type { EvidenceBlock } from '../../schemas/protocol.ts';
import type { EvidenceChange } from '../../schemas/regions.ts';
import { assertAccessible } from './axe.ts';
import { textPdf } from './documents.ts';
import { TABLE_BLOCK, TEXT_BLOCK, TRACE, evidenceOf, region, shownPage } from './evidence.ts';
import { usePreview } from './fixture.ts';
import type { OpenPage } from './preview-site.ts';
import { SHOTS } from './preview-site.ts';
import { SOME_THEMES } from './themes.ts';

const ROWS = ['| Item | 2023 |', '| Services | 96.4 |', '| Licences | |'];
const SOURCE = ROWS.join('\n');
const cell = (text: string): { start: number; end: number } => {
  const start = SOURCE.indexOf(text);
  return { start, end: start + text.length };
};
const TABLE: EvidenceBlock = {
  pointer: '/table_evidence/1',
  blockPointer: '/paragraphs/3',
  name: 'paragraphs[3]',
  kind: 'table',
  text: SOURCE,
  editable: true,
  table: {
    before: '',
    rows: [
      ['Item', '2023'],
      ['Services', '96.4'],
      ['Licences', ''],
    ],
    after: '',
    cells: [
      [cell('Item'), cell('2023')],
      [cell('Services'), cell('96.4')],
      [cell('Licences'), { start: SOURCE.length - 1, end: SOURCE.length - 1 }],
    ],
  },
};
const CODE = "def solution():\n    # In millions.\n    revenue_2023 = 1284.5\n    loss = 25\n    return 'x'\n";
const at = (text: string): { start: number; end: number } => ({
  start: CODE.indexOf(text),
  end: CODE.indexOf(text) + text.length,
});
const LOSS = { start: at('= 25').start + 2, end: at('= 25').end };
const PHRASE = 'ratably over the term';

describe('the record beside the page', () => {
  const preview = usePreview();
  let open: OpenPage;
  let evidence: ShownEvidence;

  before(async () => {
    const url = preview.site.put('report.pdf', await textPdf(3));
    const [first, second] = TRACE.numbers;
    assert.ok(first !== undefined && second !== undefined);
    const start = TEXT_BLOCK.text.indexOf(PHRASE);
    evidence = evidenceOf({
      answer: `It is recognised ${PHRASE}`,
      editable: { question: '/question', answer: '/answer', solution: '/python_solution' },
      solution: { value: '12.5', type: 'float', gold: 12.5, verdict: 'equal', error: null, stdout: '', ms: 2 },
      code: { pointer: '/python_solution', text: CODE, language: 'python' },
      blocks: [{ ...TABLE_BLOCK, editable: true }, TABLE, { ...TEXT_BLOCK, editable: true }],
      trace: {
        ...TRACE,
        numbers: [
          { ...first, inString: at('1284.5') },
          { ...second, inString: LOSS },
        ],
        phrases: [
          {
            text: PHRASE,
            pointer: '/answer',
            inString: { start: 17, end: 17 + PHRASE.length },
            says: 'stands in the cited evidence',
            unsupported: false,
            places: [
              {
                kind: 'block',
                blockPointer: TEXT_BLOCK.blockPointer,
                inString: { start, end: start + PHRASE.length },
                name: 'paragraphs[12]',
                cited: true,
                shown: { part: 'text', start, end: start + PHRASE.length },
              },
            ],
          },
        ],
      },
      problems: [
        { severity: 'error', code: 'box/out-of-page', message: 'x2 is beyond the page.', pointer: '/bbox/0/0' },
        { severity: 'info', code: 'text/stray-blanks', message: 'The answer ends with a blank.', pointer: '/answer' },
      ],
      pages: [1, 2, 3].map((number) =>
        shownPage(number, { kind: 'pdf', url, pageIndex: number - 1 }, [
          region(`/bbox/${number - 1}/0`, 0.1, 0.1, 0.5, 0.1),
        ]),
      ),
    });
  });

  async function start(width = 1400, more: Partial<ShownEvidence> = {}): Promise<void> {
    open = await preview.site.open(preview.browser, { width, height: 900 });
    await open.show({ ...evidence, ...more });
    await open.page.waitForSelector('.scroller:not([hidden])');
  }
  const editor = (name: string): Locator => open.page.getByRole('textbox', { name, exact: true });
  const editButton = (name: string): Locator => open.page.getByRole('button', { name: `Edit ${name}`, exact: true });
  const changes = async (): Promise<EvidenceChange[]> =>
    (await open.posted()).flatMap((message) =>
      message.type === 'ask' && message.question === 'change'
        ? [(message.ask as { change: EvidenceChange }).change]
        : [],
    );
  const last = async (type: FromPage['type']): Promise<FromPage | undefined> =>
    (await open.posted()).findLast((message) => message.type === type);
  const layout = (): Promise<string | null> => open.page.locator('.workspace').getAttribute('data-layout');
  const overflow = (): Promise<number> => open.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

  describe('layout', () => {
    it('stands beside the pages where there is room, above them else, and keeps what is typed on the way', async () => {
      await start();
      assert.equal(await layout(), 'beside');
      const [side, pages] = await Promise.all([
        open.page.locator('.side').boundingBox(),
        open.page.locator('.scroller').boundingBox(),
      ]);
      assert.ok(side !== null && pages !== null && side.x + side.width <= pages.x + 3);
      await editButton('the question').click();
      await editor('The question').fill('Typed');
      await open.page.setViewportSize({ width: 700, height: 900 });
      await open.page.waitForSelector('[data-layout=stacked]');
      assert.equal(await editor('The question').inputValue(), 'Typed');
      assert.equal(await editor('The question').evaluate((input) => input === document.activeElement), true);
      await open.page.setViewportSize({ width: 1400, height: 900 });
      await open.page.waitForSelector('[data-layout=beside]');
      assert.equal(await editor('The question').inputValue(), 'Typed');
    });

    it('stands alone where there is no page', async () => {
      await start(1400, { pages: [] });
      assert.equal(await layout(), 'stacked');
    });

    it('has a border that is moved by keys and by pointer, and stays where it is', async () => {
      await start();
      const splitter = open.page.getByRole('separator', { name: 'Width of the record' });
      const now = async (): Promise<number> => Number(await splitter.getAttribute('aria-valuenow'));
      assert.equal(await now(), 40);
      await splitter.focus();
      await open.page.keyboard.press('ArrowRight');
      await open.page.keyboard.press('ArrowRight');
      assert.equal(await now(), 44);
      await open.page.keyboard.press('End');
      assert.equal(await now(), 80);
      await open.page.keyboard.press('Home');
      assert.equal(await now(), 20);
      const box = await splitter.boundingBox();
      assert.ok(box !== null);
      await open.page.mouse.move(box.x + 2, 500);
      await open.page.mouse.down();
      await open.page.mouse.move(700, 500, { steps: 3 });
      await open.page.mouse.up();
      assert.equal(await now(), 50);
      await open.page.reload();
      await open.page.waitForFunction(() => window.posted.some((message) => message.type === 'ready'));
      await open.show(evidence);
      await open.page.waitForSelector('[data-layout=beside]');
      assert.equal(await now(), 50);
    });

    it('leaves room to read in a low panel: the tools above scroll away', async () => {
      await start(320);
      await open.page.setViewportSize({ width: 320, height: 256 });
      const shown = await open.page.locator('.scroller').boundingBox();
      assert.ok(shown !== null && shown.height >= 200, `${shown?.height} px`);
      await open.page.locator('.scroller').scrollIntoViewIfNeeded();
      await open.page.getByRole('heading', { name: /Which route/u }).scrollIntoViewIfNeeded();
      const heading = await open.page.getByRole('heading', { name: /Which route/u }).boundingBox();
      assert.ok(heading !== null && heading.y >= 0 && heading.y < 256);
    });

    it('keeps to the width of 320 px, which is 400 % of 1280', async () => {
      await start(320);
      assert.equal(await layout(), 'stacked');
      assert.ok((await overflow()) <= 0);
      const wide = await open.page.evaluate(() =>
        [...document.querySelectorAll('.sheet *')]
          .filter((one) => one.closest('.table-scroll') === null && one.getClientRects().length > 0)
          .filter((one) => !one.matches('.sr-only') && one.getBoundingClientRect().right > innerWidth + 1)
          .map((one) => one.outerHTML.slice(0, 120)),
      );
      assert.deepEqual(wide, []);
    });
  });

  describe('editing', () => {
    it('saves by Ctrl+Enter as one change of the text, and shows it at once', async () => {
      await start();
      await open.answer('change', { done: true, pointer: null, title: 'Edit the question' });
      await editButton('the question').click();
      await editor('The question').fill('Which route is longest?');
      await open.page.keyboard.press('Control+Enter');
      await open.page.waitForSelector('.edit', { state: 'detached' });
      assert.deepEqual(await changes(), [
        { kind: 'text', pointer: '/question', was: evidence.question, text: 'Which route is longest?' },
      ]);
      assert.equal(await open.page.locator('.question').innerText(), 'Which route is longest?');
      assert.equal(await editButton('the question').evaluate((one) => one === document.activeElement), true);
      await open.show({ ...evidence, version: 2, question: 'Which route is the longest?' });
      await open.page.getByText('Which route is the longest?').waitFor();
    });

    it('leaves everything as it was by Escape, and asks nothing where nothing was changed', async () => {
      await start();
      await open.page.locator('.block-text .prose').dblclick({ position: { x: 200, y: 8 } });
      await editor('Paragraphs[12]').fill('Something else');
      await open.page.keyboard.press('Escape');
      await open.page.waitForSelector('.edit', { state: 'detached' });
      assert.match(await open.page.locator('.block-text .prose').innerText(), /^Revenue from subscriptions/u);
      await editButton('the answer').click();
      await open.page.keyboard.press('Control+Enter');
      await open.page.waitForSelector('.edit', { state: 'detached' });
      assert.deepEqual(await changes(), []);
    });

    it('keeps what was typed where it cannot be saved, and says why', async () => {
      await start();
      await open.answer('change', { done: false, problem: 'The record has another text there by now.' });
      await editButton('the answer').click();
      await editor('The answer').fill('Route D');
      await open.page.getByRole('button', { name: 'Save', exact: true }).click();
      await open.page.getByRole('alert').getByText('Not saved: The record has another text there by now.').waitFor();
      assert.equal(await editor('The answer').inputValue(), 'Route D');
      assert.equal(await editor('The answer').evaluate((input) => input === document.activeElement), true);
    });

    it('edits a cell by keys, by its place in the text', async () => {
      await start();
      await open.answer('change', { done: true, pointer: null, title: 'Edit the evidence' });
      const grid = open.page.getByRole('grid', { name: /^paragraphs\[3\]/u });
      await grid.locator('[tabindex="0"]').focus();
      await open.page.keyboard.press('ArrowDown');
      await open.page.keyboard.press('ArrowRight');
      await open.page.keyboard.press('Enter');
      const field = editor('Row 2, column 2 of paragraphs[3]');
      assert.equal(await field.inputValue(), '96.4');
      await open.page.keyboard.type('97.5');
      await open.page.keyboard.press('Enter');
      await open.page.waitForSelector('.edit', { state: 'detached' });
      assert.deepEqual(await changes(), [
        { kind: 'text', pointer: '/paragraphs/3', inString: cell('96.4'), was: '96.4', text: '97.5' },
      ]);
      assert.equal(await open.page.evaluate(() => document.activeElement?.textContent), '97.5');
    });

    it('stays while the record is shown anew, and tells where its text has changed', async () => {
      await start();
      const cells = open.page.getByRole('grid', { name: /^paragraphs\[3\]/u });
      await cells.getByText('96.4').dblclick();
      const field = editor('Row 2, column 2 of paragraphs[3]');
      await field.fill('98');
      await open.show({ ...evidence, version: 2, trace: null, answer: 'Another' });
      await open.page.locator('.answer-text', { hasText: 'Another' }).waitFor();
      assert.equal(await field.inputValue(), '98');
      assert.equal(await field.evaluate((input) => input === document.activeElement), true);
      const text = SOURCE.replace('96.4', '9.5');
      const inString = { start: cell('96.4').start, end: cell('96.4').start + 3 };
      const rows = [
        ['Item', '2023'],
        ['Services', '9.5'],
        ['Licences', ''],
      ];
      const changed: EvidenceBlock = {
        ...TABLE,
        text,
        table: {
          before: '',
          after: '',
          rows,
          cells: [
            [null, null],
            [null, inString],
            [null, null],
          ],
        },
      };
      await open.show({ ...evidence, version: 3, blocks: [changed] });
      await open.page.getByRole('alert').getByText('changed in the file meanwhile, to: 9.5').waitFor();
      await open.answer('change', { done: true, pointer: null, title: '' });
      await field.press('Enter');
      await open.page.waitForSelector('.edit', { state: 'detached' });
      assert.deepEqual(await changes(), [{ kind: 'text', pointer: '/paragraphs/3', inString, was: '9.5', text: '98' }]);
    });

    it('says that the text is gone, and saves nothing then', async () => {
      await start();
      await editButton('the answer').click();
      await editor('The answer').fill('Mine');
      await open.show({ ...evidence, version: 2, answer: null, editable: { question: '/question' } });
      await open.page.getByRole('alert').getByText('has no such text any more').waitFor();
      await open.page.keyboard.press('Control+Enter');
      assert.equal(await editor('The answer').inputValue(), 'Mine');
      assert.deepEqual(await changes(), []);
    });

    it('comes back with what was typed when the record comes back, also after a reload', async () => {
      await start();
      await editButton('the question').click();
      await editor('The question').fill('Half a thought');
      await open.show({ ...evidence, index: 5, id: 'q-0006', question: 'Another one?' });
      await open.page.getByText('Another one?').waitFor();
      assert.equal(await open.page.locator('.edit').count(), 0);
      await open.show(evidence);
      assert.equal(await editor('The question').inputValue(), 'Half a thought');
      await open.page.reload();
      await open.page.waitForFunction(() => window.posted.some((message) => message.type === 'ready'));
      await open.show(evidence);
      assert.equal(await editor('The question').inputValue(), 'Half a thought');
    });

    it('types letters that are keys elsewhere', async () => {
      await start();
      await editButton('the answer').click();
      await editor('The answer').fill('');
      await open.page.keyboard.type('napped free');
      assert.equal(await editor('The answer').inputValue(), 'napped free');
      assert.equal(await layout(), 'beside');
      assert.equal(await last('record'), undefined);
    });

    it('leaves what cannot be edited alone, and edits the solution in a document of its own', async () => {
      await start(1400, { editable: { solution: '/python_solution' }, blocks: [TEXT_BLOCK, TABLE_BLOCK] });
      assert.equal(await open.page.locator('.edit-button:visible').count(), 1);
      assert.equal(await open.page.getByRole('grid').count(), 0);
      await editButton('the solution').click();
      assert.deepEqual(await last('editSolution'), { type: 'editSolution', index: 4 });
    });
  });

  describe('tracing', () => {
    const traced = (): Promise<string[]> => open.page.locator('.traced').allInnerTexts();

    it('leads from a number in the solution to where it stands, and back', async () => {
      await start();
      await open.page.locator('.code .literal', { hasText: '1284.5' }).click();
      await open.page.waitForSelector('.cell-text .flash');
      assert.deepEqual(await traced(), ['1284.5', '1,284.5']);
      await open.page.locator('.block-text .number', { hasText: /^25$/u }).click();
      assert.deepEqual(await last('select'), {
        type: 'select',
        index: 4,
        pointer: '/python_solution',
        inString: LOSS,
      });
      await open.page.waitForSelector('.code .literal.flash');
      assert.equal((await traced()).length, 2);
    });

    it('follows the editor’s cursor to the place of the literal that it is in', async () => {
      await start(1400);
      await open.send({ type: 'cursor', pointer: '/python_solution', at: at('1284.5').start + 2 });
      await open.page.waitForSelector('.cell-text .traced');
      const place = open.page.locator('.cell-text .traced');
      const [box, side] = await Promise.all([place.boundingBox(), open.page.locator('.side').boundingBox()]);
      assert.ok(box !== null && side !== null && box.y >= side.y && box.y + box.height <= side.y + side.height);
      await open.send({ type: 'cursor', pointer: '/python_solution', at: 2 });
      await open.page.waitForFunction(() => document.querySelector('.traced') === null);
    });

    it('marks the words of the answer where they are written and where they stand', async () => {
      await start();
      const written = open.page.locator('.answer-text .literal');
      assert.equal(await written.innerText(), PHRASE);
      assert.match(
        await open.page.locator('.numbers h2').innerText(),
        /Numbers and words\s+2 numbers, 1 phrase of the answer, none without support/u,
      );
      await written.click();
      await open.page.waitForSelector('.block-text .phrase.flash');
      assert.equal(await open.page.locator('.block-text .phrase.traced').innerText(), PHRASE);
    });
  });

  it('leads to what a problem is about, and through the problems of the file by key', async () => {
    await start();
    await open.page.keyboard.press('F8');
    assert.deepEqual(await last('problem'), { type: 'problem', step: 1 });
    await open.page.keyboard.press('Shift+F8');
    assert.deepEqual(await last('problem'), { type: 'problem', step: -1 });
    await open.page.getByRole('button', { name: /x2 is beyond the page/u }).click();
    assert.deepEqual(await last('select'), { type: 'select', index: 4, pointer: '/bbox/0/0' });
    await open.page.waitForSelector('.region.selected');
    await open.page.getByRole('button', { name: /The answer ends with a blank/u }).click();
    await open.page.waitForSelector('.editable.flash');
  });

  for (const theme of SOME_THEMES) {
    it(`is accessible in ${theme.name}`, async () => {
      open = await preview.site.open(preview.browser, { theme, width: 1400, height: 900 });
      await open.show(evidence);
      await open.page.waitForSelector('[data-state=drawn]');
      const check = async (name: string): Promise<void> => {
        await open.page.screenshot({ path: join(SHOTS, `${name}-${theme.name}.png`) });
        await assertAccessible(open.page, name);
      };
      await check('beside');
      await open.answer('change', { done: false, problem: 'The record has another text there by now.' });
      await editButton('the answer').click();
      await editor('The answer').fill('Route D');
      await open.page.keyboard.press('Control+Enter');
      await open.page.getByText('Not saved:').waitFor();
      await open.page
        .getByRole('grid', { name: /^paragraphs\[3\]/u })
        .getByText('96.4')
        .dblclick();
      await check('beside-editing');
      await open.page.setViewportSize({ width: 700, height: 900 });
      await open.page.waitForSelector('[data-layout=stacked]');
      await check('stacked-editing');
      await open.page.setViewportSize({ width: 360, height: 900 });
      await check('narrow-editing');
    });
  }
});
