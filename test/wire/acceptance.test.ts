/** Accepted findings as an editor meets them: left out, told when stale, accepted by an action. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ACCEPTED_FILE } from '../../schemas/acceptance.ts';
import type { AcceptParams, AcceptResult } from '../../schemas/protocol.ts';
import { ACCEPT, ACCEPT_COMMAND } from '../../schemas/protocol.ts';
import { docmath, fileOf } from './records.ts';
import { columns, startServer } from './server.ts';
import type { Diagnostic, WireServer } from './server.ts';

interface Action {
  readonly title: string;
  readonly command?: { readonly command: string; readonly arguments: readonly Omit<AcceptParams, 'reason'>[] };
}

const CODE = 'answer/number-as-text';
const LINES = docmath({}, { ground_truth: '150' });
const TEXT = fileOf(LINES);

describe('accepted findings', () => {
  let server: WireServer;
  let folder = 0;
  before(async () => {
    server = await startServer({ asks: true });
  });
  after(() => server.stop());

  const has = (code: string) => (diagnostics: readonly Diagnostic[]) => diagnostics.some((one) => one.code === code);
  const hasNot = (code: string) => (diagnostics: readonly Diagnostic[]) => !has(code)(diagnostics);

  async function opened(): Promise<{ readonly uri: string; readonly accepted: string; readonly name: string }> {
    const name = `f${folder++}`;
    const uri = server.write(`${name}/a.jsonl`, TEXT);
    await server.open(uri, TEXT);
    return { uri, accepted: new URL(ACCEPTED_FILE, uri).href, name };
  }

  async function finding(uri: string): Promise<Diagnostic> {
    const { diagnostics } = await server.diagnostics(uri, has(CODE));
    return diagnostics.find(({ code }) => code === CODE)!;
  }

  const actionsOn = (uri: string, diagnostic: Diagnostic): Promise<readonly Action[]> =>
    server.connection.sendRequest('textDocument/codeAction', {
      textDocument: { uri },
      range: diagnostic.range,
      context: { diagnostics: [diagnostic], only: ['quickfix'] },
    });

  const changed = (uri: string): Promise<void> =>
    server.connection.sendNotification('workspace/didChangeWatchedFiles', { changes: [{ uri, type: 2 }] });

  it('an action accepts a finding: the line lies beside the data, the finding is gone', async () => {
    const { uri, accepted } = await opened();
    const diagnostic = await finding(uri);
    const action = (await actionsOn(uri, diagnostic)).find(({ command }) => command?.command === ACCEPT_COMMAND);
    assert.equal(action?.title, `Accept this finding (${CODE})…`);
    const [asked] = action.command!.arguments;
    const ask = (reason: string): Promise<AcceptResult> =>
      server.connection.sendRequest(ACCEPT, { ...asked, reason } as AcceptParams);
    assert.match((await ask('  ')).problem ?? '', /with a reason/);
    assert.ok(!existsSync(fileURLToPath(accepted)));
    assert.deepEqual(await ask(' A code, not a number. '), { uri: accepted, problem: null });
    await server.diagnostics(uri, hasNot(CODE));
    await server.status(uri, ({ counts }) => counts.error === 0);
    const text = readFileSync(fileURLToPath(accepted), 'utf8');
    assert.equal(text.split('\n').length, 2);
    const { at, ...line } = JSON.parse(text) as Record<string, unknown>;
    assert.match(String(at), /^\d{4}-\d\d-\d\d$/);
    assert.deepEqual(line, {
      file: 'a.jsonl',
      code: CODE,
      record: 'id:wire-1',
      pointer: '/ground_truth',
      fingerprint: diagnostic.data?.fingerprint,
      reason: 'A code, not a number.',
    });
    assert.match((await ask('again')).problem ?? '', /not there any more/);
  });

  it('a line is stale as soon as the value is another one, and no longer when it is back', async () => {
    const { uri, accepted, name } = await opened();
    const { data } = await finding(uri);
    server.write(
      `${name}/${ACCEPTED_FILE}`,
      `\n${JSON.stringify({ file: 'a.jsonl', code: CODE, ...data, reason: 'x' })}\n`,
    );
    await changed(accepted);
    await server.diagnostics(uri, hasNot(CODE));
    const { from, to } = columns(LINES[1]!, '"150"');
    await server.edit(uri, 2, 1, from, to, '150');
    const { diagnostics } = await server.diagnostics(accepted, has('config/stale-acceptance'));
    assert.deepEqual(
      diagnostics.map(({ range }) => range.start),
      [{ line: 1, character: 0 }],
    );
    await server.edit(uri, 3, 1, from, from + 3, '"150"');
    await server.diagnostics(accepted, (all) => all.length === 0);
  });

  it('a line that cannot be used is told on its place while a file beside is open', async () => {
    const { uri, accepted, name } = await opened();
    await finding(uri);
    server.write(`${name}/${ACCEPTED_FILE}`, 'oops\n');
    await changed(accepted);
    const { diagnostics } = await server.diagnostics(accepted, has('config/invalid-acceptance'));
    assert.equal(diagnostics.length, 1);
    assert.ok((await finding(uri)).message !== '');
    await server.connection.sendNotification('textDocument/didClose', { textDocument: { uri } });
    await server.diagnostics(accepted, (all) => all.length === 0);
  });

  it('a client that cannot ask is not offered the action', async () => {
    const other = await startServer();
    try {
      const uri = other.write('a.jsonl', TEXT);
      await other.open(uri, TEXT);
      const { diagnostics } = await other.diagnostics(uri, has(CODE));
      const actions: readonly Action[] = await other.connection.sendRequest('textDocument/codeAction', {
        textDocument: { uri },
        range: diagnostics[0]!.range,
        context: { diagnostics, only: ['quickfix'] },
      });
      assert.ok(actions.length > 0);
      assert.ok(!actions.some(({ command }) => command?.command === ACCEPT_COMMAND));
    } finally {
      await other.stop();
    }
  });
});
