/** Page images of all kinds give the ink of the page as it is displayed; what cannot be decoded says why. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { decode } from 'fast-png';
import jpeg from 'jpeg-js';
import type { Browser } from 'playwright-core';
import { createChecker } from '../../../server/src/core/checker.ts';
import { inkOf } from '../../../server/src/core/page/ink.ts';
import type { Pixels } from '../../../server/src/core/page/ink.ts';
import { readPageFindings } from '../../../server/src/core/page/read.ts';
import type { DocumentReader, PageInk } from '../../../server/src/core/ports.ts';
import { createDocumentReader } from '../../../server/src/node/pages/document-reader.ts';
import { readInk } from '../../../server/src/node/pages/image-ink.ts';
import { ImageFault, readImageSize } from '../../../server/src/node/pages/image-size.ts';
import { turned } from '../../../server/src/node/pages/orientation.ts';
import type { Orientation } from '../../../server/src/node/pages/orientation.ts';
import { findChromium } from '../../../scripts/chromium.mjs';
import { launchChromium } from '../../support/chromium.ts';
import { settingsOf } from '../rules/support.ts';
import { drawnPage, HEIGHT, WIDTH } from './drawn-page.ts';
import { exifOf, jpegTurned, pngOf, pngTurned, tiffOf, webpTurned } from './image-files.ts';

const IMAGES = path.join(import.meta.dirname, 'images');
const DATA = path.resolve('../shared/data/sciegqa');
const WORKER = new URL('../../../server/src/node/pages/pdf-worker.ts', import.meta.url);
/** The marker of a baseline frame header, with its length. */
const FRAME = Buffer.from([0xff, 0xc0, 0, 17]);
const SOAKING = process.env['SOAK'] === '1';
const ORIENTATIONS: readonly Orientation[] = [1, 2, 3, 4, 5, 6, 7, 8];

const fixture = (name: string): string => path.join(IMAGES, name);

/** Bits that differ. */
function difference(a: Uint8Array, b: Uint8Array): number {
  assert.equal(a.length, b.length);
  let count = 0;
  for (let i = 0; i < a.length; i++) for (let bits = a[i]! ^ b[i]!; bits !== 0; bits &= bits - 1) count += 1;
  return count;
}

