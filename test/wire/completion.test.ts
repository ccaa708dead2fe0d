import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ProtocolRange } from '../../schemas/protocol.ts';
import type { ViewKind, ViewReadResult, ViewRefResult } from '../../schemas/views.ts';
import { VIEW_READ, VIEW_REF, VIEW_SCHEME } from '../../schemas/views.ts';
import { docmath, DOCUMENTS, fileOf, sciegqa } from './records.ts';
import { startServer } from './server.ts';
import type { WireServer } from './server.ts';

interface Edit {
  readonly range: ProtocolRange;
  readonly newText: string;
}
interface Item {
  readonly label: string;
  readonly detail?: string;
  readonly documentation?: string | { readonly value: string };
  readonly sortText: string;
  readonly filterText?: string;
  readonly textEdit: Edit;
  readonly additionalTextEdits?: readonly Edit[];
}
interface List {
  readonly items: readonly Item[];
  readonly isIncomplete: boolean;
}

const CAPABILITIES = {
  workspace: { configuration: true },
  textDocument: { completion: { completionItem: { snippetSupport: true } } },
};

const SOLUTION = 'def solution():\n    revenue_2031 = 1200\n    return revenue_2031\n';
const RECORD = {
  question_id: 'c1',
  question: 'What was widget revenue in 2031?',
  python_solution: SOLUTION,
  ground_truth: 1200,
  paragraphs: [
    'Nothing of interest: 7.',
    'Results (in thousands)\n| | 2032 | 2031 |\n| Widget revenue | 1,350 | 1,200 |\n| Cost | (12.5) | 4 |',
    'The share was 12.5%.',
  ],
  table_evidence: [1],
  paragraph_evidence: [],
};

/** The document after an item was chosen; a snippet's cursor is `|`. */
function chosen(text: string, item: Item): string {
  const lines = text.split('\n');
  const offset = ({ line, character }: ProtocolRange['start']): number =>
    lines.slice(0, line).reduce((sum, one) => sum + one.length + 1, 0) + character;
  const edits = [
    { ...item.textEdit, newText: item.textEdit.newText.replace(/\$\{1:(.*?)\}|\$1/, '|$1') },
    ...(item.additionalTextEdits ?? []),
  ];
  edits.sort((one, other) => offset(other.range.start) - offset(one.range.start));
  return edits.reduce(
    (now, { range, newText }) => now.slice(0, offset(range.start)) + newText + now.slice(offset(range.end)),
    text,
  );
}

