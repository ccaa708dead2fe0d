/** The picture of one page: drawn when it comes near the view, let go when it is far, and honest about failure. */
import type { PageSourceUrl } from '../../schemas/page.ts';
import type { Convert } from './document/images.ts';
import { loadPageImage } from './document/images.ts';
import { createPasswordForm } from './document/password.ts';
import type { PictureHolder, Pictures } from './document/pictures.ts';
import { emptyCanvas } from './document/pictures.ts';
import { createTextLayer } from './document/text-layer.ts';
import { html, setText } from './dom.ts';
import type { Clip } from './judging.ts';
import type { LaidText, PdfEngine, PdfPage } from './pdf.ts';
import { isPasswordNeeded } from './pdf.ts';

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
  /** `isSeen`: it is in view, and not only near. */
  load(isSeen?: boolean): void;
  release(): void;
  /** The text that is laid over the page now. */
  text(): LaidText | null;
}

export interface SurfaceServices {
  readonly engine: PdfEngine;
  readonly pictures: Pictures;
  /** Of page images that the browser cannot show. */
  readonly convert: Convert;
  readonly timeoutMs: number;
  /** The page's own size became known. */
  readonly onSized: () => void;
  /** Text was laid over a page. */
  readonly onText: () => void;
  readonly log: (message: string) => void;
}

/** Letter, until something better is known. */
const USUAL: Size = { width: 816, height: 1056 };
const REDRAW_DELAY_MS = 120;
/** The text of a page waits for the browser to have nothing else to do, but no longer. */
const TEXT_WITHIN_MS = 400;

/** Makes a picture so large, and moves it so far, that its frame shows a part of it. */
function cut(image: HTMLElement, { left, top, width, height }: Clip): void {
  image.style.setProperty('width', `${100 / width}%`);
  image.style.setProperty('height', `${100 / height}%`);
  image.style.setProperty('left', `${(-100 * left) / width}%`);
  image.style.setProperty('top', `${(-100 * top) / height}%`);
}

type State = 'idle' | 'loading' | 'drawn' | 'failed';

/** CSS px between an element and the view. */
function distanceFromView(element: HTMLElement): number {
  if (element.getClientRects().length === 0) {
    return Infinity;
  }
  const { top, bottom } = element.getBoundingClientRect();
  return Math.max(0, top - window.innerHeight, -bottom);
}

