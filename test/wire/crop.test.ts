/** Parts of pages as pictures, over stdio: the pixels of the page image, or of the PDF at the dpi of the boxes. */
import assert from 'node:assert/strict';
import { decode } from 'fast-png';
import { CROP } from '../../schemas/crops.ts';
import type { CropParams, CropResult } from '../../schemas/crops.ts';
import { drawnPage, HEIGHT, WIDTH } from '../unit/node/drawn-page.ts';
import { pngOf } from '../unit/node/image-files.ts';
import { fileOf, putDocument, sciegqa } from './records.ts';
import { startServer } from './server.ts';
import type { WireServer } from './server.ts';

describe('crops over stdio', function () {
  this.timeout(60_000);
  let server: WireServer;
  before(async () => (server = await startServer({ trusted: false })));
  after(() => server.stop());

  async function lay(folder: string, configuration: object): Promise<string> {
    server.write(
      `${folder}/auditable-qa.json`,
      JSON.stringify({ datasets: [{ files: ['*.jsonl'], ...configuration }] }),
    );
    const text = fileOf(sciegqa({ rel_bbox: undefined, evidence_page: [1], bbox: [[[20, 130, 170, 160]]] }));
    const uri = server.write(`${folder}/set.jsonl`, text);
    await server.open(uri, text);
    return uri;
  }
  const crop = (params: Omit<CropParams, 'index'>): Promise<CropResult> =>
    server.connection.sendRequest(CROP, { index: 0, ...params });

  it('are the pixels of the page image, of pages that are cited and of others', async () => {
    const page = drawnPage();
    for (const number of [1, 2]) server.write(`image/demo-doc_${number}.png`, pngOf(page));
    const uri = await lay('image', { pageImage: '{doc_name}_{page}.png' });
    const place = { left: 20 / WIDTH, top: 130 / HEIGHT, width: 150 / WIDTH, height: 30 / HEIGHT };
    for (const number of [1, 2]) {
      const { png, width, height, problem } = await crop({ uri, page: number, place });
      assert.deepEqual([problem, width, height], [null, 150, 30]);
      const { data } = decode(Buffer.from(png ?? '', 'base64'));
      for (let y = 0; y < 30; y++) {
        const from = ((130 + y) * WIDTH + 20) * 3;
        assert.deepEqual([...data.subarray(y * 450, (y + 1) * 450)], [...page.data.subarray(from, from + 450)]);
      }
    }
    const whole = await crop({ uri, page: 1, place: null });
    assert.deepEqual([...decode(Buffer.from(whole.png ?? '', 'base64')).data], [...page.data]);
    const away = await crop({ uri, page: 1, place: { left: 1.2, top: 0, width: 0.1, height: 0.1 } });
    assert.deepEqual(away, { png: null, width: 0, height: 0, problem: 'The region lies outside of the page.' });
    assert.match(
      (await crop({ uri, page: 9, place: null })).problem ?? '',
      /^Page 9: Page image demo-doc_9\.png is not there/,
    );
    assert.match((await crop({ uri, page: 1, place: 'here' as never })).problem ?? '', /no place/);
  });

  it('are drawn from the PDF, at the dpi that the boxes are in', async () => {
    putDocument({ write: (name, content) => server.write(`pdf/${name}`, Buffer.from(content)) });
    const uri = await lay('pdf', { pdf: '{doc_name}.pdf', coordinates: { space: 'pixel', dpi: 100 } });
    const { problem, width, height } = await crop({
      uri,
      page: 2,
      place: { left: 0.5, top: 0.5, width: 0.25, height: 0.1 },
    });
    assert.deepEqual([problem, width, height], [null, 213, 110]);
    const reading = { space: 'pixel', dpi: 100, order: 'xyxy', origin: 'top-left', pageBase: 0 } as const;
    assert.match((await crop({ uri, page: 3, place: null, reading })).problem ?? '', /the PDF has the pages 0 to 2/);
  });
});
