/** A small data set with page images of several kinds, and a way to run `crops` on it. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { encode as encodeJpeg } from 'jpeg-js';
import type { CropRecord } from '../../schemas/crops.ts';
import { crops } from '../../server/src/cli/crops.ts';
import type { CropsOptions } from '../../server/src/cli/crops.ts';
import { UsageError } from '../../server/src/cli/usage.ts';
import type { Pixels } from '../../server/src/core/page/ink.ts';
import { drawnPage } from '../unit/node/drawn-page.ts';
import { exifOf, jpegTurned, pngOf, tiffOf } from '../unit/node/image-files.ts';
import { PROJECT } from './run.ts';

/** Pages of 200 × 264 px, of which no two are alike. */
export function pageOf(number: number): Pixels {
  const page = drawnPage();
  const data = Uint8Array.from(page.data);
  for (let y = 0; y < 8; y++) {
    for (let x = 0; x < 8 * number; x++) data.set([200, 10 * number, 60], (y * page.width + x) * 3);
  }
  return { ...page, data };
}

export function jpegOf({ width, height, data }: Pixels): Buffer {
  const rgba = new Uint8Array(width * height * 4).fill(255);
  for (let i = 0; i < width * height; i++) rgba.set(data.subarray(i * 3, i * 3 + 3), i * 4);
  return Buffer.from(encodeJpeg({ width, height, data: rgba }, 90).data);
}

/** A JPEG that is stored lying and shown upright: a quarter turn clockwise, Exif orientation 6. */
export const turnedJpeg = (page: Pixels): Buffer => jpegTurned(jpegOf(page), exifOf(6, true));
export const tiffPage = (page: Pixels): Buffer => tiffOf(page);
export const pngPage = pngOf;

export const CONFIGURATION = JSON.stringify({
  datasets: [
    {
      files: ['*.jsonl'],
      profile: 'sciegqa',
      pageImage: ['png', 'jpg', 'tif'].map((ending) => `Images/{doc_name}/{doc_name}_{page}.${ending}`),
      coordinates: { space: 'pixel', order: 'xyxy', origin: 'top-left' },
    },
  ],
});

export type Box = readonly [number, number, number, number];

export function record(
  document: string,
  pages: readonly unknown[],
  boxes: readonly (readonly unknown[])[],
  members: object = {},
): string {
  return JSON.stringify({
    query: `What does ${document} say on ${JSON.stringify(pages)} at ${JSON.stringify(boxes)}?`,
    answer: 'Nothing.',
    doc_name: document,
    evidence_page: pages,
    bbox: boxes,
    subimg_type: boxes.map((ofPage) => ofPage.map(() => 'table')),
    category: 'cs',
    ...members,
  });
}

export interface CropsRun {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** The command in this process; what it refuses to do is in `err`, with code 2. */
export async function runCrops(
  paths: readonly string[],
  cwd: string,
  options: Partial<CropsOptions> = {},
  stop: AbortSignal = new AbortController().signal,
): Promise<CropsRun> {
  const said = { out: '', err: '' };
  const output = (to: 'out' | 'err') => ({
    closed: new AbortController().signal,
    colors: false,
    write: (text: string) => Promise.resolve(void (said[to] += text)),
  });
  const installation = {
    distFolder: path.join(PROJECT, 'dist'),
    pdfWorker: new URL('../../server/src/node/pages/pdf-worker.ts', import.meta.url),
    cropWorker: new URL('../../server/src/node/crops/crop-worker.ts', import.meta.url),
  };
  const shell = { out: output('out'), err: output('err'), cwd, stop, installation };
  try {
    const code = await crops(paths, { out: 'out', what: 'crops', jobs: 2, ...options }, shell);
    return { code, ...said };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { code: 2, ...said, err: said.err + error.message };
  }
}

export async function manifestIn(folder: string): Promise<readonly CropRecord[]> {
  const text = await readFile(path.join(folder, 'manifest.jsonl'), 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as CropRecord);
}

/** All files of a folder by path, with their bytes. */
export async function filesIn(folder: string): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) continue;
    const at = path.join(entry.parentPath, entry.name);
    files.set(path.relative(folder, at), (await readFile(at)).toString('base64'));
  }
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
}