describe('page images', () => {
  let folder: string;
  const at = (name: string): string => path.join(folder, name);
  const drawn = inkOf(drawnPage());
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'auditable-qa-images-'));
  });
  after(() => rm(folder, { recursive: true }));

  async function inkOfBytes(bytes: Uint8Array): Promise<PageInk> {
    await writeFile(at('image'), bytes);
    return readInk(at('image'));
  }

  const EXACT = [
    ...['lzw-predictor.tif', 'tiled-lzw.tif', 'deflate.tif', 'planes.tif', 'palette.tif', 'palette2.tif', 'cmyk.tif'],
    ...['grey16.tif', 'grey-lzw-big.tif', 'lossless.webp'],
  ];
  for (const name of EXACT) {
    it(`have the very ink of the page: ${name}`, async () => {
      assert.deepEqual(await readInk(fixture(name)), drawn);
    });
  }

  for (const name of ['g3.tif', 'g3-2d.tif', 'g4.tif', 'g4-lsb.tif']) {
    it(`have the ink of the page, without its pale parts: ${name}`, async () => {
      const { bits, marks } = await readInk(fixture(name));
      assert.equal(difference(bits, drawn.bits), 0);
      for (const [i, mark] of marks.entries()) assert.equal(mark & ~drawn.marks[i]!, 0);
    });
  }

  const LOSSY = [
    ...['baseline.jpg', 'progressive.jpg', 'restart.jpg', 'grey.jpg', 'cmyk.jpg', 'ycck.jpg', 'jpeg.tif'],
    ...['tiled-jpeg.tif', 'lossy.webp'],
  ];
  for (const name of LOSSY) {
    it(`have the ink of the page but for some pixels at edges: ${name}`, async () => {
      const { width, height, bits, marks } = await readInk(fixture(name));
      assert.deepEqual([width, height], [WIDTH, HEIGHT]);
      assert.ok(difference(bits, drawn.bits) < 0.005 * WIDTH * HEIGHT, `${difference(bits, drawn.bits)} pixels`);
      // Ripples may spill into neighbouring squares.
      assert.ok(difference(marks, drawn.marks) < 0.1 * 8 * marks.length, `${difference(marks, drawn.marks)} squares`);
    });
  }

  it('are looked at on white paper where they are transparent', async () => {
    const opaque = drawnPage();
    const data = new Uint8Array(WIDTH * HEIGHT * 4);
    for (let i = 0; i < WIDTH * HEIGHT; i++) {
      const isWhite = [0, 1, 2].every((channel) => opaque.data[i * 3 + channel] === 255);
      // What is white becomes black that nobody sees.
      if (!isWhite) data.set([...opaque.data.subarray(i * 3, i * 3 + 3), 255], i * 4);
    }
    const transparent: Pixels = { width: WIDTH, height: HEIGHT, channels: 4, data };
    assert.deepEqual(await inkOfBytes(pngOf(transparent)), drawn);
    assert.deepEqual(await inkOfBytes(tiffOf(transparent, [[338, 3, 2]])), drawn);
    assert.deepEqual(await inkOfBytes(await webpOf(transparent, true)), drawn);
    const lossy = await inkOfBytes(await webpOf(transparent, false));
    assert.ok(difference(lossy.bits, drawn.bits) < 0.005 * WIDTH * HEIGHT);
    // A quarter of black on white is pale grey and no ink.
    const veil = new Uint8Array(WIDTH * HEIGHT * 4).fill(0);
    for (let i = 0; i < WIDTH * 20; i++) veil[i * 4 + 3] = 64;
    const veiled = await inkOfBytes(pngOf({ ...transparent, data: veil }));
    assert.ok(veiled.bits.every((byte) => byte === 0));
    assert.ok(veiled.marks.some((byte) => byte !== 0));
  });

  describe('that ask to be turned', () => {
    /** Where the pixel x, y of the stored image is shown: TIFF 6.0, Orientation. */
    const SHOWN: Readonly<
      Record<Orientation, (x: number, y: number, w: number, h: number) => readonly [number, number]>
    > = {
      1: (x, y) => [x, y],
      2: (x, y, w) => [w - 1 - x, y],
      3: (x, y, w, h) => [w - 1 - x, h - 1 - y],
      4: (x, y, _w, h) => [x, h - 1 - y],
      5: (x, y) => [y, x],
      6: (x, y, _w, h) => [h - 1 - y, x],
      7: (x, y, w, h) => [h - 1 - y, w - 1 - x],
      8: (x, y, w) => [y, w - 1 - x],
    };

    it('put each pixel where it is shown', () => {
      const [width, height] = [3, 2];
      const data = Uint8Array.from({ length: 12 }, (_, i) => i);
      for (const orientation of ORIENTATIONS) {
        const shown = turned({ width, height, channels: 2, data }, orientation);
        for (let y = 0; y < height; y++) {
          for (let x = 0; x < width; x++) {
            const [toX, toY] = SHOWN[orientation](x, y, width, height);
            const to = (toY * shown.width + toX) * 2;
            assert.deepEqual([...shown.data.subarray(to, to + 2)], [...data.subarray((y * 3 + x) * 2).subarray(0, 2)]);
          }
        }
      }
    });

    it('have the size and the ink of what is shown', async () => {
      const page = drawnPage();
      const jpegBytes = readFileSync(fixture('baseline.jpg'));
      const stored = await readInk(fixture('baseline.jpg'));
      for (const orientation of ORIENTATIONS) {
        const size = orientation >= 5 ? { width: HEIGHT, height: WIDTH } : { width: WIDTH, height: HEIGHT };
        const expected = inkOf(turned(page, orientation));
        const exact = [
          tiffOf(page, [[274, 3, orientation]]),
          pngTurned(pngOf(page), exifOf(orientation, orientation % 2 === 0)),
        ];
        for (const bytes of exact) {
          assert.deepEqual(await inkOfBytes(bytes), expected);
          assert.deepEqual(await readImageSize(at('image')), size);
        }
        const ink = await inkOfBytes(jpegTurned(jpegBytes, exifOf(orientation, orientation % 2 === 1)));
        assert.deepEqual(await readImageSize(at('image')), size);
        assert.deepEqual([ink.width, ink.height], [size.width, size.height]);
        assert.equal(difference(ink.bits, expected.bits), difference(stored.bits, drawn.bits));
      }
    });

    it('are shown as they are stored where browsers do not look, or the Exif data are damaged', async () => {
      const upright = { width: WIDTH, height: HEIGHT };
      const size = async (bytes: Uint8Array): Promise<unknown> => {
        await writeFile(at('image'), bytes);
        return readImageSize(at('image'));
      };
      assert.deepEqual(await size(pngTurned(pngOf(drawnPage()), exifOf(6, true), true)), upright);
      const webp = readFileSync(fixture('lossless.webp'));
      assert.deepEqual(await size(webpTurned(webp, WIDTH, HEIGHT, exifOf(6, true))), upright);
      assert.deepEqual(await readInk(at('image')), drawn);
      const jpegBytes = readFileSync(fixture('baseline.jpg'));
      for (const exif of [
        exifOf(6, true).subarray(0, 14),
        Buffer.alloc(0),
        Buffer.from('MM\0*\xff\xff\xff\xff', 'latin1'),
      ]) {
        assert.deepEqual(await size(jpegTurned(jpegBytes, exif)), upright);
      }
      assert.deepEqual(await size(jpegTurned(jpegBytes, exifOf(9, true))), upright);
    });

    describe('in a browser', () => {
      let browser: Browser;
      before(async function () {
        this.timeout(60_000);
        if (findChromium() === undefined) {
          console.log('      there is no Chrome or Chromium: skipped');
          this.skip();
        }
        browser = await launchChromium();
      });
      after(async () => browser?.close());

      it('have the same size and the same ink', async function () {
        this.timeout(60_000);
        const page = await browser.newPage();
        const files: (readonly [string, Buffer])[] = ORIENTATIONS.flatMap((orientation) => [
          ['image/jpeg', jpegTurned(readFileSync(fixture('grey.jpg')), exifOf(orientation, true))] as const,
          ['image/png', pngTurned(pngOf(drawnPage()), exifOf(orientation, false))] as const,
        ]);
        files.push(['image/png', pngTurned(pngOf(drawnPage()), exifOf(6, true), true)]);
        for (const name of ['lossless.webp', 'lossy.webp']) {
          const bytes = readFileSync(fixture(name));
          if (name === 'lossless.webp') files.push(['image/webp', webpTurned(bytes, WIDTH, HEIGHT, exifOf(6, false))]);
          files.push(['image/webp', bytes]);
        }
        for (const name of ['cmyk.jpg', 'ycck.jpg', 'progressive.jpg'])
          files.push(['image/jpeg', readFileSync(fixture(name))]);
        for (const [type, bytes] of files) {
          const shown = await page.evaluate(
            async (url) => {
              const image = new Image();
              image.src = url;
              await image.decode();
              const { naturalWidth: width, naturalHeight: height } = image;
              const canvas = new OffscreenCanvas(width, height);
              const context = canvas.getContext('2d')!;
              context.drawImage(image, 0, 0);
              let text = '';
              for (const byte of context.getImageData(0, 0, width, height).data) text += String.fromCharCode(byte);
              return { width, height, data: btoa(text) };
            },
            `data:${type};base64,${bytes.toString('base64')}`,
          );
          const { width, height } = shown;
          const ink = await inkOfBytes(bytes);
          assert.deepEqual(await readImageSize(at('image')), { width, height });
          const theirs = inkOf({ width, height, channels: 4, data: Buffer.from(shown.data, 'base64') });
          // The decoders of JPEG round differently, and smooth colours differently between their samples.
          const most = type === 'image/jpeg' ? 0.003 * width * height : 0;
          assert.ok(difference(ink.bits, theirs.bits) <= most, `${type}: ${difference(ink.bits, theirs.bits)} pixels`);
        }
      });
    });
  });

  describe('that are damaged', () => {
    const ALL = [...EXACT, ...LOSSY, 'g3.tif', 'g3-2d.tif', 'g4.tif', 'g4-lsb.tif'];

    it('say so where they are cut', async () => {
      for (const name of ALL) {
        const bytes = readFileSync(fixture(name));
        for (const share of [0.02, 0.3, 0.6, 0.9]) {
          const cut = bytes.subarray(0, Math.floor(bytes.length * share));
          await assert.rejects(inkOfBytes(cut), Error, `${name}, cut at ${share}`);
        }
      }
    });

    it('give an ink of the right size or an error, whatever bytes are wrong', async function () {
      this.timeout(120_000);
      const random = seeded(20311207);
      let decoded = 0;
      for (const name of ALL) {
        const bytes = readFileSync(fixture(name));
        for (let round = 0; round < (SOAKING ? 24 : 8); round++) {
          const damaged = Buffer.from(bytes);
          const area = round % 2 === 0 ? bytes.length : Math.min(bytes.length, 400);
          for (let i = 0; i < 1 + (round % 4); i++) damaged[Math.floor(random() * area)] = Math.floor(random() * 256);
          await writeFile(at('image'), damaged);
          const size = await readImageSize(at('image')).catch(() => undefined);
          // Some sizes are valid and large; they are tried elsewhere.
          if (size !== undefined && size.width * size.height > 300_000) continue;
          const ink = await readInk(at('image')).catch((error: unknown) => error);
          if (ink instanceof Error) continue;
          const { width, height } = ink as PageInk;
          assert.deepEqual({ width, height }, size, `${name}, round ${round}`);
          decoded += 1;
        }
      }
      assert.ok(decoded > (SOAKING ? 100 : 30), String(decoded));
    });

    it('are told apart from kinds that are not decoded', async () => {
      const page = drawnPage();
      const refusal = async (bytes: Uint8Array): Promise<string> => {
        const error: unknown = await inkOfBytes(bytes).then(
          () => undefined,
          (reason: unknown) => reason,
        );
        assert.ok(error instanceof ImageFault, String(error));
        return error.message;
      };
      assert.match(await refusal(readFileSync(fixture('arithmetic.jpg'))), /of a kind that is not decoded/);
      assert.match(await refusal(tiffOf(page, [[259, 3, 34712]])), /compression 34712, which is not decoded/);
      assert.match(await refusal(tiffOf(page, [[262, 3, 8]])), /colours of kind 8, which is not decoded/);
      assert.match(await refusal(tiffOf(page, [[339, 3, 3]])), /no unsigned integers, which is not decoded/);
      assert.match(await refusal(tiffOf(page, [[258, 3, 8, 8, 4]])), /samples of 8, 8, 4 bits, which is not decoded/);
    });

    it('do not make more of little', async () => {
      const page = drawnPage();
      const entries = (...list: Parameters<typeof tiffOf>[1][]): Buffer => tiffOf(page, list.flat() as never);
      // Sizes, counts and places that the file does not have.
      for (const bytes of [
        entries([[278, 4, 1]]),
        entries([[273, 4, 4_000_000_000]]),
        entries([[279, 4, 4_000_000_000]]),
        entries([[257, 4, 90_000]]),
        entries([
          [322, 4, 4_000_000_000],
          [323, 4, 4_000_000_000],
        ]),
        entries([[277, 3, 65_535]]),
        entries([
          [322, 4, 0],
          [323, 4, 0],
        ]),
      ]) {
        await assert.rejects(inkOfBytes(bytes), ImageFault);
      }
    });

    it('are refused where a JPEG image, or a part of a TIFF image, takes far more memory than its size tells', async () => {
      const many = readFileSync(fixture('baseline.jpg'));
      many[many.indexOf(Buffer.from([0xff, 0xc0])) + 9] = 255;
      await assert.rejects(inkOfBytes(many), /of 255 components, which is not decoded/);
      const tiff = readFileSync(fixture('tiled-jpeg.tif'));
      for (let at = tiff.indexOf(FRAME); at >= 0; at = tiff.indexOf(FRAME, at + 1)) {
        tiff.writeUInt16BE(65_000, at + 5);
        tiff.writeUInt16BE(65_000, at + 7);
      }
      await assert.rejects(inkOfBytes(tiff), /a part of it has another size/);
      const samples = tiffOf(drawnPage(), [
        [256, 4, 9000],
        [257, 4, 9000],
        [277, 3, 16],
        [278, 4, 9000],
      ]);
      await assert.rejects(inkOfBytes(samples), /too many to be decoded/);
    });

    it('are refused above a number of pixels, before anything is decoded', async () => {
      const jpegBytes = readFileSync(fixture('baseline.jpg'));
      const frame = jpegBytes.indexOf(Buffer.from([0xff, 0xc0]));
      jpegBytes.writeUInt16BE(20_000, frame + 5);
      jpegBytes.writeUInt16BE(20_000, frame + 7);
      const png = pngOf(drawnPage());
      png.writeUInt32BE(20_000, 16);
      png.writeUInt32BE(20_000, 20);
      const webp = webpTurned(readFileSync(fixture('lossless.webp')), 16_000, 16_000, exifOf(1, true));
      const tiff = tiffOf(drawnPage(), [
        [256, 4, 20_000],
        [257, 4, 20_000],
      ]);
      await assert.rejects(
        inkOfBytes(png),
        /has 20000 × 20000 pixels, and PNG images of more than 200 million are not decoded/,
      );
      await assert.rejects(inkOfBytes(jpegBytes), /JPEG images of more than 100 million are not decoded/);
      await assert.rejects(inkOfBytes(webp), /WebP images of more than 100 million are not decoded/);
      await assert.rejects(inkOfBytes(tiff), /TIFF images of more than 100 million are not decoded/);
    });
  });

  describe('in the document reader', function () {
    this.timeout(120_000);
    let reader: DocumentReader;
    before(() => {
      reader = createDocumentReader({ worker: WORKER });
    });
    after(() => reader.dispose());

    it('are decoded on its thread, which outlives damaged ones', async () => {
      const names = ['baseline.jpg', 'lossy.webp', 'g4.tif', 'cut.jpg', 'cut.webp', 'cut.tif', 'deflate.tif'];
      for (const name of names) {
        if (existsSync(fixture(name))) await copyFile(fixture(name), at(name));
      }
      for (const [name, source] of [
        ['cut.jpg', 'baseline.jpg'],
        ['cut.webp', 'lossy.webp'],
        ['cut.tif', 'lzw-predictor.tif'],
      ] as const) {
        const bytes = readFileSync(fixture(source));
        await writeFile(at(name), bytes.subarray(0, bytes.length >> 1));
      }
      const cited = names.map((_, i) => ({ number: i + 1, index: i }));
      // The directory of a TIFF file stands at its end here: a cut one has no size either.
      const document = await reader.read({
        name: 'paper',
        pdf: [],
        images: new Map(names.map((name, i) => [i + 1, [at(name)]])),
        root: folder,
      });
      const pages = await reader.readPages!(document, cited);
      const read = cited.filter(({ number }) => pages.get(number)?.ink !== undefined).map(({ index }) => names[index]);
      assert.deepEqual(read, ['baseline.jpg', 'lossy.webp', 'g4.tif', 'deflate.tif']);
    });

    it('are told of, at the page that is cited, where a rule needs their pixels', async () => {
      const png = pngOf(drawnPage());
      await writeFile(at('paper_1.png'), png);
      await writeFile(at('paper_2.png'), png.subarray(0, png.length >> 1));
      const large = Buffer.from(png);
      large.writeUInt32BE(20_000, 16);
      large.writeUInt32BE(20_000, 20);
      await writeFile(at('paper_3.png'), large);
      const checker = createChecker({
        ...settingsOf('sciegqa', { base: folder, pdf: [] }),
        pageImage: ['{doc_name}_{page}.png'],
      });
      const boxes = [[[20, 20, 60, 60]]];
      const record = { query: 'Where?', answer: 'here', doc_name: 'paper', evidence_page: [1, 2, 3] };
      const text = JSON.stringify({
        ...record,
        bbox: [boxes[0], boxes[0], boxes[0]],
        subimg_type: [['text'], ['text'], ['text']],
      });
      const checked = checker.checkText(text);
      const document = await reader.read(checker.documentRequest(checked)!);
      const found = (await readPageFindings(checker, checked, document, reader)) ?? [];
      const told = found.filter(({ code }) => code === 'page/document-unreadable');
      assert.deepEqual(
        told.map(({ pointer, severity, found: value }) => [pointer, severity, value]),
        [
          ['/evidence_page/1', undefined, 'paper_2.png'],
          ['/evidence_page/2', 'info', 'paper_3.png'],
        ],
      );
      assert.match(
        told[0]!.message,
        /^paper_2\.png cannot be read: unexpected end of file\. What the page shows cannot be checked against it\.$/,
      );
      assert.match(told[1]!.message, /20000 × 20000 pixels, and PNG images of more than 200 million are not decoded/);
    });

    it('are decoded by what ships', async function () {
      const built = path.resolve('dist/pdf-worker.mjs');
      if (!existsSync(built)) this.skip();
      const shipped = createDocumentReader({ worker: pathToFileURL(built) });
      try {
        const images = new Map(['lossy.webp', 'cmyk.jpg', 'g4.tif'].map((name, i) => [i + 1, [fixture(name)]]));
        const document = await shipped.read({ name: 'paper', pdf: [], images, root: IMAGES });
        const cited = [1, 2, 3].map((number) => ({ number, index: number - 1 }));
        const pages = await shipped.readPages!(document, cited);
        for (const number of [1, 2, 3]) assert.notEqual(pages.get(number)?.ink, undefined, `image ${number}`);
      } finally {
        await shipped.dispose();
      }
    });

    /** Pages that the real records cite, in other formats: what the rules say stays the same. */
    for (const format of SOAKING ? (['jpg', 'webp', 'tif'] as const) : (['webp'] as const)) {
      it(`make the rules say the same on real pages: ${format}`, async function () {
        const source = path.join(DATA, '2311.07631.jsonl');
        if (!existsSync(source)) {
          console.log('      ../shared/data is missing: skipped');
          this.skip();
        }
        const lines = readFileSync(source, 'utf8').trim().split('\n');
        const records = [...lines.slice(0, 3), ...lines.slice(0, 3).flatMap(moved)];
        const settings = settingsOf('sciegqa', { base: folder, pdf: [] });
        const said: Record<string, string[]> = { png: [], [format]: [] };
        for (const kind of ['png', format]) {
          const checker = createChecker({ ...settings, pageImage: [`{doc_name}_{page}.${kind}`] });
          for (const text of records) {
            const checked = checker.checkText(text);
            for (const page of checked.record?.pages ?? []) await provide(Number(page), format);
            const document = await reader.read(checker.documentRequest(checked)!);
            const found = (await readPageFindings(checker, checked, document, reader)) ?? [];
            said[kind]!.push(found.map(({ code, pointer }) => `${code} ${pointer}`).join(', '));
          }
        }
        assert.deepEqual(said[format], said['png']);
        const all = said['png']!.join(', ');
        assert.ok(all.includes('box/cuts-text') && all.includes('box/no-content'), all);
        assert.deepEqual(said['png']!.slice(0, 3), ['', '', '']);
      });
    }

    /** The record with its boxes moved so that they cut content, and with a box on the blank margin. */
    function moved(line: string): string[] {
      const record = JSON.parse(line) as { bbox: number[][][]; rel_bbox?: unknown };
      delete record.rel_bbox;
      const shift = (by: number): number[][][] =>
        record.bbox.map((page) => page.map(([x1, y1, x2, y2]) => [x1! + 60, y1! + by, x2! - 60, y2! + by]));
      const margin = record.bbox.map((page) => page.map(() => [20, 20, 120, 120]));
      return [JSON.stringify({ ...record, bbox: shift(25) }), JSON.stringify({ ...record, bbox: margin })];
    }

    async function provide(page: number, format: 'jpg' | 'webp' | 'tif'): Promise<void> {
      const name = `2311.07631_${page}`;
      const target = at(`${name}.${format}`);
      if (existsSync(target)) return;
      const png = readFileSync(path.join(DATA, 'Images/cs/2311.07631', `${name}.png`));
      await writeFile(at(`${name}.png`), png);
      const { width, height, channels, data } = decode(png);
      const pixels: Pixels = { width, height, channels, data: data as Uint8Array };
      const bytes =
        format === 'tif'
          ? tiffOf(pixels)
          : format === 'jpg'
            ? jpeg.encode({ width, height, data: rgbaOf(pixels) }, 85).data
            : await webpOf({ ...pixels, channels: 4, data: rgbaOf(pixels) }, false);
      await writeFile(target, bytes);
    }
  });
});

function rgbaOf({ channels, data }: Pixels): Uint8Array {
  const rgba = new Uint8Array((data.length / channels) * 4).fill(255);
  for (let from = 0, to = 0; from < data.length; from += channels, to += 4) {
    for (let i = 0; i < 3; i++) rgba[to + i] = data[from + i]!;
  }
  return rgba;
}

/** By libwebp; a transparent image keeps the colours that nobody sees. */
async function webpOf({ width, height, data }: Pixels, lossless: boolean): Promise<Buffer> {
  const { default: encode, init } = await import('@jsquash/webp/encode.js');
  const wasm = new URL(import.meta.resolve('@jsquash/webp/codec/enc/webp_enc.wasm'));
  await init(await WebAssembly.compile(readFileSync(wasm)));
  const image = { width, height, data: new Uint8ClampedArray(data), colorSpace: 'srgb' } as ImageData;
  const encoded = await encode(image, lossless ? { lossless: 1, exact: 1, method: 0 } : { quality: 85, method: 0 });
  return Buffer.from(encoded);
}

/** Numbers from 0 to 1, always the same. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
