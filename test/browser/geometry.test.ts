import assert from 'node:assert/strict';
import { decode } from 'fast-png';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../support/chromium.ts';
import type { MarkedDocument, MarkedPdfOptions } from './documents.ts';
import { MARK, markedPdf, markedPng } from './documents.ts';
import { evidenceOf, region, shownPage } from './evidence.ts';
import type { OpenPage, Site } from './preview-site.ts';
import { startSite } from './preview-site.ts';

interface Bounds {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Bounds, in device px, of all pixels near `color`; right and bottom are exclusive. */
function boundsOf(screenshot: Uint8Array, color: readonly number[]): Bounds {
  const { data, width, height, channels } = decode(screenshot);
  const bounds = { left: width, top: height, right: 0, bottom: 0 };
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * channels;
      const near = color.every((value, channel) => Math.abs((data[at + channel] ?? 0) - value) < 100);
      if (near) {
        bounds.left = Math.min(bounds.left, x);
        bounds.right = Math.max(bounds.right, x + 1);
        bounds.top = Math.min(bounds.top, y);
        bounds.bottom = Math.max(bounds.bottom, y + 1);
      }
    }
  }
  return bounds;
}

const LETTER = [612, 792] as const;
const A4 = [595.28, 841.89] as const;
/** What PDF pages can be like, by name. */
const PDFS: Readonly<Record<string, MarkedPdfOptions>> = {
  'a PDF': {},
  'a PDF turned by 90°': { rotation: 90 },
  'a PDF turned by 180°': { rotation: 180, size: A4 },
  'a PDF turned by 270°': { rotation: 270 },
  'a PDF with a CropBox': { cropped: true },
  'a PDF with a CropBox, turned by 90°': { cropped: true, rotation: 90 },
  'an A4 PDF': { size: A4 },
  'a landscape PDF': { size: [LETTER[1], LETTER[0]] },
};
/** The ratio to the page's own size; null: as wide as the panel. */
const ZOOMS: Readonly<Record<string, number | null>> = { '50 %': 0.5, '100 %': 1, '400 %': 4, 'fit width': null };

/** A view that holds the mark four times as large. */
const LARGE = { width: 2500, height: 1400 };

const STROKE: readonly number[] = [255, 0, 0];

async function markBounds({ page }: OpenPage): Promise<Bounds> {
  await page.evaluate(() => {
    document.querySelector<SVGElement>('.overlay')?.style.setProperty('visibility', 'hidden');
  });
  return boundsOf(await page.screenshot(), MARK);
}

/** Bounds of the middle of the box's line, which is 2 CSS px wide. */
async function boxBounds({ page }: OpenPage, ratio: number): Promise<Bounds> {
  await page.evaluate(() => {
    document.querySelector<SVGElement>('.overlay')?.style.removeProperty('visibility');
    document.querySelector<HTMLElement>('.picture')?.style.setProperty('visibility', 'hidden');
    document.querySelector<SVGElement>('.casing')?.style.setProperty('visibility', 'hidden');
    document.querySelector<SVGElement>('.tag')?.style.setProperty('visibility', 'hidden');
    document.querySelector<SVGElement>('.box')?.style.setProperty('stroke', 'rgb(255, 0, 0)');
  });
  const outer = boundsOf(await page.screenshot(), STROKE);
  return { left: outer.left + ratio, top: outer.top + ratio, right: outer.right - ratio, bottom: outer.bottom - ratio };
}

/** From 100 % in steps of the toolbar. */
async function zoomTo({ page }: OpenPage, factor: number): Promise<void> {
  const wanted = `${100 * factor} %`;
  const shown = (): Promise<string | null> => page.locator('.factor').textContent();
  await page.keyboard.press('0');
  await page.waitForFunction(() => document.querySelector('.factor')?.textContent === '100 %');
  while ((await shown()) !== wanted) {
    await page.keyboard.press(factor > 1 ? '+' : '-');
    assert.notEqual(await shown(), factor > 1 ? '500 %' : '10 %', `${wanted} is no step`);
  }
}

/**
 * Every zoom for an image and, but for the largest, which takes long, for a page with all at once; 100 % also at the other device ratio;
 * of the others one each; and all in a soak.
 */
const THOROUGH = new Set(['an image', 'a PDF with a CropBox, turned by 90°']);
const isTried = (name: string, ratio: number, zoom: string): boolean => {
  if (process.env['SOAK'] === '1') return true;
  if (zoom === '400 %') return name === 'an image' && ratio === 2;
  return THOROUGH.has(name) ? ratio === 2 || zoom === '100 %' : ratio === 2 && zoom === '100 %';
};

describe('boxes over pages', () => {
  let browser: Browser;
  let site: Site;
  const documents: MarkedDocument[] = [];

  before(async () => {
    [browser, site] = await Promise.all([launchChromium(), startSite()]);
    documents.push(markedPng(), ...(await Promise.all(Object.values(PDFS).map(markedPdf))));
  });
  after(async () => {
    await browser.close();
    await site.close();
  });

  for (const [position, name] of ['an image', ...Object.keys(PDFS)].entries()) {
    for (const ratio of [1, 2]) {
      for (const [zoom, factor] of Object.entries(ZOOMS)) {
        if (!isTried(name, ratio, zoom)) continue;
        it(`lie within 1 px of a mark on ${name} at ${zoom}, device ratio ${ratio}`, async () => {
          const marked = documents[position];
          assert.ok(marked);
          const open = await site.open(browser, { deviceScaleFactor: ratio, ...(zoom === '400 %' ? LARGE : {}) });
          const url = site.put(marked.name, marked.bytes);
          const source = marked.name.endsWith('.png')
            ? { kind: 'image' as const, url }
            : { kind: 'pdf' as const, url, pageIndex: 0 };
          const box = region('/bbox/0/0', marked.mark.left, marked.mark.top, marked.mark.width, marked.mark.height);
          await open.show(evidenceOf({ pages: [shownPage(1, source, [box])] }));
          await open.page.waitForSelector('[data-state=drawn]');
          if (factor !== null) {
            await zoomTo(open, factor);
          }
          await open.send({ type: 'cursor', pointer: '/bbox/0/0' });
          await open.page.waitForSelector('.region.selected');
          await open.send({ type: 'cursor', pointer: null });
          await open.page.waitForSelector('.region:not(.selected)');
          if (source.kind === 'pdf') {
            await open.page.waitForFunction((device) => {
              const canvas = document.querySelector('canvas');
              const paper = document.querySelector('.paper')?.getBoundingClientRect();
              if (!canvas || !paper) return false;
              // A canvas has at most 24 million pixels; larger pages are stretched.
              const area = paper.width * paper.height * device ** 2;
              const wanted = paper.width * device * Math.min(1, Math.sqrt(24e6 / area));
              return Math.abs(canvas.width - wanted) <= 2;
            }, ratio);
          }
          const mark = await markBounds(open);
          const drawn = await boxBounds(open, ratio);
          assert.ok(mark.right - mark.left > 50 * ratio, 'the mark is in view');
          for (const edge of ['left', 'top', 'right', 'bottom'] as const) {
            const off = Math.abs(mark[edge] - drawn[edge]) / ratio;
            assert.ok(off <= 1, `${edge}: mark at ${mark[edge]}, box at ${drawn[edge]} device px (${off} px off)`);
          }
          assert.deepEqual(await open.breaches(), []);
          assert.deepEqual(open.complaints, []);
          await open.close();
        });
      }
    }
  }
});
