/** Regions by what stands on the page: fitted, proposed, and their words; from a PDF and from page images. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { FIT_REGION, PROPOSE_REGIONS, REGION_TEXT } from '../../schemas/regions.ts';
import type {
  FitRegionParams,
  FitRegionResult,
  PlaceOnPage,
  ProposeRegionsResult,
  RegionTextResult,
} from '../../schemas/regions.ts';
import { DOCUMENTS, fileOf, sciegqa } from './records.ts';
import { startServer } from './server.ts';
import type { WireServer } from './server.ts';
import { openView } from './view-documents.ts';

const REAL = path.join(import.meta.dirname, '../../../shared/data/sciegqa/2311.07631.jsonl');
/** Of a letter page at 300 dpi. */
const placeOf = (left: number, top: number, right: number, bottom: number): PlaceOnPage => ({
  left: left / 2550,
  top: top / 3300,
  width: (right - left) / 2550,
  height: (bottom - top) / 3300,
});
const numbersOf = ({ left, top, width, height }: PlaceOnPage): number[] =>
  [left * 2550, top * 3300, (left + width) * 2550, (top + height) * 3300].map(Math.round);
/** How far the furthest edge moved, in pixels at 300 dpi. */
const moved = (a: PlaceOnPage, b: PlaceOnPage): number =>
  Math.max(...numbersOf(a).map((edge, i) => Math.abs(edge - numbersOf(b)[i]!)));

describe('regions by the content of the page over stdio', function () {
  this.timeout(120_000);
  let server: WireServer;
  before(async () => (server = await startServer({ trusted: false })));
  after(() => server.stop());

  const fit = (params: FitRegionParams): Promise<FitRegionResult> => server.connection.sendRequest(FIT_REGION, params);
  const propose = (uri: string, page: number): Promise<ProposeRegionsResult> =>
    server.connection.sendRequest(PROPOSE_REGIONS, { uri, index: 0, page });
  const textIn = (uri: string, page: number, place: PlaceOnPage): Promise<RegionTextResult> =>
    server.connection.sendRequest(REGION_TEXT, { uri, index: 0, page, place });

  async function openWith(folder: string, document: 'pdf' | 'image'): Promise<string> {
    const names = document === 'pdf' ? ['demo-doc.pdf'] : ['demo-doc_1.png', 'demo-doc_2.png'];
    for (const name of names) server.write(`${folder}/${name}`, readFileSync(path.join(DOCUMENTS, name)));
    const text = fileOf(sciegqa({ rel_bbox: undefined }));
    const uri = server.write(`${folder}/set.jsonl`, text);
    await server.open(uri, text);
    return uri;
  }

  for (const document of ['pdf', 'image'] as const) {
    it(`snap, grow and shrink on a page that is not cited, from ${document === 'pdf' ? 'a PDF' : 'an image'}`, async () => {
      const uri = await openWith(`fit-${document}`, document);
      const { proposals, problem } = await propose(uri, 2);
      assert.equal(problem, null);
      assert.ok(proposals.length > 0);
      const [{ place, label }] = proposals as [ProposeRegionsResult['proposals'][number]];
      assert.ok(label === null || ['text', 'table', 'image'].includes(label));
      const good = { uri, index: 0, page: 2, place };
      for (const how of ['grow', 'shrink'] as const) {
        const kept = await fit({ ...good, how });
        assert.ok(moved(kept.place, place) <= 2, `${how}: ${numbersOf(kept.place).join()}`);
      }
      const rough = { ...place, left: place.left + 0.008, top: place.top - 0.006, width: place.width - 0.004 };
      const snapped = await fit({ ...good, place: rough, how: 'snap' });
      assert.ok(moved(snapped.place, place) <= 15, `${numbersOf(snapped.place).join()} of ${numbersOf(place).join()}`);
      assert.notEqual(snapped.says, null);
    });
  }

  it('come from words, which are read out line by line', async () => {
    const uri = await openWith('text', 'pdf');
    const all = await textIn(uri, 1, { left: 0, top: 0, width: 1, height: 1 });
    assert.ok(all.text !== null && all.text.split('\n').length > 3, String(all.text));
    const nothing = await textIn(uri, 1, { left: 0, top: 0.999, width: 0.001, height: 0.001 });
    assert.equal(nothing.text, '');
    const images = await openWith('scan', 'image');
    assert.equal((await textIn(images, 1, { left: 0, top: 0, width: 1, height: 1 })).text, null);
  });

  it('say why a page cannot be looked at, and leave the place as it is', async () => {
    const uri = await openWith('problems', 'image');
    const place = placeOf(100, 100, 500, 500);
    const missing = await fit({ uri, index: 0, page: 9, place, how: 'snap' });
    assert.deepEqual([missing.place, missing.says], [place, null]);
    assert.match(missing.problem ?? '', /demo-doc/);
    assert.match((await propose(uri, 9)).problem ?? '', /demo-doc/);
    const nowhere = await fit({ uri, index: 0, page: 1, place: { ...place, left: null as never }, how: 'snap' });
    assert.equal(nowhere.problem, 'This is no place on a page.');
    const gone = await fit({ uri, index: 7, page: 1, place, how: 'grow' });
    assert.match(gone.problem ?? '', /not there any more/);
    const empty = await fit({ uri, index: 0, page: 1, place: placeOf(10, 3200, 60, 3290), how: 'shrink' });
    assert.deepEqual([empty.says, empty.problem], [null, null]);
  });

  it('work from the document of a record', async () => {
    const uri = await openWith('view', 'pdf');
    const { uri: view } = await openView(server, uri, 0, 'record');
    const found = await fit({ uri: view, index: 0, page: 2, place: placeOf(300, 600, 2100, 955), how: 'grow' });
    assert.equal(found.problem, null);
    assert.ok(numbersOf(found.place)[3]! > 955, numbersOf(found.place).join());
  });

  it('of a real page of a paper: a rough box around a figure becomes the one that people drew', async function () {
    if (!existsSync(REAL)) return this.skip();
    const uri = pathToFileURL(REAL).href;
    await server.open(uri, readFileSync(REAL, 'utf8'));
    const place = placeOf(500, 2080, 2040, 2850);
    const found = await fit({ uri, index: 3, page: 8, place, how: 'snap' });
    assert.equal(found.problem, null);
    assert.ok(moved(found.place, placeOf(546, 2096, 1987, 2812)) <= 25, numbersOf(found.place).join());
  });
});
