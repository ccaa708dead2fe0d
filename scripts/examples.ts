/**
 * Makes the example workspace's documents and record files from examples/sources/: two PDFs with a text layer, one
 * document as page images at 300 dpi, and the boxes of the records from where the regions really lie. The results are
 * committed; run this after a change to the sources: `node scripts/examples.ts`.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../test/support/chromium.ts';
import { FERRY_RECORDS } from '../examples/sources/ferry-records.ts';
import { PAPER_RECORDS } from '../examples/sources/paper-records.ts';
import type { PaperRecord } from '../examples/sources/paper-records.ts';

const HOME = join(import.meta.dirname, '../examples');
/** CSS pixels are 1/96 inch. */
const SCALE = 300 / 96;
const PAGE = { width: 816, height: 1056 };
const PIXELS = { width: PAGE.width * SCALE, height: PAGE.height * SCALE };

type Box = [number, number, number, number];
interface Region {
  readonly page: number;
  readonly label: string;
  readonly box: Box;
}

async function open(browser: Browser, name: string): Promise<Page> {
  const page = await browser.newPage({ viewport: PAGE, deviceScaleFactor: SCALE });
  await page.goto(pathToFileURL(join(HOME, 'sources', `${name}.html`)).href);
  return page;
}

/** Boxes in pixels at 300 dpi, corners x1, y1, x2, y2, origin top-left, with the few pixels of air that people leave. */
async function regionsOf(page: Page): Promise<Map<string, Region>> {
  const found = await page.evaluate(() => {
    const pages = [...document.querySelectorAll('.page')];
    return [...document.querySelectorAll<HTMLElement>('[data-region]')].map((element) => {
      const sheet = element.closest('.page') as HTMLElement;
      const outer = sheet.getBoundingClientRect();
      const range = document.createRange();
      range.selectNodeContents(element);
      const { left, top, right, bottom } = range.getBoundingClientRect();
      return {
        name: element.dataset['region'] ?? '',
        label: element.dataset['label'] ?? '',
        page: pages.indexOf(sheet) + 1,
        edges: [left - outer.left, top - outer.top, right - outer.left, bottom - outer.top],
      };
    });
  });
  const pad = (edge: number, by: number): number => Math.round(edge * SCALE + by);
  return new Map(
    found.map(({ name, label, page, edges }) => {
      const [left = 0, top = 0, right = 0, bottom = 0] = edges;
      const box: Box = [pad(left, -12), pad(top, -10), pad(right, 12), pad(bottom, 10)];
      return [name, { page, label, box }];
    }),
  );
}

function relative([x1, y1, x2, y2]: Box): Box {
  const part = (value: number, whole: number): number => Math.round((value / whole) * 1e9) / 1e6;
  const { width, height } = PIXELS;
  return [part(x1, width), part(y1, height), part(x2, width), part(y2, height)];
}

function paperRecord(record: PaperRecord, regions: ReadonlyMap<string, Region>): object {
  const cited = record.regions.map((names) =>
    names.map((name) => {
      const region = regions.get(name);
      if (region === undefined) throw new Error(`${record.document} has no region ${name}`);
      return region;
    }),
  );
  const made = {
    query: record.query,
    answer: record.answer,
    doc_name: record.document,
    evidence_page: cited.map(([first]) => first?.page ?? 0),
    bbox: cited.map((list) => list.map(({ box }) => box)),
    rel_bbox: cited.map((list) => list.map(({ box }) => relative(box))),
    subimg_type: cited.map((list) => list.map(({ label }) => label)),
    category: record.category,
  };
  return { ...made, ...record.fault?.(made) };
}

function lines(records: readonly object[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

const browser = await launchChromium();
const regions = new Map<string, Map<string, Region>>();
for (const name of ['harbour-ferries', 'tidal-sensors', 'moss-roofs']) {
  const page = await open(browser, name);
  regions.set(name, await regionsOf(page));
  if (name === 'moss-roofs') {
    const sheets = await page.locator('.page').all();
    for (const [index, sheet] of sheets.entries()) {
      const path = join(HOME, 'papers/Images/q-bio', name, `${name}_${index + 1}.png`);
      mkdirSync(dirname(path), { recursive: true });
      await sheet.screenshot({ path });
    }
  } else {
    const path = join(HOME, name === 'harbour-ferries' ? 'reports/pdf' : 'papers/pdf', `${name}.pdf`);
    mkdirSync(dirname(path), { recursive: true });
    await page.pdf({ path, width: '8.5in', height: '11in', printBackground: true, preferCSSPageSize: true });
  }
  await page.close();
}
await browser.close();

writeFileSync(join(HOME, 'reports/ferries.jsonl'), lines(FERRY_RECORDS));
writeFileSync(
  join(HOME, 'papers/papers.jsonl'),
  lines(PAPER_RECORDS.map((record) => paperRecord(record, regions.get(record.document) ?? new Map()))),
);