/** `source` must be a PDF or an image; `name` is what screen readers call the picture. `clip`: the part that is shown; all sizes are its own then. */
export function createSurface(
  source: PageSourceUrl,
  name: string,
  services: SurfaceServices,
  onFailed: (failed: boolean) => void,
  clip?: Clip,
): Surface {
  const { engine, pictures, timeoutMs, onSized, log } = services;
  const { kind, url = '', pageIndex = 0 } = source;
  const key = `${url}#${pageIndex}`;
  const picture = html('div', { class: 'picture', role: 'img', 'aria-label': name });
  const words = html('span', {});
  const retry = html('button', { type: 'button', class: 'action', hidden: true }, 'Retry');
  const password = createPasswordForm((typed) => unlock(typed));
  const notice = html('div', { class: 'notice', role: 'status' }, words, retry, password.element);
  const layer = kind === 'pdf' && clip === undefined ? createTextLayer(name) : null;
  const element = html('div', { class: 'paper', 'data-state': 'idle' }, picture, layer?.element ?? null, notice);

  let state: State = 'idle';
  let natural: Size | null = null;
  let aspect: number | null = null;
  let width = 0;
  let canvas: HTMLCanvasElement | null = null;
  let drawnWidth = 0;
  /** Since it was drawn: what was never looked at is not worth keeping. */
  let wasSeen = false;
  let pdf: PdfPage | null = null;
  let work = new AbortController();
  let textWork = new AbortController();
  let redraw: ReturnType<typeof setTimeout> | null = null;
  let stopWaiting: (() => void) | null = null;

  const holder: PictureHolder = {
    area: () => (canvas === null ? 0 : canvas.width * canvas.height),
    distance: () => distanceFromView(element),
    yield: release,
  };

  function enter(next: State, message = '', isLocked = false): void {
    state = next;
    element.dataset['state'] = next;
    setText(words, message);
    notice.hidden = message === '';
    retry.hidden = next !== 'failed' || isLocked;
    password.element.hidden = !isLocked;
    onFailed(next === 'failed');
  }

  function fail(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    clearPicture();
    clearText();
    pdf?.release();
    pdf = null;
    if (isPasswordNeeded(error)) {
      enter('failed', message, true);
      password.ask(error.wrong);
      stopWaiting ??= engine.onUnlocked((opened) => (opened === url ? restart() : undefined));
      return;
    }
    log(`${name}: ${message}`);
    enter('failed', message);
  }

  async function unlock(typed: string): Promise<void> {
    try {
      await engine.unlock(url, typed);
    } catch (error) {
      fail(error);
      throw error;
    }
  }

  function restart(): void {
    stopWaiting?.();
    stopWaiting = null;
    pdf = null;
    enter('idle');
    load();
  }

  function show(next: HTMLCanvasElement, forWidth: number): void {
    const old = canvas;
    canvas = next;
    drawnWidth = forWidth;
    picture.replaceChildren(next);
    if (old !== null && old !== next) {
      emptyCanvas(old);
    }
    pictures.hold(holder);
  }

  /** `kept`: the canvas goes on elsewhere. */
  function clearPicture(kept = false): void {
    pictures.drop(holder);
    if (canvas !== null && !kept) {
      emptyCanvas(canvas);
    }
    canvas = null;
    drawnWidth = 0;
    picture.replaceChildren();
  }

  function clearText(): void {
    textWork.abort();
    layer?.clear();
  }

  function deviceWidth(): number {
    return Math.round(width * window.devicePixelRatio);
  }

  /** One hold on the page, however many wait for it; none where nobody does any more. */
  async function pdfPage(signal: AbortSignal): Promise<PdfPage> {
    if (pdf !== null) {
      return pdf;
    }
    const page = await engine.page(url, pageIndex);
    if (pdf !== null || signal.aborted) {
      page.release();
    }
    signal.throwIfAborted();
    pdf ??= page;
    return pdf;
  }

  async function drawPdf(signal: AbortSignal): Promise<void> {
    const page = await pdfPage(signal);
    if (natural === null) {
      sized(page);
    }
    const wanted = deviceWidth();
    const drawn = await page.draw(wanted, signal, clip);
    if (signal.aborted) {
      emptyCanvas(drawn);
    } else {
      show(drawn, wanted);
    }
  }

  function sized({ width: whole, height }: Size): void {
    natural = { width: whole * (clip?.width ?? 1), height: height * (clip?.height ?? 1) };
    onSized();
  }

  async function openImage(signal: AbortSignal): Promise<void> {
    const image = await loadPageImage(source, services.convert, timeoutMs);
    if (!signal.aborted) {
      sized(image);
      if (clip !== undefined) {
        cut(image.element, clip);
      }
      picture.replaceChildren(image.element);
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
          layText();
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

  function layText(): void {
    if (layer === null || layer.laid() !== null) {
      return;
    }
    textWork.abort();
    textWork = new AbortController();
    const { signal } = textWork;
    const start = (): void => {
      if (signal.aborted) {
        return;
      }
      pdfPage(signal)
        .then((page) => layer.lay(page, signal))
        .then(
          () => (signal.aborted ? undefined : services.onText()),
          (error: unknown) => (signal.aborted ? undefined : log(`${name}, its text: ${String(error)}`)),
        );
    };
    requestIdleCallback(start, { timeout: TEXT_WITHIN_MS });
  }

  /** Draws anew when the drawn size is not the shown one; the old picture stays until the new one is there. */
  function refresh(): void {
    if (kind !== 'pdf' || state !== 'drawn' || drawnWidth === deviceWidth()) {
      return;
    }
    if (redraw !== null) {
      clearTimeout(redraw);
    }
    redraw = setTimeout(() => {
      redraw = null;
      if (state === 'drawn' && drawnWidth !== deviceWidth()) {
        run(drawPdf);
      }
    }, REDRAW_DELAY_MS);
  }

  function load(isSeen = false): void {
    wasSeen ||= isSeen;
    if (state !== 'idle') {
      return;
    }
    const kept = kind === 'pdf' && clip === undefined ? pictures.take(key) : null;
    if (kept !== null) {
      show(kept.canvas, kept.width);
      enter('drawn');
      if (natural === null) {
        sized(kept.natural);
      }
      layText();
      refresh();
      return;
    }
    enter('loading', 'Loading the page …');
    run(kind === 'image' ? openImage : drawPdf);
  }

  function release(): void {
    stopWaiting?.();
    stopWaiting = null;
    if (state === 'failed' && password.element.hidden) {
      return;
    }
    if (state !== 'idle') {
      work.abort();
      clearText();
      const keeps = wasSeen && state === 'drawn' && canvas !== null && natural !== null && clip === undefined;
      if (keeps && canvas !== null && natural !== null) {
        pictures.keep(key, { canvas, width: drawnWidth, natural });
      }
      clearPicture(keeps);
      pdf?.release();
      pdf = null;
      wasSeen = false;
      enter('idle');
    }
  }

  retry.addEventListener('click', () => {
    engine.forget(url);
    restart();
  });

  return {
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
      layer?.layout(width);
      refresh();
      return { width, height };
    },
    load,
    release,
    text: () => layer?.laid() ?? null,
  };
}

export function usualWidth(): number {
  return USUAL.width;
}
