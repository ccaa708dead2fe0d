/**
 * PDF pages through pdf.js under the tightest policy that works in a VS Code webview: the worker's source is part of this
 * bundle and runs from a blob; fonts, character maps and decoders are fetched by this page and handed over, because
 * a worker that imports resources itself hangs there. Nothing may fail silently: a dead worker and one that does not
 * answer are both told.
 */
import { getDocument, PasswordResponses, PDFWorker, TextLayer, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { PDFDocumentLoadingTask, PDFDocumentProxy, PDFPageProxy, RenderTask } from 'pdfjs-dist';
import { deadline } from './deadline.ts';
import type { Clip } from './judging.ts';

/** Text of pdf.js's worker, put in by scripts/build-preview.mjs. */
declare const PDF_WORKER_SOURCE: string;

/** CSS px per PDF point at 100 %. */
export const PX_PER_POINT = 96 / 72;
/** Larger canvases than this many device px are drawn smaller and stretched: a page must not cost a gigabyte. */
const MAX_CANVAS_AREA = 24e6;

/** After so many pages were let go, the worker's own memory of the document (fonts, pictures) is emptied. */
const TIDY_AFTER = 24;

const WHOLE: Clip = { left: 0, top: 0, width: 1, height: 1 };

/** A piece of the page's text as the PDF draws it, in the order of the file. */
export interface TextPiece {
  readonly text: string;
  /** A line ends behind it. */
  readonly endsLine: boolean;
}

/** The page's text as elements that can be selected; one for each piece, some of them empty and not in the page. */
export interface LaidText {
  readonly pieces: readonly TextPiece[];
  readonly elements: readonly HTMLElement[];
}

export interface PdfPage {
  /** CSS px at 100 %, after rotation and crop. */
  readonly width: number;
  readonly height: number;
  /** Draws the page, or a part of it, `width` device px wide into a new canvas. */
  draw(width: number, signal: AbortSignal, clip?: Clip): Promise<HTMLCanvasElement>;
  /**
   * Puts the page's text into `container`, invisible and in place, to be selected. The container's `--total-scale-factor` says
   * how many CSS px a PDF unit is shown as; `unitsAcross` of them make the page's width as displayed.
   */
  layText(container: HTMLElement, signal: AbortSignal): Promise<LaidText>;
  readonly unitsAcross: number;
  /** Lets go of what drawing keeps in memory. */
  release(): void;
}

/** The document wants a password. `wrong`: the one that was given is not it. */
export interface PasswordNeeded extends Error {
  readonly needsPassword: true;
  readonly wrong: boolean;
}

export function isPasswordNeeded(error: unknown): error is PasswordNeeded {
  return error instanceof Error && 'needsPassword' in error;
}

export interface PdfEngine {
  /** `pageIndex` is 0-based. Rejects with words for people. */
  page(url: string, pageIndex: number): Promise<PdfPage>;
  /** Starts the reader while the first record is still on its way: most records have a PDF, and it takes longer than that. */
  warm(): void;
  /** Begins to open a document that will be needed. */
  prepare(url: string): void;
  /** The text of a page that need not be drawn. */
  text(url: string, pageIndex: number): Promise<readonly TextPiece[]>;
  /** Tries a password for a document that wants one. It is handed to the reader of this document and kept nowhere. */
  unlock(url: string, password: string): Promise<void>;
  /** Called when a document was opened by its password. Returns what ends it. */
  onUnlocked(listener: (url: string) => void): () => void;
  /** Documents that are not in `urls` are closed. */
  keep(urls: ReadonlySet<string>): void;
  /** Forgets what failed for this document, and a worker that failed, so that the next try starts clean. */
  forget(url: string): void;
}

interface Opening {
  document: Promise<PDFDocumentProxy>;
  task: PDFDocumentLoadingTask | null;
  /** Hands pdf.js the password that it is waiting for. */
  answer: ((password: string) => void) | null;
  /** Pages being drawn or read: nothing may be tidied up under them. */
  busy: number;
  /** How many hold a page, by its 0-based index. */
  readonly holders: Map<number, number>;
  /** Pages let go since it was last tidied up. */
  released: number;
  tidying: Promise<void>;
}

interface Running {
  readonly worker: PDFWorker;
  readonly thread: Worker;
  readonly failed: Promise<never>;
  readonly documents: Map<string, Opening>;
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
      return new Error('This PDF is protected by a password that does not open it here.');
    case 'InvalidPDFException':
    case 'FormatError':
      return new Error(`This file is not a readable PDF (${message.replace(/\.$/u, '')}).`);
    default:
      return error instanceof Error ? error : new Error(message);
  }
}

function passwordNeeded(wrong: boolean): PasswordNeeded {
  const words = wrong ? 'This password does not open the PDF.' : 'This PDF is protected by a password.';
  return Object.assign(new Error(words), { needsPassword: true as const, wrong });
}

