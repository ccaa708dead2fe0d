/**
 * Pages of PDFs as pictures, by PDFium in WebAssembly: pdf.js draws on a canvas only, which Node does not have. It reads
 * from memory and reaches no file and no network.
 */
import { readFile } from 'node:fs/promises';
import { PDFiumModule } from '@hyzyla/pdfium';
import type { PDFium } from '@hyzyla/pdfium';
import type { Extent } from '../../core/evidence/geometry.ts';
import type { Pixels } from '../../core/page/ink.ts';
import { errorCode } from '../files/errors.ts';
import { ImageFault } from '../pages/image-size.ts';
import { MOST_MEGAPIXELS } from '../pages/image-ink.ts';

export interface PdfPages {
  /**
   * A page by its 0-based index. `points`: its size as displayed, as pdf.js says it; `size`: of the picture, which is that
   * at `dpi`, rounded up. `version`: of the file. Rejects with `ImageFault` or a file system error.
   */
  draw(page: PdfPage, version: string): Promise<Pixels>;
}

export interface PdfPage {
  readonly path: string;
  readonly index: number;
  readonly points: Extent;
  readonly size: Extent;
  readonly dpi: number;
}

/** Annotations are drawn; letters are smoothed in grey, not for one kind of screen. */
const ANNOTATIONS = 0x01;
/** Blue, green, red and a byte that means nothing. */
const BGRX = 3;
const WHITE = 0xffffffff;
const PASSWORD = 4;
const SECURITY = 5;
/** How far the two engines may be apart in the shape of a page. */
const SAME_SHAPE = 0.01;

interface Opened {
  readonly key: string;
  readonly document: number;
  /** The file's bytes, which PDFium goes on reading. */
  readonly bytes: number;
}

export function createPdfPages(): PdfPages {
  let module: PDFium | undefined;
  let opened: Opened | undefined;

  /** Pages of one document follow each other: it stays open until another one is wanted. */
  async function open(pdfium: PDFium, path: string, version: string): Promise<number> {
    const key = `${path}\n${version}`;
    if (opened?.key === key) return opened.document;
    close(pdfium);
    const file = await readFile(path);
    const bytes = allocate(pdfium, file.length);
    pdfium.HEAPU8.set(file, bytes);
    const document = pdfium._FPDF_LoadMemDocument(bytes, file.length, 0);
    if (document === 0) {
      const code = pdfium._FPDF_GetLastError();
      pdfium.wasmExports.free(bytes);
      if (code === PASSWORD || code === SECURITY) throw new ImageFault('is encrypted and needs a password');
      throw new ImageFault('is damaged: PDFium cannot open it');
    }
    opened = { key, document, bytes };
    return document;
  }

  function close(pdfium: PDFium): void {
    if (opened === undefined) return;
    pdfium._FPDF_CloseDocument(opened.document);
    pdfium.wasmExports.free(opened.bytes);
    opened = undefined;
  }

  async function draw(page: PdfPage, version: string): Promise<Pixels> {
    const { width, height } = page.size;
    if (width * height > MOST_MEGAPIXELS.PNG * 1_000_000) {
      throw new ImageFault(
        `has a page of ${width} × ${height} pixels at ${page.dpi} dpi, which is too large to be drawn`,
      );
    }
    module ??= await load();
    const document = await open(module, page.path, version);
    const handle = module._FPDF_LoadPage(document, page.index);
    if (handle === 0) throw new ImageFault('is damaged: PDFium cannot read the page');
    try {
      return drawPage(module, handle, page);
    } finally {
      module._FPDF_ClosePage(handle);
    }
  }

  return {
    async draw(page, version) {
      try {
        return await draw(page, version);
      } catch (error) {
        if (error instanceof ImageFault || errorCode(error) !== undefined) throw error;
        // It has run out of memory, or into a fault of its own: what it holds is of no use any more.
        module = opened = undefined;
        throw new ImageFault(
          `cannot be drawn: ${(error instanceof Error ? error.message : String(error)).split('\n', 1)[0]}`,
        );
      }
    },
  };
}

function drawPage(pdfium: PDFium, page: number, { points, size, dpi }: PdfPage): Pixels {
  const { width, height } = size;
  const own = { width: pdfium._FPDF_GetPageWidth(page), height: pdfium._FPDF_GetPageHeight(page) };
  const shapes = [own.width / own.height, points.width / points.height] as const;
  if (!(own.width >= 1 && own.height >= 1) || Math.abs(shapes[0] / shapes[1] - 1) > SAME_SHAPE) {
    throw new ImageFault('has a page on whose size PDFium and pdf.js do not agree');
  }
  const stride = width * 4;
  const pixels = allocate(pdfium, stride * height);
  const numbers = allocate(pdfium, 10 * 4);
  const bitmap = pdfium._FPDFBitmap_CreateEx(width, height, BGRX, pixels, stride);
  try {
    if (bitmap === 0) throw new ImageFault('has a page for which there is not enough memory');
    pdfium._FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
    // A point is exactly dpi / 72 pixels, as other renderers have it: stretched to whole pixels, what stands at the end of a
    // page would be off by one. PDFium knows no UserUnit, which the size of pdf.js has in it.
    const x = (points.width * dpi) / 72 / own.width;
    const y = (points.height * dpi) / 72 / own.height;
    const floats = new Float32Array(pdfium.HEAPU8.buffer, numbers, 10);
    floats.set([x, 0, 0, y, 0, 0, 0, 0, width, height]);
    pdfium._FPDF_RenderPageBitmapWithMatrix(bitmap, page, numbers, numbers + 6 * 4, ANNOTATIONS);
    return { width, height, channels: 3, data: rgbOf(pdfium.HEAPU8.subarray(pixels, pixels + stride * height)) };
  } finally {
    if (bitmap !== 0) pdfium._FPDFBitmap_Destroy(bitmap);
    pdfium.wasmExports.free(numbers);
    pdfium.wasmExports.free(pixels);
  }
}

function rgbOf(bgrx: Uint8Array): Uint8Array {
  const rgb = new Uint8Array((bgrx.length / 4) * 3);
  for (let from = 0, to = 0; from < bgrx.length; from += 4) {
    rgb[to++] = bgrx[from + 2]!;
    rgb[to++] = bgrx[from + 1]!;
    rgb[to++] = bgrx[from]!;
  }
  return rgb;
}

function allocate(pdfium: PDFium, bytes: number): number {
  const at = pdfium.wasmExports.malloc(bytes);
  if (at === 0) throw new Error('there is not enough memory');
  return at;
}

async function load(): Promise<PDFium> {
  // The build lays it beside the worker; where TypeScript runs unbundled it is still in its package.
  const beside = new URL('./pdfium.wasm', import.meta.url);
  const file = await readFile(beside).catch((error: unknown) => {
    if (errorCode(error) !== 'ENOENT') throw error;
    return readFile(new URL(import.meta.resolve('@hyzyla/pdfium/pdfium.wasm')));
  });
  const wasmBinary = file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength) as ArrayBuffer;
  const quiet = (): void => undefined;
  const pdfium = await PDFiumModule({ wasmBinary, locateFile: () => '', print: quiet, printErr: quiet });
  pdfium._FPDF_InitLibrary();
  return pdfium;
}
