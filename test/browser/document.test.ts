import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ShownDocumentPage, ShownEvidence, ShownPage } from '../../schemas/page.ts';
import { assertAccessible } from './axe.ts';
import { jbig2Pdf, markedPng } from './documents.ts';
import { TEXT_BLOCK, evidenceOf, region, shownPage } from './evidence.ts';
import { usePreview } from './fixture.ts';
import type { OpenOptions, OpenPage } from './preview-site.ts';
import { SHOTS } from './preview-site.ts';
import { jpeg2000Pdf, labelledPdf, lockedPdf, orientedJpeg, PASSWORD, truncatedPdf } from './special-documents.ts';
import { SOME_THEMES } from './themes.ts';

const LONG = join(import.meta.dirname, '../../../shared/data/pdf/3M_2018_10K.pdf');

/** A page that is held up for less than this part of a search has others beside it; in one piece it would be all of it. */
const HELD_UP = 1 / 4;

/** Letter, and the landscape page in it. */
const ASPECT = 612 / 792;

describe('the document in the evidence preview', () => {
  const preview = usePreview({ complaints: true });
  let open: OpenPage;
  let pdf: string;

  before(async () => {
    pdf = preview.site.put('labelled.pdf', await labelledPdf(12));
  });

  const label = (number: number): string => (number <= 2 ? ['i', 'ii'][number - 1]! : String(number - 2));
  const source = (number: number, url = pdf): ShownPage['source'] => ({ kind: 'pdf', url, pageIndex: number - 1 });
  const cited = (number: number, regions: ShownPage['regions'] = []): ShownPage => ({
    ...shownPage(number, source(number), regions, number === 2 ? 1 / ASPECT : ASPECT),
    label: label(number),
  });
  const documentPages = (count = 12, url = pdf): ShownDocumentPage[] =>
    Array.from({ length: count }, (_, at) => ({
      number: at + 1,
      label: label(at + 1),
      source: source(at + 1, url),
      aspect: at === 1 ? 1 / ASPECT : ASPECT,
      units: null,
    }));

  async function start(evidence: ShownEvidence, options: OpenOptions = {}, pages = documentPages()): Promise<void> {
    open = await preview.site.open(preview.browser, options);
    await open.answer('documentPages', { name: 'labelled', pages, problem: null });
    await open.answer('change', { done: true, pointer: null, title: 'Changed' });
    await open.show(evidence);
    await open.page.waitForSelector('.scroller:not([hidden])');
  }

  const TWO = (): ShownEvidence =>
    evidenceOf({ pages: [cited(2, [region('/bbox/0/0', 0.1, 0.2, 0.3, 0.1)]), cited(5)], labels: ['text', 'table'] });

  const names = (): Promise<string[]> => open.page.locator('.page:not([hidden]) h3').allInnerTexts();
  const drawn = (name: string): Promise<unknown> =>
    open.page.waitForSelector(`article[aria-label="${name}"] [data-state=drawn]`);
  const textOf = (name: string): Promise<unknown> =>
    open.page.waitForFunction(
      (label) => document.querySelector(`article[aria-label="${label}"] .text-layer span`) !== null,
      name,
    );
  const announced = (words: RegExp): Promise<unknown> =>
    open.page.waitForFunction(
      (pattern) => new RegExp(pattern, 'u').test(document.querySelector('body > .sr-only')?.textContent ?? ''),
      words.source,
    );
  const changes = async (): Promise<unknown[]> =>
    (await open.posted()).flatMap((message) =>
      message.type === 'ask' && message.question === 'change' ? [(message.ask as { change: unknown }).change] : [],
    );
  /** Colour in the middle of the first picture. */
  async function middle(): Promise<number[]> {
    const shot = await open.page.locator('.picture').first().screenshot();
    return open.page.evaluate(async (base64) => {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes]));
      const canvas = document.createElement('canvas');
      canvas.width = bitmap.width;
      canvas.height = bitmap.height;
      const context = canvas.getContext('2d')!;
      context.drawImage(bitmap, 0, 0);
      return [...context.getImageData(bitmap.width >> 1, bitmap.height >> 1, 1, 1).data.slice(0, 3)];
    }, shot.toString('base64'));
  }
  const isMagenta = ([red = 0, green = 255, blue = 0]: readonly number[]): boolean =>
    red > 200 && green < 60 && blue > 200;
  async function clean(): Promise<void> {
    assert.deepEqual(await open.breaches(), []);
    assert.deepEqual(open.complaints, []);
  }

  describe('its pages', () => {
    it('are the cited ones with their labels, or all, and go back', async () => {
      await start(TWO());
      assert.deepEqual(await names(), ['Page 2 (ii)', 'Page 5 (3)']);
      await open.page.keyboard.press('w');
      await open.page.waitForFunction(() => document.querySelectorAll('.page').length === 12);
      assert.equal((await names())[0], 'Page 1 (i)');
      assert.match(await open.page.locator('article[aria-label="Page 1 (i)"] .page-head').innerText(), /not cited/u);
      // What was read stays in view.
      await drawn('Page 2 (ii)');
      const first = open.page.locator('article[aria-label="Page 2 (ii)"] .region');
      assert.equal(await first.count(), 1);
      await open.page.keyboard.press('w');
      await open.page.waitForFunction(() => document.querySelectorAll('.page').length === 2);
      await clean();
    });

    it('are shown one at a time, turned by keys, and turned to by the cursor', async () => {
      await start(TWO());
      await open.page.keyboard.press('o');
      assert.deepEqual(await names(), ['Page 2 (ii)']);
      await open.page.keyboard.press('n');
      assert.deepEqual(await names(), ['Page 5 (3)']);
      assert.match(await open.page.locator('.page-place').innerText(), /Page 5 \(3\) \(2 of 2\)/u);
      await drawn('Page 5 (3)');
      await open.send({ type: 'cursor', pointer: '/bbox/0/0' });
      await open.page.waitForSelector('article[aria-label="Page 2 (ii)"]:not([hidden])');
      assert.deepEqual(await names(), ['Page 2 (ii)']);
      await drawn('Page 2 (ii)');
      await open.page.keyboard.press('o');
      assert.equal((await names()).length, 2);
      await clean();
    });

    it('are gone to by number and by label; one that is not cited makes all of them shown', async () => {
      await start(TWO());
      await open.page.keyboard.press('g');
      await open.page.keyboard.type('5');
      await open.page.keyboard.press('Enter');
      // Labels win: "5" stands on the seventh sheet.
      await announced(/Page 7 \(5\)/u);
      await open.page.waitForFunction(() => document.querySelectorAll('.page').length === 12);
      await drawn('Page 7 (5)');
      await open.page.fill('.go-to', 'xi');
      await open.page.press('.go-to', 'Enter');
      await announced(/There is no page xi/u);
      assert.equal(await open.page.getAttribute('.go-to', 'aria-invalid'), 'true');
      await open.page.fill('.go-to', '12');
      await open.page.press('.go-to', 'Enter');
      await announced(/Page 12 \(10\)/u);
      await clean();
    });

    it('are cited from the page', async () => {
      await start(TWO());
      await open.page.keyboard.press('w');
      await open.page.getByRole('button', { name: 'Cite this page (page 4)' }).click();
      await announced(/Changed/u);
      assert.deepEqual(await changes(), [{ kind: 'citePage', page: 4 }]);
      await open.page.locator('article[aria-label="Page 4 (2)"]').scrollIntoViewIfNeeded();
      await drawn('Page 4 (2)');
      const canvas = open.page.locator('article[aria-label="Page 4 (2)"] canvas');
      await canvas.evaluate((element) => element.setAttribute('data-same', ''));
      await open.show({ ...TWO(), version: 2, pages: [...TWO().pages, { ...cited(4), pointer: '/evidence_page/2' }] });
      await open.page.waitForSelector('article[aria-label="Page 4 (2)"]:not(.uncited)');
      // Its picture is the same one.
      assert.equal(await canvas.getAttribute('data-same'), '');
      await clean();
    });

    it('keep what is shown over a reload', async () => {
      await start(TWO());
      await open.page.keyboard.press('b');
      await open.page.keyboard.press('w');
      await open.page.waitForFunction(() => document.querySelectorAll('.page').length === 12);
      await open.page.keyboard.press('Escape');
      await open.page.fill('.go-to', '9');
      await open.page.press('.go-to', 'Enter');
      await drawn('Page 11 (9)');
      await open.page.locator('.scroller').focus();
      await open.page.keyboard.press('o');
      await open.page.reload();
      await open.page.waitForFunction(() => window.posted.some((message) => message.type === 'ready'));
      await open.show(TWO());
      await open.page.waitForSelector('article[aria-label="Page 11 (9)"]:not([hidden])');
      assert.deepEqual(await names(), ['Page 11 (9)']);
      await open.page.waitForSelector('.strip:not([hidden])');
      // What another version kept counts for nothing.
      await open.page.evaluate(() => {
        const state = JSON.parse(sessionStorage.getItem('state') ?? '{}') as { document: { version: number } };
        state.document.version = 99;
        sessionStorage.setItem('state', JSON.stringify(state));
      });
      await open.page.reload();
      await open.page.waitForFunction(() => window.posted.some((message) => message.type === 'ready'));
      await open.show(TWO());
      await open.page.waitForSelector('article[aria-label="Page 5 (3)"]:not([hidden])');
      assert.equal(await open.page.locator('.page').count(), 2);
      await clean();
    });

    it('stay the cited ones where the document cannot be told', async () => {
      await start(TWO(), {}, []);
      await open.answer('documentPages', { name: null, pages: [], problem: 'The document is nowhere.' });
      await open.page.keyboard.press('w');
      await announced(/The document is nowhere/u);
      assert.equal(await open.page.locator('.page').count(), 2);
    });
  });

  describe('thumbnails', () => {
    it('mark cited pages and the current one, and are a list box with one stop', async () => {
      await start(TWO(), { width: 860 });
      await open.page.keyboard.press('w');
      await open.page.keyboard.press('b');
      const options = open.page.locator('.thumb[role=option]');
      assert.equal(await options.count(), 12);
      assert.equal(await open.page.getByRole('option', { name: 'Page 2 (ii), cited, 1 region' }).count(), 1);
      assert.equal(await open.page.getByRole('option', { name: 'Page 3 (1), not cited' }).count(), 1);
      assert.equal(await open.page.locator('.thumb[tabindex="0"]').count(), 1);
      await open.page.keyboard.press('End');
      assert.match((await open.page.locator('.thumb:focus').getAttribute('aria-label')) ?? '', /Page 12/u);
      await open.page.keyboard.press('ArrowUp');
      await open.page.keyboard.press('Enter');
      await drawn('Page 11 (9)');
      await open.page.waitForSelector('.thumb[aria-selected="true"][aria-label^="Page 11"]');
      await open.page.waitForSelector('.thumb[aria-label^="Page 11"] canvas');
      await open.page.screenshot({ path: join(SHOTS, 'document-strip.png') });
      await clean();
    });

    it('of a long document are drawn where they are seen', async function () {
      if (!existsSync(LONG)) {
        this.skip();
      }
      const url = preview.site.put('long.pdf', readFileSync(LONG));
      const pages = documentPages(160, url).map((page) => ({ ...page, label: null, aspect: ASPECT }));
      await start(evidenceOf({ pages: [shownPage(60, source(60, url), [], ASPECT)] }), {}, pages);
      await open.page.keyboard.press('w');
      await open.page.keyboard.press('b');
      await open.page.waitForSelector('.thumb[aria-label^="Page 60,"] canvas');
      const count = await open.page.locator('.thumb canvas').count();
      assert.ok(count < 40, `${count} of 160 are drawn`);
      await clean();
    });
  });

  describe('documents of special kinds', () => {
    it('ask for the password in place, say that one is wrong, and keep none', async () => {
      const url = preview.site.put('locked.pdf', lockedPdf());
      await start(evidenceOf({ pages: [shownPage(1, source(1, url), [])] }), {}, []);
      const input = open.page.getByLabel('Password of the document');
      await input.waitFor();
      assert.match(await open.page.locator('.notice').innerText(), /protected by a password/u);
      await input.fill('open');
      await input.press('Enter');
      const again = open.page.getByLabel('Another password');
      await again.waitFor();
      assert.match(await open.page.locator('.notice').innerText(), /This password does not open the PDF/u);
      assert.equal(await again.inputValue(), '');
      await again.fill(PASSWORD);
      await again.press('Enter');
      await open.page.waitForSelector('[data-state=drawn]');
      await textOf('Page 1');
      const kept = await open.page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]));
      const said = JSON.stringify(await open.posted());
      assert.ok(!kept.includes(PASSWORD) && !said.includes(PASSWORD));
      await clean();
    });

    it('show JPEG 2000 and JBIG2 by their decoders', async () => {
      await start(
        evidenceOf({ pages: [shownPage(1, source(1, preview.site.put('jpx.pdf', await jpeg2000Pdf())), [], 1)] }),
        {},
        [],
      );
      await open.page.waitForSelector('[data-state=drawn]');
      assert.ok(isMagenta(await middle()), `${await middle()}`);
      await open.show(
        evidenceOf({
          index: 6,
          id: 'x',
          pages: [shownPage(1, source(1, preview.site.put('jbig2.pdf', await jbig2Pdf())), [], 1)],
        }),
      );
      await open.page.waitForSelector('[data-state=drawn]');
      assert.deepEqual(await middle(), [0, 0, 0]);
      await clean();
    });

    it('show what can be recovered of a damaged one', async () => {
      await start(
        evidenceOf({ pages: [shownPage(1, source(1, preview.site.put('cut.pdf', await truncatedPdf())), [], 2)] }),
        {},
        [],
      );
      await open.page.waitForSelector('[data-state=drawn]');
      assert.ok(isMagenta(await middle()));
    });

    it('turn JPEG as its orientation asks for, and take no notice of its resolution', async () => {
      for (const [orientation, width, height, magenta] of [
        [1, 40, 20, 'left'],
        [3, 40, 20, 'right'],
        [6, 20, 40, 'top'],
        [8, 20, 40, 'bottom'],
      ] as const) {
        const url = preview.site.put(`turned-${orientation}.jpg`, orientedJpeg(orientation));
        await start(evidenceOf({ pages: [shownPage(1, { kind: 'image', url }, [], width / height)] }), {}, []);
        await open.page.keyboard.press('0');
        await open.page.waitForSelector('[data-state=drawn]');
        const found = await open.page.evaluate(() => {
          const image = document.querySelector<HTMLImageElement>('.picture img')!;
          const canvas = document.createElement('canvas');
          canvas.width = image.naturalWidth;
          canvas.height = image.naturalHeight;
          const context = canvas.getContext('2d')!;
          context.drawImage(image, 0, 0);
          const at = (x: number, y: number): boolean => (context.getImageData(x, y, 1, 1).data[1] ?? 255) < 60;
          const [right, bottom] = [canvas.width - 3, canvas.height - 3];
          const sides = { left: at(2, 10) && at(2, bottom), right: at(right, 10) && at(right, bottom) };
          const ends = { top: at(2, 2) && at(right, 2), bottom: at(2, bottom) && at(right, bottom) };
          const paper = document.querySelector('.paper')!.getBoundingClientRect();
          return {
            size: [canvas.width, canvas.height, Math.round(paper.width), Math.round(paper.height)],
            sides: Object.entries({ ...sides, ...ends }).flatMap(([side, on]) => (on ? side : [])),
          };
        });
        assert.deepEqual(found, { size: [width, height, width, height], sides: [magenta] }, `${orientation}`);
        await open.close();
      }
    });

    it('show TIFF as the server decodes it, with the size of the TIFF itself', async () => {
      const url = preview.site.put('page.tif', Uint8Array.from([0x49, 0x49, 42, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0]));
      open = await preview.site.open(preview.browser, {});
      const png = Buffer.from(markedPng().bytes).toString('base64');
      await open.answer('pagePicture', { png, width: 2550, height: 3300, problem: null });
      await open.show(evidenceOf({ pages: [shownPage(1, { kind: 'image', url }, [], 2550 / 3300)] }));
      await open.page.waitForSelector('[data-state=drawn]');
      await open.page.keyboard.press('0');
      assert.equal((await open.page.locator('.paper').boundingBox())?.width, 2550);
      await open.answer('pagePicture', { png: null, width: 0, height: 0, problem: 'The TIFF is damaged.' });
      const other = preview.site.put('other.tif', Uint8Array.from([0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0]));
      await open.show(evidenceOf({ pages: [shownPage(1, { kind: 'image', url: other }, [])] }));
      await open.page.waitForSelector('[data-state=failed]');
      assert.match(await open.page.locator('.notice').innerText(), /The TIFF is damaged/u);
    });
  });

  describe('text', () => {
    it('lies over the words, also on a page that is turned', async () => {
      await start(evidenceOf({ pages: [cited(1), cited(3)] }));
      for (const [name, turned] of [
        ['Page 1 (i)', false],
        ['Page 3 (1)', true],
      ] as const) {
        await open.page.locator(`article[aria-label="${name}"]`).scrollIntoViewIfNeeded();
        await textOf(name);
        const [paper, words] = await open.page
          .locator(`article[aria-label="${name}"]`)
          .evaluate((article) =>
            [article.querySelector('.paper')!, article.querySelector('.text-layer span')!]
              .map((element) => element.getBoundingClientRect())
              .map(({ left, top, right, bottom }) => ({ left, top, right, bottom })),
          );
        assert.ok(paper && words);
        const width = paper.right - paper.left;
        const height = paper.bottom - paper.top;
        // The base line of the first words begins at 72, 500 (origin bottom-left) on 612 × 792.
        const at = turned
          ? { x: (500 / 792) * width, y: (72 / 612) * height }
          : { x: (72 / 612) * width, y: (292 / 792) * height };
        const x = paper.left + at.x;
        const y = paper.top + at.y;
        const inside = words.left - 2 <= x && x <= words.right + 2 && words.top - 2 <= y && y <= words.bottom + 2;
        assert.ok(inside, JSON.stringify({ paper, words, x, y }));
      }
      await clean();
    });

    it('is selected with the Text tool, copied, and becomes a region and a record', async () => {
      await start(TWO());
      await textOf('Page 2 (ii)');
      await open.page.keyboard.press('t');
      assert.equal(await open.page.getAttribute('body', 'data-tool'), 'text');
      const words = open.page.locator('article[aria-label="Page 2 (ii)"] .text-layer span', { hasText: 'sheet 2' });
      const box = (await words.boundingBox())!;
      await open.page.mouse.move(box.x + 1, box.y + box.height / 2);
      await open.page.mouse.down();
      await open.page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 4 });
      await open.page.mouse.move(box.x + box.width - 1, box.y + box.height / 2, { steps: 4 });
      await open.page.mouse.up();
      const bar = open.page.getByRole('toolbar', { name: 'Selected text' });
      await bar.waitFor();
      assert.equal(await open.page.evaluate(() => document.getSelection()?.toString()), 'This is sheet 2');
      await open.page.screenshot({ path: join(SHOTS, 'document-selection.png') });
      await bar.getByRole('button', { name: 'Copy' }).click();
      await bar.getByRole('button', { name: 'New record' }).click();
      await open.page.waitForFunction(() => document.getSelection()?.isCollapsed !== false);
      const posted = await open.posted();
      assert.ok(posted.some((message) => message.type === 'copy' && message.text === 'This is sheet 2'));
      const [made] = (await changes()) as [
        { kind: string; page: number; text: string; label: string; place: Record<string, number> },
      ];
      assert.deepEqual([made.kind, made.page, made.text, made.label], ['record', 2, 'This is sheet 2', 'text']);
      const paper = (await open.page.locator('article[aria-label="Page 2 (ii)"] .paper').boundingBox())!;
      assert.ok(Math.abs(made.place['left']! - (box.x - paper.x) / paper.width) < 0.01);
      assert.ok(Math.abs(made.place['width']! - box.width / paper.width) < 0.02);
      await words.selectText();
      await bar.getByRole('button', { name: 'Add region' }).click();
      await open.page.waitForFunction(
        () => window.posted.filter((message) => message.type === 'ask' && message.question === 'change').length === 2,
      );
      assert.equal(((await changes())[1] as { kind: string }).kind, 'add');
      await clean();
    });

    it('stays under the regions without the tool', async () => {
      await start(evidenceOf({ pages: [cited(1, [region('/bbox/0/0', 0.1, 0.3, 0.5, 0.2)])] }));
      await textOf('Page 1 (i)');
      const on = await open.page
        .locator('.text-layer span')
        .first()
        .evaluate((span) => {
          const { left, top, width, height } = span.getBoundingClientRect();
          return document.elementFromPoint(left + width / 2, top + height / 2)?.closest('.text-layer') ?? null;
        });
      assert.equal(on, null);
    });
  });

  describe('search', () => {
    const counted = (words: RegExp): Promise<unknown> =>
      open.page.waitForFunction(
        (pattern) => new RegExp(pattern, 'u').test(document.querySelector('.find-count')?.textContent ?? ''),
        words.source,
      );
    const current = (): Promise<string> =>
      open.page.evaluate(() => [...(CSS.highlights.get('find-current') ?? [])].map(String).join('|'));

    it('finds on pages that are not shown, goes there, and back again', async () => {
      await start(evidenceOf({ pages: [cited(2)], blocks: [TEXT_BLOCK] }));
      await open.page.keyboard.press('Control+f');
      await open.page.keyboard.type('sheet 1');
      await counted(/^2 of 4$/u);
      await open.page.waitForFunction(() => document.querySelectorAll('.page').length === 12);
      await open.page.waitForFunction(() => (CSS.highlights.get('find-current')?.size ?? 0) === 1);
      assert.equal(await current(), 'sheet 1');
      await open.page.keyboard.press('Shift+Enter');
      await counted(/^1 of 4$/u);
      await open.page.keyboard.press('Escape');
      assert.equal(await open.page.locator('.find-bar').isVisible(), false);
      assert.equal(await open.page.evaluate(() => CSS.highlights.size), 0);
      await clean();
    });

    it('folds accents and case, joins divided words, and takes case and whole words when told to', async () => {
      await start(evidenceOf({ pages: [cited(2)], question: 'Where does the CAFE stand?' }));
      await open.page.keyboard.press('Control+f');
      const input = open.page.getByLabel('Find in the record and its document');
      await input.fill('cafe');
      await counted(/of 13$/u);
      await open.page.getByRole('button', { name: 'Match case' }).click();
      await counted(/of 12$/u);
      await input.fill('restructuring costs');
      await counted(/of 12$/u);
      await input.fill('re-structuring');
      await counted(/of 12$/u);
      await open.page.waitForFunction(() => (CSS.highlights.get('find-current')?.size ?? 0) === 1);
      await input.fill('struct');
      await counted(/of 12$/u);
      await open.page.getByRole('button', { name: 'Whole words' }).click();
      await counted(/^No results$/u);
      await open.page.screenshot({ path: join(SHOTS, 'document-find.png') });
      await clean();
    });

    it('leaves the match selected, to be cited without a pointer', async () => {
      await start(evidenceOf({ pages: [cited(2)] }));
      await textOf('Page 2 (ii)');
      await open.page.keyboard.press('Control+f');
      await open.page.keyboard.type('sheet 2');
      await counted(/^1 of 1$/u);
      await open.page.waitForFunction(() => (CSS.highlights.get('find-current')?.size ?? 0) === 1);
      await open.page.keyboard.press('Escape');
      await open.page.getByRole('button', { name: 'Add region' }).focus();
      await open.page.keyboard.press('Enter');
      await announced(/Changed/u);
      assert.equal(((await changes())[0] as { kind: string; page: number }).page, 2);
    });

    it('goes through 160 pages without holding up the page, and is ended by another search', async function () {
      if (!existsSync(LONG)) {
        this.skip();
      }
      this.timeout(180_000);
      const url = preview.site.put('long.pdf', readFileSync(LONG));
      const pages = documentPages(160, url).map((page) => ({ ...page, label: null, aspect: ASPECT }));
      await start(evidenceOf({ pages: [shownPage(3, source(3, url), [], ASPECT)] }), {}, pages);
      await open.page.waitForSelector('[data-state=drawn]');
      await open.page.evaluate(() => {
        const state = { longest: 0, last: performance.now(), began: performance.now() };
        (window as unknown as { beat: typeof state }).beat = state;
        const tick = (): void => {
          const now = performance.now();
          state.longest = Math.max(state.longest, now - state.last);
          state.last = now;
          setTimeout(tick, 0);
        };
        tick();
      });
      await open.page.keyboard.press('Control+f');
      const input = open.page.getByLabel('Find in the record and its document');
      await input.fill('zzzz nothing');
      await input.fill('goodwill');
      await open.page.waitForFunction(
        () =>
          /\d+ of \d+/u.test(document.querySelector('.find-count')?.textContent ?? '') &&
          document.querySelector('.find-bar.searching') === null,
        undefined,
        { timeout: 150_000 },
      );
      await input.fill('zzzz nothing');
      await counted(/^No results$/u);
      const part = await open.page.evaluate(() => {
        const { longest, last, began } = (window as unknown as { beat: Record<'longest' | 'last' | 'began', number> })
          .beat;
        return longest / (last - began);
      });
      assert.ok(part < HELD_UP, `held up for ${part} of the search`);
      await clean();
    });
  });

  it('has no axe violation, with everything open', async () => {
    const url = preview.site.put('locked-too.pdf', lockedPdf());
    await start({ ...TWO(), pages: [...TWO().pages, shownPage(20, source(1, url), [])] }, { width: 900, height: 1000 });
    await open.page.keyboard.press('w');
    await open.page.keyboard.press('b');
    await textOf('Page 2 (ii)');
    await open.page.keyboard.press('t');
    await open.page.locator('article[aria-label="Page 2 (ii)"] .text-layer span').first().selectText();
    await open.page.keyboard.press('Control+f');
    await open.page.waitForFunction(() => /of/u.test(document.querySelector('.find-count')?.textContent ?? ''));
    for (const theme of SOME_THEMES) {
      await open.setTheme(theme);
      await assertAccessible(open.page, theme.kind);
      await open.page.screenshot({ path: join(SHOTS, `document-${theme.kind}.png`) });
    }
  });
});
