import assert from 'node:assert/strict';
import { startServer } from './server.ts';
import type { Diagnostic, WireServer } from './server.ts';

interface Action {
  readonly title: string;
  readonly diagnostics?: readonly Diagnostic[];
  readonly edit?: {
    readonly changes?: Readonly<Record<string, readonly { newText: string; range: Diagnostic['range'] }[]>>;
  };
}

describe('auditable-qa.json in the editor', () => {
  let server: WireServer;
  before(async () => {
    server = await startServer();
  });
  after(() => server.stop());

  it('a key at the wrong depth is told where it belongs and can be moved there', async () => {
    const text = '{"tolerance":{"decimals":2},"datasets":[{"files":["*.jsonl"]}]}';
    const uri = server.write('auditable-qa.json', text);
    await server.open(uri, text, 'json');
    const { diagnostics } = await server.diagnostics(uri, (all) => all.length === 1);
    assert.match(diagnostics[0]!.message, /"tolerance" has no meaning here: it belongs in an entry of "datasets"\./);
    const ask = (range: Diagnostic['range'], only?: readonly string[]): Promise<readonly Action[]> =>
      server.connection.sendRequest('textDocument/codeAction', {
        textDocument: { uri },
        range,
        context: { diagnostics, ...(only && { only }) },
      });
    const [action, ...others] = await ask(diagnostics[0]!.range);
    assert.deepEqual(others, []);
    assert.equal(action!.title, 'Move "tolerance" to where it belongs');
    assert.equal(action!.diagnostics?.length, 1);
    const edits = [...action!.edit!.changes![uri]!].reverse();
    const moved = edits.reduce(
      (now, { range, newText }) => now.slice(0, range.start.character) + newText + now.slice(range.end.character),
      text,
    );
    assert.deepEqual(JSON.parse(moved), { datasets: [{ files: ['*.jsonl'], tolerance: { decimals: 2 } }] });
    assert.deepEqual(await ask(diagnostics[0]!.range, ['refactor']), []);
    const end = { line: 0, character: text.length };
    assert.deepEqual(await ask({ start: end, end }), []);
  });
});
