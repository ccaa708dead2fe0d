/** Entry of the thread that reads PDFs, so that neither a slow nor a broken one holds up its host. */
import { readFile } from 'node:fs/promises';
import { parentPort } from 'node:worker_threads';
import { describeError, errorCode } from '../files/errors.ts';
import type { PageSize, PageText } from '../../core/ports.ts';
import { readInk } from './image-ink.ts';
import { readPicture } from './image-picture.ts';
import { ImageFault, ImageTooLarge } from './image-size.ts';
import { readPageText, readPlainText } from './page-text.ts';
import type { PageAnswers, PageTask, PdfAnswer, PdfQuestion, Sizes } from './pdf-messages.ts';

if (parentPort === null) throw new Error('pdf-worker is started as a worker thread');
const port = parentPort;
const answer = (message: PdfAnswer): void => port.postMessage(message);

// pdf.js looks for its worker half here and then starts no further thread.
const workerHalf = await import('pdfjs-dist/legacy/build/pdf.worker.mjs');
Object.assign(globalThis, { pdfjsWorker: workerHalf });
const pdfjs = await import('pdfjs-dist/legacy/build/pdf.mjs');

port.on('message', ({ id, task }: PdfQuestion) => {
  void perform(task).then(
    (value) => answer({ kind: 'done', id, value }),
    (error: unknown) =>
      answer({ kind: 'unreadable', id, reason: reasonOf(error), isLimit: error instanceof ImageTooLarge }),
  );
});
answer({ kind: 'ready' });

type PDFDocumentProxy = Awaited<ReturnType<typeof pdfjs.getDocument>['promise']>;

class PdfFault extends Error {}

async function perform(task: PageTask): Promise<PageAnswers[PageTask['kind']]> {
  switch (task.kind) {
    case 'sizes':
      return readSizes(task.path);
    case 'ink':
      return readInk(task.path);
    case 'picture':
      return readPicture(task.path);
    case 'text': {
      const document = await keptOpen(task.path, task.version);
      const texts: (PageText | null)[] = [];
      for (const index of task.pages) texts.push(await pageText(document, index).catch(() => null));
      return texts;
    }
    case 'plain': {
      const document = await keptOpen(task.path, task.version);
      const texts: string[] = [];
      for (const index of task.pages) {
        const page = await document.getPage(index + 1);
        texts.push(await readPlainText(page));
        page.cleanup();
      }
      return texts;
    }
  }
}

async function pageText(document: PDFDocumentProxy, index: number): Promise<PageText> {
  const page = await document.getPage(index + 1);
  const text = await readPageText(page, pdfjs.OPS);
  page.cleanup();
  return text;
}

async function open(path: string): Promise<ReturnType<typeof pdfjs.getDocument>> {
  const bytes = await readFile(path);
  checkHead(bytes);
  return pdfjs.getDocument({
    data: new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    verbosity: pdfjs.VerbosityLevel.ERRORS,
    useWorkerFetch: false,
    useSystemFonts: false,
    disableFontFace: true,
  });
}

/** Pages of one document are asked for one after the other: it stays open until another one is wanted. */
let kept: { readonly key: string; readonly task: ReturnType<typeof pdfjs.getDocument> } | undefined;

async function keptOpen(path: string, version: string): Promise<PDFDocumentProxy> {
  const key = `${path}\n${version}`;
  if (kept?.key !== key) {
    const last = kept;
    kept = undefined;
    await last?.task.destroy();
    kept = { key, task: await open(path) };
  }
  return kept.task.promise;
}

async function readSizes(path: string): Promise<Sizes> {
  const task = await open(path);
  try {
    const document = await task.promise;
    const pages: PageSize[] = [];
    for (let number = 1; number <= document.numPages; number++) {
      // The viewport is the CropBox within the MediaBox, turned as the page says, in units of 1/72 inch.
      const { width, height } = (await document.getPage(number)).getViewport({ scale: 1 });
      pages.push({ width, height });
    }
    if (pages.length === 0) throw new PdfFault('is damaged: it has no pages');
    // Labels are an extra: a fault in them does not make the document unreadable.
    return { pages, labels: await document.getPageLabels().catch(() => null) };
  } finally {
    await task.destroy();
  }
}

/** Files that are no PDF at all are told apart before pdf.js tries to repair them. */
function checkHead(bytes: Buffer): void {
  if (bytes.length === 0) throw new PdfFault('is empty');
  const head = bytes.subarray(0, 1024).toString('latin1');
  if (head.includes('%PDF-')) return;
  if (head.startsWith('version https://git-lfs')) {
    throw new PdfFault('is a Git LFS pointer; the document itself was not fetched');
  }
  if (/^\s*<(?:!doctype html|html)/i.test(head)) throw new PdfFault('is an HTML page and no PDF');
  throw new PdfFault('is no PDF: it does not begin with %PDF-');
}

function reasonOf(error: unknown): string {
  if (error instanceof PdfFault || error instanceof ImageFault) return error.message;
  if (errorCode(error) !== undefined) return describeError(error);
  const name = error instanceof Error ? error.name : '';
  const message = error instanceof Error ? error.message : String(error);
  if (name === 'PasswordException') return 'is encrypted and needs a password';
  return `is damaged: ${message.replace(/\.$/, '')}`;
}
