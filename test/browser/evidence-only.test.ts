import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { ShownEvidence } from '../../schemas/page.ts';
import { assertAccessible } from './axe.ts';
import { markedPng, textPdf } from './documents.ts';
import { TABLE_BLOCK, TEXT_BLOCK, TRACE, evidenceOf, region, shownPage } from './evidence.ts';
import { usePreview } from './fixture.ts';
import type { OpenOptions, OpenPage } from './preview-site.ts';
import { SHOTS } from './preview-site.ts';
import { SOME_THEMES } from './themes.ts';

describe('evidence alone', () => {
  const preview = usePreview();
  let open: OpenPage;
  let pdf: string;
  let png: string;

  before(async () => {
    pdf = preview.site.put('report.pdf', await textPdf(4));
    png = preview.site.put('page.png', markedPng().bytes);
  });

  const record = (more: Partial<ShownEvidence> = {}): ShownEvidence =>
    evidenceOf({
      blocks: [TABLE_BLOCK, TEXT_BLOCK],
      trace: TRACE,
      solution: { value: '12.5', type: 'float', gold: 12.5, verdict: 'equal', error: null, stdout: '', ms: 2 },
      problems: [
        { severity: 'error', code: 'box/out-of-page', message: 'The box is off the page.', pointer: '/bbox/0/0' },
      ],
      pages: [
        shownPage(1, { kind: 'pdf', url: pdf, pageIndex: 0 }, [
          region('/bbox/0/0', 0.1, 0.08, 0.4, 0.05, {
            problems: [{ severity: 'error', code: 'box/out-of-page', message: 'The box is off the page.' }],
          }),
          region('/bbox/0/1', 0.1, 0.3, 0.8, 0.1, { label: 'text' }),
        ]),
        shownPage(2, { kind: 'image', url: png }, [region('/bbox/1/0', 0.25, 0.25, 0.5, 0.25)]),
        shownPage(3, { kind: 'pdf', url: pdf, pageIndex: 2 }, []),
      ],
      ...more,
    });

  async function start(evidence = record(), options: OpenOptions = {}): Promise<void> {
    open = await preview.site.open(preview.browser, options);
    await open.show(evidence);
    await open.page.waitForSelector('.scroller:not([hidden])');
  }

  const only = async (): Promise<void> => {
    await open.page.getByRole('button', { name: 'Evidence only' }).click();
    await open.page.waitForSelector('.reveal');
  };
  const reveal = (): ReturnType<OpenPage['page']['locator']> => open.page.locator('.reveal');
  const content = (): Promise<string> => open.page.locator('body').innerText();
  const drawn = (count: number): Promise<unknown> =>
    open.page.waitForFunction((least) => document.querySelectorAll('.crop [data-state=drawn]').length >= least, count);

  const SECRETS = /Route C|12\.5|equals the answer|off the page|box\/out-of-page|9,999|stands in/u;

  it('shows nothing that tells the answer, until it is asked for', async () => {
    await start();
    assert.match(await content(), SECRETS);
    await only();
    assert.match(await content(), /Which route has the longest headway/u);
    const drawn = / d="[^"]*"/gu; // Icons are lines of numbers.
    assert.doesNotMatch((await open.page.locator('body').innerHTML()).replaceAll(drawn, ''), SECRETS);
    assert.equal(await open.page.locator('.number, .page-number, .has-error, .problem').count(), 0);
    assert.equal(await reveal().getAttribute('aria-expanded'), 'false');

    await reveal().click();
    assert.match(await content(), /Route C[\s\S]*equals the answer/u);
    assert.match(await content(), /off the page/u);
    assert.ok((await open.page.locator('.number').count()) > 0);
    assert.equal(await reveal().innerText(), 'Hide answer');
    assert.equal(await open.page.evaluate(() => document.activeElement?.classList.contains('reveal')), true);
    await open.page.keyboard.press('a');
    assert.doesNotMatch(await content(), SECRETS);
  });

  it('hides the answer again with the next record, and not when the record is typed in', async () => {
    await start();
    await only();
    await reveal().click();
    await open.show(record({ version: 2, question: 'Which route has the shortest headway?' }));
    await open.page.getByText('shortest headway').waitFor();
    assert.match(await content(), /Route C/u);
    await open.show(record({ index: 5, id: 'q-0006', question: 'Another question?' }));
    await open.page.getByText('Another question?').waitFor();
    assert.doesNotMatch(await content(), SECRETS);
    assert.equal(await reveal().innerText(), 'Reveal answer');
  });

  it('cuts regions out of their pages, and shows pages without regions whole', async () => {
    await start();
    await only();
    assert.equal(await open.page.locator('.crop').count(), 3);
    await drawn(2);
    const size = async (pointer: string): Promise<{ width: number; height: number }> => {
      const box = await open.page.locator(`.crop[data-pointer="${pointer}"] .paper`).boundingBox();
      assert.ok(box);
      return box;
    };
    const [first, second] = [await size('/bbox/0/0'), await size('/bbox/0/1')];
    // A letter page: 612 by 792 points.
    assert.ok(Math.abs(second.width / second.height - (0.8 * 612) / (0.1 * 792)) < 0.05);
    assert.ok(Math.abs(first.width / second.width - 0.5) < 0.01);
    const room = await open.page.evaluate(() => (document.querySelector('.scroller')?.clientWidth ?? 0) - 32);
    assert.ok(Math.abs(second.width - room) <= 1, `${second.width} of ${room}`);
    assert.equal(await open.page.locator('.page:not(.cropped) .paper:visible').count(), 1);
    assert.equal(await open.page.locator('.cropped > .page-body > .paper:visible').count(), 0);
  });

  it('shows the part of the page that the region marks', async () => {
    // The picture of the page is drawn whole first; its part must be the crop.
    const one = shownPage(2, { kind: 'pdf', url: pdf, pageIndex: 1 }, [region('/bbox/0/0', 0.1, 0.05, 0.6, 0.2)]);
    await start(record({ pages: [one], blocks: [], trace: null }));
    await open.page.waitForSelector('.paper[data-state=drawn] canvas');
    const ink = (selector: string, part: readonly [number, number, number, number]): Promise<number> =>
      open.page.locator(selector).evaluate((canvas, [left, top, width, height]) => {
        const { width: w, height: h } = canvas as HTMLCanvasElement;
        const context = (canvas as HTMLCanvasElement).getContext('2d');
        const data = context?.getImageData(left * w, top * h, width * w, height * h).data ?? [];
        let dark = 0;
        for (let at = 0; at < data.length; at += 4) dark += (data[at] ?? 255) < 128 ? 1 : 0;
        return dark / (data.length / 4);
      }, part);
    const whole = await ink('.picture canvas', [0.1, 0.05, 0.6, 0.2]);
    assert.ok(whole > 0.001);
    await only();
    await drawn(1);
    const cropped = await ink('.crop canvas', [0, 0, 1, 1]);
    assert.ok(Math.abs(cropped - whole) < whole / 2, `${cropped} for ${whole}`);
  });

  it('zooms, and leads from a crop to its box in the file', async () => {
    await start();
    await only();
    await drawn(2);
    const width = async (): Promise<number> =>
      (await open.page.locator('.crop[data-pointer="/bbox/0/1"] .paper').boundingBox())?.width ?? 0;
    await open.page.keyboard.press('0');
    assert.ok(Math.abs((await width()) - 816 * 0.8) <= 1, String(await width()));
    await open.page.locator('.crop[data-pointer="/bbox/0/1"] .block-name').click();
    await open.page.waitForSelector('.crop.selected');
    const selected = (await open.posted()).findLast((message) => message.type === 'select');
    assert.deepEqual(selected, { type: 'select', index: 4, pointer: '/bbox/0/1' });
  });

  it('goes to the next record by the editor’s keys', async () => {
    await start();
    await open.page.keyboard.press('Alt+PageDown');
    await open.page.keyboard.press('Alt+PageUp');
    const steps = (await open.posted()).flatMap((message) => (message.type === 'record' ? [message.step] : []));
    assert.deepEqual(steps, [1, -1]);
  });

  it('stays through a reload, with what was asked for', async () => {
    await start();
    await only();
    await reveal().click();
    await open.page.reload();
    await open.page.waitForFunction(() => window.posted.some((message) => message.type === 'ready'));
    await open.show(record());
    await open.page.waitForSelector('.reveal');
    assert.equal(await reveal().innerText(), 'Hide answer');
    await open.page.keyboard.press('e');
    await reveal().waitFor({ state: 'detached' });
    assert.equal(await open.page.locator('.crop').count(), 0);
    await open.page.waitForSelector('.page .paper[data-state=drawn]');
  });

  it('begins before anything else is shown where the host wants it', async () => {
    open = await preview.site.open(preview.browser);
    await open.send({ type: 'evidenceOnly' });
    await open.show(record());
    await open.page.waitForSelector('.reveal');
    assert.doesNotMatch(await content(), SECRETS);
  });

  for (const theme of SOME_THEMES) {
    it(`is accessible in ${theme.name}`, async () => {
      await start(record(), { theme });
      await only();
      await drawn(1);
      await assertAccessible(open.page);
      await open.page.screenshot({ path: join(SHOTS, `evidence-only-${theme.name}.png`) });
      await open.page.locator('.crop').first().scrollIntoViewIfNeeded();
      await drawn(2);
      await open.page.screenshot({ path: join(SHOTS, `crops-${theme.name}.png`) });
      await assertAccessible(open.page);
      await reveal().click();
      await assertAccessible(open.page);
    });
  }
});
