import assert from 'node:assert/strict';
import type { ShownEvidence } from '../../schemas/page.ts';
import { jbig2Pdf, markedPng, textPdf, unembeddedChinesePdf } from './documents.ts';
import { MISSING_BLOCK, TABLE_BLOCK, TEXT_BLOCK, evidenceOf, region, shownPage } from './evidence.ts';
import { usePreview } from './fixture.ts';
import type { OpenOptions, OpenPage } from './preview-site.ts';

declare global {
  interface Window {
    drawings: number;
  }
}

describe('evidence preview', () => {
  const preview = usePreview({ complaints: true, breaches: true });
  let open: OpenPage;
  let pdf: string;
  let png: string;

  before(async () => {
    pdf = preview.site.put('report.pdf', await textPdf(12));
    png = preview.site.put('page.png', markedPng().bytes);
  });

  async function start(evidence: ShownEvidence | null, options: OpenOptions = {}): Promise<OpenPage> {
    open = await preview.site.open(preview.browser, options);
    if (evidence !== null) {
      await open.show(evidence);
      await open.page.waitForSelector('.scroller:not([hidden])');
    }
    return open;
  }

  async function clean(): Promise<void> {
    assert.deepEqual(await open.breaches(), []);
    assert.deepEqual(open.complaints, []);
  }

  const pdfPage = (number: number, regions: Parameters<typeof shownPage>[2] = []): ReturnType<typeof shownPage> =>
    shownPage(number, { kind: 'pdf', url: pdf, pageIndex: number - 1 }, regions);

  const scrollTop = (): Promise<number> =>
    open.page.evaluate(() => document.querySelector('.scroller')?.scrollTop ?? -1);
  const text = (selector: string): Promise<string> => open.page.locator(selector).first().innerText();
  const selections = async (): Promise<string[]> =>
    (await open.posted()).flatMap((message) => (message.type === 'select' ? [message.pointer] : []));

  /** Counts every picture that is put on a page from now on. */
  /** Pictures of pages: pdf.js lays a canvas of its own into the body, to measure text. */
  async function countDrawings(): Promise<void> {
    await open.page.evaluate(() => {
      window.drawings = 0;
      new MutationObserver((changes) => {
        for (const { target, addedNodes } of changes) {
          if (target instanceof Element && target.closest('.picture') !== null) {
            window.drawings += [...addedNodes].filter(
              (node) => node.nodeName === 'CANVAS' || node.nodeName === 'IMG',
            ).length;
          }
        }
      }).observe(document.body, { childList: true, subtree: true });
    });
  }

  describe('what is shown', () => {
    it('shows question, answer, solution and problems, and selects a problem’s place', async () => {
      await start(
        evidenceOf({
          solution: {
            value: '-31',
            type: 'int',
            gold: -30,
            verdict: 'mismatch',
            error: null,
            stdout: 'adding up',
            ms: 1.5,
          },
          problems: [
            {
              severity: 'warning',
              code: 'solution/gold-mismatch',
              message: 'The solution gives -31.',
              pointer: '/ground_truth',
            },
          ],
        }),
      );
      assert.equal(await text('h1'), 'Record 5 of 1,623');
      assert.match(
        await text('.record'),
        /longest headway[\s\S]*Route C; 12 minutes[\s\S]*-31[\s\S]*differs from -30/u,
      );
      assert.match(await text('.record'), /solution\/gold-mismatch/u);
      await open.page.getByRole('button', { name: /The solution gives -31/u }).click();
      assert.deepEqual(await selections(), ['/ground_truth']);
      await clean();
    });

    it('tells the error of a solution with its line', async () => {
      await start(
        evidenceOf({
          solution: {
            value: null,
            type: null,
            gold: 3,
            verdict: 'error',
            error: { type: 'NameError', message: "name 'x' is not defined", line: 4 },
            stdout: '',
            ms: 1,
          },
        }),
      );
      assert.match(await text('.record'), /failed\s+NameError: name 'x' is not defined \(line 4 of the solution\)/u);
    });

    it('renders cited tables as tables: amounts to the right, short rows kept short', async () => {
      await start(evidenceOf({ blocks: [TABLE_BLOCK, TEXT_BLOCK, MISSING_BLOCK] }));
      const table = open.page.getByRole('region', { name: 'Table paragraphs[7]' }).getByRole('table');
      assert.equal(await table.getByRole('row').count(), 5);
      assert.deepEqual(await table.getByRole('columnheader').allInnerTexts(), ['2023', '2022', 'Change']);
      const align = (name: string): Promise<string> =>
        table.getByText(name, { exact: true }).evaluate((cell) => getComputedStyle(cell).textAlign);
      assert.equal(await align('(12.8) %'), 'end');
      assert.equal(await align('–'), 'end');
      assert.equal(await align('Services'), 'start');
      assert.equal(await table.locator('td.ragged').count(), 1);
      assert.match(await text('.block-text'), /recognised ratably/u);
      assert.match(await text('.block-missing'), /paragraphs\[40\] is cited but is not in the record/u);
      await open.page.getByRole('button', { name: 'paragraphs[7]' }).click();
      assert.deepEqual(await selections(), ['/table_evidence/0']);
      await clean();
    });

    it('says plainly what is missing', async () => {
      const message = 'Page 9 of demo-doc was not found: there is no demo-doc_9.png.';
      await start(
        evidenceOf({
          answer: null,
          pages: [shownPage(9, { kind: 'missing', message }, [region('/bbox/0/0', 0.1, 0.1, 0.2, 0.2)])],
        }),
      );
      assert.match(await text('.page'), /was not found: there is no demo-doc_9\.png/u);
      assert.match(await text('.record'), /none given/u);
      await open.page.getByRole('button', { name: /Region 1, table, \[100/u }).click();
      assert.deepEqual(await selections(), ['/bbox/0/0']);

      await open.show(evidenceOf());
      await open.page.getByText('This record cites no paragraphs, no tables and no pages.').waitFor();
      await open.show(null, 'notes.json is not a dataset file that a profile fits.');
      await open.page.getByText('notes.json is not a dataset file').waitFor();
      assert.equal(await open.page.locator('.toolbar').isVisible(), false);
      await clean();
    });

    it('keeps hostile text as text', async () => {
      const hostile = '<img src=x onerror="window.hacked=1"></script><script>window.hacked=1</script>';
      await start(
        evidenceOf({
          id: hostile,
          question: hostile,
          answer: hostile,
          document: hostile,
          solution: {
            value: hostile,
            type: hostile,
            gold: null,
            verdict: 'equal',
            error: null,
            stdout: hostile,
            ms: 1,
          },
          problems: [{ severity: 'error', code: hostile, message: hostile, pointer: `/${hostile}` }],
          blocks: [
            { ...TEXT_BLOCK, name: hostile, text: hostile },
            { ...TABLE_BLOCK, table: { before: hostile, rows: [[hostile], [hostile]], after: hostile } },
          ],
          pages: [
            shownPage(1, { kind: 'image', url: png }, [
              region('/bbox/0/0', 0.1, 0.1, 0.2, 0.2, { label: hostile, text: hostile }),
            ]),
          ],
        }),
      );
      await open.page.waitForSelector('[data-state=drawn]');
      assert.equal(await text('.question'), hostile);
      assert.equal(await open.page.locator('img[src=x]').count(), 0);
      assert.equal(await open.page.locator('script').count(), 2, 'the page’s own scripts only');
      assert.equal(await open.page.evaluate(() => 'hacked' in window), false);
      await clean();
    });
  });

  describe('pages', () => {
    it('go on with the keyboard and the buttons', async () => {
      await start(evidenceOf({ pages: [pdfPage(1), pdfPage(3), pdfPage(7)] }));
      await open.page.waitForSelector('[data-state=drawn]');
      assert.equal(await text('.page-place'), 'Page 1 (1 of 3)');
      const steps = [
        ['PageDown', 'Page 1 (1 of 3)'],
        ['n', 'Page 3 (2 of 3)'],
        ['n', 'Page 7 (3 of 3)'],
        ['p', 'Page 3 (2 of 3)'],
        ['PageUp', 'Page 1 (1 of 3)'],
      ] as const;
      for (const [key, place] of steps) {
        await open.page.keyboard.press(key);
        await open.page.waitForFunction(
          (wanted) => document.querySelector('.page-place')?.textContent === wanted,
          place,
        );
      }
      await open.page.getByRole('button', { name: 'Next page' }).click();
      assert.equal(await text('.page-place'), 'Page 3 (2 of 3)');
      await open.page.keyboard.press('Shift+N');
      await open.page.getByRole('button', { name: 'Previous record' }).click();
      const records = (await open.posted()).flatMap((message) => (message.type === 'record' ? [message.step] : []));
      assert.deepEqual(records, [1, -1]);
      await clean();
    });

    it('zoom by key, button and wheel, the wheel about the pointer', async () => {
      await start(evidenceOf({ pages: [shownPage(1, { kind: 'image', url: png }, [])] }));
      await open.page.waitForSelector('[data-state=drawn]');
      const factor = (): Promise<string> => text('.factor');
      await open.page.keyboard.press('0');
      assert.equal(await factor(), '100 %');
      assert.equal(await open.page.locator('.paper').evaluate((paper) => paper.getBoundingClientRect().width), 1275);
      await open.page.keyboard.press('+');
      assert.equal(await factor(), '110 %');
      await open.page.keyboard.press('-');
      await open.page.keyboard.press('-');
      assert.equal(await factor(), '90 %');
      await open.page.getByRole('button', { name: 'Zoom in' }).click();
      assert.equal(await factor(), '100 %');

      const under = (): Promise<{ x: number; y: number }> =>
        open.page.locator('.paper').evaluate((paper) => {
          const bounds = paper.getBoundingClientRect();
          return { x: (300 - bounds.left) / bounds.width, y: (500 - bounds.top) / bounds.height };
        });
      await open.page.keyboard.press('n');
      await open.page.mouse.move(300, 500);
      const before = await under();
      await open.page.keyboard.down('Control');
      await open.page.mouse.wheel(0, -200);
      await open.page.keyboard.up('Control');
      await open.page.waitForFunction(() => document.querySelector('.factor')?.textContent === '149 %');
      const after = await under();
      assert.ok(Math.abs(before.x - after.x) < 0.002 && Math.abs(before.y - after.y) < 0.002);

      await open.page.getByRole('button', { name: 'Fit width' }).click();
      assert.equal(await open.page.getByRole('button', { name: 'Fit width' }).getAttribute('aria-pressed'), 'true');
      await clean();
    });

    it('are drawn near the view only, and let go when far', async () => {
      const pages = Array.from({ length: 12 }, (_, position) => pdfPage(position + 1));
      await start(evidenceOf({ pages }));
      const drawn = open.page.locator('.page').first().locator('canvas');
      await drawn.waitFor();
      assert.equal(await open.page.locator('.page').last().locator('canvas').count(), 0);
      await open.page.locator('.scroller').evaluate((scroller) => scroller.scrollTo(0, scroller.scrollHeight));
      await open.page.locator('.page').last().locator('canvas').waitFor();
      await drawn.waitFor({ state: 'detached' });
      assert.ok((await open.page.locator('canvas').count()) < 8);
      assert.equal(preview.site.asked('report.pdf') > 0, true);
      await clean();
    });

    it('show fonts and pictures that need pdf.js’s data, under the policy', async () => {
      const chinese = preview.site.put('chinese.pdf', await unembeddedChinesePdf());
      const picture = preview.site.put('jbig2.pdf', await jbig2Pdf());
      await start(null);
      const requests: string[] = [];
      open.page.on('request', (request) => requests.push(new URL(request.url()).pathname));
      await open.show(
        evidenceOf({
          pages: [
            shownPage(1, { kind: 'pdf', url: picture, pageIndex: 0 }, []),
            shownPage(2, { kind: 'pdf', url: chinese, pageIndex: 0 }, []),
          ],
        }),
      );
      await open.page.waitForFunction(() => document.querySelectorAll('[data-state=drawn]').length === 2);
      const middle = await open.page.evaluate(() => {
        const canvas = document.querySelector('canvas');
        return [...(canvas?.getContext('2d')?.getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data ?? [])];
      });
      assert.deepEqual(middle, [0, 0, 0, 255], 'the JBIG2 picture is black');
      assert.ok(requests.includes('/dist/pdfjs/wasm/jbig2.wasm'), requests.join('\n'));
      assert.ok(requests.includes('/dist/pdfjs/cmaps/UniGB-UCS2-H.bcmap'), requests.join('\n'));
      await clean();
    });

    it('tell a broken PDF and try again', async () => {
      const url = preview.site.put('broken.pdf', new TextEncoder().encode('%PDF-1.7 and then nothing of use'));
      await start(
        evidenceOf({
          pages: [shownPage(1, { kind: 'pdf', url, pageIndex: 0 }, [region('/bbox/0/0', 0.1, 0.1, 0.2, 0.2)])],
        }),
      );
      await open.page.waitForSelector('[data-state=failed]');
      assert.match(await text('.notice'), /not a readable PDF/u);
      assert.equal(await open.page.getByRole('button', { name: /^Region 1/u }).count(), 1, 'its regions stay in reach');
      assert.ok((await open.posted()).some((message) => message.type === 'log'));
      preview.site.put('broken.pdf', await textPdf(1));
      await open.page.getByRole('button', { name: 'Retry' }).click();
      await open.page.waitForSelector('[data-state=drawn]');
      assert.equal(await open.page.locator('.notice').isVisible(), false);
      await clean();
    });

    it('tell a page that the PDF does not have, a missing file and a picture that is none', async () => {
      const picture = preview.site.put('not.png', new TextEncoder().encode('no picture'));
      const gone = preview.site.put('gone.pdf', new Uint8Array());
      preview.site.remove('gone.pdf');
      await start(
        evidenceOf({
          pages: [
            pdfPage(40),
            shownPage(2, { kind: 'pdf', url: gone, pageIndex: 0 }, []),
            shownPage(3, { kind: 'image', url: picture }, []),
          ],
        }),
        { height: 2400 },
      );
      await open.page.waitForFunction(() => document.querySelectorAll('[data-state=failed]').length === 3);
      const notices = await open.page.locator('.notice').allInnerTexts();
      assert.match(notices[0] ?? '', /The PDF has 12 pages; page 40 is not among them/u);
      assert.match(notices[1] ?? '', /not there any more/u);
      assert.match(notices[2] ?? '', /page image could not be read/u);
      assert.deepEqual(await open.breaches(), []);
    });

    it('tell a worker that never answers', async () => {
      await start(evidenceOf({ pages: [pdfPage(1)] }), { withoutWorker: true, timeoutMs: 1200 });
      await open.page.waitForSelector('[data-state=failed]');
      assert.match(await text('.notice'), /PDF reader (?:did not answer|stopped working)/u);
      assert.ok(await open.page.getByRole('button', { name: 'Retry' }).isVisible());
    });
  });

  describe('regions', () => {
    const nested = (): ShownEvidence =>
      evidenceOf({
        pages: [
          shownPage(1, { kind: 'image', url: png }, [
            region('/bbox/0/0', 0.1, 0.1, 0.6, 0.4),
            region('/bbox/0/1', 0.2, 0.2, 0.1, 0.1, { label: 'text' }),
          ]),
          shownPage(2, { kind: 'missing', message: 'Page 2 was not found.' }, []),
        ],
      });

    it('are chosen by a click, the innermost first', async () => {
      await start(nested());
      await open.page.waitForSelector('[data-state=drawn]');
      const paper = await open.page.locator('.paper').boundingBox();
      assert.ok(paper);
      const click = (x: number, y: number): Promise<void> =>
        open.page.mouse.click(paper.x + paper.width * x, paper.y + paper.height * y);
      await click(0.25, 0.25);
      await click(0.55, 0.15);
      await click(0.9, 0.1);
      assert.deepEqual(await selections(), ['/bbox/0/1', '/bbox/0/0']);
      assert.equal(await open.page.locator('.region.selected').getAttribute('data-pointer'), '/bbox/0/0');
      await clean();
    });

    it('are reached by Tab and chosen by Enter', async () => {
      await start(nested());
      const first = open.page.getByRole('button', { name: 'Region 1, table, page 1, [100, 200, 300, 400]' });
      await open.page.getByRole('button', { name: 'Open the document of page 1' }).focus();
      await open.page.keyboard.press('Tab');
      assert.equal(await first.evaluate((element) => element === document.activeElement), true);
      await open.page.keyboard.press('Enter');
      await open.page.keyboard.press('Tab');
      await open.page.keyboard.press('Space');
      assert.deepEqual(await selections(), ['/bbox/0/0', '/bbox/0/1']);
      assert.equal(await first.getAttribute('aria-pressed'), 'false');
    });

    it('follow the cursor: a number inside a box means the box, a list means its boxes', async () => {
      await start(evidenceOf({ ...nested(), blocks: [TEXT_BLOCK, TABLE_BLOCK] }));
      const marked = (): Promise<string[]> =>
        open.page.locator('.selected').evaluateAll((all) => all.map((one) => one.getAttribute('data-pointer') ?? ''));
      const cases = [
        ['/bbox/0/1/2', ['/bbox/0/1']],
        ['/bbox/0', ['/bbox/0/0', '/bbox/0/1']],
        ['/paragraphs/12', ['/paragraph_evidence/0']],
        ['/table_evidence/0', ['/table_evidence/0']],
        ['/evidence_page/1', ['/evidence_page/1']],
        ['/question', []],
        ['', []],
      ] as const;
      for (const [pointer, expected] of cases) {
        await open.send({ type: 'cursor', pointer });
        await open.page.waitForFunction(
          (count) => document.querySelectorAll('.selected').length === count,
          expected.length,
        );
        assert.deepEqual(await marked(), expected, pointer);
      }
    });

    it('stay chosen while a snapshot from before the choice arrives', async () => {
      const regions = [region('/bbox/0/0', 0.1, 0.1, 0.3, 0.1), region('/bbox/0/1', 0.1, 0.4, 0.3, 0.1)];
      const at = (version: number): ShownEvidence =>
        evidenceOf({
          version,
          question: `Version ${version}?`,
          cursor: '/bbox/0/0',
          pages: [{ ...pdfPage(1), regions }],
        });
      const chosen = (): Promise<(string | null)[]> =>
        open.page
          .locator('.region.selected')
          .evaluateAll((groups) => groups.map((group) => group.getAttribute('data-pointer')));
      await start(at(1));
      await open.page.waitForSelector('[data-state=drawn]');
      await open.page.locator('.region .tag').nth(1).click();
      await open.show(at(2));
      await open.page.getByText('Version 2?').first().waitFor();
      assert.deepEqual(await chosen(), ['/bbox/0/1']);
      // The cursor has gone there, and to another place.
      await open.send({ type: 'cursor', pointer: '/bbox/0/1' });
      await open.send({ type: 'cursor', pointer: '/bbox/0/0' });
      await open.page.locator('.region.selected[data-pointer="/bbox/0/0"]').waitFor();
      assert.deepEqual(await chosen(), ['/bbox/0/0']);
    });

    it('come into view when the cursor goes there', async () => {
      const low = region('/bbox/2/0', 0.1, 0.8, 0.3, 0.1);
      await start(evidenceOf({ pages: [pdfPage(1), pdfPage(2), { ...pdfPage(3), regions: [low] }] }));
      await open.send({ type: 'cursor', pointer: '/bbox/2/0/1' });
      await open.page.waitForSelector('.region.selected');
      const seen = await open.page.locator('.region.selected .box').evaluate((box) => {
        const { top, bottom } = box.getBoundingClientRect();
        return top > 0 && bottom < innerHeight;
      });
      assert.ok(seen);
    });
  });

  it('sizes the tags of boxes that were shown while the panel was hidden', async () => {
    await start(null);
    await open.page.evaluate(() => document.documentElement.style.setProperty('display', 'none'));
    await open.show(evidenceOf({ pages: [pdfPage(1, [region('/bbox/0/0', 0.3, 0.3, 0.2, 0.2)])] }));
    await open.page.waitForSelector('.tag', { state: 'attached' });
    await open.page.evaluate(() => document.documentElement.style.removeProperty('display'));
    await open.page.waitForFunction(() => {
      const plate = document.querySelector('.plate')?.getBoundingClientRect();
      const text = document.querySelector('.tag text')?.getBoundingClientRect();
      return plate && text && text.width > 0 && plate.left <= text.left && plate.right >= text.right;
    });
  });

  describe('on edits of the same record', () => {
    it('moves boxes without drawing the page again, and keeps zoom and place', async () => {
      const at = (left: number, version: number): ShownEvidence =>
        evidenceOf({
          version,
          cursor: '/bbox/0/0/0',
          pages: [{ ...pdfPage(1), regions: [region('/bbox/0/0', left, 0.4, 0.2, 0.1)] }, pdfPage(2)],
        });
      await start(at(0.1, 1));
      await open.page.waitForSelector('[data-state=drawn]');
      await open.page.keyboard.press('0');
      await open.page.keyboard.press('+');
      await open.page.waitForFunction(() => {
        const canvas = document.querySelector('canvas');
        const paper = document.querySelector('.paper')?.getBoundingClientRect();
        return canvas && paper && Math.abs(canvas.width - paper.width) <= 1;
      });
      await open.page.waitForFunction(() => document.querySelectorAll('[data-state=drawn]').length === 2);
      await open.page.locator('.scroller').evaluate((scroller) => scroller.scrollTo(60, 333));
      await countDrawings();
      const left = (): Promise<number> => open.page.locator('.box').evaluate((box) => box.getBoundingClientRect().left);
      const before = { left: await left(), top: await scrollTop(), factor: await text('.factor') };
      const canvas = await open.page.locator('canvas').first().elementHandle();

      await open.show(at(0.3, 2));
      await open.page.waitForFunction(
        (was) => document.querySelector('.box')?.getBoundingClientRect().left !== was,
        before.left,
      );
      const width = await open.page
        .locator('.paper')
        .first()
        .evaluate((paper) => paper.getBoundingClientRect().width);
      assert.ok(Math.abs((await left()) - before.left - 0.2 * width) < 0.5);
      assert.equal(await scrollTop(), before.top);
      assert.equal(await text('.factor'), before.factor);
      assert.equal(await canvas?.evaluate((element) => element.isConnected), true);

      // A problem appears above: what one reads stays where it is.
      const paperTop = (): Promise<number> =>
        open.page
          .locator('.paper')
          .first()
          .evaluate((paper) => paper.getBoundingClientRect().top);
      const top = await paperTop();
      await open.show({
        ...at(0.3, 3),
        problems: [{ severity: 'error', code: 'box/empty', message: 'The box is empty.', pointer: '/bbox/0/0' }],
      });
      await open.page.locator('.problem').waitFor({ state: 'attached' });
      assert.ok(Math.abs((await paperTop()) - top) <= 1);
      assert.equal(await open.page.evaluate(() => window.drawings), 0, 'nothing was drawn');
      await clean();
    });

    it('goes to the top for another record, without drawing a page that both cite', async () => {
      await start(evidenceOf({ pages: [pdfPage(1), pdfPage(2)] }));
      await open.page.waitForFunction(() => document.querySelectorAll('[data-state=drawn]').length === 2);
      await open.page.keyboard.press('n');
      await countDrawings();
      await open.show(evidenceOf({ index: 5, id: 'q-0006', question: 'Another question?', pages: [pdfPage(1)] }));
      await open.page.waitForFunction(() => document.querySelector('h1')?.textContent === 'Record 6 of 1,623');
      assert.equal(await scrollTop(), 0);
      assert.equal(await open.page.locator('.picture canvas').count(), 1);
      assert.equal(await open.page.evaluate(() => window.drawings), 0);
    });
  });

  it('keeps zoom and place over a reload', async () => {
    const evidence = evidenceOf({ pages: [pdfPage(1), pdfPage(2)] });
    await start(evidence);
    await open.page.waitForFunction(() => document.querySelectorAll('[data-state=drawn]').length === 2);
    await open.page.keyboard.press('0');
    await open.page.keyboard.press('n');
    await open.page.locator('.scroller').evaluate((scroller) => scroller.scrollBy(0, 400));
    await open.page.waitForFunction(() => document.querySelector('.page-place')?.textContent === 'Page 1 (1 of 2)');
    const top = (): Promise<number> =>
      open.page
        .locator('.paper')
        .first()
        .evaluate((paper) => Math.round(paper.getBoundingClientRect().top));
    const before = await top();
    await open.page.waitForFunction(
      () =>
        (JSON.parse(sessionStorage.getItem('state') ?? '{}') as { anchor?: { fraction: number } }).anchor?.fraction ??
        0 > 0.2,
    );
    await open.page.reload();
    await open.page.waitForFunction(() => window.posted.length > 0);
    await open.show(evidence);
    await open.page.waitForSelector('[data-state=drawn]');
    assert.equal(await text('.factor'), '100 %');
    assert.ok(Math.abs((await top()) - before) <= 2, `${await top()} px, before ${before} px`);
  });
});
