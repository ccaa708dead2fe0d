/** Entry of a thread that cuts crops out of pages and writes them. */
import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { parentPort, threadId, workerData } from 'node:worker_threads';
import type { Pixels } from '../../core/page/ink.ts';
import { describeError, errorCode } from '../files/errors.ts';
import { describeWriting } from '../files/write.ts';
import { readPixels } from '../pages/image-ink.ts';
import { encodePng } from '../pages/image-picture.ts';
import { ImageFault } from '../pages/image-size.ts';
import { cutOut } from './cut.ts';
import { imageFile } from './image-file.ts';
import type { ImageFile } from './image-file.ts';
import { createPdfPages } from './pdf-pages.ts';
import type { CutAnswer, CutDone, CutQuestion, CutterData, PageDone, PageWork } from './messages.ts';
import { createImageWriter, Outside } from './write-image.ts';

if (parentPort === null) throw new Error('crop-worker is started as a worker thread');
const port = parentPort;
const output = workerData as CutterData | null;
const writer = output === null ? undefined : createImageWriter(output, String(threadId));
const pdfPages = createPdfPages();

/** zlib's own middle: a quarter smaller than the fastest, and still fast beside the decoding. */
const COMPRESSION = 6;

port.on('message', ({ id, work }: CutQuestion) => {
  void perform(work).then((done) => port.postMessage({ id, done } satisfies CutAnswer));
});

async function perform(work: PageWork): Promise<PageDone> {
  let version: string;
  let images: readonly ImageFile[];
  try {
    const { size, mtimeMs } = await stat(work.source.path);
    version = `${size} ${mtimeMs}`;
    images = await imagesOf(work, version);
  } catch (error) {
    return { kind: 'unreadable', reason: reasonOf(error) };
  }
  try {
    const cuts: CutDone[] = [];
    for (const [at, { ending, width, height, bytes }] of images.entries()) {
      const { target } = work.cuts[at]!;
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      if (target !== null) await writer?.write(target + ending, bytes);
      cuts.push({ ending, width, height, sha256, ...(target === null && { bytes }) });
    }
    return { kind: 'done', version, cuts };
  } catch (error) {
    if (error instanceof Outside) return { kind: 'unwritable', reason: 'holds a link that leads out of it' };
    return { kind: 'unwritable', reason: describeWriting(error) };
  }
}

/** All images of a page before the first is written: they are small beside the page. */
async function imagesOf(work: PageWork, version: string): Promise<readonly ImageFile[]> {
  const { source, size, cuts } = work;
  let pixels: Pixels | undefined;
  const images: ImageFile[] = [];
  for (const { part } of cuts) {
    const asIs = part === 'page' && source.kind === 'image' ? await imageFile(source.path) : undefined;
    if (asIs !== undefined) images.push(checked(asIs, size));
    else {
      pixels ??= await pixelsOf(work, version);
      const cut = part === 'page' ? pixels : cutOut(pixels, part);
      images.push({ ending: '.png', width: cut.width, height: cut.height, bytes: encodePng(cut, COMPRESSION) });
    }
  }
  return images;
}

async function pixelsOf({ source, size }: PageWork, version: string): Promise<Pixels> {
  if (source.kind === 'pdf') return pdfPages.draw({ ...source, size }, version);
  return checked(await readPixels(source.path), size);
}

function checked<T extends PageWork['size']>(image: T, { width, height }: PageWork['size']): T {
  if (image.width === width && image.height === height) return image;
  throw new ImageFault('has changed since it was looked at: it is of another size');
}

function reasonOf(error: unknown): string {
  if (error instanceof ImageFault) return error.message;
  if (errorCode(error)?.startsWith('E') === true) return describeError(error);
  return `is damaged: ${(error instanceof Error ? error.message : String(error)).replace(/\.$/, '')}`;
}
