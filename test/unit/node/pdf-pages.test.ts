/** Pages that PDFium draws are those that pdf.js speaks of: size, rotation, CropBox, and where things stand. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { PDFDocument, PDFName, PDFNumber, rgb } from 'pdf-lib';
import { extentOf } from '../../../server/src/core/evidence/geometry.ts';
import type { Pixels } from '../../../server/src/core/page/ink.ts';
import type { DocumentReader, PageSize } from '../../../server/src/core/ports.ts';
import { createPdfPages } from '../../../server/src/node/crops/pdf-pages.ts';
import { createDocumentReader } from '../../../server/src/node/pages/document-reader.ts';
import { MARK, markedPdf } from '../../browser/documents.ts';
import type { MarkedPdfOptions, Place } from '../../browser/documents.ts';
import { jpeg2000Pdf, labelledPdf, lockedPdf, truncatedPdf } from '../../browser/special-documents.ts';

const A4 = [595.28, 841.89] as const;
const DPIS = process.env['SOAK'] === '1' ? [72, 77, 144, 200, 300] : [100];

/** Of all pixels near the mark's colour; right and bottom are exclusive. */
function markIn({ width, height, data }: Pixels): readonly number[] {
  let [left, top, right, bottom] = [width, height, 0, 0];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 3;
      if (!MARK.every((value, channel) => Math.abs(data[at + channel]! - value) < 100)) continue;
      [left, top] = [Math.min(left, x), Math.min(top, y)];
      [right, bottom] = [Math.max(right, x + 1), Math.max(bottom, y + 1)];
    }
  }
  return [left, top, right, bottom];
}

describe('PDF pages as pictures', () => {
  const pages = createPdfPages();
  let folder: string;
  let reader: DocumentReader;
  let count = 0;

  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'auditable-qa-pdf-'));
    reader = createDocumentReader({
      worker: new URL('../../../server/src/node/pages/pdf-worker.ts', import.meta.url),
    });
  });
  after(async () => {
    await reader.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  async function put(bytes: Uint8Array): Promise<string> {
    const file = path.join(folder, `${count++}.pdf`);
    await writeFile(file, bytes);
    return file;
  }

  /** As pdf.js says them. */
  async function sizesOf(file: string): Promise<readonly PageSize[]> {
    const { pdf } = await reader.read({ name: 'a', pdf: [file], images: new Map() });
    assert.ok(pdf?.state === 'ok');
    return pdf.pages;
  }

  async function draw(file: string, index: number, dpi: number, points: PageSize): Promise<Pixels> {
    const size = extentOf({ space: 'pixel', dpi, order: 'xyxy', origin: 'top-left' }, { points })!;
    const pixels = await pages.draw({ path: file, index, points, size, dpi }, '1');
    assert.deepEqual([pixels.width, pixels.height, pixels.channels], [size.width, size.height, 3]);
    return pixels;
  }

  function assertMark(pixels: Pixels, mark: Place, points: PageSize, dpi: number): void {
    const [width, height] = [(points.width * dpi) / 72, (points.height * dpi) / 72];
    const wanted = [mark.left, mark.top, mark.left + mark.width, mark.top + mark.height];
    const found = markIn(pixels);
    for (const [i, edge] of wanted.entries()) {
      const at = edge * (i % 2 === 0 ? width : height);
      assert.ok(Math.abs(found[i]! - at) < 1, `${found.join(' ')}: edge ${i} is not at ${at}`);
    }
  }

  const KINDS: Readonly<Record<string, MarkedPdfOptions>> = {
    'a page': {},
    'an A4 page': { size: A4 },
    'an A4 page turned by 90°': { size: A4, rotation: 90 },
    'an A4 page turned by 180°': { size: A4, rotation: 180 },
    'a page turned by 270°': { rotation: 270 },
    'a page with a CropBox': { cropped: true },
    'a page with a CropBox, turned by 90°': { cropped: true, rotation: 90 },
    'an A4 page with a CropBox, turned by 270°': { cropped: true, rotation: 270, size: A4 },
  };
  for (const [name, options] of Object.entries(KINDS)) {
    for (const dpi of DPIS) {
      it(`${name} at ${dpi} dpi has its mark within a pixel`, async () => {
        const { bytes, mark } = await markedPdf(options);
        const file = await put(bytes);
        const [points] = await sizesOf(file);
        assertMark(await draw(file, 0, dpi, points!), mark, points!, dpi);
      });
    }
  }

  it('a page in a UserUnit of two points is twice as large, as pdf.js has it', async () => {
    const document = await PDFDocument.create();
    const page = document.addPage([200, 100]);
    page.drawRectangle({ x: 50, y: 20, width: 100, height: 40, color: rgb(1, 0, 1) });
    page.node.set(PDFName.of('UserUnit'), PDFNumber.of(2));
    const file = await put(await document.save());
    const [points] = await sizesOf(file);
    assert.deepEqual(points, { width: 400, height: 200 });
    assertMark(await draw(file, 0, 72, points!), { left: 0.25, top: 0.4, width: 0.5, height: 0.4 }, points!, 72);
  });

  it('pages of several sizes, one of them turned, each have their own', async () => {
    const file = await put(await labelledPdf(4));
    const sizes = await sizesOf(file);
    assert.deepEqual(
      sizes.map(({ width, height }) => [width, height]),
      [
        [612, 792],
        [792, 612],
        [792, 612],
        [612, 792],
      ],
    );
    for (const index of [3, 1, 2]) {
      const { data } = await draw(file, index, 50, sizes[index]!);
      assert.ok(
        data.some((value) => value < 100),
        'something stands on it',
      );
    }
  });

  it('a JPEG 2000 picture and a file whose table of objects is lost are drawn', async () => {
    for (const bytes of [await jpeg2000Pdf(), await truncatedPdf()]) {
      const file = await put(bytes);
      const [points] = await sizesOf(file);
      const pixels = await draw(file, 0, 72, points!);
      assert.deepEqual(markIn(pixels), [0, 0, pixels.width, pixels.height]);
    }
  });

  it('what cannot be drawn says why, and the next one is drawn', async () => {
    const points = { width: 200, height: 200 };
    await assert.rejects(draw(await put(lockedPdf()), 0, 72, points), { message: 'is encrypted and needs a password' });
    await assert.rejects(draw(await put(Buffer.from('%PDF-1.7\nnothing')), 0, 72, points), { message: /^is damaged/ });
    const good = await put(await jpeg2000Pdf());
    await assert.rejects(draw(good, 7, 72, points), { message: /^is damaged: PDFium cannot read the page$/ });
    await assert.rejects(draw(good, 0, 72, { width: 200, height: 300 }), { message: /do not agree$/ });
    await assert.rejects(draw(good, 0, 2400, { width: 14_400, height: 14_400 }), { message: /too large to be drawn$/ });
    await assert.rejects(draw(path.join(folder, 'none.pdf'), 0, 72, points), { code: 'ENOENT' });
    assert.equal((await draw(good, 0, 72, points)).width, 200);
  });
});
