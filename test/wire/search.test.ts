import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import type { CiteParams, CiteResult, FoundPlace, SearchResult } from '../../schemas/search.ts';
import { CITE, SEARCH, SHOW_FOUND } from '../../schemas/search.ts';
import { startServer } from './server.ts';
import type { WireServer } from './server.ts';
import { openView } from './view-documents.ts';

const record = (id: string): string =>
  `{"question_id": "${id}", "question": "How much did east and north make in 2031?", "paragraphs": ["Sales by region.", "| Region | 2031 |\\n| North | 1,350 |\\n| East | (75) |", "A \\"warehouse\\" was sold."], "table_evidence": [], "paragraph_evidence": [0], "python_solution": "def solution():\\n    return 1350 - 75\\n", "ground_truth": 1275}`;
const TEXT = `${record('a')}\n${record('b')}\n`;

describe('finding evidence over stdio', () => {
  let server: WireServer;
  beforeEach(async () => (server = await startServer({ trusted: false })));
  afterEach(() => server.stop());

  const search = (uri: string, query: string, index = 1, more = {}): Promise<SearchResult> =>
    server.connection.sendRequest(SEARCH, { uri, index, query, ...more });
  const cite = (uri: string, at: number, more: Partial<CiteParams> = {}): Promise<CiteResult> =>
    server.connection.sendRequest(CITE, {
      uri,
      index: 1,
      target: { kind: 'block', at },
      remove: false,
      dirty: [],
      ...more,
    });

  async function openFile(): Promise<string> {
    const file = server.write('set.jsonl', TEXT);
    await server.open(file, TEXT);
    return file;
  }

  it('finds blocks by number and by words, and says which are cited', async () => {
    const file = await openFile();
    const { items, blocks, pending, problem } = await search(file, '1350');
    assert.deepEqual([blocks, pending, problem], [3, false, null]);
    assert.equal(items.length, 1);
    const [{ target, name, cited, citable, excerpt, marks, match }] = items as [SearchResult['items'][number]];
    assert.deepEqual(target, { kind: 'block', at: 1 });
    assert.equal(name, 'paragraphs[1] row "North", column "2031"');
    assert.deepEqual([cited, citable, match], [false, true, 'number']);
    assert.deepEqual(
      marks.map(({ start, end }) => excerpt.slice(start, end)),
      ['1,350'],
    );
    assert.equal((await search(file, 'sales'))?.items[0]?.cited, true);
    assert.deepEqual((await search(file, 'elephants')).items, []);
    assert.deepEqual(
      (await search(file, '')).items.map(({ name: one }) => one),
      ['paragraphs[0]', 'paragraphs[1]', 'paragraphs[2]'],
    );
    assert.match((await search(file, 'x', 7)).problem ?? '', /not there/);
  });

  it('cites in an open file, and takes the citation out again', async () => {
    const file = await openFile();
    const result = await cite(file, 2);
    assert.equal(result.kind, 'edits');
    const { uri, version, edits, name } = result as Extract<CiteResult, { kind: 'edits' }>;
    assert.deepEqual([uri, version, name], [file, 1, 'paragraphs[2]']);
    const at = record('b').indexOf('[0]') + 2;
    const place = { line: 1, character: at };
    assert.deepEqual(edits, [{ range: { start: place, end: place }, newText: ', 2' }]);
    assert.match(JSON.stringify(await cite(file, 0)), /paragraphs\[0\] is cited already/);
    const out = (await cite(file, 0, { remove: true })) as Extract<CiteResult, { kind: 'edits' }>;
    assert.deepEqual(
      out.edits.map(({ newText }) => newText),
      [''],
    );
  });

  it('cites in a file that is not open by writing it', async () => {
    const file = server.write('set.jsonl', TEXT);
    const result = await cite(file, 1);
    assert.deepEqual(result, { kind: 'written', uri: file, name: 'paragraphs[1]' });
    const expected = TEXT.split('\n').map((line, at) => (at === 1 ? line.replace('[]', '[1]') : line));
    assert.equal(readFileSync(fileURLToPath(file), 'utf8'), expected.join('\n'));
    assert.equal((await search(file, 'north')).items[0]?.cited, true);
  });

  it('cites in a record document, with what is not saved there', async () => {
    const file = await openFile();
    const { uri, text } = await openView(server, file, 1, 'record');
    const lines = text.split('\n');
    const line = lines.findIndex((one) => one.includes('Sales by region'));
    const from = lines[line]!.indexOf('Sales');
    await server.edit(uri, 2, line, from, from + 5, 'Unicorns');
    assert.equal((await search(uri, 'unicorn')).items[0]?.name, 'paragraphs[0]');
    const result = (await cite(uri, 1)) as Extract<CiteResult, { kind: 'edits' }>;
    assert.deepEqual([result.kind, result.uri, result.version], ['edits', uri, 2]);
    const changed = lines.findIndex((one) => one.includes('table_evidence'));
    assert.equal(result.edits[0]?.range.start.line, changed);
  });

  it('cites from a solution document in the file, or in the record document that is open', async () => {
    const file = await openFile();
    const solution = await openView(server, file, 1, 'solution');
    assert.equal((await search(solution.uri, '75')).items[0]?.name, 'paragraphs[1] row "East", column "2031"');
    const inFile = (await cite(solution.uri, 1)) as Extract<CiteResult, { kind: 'edits' }>;
    assert.deepEqual([inFile.kind, inFile.uri], ['edits', file]);
    const { uri } = await openView(server, file, 1, 'record');
    const inRecord = (await cite(solution.uri, 1)) as Extract<CiteResult, { kind: 'edits' }>;
    assert.deepEqual([inRecord.kind, inRecord.uri], ['edits', uri]);
  });

  it('says where what was found stands, in a document that shows it', async () => {
    const file = await openFile();
    const { items } = await search(file, 'warehouse');
    const show = (uri: string): Promise<FoundPlace | null> =>
      server.connection.sendRequest(SHOW_FOUND, {
        uri,
        index: 1,
        target: items[0]!.target,
        inString: items[0]!.inString,
      });
    const start = record('b').indexOf('warehouse');
    const range = { start: { line: 1, character: start }, end: { line: 1, character: start + 9 } };
    assert.deepEqual(await show(file), { kind: 'text', uri: file, range });
    const solution = await openView(server, file, 1, 'solution');
    assert.deepEqual(await show(solution.uri), { kind: 'text', uri: file, range });
  });

  it('finds and cites pages of the document', async () => {
    const pdf = await PDFDocument.create();
    const font = await pdf.embedFont(StandardFonts.Helvetica);
    for (const text of ['Introduction', 'The walrus weighs 1,350 kg.', 'Conclusion']) {
      pdf.addPage([300, 300]).drawText(text, { x: 20, y: 200, size: 12, font });
    }
    server.write(join('pdf', 'doc.pdf'), await pdf.save());
    const line =
      '{"query": "How heavy?", "answer": "1350", "doc_name": "doc", "evidence_page": [1, 3], "bbox": [[], []], "subimg_type": [[], []]}';
    const file = server.write('pages.jsonl', `${line}\n`);
    await server.open(file, `${line}\n`);
    assert.deepEqual(await search(file, 'walrus', 0), { items: [], blocks: 0, pages: 0, pending: true, problem: null });
    const { items, pages, pending } = await search(file, '1350', 0, { withPages: true });
    assert.deepEqual([pages, pending, items.length], [3, false, 1]);
    assert.deepEqual([items[0]?.name, items[0]?.cited, items[0]?.citable], ['page 2', false, true]);
    const target = { kind: 'page', at: 2 } as const;
    const result = (await cite(file, 0, { index: 0, target })) as Extract<CiteResult, { kind: 'edits' }>;
    assert.deepEqual(
      result.edits.map(({ newText }) => newText.trim()),
      ['2,', '[],', '[],'],
    );
    const place = await server.connection.sendRequest<FoundPlace>(SHOW_FOUND, {
      uri: file,
      index: 0,
      target,
      inString: { start: 0, end: 1 },
    });
    assert.equal(place.kind === 'pdf' && place.pageIndex, 1);
  });
});
