/** Rules across the files of one `datasets` entry as an editor meets them: the same findings as on the command line. */
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { reportOf, runCli } from '../cli/run.ts';
import { docmath, fileOf } from './records.ts';
import { columns, startServer } from './server.ts';
import type { Diagnostic, WireServer } from './server.ts';

const CODE = 'dataset/conflicting-copy';
const SOLUTION = (value: number): string => `def solution():\n    return 100 + ${value - 100}`;

const patch = (question_id: string, value: number): Record<string, unknown> => ({
  question_id,
  ground_truth: value,
  python_solution: SOLUTION(value),
});

const CONFIGURATION = JSON.stringify({ datasets: [{ files: ['data/*.jsonl'] }, { files: ['other/*.jsonl'] }] });

describe('files of one dataset', () => {
  let server: WireServer;
  beforeEach(async () => {
    server = await startServer();
  });
  afterEach(() => server.stop());

  const copies = (diagnostics: readonly Diagnostic[]): readonly Diagnostic[] =>
    diagnostics.filter(({ code }) => code === CODE);
  const told = (uri: string, many: number) => server.diagnostics(uri, (all) => copies(all).length === many);

  function lay(): Record<'a' | 'b' | 'c', { readonly uri: string; readonly lines: string[] }> {
    server.write('auditable-qa.json', CONFIGURATION);
    const files = {
      a: docmath(patch('x', 150), patch('y', 200)),
      b: docmath(patch('x', 160), patch('z', 300)),
      c: docmath(patch('z', 310), patch('y', 200), patch('x', 150)),
    };
    server.write('other/d.jsonl', fileOf(docmath(patch('x', 999))));
    server.write('elsewhere.jsonl', fileOf(docmath(patch('x', 998))));
    const entries = Object.entries(files).map(([name, lines]) => [
      name,
      { uri: server.write(`data/${name}.jsonl`, fileOf(lines)), lines },
    ]);
    return Object.fromEntries(entries) as ReturnType<typeof lay>;
  }

  it('have the findings of the command line, with the place in the other file', async () => {
    const { a, b, c } = lay();
    for (const { uri, lines } of [c, a, b]) await server.open(uri, fileOf(lines));
    const found = new Map<string, readonly Diagnostic[]>();
    for (const [{ uri }, many] of [
      [b, 1],
      [c, 1],
    ] as const)
      found.set(uri, copies((await told(uri, many)).diagnostics));
    const report = reportOf(await runCli(['check', '.', '--format', 'json'], { cwd: server.folder }));
    for (const { path, findings } of report.files) {
      const own = findings.filter(({ code }) => code === CODE);
      const uri = [a, b, c].find((one) => one.uri.endsWith(`/${path}`))?.uri ?? '';
      assert.deepEqual(
        (found.get(uri) ?? []).map(({ message, range, data }) => ({ message, range, fingerprint: data?.fingerprint })),
        own.map(({ message, range: { start, end }, fingerprint }) => ({
          message,
          range: {
            start: { line: start.line - 1, character: start.column - 1 },
            end: { line: end.line - 1, character: end.column - 1 },
          },
          fingerprint,
        })),
        path,
      );
    }
    const [conflict] = found.get(c.uri)!;
    assert.match(
      conflict!.message,
      /"z" stands in data\/b\.jsonl, line 2 as well, with the ground_truth 300, here it is 310/,
    );
    assert.deepEqual(conflict!.relatedInformation, [
      {
        location: { uri: b.uri, range: { start: { line: 1, character: 0 }, end: { line: 1, character: 1 } } },
        message: 'The record "z" in data/b.jsonl',
      },
    ]);
  });

  it('are compared with the open text of others, and with the disk where they are not open', async () => {
    const { a, b } = lay();
    await server.open(b.uri, fileOf(b.lines));
    await told(b.uri, 1);
    await server.open(a.uri, fileOf(a.lines));
    const gold = columns(a.lines[0]!, '"ground_truth":150');
    await server.edit(a.uri, 2, 0, gold.to - 3, gold.to, '160');
    // The gold is the same now, the solution still differs.
    const { diagnostics } = await server.diagnostics(b.uri, (all) =>
      /another solution/.test(copies(all)[0]?.message ?? ''),
    );
    assert.equal(copies(diagnostics).length, 1);
    await server.connection.sendNotification('textDocument/didClose', { textDocument: { uri: a.uri } });
    await server.diagnostics(b.uri, (all) => /ground_truth 150/.test(copies(all)[0]?.message ?? ''));
    writeFileSync(fileURLToPath(a.uri), fileOf(docmath(patch('x', 160))));
    await changed(a.uri, 2);
    await told(b.uri, 0);
    rmSync(fileURLToPath(a.uri));
    const other = server.write('data/a0.jsonl', fileOf(docmath(patch('z', 301))));
    await changed(other, 1);
    await server.diagnostics(b.uri, (all) => /"z" stands in data\/a0\.jsonl/.test(copies(all)[0]?.message ?? ''));
  });

  it('are what the configuration says, and nothing without one', async () => {
    const { a, b } = lay();
    await server.open(a.uri, fileOf(a.lines));
    await server.open(b.uri, fileOf(b.lines));
    await told(b.uri, 1);
    rmSync(new URL('../auditable-qa.json', a.uri));
    await changed(new URL('../auditable-qa.json', a.uri).href, 3);
    await told(b.uri, 0);
    const report = reportOf(await runCli(['check', '.', '--format', 'json'], { cwd: server.folder }));
    assert.deepEqual(
      report.files.flatMap(({ findings }) => findings.filter(({ code }) => code === CODE)),
      [],
    );
    server.write('auditable-qa.json', CONFIGURATION);
    await changed(new URL('../auditable-qa.json', a.uri).href, 1);
    await told(b.uri, 1);
  });

  const changed = (uri: string, type: 1 | 2 | 3): Promise<void> =>
    server.connection.sendNotification('workspace/didChangeWatchedFiles', { changes: [{ uri, type }] });
});
