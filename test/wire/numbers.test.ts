import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EvidenceNumber, EvidenceView, NumberOnPage, ProtocolRange } from '../../schemas/protocol.ts';
import { EVIDENCE, LOCATE } from '../../schemas/protocol.ts';
import { docmath, DOCUMENTS, fileOf, sciegqa } from './records.ts';
import { columns, startServer } from './server.ts';
import type { WireServer } from './server.ts';

const DATA = join(import.meta.dirname, '../../../shared/data');

interface HoverCard {
  readonly contents: { readonly value: string };
  readonly range?: ProtocolRange;
}

describe('numbers over stdio', () => {
  let server: WireServer;
  afterEach(() => server.stop());

  async function opened(name: string, text: string, language = 'jsonl'): Promise<string> {
    const uri = server.write(name, text);
    await server.open(uri, text, language);
    await server.status(uri, ({ records, running }) => records > 0 && !running);
    return uri;
  }

  const hover = (uri: string, line: number, character: number): Promise<HoverCard | null> =>
    server.connection.sendRequest('textDocument/hover', { textDocument: { uri }, position: { line, character } });

  const viewOf = (uri: string, index: number, withPages = false): Promise<EvidenceView> =>
    server.connection.sendRequest<EvidenceView>(EVIDENCE, { uri, index, withPages });

  const locate = (uri: string, index: number, { pointer, inString }: EvidenceNumber): Promise<ProtocolRange | null> =>
    server.connection.sendRequest(LOCATE, { uri, index, pointer, inString });

  /** The number as it stands in the view's own text. */
  function standing(view: EvidenceView, number: EvidenceNumber | undefined): string | undefined {
    const [place] = number?.places ?? [];
    if (place?.kind !== 'block' || place.shown === null) return undefined;
    const block = view.blocks.find(({ blockPointer }) => blockPointer === place.blockPointer);
    const { part, row = 0, column = 0, start, end } = place.shown;
    const whole =
      part === 'text' ? block?.text : part === 'cell' ? block?.table?.rows[row]?.[column] : block?.table?.[part];
    return whole?.slice(start, end);
  }

  it('hovers over literals, behind escapes too, and tells value, verdict, row and column', async () => {
    server = await startServer({ trusted: false });
    const [line = ''] = docmath({
      python_solution:
        'def solution():\n\t"""Wïdgets \u{1F600} \\ """\n    r2031 = 1200\n    other = 9417\n    return 1350 - r2031',
    });
    const escaped = line.replace('ï', '\\u00ef').replace('1350 -', '135\\u0030 -');
    const uri = await opened('data.jsonl', fileOf([escaped]));
    const at = columns(escaped, '1200\\n');
    const card = await hover(uri, 0, at.from + 1);
    assert.match(card!.contents.value, /^\*\*1200\*\* \(`r2031`\) stands in the cited evidence\./);
    assert.match(card!.contents.value, /paragraphs\\\[1\\\] row "Widget revenue", column "2031"/);
    assert.match(card!.contents.value, /“Widget revenue \\\| \*\*1,200\*\* \\\| 1,350”/);
    const start = { line: 0, character: at.from };
    assert.deepEqual(card!.range, { start, end: { line: 0, character: at.from + 4 } });
    const unicode = columns(escaped, '135\\u0030');
    const behind = await hover(uri, 0, unicode.to - 2);
    assert.match(behind!.contents.value, /^\*\*1350\*\* stands/);
    assert.equal(behind!.range?.start.character, unicode.from);
    assert.equal(behind!.range.end.character, unicode.to);
    const missing = await hover(uri, 0, columns(escaped, '9417').from);
    assert.match(missing!.contents.value, /\*\*9417\*\* \(`other`\) ⚠ stands nowhere in the evidence\./);
    assert.equal(await hover(uri, 0, columns(escaped, 'return').from + 2), null);
  });

  it('gives the preview each number with its place in what is shown', async () => {
    server = await startServer({ trusted: false });
    const lines = docmath({}, { table_evidence: [], python_solution: 'def solution():\n    return 1350 / 728 - 4242' });
    const uri = await opened('data.jsonl', fileOf(lines));
    const view = await viewOf(uri, 0);
    assert.deepEqual(
      view.trace?.numbers.map(({ text, name, verdict }) => [text, name, verdict]),
      [
        ['1200', 'r2031', 'cited'],
        ['1350', 'r2032', 'cited'],
      ],
    );
    assert.deepEqual(
      view.trace?.numbers.map((number) => standing(view, number)),
      ['1,200', '1,350'],
    );
    assert.equal(view.trace?.pending, false);
    const range = await locate(uri, 0, view.trace!.numbers[1]!);
    const at = columns(lines[0]!, '1350');
    assert.deepEqual([range?.start.character, range?.end.character], [at.from, at.to]);
    const other = await viewOf(uri, 1);
    const [first, , last] = other.trace?.numbers ?? [];
    assert.equal(first?.verdict, 'context');
    const [place] = first.places;
    assert.deepEqual(place?.kind === 'block' ? [place.blockPointer, place.shown] : place, ['/paragraphs/1', null]);
    assert.deepEqual([last?.verdict, last?.unsupported], ['nowhere', true]);
  });

  it('knows programs of FinQA and derivations of TAT-QA, whose tables are joined rows', async () => {
    server = await startServer({ trusted: false });
    const finqa = {
      id: 'F/1',
      pre_text: ['costs were 3 items .'],
      post_text: ['widgets sold for $ 57,350 in 2032 .'],
      table: [
        ['', '2032', '2031'],
        ['widgets | all', '$ 1,350', '1,200'],
      ],
      qa: {
        question: 'what was the change?',
        program: 'subtract(1350, 1200), divide(#0, 57350)',
        exe_ans: 0.00262,
        answer: '0.3%',
        gold_inds: { table_1: 'x', text_1: 'y' },
      },
    };
    const text = JSON.stringify([finqa], null, 2);
    const uri = await opened('finqa.json', text, 'json');
    const view = await viewOf(uri, 0);
    assert.deepEqual(
      view.trace?.numbers.map((number) => standing(view, number)),
      ['1,350', '1,200', '57,350'],
    );
    const line = text.split('\n').findIndex((one) => one.includes('subtract'));
    const at = columns(text.split('\n')[line]!, '57350').from;
    const card = await hover(uri, line, at);
    assert.match(card!.contents.value, /\*\*57350\*\* stands in the cited evidence[\s\S]*post\\_text\\\[0\\\]/);
    const question =
      '{"uid": "q", "order": 1, "question": "What is the difference?", "answer": 150, "derivation": "1,350-1,200", ' +
      '"answer_type": "arithmetic", "answer_from": "table-text", "rel_paragraphs": ["1"], "req_comparison": false, "scale": ""}';
    const tatqa =
      '[{"table": {"uid": "t", "table": [["", "2032"], ["Widgets", "1,350"]]},\n' +
      `"paragraphs": [{"uid": "p", "order": 1, "text": "Widgets were 1,200."}],\n"questions": [\n${question}\n]}]`;
    const nested = await opened('tatqa.json', tatqa, 'json');
    const inContext = await viewOf(nested, 0);
    assert.deepEqual(
      inContext.trace?.numbers.map((number) => standing(inContext, number)),
      ['1,350', '1,200'],
    );
    const derived = await hover(nested, 3, question.indexOf('1,200') + 1);
    assert.match(derived!.contents.value, /\*\*1,200\*\* stands in the cited evidence[\s\S]*paragraphs\\\[0\\\]/);
  });

  async function withDocuments(lines: readonly string[]): Promise<string> {
    server = await startServer({ trusted: false });
    cpSync(DOCUMENTS, join(server.folder, 'documents'), { recursive: true });
    server.write(
      'auditable-qa.json',
      `{"datasets":[{"files":["*.jsonl"],"profile":"sciegqa","pdf":"documents/{doc_name}.pdf",
        "coordinates":{"space":"pixel","dpi":300}}]}`,
    );
    return opened('data.jsonl', fileOf(lines));
  }

  const pagePlaces = (number: EvidenceNumber | undefined): NumberOnPage[] =>
    (number?.places ?? []).filter((place) => place.kind === 'page');

  it('looks numbers of an answer up on the pages of a PDF, in the boxes first, when the record is shown', async () => {
    const lines = sciegqa(
      { answer: '1,350 in 2032' },
      { answer: '1350 parcels', bbox: [[[300, 200, 2100, 500]]], rel_bbox: [[[117.65, 60.6, 823.53, 151.5]]] },
      { answer: '98765' },
    );
    const uri = await withDocuments(lines);
    const early = await viewOf(uri, 0);
    assert.deepEqual(early.trace, { numbers: [], unread: [], pending: true });
    const view = await viewOf(uri, 0, true);
    assert.equal(view.trace?.pending, false);
    const [first] = view.trace?.numbers ?? [];
    assert.equal(first?.verdict, 'cited');
    const [place] = pagePlaces(first);
    assert.equal(place?.name, 'page 2, inside box 1');
    assert.equal(place.region, '/bbox/0/0');
    const [region] = view.pages[0]?.regions ?? [];
    assert.ok(place.left > region!.left && place.left + place.width < region!.left + region!.width);
    assert.ok(place.top > region!.top && place.top + place.height < region!.top + region!.height);
    // What was found out is at hand from now on.
    assert.equal((await viewOf(uri, 0)).trace?.pending, false);
    const beside = await viewOf(uri, 1, true);
    assert.equal(beside.trace?.numbers[0]?.verdict, 'context');
    assert.equal(pagePlaces(beside.trace.numbers[0])[0]?.name, 'page 2, outside its boxes');
    const card = await hover(uri, 2, columns(lines[2]!, '98765').from);
    assert.match(card!.contents.value, /\*\*98765\*\* ⚠ stands nowhere/);
    const found = await hover(uri, 0, columns(lines[0]!, '1,350').from + 2);
    assert.match(found!.contents.value, /page 2, inside box 1: “North \\\| 1,200 \\\| \*\*1,350\*\* \\\| 2,550”/);
  });

  it('forgets what it found when the record or its boxes change', async () => {
    const lines = sciegqa({ answer: '1350' });
    const uri = await withDocuments(lines);
    assert.equal((await viewOf(uri, 0, true)).trace?.numbers[0]?.verdict, 'cited');
    const { from, to } = columns(lines[0]!, '"answer":"1350"');
    await server.edit(uri, 2, 0, from, to, '"answer":"1351"');
    assert.equal((await viewOf(uri, 0)).trace?.pending, true);
    const again = await viewOf(uri, 0, true);
    assert.deepEqual(
      again.trace?.numbers.map(({ text, verdict }) => [text, verdict]),
      [['1351', 'nowhere']],
    );
  });

  it('answers in a line of a megabyte as fast as one types', async () => {
    server = await startServer({ trusted: false });
    const filler = Array.from(
      { length: 400 },
      (_, at) => `Note ${at}: ${`about ${at}.5 % and ${at * 7} of them. `.repeat(80)}`,
    );
    const [line = ''] = docmath({
      paragraphs: ['a', '| Item | 2031 |\n| Widgets | 1,200 |\n| More | 1,350 |', ...filler],
    });
    assert.ok(line.length > 1_000_000);
    const uri = await opened('data.jsonl', fileOf([line]));
    const at = columns(line, 'r2031 = 1200').to - 2;
    await hover(uri, 0, at);
    const start = performance.now();
    const card = await hover(uri, 0, at);
    const ms = performance.now() - start;
    assert.match(card!.contents.value, /\*\*1200\*\*/);
    assert.ok(ms < 250, `${ms} ms`);
  });

  it('finds the figure of a real filing in its cash flow statement', async function () {
    const filing = join(DATA, 'pdf/3M_2018_10K.pdf');
    const records = join(DATA, 'financebench/financebench_open_source.jsonl');
    server = await startServer({ trusted: false });
    if (!existsSync(filing) || !existsSync(records)) return this.skip();
    mkdirSync(join(server.folder, 'pdfs'));
    cpSync(filing, join(server.folder, 'pdfs/3M_2018_10K.pdf'));
    const lines = readFileSync(records, 'utf8').split('\n');
    const line = lines.find((one) => one.includes('"3M_2018_10K"') && one.includes('$1577.00'));
    const uri = await opened('financebench.jsonl', fileOf([line!]));
    const view = await viewOf(uri, 0, true);
    const [number] = view.trace?.numbers ?? [];
    assert.equal(number?.verdict, 'negated');
    assert.equal(pagePlaces(number)[0]?.name, 'page 59');
    const card = await hover(uri, 0, columns(line!, '1577.00').from + 1);
    assert.match(card!.contents.value, /Purchases of property[\s\S]*\*\*1,577\*\*/);
  });

  it('shows every cited number of real records as it is written', async function () {
    const files = [
      'docmath-eval/full_shape_119_reconstructed.jsonl',
      'finqa/dev_200.json',
      'tat-qa/tatqa_dataset_dev.json',
    ];
    server = await startServer({ trusted: false });
    if (!files.every((file) => existsSync(join(DATA, file)))) return this.skip();
    for (const file of files) {
      const text = readFileSync(join(DATA, file), 'utf8');
      const uri = await opened(file.split('/')[1]!, text, file.endsWith('l') ? 'jsonl' : 'json');
      let shown = 0;
      for (let index = 0; index < 119; index++) {
        const view = await viewOf(uri, index);
        for (const number of view.trace?.numbers ?? []) {
          const [place] = number.places;
          if (place?.kind !== 'block' || !place.cited) continue;
          const text = standing(view, number);
          assert.ok(text !== undefined && text !== '', `${file} ${index} ${number.text} ${JSON.stringify(place)}`);
          if (number.verdict === 'cited' && /\d/.test(text)) {
            const plain = (one: string): string => one.replace(/[^\d]|\.0+$|^const_/g, '').replace(/0+$/, '');
            assert.equal(plain(text), plain(number.text), `${file} ${index}`);
          }
          shown++;
        }
      }
      assert.ok(shown > 100, `${file}: ${shown}`);
    }
  });
});
