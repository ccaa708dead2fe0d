/** Regions drawn and corrected in the built preview, with the language server behind it: what comes to stand in the file. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { DOCUMENTS, fileOf, sciegqa } from '../wire/records.ts';
import type { WireServer } from '../wire/server.ts';
import { startServer } from '../wire/server.ts';
import { assertAccessible } from './axe.ts';
import { usePreview } from './fixture.ts';
import type { LiveOptions, LivePage } from './live-site.ts';
import { openLive } from './live-site.ts';
import { SHOTS } from './preview-site.ts';
import { SOME_THEMES } from './themes.ts';

type Box = readonly number[];

/** px of the file's pages: Letter at 300 dpi. */
const WIDTH = 2550;
const UPPER: Box = [300, 400, 1500, 900];
const LOWER: Box = [300, 1200, 1500, 1800];

describe('regions on the page', function () {
  this.timeout(120_000);
  const preview = usePreview();
  let server: WireServer;
  let live: LivePage;
  let files = 0;

  before(async () => {
    server = await startServer({ trusted: false });
    server.write('demo-doc.pdf', readFileSync(join(DOCUMENTS, 'demo-doc.pdf')));
  });
  after(async () => {
    await server.stop();
  });

  const RECORD = {
    evidence_page: [1, 2],
    bbox: [[UPPER, LOWER], [[200, 200, 800, 800]]],
    subimg_type: [['table', 'text'], ['image']],
    rel_bbox: undefined,
  };

  async function start(patch: object = {}, more: Partial<LiveOptions> = {}): Promise<void> {
    files += 1;
    const text = fileOf(sciegqa({ ...RECORD, ...patch }));
    live = await openLive(preview.browser, preview.site, server, {
      file: `set-${files}.jsonl`,
      text,
      width: 720,
      height: 1000,
      ...more,
    });
    await live.open.page.waitForSelector('.overlay', { state: 'attached' });
    await live.open.page.waitForSelector('[data-state=drawn]');
    // Nothing of the tests is about snapping but those that turn it on.
    await live.open.page.getByRole('button', { name: 'Snap edges to what is on the page' }).click();
  }

  interface Record {
    readonly evidence_page: number[];
    readonly bbox: Box[][];
    readonly subimg_type: (string | null)[][];
  }
  const record = (): Record => JSON.parse(live.text().split('\n')[0] ?? '') as Record;
  const region = (number: number): Locator => live.open.page.locator('.overlay .region').nth(number - 1);

  /** CSS px of a point of page 1, given in px of the file. */
  async function at(x: number, y: number): Promise<{ x: number; y: number }> {
    const overlay = live.open.page.locator('.overlay').first();
    await overlay.scrollIntoViewIfNeeded();
    const bounds = await overlay.boundingBox();
    assert.ok(bounds);
    const scale = bounds.width / WIDTH;
    return { x: bounds.x + x * scale, y: bounds.y + y * scale };
  }

  async function drag(from: { x: number; y: number }, to: { x: number; y: number }, drop = true): Promise<void> {
    const { mouse } = live.open.page;
    await mouse.move(from.x, from.y);
    await mouse.down();
    await mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2);
    await mouse.move(to.x, to.y);
    if (drop) {
      await mouse.up();
    }
  }

  /** Within what a pixel of the screen is, in px of the file. */
  function near(actual: Box | undefined, expected: Box, by = 6): void {
    assert.ok(
      actual?.length === expected.length && actual.every((value, k) => Math.abs(value - (expected[k] ?? NaN)) <= by),
      `${JSON.stringify(actual)} is not near ${JSON.stringify(expected)}`,
    );
  }

  /** Where a region is drawn, in CSS px of its page. */
  const drawnAt = (number: number): Promise<(string | null)[]> =>
    region(number)
      .locator('.box')
      .evaluate((box) => ['x', 'y', 'width', 'height'].map((name) => box.getAttribute(name)));

  async function select(number: number): Promise<void> {
    await region(number).locator('.tag').click();
    await live.open.page.waitForSelector('.region.selected');
    await live.open.page.waitForSelector('.region-frame');
  }

  describe('with the mouse', () => {
    it('are drawn', async () => {
      await start();
      await live.open.page.keyboard.press('r');
      await drag(await at(1600, 500), await at(2200, 1000));
      await live.settled();
      const [, , added] = record().bbox[0] ?? [];
      near(added, [1600, 500, 2200, 1000]);
      assert.ok(added?.every(Number.isInteger), 'whole pixels');
      assert.deepEqual(
        live.changes().map(({ kind }) => kind),
        ['add'],
      );
      assert.match((await live.open.page.locator('.region.selected').getAttribute('aria-label')) ?? '', /^Region 3,/u);
      assert.equal(await live.open.page.locator('body').getAttribute('data-tool'), 'select');
    });

    it('are moved, and keep their size to the pixel', async () => {
      await start();
      await select(1);
      await drag(await at(900, 650), await at(1000, 760));
      await live.settled();
      const [moved] = record().bbox[0] ?? [];
      near(moved, [400, 510, 1600, 1010]);
      assert.deepEqual([moved![2]! - moved![0]!, moved![3]! - moved![1]!], [1200, 500]);
      assert.equal(live.changes().length, 1);
    });

    it('are resized by a handle; the other edges stay as they are', async () => {
      await start();
      await select(1);
      await drag(await at(1500, 900), await at(1800, 1000));
      await live.settled();
      const [box] = record().bbox[0] ?? [];
      near(box, [300, 400, 1800, 1000]);
      assert.deepEqual(box?.slice(0, 2), [300, 400]);
    });

    it('stay on the page, whatever the mouse does', async () => {
      await start();
      await select(1);
      await drag(await at(900, 650), await at(-4000, -100));
      await live.settled();
      assert.deepEqual(record().bbox[0]?.[0], [0, 0, 1200, 500]);
      await live.open.page.keyboard.press('r');
      await drag(await at(2000, 200), await at(5000, 400));
      await live.settled();
      near(record().bbox[0]?.[2], [2000, 200, 2550, 400]);
    });

    it('are where they were after Escape', async () => {
      await start();
      const before = live.text();
      await select(1);
      const place = await drawnAt(1);
      await drag(await at(900, 650), await at(1300, 900), false);
      await live.open.page.waitForSelector('.region-frame.dragging');
      await live.open.page.keyboard.press('Escape');
      await live.open.page.mouse.up();
      await live.settled();
      assert.deepEqual(await drawnAt(1), place);
      await live.open.page.keyboard.press('r');
      await drag(await at(1600, 500), await at(2000, 800), false);
      await live.open.page.keyboard.press('Escape');
      await live.open.page.mouse.up();
      await live.settled();
      assert.equal(live.text(), before);
      assert.deepEqual(live.changes(), []);
    });

    it('are chosen by a click, also inside the one that is chosen; the editor is told', async () => {
      await start({ bbox: [[UPPER, [600, 500, 900, 700]], []], subimg_type: [['table', 'text'], []] });
      await select(1);
      const inner = await at(700, 600);
      await live.open.page.mouse.move(inner.x, inner.y);
      await live.open.page.mouse.down();
      await live.open.page.mouse.move(inner.x + 1, inner.y + 1);
      await live.open.page.mouse.up();
      await live.open.page.waitForSelector('.region.selected[data-pointer="/bbox/0/1"]');
      const told = (await live.open.posted()).filter((message) => message.type === 'select');
      assert.deepEqual(
        told.map(({ pointer }) => pointer),
        ['/bbox/0/0', '/bbox/0/1'],
      );
      assert.deepEqual(live.changes(), []);
    });

    it('are deleted', async () => {
      await start();
      await select(2);
      await live.open.page.getByRole('button', { name: 'Delete the region' }).click();
      await live.settled();
      assert.deepEqual(record().bbox[0], [UPPER]);
      assert.deepEqual(record().subimg_type[0], ['table']);
      assert.equal(await live.open.page.locator('.region').count(), 2);
    });

    it('get another label, order and page, and are copied', async () => {
      await start();
      const { page } = live.open;
      const bar = page.getByRole('region', { name: 'Region tools' });
      await select(1);
      await bar.getByLabel('Label of region 1').selectOption('image');
      await live.settled();
      assert.deepEqual(record().subimg_type, [['image', 'text'], ['image']]);
      await bar.getByRole('button', { name: 'Later on its page' }).click();
      await live.settled();
      assert.deepEqual(record().bbox[0], [LOWER, UPPER]);
      assert.deepEqual(record().subimg_type[0], ['text', 'image']);
      await bar.getByRole('button', { name: 'Duplicate' }).click();
      await live.settled();
      assert.deepEqual(
        record().bbox[0]?.map((box) => box.length),
        [4, 4, 4],
      );
      assert.equal(await region(3).getAttribute('aria-pressed'), 'true');
      await bar.getByLabel('Page of region 3').selectOption('2');
      await live.settled();
      assert.deepEqual(
        record().bbox.map((boxes) => boxes.length),
        [2, 2],
      );
      assert.match((await page.locator('.region.selected').getAttribute('aria-label')) ?? '', /page 2/u);
    });

    it('snap when they are let go, and not with Alt', async () => {
      await start();
      const { page } = live.open;
      await page.getByRole('button', { name: 'Snap edges to what is on the page' }).click();
      await page.keyboard.press('r');
      // Around the heading "1 Method".
      await drag(await at(310, 935), await at(640, 1050));
      await live.settled();
      const [, , snapped] = record().bbox[0] ?? [];
      assert.ok(snapped && Math.abs(snapped[0]! - 310) + Math.abs(snapped[1]! - 935) > 8, String(snapped));
      assert.match(await page.locator('p.sr-only[role=status]').innerText(), /Snapped to/u);
      await page.keyboard.press('r');
      await page.keyboard.down('Alt');
      await drag(await at(310, 935), await at(640, 1050));
      await page.keyboard.up('Alt');
      await live.settled();
      near(record().bbox[0]?.[3], [310, 935, 640, 1050]);
    });
  });

  describe('with the keyboard', () => {
    it('are drawn in the middle of the view and moved from there', async () => {
      await start();
      const { page } = live.open;
      await page.keyboard.press('r');
      await page.locator('.scroller').focus();
      await page.keyboard.press('Enter');
      await live.settled();
      const [, , drawn] = record().bbox[0] ?? [];
      assert.ok(drawn);
      await page.waitForFunction(() => document.activeElement?.matches('.region.selected') === true);
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Shift+ArrowDown');
      await live.settled();
      assert.deepEqual(record().bbox[0]?.[2], [drawn[0]! + 1, drawn[1]! + 10, drawn[2]! + 1, drawn[3]! + 10]);
    });

    it('are moved by a burst of keys in one change, and shown there at once', async () => {
      await start();
      await select(1);
      const release = live.hold();
      const before = await region(1).locator('.box').boundingBox();
      for (let press = 0; press < 12; press++) {
        await live.open.page.keyboard.press('Shift+ArrowRight');
      }
      const after = await region(1).locator('.box').boundingBox();
      assert.ok(after!.x - before!.x > 25, 'shown before the answer');
      release();
      await live.settled();
      assert.deepEqual(record().bbox[0]?.[0], [420, 400, 1620, 900]);
      assert.equal(live.changes().length, 1);
    });

    it('are resized, relabelled, ordered, copied and deleted', async () => {
      await start();
      const { page } = live.open;
      await region(1).focus();
      await page.keyboard.press('Enter');
      await page.waitForSelector('.region-frame');
      await page.keyboard.press('Alt+ArrowRight');
      await page.keyboard.press('Alt+ArrowDown');
      await page.keyboard.press('Control+Shift+ArrowLeft');
      await page.keyboard.press('Control+ArrowDown');
      await live.settled();
      assert.deepEqual(record().bbox[0]?.[0], [290, 401, 1501, 901]);
      await page.keyboard.press('2');
      await live.settled();
      assert.deepEqual(record().subimg_type[0], ['image', 'text']);
      await page.keyboard.press('Alt+Shift+ArrowDown');
      await live.settled();
      assert.deepEqual(record().subimg_type[0], ['text', 'image']);
      assert.equal(await region(2).evaluate((element) => element === document.activeElement), true, 'focus went along');
      await page.keyboard.press('Control+d');
      await live.settled();
      assert.equal(record().bbox[0]?.length, 3);
      await page.keyboard.press('Delete');
      await live.settled();
      assert.equal(record().bbox[0]?.length, 2);
    });

    it('come back by undo, and go again by redo', async () => {
      await start();
      const { page } = live.open;
      const before = live.text();
      await select(1);
      await page.keyboard.press('ArrowRight');
      await live.settled();
      const after = live.text();
      assert.notEqual(after, before);
      await page.keyboard.press('Control+z');
      await live.settled();
      assert.equal(live.text(), before);
      await page.keyboard.press('Control+Shift+z');
      await live.settled();
      assert.equal(live.text(), after);
      await page.keyboard.press('Control+z');
      await page.keyboard.press('Control+y');
      await live.settled();
      assert.equal(live.text(), after);
    });
  });

  describe('by touch', () => {
    async function finger(): Promise<
      (type: 'Start' | 'Move' | 'End', ...points: { x: number; y: number }[]) => Promise<void>
    > {
      const session = await live.open.page.context().newCDPSession(live.open.page);
      await session.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 2 });
      return async (type, ...points) => {
        await session.send('Input.dispatchTouchEvent', {
          type: `touch${type}`,
          touchPoints: points.map(({ x, y }, id) => ({ x, y, id })),
        });
      };
    }

    it('are drawn with one finger while two scroll', async () => {
      await start();
      const touch = await finger();
      await live.open.page.keyboard.press('r');
      await touch('Start', await at(1600, 500));
      await touch('Move', await at(1900, 700));
      await touch('Move', await at(2200, 1000));
      await touch('End');
      await live.settled();
      near(record().bbox[0]?.[2], [1600, 500, 2200, 1000]);

      await live.open.page.keyboard.press('r');
      const top = (): Promise<number> => live.open.page.locator('.scroller').evaluate((element) => element.scrollTop);
      const before = await top();
      const one = await at(1600, 900);
      const two = await at(2000, 900);
      await touch('Start', one);
      await touch('Start', one, two);
      for (let step = 1; step <= 5; step++) {
        await touch('Move', { x: one.x, y: one.y - 20 * step }, { x: two.x, y: two.y - 20 * step });
      }
      await touch('End');
      await live.settled();
      assert.ok((await top()) - before > 50, 'scrolled');
      assert.equal(live.changes().length, 1);
    });

    it('are moved and resized', async () => {
      await start();
      const touch = await finger();
      await select(1);
      await touch('Start', await at(900, 650));
      await touch('Move', await at(950, 700));
      await touch('Move', await at(1000, 760));
      await touch('End');
      await live.settled();
      near(record().bbox[0]?.[0], [400, 510, 1600, 1010]);
      const reach = await live.open.page.locator('.reach-se').boundingBox();
      assert.ok(reach && reach.width >= 24 && reach.height >= 24, JSON.stringify(reach));
      await touch('Start', await at(1600, 1010));
      await touch('Move', await at(1700, 1050));
      await touch('Move', await at(1800, 1110));
      await touch('End');
      await live.settled();
      near(record().bbox[0]?.[0], [400, 510, 1800, 1110]);
    });
  });

  describe('whatever happens meanwhile', () => {
    it('go on being dragged when a snapshot comes', async () => {
      await start();
      await select(1);
      await drag(await at(900, 650), await at(1000, 760), false);
      await live.type((text) => text.replace('Which row', 'Which line'));
      await live.open.page.getByText('Which line of the table').first().waitFor();
      const end = await at(1100, 860);
      await live.open.page.mouse.move(end.x, end.y);
      await live.open.page.mouse.up();
      await live.settled();
      near(record().bbox[0]?.[0], [500, 610, 1700, 1110]);
      assert.match(live.text(), /Which line/u);
    });

    it('go back where nothing could be changed, and it is said why', async () => {
      await start();
      const before = live.text();
      await select(1);
      const place = await drawnAt(1);
      live.refuse('The file is read-only.');
      await drag(await at(900, 650), await at(1000, 760));
      await live.settled();
      assert.deepEqual(await drawnAt(1), place);
      assert.equal(await live.open.page.locator('[role=alert].region-problem').innerText(), 'The file is read-only.');
      assert.equal(live.text(), before);
      // The next change that goes well takes the message away.
      await live.open.page.keyboard.press('ArrowRight');
      await live.settled();
      assert.equal(await live.open.page.locator('.region-problem').isVisible(), false);
    });

    it('are changed one after the other, each on what the one before has left', async () => {
      await start();
      const release = live.hold();
      await select(1);
      await live.open.page.keyboard.press('Delete');
      // What was the second region is the first one once the deletion is done.
      await region(2).locator('.tag').click();
      await live.open.page.keyboard.press('Shift+ArrowRight');
      await live.open.page.keyboard.press('Shift+ArrowRight');
      release();
      await live.settled();
      assert.deepEqual(record().bbox[0], [[320, 1200, 1520, 1800]]);
    });
  });

  it('take the text inside them along', async () => {
    await start();
    const { page } = live.open;
    await select(1);
    await page.keyboard.press('i');
    const words = page.locator('.region-inside pre');
    await words.waitFor();
    assert.match(await words.innerText(), /^This three-page document/u);
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await page.keyboard.press('Escape');
    assert.equal(await words.isVisible(), false);
    await region(1).focus();
    await page.keyboard.press('Control+c');
    await page.waitForFunction(() => window.posted.filter(({ type }) => type === 'copy').length === 2);
    const copied = (await live.open.posted()).flatMap((message) => (message.type === 'copy' ? [message.text] : []));
    assert.match(copied[0] ?? '', /three-page/u);
    assert.equal(copied[0], copied[1]);
  });

  it('are proposed, and taken with one key', async () => {
    await start({ bbox: [[], []], subimg_type: [[], []] }, {});
    const { page } = live.open;
    await page.keyboard.press('Shift+R');
    await page.waitForSelector('.proposal');
    const count = await page.locator('.proposal').count();
    assert.ok(count >= 3, String(count));
    assert.equal(
      await page
        .locator('.proposal')
        .first()
        .evaluate((one) => one === document.activeElement),
      true,
    );
    await page.keyboard.press('ArrowDown');
    /** Left and top edge in CSS px of the page. */
    const corner = (selector: string, nth: number): Promise<number[]> =>
      page
        .locator(selector)
        .nth(nth)
        .evaluate((box) => {
          const [own, paper] = [box, box.closest('.paper') ?? box].map((one) => one.getBoundingClientRect());
          return [own!.left - paper!.left, own!.top - paper!.top];
        });
    const second = await corner('.proposal-box', 1);
    await page.keyboard.press('Enter');
    await live.settled();
    near(await corner('.overlay .box', 0), second, 3);
    assert.equal(await page.locator('.proposal').count(), count - 1);
    await page.locator('.proposal').last().click();
    await live.settled();
    assert.equal(record().bbox[0]?.length, 2);
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('.proposal').count(), 0);
  });

  it('have no tools where evidence alone is shown', async () => {
    await start();
    const { page } = live.open;
    await page.keyboard.press('e');
    await page.waitForSelector('.crop');
    assert.equal(await page.locator('.region-bar').isVisible(), false);
    assert.equal(await page.locator('.region-list').isVisible(), false);
    await page.keyboard.press('r');
    assert.equal(await page.locator('body').getAttribute('data-tool'), 'select');
    await page.keyboard.press('Delete');
    assert.deepEqual(live.changes(), []);
  });

  describe('in the list', () => {
    async function openList(): Promise<void> {
      await start();
      await live.open.page.getByRole('button', { name: /^Regions/u }).click();
    }
    const row = (number: number): Locator => live.open.page.locator('.row-button').nth(number - 1);

    it('are walked, set exactly, moved, copied and deleted by keys alone', async () => {
      await openList();
      const { page } = live.open;
      await row(1).focus();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowDown');
      assert.equal(await row(3).evaluate((element) => element === document.activeElement), true);
      assert.equal(await page.locator('.row-button[tabindex="0"]').count(), 1);
      await page.keyboard.press('Home');
      await page.keyboard.press('Enter');
      const body = page.getByRole('group', { name: 'Region 1', exact: true });
      const field = body.getByLabel('x2');
      await field.fill('1777');
      await field.press('Enter');
      await live.settled();
      assert.deepEqual(record().bbox[0]?.[0], [300, 400, 1777, 900]);
      await field.press('Shift+ArrowUp');
      await field.press('ArrowDown');
      await field.press('Enter');
      await live.settled();
      assert.deepEqual(record().bbox[0]?.[0], [300, 400, 1786, 900]);
      await field.fill('wide');
      await field.press('Enter');
      assert.match(await body.getByRole('alert').innerText(), /is a number/u);
      assert.equal(await field.getAttribute('aria-invalid'), 'true');
      await field.press('Escape');
      assert.equal(await field.inputValue(), '1786');
      await body.getByLabel('Label of region 1').selectOption('image');
      await live.settled();
      await body.getByRole('button', { name: 'Later' }).click();
      await live.settled();
      assert.deepEqual(record().subimg_type[0], ['text', 'image']);
      await page.getByRole('group', { name: 'Region 2', exact: true }).getByLabel('Page of region 2').selectOption('2');
      await live.settled();
      assert.deepEqual(
        record().bbox.map((boxes) => boxes.length),
        [1, 2],
      );
      await page.getByRole('button', { name: 'Add a region to page 1' }).click();
      await live.settled();
      assert.deepEqual(
        record().bbox.map((boxes) => boxes.length),
        [2, 2],
      );
      await row(1).focus();
      await page.keyboard.press('Delete');
      await live.settled();
      assert.deepEqual(
        record().bbox.map((boxes) => boxes.length),
        [1, 2],
      );
      assert.equal(await row(1).evaluate((element) => element === document.activeElement), true);
    });

    it('are there for pages that cannot be shown', async () => {
      await start({ evidence_page: [1, 99], subimg_type: [['table', 'text'], ['image']] });
      const { page } = live.open;
      await page.getByRole('button', { name: /^Regions/u }).click();
      const group = page.getByRole('list', { name: 'Regions of page 99' });
      assert.match(await group.innerText(), /has no place/u);
      await group.getByRole('button').click();
      await group.getByLabel('y2').fill('900');
      await group.getByLabel('y2').press('Enter');
      await live.settled();
      assert.deepEqual(record().bbox[1], [[200, 200, 800, 900]]);
    });
  });

  describe('for everybody', () => {
    for (const theme of SOME_THEMES) {
      it(`are accessible in ${theme.name}`, async () => {
        await start({ bbox: [[UPPER, LOWER], [[200, 200, 800, 8000]]] }, { theme });
        const { page } = live.open;
        await page.getByRole('button', { name: /^Regions/u }).click();
        await select(1);
        const check = async (state: string): Promise<void> => {
          await page.screenshot({ path: join(SHOTS, `editing-${state}-${theme.name}.png`) });
          await assertAccessible(page, state);
        };
        await check('list');
        await page.keyboard.press('Shift+R');
        await page.waitForSelector('.proposal');
        await check('proposals');
        await page.keyboard.press('Escape');
        live.refuse('The file is read-only.');
        await page.keyboard.press('ArrowRight');
        await live.settled();
        await check('problem');
        await drag(await at(900, 650), await at(1000, 760), false);
        await page.screenshot({ path: join(SHOTS, `editing-drag-${theme.name}.png`) });
        await page.keyboard.press('Escape');
        await page.mouse.up();
      });
    }
  });
});