function piecesOf(items: readonly object[]): readonly TextPiece[] {
  return items.flatMap((item) =>
    'str' in item && typeof item.str === 'string'
      ? { text: item.str, endsLine: 'hasEOL' in item && item.hasEOL === true }
      : [],
  );
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

/** The same for what is searched and what is laid over the page: pieces are counted. */
const TEXT = { includeMarkedContent: false, disableNormalization: true };

/** `resources` ends with a slash and holds cmaps/, standard_fonts/, wasm/ and iccs/. `timeoutMs` bounds every single step. */
export function createPdfEngine(resources: string, timeoutMs: number, log: (message: string) => void): PdfEngine {
  let running: Running | null = null;
  const retried = new Set<string>();
  const unlocked = new Set<(url: string) => void>();

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

  async function load(on: Running, url: string, opening: Opening): Promise<PDFDocumentProxy> {
    const data = await deadline(
      fetchBytes(url, retried.has(url)),
      timeoutMs,
      () => new Error(`The PDF did not arrive within ${timeoutMs / 1000} s.`),
    );
    opening.task = getDocument({
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
    return attempt(on, opening, opening.task);
  }

  /** Settles when the document is open, or as soon as it wants another password: people take longer than a time limit. */
  function attempt(on: Running, opening: Opening, task: PDFDocumentLoadingTask): Promise<PDFDocumentProxy> {
    const locked = new Promise<never>((_resolve, reject) => {
      task.onPassword = (answer: (password: string) => void, reason: number) => {
        opening.answer = answer;
        reject(passwordNeeded(reason === PasswordResponses.INCORRECT_PASSWORD));
      };
    });
    return within(on, Promise.race([task.promise, locked]), 'opening the document');
  }

  function settle(opening: Opening, document: Promise<PDFDocumentProxy>): void {
    opening.document = document.catch((error: unknown) => {
      throw explain(error);
    });
    opening.document.catch(() => undefined);
  }

  function open(on: Running, url: string): Opening {
    const known = on.documents.get(url);
    if (known) {
      return known;
    }
    const opening: Opening = {
      document: new Promise(() => undefined),
      task: null,
      answer: null,
      busy: 0,
      holders: new Map(),
      released: 0,
      tidying: Promise.resolve(),
    };
    settle(opening, load(on, url, opening));
    on.documents.set(url, opening);
    return opening;
  }

  /** Runs what must not be disturbed by tidying up. */
  async function busyWith<T>(opening: Opening, work: () => Promise<T>): Promise<T> {
    await opening.tidying;
    opening.busy += 1;
    try {
      return await work();
    } finally {
      opening.busy -= 1;
    }
  }

  /** Returns what lets go of the page: what drawing it keeps in memory goes with the last who holds it. */
  function hold(on: Running, opening: Opening, pageIndex: number, page: PDFPageProxy): () => void {
    const { holders } = opening;
    holders.set(pageIndex, (holders.get(pageIndex) ?? 0) + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) {
        return;
      }
      isHeld = false;
      const others = (holders.get(pageIndex) ?? 1) - 1;
      holders.set(pageIndex, others);
      if (others === 0) {
        page.cleanup();
        tidy(on, opening);
      }
    };
  }

  /** What pages share stays in the worker for as long as the document is open; whoever leafs through it all would fill the memory. */
  function tidy(on: Running, opening: Opening): void {
    opening.released += 1;
    if (opening.released < TIDY_AFTER || opening.busy > 0) {
      return;
    }
    opening.released = 0;
    const done = opening.document.then((document) => within(on, document.cleanup(), 'tidying up'));
    opening.tidying = done.then(
      () => undefined,
      (error: unknown) => log(`Tidying up: ${explain(error).message}`),
    );
  }

  async function getPage(on: Running, opening: Opening, pageIndex: number): Promise<PDFPageProxy> {
    const document = await opening.document;
    if (pageIndex < 0 || pageIndex >= document.numPages) {
      const has = document.numPages === 1 ? 'only one page' : `${document.numPages} pages`;
      throw new Error(`The PDF has ${has}; page ${pageIndex + 1} is not among them.`);
    }
    return within(on, document.getPage(pageIndex + 1), 'reading a page').catch((error: unknown) => {
      throw explain(error);
    });
  }

  async function layText(
    on: Running,
    page: PDFPageProxy,
    container: HTMLElement,
    signal: AbortSignal,
  ): Promise<LaidText> {
    const content = await within(on, page.getTextContent(TEXT), 'reading the text of a page');
    signal.throwIfAborted();
    const layer = new TextLayer({ textContentSource: content, container, viewport: page.getViewport({ scale: 1 }) });
    await layer.render();
    return { pieces: piecesOf(content.items), elements: layer.textDivs };
  }

  function close(on: Running, url: string): void {
    const known = on.documents.get(url);
    on.documents.delete(url);
    const task = known?.task;
    if (task) {
      // Nobody is asked for a password any more.
      task.onPassword = () => undefined;
      task.destroy().catch(() => undefined);
    }
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
      const opening = open(on, url);
      const page = await getPage(on, opening, pageIndex);
      const base = page.getViewport({ scale: PX_PER_POINT });
      const { pageWidth, pageHeight } = base.rawDims as { pageWidth: number; pageHeight: number };
      return {
        width: base.width,
        height: base.height,
        unitsAcross: base.rotation % 180 === 0 ? pageWidth : pageHeight,
        draw: (width, signal, clip) => busyWith(opening, () => draw(on, page, width, signal, clip)),
        layText: (container, signal) => busyWith(opening, () => layText(on, page, container, signal)),
        release: hold(on, opening, pageIndex, page),
      };
    },
    warm: () => {
      engine();
    },
    prepare: (url) => {
      open(engine(), url);
    },
    async text(url, pageIndex) {
      const on = engine();
      const opening = open(on, url);
      return busyWith(opening, async () => {
        const page = await getPage(on, opening, pageIndex);
        const content = await within(on, page.getTextContent(TEXT), 'reading the text of a page');
        return piecesOf(content.items);
      });
    },
    async unlock(url, password) {
      const on = engine();
      const opening = open(on, url);
      const { task, answer } = opening;
      if (task === null || answer === null) {
        // The reader was started anew since: it asks again.
        await opening.document;
        return;
      }
      opening.answer = null;
      settle(opening, attempt(on, opening, task));
      answer(password);
      await opening.document;
      for (const listener of [...unlocked]) {
        listener(url);
      }
    },
    onUnlocked(listener) {
      unlocked.add(listener);
      return () => {
        unlocked.delete(listener);
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
