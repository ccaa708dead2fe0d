/** How boxes are read, on the page: said, tried, converted, with the language server behind it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { FromPage, ShownEvidence } from '../../schemas/page.ts';
import type { EvidenceView } from '../../schemas/protocol.ts';
import { EVIDENCE } from '../../schemas/protocol.ts';
import { CONVERT_BOXES } from '../../schemas/regions.ts';
import type { ConvertBoxesResult, CoordinateReading } from '../../schemas/regions.ts';
import { DOCUMENTS, fileOf, sciegqa } from '../wire/records.ts';
import { startServer } from '../wire/server.ts';
import type { WireServer } from '../wire/server.ts';
import { assertAccessible } from './axe.ts';
import { evidenceOf } from './evidence.ts';
import { usePreview } from './fixture.ts';
import type { OpenPage } from './preview-site.ts';
import { SHOTS } from './preview-site.ts';
import { DARK, SOME_THEMES } from './themes.ts';
import type { Theme } from './themes.ts';

const PERMILLE: CoordinateReading = {
  space: 'permille',
  dpi: null,
  order: 'xyxy',
  origin: 'top-left',
  pageBase: 1,
};

describe('coordinates in the evidence preview', function () {
  this.timeout(180_000);
  const preview = usePreview();
  let server: WireServer;
  let uri = '';
  let pdf = '';

  before(async () => {
    server = await startServer({ trusted: false });
    const bytes = readFileSync(path.join(DOCUMENTS, 'demo-doc.pdf'));
    pdf = preview.site.put('demo-doc.pdf', bytes);
    server.write('demo-doc.pdf', bytes);
    const boxes = [
      [118, 182, 824, 455],
      [118, 500, 824, 900],
    ];
    const record = { bbox: [boxes], subimg_type: [['table', 'text']], rel_bbox: undefined };
    const text = fileOf(sciegqa(record, record, record));
    uri = server.write('set.jsonl', text);
    await server.open(uri, text);
    await server.status(uri, ({ running, profile }) => !running && profile !== null);
  });
  after(async () => {
    await server.stop();
  });

  async function shownAs(reading: CoordinateReading | null): Promise<ShownEvidence> {
    const params = { uri, index: 0, ...(reading && { reading }) };
    const view: EvidenceView = await server.connection.sendRequest(EVIDENCE, params);
    const pages = view.pages.map(({ source, ...page }) => ({
      ...page,
      source:
        source.kind === 'pdf'
          ? { kind: 'pdf' as const, url: pdf, pageIndex: source.pageIndex }
          : { kind: 'missing' as const },
    }));
    return { ...view, pages };
  }

  /** The last thing of a kind that the page said. */
  async function said<T extends FromPage['type']>(
    open: OpenPage,
    type: T,
    count = 1,
  ): Promise<Extract<FromPage, { type: T }>> {
    await open.page.waitForFunction(
      ([wanted, least]) => window.posted.filter((message) => message.type === wanted).length >= least,
      [type, count] as const,
    );
    return (await open.posted()).findLast((message) => message.type === type) as Extract<FromPage, { type: T }>;
  }

  async function opened(theme: Theme = DARK, width = 720): Promise<OpenPage> {
    const open = await preview.site.open(preview.browser, { theme, width });
    await open.show(await shownAs(null));
    await open.page.waitForSelector('[data-state=drawn]');
    return open;
  }

  const width = (open: OpenPage): Promise<number> =>
    open.page
      .locator('.overlay [data-pointer="/bbox/0/0"] .box')
      .first()
      .evaluate((box) => box.getBoundingClientRect().width);

  it('says plainly how boxes are read and why', async () => {
    const open = await opened();
    await open.page.getByRole('button', { name: 'Coordinates', exact: true }).click();
    const panel = open.page.getByRole('region', { name: 'Coordinates' });
    assert.match(
      (await panel.textContent()) ?? '',
      /pixels at 300 dpi: x1 y1 x2 y2 in px, from the top left; pages counted from 1.*Declared by the profile SciEGQA.*Against it: all 6 boxes/,
    );
    const ways = await panel
      .getByRole('radio')
      .evaluateAll((all) => all.map((one) => one.closest('label')!.textContent));
    assert.deepEqual(ways.slice(0, 2), ['pixels at 300 dpi (declared)', '0-1000']);
    assert.ok(await panel.getByRole('radio', { name: 'pixels at 300 dpi (declared)' }).isChecked());
    // It is as it was when the page is loaded anew.
    await open.page.reload();
    await open.show(await shownAs(null));
    await panel.waitFor();
    await open.page.keyboard.press('x');
    await panel.waitFor({ state: 'hidden' });
  });

  it('tries another reading by keyboard: boxes jump, and go back', async () => {
    const open = await opened();
    const before = await width(open);
    await open.page.keyboard.press('x');
    await open.page.keyboard.press('ArrowDown');
    assert.deepEqual((await said(open, 'reading')).reading, PERMILLE);
    await open.show(await shownAs(PERMILLE));
    await open.page.locator('.tried').getByText('Shown as 0-1000; nothing is changed.').waitFor();
    const after = await width(open);
    assert.ok(after > 2 * before, `${before} → ${after}`);
    // It is to be seen, whatever else is open.
    await open.page.waitForFunction(() => {
      const box = document.querySelector('.overlay .box')!.getBoundingClientRect();
      const view = document.querySelector('.scroller')!.getBoundingClientRect();
      return box.top >= view.top && box.top < view.bottom - 20;
    });
    // The list stays in order, and the keyboard where it was.
    assert.equal(await open.page.evaluate(() => document.activeElement?.closest('label')?.textContent), '0-1000');
    const first = open.page.getByRole('radio').first();
    assert.equal(await first.evaluate((one) => one.closest('label')!.textContent), 'pixels at 300 dpi (declared)');
    await open.page.keyboard.press('Escape');
    assert.equal(await open.page.evaluate(() => document.activeElement?.getAttribute('aria-label')), 'Coordinates');
    await open.page.getByRole('button', { name: 'Back to declared' }).click();
    assert.equal((await said(open, 'reading', 2)).reading, null);
    await open.show(await shownAs(null));
    await open.page.locator('.tried').waitFor({ state: 'hidden' });
    assert.ok(Math.abs((await width(open)) - before) < 1);
    assert.equal(await open.page.getByRole('button', { name: 'Back to declared' }).isVisible(), false);
    assert.equal(await open.page.evaluate(() => document.activeElement?.getAttribute('aria-label')), 'Coordinates');
  });

  it('tries a reading that is put together by hand, and no resolution that is none', async () => {
    const open = await opened();
    await open.page.keyboard.press('x');
    await open.page.getByText('Another way').click();
    await open.page.getByRole('spinbutton', { name: 'dpi' }).fill('220');
    await open.page.getByRole('combobox', { name: 'Numbers' }).selectOption('xywh');
    await open.page.getByRole('button', { name: 'Try it' }).click();
    const { reading } = await said(open, 'reading');
    assert.deepEqual(reading, { space: 'pixel', dpi: 220, order: 'xywh', origin: 'top-left', pageBase: 1 });
    await open.show(await shownAs(reading));
    await open.page.getByRole('radio', { name: 'pixels at 220 dpi as x, y, width and height' }).waitFor();
    assert.ok(await open.page.getByRole('radio', { name: 'pixels at 220 dpi as x, y, width and height' }).isChecked());
    await open.page.getByRole('spinbutton', { name: 'dpi' }).fill('-3');
    await open.page.getByRole('button', { name: 'Try it' }).click();
    assert.equal(await open.page.getByRole('spinbutton', { name: 'dpi' }).getAttribute('aria-invalid'), 'true');
    assert.equal((await open.posted()).filter(({ type }) => type === 'reading').length, 1);
  });

  it('converts a box, a record, a file; and says why it cannot be done', async () => {
    const open = await opened();
    await open.show(await shownAs(PERMILLE));
    await open.page.getByRole('button', { name: 'Convert this box' }).click();
    await open.page.getByRole('alert').getByText('Choose a box on the page first.').waitFor();
    await open.send({ type: 'cursor', pointer: '/bbox/0/1/2' });
    await open.page.waitForSelector('.region.selected');
    const asks: { readonly scope: string; readonly pointer?: string }[] = [];
    for (const [count, name] of [
      [1, 'Convert this box'],
      [2, 'Convert this record'],
      [3, 'Convert the file'],
    ] as const) {
      const isFree = (): boolean =>
        ![...document.querySelectorAll('.tried button')].some(
          (button) => button.getAttribute('aria-disabled') === 'true',
        );
      await open.page.waitForFunction(isFree);
      await open.page.getByRole('button', { name }).click();
      const { id, question, ask } = await conversion(open, count);
      assert.equal(question, 'convert');
      asks.push(ask as { readonly scope: string });
      const result: ConvertBoxesResult = await server.connection.sendRequest(CONVERT_BOXES, {
        uri,
        ...(ask as object),
      });
      assert.ok(result.kind === 'edits', JSON.stringify(result));
      await open.send({ type: 'answer', id, answer: { done: true, pointer: result.pointer, title: result.title } });
      await open.page.getByText(`${result.title}: done.`).waitFor({ state: 'attached' });
    }
    assert.deepEqual(
      asks.map(({ scope, pointer }) => [scope, pointer]),
      [
        ['box', '/bbox/0/1'],
        ['record', undefined],
        ['file', undefined],
      ],
    );
    await open.page.getByRole('button', { name: 'Convert the file' }).click();
    const { id } = await conversion(open, 4);
    await open.send({ type: 'answer', id, answer: { done: false, problem: 'The file would be half converted.' } });
    await open.page.getByRole('alert').getByText('The file would be half converted.').waitFor();
    await open.page.getByRole('button', { name: 'Declare in auditable-qa.json' }).click();
    assert.deepEqual((await said(open, 'declare')).reading, PERMILLE);
  });

  /** The `count`th question about a conversion. */
  async function conversion(open: OpenPage, count: number): Promise<Extract<FromPage, { type: 'ask' }>> {
    const isConversion = (message: FromPage): boolean => message.type === 'ask' && message.question === 'convert';
    await open.page.waitForFunction(
      (least) => window.posted.filter((one) => one.type === 'ask' && one.question === 'convert').length >= least,
      count,
    );
    return (await open.posted()).findLast(isConversion) as Extract<FromPage, { type: 'ask' }>;
  }

  it('is not there for records without boxes', async () => {
    const open = await opened();
    await open.page.keyboard.press('x');
    await open.show(evidenceOf());
    assert.equal(await open.page.getByRole('button', { name: 'Coordinates', exact: true }).isVisible(), false);
    assert.equal(await open.page.getByRole('region', { name: 'Coordinates' }).isVisible(), false);
    await open.page.keyboard.press('x');
    assert.equal(await open.page.getByRole('region', { name: 'Coordinates' }).isVisible(), false);
  });

  for (const theme of SOME_THEMES) {
    it(`is accessible in ${theme.name}, also in a narrow panel`, async () => {
      for (const width of [900, 360]) {
        const open = await opened(theme, width);
        await open.page.keyboard.press('x');
        await open.page.getByText('Another way').click();
        await open.show(await shownAs(PERMILLE));
        await open.page.getByRole('button', { name: 'Convert this box' }).click();
        await open.page.waitForFunction(() => document.querySelectorAll('[data-state=drawn]').length >= 1);
        await open.page.screenshot({ path: path.join(SHOTS, `coordinates-${theme.name}-${width}.png`) });
        await assertAccessible(open.page);
        const overflow = await open.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(overflow <= 0, `${overflow} px too wide`);
      }
    });
  }
});
