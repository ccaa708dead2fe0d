/** Regions and pages as pictures: what is asked of the host, what is on the clipboard, and where the buttons stand. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { encode } from 'fast-png';
import type { FromPage, ShownEvidence } from '../../schemas/page.ts';
import { assertAccessible } from './axe.ts';
import { markedPng, textPdf } from './documents.ts';
import { evidenceOf, region, shownPage } from './evidence.ts';
import { usePreview } from './fixture.ts';
import type { OpenOptions, OpenPage } from './preview-site.ts';
import { SHOTS } from './preview-site.ts';
import { SOME_THEMES } from './themes.ts';

/** 3 × 2 px. */
const PNG = Buffer.from(
  encode({ width: 3, height: 2, channels: 3, depth: 8, data: Uint8Array.from({ length: 18 }, (_, i) => 10 * i) }),
).toString('base64');

type Ask = Extract<FromPage, { type: 'ask' }>;
type Tell = Extract<FromPage, { type: 'tell' }>;

describe('crops in the preview', () => {
  const preview = usePreview();
  let open: OpenPage;
  let pdf: string;
  let png: string;

  before(async () => {
    pdf = preview.site.put('crops.pdf', await textPdf(2));
    png = preview.site.put('crops.png', markedPng().bytes);
  });

  const record = (more: Partial<ShownEvidence> = {}): ShownEvidence =>
    evidenceOf({
      document: 'rail report/2031',
      pages: [
        shownPage(1, { kind: 'pdf', url: pdf, pageIndex: 0 }, [region('/bbox/0/0', 0.1, 0.08, 0.4, 0.05)]),
        shownPage(7, { kind: 'image', url: png }, [region('/bbox/1/0', 0.25, 0.5, 0.5, 0.25, { label: 'table' })]),
        shownPage(9, { kind: 'missing', message: 'It is not there.' }, []),
      ],
      ...more,
    });

  async function start(options: OpenOptions = {}, evidence = record()): Promise<void> {
    open = await preview.site.open(preview.browser, { width: 1000, ...options });
    await open.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await open.answer('crop', { png: PNG, width: 3, height: 2, problem: null });
    await open.answer('saveCrop', { saved: 'kept.png' });
    await open.show(evidence);
    await open.page.waitForSelector('.scroller:not([hidden])');
  }

  const button = (name: string | RegExp): ReturnType<OpenPage['page']['locator']> =>
    open.page.getByRole('button', { name, exact: true });
  const asked = async (question: Ask['question']): Promise<Ask> => {
    await open.page.waitForFunction(
      (name) => window.posted.some((message) => message.type === 'ask' && message.question === name),
      question,
    );
    return (await open.posted()).find((one): one is Ask => one.type === 'ask' && one.question === question)!;
  };
  const told = async (): Promise<Tell> => {
    await open.page.waitForFunction(() => window.posted.some((message) => message.type === 'tell'));
    return (await open.posted()).find((one): one is Tell => one.type === 'tell')!;
  };
  const choose = async (): Promise<void> => {
    await open.send({ type: 'cursor', pointer: '/bbox/1/0' });
    await open.page.waitForSelector('.region.selected');
  };
  const PLACE = { left: 0.25, top: 0.5, width: 0.5, height: 0.25 };

  it('copies the chosen region as a picture, at the click', async () => {
    await start();
    await choose();
    await button('Copy crop').first().click();
    const { uri, index } = record();
    assert.deepEqual((await asked('crop')).ask, { uri, index, page: 7, place: PLACE });
    assert.deepEqual(await told(), { type: 'tell', level: 'info', message: 'The crop of region 2 was copied' });
    const size = await open.page.evaluate(async () => {
      const [item] = await navigator.clipboard.read();
      const bitmap = await createImageBitmap((await item?.getType('image/png')) ?? new Blob());
      return [bitmap.width, bitmap.height];
    });
    assert.deepEqual(size, [3, 2]);
    assert.deepEqual(await open.breaches(), []);
  });

  it('says why there is none', async () => {
    await start();
    await open.answer('crop', { png: null, width: 0, height: 0, problem: 'page_7.png is damaged: it ends early.' });
    await choose();
    await button('Copy crop').first().click();
    const message = 'The crop of region 2 was not copied: page_7.png is damaged: it ends early.';
    assert.deepEqual(await told(), { type: 'tell', level: 'warning', message });
    assert.equal(await open.page.locator('.sr-only[role=status]', { hasText: message }).count(), 1);
  });

  it('saves from the list by keyboard, under a name like that of the published crops', async () => {
    await start();
    await button(/^Regions/).click();
    const row = open.page.locator('.row-button[data-pointer="/bbox/1/0"]');
    await row.focus();
    await open.page.keyboard.press('Enter');
    const save = open.page.locator('.row-actions').getByRole('button', { name: 'Save crop…' });
    for (let step = 0; step < 20 && !(await save.evaluate((one) => one === document.activeElement)); step++) {
      await open.page.keyboard.press('Tab');
    }
    await open.page.keyboard.press('Enter');
    const { name, page, place } = (await asked('saveCrop')).ask as Record<string, unknown>;
    assert.deepEqual([name, page, place], ['rail-report-2031_p7_r2_table.png', 7, PLACE]);
    assert.equal((await told()).message, 'The crop of region 2 was saved as kept.png');
  });

  it('saves the chosen region when the command asks for it, and tells where there is none', async () => {
    await start();
    await open.send({ type: 'saveCrop' });
    assert.deepEqual(await told(), {
      type: 'tell',
      level: 'warning',
      message: 'Choose a region in the evidence preview first.',
    });
    await choose();
    await open.send({ type: 'saveCrop' });
    assert.equal(((await asked('saveCrop')).ask as { page: number }).page, 7);
  });

  it('takes whole pages, cited or not, and reads them as they are shown', async () => {
    const reading = { space: 'permille', dpi: null, order: 'xyxy', origin: 'top-left', pageBase: 1 } as const;
    const coordinates = {
      reading,
      name: '0-1000',
      why: [],
      names: ['x1', 'y1', 'x2', 'y2'],
      unit: '',
      tried: true,
      others: [],
    } as const;
    await start({}, record({ coordinates }));
    assert.equal(await button('Save page 9 as a picture…').count(), 0);
    await button('Save page 1 as a picture…').click();
    const { name, page, place, reading: sent } = (await asked('saveCrop')).ask as Record<string, unknown>;
    assert.deepEqual([name, page, place, sent], ['rail-report-2031_p1.png', 1, null, reading]);
    await button('Copy page 7 as a picture').click();
    assert.equal(((await asked('crop')).ask as { place: unknown }).place, null);
  });

  it('offers the same beside the crops of the evidence-only view', async () => {
    await start();
    await button('Evidence only').click();
    await open.page.waitForSelector('.crop');
    await button('Save the crop of region 2…').click();
    assert.deepEqual(((await asked('saveCrop')).ask as { place: unknown }).place, PLACE);
    assert.equal(await button('Copy the crop of region 1').count(), 1);
  });

  for (const theme of SOME_THEMES) {
    it(`has its buttons in ${theme.name}, each with a name`, async () => {
      await start({ theme });
      await button(/^Regions/).click();
      await choose();
      // The row of what is chosen is open.
      await open.page.locator('.row-actions').getByRole('button', { name: 'Copy crop' }).waitFor();
      await open.page.waitForSelector('[data-state=drawn]');
      await open.page.screenshot({ path: join(SHOTS, `crops-${theme.name}.png`) });
      await assertAccessible(open.page);
      await button('Evidence only').click();
      await open.page.waitForSelector('.crop [data-state=drawn]');
      await open.page.screenshot({ path: join(SHOTS, `crops-alone-${theme.name}.png`) });
    });
  }
});
