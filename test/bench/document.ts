/** Pages of a long document in the preview: how soon they are there, and what leafing through them costs in memory. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import type { ShownEvidence } from '../../schemas/page.ts';
import { markedPng, textPdf } from '../browser/documents.ts';
import { evidenceOf, region, shownPage } from '../browser/evidence.ts';
import type { OpenPage, Site } from '../browser/preview-site.ts';
import { launchChromium } from '../support/chromium.ts';
import type { Ratio } from './ratio.ts';
import { median } from './ratio.ts';

const LONG = join(import.meta.dirname, '../../../shared/data/pdf/3M_2018_10K.pdf');
const PAGES = 160;
const FEW = 10;
const FIRST = 45;
const ROUNDS = 7;
const ASPECT = 612 / 792;
/** So far apart that a page is far from the view at the other. */
const JUMP = 12;

declare global {
  interface Window {
    alone(url: string, pageIndex: number, width: number): Promise<number>;
  }
}

function evidence(url: string, numbers: readonly number[]): ShownEvidence {
  const boxes = (at: number): ReturnType<typeof region>[] => [region(`/bbox/${at}/0`, 0.1, 0.2, 0.5, 0.2)];
  return evidenceOf({
    pages: numbers.map((number, at) =>
      shownPage(number, { kind: 'pdf', url, pageIndex: number - 1 }, boxes(at), ASPECT),
    ),
  });
}

/** pdf.js with nothing around it, as the preview starts it: worker from a blob, data from the same place. */
async function aloneScript(): Promise<string> {
  const pdfjs = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
  const worker = readFileSync(join(pdfjs, 'legacy/build/pdf.worker.min.mjs'), 'utf8');
  const contents = `
    import { getDocument, PDFWorker } from 'pdfjs-dist/legacy/build/pdf.mjs';
    window.alone = async (url, pageIndex, width) => {
      const start = performance.now();
      const address = URL.createObjectURL(new Blob([WORKER], { type: 'text/javascript' }));
      const worker = new PDFWorker({ port: new Worker(address, { type: 'module' }) });
      const data = new Uint8Array(await (await fetch(url)).arrayBuffer());
      const resources = location.origin + '/dist/pdfjs/';
      const task = getDocument({ data, worker, useWorkerFetch: false, cMapUrl: resources + 'cmaps/', cMapPacked: true,
        standardFontDataUrl: resources + 'standard_fonts/', wasmUrl: resources + 'wasm/', iccUrl: resources + 'iccs/' });
      const page = await (await task.promise).getPage(pageIndex + 1);
      const viewport = page.getViewport({ scale: width / page.getViewport({ scale: 1 }).width });
      const canvas = document.createElement('canvas');
      canvas.width = Math.round(viewport.width);
      canvas.height = Math.round(viewport.height);
      await page.render({ canvas, viewport }).promise;
      document.body.replaceChildren(canvas);
      await new Promise((resolve) => requestAnimationFrame(resolve));
      return performance.now() - start;
    };`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2023',
    write: false,
    define: { WORKER: JSON.stringify(worker) },
  });
  return outputFiles[0]?.text ?? '';
}

/** ms from the message to the picture with its box. */
async function firstPage(site: Site, browser: Browser, url: string): Promise<{ ms: number; width: number }> {
  const open = await site.open(browser);
  const result = await open.page.evaluate(
    async (shown) => {
      const start = performance.now();
      window.postMessage({ type: 'show', evidence: shown }, '*');
      const frame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve));
      const isThere = (): boolean =>
        document.querySelector('[data-state=drawn] canvas') !== null && document.querySelector('.region') !== null;
      while (!isThere()) await frame();
      return {
        ms: performance.now() - start,
        width: document.querySelector<HTMLCanvasElement>('[data-state=drawn] canvas')?.width ?? 0,
      };
    },
    evidence(url, [FIRST]),
  );
  await open.close();
  return result;
}

async function alone(site: Site, browser: Browser, url: string, script: string, width: number): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 720, height: 900 } });
  const page = await context.newPage();
  // Any document of the same origin that has no policy.
  await page.goto(site.put('alone.png', markedPng().bytes));
  await page.addScriptTag({ content: script, type: 'module' });
  await page.waitForFunction(() => 'alone' in window);
  const ms = await page.evaluate(([address, index, wide]) => window.alone(address, index, wide), [
    url,
    FIRST - 1,
    width,
  ] as const);
  await context.close();
  return ms;
}

