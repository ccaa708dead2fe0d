import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { encode } from 'fast-png';
import { degrees, PDFDocument } from 'pdf-lib';
import type { PDFPage } from 'pdf-lib';
import type { DocumentReader, DocumentRequest } from '../../../server/src/core/ports.ts';
import { createDocumentReader } from '../../../server/src/node/pages/document-reader.ts';
import { readImageSize } from '../../../server/src/node/pages/image-size.ts';

const WORKER = new URL('../../../server/src/node/pages/pdf-worker.ts', import.meta.url);
const DATA = path.resolve('../shared/data');

let folder: string;
let reader: DocumentReader;

const at = (...parts: string[]): string => path.join(folder, ...parts);
const pdfRequest = (...files: string[]): DocumentRequest => ({
  name: 'paper',
  pdf: files.map((file) => at(file)),
  images: new Map(),
  root: folder,
});

/** A file of the given pages: width and height in points, then what is to be set on it. */
async function writePdf(file: string, pages: readonly [number, number, ((page: PDFPage) => void)?][]): Promise<void> {
  const document = await PDFDocument.create();
  for (const [width, height, change] of pages) {
    const page = document.addPage([width, height]);
    change?.(page);
  }
  await writeFile(at(file), await document.save());
}

describe('documents', () => {
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'auditable-qa-pages-'));
    reader = createDocumentReader({ worker: WORKER });
  });
  afterEach(async () => {
    await reader.dispose();
    await rm(folder, { recursive: true });
  });

  it('gives page sizes as displayed: rotation and CropBox applied', async () => {
    await writePdf('a.pdf', [
      [612, 792],
      [612, 792, (page) => page.setRotation(degrees(90))],
      [612, 792, (page) => page.setCropBox(100, 100, 300, 200)],
      [
        612,
        792,
        (page) => {
          page.setCropBox(100, 100, 300, 200);
          page.setRotation(degrees(270));
        },
      ],
    ]);
    const facts = await reader.read(pdfRequest('missing.pdf', 'a.pdf'));
    assert.deepEqual(facts, {
      name: 'paper',
      pdf: {
        state: 'ok',
        path: at('a.pdf'),
        pages: [
          { width: 612, height: 792 },
          { width: 792, height: 612 },
          { width: 300, height: 200 },
          { width: 200, height: 300 },
        ],
      },
    });
  });

  it('says where it looked for a document that is missing', async () => {
    const facts = await reader.read(pdfRequest('a.pdf', 'b.pdf'));
    assert.deepEqual(facts.pdf, { state: 'missing', looked: [at('a.pdf'), at('b.pdf')] });
  });

  it('says why a PDF cannot be read', async () => {
    await writePdf('good.pdf', [[612, 792]]);
    await writeFile(at('empty.pdf'), '');
    await writeFile(at('damaged.pdf'), '%PDF-1.7\nnothing that follows is one');
    await writeFile(at('text.pdf'), 'just text');
    await writeFile(at('page.pdf'), '<!DOCTYPE html><title>Sign in</title>');
    await writeFile(at('pointer.pdf'), 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n');
    await writeFile(at('locked.pdf'), encryptedPdf());
    const reasons: Record<string, string> = {};
    for (const name of ['empty', 'damaged', 'text', 'page', 'pointer', 'locked']) {
      const { pdf } = await reader.read(pdfRequest(`${name}.pdf`));
      assert.equal(pdf?.state, 'unreadable', name);
      reasons[name] = pdf.reason;
    }
    assert.equal(reasons['empty'], 'is empty');
    assert.match(reasons['damaged']!, /^is damaged: /);
    assert.equal(reasons['text'], 'is no PDF: it does not begin with %PDF-');
    assert.equal(reasons['page'], 'is an HTML page and no PDF');
    assert.match(reasons['pointer']!, /Git LFS pointer/);
    assert.equal(reasons['locked'], 'is encrypted and needs a password');
    const { pdf } = await reader.read(pdfRequest('good.pdf'));
    assert.equal(pdf?.state, 'ok');
  });

  it('survives a PDF that hangs or ends its thread, and goes on with the next', async () => {
    const worker = at('worker.mjs');
    await writeFile(
      worker,
      `import { parentPort } from 'node:worker_threads';
       parentPort.on('message', ({ id, task: { path } }) => {
         if (path.endsWith('hangs.pdf')) for (;;);
         if (path.endsWith('ends.pdf')) process.exit(3);
         if (path.endsWith('throws.pdf')) throw new Error('a fault in the thread');
         if (path.endsWith('grows.pdf')) { const all = []; for (;;) all.push(new Array(100_000).fill(id)); }
         parentPort.postMessage({ kind: 'done', id, value: { pages: [{ width: 1, height: 2 }], labels: null } });
       });
       parentPort.postMessage({ kind: 'ready' });`,
    );
    const names = ['good.pdf', 'hangs.pdf', 'ends.pdf', 'throws.pdf', 'grows.pdf', 'good2.pdf'];
    for (const name of names) await writeFile(at(name), name);
    const tried = createDocumentReader({ worker: new URL(`file://${worker}`), pdfTimeoutMs: 500, pdfMemoryMb: 64 });
    try {
      const [good, hangs, ends, throws, grows, last] = await Promise.all(
        names.map(async (name) => (await tried.read(pdfRequest(name))).pdf),
      );
      assert.equal(good?.state, 'ok');
      assert.deepEqual(hangs, { state: 'unreadable', path: at('hangs.pdf'), reason: 'cannot be read within 0.5 s' });
      assert.equal(ends?.state, 'unreadable');
      assert.match(throws?.state === 'unreadable' ? throws.reason : '', /a fault in the thread/);
      assert.match(grows?.state === 'unreadable' ? grows.reason : '', /more than 64 MB|within 0.5 s/);
      assert.equal(last?.state, 'ok');
    } finally {
      await tried.dispose();
    }
  });

  it('rejects, and calls no document unreadable, where its thread cannot start', async () => {
    await writePdf('a.pdf', [[10, 10]]);
    const broken = createDocumentReader({ worker: new URL('file:///does/not/exist.mjs') });
    await assert.rejects(broken.read(pdfRequest('a.pdf')), /does not start/);
    await broken.dispose();
  });

  it('reads a PDF again when it changed, and only then', async () => {
    await writePdf('a.pdf', [[10, 10]]);
    const first = await reader.read(pdfRequest('a.pdf'));
    const again = await reader.read(pdfRequest('a.pdf'));
    assert.equal(first.pdf?.state === 'ok' && again.pdf?.state === 'ok' && first.pdf.pages === again.pdf.pages, true);
    await writePdf('a.pdf', [
      [10, 10],
      [20, 20],
    ]);
    const changed = await reader.read(pdfRequest('a.pdf'));
    assert.equal(changed.pdf?.state === 'ok' && changed.pdf.pages.length, 2);
  });

  it('refuses links and paths that lead out of the root', async () => {
    await mkdir(at('inside'));
    await writePdf('a.pdf', [[10, 10]]);
    await symlink(at('a.pdf'), at('inside', 'link.pdf'));
    const root = at('inside');
    for (const file of [at('inside', 'link.pdf'), at('inside', '..', 'a.pdf')]) {
      const facts = await reader.read({ name: 'a', pdf: [file], images: new Map([[1, [file]]]), root });
      assert.equal(facts.pdf?.state, 'refused');
      assert.equal(facts.images?.get(1)?.state, 'refused');
    }
    await cp(at('a.pdf'), at('inside', 'own.pdf'));
    await symlink(at('inside', 'own.pdf'), at('inside', 'second.pdf'));
    const facts = await reader.read({ name: 'a', pdf: [at('inside', 'second.pdf')], images: new Map(), root });
    assert.equal(facts.pdf?.state, 'ok');
    const refused = await reader.read({ name: 'a', pdf: [], images: new Map(), root, refused: 'leads out' });
    assert.deepEqual(refused.pdf, { state: 'refused', reason: 'leads out' });
  });

  it('lists the numbers of the page images, also in a folder of many documents', async () => {
    const pixels = encode({ width: 3, height: 2, data: new Uint8Array(18), channels: 3, depth: 8 });
    for (const name of ['a.1_1.png', 'a.1_2.png', 'a.1_10.png', 'a.1_x.png', 'a.10_7.png', 'b_1.png']) {
      await writeFile(at(name), pixels);
    }
    const facts = await reader.read({
      name: 'a.1',
      pdf: [],
      images: new Map([
        [2, [at('a.1_02.png'), at('a.1_2.png')]],
        [3, [at('a.1_3.png')]],
      ]),
      imageListing: { folder, pattern: '^a\\.1_(\\d+)\\.png$' },
      root: folder,
    });
    assert.deepEqual(facts.imageNumbers, [1, 2, 10]);
    assert.deepEqual(facts.images?.get(2), { state: 'ok', path: at('a.1_2.png'), width: 3, height: 2 });
    assert.deepEqual(facts.images?.get(3), { state: 'missing', looked: [at('a.1_3.png')] });
    assert.equal(facts.pdf, undefined);
  });

  it('ends at once when it is no longer wanted', async () => {
    await writePdf('a.pdf', [[10, 10]]);
    let listener: (() => void) | undefined;
    const reading = reader.read(pdfRequest('a.pdf'), {
      aborted: false,
      onAbort: (given) => {
        listener = given;
        return { dispose: () => undefined };
      },
    });
    listener?.();
    await assert.rejects(reading, { name: 'AbortError' });
  });

  it('knows the sizes of all 160 pages of a real report', async function () {
    const file = path.join(DATA, 'pdf', '3M_2018_10K.pdf');
    if (!existsSync(file)) {
      console.log('      ../shared/data is missing: skipped');
      this.skip();
    }
    const { pdf } = await reader.read({ name: '3M', pdf: [file], images: new Map() });
    assert.equal(pdf?.state, 'ok');
    assert.equal(pdf.pages.length, 160);
    assert.deepEqual(pdf.pages[159], { width: 612, height: 792 });
  });
});

