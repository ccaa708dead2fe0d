/** The picture of one page: drawn when it comes near the view, let go when it is far, and honest about failure. */
import type { PageSourceUrl } from '../../schemas/page.ts';
import { deadline } from './deadline.ts';
import { html, setText } from './dom.ts';
import type { Clip } from './judging.ts';
import type { PdfEngine, PdfPage } from './pdf.ts';

/** CSS px. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Surface {
  /** The paper; an overlay may be put on it. */
  readonly element: HTMLElement;
  /** CSS px at 100 %: PDF pages at 96 px per inch, images pixel for pixel. null until the page was opened once. */
  natural(): Size | null;
  /** Width ÷ height from outside, used until the page itself is known. */
  assume(aspect: number | null): void;
  /** Sets the shown width in CSS px and returns the size. What is already drawn is stretched until it is drawn anew. */
  layout(width: number): Size;
  load(): void;
  release(): void;
}

export interface SurfaceServices {
  readonly engine: PdfEngine;
  readonly timeoutMs: number;
  /** The page's own size became known. */
  readonly onSized: () => void;
  readonly log: (message: string) => void;
}

/** Letter, until something better is known. */
const USUAL: Size = { width: 816, height: 1056 };
const REDRAW_DELAY_MS = 120;

/** Makes a picture so large, and moves it so far, that its frame shows a part of it. */
function cut(image: HTMLElement, { left, top, width, height }: Clip): void {
  image.style.setProperty('width', `${100 / width}%`);
  image.style.setProperty('height', `${100 / height}%`);
  image.style.setProperty('left', `${(-100 * left) / width}%`);
  image.style.setProperty('top', `${(-100 * top) / height}%`);
}

type State = 'idle' | 'loading' | 'drawn' | 'failed';

async function loadImage(url: string, timeoutMs: number): Promise<HTMLImageElement> {
  const image = html('img', { alt: '', decoding: 'async', draggable: 'false' });
  image.src = url;
  const decoded = image.decode().catch(() => {
    throw new Error('The page image could not be read: it is missing, or not a picture that the editor can show.');
  });
  await deadline(decoded, timeoutMs, () => new Error(`The page image did not arrive within ${timeoutMs / 1000} s.`));
  return image;
}

/** `source` must be a PDF or an image; `name` is what screen readers call the picture. `clip`: the part that is shown; all sizes are its own then. */
export function createSurface(
  source: PageSourceUrl,
  name: string,
  services: SurfaceServices,
  onFailed: (failed: boolean) => void,
  clip?: Clip,
): Surface {
  const { engine, timeoutMs, onSized, log } = services;
  const url = source.url ?? '';
  const picture = html('div', { class: 'picture', role: 'img', 'aria-label': name });
  const words = html('span', {});
  const retry = html('button', { type: 'button', class: 'action', hidden: true }, 'Retry');
  const notice = html('div', { class: 'notice', role: 'status' }, words, retry);
  const element = html('div', { class: 'paper', 'data-state': 'idle' }, picture, notice);

  let state: State = 'idle';
  let natural: Size | null = null;
  let aspect: number | null = null;
  let width = 0;
  let drawnWidth = 0;
  let pdf: PdfPage | null = null;
  let work = new AbortController();
  let redraw: ReturnType<typeof setTimeout> | null = null;

  function enter(next: State, message = ''): void {
    state = next;
    element.dataset['state'] = next;
    setText(words, message);
    notice.hidden = message === '';
    retry.hidden = next !== 'failed';
    onFailed(next === 'failed');
  }

  function fail(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    log(`${name}: ${message}`);
    clearPicture();
    enter('failed', message);
  }

  function clearPicture(): void {
    for (const canvas of picture.querySelectorAll('canvas')) {
      canvas.width = 0;
    }
    picture.replaceChildren();
    drawnWidth = 0;
  }

  function deviceWidth(): number {
    return Math.round(width * window.devicePixelRatio);
  }

  async function drawPdf(page: PdfPage, signal: AbortSignal): Promise<void> {
    const wanted = deviceWidth();
    const canvas = await page.draw(wanted, signal, clip);
    if (signal.aborted) {
      canvas.width = 0;
      return;
    }
    clearPicture();
    picture.append(canvas);
    drawnWidth = wanted;
  }

  function sized({ width: whole, height }: Size): void {
    natural = { width: whole * (clip?.width ?? 1), height: height * (clip?.height ?? 1) };
    onSized();
  }

  async function open(signal: AbortSignal): Promise<void> {
    if (source.kind === 'image') {
      const image = await loadImage(url, timeoutMs);
      if (!signal.aborted) {
        sized({ width: image.naturalWidth, height: image.naturalHeight });
        if (clip !== undefined) {
          cut(image, clip);
        }
        picture.replaceChildren(image);
      }
      return;
    }
    const page = await engine.page(url, source.pageIndex ?? 0);
    if (!signal.aborted) {
      pdf = page;
      sized({ width: page.width, height: page.height });
      await drawPdf(page, signal);
    }
  }

  function run(task: (signal: AbortSignal) => Promise<void>): void {
    work.abort();
    work = new AbortController();
    const { signal } = work;
    task(signal).then(
      () => {
        if (!signal.aborted) {
          enter('drawn');
          // The width may have changed while the page was drawn.
          refresh();
        }
      },
      (error: unknown) => {
        if (!signal.aborted) {
          fail(error);
        }
      },
    );
  }

  /** Draws anew when the drawn size is not the shown one; the old picture stays until the new one is there. */
  function refresh(): void {
    const page = pdf;
    if (page === null || state !== 'drawn' || drawnWidth === deviceWidth()) {
      return;
    }
    if (redraw !== null) {
      clearTimeout(redraw);
    }
    redraw = setTimeout(() => {
      redraw = null;
      if (state === 'drawn' && pdf === page && drawnWidth !== deviceWidth()) {
        run((signal) => drawPdf(page, signal));
      }
    }, REDRAW_DELAY_MS);
  }

  const surface: Surface = {
    element,
    natural: () => natural,
    assume(value) {
      aspect = value;
    },
    layout(next) {
      // Whole device pixels, so that the picture is not resampled.
      width = Math.max(1, Math.round(next * window.devicePixelRatio) / window.devicePixelRatio);
      const assumed = ((aspect ?? USUAL.width / USUAL.height) * (clip?.width ?? 1)) / (clip?.height ?? 1);
      const ratio = natural === null ? assumed : natural.width / natural.height;
      const height = Math.round((width / ratio) * window.devicePixelRatio) / window.devicePixelRatio;
      element.style.setProperty('width', `${width}px`);
      element.style.setProperty('height', `${height}px`);
      refresh();
      return { width, height };
    },
    load() {
      if (state === 'idle') {
        enter('loading', 'Loading the page …');
        run(open);
      }
    },
    release() {
      if (state === 'loading' || state === 'drawn') {
        work.abort();
        clearPicture();
        pdf?.release();
        pdf = null;
        enter('idle');
      }
    },
  };
  retry.addEventListener('click', () => {
    engine.forget(url);
    pdf = null;
    enter('idle');
    surface.load();
  });
  return surface;
}

export function usualWidth(): number {
  return USUAL.width;
}
