/** All pages of a record's document: from a PDF, from page images, and why there are none. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { EvidenceView } from '../../schemas/protocol.ts';
import { EVIDENCE } from '../../schemas/protocol.ts';
import { DOCUMENT_PAGES } from '../../schemas/regions.ts';
import type { DocumentPagesResult } from '../../schemas/regions.ts';
import { DOCUMENTS, fileOf, sciegqa } from './records.ts';
import { startServer } from './server.ts';
import type { WireServer } from './server.ts';

const REAL = path.join(import.meta.dirname, '../../../shared/data/sciegqa/2311.07631.jsonl');
const image = (page: number): Buffer => readFileSync(path.join(DOCUMENTS, `demo-doc_${page}.png`));

describe('pages of a document over stdio', function () {
  this.timeout(120_000);
  let server: WireServer;
  before(async () => (server = await startServer({ trusted: false })));
  after(() => server.stop());

  async function pagesFor(folder: string, patch: object, configuration?: object): Promise<DocumentPagesResult> {
    if (configuration !== undefined) server.write(`${folder}/auditable-qa.json`, JSON.stringify(configuration));
    const text = fileOf(sciegqa({ rel_bbox: undefined, ...patch }));
    const uri = server.write(`${folder}/set.jsonl`, text);
    await server.open(uri, text);
    return server.connection.sendRequest(DOCUMENT_PAGES, { uri, index: 0 });
  }

  const numbers = ({ pages }: DocumentPagesResult): number[] => pages.map(({ number }) => number);

  it('are all pages of the PDF, with its labels and in the units of the boxes', async () => {
    server.write('labels/demo-labels.pdf', readFileSync(path.join(DOCUMENTS, 'demo-labels.pdf')));
    const found = await pagesFor('labels', { doc_name: 'demo-labels', evidence_page: [2], bbox: [[[1, 2, 300, 400]]] });
    assert.equal(found.problem, null);
    assert.equal(found.name, 'demo-labels');
    assert.ok(found.pages.length > 2);
    assert.deepEqual(
      numbers(found),
      found.pages.map((_, at) => at + 1),
    );
    const [first] = found.pages;
    assert.deepEqual(first?.source, {
      kind: 'pdf',
      path: path.join(server.folder, 'labels/demo-labels.pdf'),
      pageIndex: 0,
    });
    assert.equal(first?.label, 'i');
    assert.deepEqual(first?.units, { width: 2550, height: 3300, step: 1 });
    const uri = pathToFileURL(path.join(server.folder, 'labels/set.jsonl')).href;
    const view: EvidenceView = await server.connection.sendRequest(EVIDENCE, { uri, index: 0 });
    assert.equal(view.pages[0]?.label, found.pages[1]?.label);
  });

  it('are page images in the order of their numbers, with and without leading zeros', async () => {
    for (const [at, name] of ['demo-doc_1', 'demo-doc_02', 'demo-doc_010'].entries()) {
      server.write(`images/${name}.png`, image(at + 1));
    }
    const found = await pagesFor('images', { evidence_page: [2], bbox: [[[1, 2, 300, 400]]] });
    assert.deepEqual(numbers(found), [1, 2, 10]);
    assert.deepEqual(
      found.pages.map(({ source }) => source.kind === 'image' && path.basename(source.path)),
      ['demo-doc_1.png', 'demo-doc_02.png', 'demo-doc_010.png'],
    );
    assert.ok(found.pages.every(({ aspect, units }) => aspect !== null && units !== null));
    assert.equal(found.problem, 'There are no images of pages 3, 4, 5, 6, 7, 8, 9.');
  });

  it('are numbered as the record counts them, and the PDF comes before images', async () => {
    server.write('based/demo-doc.pdf', readFileSync(path.join(DOCUMENTS, 'demo-doc.pdf')));
    server.write('based/demo-doc_1.png', image(1));
    const configuration = {
      datasets: [{ files: ['*.jsonl'], pageBase: 0, pdf: '{doc_name}.pdf', pageImage: '{doc_name}_{page}.png' }],
    };
    const found = await pagesFor('based', { evidence_page: [0], bbox: [[[1, 2, 300, 400]]] }, configuration);
    assert.equal(found.pages[0]?.number, 0);
    assert.deepEqual(
      found.pages.map(({ source }) => source.kind === 'pdf' && source.pageIndex),
      numbers(found),
    );
    const images = {
      datasets: [{ files: ['*.jsonl'], pageBase: 0, imageBase: 1, pageImage: '{doc_name}_{page}.png' }],
    };
    server.write('imaged/demo-doc_1.png', image(1));
    server.write('imaged/demo-doc_2.png', image(2));
    assert.deepEqual(
      numbers(await pagesFor('imaged', { evidence_page: [1], bbox: [[[1, 2, 300, 400]]] }, images)),
      [0, 1],
    );
  });

  it('say why there are none', async () => {
    const found = await pagesFor('none', {});
    assert.deepEqual(found.pages, []);
    assert.match(found.problem ?? '', /^PDF .*demo-doc\.pdf is not there/);
    server.write('broken/demo-doc.pdf', 'no PDF');
    server.write('broken/demo-doc_1.png', image(1));
    const broken = await pagesFor('broken', {});
    assert.deepEqual(numbers(broken), [1]);
    assert.match(broken.problem ?? '', /demo-doc\.pdf cannot be read/);
    const gone: DocumentPagesResult = await server.connection.sendRequest(DOCUMENT_PAGES, {
      uri: pathToFileURL(path.join(server.folder, 'none/set.jsonl')).href,
      index: 7,
    });
    assert.match(gone.problem ?? '', /not there any more/);
  });

  it('of a real document are its 28 images', async function () {
    if (!existsSync(REAL)) return this.skip();
    const uri = pathToFileURL(REAL).href;
    await server.open(uri, readFileSync(REAL, 'utf8'));
    const found: DocumentPagesResult = await server.connection.sendRequest(DOCUMENT_PAGES, { uri, index: 0 });
    assert.deepEqual([found.pages.length, found.problem], [28, null]);
    assert.ok(found.pages.every(({ units }) => units?.width === 2550 && units.height === 3300 && units.step === 1));
  });
});
