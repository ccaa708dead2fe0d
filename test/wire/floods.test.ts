import assert from 'node:assert/strict';
import { docmath, fileOf } from './records.ts';
import { startServer } from './server.ts';
import type { Diagnostic, WireServer } from './server.ts';

const CODE = 'schema/required';

describe('what nearly all records of a file lack', () => {
  let server: WireServer;
  before(async () => {
    server = await startServer();
  });
  after(() => server.stop());

  const required = (all: readonly Diagnostic[]): readonly Diagnostic[] => all.filter(({ code }) => code === CODE);

  it('is said once at the start of the file, and record by record where it is not so', async () => {
    server.write('auditable-qa.json', '{"datasets":[{"files":["*.jsonl"],"profile":"docmath-eval"}]}');
    const lacking = docmath(...Array.from({ length: 20 }, () => ({ question: undefined, prompt: 'What was it?' })));
    const uri = server.write('a.jsonl', fileOf(lacking));
    await server.open(uri, fileOf(lacking));
    const { diagnostics } = await server.diagnostics(uri, (all) => required(all).length === 1);
    const [once] = required(diagnostics);
    assert.match(once!.message, /^All 20 records have no question\. DocMath-Eval requires it\./);
    assert.deepEqual(once!.range, { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } });
    assert.equal(once!.severity, 1);
    const status = await server.status(uri, ({ counts }) => counts.error > 0);
    assert.equal(status.counts.error, diagnostics.filter(({ severity }) => severity === 1).length);
    const mixed = [...lacking.slice(0, 18), ...docmath({}, {})];
    await server.connection.sendNotification('textDocument/didChange', {
      textDocument: { uri, version: 2 },
      contentChanges: [{ text: fileOf(mixed) }],
    });
    await server.diagnostics(uri, (all, version) => version === 2 && required(all).length === 18);
  });
});
