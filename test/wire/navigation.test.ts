import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import type { ProtocolRange } from '../../schemas/protocol.ts';
import { docmath, DOCUMENTS, fileOf, sciegqa } from './records.ts';
import { startServer } from './server.ts';
import type { WireServer } from './server.ts';
import { openView } from './view-documents.ts';

interface Place {
  readonly uri: string;
  readonly range: ProtocolRange;
}
interface Link {
  readonly originSelectionRange: ProtocolRange;
  readonly targetUri: string;
  readonly targetSelectionRange: ProtocolRange;
}
interface Symbol {
  readonly name: string;
  readonly detail?: string;
  readonly kind: number;
  readonly range: ProtocolRange;
  readonly selectionRange: ProtocolRange;
  readonly children?: readonly Symbol[];
}
interface Selection {
  readonly range: ProtocolRange;
  readonly parent?: Selection;
}

const CAPABILITIES = {
  workspace: { configuration: true },
  textDocument: {
    definition: { linkSupport: true },
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
  },
};

const SOLUTION =
  'def change(new, old):\n    return new - old\n\ndef solution():\n    new = 1350\n    old = 1200\n    return change(new, old)';

describe('navigation over stdio', () => {
  let server: WireServer;
  /** Texts of the documents, by address. */
  const texts = new Map<string, string>();
  beforeEach(async () => {
    texts.clear();
    server = await startServer({ trusted: false, capabilities: CAPABILITIES, asks: true });
  });
  afterEach(() => server.stop());

  async function open(path: string, lines: readonly string[]): Promise<string> {
    const text = path.endsWith('.json') ? lines.join('\n') : fileOf(lines);
    const uri = server.write(path, text);
    await server.open(uri, text, path.endsWith('.json') ? 'json' : 'jsonl');
    texts.set(uri, text);
    await server.status(uri, ({ records, running }) => records > 0 && !running);
    return uri;
  }

  async function view(file: string, index: number, kind: 'record' | 'solution'): Promise<string> {
    const { uri, text } = await openView(server, file, index, kind);
    texts.set(uri, text);
    return uri;
  }

  /** The position in the middle of the `nth` occurrence of a text in a document. */
  function at(uri: string, wanted: string, nth = 0, shift = 1): { line: number; character: number } {
    const text = texts.get(uri)!;
    let found = -1;
    for (let i = 0; i <= nth; i++) found = text.indexOf(wanted, found + 1);
    assert.ok(found >= 0, `${wanted} is not in the document:\n${text}`);
    const before = text.slice(0, found + shift).split('\n');
    return { line: before.length - 1, character: before.at(-1)!.length };
  }

  function textIn(uri: string, { start, end }: ProtocolRange): string {
    const lines = texts
      .get(uri)!
      .split('\n')
      .slice(start.line, end.line + 1);
    lines[lines.length - 1] = lines.at(-1)!.slice(0, end.character);
    lines[0] = lines[0]!.slice(start.character);
    return lines.join('\n');
  }

  const request = <T>(method: string, uri: string, params: object = {}): Promise<T> =>
    server.connection.sendRequest<T>(`textDocument/${method}`, { textDocument: { uri }, ...params });

  /** What the definitions show, with the document where it is another one. */
  async function definition(uri: string, position: object): Promise<string[]> {
    const found = await request<Link[] | null>('definition', uri, { position });
    return (found ?? []).map((link) => placeText(uri, { uri: link.targetUri, range: link.targetSelectionRange }));
  }

  async function references(uri: string, position: object, includeDeclaration = false): Promise<string[]> {
    const context = { includeDeclaration };
    const found = await request<Place[] | null>('references', uri, { position, context });
    return (found ?? []).map((place) => placeText(uri, place));
  }

  function placeText(from: string, { uri, range }: Place): string {
    const shown = texts.has(uri) ? textIn(uri, range) : '';
    const line = `${range.start.line + 1}`;
    return uri === from
      ? `${line}: ${shown}`
      : `${decodeURIComponent(uri).split('?')[0]!.split('/').at(-1)!} ${line}: ${shown}`;
  }

  const shared = (): string[] =>
    docmath(
      { question_id: 'twice', python_solution: SOLUTION, paragraph_evidence: [0, 2] },
      { python_solution: SOLUTION },
      { question_id: 'twice' },
    );

  it('leads from citations, numbers, names and ids to where they come from, in a file', async () => {
    const uri = await open('set.jsonl', shared());
    assert.deepEqual(await definition(uri, at(uri, '"table_evidence":[1', 0, 18)), [
      `1: ${JSON.stringify(JSON.parse(shared()[0]!).paragraphs[1])}`,
    ]);
    assert.deepEqual(await definition(uri, at(uri, '[0,2]', 0, 3)), ['1: "Gadget demand fell."']);
    assert.deepEqual(await definition(uri, at(uri, '1350')), ['1: 1,350']);
    assert.deepEqual(await definition(uri, at(uri, 'change(new, old)"')), ['1: change']);
    assert.deepEqual(await definition(uri, at(uri, 'old)"')), ['1: old']);
    assert.deepEqual(await definition(uri, at(uri, 'twice')), ['3: "twice"']);
    assert.deepEqual(await definition(uri, at(uri, '"source"')), []);
    const [link] = await request<Link[]>('definition', uri, { position: at(uri, '1350') });
    assert.equal(textIn(uri, link!.originSelectionRange), '1350');
  });

  it('leads there in a document of the record', async () => {
    const file = await open('set.jsonl', shared());
    const uri = await view(file, 0, 'record');
    const [cited] = await definition(uri, at(uri, '"table_evidence": [1', 0, 19));
    assert.match(cited ?? '', /^\d+: """\n +\| Item \| 2031 \| 2032 \|/);
    assert.match((await definition(uri, at(uri, '1350')))[0] ?? '', /^\d+: 1,350$/);
    assert.match((await definition(uri, at(uri, 'change(new, old)', 1)))[0] ?? '', /^\d+: change$/);
    assert.deepEqual(await definition(uri, at(uri, 'twice')), ['set.jsonl 3: "twice"']);
  });

  it('leads from a document of the solution to the file, or to an open document of the record', async () => {
    const file = await open('set.jsonl', shared());
    const uri = await view(file, 0, 'solution');
    assert.deepEqual(await definition(uri, at(uri, 'change(new, old)', 1)), ['1: change']);
    assert.deepEqual(await definition(uri, at(uri, '1350')), ['set.jsonl 1: 1,350']);
    await view(file, 0, 'record');
    assert.match((await definition(uri, at(uri, '1350')))[0] ?? '', /^twice\.record \d+: 1,350$/);
  });

  it('finds what cites a block, what uses a number, what names a variable and what shares an id', async () => {
    const uri = await open('set.jsonl', shared());
    assert.deepEqual(await references(uri, at(uri, 'Gadget demand')), ['1: 2']);
    assert.deepEqual(await references(uri, at(uri, 'Gadget demand'), true), ['1: "Gadget demand fell."', '1: 2']);
    assert.deepEqual(await references(uri, at(uri, '1,350')), ['1: 1350']);
    assert.deepEqual(await references(uri, at(uri, '1,350'), true), ['1: 1,350', '1: 1350']);
    assert.deepEqual(await references(uri, at(uri, 'old = 1200')), ['1: old']);
    assert.deepEqual(await references(uri, at(uri, 'twice')), ['3: "twice"']);
    assert.deepEqual(await references(uri, at(uri, 'twice'), true), ['1: "twice"', '3: "twice"']);
    assert.deepEqual(await definition(uri, at(uri, '1,350')), ['1: 1,350']);
    const record = await view(uri, 0, 'record');
    assert.match((await references(record, at(record, '1,350')))[0] ?? '', /^\d+: 1350$/);
    assert.match((await references(record, at(record, 'Gadget demand')))[0] ?? '', /^\d+: 2$/);
    const solution = await view(uri, 0, 'solution');
    assert.deepEqual(await references(solution, at(solution, 'new = '), true), ['5: new', '7: new']);
  });

  it('reaches the paragraphs and the table that nested records share', async () => {
    const question = (uid: string, cites: string): string =>
      `{"uid": "${uid}", "question": "How many (${uid})?", "answer": 150, "derivation": "1,350-1,200", "answer_type": "arithmetic", "answer_from": "table-text", "rel_paragraphs": [${cites}], "scale": ""}`;
    const uri = await open('tatqa_dev.json', [
      '[',
      '  {"table": {"uid": "t", "table": [["", "2032", "2031"], ["Widgets", "1,350", "1,200"]]},',
      '   "paragraphs": [{"uid": "p", "order": 1, "text": "Widgets sell."}, {"uid": "r", "order": 2, "text": "More."}],',
      '   "questions": [',
      `     ${question('a', '"2"')},`,
      `     ${question('b', '"1", "2"')}`,
      '  ]}',
      ']',
      '',
    ]);
    assert.deepEqual(await definition(uri, at(uri, '["2"]', 0, 2)), ['3: "More."']);
    assert.deepEqual(await definition(uri, at(uri, '"derivation": "1,350', 0, 17)), ['2: "1,350"']);
    assert.deepEqual(await references(uri, at(uri, 'More.')), ['5: "2"', '6: "2"']);
    assert.deepEqual(await references(uri, at(uri, 'Widgets sell.')), ['6: "1"']);
    assert.deepEqual(await references(uri, at(uri, '1,350')), ['5: 1,350', '6: 1,350']);
    const record = await view(uri, 1, 'record');
    assert.deepEqual(await definition(record, at(record, '"1"')), ['tatqa_dev.json 3: "Widgets sell."']);
  });

  it('links documents, pages and page images that are there, and addresses of the web', async () => {
    cpSync(DOCUMENTS, join(server.folder, 'documents'), { recursive: true });
    server.write(
      'auditable-qa.json',
      '{"datasets":[{"files":["*.jsonl"],"profile":"sciegqa","pdf":"documents/{doc_name}.pdf"}]}',
    );
    const lines = sciegqa({ answer: 'https://example.org/a?b=c' }, { doc_name: 'absent' });
    const uri = await open('set.jsonl', lines);
    type DocumentLinkSent = { readonly range: ProtocolRange; readonly target: string };
    const linksOf = async (of: string): Promise<string[][]> => {
      const found = await request<DocumentLinkSent[]>('documentLink', of);
      return found.map(({ range, target }) => [textIn(of, range), decodeURIComponent(target).replace(/file:.*\//, '')]);
    };
    const page = (of: string): string => `command:auditableQa.previewEvidence?["${of}",0,"/evidence_page/0"]`;
    const expected = [
      ['demo-doc', 'demo-doc.pdf#page=2'],
      ['2', page(decodeURIComponent(uri)).replace(/file:.*\//, '')],
      ['https://example.org/a?b=c', 'https://example.org/a?b=c'],
    ];
    assert.deepEqual(await linksOf(uri), expected);
    const record = await view(uri, 0, 'record');
    assert.deepEqual(
      (await linksOf(record)).map(([shown]) => shown),
      expected.map(([shown]) => shown),
    );
    // A definition beside the link would open both.
    assert.deepEqual(await definition(uri, at(uri, 'demo-doc')), []);
  });

  it('links pages as the address of the PDF where a client knows no commands', async () => {
    await server.stop();
    server = await startServer({ trusted: false, capabilities: CAPABILITIES });
    cpSync(DOCUMENTS, join(server.folder, 'documents'), { recursive: true });
    const uri = await open('set.jsonl', sciegqa({}, { doc_name: 'absent' }));
    const found = await request<{ target: string }[]>('documentLink', uri);
    assert.deepEqual(
      found.map(({ target }) => target.split('/').at(-1)),
      ['demo-doc.pdf#page=2', 'demo-doc.pdf#page=2'],
    );
    assert.deepEqual(await definition(uri, at(uri, 'demo-doc')), ['demo-doc.pdf 1: ']);
    assert.deepEqual(await definition(uri, at(uri, '"evidence_page":[2', 0, 18)), ['demo-doc.pdf 1: ']);
    assert.deepEqual(await definition(uri, at(uri, 'absent')), []);
  });

  const namesOf = (symbols: readonly Symbol[]): unknown[] =>
    symbols.flatMap(({ name, children }) => [name, ...(children ? [namesOf(children)] : [])]);

  it('outlines the records of a file with their fields', async () => {
    const uri = await open('set.jsonl', docmath({ ground_truth: '150' }, { question_id: '' }));
    const symbols = await request<Symbol[]>('documentSymbol', uri);
    assert.deepEqual(
      symbols.map(({ name }) => name.slice(0, 40)),
      ['wire-0: What was the change in widget re', 'Record 2: What was the change in widget '],
    );
    assert.match(symbols[0]?.detail ?? '', /1 error/);
    assert.deepEqual(symbols[0]?.children?.map(({ name }) => name).slice(0, 3), ['question_id', 'source', 'question']);
    assert.equal(symbols[1]?.range.start.line, 1);
    assert.equal(textIn(uri, symbols[0]!.children![0]!.selectionRange), '"question_id"');
  });

  it('outlines a record with its list elements and its solution, and a solution alone', async () => {
    const file = await open('set.jsonl', shared());
    const uri = await view(file, 0, 'record');
    const symbols = await request<Symbol[]>('documentSymbol', uri);
    const names = namesOf(symbols);
    assert.deepEqual(names[names.indexOf('paragraphs') + 1], ['paragraphs[0]', 'paragraphs[1]', 'paragraphs[2]']);
    assert.deepEqual(names[names.indexOf('python_solution') + 1], ['change', 'solution', ['new', 'old']]);
    const solution = await view(file, 0, 'solution');
    const own = await request<Symbol[]>('documentSymbol', solution);
    assert.deepEqual(namesOf(own), ['change', 'solution', ['new', 'old']]);
    assert.equal(textIn(solution, own[1]!.children![0]!.range), 'new = 1350');
    assert.equal(own[1]!.children![0]!.detail, '1350');
  });

  it('outlines a large file by its records alone', async () => {
    const uri = await open('set.jsonl', docmath(...Array.from({ length: 1200 }, () => ({}))));
    const symbols = await request<Symbol[]>('documentSymbol', uri);
    assert.equal(symbols.length, 1200);
    assert.ok(symbols.every(({ children }) => children === undefined));
  });

  it('has the outline asked for again when its solutions have run', async () => {
    await server.stop();
    const documentSymbol = { hierarchicalDocumentSymbolSupport: true, dynamicRegistration: true };
    server = await startServer({ capabilities: { textDocument: { documentSymbol } } });
    // The registration before is taken back once the new one stands.
    const removed = new Promise<void>((resolve) => {
      server.connection.onRequest('client/unregisterCapability', () => {
        resolve();
        return null;
      });
    });
    const text = fileOf(docmath({}));
    const uri = server.write('set.jsonl', text);
    await server.open(uri, text);
    const early = await request<Symbol[]>('documentSymbol', uri);
    assert.equal(early.length, 1);
    await removed;
    const [late] = await request<Symbol[]>('documentSymbol', uri);
    assert.match(late?.detail ?? '', /150 = gold/);
  });

  it('gives the outline as a list to clients that know no trees', async () => {
    await server.stop();
    server = await startServer({ trusted: false, capabilities: {} });
    const uri = await open('set.jsonl', docmath({}));
    const found = await request<{ name: string; containerName?: string; location: Place }[]>('documentSymbol', uri);
    assert.equal(found[0]?.containerName, undefined);
    assert.equal(found[1]?.containerName, found[0]?.name);
    assert.equal(found[1]?.location.uri, uri);
  });

  const foldsOf = async (uri: string): Promise<string[]> => {
    const found = await request<{ startLine: number; endLine: number }[]>('foldingRange', uri);
    const lines = texts.get(uri)!.split('\n');
    return found.map(({ startLine, endLine }) => `${lines[startLine]!.trim()} … ${lines[endLine]!.trim()}`);
  };

  it('folds objects, lists, text blocks and the blocks of a solution', async () => {
    const file = await open('set.jsonl', shared());
    assert.deepEqual(await foldsOf(file), []);
    const record = await view(file, 0, 'record');
    const folds = await foldsOf(record);
    assert.ok(folds.includes('"paragraphs": [ … "Gadget demand fell."'), folds.join('\n'));
    assert.ok(folds.some((fold) => fold.startsWith('"python_solution": """ … return change(new, old)')));
    assert.ok(folds.includes('def change(new, old): … return new - old'));
    const solution = await view(file, 0, 'solution');
    assert.deepEqual(await foldsOf(solution), [
      'def change(new, old): … return new - old',
      'def solution(): … return change(new, old)',
    ]);
    const json = await open('set.json', JSON.stringify([JSON.parse(shared()[0]!)], null, 2).split('\n'));
    assert.ok((await foldsOf(json)).includes('"table_evidence": [ … 1'));
    assert.ok((await foldsOf(json))[0]?.startsWith('[ … }'));
  });

  async function selections(uri: string, position: object): Promise<string[]> {
    const [first] = await request<Selection[]>('selectionRange', uri, { positions: [position] });
    const found: string[] = [];
    for (let one: Selection | undefined = first; one; one = one.parent) found.push(textIn(uri, one.range));
    return found;
  }

  it('grows a selection from the word to the record', async () => {
    const uri = await open('set.jsonl', docmath({ python_solution: SOLUTION }));
    const grown = await selections(uri, at(uri, 'demand fell'));
    assert.deepEqual(grown.slice(0, 3), ['demand', 'Gadget demand fell.', '"Gadget demand fell."']);
    assert.ok(grown[4]?.startsWith('"paragraphs":['));
    assert.equal(`${grown.at(-1)}\n`, texts.get(uri));
    const inCode = await selections(uri, at(uri, 'new - old'));
    assert.deepEqual(inCode.slice(0, 3), ['new', 'new - old', 'return new - old']);
    assert.ok(inCode[3]?.startsWith('def change(new, old)'));
    const record = await view(uri, 0, 'record');
    assert.deepEqual((await selections(record, at(record, 'new - old'))).slice(0, 3), inCode.slice(0, 3));
    const solution = await view(uri, 0, 'solution');
    const alone = await selections(solution, at(solution, 'new - old'));
    assert.deepEqual(alone.slice(0, 3), inCode.slice(0, 3));
    assert.equal(alone.at(-1)?.trimEnd(), texts.get(solution)?.trimEnd());
  });

  it('finds records of the workspace by id and question, of open files and of others', async () => {
    await open('open.jsonl', docmath({ question_id: 'open-7' }));
    const closed = server.write(
      'more/closed.jsonl',
      fileOf(docmath({}, { question_id: 'closed-7', question: 'How tall is it?' })),
    );
    server.write('more/other.jsonl', '{"a": 1}\n');
    const search = (query: string): Promise<{ name: string; location: Place; containerName: string }[]> =>
      server.connection.sendRequest('workspace/symbol', { query });
    assert.deepEqual((await search('-7')).map(({ name }) => name.split(':')[0]).sort(), ['closed-7', 'open-7']);
    const [tall] = await search('how TALL');
    assert.equal(tall?.location.uri, closed);
    assert.equal(tall?.location.range.start.line, 1);
    assert.equal(tall?.containerName, 'closed.jsonl');
    assert.deepEqual(await search('nowhere at all'), []);
    server.write('more/closed.jsonl', fileOf(docmath({ question_id: 'fresh-7' })));
    await server.connection.sendNotification('workspace/didChangeWatchedFiles', {
      changes: [{ uri: closed, type: 2 }],
    });
    assert.deepEqual((await search('-7')).map(({ name }) => name.split(':')[0]).sort(), ['fresh-7', 'open-7']);
  });

  it('gives at most 200 records of a large workspace', async () => {
    await open('set.jsonl', docmath(...Array.from({ length: 1100 }, () => ({}))));
    assert.equal((await server.connection.sendRequest<unknown[]>('workspace/symbol', { query: 'wire' })).length, 200);
  });

  it('stays quiet on files without a profile, on broken records and at impossible positions', async () => {
    const plain = server.write('log.jsonl', '{"a": [1]}\n');
    await server.open(plain, '{"a": [1]}\n');
    await server.status(plain, ({ profile, running }) => profile === null && !running);
    const uri = await open('set.jsonl', [...docmath({}), '{"question_id": "broken", "paragraphs": ["a', '']);
    for (const position of [
      { line: 1, character: 20 },
      { line: 999, character: 0 },
      { line: 0, character: 1e9 },
      { line: -1, character: -5 },
      { line: 'x' },
      null,
    ]) {
      assert.deepEqual(await definition(uri, position as object), []);
      assert.deepEqual(await references(uri, position as object), []);
      await request('selectionRange', uri, { positions: [position] });
    }
    // What is asked in one breath with opening is answered too.
    const late = server.write('late.jsonl', fileOf(docmath({})));
    void server.open(late, fileOf(docmath({})));
    assert.equal((await request<Symbol[]>('documentSymbol', late)).length, 1);
    for (const method of ['documentSymbol', 'documentLink', 'foldingRange']) {
      assert.equal(await request(method, plain), null);
      assert.ok(await request(method, uri));
      assert.equal(await request(method, 'file:///nowhere.jsonl'), null);
    }
    assert.deepEqual(server.logged, []);
  });
});
