/** A real file of 34 boxes that people drew, with its page images. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { FittedPage } from '../../../server/src/core/page/fit.ts';
import { layoutOf } from '../../../server/src/core/page/layout.ts';
import type { PagePlace } from '../../../server/src/core/ports.ts';
import { readInk } from '../../../server/src/node/pages/image-ink.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../../../shared/data/sciegqa');
const FILE = path.join(FOLDER, '2311.07631.jsonl');
export const PAGE = { width: 2550, height: 3300 };

export interface DrawnBox {
  readonly page: number;
  readonly place: PagePlace;
  readonly on: FittedPage;
}

/** undefined where the file is not at hand. */
export async function drawnBoxes(): Promise<readonly DrawnBox[] | undefined> {
  if (!existsSync(FILE)) return undefined;
  const pages = new Map<number, FittedPage>();
  const boxes: DrawnBox[] = [];
  for (const line of readFileSync(FILE, 'utf8').trim().split('\n')) {
    const record = JSON.parse(line) as { evidence_page: number[]; bbox: [number, number, number, number][][] };
    for (const [at, page] of record.evidence_page.entries()) {
      if (!pages.has(page)) {
        const facts = { ink: await readInk(path.join(FOLDER, `Images/cs/2311.07631/2311.07631_${page}.png`)) };
        pages.set(page, { facts, layout: layoutOf(facts, PAGE)! });
      }
      for (const [left, top, right, bottom] of record.bbox[at]!) {
        boxes.push({ page, place: placeOf(left, top, right, bottom), on: pages.get(page)! });
      }
    }
  }
  return boxes;
}

/** From pixels at 300 dpi of a letter page. */
export function placeOf(left: number, top: number, right: number, bottom: number): PagePlace {
  return {
    left: left / PAGE.width,
    top: top / PAGE.height,
    width: (right - left) / PAGE.width,
    height: (bottom - top) / PAGE.height,
  };
}

/** Edges in pixels at 300 dpi: left, top, right, bottom. */
export function edgesOf({ left, top, width, height }: PagePlace): [number, number, number, number] {
  return [left * PAGE.width, top * PAGE.height, (left + width) * PAGE.width, (top + height) * PAGE.height];
}

/** The furthest that an edge moved, in pixels at 300 dpi. */
export function moved(from: PagePlace, to: PagePlace): number {
  const edges = edgesOf(to);
  return Math.max(...edgesOf(from).map((edge, i) => Math.abs(edge - edges[i]!)));
}

/** Intersection over union. */
export function iou(a: PagePlace, b: PagePlace): number {
  const [l, t, r, u] = edgesOf(a);
  const [m, n, o, p] = edgesOf(b);
  const width = Math.min(r, o) - Math.max(l, m);
  const height = Math.min(u, p) - Math.max(t, n);
  if (width <= 0 || height <= 0) return 0;
  return (width * height) / ((r - l) * (u - t) + (o - m) * (p - n) - width * height);
}

/** Numbers from 0 to 1 that are the same for a seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Each edge off by up to `most` pixels at 300 dpi, in whole pixels. */
export function drawnRoughly(place: PagePlace, most: number, random: () => number): PagePlace {
  const [left, top, right, bottom] = edgesOf(place).map((edge) => edge + Math.round((2 * random() - 1) * most));
  return placeOf(left!, top!, right!, bottom!);
}
