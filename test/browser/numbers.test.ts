import assert from 'node:assert/strict';
import type { FromPage, ShownEvidence } from '../../schemas/page.ts';
import type { EvidenceTrace } from '../../schemas/protocol.ts';
import { textPdf } from './documents.ts';
import { TABLE_BLOCK, TEXT_BLOCK, TRACE, evidenceOf, inTable, region, shownPage, tracedNumber } from './evidence.ts';
import { usePreview } from './fixture.ts';
import type { OpenPage } from './preview-site.ts';

describe('numbers in the evidence preview', () => {
  const preview = usePreview();
  let open: OpenPage;
  let pdf: string;

  before(async () => {
    pdf = preview.site.put('report.pdf', await textPdf(3));
  });

  async function start(more: Partial<ShownEvidence>): Promise<void> {
    open = await preview.site.open(preview.browser);
    await open.show(evidenceOf({ blocks: [TABLE_BLOCK, TEXT_BLOCK], ...more }));
    await open.page.waitForSelector('.scroller:not([hidden])');
  }

  const selected = async (): Promise<FromPage | undefined> =>
    (await open.posted()).findLast((message) => message.type === 'select');
  const list = (): Promise<string[]> => open.page.locator('.numbers li').allInnerTexts();
  const marks = (): Promise<string[]> => open.page.locator('.number').allInnerTexts();

  it('lists each number with its verdict, those without support first and marked', async () => {
    await start({ trace: TRACE });
    const [first = '', second = '', third = ''] = await list();
    assert.match(first, /9,999[\s\S]*stands nowhere in the evidence/u);
    assert.match(second, /1284\.5[\s\S]*revenue_2023[\s\S]*stands in the cited evidence[\s\S]*paragraphs\[7\] row/u);
    assert.match(third, /25[\s\S]*stands in the cited evidence/u);
    assert.equal(await open.page.locator('.numbers li.unsupported').count(), 1);
    assert.equal(await open.page.locator('.unsupported .icon-warning').count(), 1);
    assert.match(await open.page.locator('.numbers h2').innerText(), /4 numbers, 1 without support/u);
  });

  it('highlights numbers where they stand, in cells and in prose, and names the literal', async () => {
    await start({ trace: TRACE });
    assert.deepEqual(await marks(), ['1,284.5', '1,102.0', '25']);
    const cell = open.page.locator('td', { hasText: '1,284.5' });
    assert.equal(await cell.innerText(), '$ 1,284.5');
    const title = await cell.locator('.number').getAttribute('title');
    assert.equal(title, 'revenue_2023 = 1284.5 stands in the cited evidence');
    assert.match(await open.page.locator('.block-text').innerText(), /was a loss of \$25 million \(2022/u);
  });

  it('shows where a number stands, and the editor where it is written', async () => {
    await start({ trace: TRACE });
    await open.page.getByRole('button', { name: /^1284\.5 revenue_2023/u }).click();
    await open.page.waitForSelector('.number.flash');
    assert.equal(await open.page.locator('.flash').innerText(), '1,284.5');
    assert.equal(await selected(), undefined);
    await open.page.locator('.number', { hasText: '1,284.5' }).click();
    const literal = { type: 'select', index: 4, pointer: '/python_solution', inString: { start: 37, end: 43 } };
    assert.deepEqual(await selected(), literal);
    await open.page.getByRole('button', { name: 'Show 9,999 in the file' }).click();
    assert.deepEqual(await selected(), { ...literal, inString: { start: 80, end: 85 } });
  });

  it('is reachable by keyboard', async () => {
    await start({ trace: TRACE });
    await open.page.locator('.number', { hasText: '25' }).focus();
    await open.page.keyboard.press('Enter');
    assert.deepEqual((await selected()) as unknown, {
      type: 'select',
      index: 4,
      pointer: '/python_solution',
      inString: { start: 60, end: 62 },
    });
  });

  it('selects a place that is not shown in the file', async () => {
    const blockPointer = '/paragraphs/30';
    const inString = { start: 5, end: 8 };
    const name = 'paragraphs[30]';
    const numbers = [
      tracedNumber('777', { start: 1, end: 4 }, 'context', [
        { kind: 'block', blockPointer, inString, name, cited: false, shown: null },
      ]),
    ];
    await start({ trace: { ...TRACE, numbers } });
    await open.page.locator('.traced-number').click();
    assert.deepEqual(await selected(), { type: 'select', index: 4, pointer: blockPointer, inString });
  });

  it('frames numbers on pages over the boxes, which stay within reach', async () => {
    const place = { page: 0, region: '/bbox/0/0', name: 'page 1, inside box 1', cited: true };
    const trace: EvidenceTrace = {
      ...TRACE,
      numbers: [
        tracedNumber('1284.5', { start: 0, end: 6 }, 'cited', [
          { kind: 'page', ...place, left: 0.4, top: 0.1, width: 0.1, height: 0.02 },
        ]),
      ],
    };
    const page = shownPage(1, { kind: 'pdf', url: pdf, pageIndex: 0 }, [region('/bbox/0/0', 0.1, 0.05, 0.6, 0.2)]);
    await start({ blocks: [], pages: [page], trace });
    await open.page.waitForSelector('[data-state=drawn]');
    const frame = open.page.getByRole('button', { name: /^1284\.5 stands in the cited evidence: page 1/u });
    const [paper, rect] = await Promise.all([
      open.page.locator('.paper').boundingBox(),
      frame.locator('rect').boundingBox(),
    ]);
    assert.ok(paper !== null && rect !== null);
    assert.ok(Math.abs((rect.x + 2 - paper.x) / paper.width - 0.4) < 0.005);
    assert.ok(Math.abs((rect.y + 2 - paper.y) / paper.height - 0.1) < 0.005);
    await open.page.locator('.traced-number').click();
    await open.page.waitForSelector('.page-number.flash');
    await frame.click();
    assert.deepEqual(await selected(), {
      type: 'select',
      index: 4,
      pointer: '/answer',
      inString: { start: 0, end: 6 },
    });
    await open.page.mouse.click(paper.x + 0.15 * paper.width, paper.y + 0.2 * paper.height);
    assert.deepEqual(await selected(), { type: 'select', index: 4, pointer: '/bbox/0/0' });
  });

  it('says that pages are being looked at, and which have no text', async () => {
    await start({ trace: { numbers: [], unread: [], pending: true } });
    assert.match(await open.page.locator('.numbers').innerText(), /Looking at the cited pages/u);
    await open.show(evidenceOf({ trace: { numbers: [], unread: [3, 4], pending: false } }));
    await open.page.getByText('Pages 3, 4 have no text to look in').waitFor();
    await open.show(evidenceOf({ trace: null }));
    await open.page.locator('.numbers').waitFor({ state: 'hidden' });
  });

  it('takes nothing of a record for markup', async () => {
    const name = '<img src=x onerror=alert(1)>';
    const text = 'A <b>bold</b> claim of 25 <script>alert(1)</script>.';
    const at = text.indexOf('25');
    await start({
      blocks: [{ ...TEXT_BLOCK, text }],
      trace: {
        ...TRACE,
        numbers: [
          { ...tracedNumber('25', { start: 0, end: 2 }, 'cited', [inText(at, at + 2)]), name, says: '<i>says</i>' },
        ],
      },
    });
    assert.deepEqual(await marks(), ['25']);
    assert.equal(await open.page.locator('.block-text .prose').innerText(), text);
    assert.equal(await open.page.locator('img, i, b, main script').count(), 0);
  });

  it('keeps the focus in the list when the record comes again', async () => {
    await start({ trace: TRACE });
    await open.page.getByRole('button', { name: 'Show 25 in the file' }).focus();
    await open.show(evidenceOf({ blocks: [TABLE_BLOCK], trace: { ...TRACE, unread: [2] } }));
    await open.page.getByText('Page 2 has no text').waitFor();
    const focused = await open.page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    assert.equal(focused, 'Show 25 in the file');
  });

  it('leaves out what is beyond the text, and one of two readings of the same digits', async () => {
    const places = [inText(0, 7), inText(0, 3), inText(9000, 9003)];
    const numbers = places.map((place, at) => tracedNumber(String(at), { start: at, end: at + 1 }, 'cited', [place]));
    await start({ blocks: [TEXT_BLOCK], trace: { ...TRACE, numbers } });
    assert.deepEqual(await marks(), ['Revenue']);
  });

  function inText(from: number, to: number): ReturnType<typeof inTable> {
    const shown = { part: 'text' as const, start: from, end: to };
    return { ...inTable(0, 0, 0, 0), blockPointer: TEXT_BLOCK.blockPointer, shown };
  }
});
