/** Small pictures of pages, drawn one after the other so that the pages themselves come first. */
import type { PageSourceUrl } from '../../../schemas/page.ts';
import type { PdfEngine } from '../pdf.ts';
import type { Convert } from './images.ts';
import { emptyCanvas } from './pictures.ts';

export interface Thumbnails {
  /** `width` in device px. Rejects with words for people; what was cancelled before its turn never settles. */
  draw(source: PageSourceUrl, width: number, signal: AbortSignal): Promise<HTMLCanvasElement>;
}

/** So many times as wide as high, or more, is no page; the strip stays a strip. */
const TALLEST = 4;

async function pictureOf(source: PageSourceUrl, convert: Convert): Promise<ImageBitmap> {
  try {
    const response = await fetch(source.url ?? '');
    return await createImageBitmap(await response.blob());
  } catch {
    return createImageBitmap((await convert(source)).blob);
  }
}

/** The whole picture is let go at once: thirty scanned pages would fill a gigabyte. */
async function drawImage(source: PageSourceUrl, width: number, convert: Convert): Promise<HTMLCanvasElement> {
  const whole = await pictureOf(source, convert);
  const height = Math.max(1, Math.round(Math.min(TALLEST, whole.height / whole.width) * width));
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d');
  if (context !== null) {
    context.imageSmoothingQuality = 'high';
    context.drawImage(whole, 0, 0, width, height);
  }
  whole.close();
  return canvas;
}

async function drawPdf(
  engine: PdfEngine,
  source: PageSourceUrl,
  width: number,
  signal: AbortSignal,
): Promise<HTMLCanvasElement> {
  const page = await engine.page(source.url ?? '', source.pageIndex ?? 0);
  try {
    return await page.draw(width, signal);
  } finally {
    page.release();
  }
}

export function createThumbnails(engine: PdfEngine, convert: Convert): Thumbnails {
  const waiting: { readonly signal: AbortSignal; readonly run: () => Promise<void> }[] = [];
  let isBusy = false;

  async function work(): Promise<void> {
    if (isBusy) {
      return;
    }
    isBusy = true;
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      if (!next.signal.aborted) {
        await new Promise((resolve) => requestIdleCallback(resolve, { timeout: 200 }));
        await next.run();
      }
    }
    isBusy = false;
  }

  return {
    draw: (source, width, signal) =>
      new Promise((resolve, reject) => {
        const run = async (): Promise<void> => {
          try {
            const drawn = await (source.kind === 'image'
              ? drawImage(source, width, convert)
              : drawPdf(engine, source, width, signal));
            if (signal.aborted) {
              emptyCanvas(drawn);
            } else {
              resolve(drawn);
            }
          } catch (error) {
            reject(error instanceof Error ? error : new Error(String(error)));
          }
        };
        waiting.push({ signal, run });
        void work();
      }),
  };
}
