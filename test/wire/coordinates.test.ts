/** How boxes are read: said with every snapshot, tried without changing anything, and converted where it is asked for. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type {
  ConfigurationParams,
  ConfigurationProposal,
  EvidenceParams,
  EvidenceView,
} from '../../schemas/protocol.ts';
import { CONFIGURATION, EVIDENCE } from '../../schemas/protocol.ts';
import { CONVERT_BOXES } from '../../schemas/regions.ts';
import type { ConvertBoxesParams, ConvertBoxesResult, CoordinateReading } from '../../schemas/regions.ts';
import { DOCUMENTS, fileOf, putDocument, sciegqa } from './records.ts';
import { startServer } from './server.ts';
import type { WireServer } from './server.ts';

const REAL = path.join(import.meta.dirname, '../../../shared/data/sciegqa');
const DECLARED: CoordinateReading = { space: 'pixel', dpi: 300, order: 'xyxy', origin: 'top-left', pageBase: 1 };
const PERMILLE: CoordinateReading = { ...DECLARED, space: 'permille', dpi: null };
const UPPER = [118, 182, 824, 455];
const LOWER = [118, 500, 824, 900];

describe('coordinates over stdio', function () {
  this.timeout(120_000);
  let server: WireServer;
  before(async () => {
    server = await startServer({ trusted: false });
    putDocument(server);
  });
  after(() => server.stop());

  const plain = (count: number, more: object = {}): string[] =>
    sciegqa(
      ...Array.from({ length: count }, () => ({
        bbox: [[UPPER, LOWER]],
        subimg_type: [['table', 'text']],
        rel_bbox: undefined,
        ...more,
      })),
    );

  async function opened(name: string, text: string): Promise<string> {
    const uri = server.write(name, text);
    await server.open(uri, text);
    await server.status(uri, ({ running, profile }) => !running && profile !== null);
    return uri;
  }

  const evidence = async (uri: string, more: Partial<EvidenceParams> = {}): Promise<EvidenceView> => {
    const view = await server.connection.sendRequest<EvidenceView | null>(EVIDENCE, { uri, index: 0, ...more });
    assert.ok(view !== null);
    return view;
  };
  const convert = (uri: string, params: Partial<ConvertBoxesParams>): Promise<ConvertBoxesResult> =>
    server.connection.sendRequest(CONVERT_BOXES, { uri, index: 0, reading: PERMILLE, scope: 'record', ...params });

  it('are said with their reasons; what the file votes for comes first among the others', async () => {
    const uri = await opened('said.jsonl', fileOf(plain(3)));
    const { coordinates } = await evidence(uri);
    assert.deepEqual(coordinates?.reading, DECLARED);
    assert.equal(coordinates.tried, false);
    assert.match(
      coordinates.why.join(' '),
      /Declared by the profile SciEGQA.* Against it: all 6 boxes of the file fit 0-1000/,
    );
    assert.deepEqual(coordinates.others[0]?.reading, PERMILLE);
  });

  it('are tried: boxes jump, findings and file stay', async () => {
    const uri = await opened('tried.jsonl', fileOf(plain(3)));
    const declared = await evidence(uri);
    const tried = await evidence(uri, { reading: PERMILLE });
    const [before] = declared.pages[0]!.regions;
    const [after] = tried.pages[0]!.regions;
    assert.ok(Math.abs(before!.left - 118 / 2550) < 1e-9 && Math.abs(after!.left - 0.118) < 1e-9);
    assert.deepEqual([after!.pointer, after!.text, after!.problems], [before!.pointer, before!.text, before!.problems]);
    assert.deepEqual(tried.problems, declared.problems);
    assert.equal(tried.coordinates?.tried, true);
    assert.deepEqual(tried.coordinates.others[0]?.reading, DECLARED);
    assert.deepEqual(tried.pages[0]!.units, { width: 1000, height: 1000, step: 1 });
    // What is no reading is not tried.
    const odd = await evidence(uri, { reading: { ...PERMILLE, space: 'parsec' } as unknown as CoordinateReading });
    assert.deepEqual(odd.pages, declared.pages);
    assert.deepEqual((await evidence(uri)).pages, declared.pages);
  });

  it('with another page base show the other page, of PDFs and of images', async () => {
    const uri = await opened(
      'base.jsonl',
      fileOf(plain(1, { bbox: [[[300, 600, 2100, 1500]]], subimg_type: [['table']] })),
    );
    const source = async (more?: Partial<EvidenceParams>) => (await evidence(uri, more)).pages[0]!.source;
    assert.deepEqual(await source(), { kind: 'pdf', path: path.join(server.folder, 'demo-doc.pdf'), pageIndex: 1 });
    const other = { ...DECLARED, pageBase: 0 } as const;
    assert.deepEqual(await source({ reading: other }), {
      kind: 'pdf',
      path: path.join(server.folder, 'demo-doc.pdf'),
      pageIndex: 2,
    });
    for (const page of [2, 3]) {
      server.write(`scans/demo-doc_${page}.png`, readFileSync(path.join(DOCUMENTS, `demo-doc_${page}.png`)));
    }
    const scans = await opened('scans/base.jsonl', fileOf(plain(1)));
    const shown = await evidence(scans, { reading: { ...PERMILLE, pageBase: 0 } });
    const [{ source: image, number }] = shown.pages as [EvidenceView['pages'][number]];
    assert.deepEqual([number, image.kind === 'image' && path.basename(image.path)], [2, 'demo-doc_3.png']);
    assert.equal(shown.trace, null);
  });

  it('are declared in the configuration that is proposed', async () => {
    const uri = await opened('declared.jsonl', fileOf(plain(1)));
    const proposed = async (reading?: CoordinateReading): Promise<Readonly<Record<string, unknown>>> => {
      const params: ConfigurationParams = { uri, ...(reading && { reading }) };
      const proposal = await server.connection.sendRequest<ConfigurationProposal>(CONFIGURATION, params);
      const { datasets } = JSON.parse(proposal.content) as { readonly datasets: readonly Record<string, unknown>[] };
      return datasets[0]!;
    };
    const asIs = await proposed();
    const tried = await proposed({ ...PERMILLE, pageBase: 0 });
    assert.deepEqual(tried, {
      ...asIs,
      coordinates: { space: 'permille', order: 'xyxy', origin: 'top-left' },
      pageBase: 0,
    });
    assert.deepEqual(await proposed({ ...PERMILLE, order: 'yxyx' } as unknown as CoordinateReading), asIs);
  });

  it('are absent where the dataset has no boxes', async () => {
    const line =
      '{"question_id": "a", "question": "How much?", "paragraphs": ["x 1"], "table_evidence": [], "paragraph_evidence": [0], "python_solution": "def solution():\\n    return 1\\n", "ground_truth": 1}';
    const uri = await opened('without.jsonl', `${line}\n`);
    assert.equal((await evidence(uri)).coordinates, undefined);
  });

  it('are converted: a box, a record, a file, as minimal edits', async () => {
    const [, second = ''] = plain(2);
    const lines = [...plain(1), second, ...sciegqa({ rel_bbox: undefined })];
    const text = fileOf(lines);
    const uri = await opened('converted.jsonl', text);
    const box = await convert(uri, { index: 1, scope: 'box', pointer: '/bbox/0/1' });
    assert.equal(box.kind === 'edits' && box.title, 'Convert region 2 from 0-1000 to pixels at 300 dpi');
    assert.equal(box.kind === 'edits' && box.pointer, '/bbox/0/1');
    assert.equal(applied(text, box), text.replace(second, second.replace('[118,500,824,900]', '[301,1650,2101,2970]')));
    assert.deepEqual(box.kind === 'edits' && box.edits.map(({ newText }) => newText), ['301', '1650', '2101', '2970']);
    const record = await convert(uri, {});
    assert.equal(
      record.kind === 'edits' && record.title,
      'Convert the 2 boxes of this record from 0-1000 to pixels at 300 dpi',
    );
    const inPixels = '[301,601,2101,1502],[301,1650,2101,2970]';
    const own = '[118,182,824,455],[118,500,824,900]';
    assert.equal(applied(text, record), text.replace(own, inPixels));
    const file = await convert(uri, { scope: 'file' });
    assert.equal(
      file.kind === 'edits' && file.title,
      'Convert 4 boxes in 2 records from 0-1000 to pixels at 300 dpi (1 record stays as it is)',
    );
    assert.equal(applied(text, file), text.replaceAll(own, inPixels));
    assert.ok(file.kind === 'edits' && file.version === 1 && file.uri === uri);
  });

  it('are not converted where the pages are not known, or the boxes would leave them', async () => {
    const uri = await opened('unknown.jsonl', fileOf([...plain(2), ...plain(1, { doc_name: 'nowhere' })]));
    assert.match(JSON.stringify(await convert(uri, { scope: 'file' })), /pages of 1 record are not known/);
    assert.match(JSON.stringify(await convert(uri, { index: 2 })), /size of page 2 is not known/);
    assert.match(JSON.stringify(await convert(uri, { reading: DECLARED })), /numbers are the same/);
    const unit = { ...PERMILLE, space: 'unit' } as const;
    assert.match(JSON.stringify(await convert(uri, { reading: unit })), /does not lie on page 2 as 0-1/);
    assert.match(JSON.stringify(await convert(uri, { reading: {} as CoordinateReading })), /cannot be read so/);
    assert.match(JSON.stringify(await convert(uri, { index: 9 })), /not there any more/);
    assert.match(JSON.stringify(await convert(uri, { scope: 'box' })), /not said which box/);
  });

  it('of real files agree with their relative boxes in 0-1000 and in 0-1', async function () {
    if (!existsSync(REAL)) return this.skip();
    const why = (await evidence(await realFile('2311.07631.jsonl'))).coordinates?.why ?? [];
    assert.ok(why.includes('34 of 34 boxes of the file agree with their relative boxes.'));
    assert.ok(why.includes('All 34 boxes of the file lie on their pages.'));
    for (const [name, space] of [
      ['page_demo', '0-1'],
      ['pred_bbox_demo', '0-1000'],
    ] as const) {
      const text = readFileSync(path.join(REAL, `views/${name}.jsonl`), 'utf8');
      const images = path.join(REAL, 'Images/cs/2311.07631');
      for (const image of readdirSync(images))
        server.write(`views/2311.07631/${image}`, readFileSync(path.join(images, image)));
      const view = await evidence(await opened(`views/${name}.jsonl`, text));
      const all = view.coordinates?.why.join(' ') ?? '';
      assert.match(all, new RegExp(`relative box(es)? of this record \\(${space}\\) agrees?\\.`), name);
      assert.ok(!all.includes('Against'), all);
    }
  });

  async function realFile(name: string): Promise<string> {
    const uri = pathToFileURL(path.join(REAL, name)).href;
    await server.open(uri, readFileSync(path.join(REAL, name), 'utf8'));
    await server.status(uri, ({ running, profile }) => !running && profile !== null);
    return uri;
  }
});

function applied(text: string, result: ConvertBoxesResult): string {
  assert.ok(result.kind === 'edits', JSON.stringify(result));
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  const offset = ({ line, character }: { line: number; character: number }): number =>
    (starts[line] ?? text.length) + character;
  return [...result.edits]
    .sort((a, b) => offset(b.range.start) - offset(a.range.start))
    .reduce(
      (now, { range, newText }) => now.slice(0, offset(range.start)) + newText + now.slice(offset(range.end)),
      text,
    );
}
