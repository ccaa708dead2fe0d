import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import type {
  ConfigurationProposal,
  EvidenceView,
  ProtocolRange,
  RecordAt,
  RunAllResult,
  SolutionOutcome,
} from '../../schemas/protocol.ts';
import {
  CONFIGURATION,
  CURSOR,
  EVIDENCE,
  EXPLAIN,
  LOCATE,
  RECORD_AT,
  RUN_ALL,
  RUN_SOLUTION,
  TRUST_GRANTED,
} from '../../schemas/protocol.ts';
import { docmath, DOCUMENTS, fileOf, sciegqa } from './records.ts';
import { columns, startServer } from './server.ts';
import type { WireServer } from './server.ts';

interface Lens {
  readonly range: ProtocolRange;
  readonly command?: { readonly title: string; readonly command: string; readonly arguments: readonly unknown[] };
}

async function lenses(server: WireServer, uri: string): Promise<Lens[]> {
  const found = await server.connection.sendRequest<Lens[] | null>('textDocument/codeLens', { textDocument: { uri } });
  return Promise.all((found ?? []).map((lens) => server.connection.sendRequest<Lens>('codeLens/resolve', lens)));
}

const titles = async (server: WireServer, uri: string): Promise<(string | undefined)[]> =>
  (await lenses(server, uri)).map(({ command }) => command?.title);

async function hover(server: WireServer, uri: string, line: number, character: number): Promise<string> {
  const found = await server.connection.sendRequest<{ contents: { value: string } } | null>('textDocument/hover', {
    textDocument: { uri },
    position: { line, character },
  });
  return found?.contents.value ?? '';
}