describe('completion over stdio', () => {
  let server: WireServer;
  afterEach(() => server.stop());

  const sorted = ({ items }: List): Item[] => [...items].sort((a, b) => (a.sortText < b.sortText ? -1 : 1));
  const labels = (list: List): string[] => sorted(list).map(({ label }) => label);

  async function ask(uri: string, line: number, character: number, typed?: string): Promise<List> {
    const found = await server.connection.sendRequest<List | null>('textDocument/completion', {
      textDocument: { uri },
      position: { line, character },
      context: typed === undefined ? { triggerKind: 1 } : { triggerKind: 2, triggerCharacter: typed },
    });
    return found ?? { items: [], isIncomplete: false };
  }

  const resolve = (item: Item): Promise<Item> => server.connection.sendRequest<Item>('completionItem/resolve', item);

  /** A file whose lines hold the bar once, where it is asked. */
  async function inFile(
    lines: readonly string[],
    typed?: string,
    documents = false,
  ): Promise<{ readonly uri: string; readonly list: List; readonly text: string }> {
    server = await startServer({ trusted: false, capabilities: CAPABILITIES });
    if (documents) cpSync(DOCUMENTS, server.folder, { recursive: true });
    const marked = fileOf(lines);
    const text = marked.replace('|>', '');
    const line = lines.findIndex((one) => one.includes('|>'));
    const uri = server.write('data.jsonl', text);
    await server.open(uri, text);
    await server.status(uri, ({ profile, running }) => profile !== null && !running);
    return { uri, list: await ask(uri, line, lines[line]!.indexOf('|>'), typed), text };
  }

  async function inView(
    kind: ViewKind,
    before: string,
    after = '',
  ): Promise<{ list: List; text: string; uri: string }> {
    server = await startServer({ trusted: false, capabilities: CAPABILITIES });
    const content = fileOf(docmath({}, RECORD, {}));
    const file = server.write('data.jsonl', content);
    await server.open(file, content);
    await server.status(file, ({ profile, running }) => profile !== null && !running);
    const found = await server.connection.sendRequest<ViewRefResult>(VIEW_REF, { file, index: 1, kind });
    const name = kind === 'record' ? 'c1.record' : 'c1.py';
    const uri = `${VIEW_SCHEME}:${fileURLToPath(file)}/${name}?${encodeURIComponent(JSON.stringify(found.ref))}`;
    const read = await server.connection.sendRequest<ViewReadResult>(VIEW_READ, { uri });
    assert.ok(read.kind === 'text');
    const at = read.text.indexOf(before);
    assert.ok(at >= 0, read.text);
    const text = read.text.slice(0, at + before.length) + after + read.text.slice(at + before.length);
    await server.open(uri, text, kind === 'record' ? 'auditable-qa-record' : 'python');
    await server.status(uri, ({ profile }) => profile !== null);
    const head = text.slice(0, at + before.length + after.length).split('\n');
    return { list: await ask(uri, head.length - 1, head.at(-1)!.length), text, uri };
  }

  it('gives the keys that a record lacks, with the right commas and value', async () => {
    const [full = ''] = docmath({});
    const { list, text } = await inFile([full, '{"question_id": "k", "|>" "question": "How many are there?"}'], '"');
    const found = labels(list);
    assert.deepEqual(found.slice(0, 2), ['ground_truth', 'python_solution']);
    assert.ok(!found.includes('question') && found.includes('paragraphs') && found.includes('source'));
    const truth = list.items.find(({ label }) => label === 'ground_truth')!;
    assert.match(String(truth.documentation), /as a number/);
    const after = chosen(text, truth).split('\n')[1]!;
    assert.match(after, /^\{"question_id": "k", "ground_truth": \|\d*, "question"/);
    const paragraphs = chosen(
      text,
      list.items.find(({ label }) => label === 'paragraphs')!,
    );
    assert.match(paragraphs, /"paragraphs": \["\|"\], "question"/);
  });

  it('puts a comma behind the value before', async () => {
    const { list, text } = await inFile([...docmath({}), '{"question_id": "k", "question": "How many?" "|>"}']);
    const after = chosen(
      text,
      list.items.find(({ label }) => label === 'python_solution')!,
    ).split('\n')[1]!;
    assert.equal(after, '{"question_id": "k", "question": "How many?", "python_solution": "|"}');
  });

  it('changes only the name of a key that has a value', async () => {
    const { list, text } = await inFile([...docmath({}), '{"question_id": "k", "question": "Q?", "pyth|>": "x"}']);
    const after = chosen(
      text,
      list.items.find(({ label }) => label === 'python_solution')!,
    ).split('\n')[1]!;
    assert.equal(after, '{"question_id": "k", "question": "Q?", "python_solution": "x"}');
  });

  it('gives labels and categories of the profile and of the file, with their number', async () => {
    const records = sciegqa({}, { category: 'annual report' }, { category: 'annual report' });
    const [line = ''] = sciegqa({ category: 'XX' });
    const { list } = await inFile([...records, line.replace('"XX"', '"|>"')]);
    const item = list.items.find(({ label }) => label === 'annual report');
    assert.ok(item !== undefined, JSON.stringify(list));
    assert.match(item.detail ?? '', /in 2 places/);
    assert.equal(item.textEdit.newText, '"annual report"');
  });

  it('gives documents of the folder and of the file, and the pages that are there', async () => {
    const [whole = ''] = sciegqa({});
    const { doc_name: name } = JSON.parse(whole) as { doc_name: string };
    const { list, uri } = await inFile([whole, whole.replace(JSON.stringify(name), '"|>"')], undefined, true);
    const item = list.items.find(({ label }) => label === name);
    assert.ok(item !== undefined, JSON.stringify(labels(list)));
    assert.match(item.detail ?? '', /a document that is there/);
    const at = whole.indexOf('"evidence_page": [') + '"evidence_page": ['.length;
    const pages = await ask(
      uri,
      0,
      whole.indexOf('"evidence_page":[') >= 0 ? whole.indexOf('"evidence_page":[') + 17 : at,
    );
    assert.ok(pages.items.length > 0, whole);
    for (const { label } of pages.items) assert.match(label, /^\d+$/);
  });

  it('gives evidence by position, that with the numbers of the solution first, with a look at it', async () => {
    const [line = ''] = docmath({ ...RECORD, table_evidence: [] });
    const { list } = await inFile([...docmath({}), line.replace('"table_evidence":[]', '"table_evidence":[|>]')]);
    assert.deepEqual(labels(list), ['1', '0', '2']);
    const [first] = sorted(list);
    assert.match(first!.detail ?? '', /holds numbers of the solution/);
    assert.equal(first!.documentation, undefined);
    const { documentation } = await resolve(first!);
    assert.ok(typeof documentation === 'object' && /\| Widget revenue \| 1,350 \| 1,200 \|/.test(documentation.value));
  });

  for (const kind of ['solution', 'record'] as const) {
    it(`gives numbers of the cited evidence in a ${kind} document, those first that fit the name`, async () => {
      const { list, text } = await inView(
        kind,
        'revenue_2031 = 1200',
        '\n'.padEnd(kind === 'record' ? 9 : 5) + 'widget_revenue_2032 = ',
      );
      const values = sorted(list).filter(({ detail }) => detail?.startsWith('paragraphs[1]'));
      assert.equal(values[0]!.label, '1350');
      assert.match(values[0]!.detail ?? '', /^paragraphs\[1\] row "Widget revenue", column "2032" \(thousand\)$/);
      assert.match(chosen(text, values[0]!), /widget_revenue_2032 = 1350\n/);
      assert.ok(values.some(({ label }) => label === '-12.5'));
      assert.match(values[0]!.filterText ?? '', /Widget revenue 2032 1350 1,350/);
      const { documentation } = await resolve(values[0]!);
      assert.ok(typeof documentation === 'object' && /\*\*1,350\*\*/.test(documentation.value));
      const names = sorted(list).map(({ label }) => label);
      assert.ok(names.indexOf('revenue_2031') < names.indexOf('1350'));
    });
  }

  it('finds a number by its digits, with and without separators', async () => {
    const { list, text } = await inView('solution', 'revenue_2031 = 1200', '\n    other = 1,3');
    const item = list.items.find(({ label }) => label === '1350')!;
    assert.ok(item !== undefined && item.filterText?.includes('1,350') === true);
    assert.match(chosen(text, item), /other = 1350\n/);
    assert.ok(list.items.every(({ label }) => label !== '-12.5'));
  });

  it('gives modules that may be imported', async () => {
    const { list } = await inView('solution', 'def solution():', '\n    import ');
    assert.ok(labels(list).includes('math') && !labels(list).includes('os'));
  });

  it('is silent in texts, comments and prose, and on blanks that begin nothing', async () => {
    const [line = ''] = docmath({ question: 'How XX many?' });
    const { uri, list } = await inFile([...docmath({}), line.replace('XX ', '|>')], ' ');
    assert.deepEqual(list.items, []);
    const shown = await ask(uri, 0, line.indexOf('def solution') + 3, ' ');
    assert.deepEqual(shown.items, []);
  });

  it('puts numbers into the string of a file, too', async () => {
    const [line = ''] = docmath({
      ...RECORD,
      python_solution: 'def solution():\n    a = "t"\n    b = XX\n    return b',
    });
    const { list, text } = await inFile([...docmath({}), line.replace('XX', '|>')]);
    const item = list.items.find(({ label }) => label === '1200')!;
    assert.ok(item !== undefined, JSON.stringify(labels(list)));
    const after = JSON.parse(chosen(text, item).split('\n')[1]!) as { python_solution: string };
    assert.equal(after.python_solution, 'def solution():\n    a = "t"\n    b = 1200\n    return b');
    assert.ok(labels(list).includes('a'));
  });
});