describe('image sizes', () => {
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'auditable-qa-images-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const bytes = (...parts: (string | number[])[]): Buffer =>
    Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))));
  const le16 = (value: number): number[] => [value & 255, value >> 8];
  const be16 = (value: number): number[] => [value >> 8, value & 255];
  const le32 = (value: number): number[] => [...le16(value & 0xffff), ...le16(value >>> 16)];
  const be32 = (value: number): number[] => [...be16(value >>> 16), ...be16(value & 0xffff)];
  const zeros = (count: number): number[] => new Array<number>(count).fill(0);

  const samples: Readonly<Record<string, { readonly file: Buffer; readonly size: readonly [number, number] }>> = {
    png: {
      file: Buffer.from(encode({ width: 300, height: 200, data: new Uint8Array(60_000), channels: 1, depth: 8 })),
      size: [300, 200],
    },
    'jpeg with a thumbnail of another size': {
      file: bytes(
        [0xff, 0xd8, 0xff, 0xe1, ...be16(2 + (70_000 % 65_536))],
        zeros(70_000 % 65_536),
        [0xff, 0xff, 0xc4, ...be16(4), 1, 2],
        [0xff, 0xc2, ...be16(11), 8, ...be16(1650), ...be16(1275), 1, 1, 0x11, 0],
      ),
      size: [1275, 1650],
    },
    'webp, lossy': {
      file: bytes('RIFF', le32(30), 'WEBPVP8 ', le32(18), [0, 0, 0, 0x9d, 1, 0x2a], le16(640), le16(480), zeros(20)),
      size: [640, 480],
    },
    'webp, lossless': {
      file: bytes('RIFF', le32(30), 'WEBPVP8L', le32(18), [0x2f], le32(639 | (479 << 14)), zeros(20)),
      size: [640, 480],
    },
    'webp, extended': {
      file: bytes('RIFF', le32(30), 'WEBPVP8X', le32(10), zeros(4), [0x7f, 0x38, 1], [0xdf, 1, 0], zeros(12)),
      size: [80_000, 480],
    },
    'tiff, little end': {
      file: bytes(
        'II*\0',
        le32(8),
        le16(2),
        [...le16(256), ...le16(3), ...le32(1), ...le16(2550), 0, 0],
        [...le16(257), ...le16(4), ...le32(1), ...le32(3300)],
      ),
      size: [2550, 3300],
    },
    'tiff, big end': {
      file: bytes(
        'MM\0*',
        be32(8),
        be16(2),
        [...be16(256), ...be16(3), ...be32(1), ...be16(2550), 0, 0],
        [...be16(257), ...be16(4), ...be32(1), ...be32(3300)],
      ),
      size: [2550, 3300],
    },
  };
  for (const [name, { file, size }] of Object.entries(samples)) {
    it(`reads ${name}`, async () => {
      await writeFile(at('image'), file);
      const { width, height } = await readImageSize(at('image'));
      assert.deepEqual([width, height], size);
    });
    it(`tells a fault of a cut ${name}`, async () => {
      await writeFile(at('image'), file.subarray(0, 14));
      await assert.rejects(readImageSize(at('image')), /is damaged/);
    });
  }

  it('tells files that are no images', async () => {
    await writeFile(at('empty'), '');
    await writeFile(at('text'), 'this is not an image');
    await assert.rejects(readImageSize(at('empty')), /is empty/);
    await assert.rejects(readImageSize(at('text')), /is no PNG, JPEG, WebP or TIFF/);
  });

  it('reads a page of a real dataset', async function () {
    const file = path.join(DATA, 'sciegqa/Images/cs/2311.07631/2311.07631_4.png');
    if (!existsSync(file)) {
      console.log('      ../shared/data is missing: skipped');
      this.skip();
    }
    assert.deepEqual(await readImageSize(file), { width: 2550, height: 3300 });
  });
});

/** One empty page behind a standard security handler whose password nobody knows: 40-bit RC4, arbitrary O and U. */
function encryptedPdf(): string {
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]>>',
    `<</Filter/Standard/V 1/R 2/P -4/O<${'11'.repeat(32)}>/U<${'22'.repeat(32)}>>>`,
  ];
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj${object}endobj\n`;
    return offset;
  });
  const xref = text.length;
  text += `xref\n0 5\n0000000000 65535 f \n${offsets.map((o) => `${String(o).padStart(10, '0')} 00000 n \n`).join('')}`;
  const id = `[<${'33'.repeat(16)}><${'33'.repeat(16)}>]`;
  return `${text}trailer<</Size 5/Root 1 0 R/Encrypt 4 0 R/ID${id}>>\nstartxref\n${xref}\n%%EOF`;
}
