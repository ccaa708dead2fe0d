/** The preview's page in a real browser. */
import type { Browser } from 'playwright-core';
import { markedPng } from '../browser/documents.ts';
import { evidenceOf, region, shownPage } from '../browser/evidence.ts';
import type { OpenPage, Site } from '../browser/preview-site.ts';
import { startSite } from '../browser/preview-site.ts';
import { launchChromium } from '../support/chromium.ts';
import { documentRatios } from './document.ts';
import type { Ratio } from './ratio.ts';
import { median } from './ratio.ts';

const STEPS = 60;
const ROUNDS = 7;
const FEW = 7;
const MANY = 700;

/** A page with `count` boxes whose first one is chosen. */
async function openBoxes(site: Site, browser: Browser, count: number): Promise<OpenPage> {
  const { bytes, aspect } = markedPng();
  const source = { kind: 'image' as const, url: site.put(`boxes-${count}.png`, bytes) };
  const boxes = Array.from({ length: count }, (_, at) =>
    region(`/bbox/0/${at}`, 0.05 + 0.09 * (at % 10), 0.02 + 0.0135 * Math.floor(at / 10), 0.07, 0.011),
  );
  const open = await site.open(browser);
  await open.show(evidenceOf({ pages: [shownPage(1, source, boxes, aspect)] }));
  await open.page.waitForSelector('[data-state=drawn]');
  await open.send({ type: 'cursor', pointer: '/bbox/0/0' });
  await open.page.waitForSelector('.region-frame');
  return open;
}

/** Mean ms of one step of a drag: the work of its event, with the layout and the frame that follow. */
function dragSteps({ page }: OpenPage): Promise<number> {
  return page.evaluate(async (steps) => {
    const grip = document.querySelector('.frame-move');
    const bounds = grip?.getBoundingClientRect();
    if (!grip || !bounds) throw new Error('Nothing is chosen.');
    const x = bounds.left + bounds.width / 2;
    const y = bounds.top + bounds.height / 2;
    const send = (type: string, by: number): boolean =>
      grip.dispatchEvent(
        new PointerEvent(type, {
          bubbles: true,
          pointerId: 1,
          isPrimary: true,
          button: 0,
          buttons: 1,
          clientX: x + by,
          clientY: y + by,
        }),
      );
    const frame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve));
    // A pointer of ours cannot be captured.
    Element.prototype.setPointerCapture = () => undefined;
    send('pointerdown', 0);
    send('pointermove', 5);
    await frame();
    let spent = 0;
    for (let step = 1; step <= steps; step++) {
      const start = performance.now();
      send('pointermove', 5 + step);
      document.body.getBoundingClientRect();
      spent += performance.now() - start;
      await frame();
    }
    document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
    return spent / steps;
  }, STEPS);
}

async function dragRatio(site: Site, browser: Browser): Promise<Ratio> {
  const few = await openBoxes(site, browser, FEW);
  const many = await openBoxes(site, browser, MANY);
  const pairs: { thing: number; reference: number }[] = [];
  await dragSteps(many);
  await dragSteps(few);
  for (let round = 0; round < ROUNDS; round++) {
    pairs.push({ thing: await dragSteps(many), reference: await dragSteps(few) });
  }
  await few.close();
  await many.close();
  return {
    name: `a step of a drag on a page of ${MANY} boxes ÷ on one of ${FEW}`,
    ratio: median(pairs.map(({ thing, reference }) => thing / reference)),
    goal: 2,
    ms: median(pairs.map(({ thing }) => thing)),
    referenceMs: median(pairs.map(({ reference }) => reference)),
  };
}

export async function pageRatios(): Promise<Ratio[]> {
  const [browser, site] = await Promise.all([launchChromium(), startSite()]);
  try {
    return [await dragRatio(site, browser), ...(await documentRatios(site, browser))];
  } finally {
    await browser.close();
    await site.close();
  }
}
