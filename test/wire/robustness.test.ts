import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import type { SolutionOutcome } from '../../schemas/protocol.ts';
import * as protocol from '../../schemas/protocol.ts';
import { sciegqaLines } from '../bench/records.ts';
import { docmath, fileOf } from './records.ts';
import { columns, startServer } from './server.ts';
import type { WireServer } from './server.ts';

/** Child processes of a process, direct ones only. Linux. */
function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === pid ? [Number(name)] : [];
      } catch {
        return [];
      }
    });
}

describe('a server that lives on', () => {
  let server: WireServer;
  afterEach(() => server.stop());

  it('serves 30,780 records', async function () {
    this.timeout(120_000);
    server = await startServer({ trusted: false });
    const lines = sciegqaLines(30_780);
    const text = fileOf(lines);
    const uri = server.write('train.jsonl', text);
    await server.open(uri, text);
    await server.status(uri, ({ records }) => records === 30_780);
    const line = 15_390;
    const { from } = columns(lines[line]!, '"answer"');
    await server.edit(uri, 2, line, from + 1, from + 2, 'x');
    const { diagnostics } = await server.diagnostics(
      uri,
      (found, version) => version === 2 && found.some(({ code }) => code === 'schema/required'),
    );
    assert.ok(diagnostics.some(({ code, range }) => code === 'schema/required' && range.start.line === line));
    const hover = await server.connection.sendRequest<{ contents: { value: string } }>('textDocument/hover', {
      textDocument: { uri },
      position: { line: 30_000, character: 0 },
    });
    assert.match(hover.contents.value, /Record 30,001 of 30,780/);
    await server.edit(uri, 3, line, from + 1, from + 2, 'a');
    await server.diagnostics(
      uri,
      (found, version) => version === 3 && !found.some(({ code }) => code === 'schema/required'),
    );
  });

  it('survives the end of its sandbox, says so once, and runs the next solution', async function () {
    if (process.platform !== 'linux') this.skip();
    server = await startServer({ trusted: true });
    const endless = 'def solution():\n    while True:\n        pass';
    const text = fileOf(docmath({}));
    const uri = server.write('data.jsonl', text);
    await server.open(uri, text);
    await server.status(uri, ({ solutions }) => solutions.done === 1);
    const kill = (): void => childrenOf(server.process.pid!).forEach((pid) => process.kill(pid, 'SIGKILL'));
    for (const [round, version] of [2, 4].entries()) {
      await server.edit(uri, version, 0, 0, 0, `${docmath({ python_solution: `${endless}  # ${round}` })[0]}\n`);
      await server.status(uri, ({ solutions, running }) => running && solutions.total === 2 && solutions.done === 1);
      kill();
      await server.status(uri, ({ solutions }) => solutions.done === 2);
      await server.connection.sendNotification('textDocument/didChange', {
        textDocument: { uri, version: version + 1 },
        contentChanges: [{ range: { start: { line: 0, character: 0 }, end: { line: 1, character: 0 } }, text: '' }],
      });
      await server.status(uri, ({ solutions }) => solutions.total === 1);
    }
    await server.edit(uri, 6, 0, 0, 0, `${docmath({ python_solution: 'def solution():\n    return 100 + 50' })[0]}\n`);
    await server.status(uri, ({ solutions }) => solutions.passed === 2);
    assert.ok(server.shown.length <= 1, server.shown.join('\n'));
  });

  it('answers malformed requests and goes on', async () => {
    server = await startServer();
    const text = fileOf(docmath({}));
    const uri = server.write('data.jsonl', text);
    await server.open(uri, text);
    const methods = Object.values(protocol).filter((value) => typeof value === 'string' && value.includes('/'));
    const wrong: unknown[] = [
      null,
      [],
      7,
      {},
      { uri: 3 },
      { uri, index: 'x' },
      { uri, position: 'here' },
      { uri, index: -1 },
    ];
    for (const method of [...methods, 'textDocument/hover', 'textDocument/codeLens', 'codeLens/resolve', 'no/such']) {
      for (const params of wrong) {
        await server.connection.sendRequest(method as string, params).catch(() => undefined);
        await server.connection.sendNotification(method as string, params);
      }
    }
    for (const method of ['didOpen', 'didChange', 'didSave', 'didClose']) {
      await server.connection.sendNotification(`textDocument/${method}`, { textDocument: null });
    }
    await server.edit(uri, 2, 400, 900, 3, 'x').catch(() => undefined);
    const outcome = await server.connection.sendRequest<SolutionOutcome>(protocol.RUN_SOLUTION, { uri, index: 0 });
    assert.equal(outcome.value, '150');
  });

  it('cancels what is not wanted any more', async () => {
    server = await startServer({ settings: { solutions: { run: 'manual' } } });
    const slow = 'def solution():\n    n = 0\n    for i in range(10**9):\n        n += i\n    return n';
    const text = fileOf(docmath({ python_solution: slow }));
    const uri = server.write('data.jsonl', text);
    await server.open(uri, text);
    await server.status(uri, ({ records }) => records === 1);
    const run = server.connection.sendRequest<SolutionOutcome | null>(protocol.RUN_SOLUTION, { uri, index: 0 });
    await server.edit(uri, 2, 0, 0, text.length - 1, docmath({})[0]!);
    await server.status(uri, ({ records }) => records === 1);
    await run;
    const outcome = await server.connection.sendRequest<SolutionOutcome>(protocol.RUN_SOLUTION, { uri, index: 0 });
    assert.equal(outcome.value, '150');
  });
});
