import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { docmath, fileOf, sciegqa } from './records.ts';
import { columns, startServer } from './server.ts';
import type { Diagnostic, WireServer } from './server.ts';

const codes = (diagnostics: readonly Diagnostic[]): string[] => diagnostics.map(({ code }) => code);

describe('diagnostics over stdio', () => {
  let server: WireServer;
  afterEach(() => server.stop());

  it('stand on the exact characters, with link, source and fingerprint', async () => {
    server = await startServer({ trusted: false });
    const lines = docmath({}, { ground_truth: '1,200' }, { table_evidence: [7] });
    const text = fileOf(lines);
    const uri = server.write('data.jsonl', text);
    await server.open(uri, text);
    const { diagnostics, version } = await server.diagnostics(uri, (found) => found.length >= 3);
    // With the table cited wrongly, its values are no longer cited.
    assert.deepEqual(codes(diagnostics), [
      'answer/number-as-text',
      'evidence/index-out-of-range',
      'evidence/value-not-cited',
    ]);
    assert.equal(version, 1);
    const [gold, index] = diagnostics;
    const { from, to } = columns(lines[1]!, '"1,200"');
    assert.deepEqual(gold?.range, { start: { line: 1, character: from }, end: { line: 1, character: to } });
    const cited = columns(lines[2]!, '[7]');
    assert.deepEqual(index?.range, {
      start: { line: 2, character: cited.from + 1 },
      end: { line: 2, character: cited.to - 1 },
    });
    assert.equal(gold?.source, 'Auditable QA');
    assert.equal(gold?.severity, 1);
    assert.match(gold?.codeDescription?.href ?? '', /docs\/rules\/answer\/number-as-text\.md$/);
    assert.match(gold?.data?.fingerprint ?? '', /^[0-9a-f]{16}$/);
  });

  it('follow edits, also when lines move', async () => {
    server = await startServer({ trusted: false });
    const lines = docmath({}, {}, { ground_truth: '150' });
    const text = fileOf(lines);
    const uri = server.write('data.jsonl', text);
    await server.open(uri, text);
    await server.diagnostics(uri, (found) => found.some(({ range }) => range.start.line === 2));
    await server.edit(
      uri,
      2,
      0,
      0,
      0,
      `${docmath({ question_id: 'wire-new', question: 'By how much did widget revenue grow?' })[0]}\n`,
    );
    await server.diagnostics(uri, (found, version) => version === 2 && found[0]?.range.start.line === 3);
    const { from, to } = columns(lines[2]!, '"150"');
    await server.edit(uri, 3, 3, from, to, '150');
    await server.diagnostics(uri, (found, version) => version === 3 && found.length === 0);
  });

  it('never tell of an older text than the last one', async () => {
    server = await startServer({ trusted: false });
    const lines = docmath({});
    const text = fileOf(lines);
    const uri = server.write('data.jsonl', text);
    await server.open(uri, text);
    await server.diagnostics(uri, () => true);
    const { to } = columns(lines[0]!, '"ground_truth":150');
    // Ten keystrokes in one go: break and mend the record again and again.
    for (let version = 2; version <= 11; version++) {
      if (version % 2 === 0) await server.edit(uri, version, 0, to, to, 'x');
      else await server.edit(uri, version, 0, to, to + 1, '');
    }
    await server.diagnostics(uri, (_, version) => version === 11);
    for (const { version, diagnostics } of server.published) {
      const broken = version !== undefined && version % 2 === 0;
      assert.equal(codes(diagnostics).includes('file/invalid-json'), broken, `version ${version}`);
    }
  });

  it('are few: errors first, and a note of how many more there are', async () => {
    server = await startServer({ trusted: false, settings: { maxDiagnostics: 5 } });
    const lines = docmath(...Array.from({ length: 20 }, (_, at) => (at < 10 ? { odd: 1 } : { ground_truth: '150' })));
    const text = fileOf(lines);
    const uri = server.write('data.jsonl', text);
    await server.open(uri, text);
    const { diagnostics } = await server.diagnostics(uri, (found) => found.length === 5);
    assert.deepEqual(codes(diagnostics), [...Array<string>(4).fill('answer/number-as-text'), 'more-findings']);
    const { counts } = await server.status(uri, (status) => status.counts.error === 10);
    const total = counts.error + counts.warning + counts.info;
    assert.match(diagnostics.at(-1)?.message ?? '', new RegExp(`^${total - 4} more findings`));
  });

  it('say nothing of a file that no profile fits, nor of one that is closed', async () => {
    server = await startServer();
    const foreign = server.write('package.json', '{"name":"x","version":"1.0.0"}');
    await server.open(foreign, '{"name":"x","version":"1.0.0"}', 'json');
    const status = await server.status(foreign, () => true);
    assert.equal(status.profile, null);
    const text = fileOf(docmath({ ground_truth: '150' }));
    const uri = server.write('data.jsonl', text);
    await server.open(uri, text);
    await server.diagnostics(uri, (found) => found.length > 0);
    await server.connection.sendNotification('textDocument/didClose', { textDocument: { uri } });
    await server.diagnostics(uri, (found) => found.length === 0);
    assert.deepEqual(
      server.published.filter((published) => published.uri === foreign),
      [],
    );
  });

  it('come once a file becomes one that a profile fits', async () => {
    server = await startServer({ trusted: false });
    const uri = server.write('data.jsonl', '');
    await server.open(uri, '');
    await server.status(uri, ({ profile }) => profile === null);
    await server.edit(uri, 2, 0, 0, 0, fileOf(docmath({ ground_truth: '150' })));
    await server.diagnostics(uri, (found) => codes(found).includes('answer/number-as-text'));
  });

  it('reach into JSON arrays over many lines', async () => {
    server = await startServer({ trusted: false });
    const records = docmath({}, { ground_truth: '150' }).map((line) => JSON.parse(line) as unknown);
    const text = JSON.stringify(records, null, 2);
    const uri = server.write('data.json', text);
    await server.open(uri, text, 'json');
    const { diagnostics } = await server.diagnostics(uri, (found) => found.length > 0);
    assert.deepEqual(codes(diagnostics), ['answer/number-as-text']);
    const line = text.split('\n').findIndex((one) => one.includes('"ground_truth": "150"'));
    const { from, to } = columns(text.split('\n')[line]!, '"150"');
    assert.deepEqual(diagnostics[0]?.range, { start: { line, character: from }, end: { line, character: to } });
    await server.edit(uri, 2, line, from, to, '150');
    await server.diagnostics(uri, (found, version) => version === 2 && found.length === 0);
  });

  it('name the other record of a repeated id', async () => {
    server = await startServer({ trusted: false });
    const text = fileOf(docmath({ question_id: 'same' }, {}, { question_id: 'same' }));
    const uri = server.write('data.jsonl', text);
    await server.open(uri, text);
    const { diagnostics } = await server.diagnostics(uri, (found) => codes(found).includes('dataset/duplicate-id'));
    const duplicate = diagnostics.find(({ code }) => code === 'dataset/duplicate-id');
    assert.equal(duplicate?.range.start.line, 2);
    assert.equal(duplicate?.relatedInformation?.[0]?.location.uri, uri);
  });

  it('tell what only the bytes on disk show', async () => {
    server = await startServer({ trusted: false });
    const [first, second, third] = docmath({}, {}, {});
    const uri = server.write('data.jsonl', `\uFEFF${first}\r\n${second}\n${third}\r\n`);
    // As VS Code sends it: without the mark, with one kind of line end.
    await server.open(uri, `${first}\r\n${second}\r\n${third}\r\n`);
    const { diagnostics } = await server.diagnostics(uri, (found) => found.length >= 2);
    assert.deepEqual(codes(diagnostics).sort(), ['file/byte-order-mark', 'file/mixed-line-endings']);
    writeFileSync(fileURLToPath(uri), `${first}\n${second}\n${third}\n`);
    await server.connection.sendNotification('textDocument/didSave', { textDocument: { uri } });
    await server.diagnostics(uri, (found) => found.length === 0);
  });

  it('follow the configuration, and stand in it where it is wrong', async () => {
    server = await startServer({ trusted: false });
    const text = fileOf(docmath({ ground_truth: '150' }));
    const uri = server.write('data.jsonl', text);
    await server.open(uri, text);
    await server.diagnostics(uri, (found) => found.length === 1 && found[0]?.severity === 1);
    const configuration = '{"datasets":[{"files":["*.jsonl"],"rules":{"answer/number-as-text":"info"}}]}';
    const configurationUri = server.write('auditable-qa.json', configuration);
    await server.connection.sendNotification('workspace/didChangeWatchedFiles', {
      changes: [{ uri: configurationUri, type: 1 }],
    });
    await server.diagnostics(uri, (found) => found.length === 1 && found[0]?.severity === 3);
    const wrong = configuration.replace('"info"', '"loud"');
    await server.open(configurationUri, wrong, 'json');
    const { diagnostics } = await server.diagnostics(configurationUri, (found) => found.length > 0);
    const { from, to } = columns(wrong, '"loud"');
    assert.deepEqual(diagnostics[0]?.range, { start: { line: 0, character: from }, end: { line: 0, character: to } });
    await server.edit(configurationUri, 2, 0, from, to, '"info"');
    await server.diagnostics(configurationUri, (found) => found.length === 0);
  });

  it('follow the settings', async () => {
    server = await startServer({ trusted: false });
    const text = fileOf(docmath({ table_evidence: [1, 7] }));
    const uri = server.write('data.jsonl', text);
    await server.open(uri, text);
    await server.diagnostics(uri, (found) => found.length === 1);
    server.settings = { rules: { 'evidence/index-out-of-range': 'off' } };
    await server.connection.sendNotification('workspace/didChangeConfiguration', { settings: null });
    await server.diagnostics(uri, (found) => found.length === 0);
  });

  it('look for documents beside the file', async () => {
    server = await startServer({ trusted: false });
    const text = fileOf(sciegqa({}));
    const uri = server.write('data.jsonl', text);
    server.write(
      'auditable-qa.json',
      '{"datasets":[{"files":["*.jsonl"],"profile":"sciegqa","pdf":"documents/{doc_name}.pdf"}]}',
    );
    await server.open(uri, text);
    const { diagnostics } = await server.diagnostics(uri, (found) => codes(found).includes('page/document-missing'));
    assert.ok(diagnostics.some(({ message }) => message.includes('demo-doc')));
  });
});