async function firstPageRatio(site: Site, browser: Browser, url: string): Promise<Ratio> {
  const script = await aloneScript();
  const { width } = await firstPage(site, browser, url);
  await alone(site, browser, url, script, width);
  const pairs: { thing: number; reference: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const thing = (await firstPage(site, browser, url)).ms;
    pairs.push({ thing, reference: await alone(site, browser, url, script, width) });
  }
  return {
    name: 'first page with its box ÷ the same page by pdf.js alone',
    ratio: median(pairs.map(({ thing, reference }) => thing / reference)),
    goal: 1.3,
    ms: median(pairs.map(({ thing }) => thing)),
    referenceMs: median(pairs.map(({ reference }) => reference)),
  };
}

/** ms until the page at a position is drawn after it was scrolled to. */
function visit(page: Page, position: number): Promise<number> {
  return page.evaluate(async (at) => {
    const card = document.querySelectorAll('article.page')[at];
    const frame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve));
    const start = performance.now();
    card?.scrollIntoView();
    while (card?.querySelector('[data-state=drawn] canvas') === null) await frame();
    return performance.now() - start;
  }, position);
}

async function openLong(site: Site, browser: Browser, url: string): Promise<OpenPage> {
  const open = await site.open(browser);
  const numbers = Array.from({ length: PAGES }, (_, at) => at + 1);
  await open.show(evidence(url, numbers));
  await open.page.waitForSelector('[data-state=drawn]');
  return open;
}

async function seenRatio(site: Site, browser: Browser, url: string): Promise<Ratio> {
  const open = await openLong(site, browser, url);
  const places = Array.from({ length: ROUNDS }, (_, at) => (at + 1) * JUMP);
  const fresh: number[] = [];
  const again: number[] = [];
  for (const place of places) fresh.push(await visit(open.page, place));
  for (const place of places.slice(0, -1).reverse()) again.push(await visit(open.page, place));
  await open.close();
  return {
    name: 'a page that was seen before ÷ a new one',
    ratio: median(again) / median(fresh),
    goal: 0.3,
    ms: median(again),
    referenceMs: median(fresh),
  };
}

/** Gives back what nobody holds any more, in the page and in its worker: V8 keeps room for more than it needs. */
async function collect(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const collected = new Promise<void>((resolve) => {
    session.on('Target.receivedMessageFromTarget', () => resolve());
    session.on('Target.attachedToTarget', ({ sessionId }) => {
      const message = JSON.stringify({ id: 1, method: 'HeapProfiler.collectGarbage' });
      void session.send('Target.sendMessageToTarget', { sessionId, message });
    });
  });
  await session.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false, flatten: false });
  await collected;
  await session.send('HeapProfiler.collectGarbage');
  await session.detach();
}

/** KiB that the page's process holds for itself. */
async function memoryOf(browser: Browser, page: Page): Promise<number> {
  await collect(page);
  const system = await browser.newBrowserCDPSession();
  const { processInfo } = await system.send('SystemInfo.getProcessInfo');
  await system.detach();
  const held = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => Number(/RssAnon:\s+(\d+)/u.exec(readFileSync(`/proc/${id}/status`, 'latin1'))?.[1] ?? 0));
  // Others are there in reserve.
  return Math.max(...held);
}

/** In a browser of its own: no other page's process counts. Where a system does not tell such figures, there are none. */
async function memoryRatio(site: Site, url: string): Promise<readonly Ratio[]> {
  if (!existsSync('/proc/self/status')) return [];
  const browser = await launchChromium();
  try {
    const open = await openLong(site, browser, url);
    for (let at = 0; at < FEW; at++) await visit(open.page, at);
    const few = await memoryOf(browser, open.page);
    for (let at = FEW; at < PAGES; at++) await visit(open.page, at);
    const many = await memoryOf(browser, open.page);
    return [{ name: `memory after ${PAGES} pages ÷ after ${FEW}`, ratio: many / few, goal: 1.5 }];
  } finally {
    await browser.close();
  }
}

export async function documentRatios(site: Site, browser: Browser): Promise<readonly Ratio[]> {
  const url = site.put('long.pdf', existsSync(LONG) ? readFileSync(LONG) : await textPdf(PAGES));
  return [
    await firstPageRatio(site, browser, url),
    await seenRatio(site, browser, url),
    ...(await memoryRatio(site, url)),
  ];
}