describe('features over stdio', () => {
  let server: WireServer;
  afterEach(() => server.stop());

  async function opened(lines: readonly string[], options: Parameters<typeof startServer>[0] = {}): Promise<string> {
    server = await startServer({ asks: true, ...options });
    const uri = server.write('data.jsonl', fileOf(lines));
    await server.open(uri, fileOf(lines));
    return uri;
  }

  it('runs solutions by itself and shows values and verdicts in lenses', async () => {
    const uri = await opened(
      docmath(
        {},
        { python_solution: 'def solution():\n    return 1350', ground_truth: 1350000 },
        { python_solution: 'def solution():\n    return revenu' },
      ),
    );
    await server.status(uri, ({ solutions }) => solutions.total === 3 && solutions.done === 3);
    const { diagnostics } = await server.diagnostics(uri, (found) =>
      found.some(({ code }) => code === 'solution/raises'),
    );
    assert.ok(diagnostics.some(({ code, range }) => code === 'answer/mismatch' && range.start.line === 1));
    const shown = await titles(server, uri);
    assert.deepEqual(
      shown.filter((title) => title?.startsWith('▶')),
      ['▶ 150 = gold', '▶ 1350 ≠ gold 1350000', "▶ NameError: name 'revenu' is not defined"],
    );
    assert.equal(shown.filter((title) => title === 'Preview evidence').length, 3);
    assert.ok(server.refreshes > 0);
    const { solutions } = await server.status(uri, ({ running }) => !running);
    assert.deepEqual(solutions, { done: 3, total: 3, passed: 1 });
  });

  it('offers other editors the lenses whose command the server itself carries out', async () => {
    const uri = await opened(docmath({}), { asks: false });
    await server.status(uri, ({ solutions }) => solutions.done === 1);
    const [lens, ...others] = await lenses(server, uri);
    assert.deepEqual(others, []);
    assert.equal(lens!.command?.title, '▶ 150 = gold');
    const { command, arguments: given } = lens!.command!;
    await server.connection.sendRequest('workspace/executeCommand', { command, arguments: given });
    await server.until('the outcome', () => (server.shown.includes('Record 1: 150 = gold') ? true : undefined));
  });

  it('runs nothing in an untrusted workspace until trust is granted', async () => {
    const uri = await opened(docmath({}), { trusted: false });
    await server.status(uri, ({ running, records }) => records === 1 && !running);
    const outcome = await server.connection.sendRequest<SolutionOutcome>(RUN_SOLUTION, { uri, index: 0 });
    assert.equal(outcome.verdict, 'skipped');
    assert.equal(outcome.value, null);
    const all = await server.connection.sendRequest<RunAllResult>(RUN_ALL, { uri });
    assert.deepEqual(all, { run: 0, passed: 0, failed: 0, skipped: 1 });
    assert.deepEqual(await titles(server, uri), [
      '▶ Not run: the workspace is not trusted',
      'Preview evidence',
      'Edit record',
      'Edit solution',
    ]);
    await server.connection.sendNotification(TRUST_GRANTED, {});
    await server.status(uri, ({ solutions }) => solutions.done === 1);
    assert.equal((await titles(server, uri))[0], '▶ 150 = gold');
  });

  it('runs on request where solutions are run by hand', async () => {
    const uri = await opened(docmath({}, {}), { settings: { solutions: { run: 'manual' } } });
    await server.status(uri, ({ running, records }) => records === 2 && !running);
    assert.equal((await titles(server, uri))[0], '▶ Run solution');
    const outcome = await server.connection.sendRequest<SolutionOutcome>(RUN_SOLUTION, { uri, index: 0 });
    assert.equal(outcome.value, '150');
    assert.equal(outcome.verdict, 'equal');
    await server.status(uri, ({ solutions }) => solutions.done === 1 && solutions.total === 2);
    const all = await server.connection.sendRequest<RunAllResult>(RUN_ALL, { uri });
    assert.deepEqual(all, { run: 2, passed: 2, failed: 0, skipped: 0 });
  });

  it('hovers with a record card and with what a finding means', async () => {
    const [line] = docmath({ ground_truth: '1,200', question: 'Is **this** <b>bold</b> [x](http://x.invalid)?' });
    const uri = await opened([line!], { trusted: false });
    await server.diagnostics(uri, (found) => found.length > 0);
    const card = await hover(server, uri, 0, columns(line!, '"question"').from + 2);
    assert.match(card, /^\*\*Record 1 of 1\*\* · `wire-0`/);
    assert.match(card, /- findings: 1 error/);
    assert.ok(card.includes('Is \\*\\*this\\*\\* &lt;b&gt;bold&lt;/b&gt; \\[x\\]\\(http\\:'), card);
    assert.match(card, /profile: DocMath\\-Eval/);
    const finding = await hover(server, uri, 0, columns(line!, '"1,200"').from + 2);
    assert.match(finding, /\[About answer\/number\\-as\\-text\]\(file:.*number-as-text\.md\)/);
    assert.equal(await hover(server, uri, 0, columns(line!, 'Widget revenue grew').from), '');
  });

  it('locates values and finds records by position', async () => {
    const lines = docmath({}, {});
    const uri = await opened(lines, { trusted: false });
    await server.status(uri, ({ records }) => records === 2);
    const range = await server.connection.sendRequest<ProtocolRange>(LOCATE, {
      uri,
      index: 1,
      pointer: '/table_evidence/0',
    });
    const { from } = columns(lines[1]!, '"table_evidence":[');
    const start = from + '"table_evidence":['.length;
    assert.deepEqual(range, { start: { line: 1, character: start }, end: { line: 1, character: start + 1 } });
    const position = { line: 1, character: 40 };
    const at = await server.connection.sendRequest<RecordAt>(RECORD_AT, { uri, position });
    assert.equal(at.index, 1);
    assert.equal(at.records, 2);
    assert.equal(await server.connection.sendRequest(LOCATE, { uri, index: 9, pointer: '' }), null);
  });

  it('shows cited blocks as evidence, tables as tables, and what is missing', async () => {
    const [line] = docmath({ paragraph_evidence: [0, 9] });
    const uri = await opened([line!]);
    await server.status(uri, ({ solutions }) => solutions.done === 1);
    const position = { line: 0, character: columns(line!, '"table_evidence":[').to };
    const view = await server.connection.sendRequest<EvidenceView>(EVIDENCE, { uri, position });
    assert.equal(view.index, 0);
    assert.equal(view.cursor, '/table_evidence/0');
    assert.equal(view.solution?.value, '150');
    const [table, text, missing] = view.blocks;
    assert.equal(table?.name, 'paragraphs[1]');
    assert.equal(table?.kind, 'table');
    assert.equal(table?.pointer, '/table_evidence/0');
    assert.ok(table?.table?.rows.some((row) => row[0] === 'Gadget revenue' && row[2] === '728'));
    assert.equal(text?.kind, 'text');
    assert.equal(text?.text, 'Widget revenue grew in 2032. Amounts are in thousands.');
    assert.equal(missing?.kind, 'missing');
    assert.match(missing?.text ?? '', /no paragraphs\[9\].*3 blocks/);
    assert.ok(view.problems.some(({ code }) => code === 'evidence/index-out-of-range'));
  });

  it('shows pages with their boxes as fractions, and says where it looked for missing ones', async () => {
    server = await startServer({ trusted: false });
    cpSync(DOCUMENTS, join(server.folder, 'documents'), { recursive: true });
    const configuration = (where: string, level: string): string =>
      `{"datasets":[{"files":["*.jsonl"],"profile":"sciegqa",${where},"coordinates":{"space":"pixel","dpi":300},
        "rules":{"page/out-of-range":"${level}"}}]}`;
    server.write('auditable-qa.json', configuration('"pageImage":"documents/{doc_name}_{page}.png"', 'error'));
    const lines = sciegqa({}, { evidence_page: [9] }, { doc_name: 'absent' });
    const uri = server.write('data.jsonl', fileOf(lines));
    await server.open(uri, fileOf(lines));
    await server.status(uri, ({ records }) => records === 3);
    const view = await server.connection.sendRequest<EvidenceView>(EVIDENCE, { uri, index: 0 });
    const [page] = view.pages;
    assert.equal(page?.number, 2);
    assert.equal(page?.source.kind, 'image');
    assert.ok(Math.abs((page?.aspect ?? 0) - 2550 / 3300) < 1e-9);
    const [region] = page?.regions ?? [];
    assert.equal(region?.label, 'table');
    assert.equal(region?.text, '[300,600,2100,1500]');
    assert.equal(region?.pointer, '/bbox/0/0');
    assert.ok(Math.abs((region?.left ?? 0) - 300 / 2550) < 1e-9);
    assert.ok(Math.abs((region?.height ?? 0) - 900 / 3300) < 1e-9);
    const missing = await server.connection.sendRequest<EvidenceView>(EVIDENCE, { uri, index: 2 });
    const source = missing.pages[0]?.source;
    assert.equal(source?.kind, 'missing');
    assert.match(source?.kind === 'missing' ? source.message : '', /documents\/absent_2\.png is not there.*looked in/);
    // With the PDF the page comes from it, and a page beyond its end is said to be so.
    const configurationUri = server.write(
      'auditable-qa.json',
      configuration('"pdf":"documents/{doc_name}.pdf"', 'warning'),
    );
    await server.connection.sendNotification('workspace/didChangeWatchedFiles', {
      changes: [{ uri: configurationUri, type: 2 }],
    });
    await server.diagnostics(uri, (found) =>
      found.some(({ code, severity }) => code === 'page/out-of-range' && severity === 2),
    );
    const pdf = await server.connection.sendRequest<EvidenceView>(EVIDENCE, { uri, index: 0 });
    assert.deepEqual(pdf.pages[0]?.source, {
      kind: 'pdf',
      path: join(server.folder, 'documents', 'demo-doc.pdf'),
      pageIndex: 1,
    });
    const beyond = await server.connection.sendRequest<EvidenceView>(EVIDENCE, { uri, index: 1 });
    const why = beyond.pages[0]?.source;
    assert.match(why?.kind === 'missing' ? why.message : '', /Page 9 is not in documents\/demo-doc\.pdf.*1 to 3/);
  });

  it('proposes a configuration of what was recognised', async () => {
    server = await startServer({ trusted: false });
    cpSync(DOCUMENTS, join(server.folder, 'Images/cs/demo-doc'), { recursive: true });
    const text = fileOf(sciegqa({}));
    const uri = server.write('data.jsonl', text);
    await server.open(uri, text);
    await server.status(uri, ({ running, records }) => records === 1 && !running);
    const proposal = await server.connection.sendRequest<ConfigurationProposal>(CONFIGURATION, { uri });
    assert.ok(proposal.uri.endsWith('/auditable-qa.json'));
    const { datasets } = JSON.parse(proposal.content) as { datasets: Record<string, unknown>[] };
    assert.equal(datasets[0]?.['profile'], 'sciegqa');
    assert.deepEqual(datasets[0]?.['files'], ['*.jsonl']);
    assert.equal(datasets[0]?.['pageImage'], 'Images/{category}/{doc_name}/{doc_name}_{page}.png');
    // What it proposes is taken without complaint.
    const configurationUri = server.write('auditable-qa.json', proposal.content);
    await server.open(configurationUri, proposal.content, 'json');
    await server.diagnostics(configurationUri, (found) => found.length === 0);
  });

  it('explains rules', async () => {
    server = await startServer();
    const page = await server.connection.sendRequest<string>(EXPLAIN, { code: 'box/corner-order' });
    assert.match(page, /^# box\/corner-order\n\n\*\*/);
    assert.equal(await server.connection.sendRequest(EXPLAIN, { code: 'box/none' }), null);
  });

  it('gives lenses in large files to faulty records and to the one under the cursor', async () => {
    const patches = Array.from({ length: 1500 }, (_, at) => (at === 700 ? { ground_truth: '150' } : {}));
    const uri = await opened(docmath(...patches), { trusted: false });
    await server.diagnostics(uri, (found) => found.length > 0);
    const linesWithLenses = async (): Promise<number[]> => [
      ...new Set((await lenses(server, uri)).map(({ range }) => range.start.line)),
    ];
    assert.deepEqual(await linesWithLenses(), [700]);
    await server.connection.sendNotification(CURSOR, { uri, position: { line: 3, character: 5 } });
    assert.deepEqual(await linesWithLenses(), [3, 700]);
  });
});
