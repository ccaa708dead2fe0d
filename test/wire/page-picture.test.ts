/** Page images that browsers cannot show, over stdio. */
import assert from 'node:assert/strict';
import { decode } from 'fast-png';
import { PAGE_PICTURE } from '../../schemas/regions.ts';
import type { PagePictureResult } from '../../schemas/regions.ts';
import { tiffOf } from '../unit/node/image-files.ts';
import { fileOf, sciegqa } from './records.ts';
import { startServer } from './server.ts';
import type { WireServer } from './server.ts';

/** 30 × 20 px: the left third is dark. */
const PIXELS = {
  width: 30,
  height: 20,
  channels: 1,
  data: Uint8Array.from({ length: 600 }, (_, at) => (at % 30 < 10 ? 20 : 240)),
};

describe('pictures of page images over stdio', function () {
  this.timeout(60_000);
  let server: WireServer;
  before(async () => (server = await startServer({ trusted: false })));
  after(() => server.stop());

  async function pictureOf(folder: string, files: Readonly<Record<string, Uint8Array>>): Promise<PagePictureResult> {
    for (const [name, bytes] of Object.entries(files)) server.write(`${folder}/${name}`, Buffer.from(bytes));
    const image = Object.keys(files)[0] ?? 'demo-doc_1.tif';
    const pageImage = image.replace('demo-doc', '{doc_name}').replace(/\d+/, '{page}');
    const configuration = { datasets: [{ files: ['*.jsonl'], pageImage }] };
    server.write(`${folder}/auditable-qa.json`, JSON.stringify(configuration));
    const text = fileOf(sciegqa({ rel_bbox: undefined, evidence_page: [1], bbox: [[[1, 2, 3, 4]]] }));
    const uri = server.write(`${folder}/set.jsonl`, text);
    await server.open(uri, text);
    return server.connection.sendRequest(PAGE_PICTURE, { uri, index: 0, page: 1 });
  }

  it('are PNG, turned as a TIFF asks for, with the size of the TIFF', async () => {
    const plain = await pictureOf('plain', { 'demo-doc_1.tif': tiffOf(PIXELS) });
    assert.deepEqual([plain.problem, plain.width, plain.height], [null, 30, 20]);
    const shown = decode(Buffer.from(plain.png ?? '', 'base64'));
    assert.deepEqual([shown.width, shown.height, shown.data[9], shown.data[10]], [30, 20, 20, 240]);
    const turned = await pictureOf('turned', { 'demo-doc_1.tif': tiffOf(PIXELS, [[274, 3, 6]]) });
    assert.deepEqual([turned.width, turned.height], [20, 30]);
    const png = decode(Buffer.from(turned.png ?? '', 'base64'));
    // What was on the left is at the top.
    assert.deepEqual([png.width, png.data[0], png.data[20 * 9 + 19], png.data[20 * 10]], [20, 20, 20, 240]);
  });

  it('say why there are none', async () => {
    const damaged = await pictureOf('damaged', { 'demo-doc_1.tif': tiffOf(PIXELS).subarray(0, 40) });
    assert.equal(damaged.png, null);
    assert.match(damaged.problem ?? '', /could not be read/u);
    const missing = await pictureOf('missing', {});
    assert.match(missing.problem ?? '', /could not be read/u);
  });
});
