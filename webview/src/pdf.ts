/**
 * PDF pages through pdf.js under the tightest policy that works in a VS Code webview: the worker's source is part of this
 * bundle and runs from a blob; fonts, character maps and decoders are fetched by this page and handed over, because
 * a worker that imports resources itself hangs there. Nothing may fail silently: a dead worker and one that does not
 * answer are both told.
 */
import { getDocument, PDFWorker, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { PDFDocumentLoadingTask, PDFDocumentProxy, PDFPageProxy, RenderTask } from 'pdfjs-dist';
import { deadline } from './deadline.ts';
import type { Clip } from './judging.ts';

/** Text of pdf.js's worker, put in by scripts/build-preview.mjs. */
declare const PDF_WORKER_SOURCE: string;

/** CSS px per PDF point at 100 %. */
export const PX_PER_POINT = 96 / 72;
/** Larger canvases than this many device px are drawn smaller and stretched: a page must not cost a gigabyte. */
const MAX_CANVAS_AREA = 24e6;

const WHOLE: Clip = { left: 0, top: 0, width: 1, height: 1 };

export interface PdfPage {
  /** CSS px at 100 %, after rotation and crop. */
  readonly width: number;
  readonly height: number;
  /** Draws the page, or a part of it, `width` device px wide into a new canvas. */
  draw(width: number, signal: AbortSignal, clip?: Clip): Promise<HTMLCanvasElement>;
  /** Lets go of what drawing keeps in memory. */
  release(): void;
}

export interface PdfEngine {
  /** `pageIndex` is 0-based. Rejects with words for people. */
  page(url: string, pageIndex: number): Promise<PdfPage>;
  /** Documents that are not in `urls` are closed. */
  keep(urls: ReadonlySet<string>): void;
  /** Forgets what failed for this document, and a worker that failed, so that the next try starts clean. */
  forget(url: string): void;
}

interface Running {
  readonly worker: PDFWorker;
  readonly thread: Worker;
  readonly failed: Promise<never>;
  readonly documents: Map<
    string,
    { readonly task: PDFDocumentLoadingTask | null; readonly document: Promise<PDFDocumentProxy> }
  >;
  broken: boolean;
}

function start(log: (message: string) => void): Running {
  const address = URL.createObjectURL(new Blob([PDF_WORKER_SOURCE], { type: 'text/javascript' }));
  const thread = new Worker(address, { type: 'module' });
  let fail: (reason: Error) => void = () => undefined;
  const failed = new Promise<never>((_resolve, reject) => (fail = reject));
  failed.catch(() => undefined);
  const running: Running = {
    worker: new PDFWorker({ port: thread as unknown as null, verbosity: VerbosityLevel.ERRORS }),
    thread,
    failed,
    documents: new Map(),
    broken: false,
  };
  thread.addEventListener('error', (event) => {
    running.broken = true;
    log(`The PDF worker failed: ${event.message || 'it could not be started'}`);
    fail(new Error('The PDF reader stopped working.'));
  });
  thread.addEventListener('message', () => URL.revokeObjectURL(address), { once: true });
  return running;
}

/** Words for what pdf.js or the fetch reports. */
function explain(error: unknown): Error {
  const { name, message } = error instanceof Error ? error : { name: '', message: String(error) };
  switch (name) {
    case 'PasswordException':
      return new Error('This PDF is protected by a password.');
    case 'InvalidPDFException':
    case 'FormatError':
      return new Error(`This file is not a readable PDF (${message.replace(/\.$/u, '')}).`);
    default:
      return error instanceof Error ? error : new Error(message);
  }
}

async function fetchBytes(url: string, fresh: boolean): Promise<Uint8Array> {
  let response: Response;
  try {
    response = await fetch(url, fresh ? { cache: 'reload' } : {});
  } catch {
    throw new Error('The PDF could not be fetched.');
  }
  if (!response.ok) {
    throw new Error(
      response.status === 404
        ? 'The PDF is not there any more.'
        : `The PDF could not be fetched (status ${response.status}).`,
    );
  }
  return new Uint8Array(await response.arrayBuffer());
}

/** `resources` ends with a slash and holds cmaps/, standard_fonts/, wasm/ and iccs/. `timeoutMs` bounds every single step. */
export function createPdfEngine(resources: string, timeoutMs: number, log: (message: string) => void): PdfEngine {
  let running: Running | null = null;
  const retried = new Set<string>();

  function engine(): Running {
    if (running === null || running.broken) {
      running = start(log);
    }
    return running;
  }

  function within<T>(on: Running, work: Promise<T>, what: string): Promise<T> {
    return deadline(Promise.race([work, on.failed]), timeoutMs, () => {
      on.broken = true;
      on.thread.terminate();
      const words = `The PDF reader did not answer within ${timeoutMs / 1000} s (${what}).`;
      log(words);
      return new Error(words);
    });
  }

  async function load(
    on: Running,
    url: string,
    started: (task: PDFDocumentLoadingTask) => void,
  ): Promise<PDFDocumentProxy> {
    const data = await deadline(
      fetchBytes(url, retried.has(url)),
      timeoutMs,
      () => new Error(`The PDF did not arrive within ${timeoutMs / 1000} s.`),
    );
    const task = getDocument({
      data,
      worker: on.worker,
      useWorkerFetch: false,
      disableWorkerRendering: true,
      cMapUrl: `${resources}cmaps/`,
      cMapPacked: true,
      standardFontDataUrl: `${resources}standard_fonts/`,
      wasmUrl: `${resources}wasm/`,
      iccUrl: `${resources}iccs/`,
      verbosity: VerbosityLevel.ERRORS,
    });
    started(task);
    return within(on, task.promise, 'opening the document');
  }

  function open(on: Running, url: string): Promise<PDFDocumentProxy> {
    const known = on.documents.get(url);
    if (known) {
      return known.document;
    }
    const document = load(on, url, (task) => on.documents.set(url, { task, document })).catch((error: unknown) => {
      throw explain(error);
    });
    on.documents.set(url, { task: null, document });
    document.catch(() => undefined);
    return document;
  }

  function close(on: Running, url: string): void {
    const known = on.documents.get(url);
    on.documents.delete(url);
    known?.task?.destroy().catch(() => undefined);
  }

  async function draw(
    on: Running,
    page: PDFPageProxy,
    width: number,
    signal: AbortSignal,
    clip: Clip = WHOLE,
  ): Promise<HTMLCanvasElement> {
    const base = page.getViewport({ scale: 1 });
    const part = { width: base.width * clip.width, height: base.height * clip.height };
    const scale = Math.min(width / part.width, Math.sqrt(MAX_CANVAS_AREA / (part.width * part.height)));
    const offset = { offsetX: -clip.left * base.width * scale, offsetY: -clip.top * base.height * scale };
    const viewport = page.getViewport({ scale, ...offset });
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(part.width * scale));
    canvas.height = Math.max(1, Math.round(part.height * scale));
    const task: RenderTask = page.render({ canvas, viewport });
    const cancel = (): void => task.cancel();
    signal.addEventListener('abort', cancel);
    try {
      await within(on, task.promise, 'drawing a page');
      return canvas;
    } catch (error) {
      canvas.width = 0;
      throw explain(error);
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  return {
    async page(url, pageIndex) {
      const on = engine();
      const document = await open(on, url);
      if (pageIndex < 0 || pageIndex >= document.numPages) {
        const has = document.numPages === 1 ? 'only one page' : `${document.numPages} pages`;
        throw new Error(`The PDF has ${has}; page ${pageIndex + 1} is not among them.`);
      }
      const page = await within(on, document.getPage(pageIndex + 1), 'reading a page').catch((error: unknown) => {
        throw explain(error);
      });
      const base = page.getViewport({ scale: PX_PER_POINT });
      return {
        width: base.width,
        height: base.height,
        draw: (width, signal, clip) => draw(on, page, width, signal, clip),
        release: () => {
          page.cleanup();
        },
      };
    },
    keep(urls) {
      if (running === null) {
        return;
      }
      for (const url of [...running.documents.keys()]) {
        if (!urls.has(url)) {
          close(running, url);
        }
      }
    },
    forget(url) {
      retried.add(url);
      if (running !== null) {
        close(running, url);
      }
    },
  };
}
