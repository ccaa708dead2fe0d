/** Quick fixes and fix-all as an editor asks for them. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { FIX_ON_DISK } from '../../schemas/protocol.ts';
import { docmath, fileOf, sciegqa } from './records.ts';
import { startServer } from './server.ts';
import type { Diagnostic, WireServer } from './server.ts';

interface Edit {
  readonly range: Diagnostic['range'];
  readonly newText: string;
}
interface Action {
  readonly title: string;
  readonly kind: string;
  readonly isPreferred?: boolean;
  readonly disabled?: { readonly reason: string };
  readonly edit?: {
    readonly documentChanges?: readonly {
      readonly textDocument: { readonly uri: string; readonly version: number };
      readonly edits: readonly Edit[];
    }[];
  };
  readonly command?: { readonly command: string; readonly arguments: readonly unknown[] };
  readonly data?: unknown;
}

const CAPABILITIES = {
  workspace: { configuration: true, workspaceEdit: { documentChanges: true } },
  textDocument: { codeAction: { disabledSupport: true, resolveSupport: { properties: ['edit'] } } },
};

/** The relative box beside it is in order: it confirms the corners. */
const DISORDERED = { bbox: [[[2100, 1500, 300, 600]]] };

describe('code actions', () => {
  let server: WireServer;
  before(async () => {
    server = await startServer({ capabilities: CAPABILITIES });
  });
  after(() => server.stop());

  async function opened(name: string, text: string, onDisk: string | Uint8Array = text): Promise<string> {
    const uri = server.write(name, onDisk);
    await server.open(uri, text);
    return uri;
  }

  const has = (code: string) => (diagnostics: readonly Diagnostic[]) => diagnostics.some((one) => one.code === code);

  async function actionsFor(uri: string, code: string, only?: readonly string[]): Promise<readonly Action[]> {
    const { diagnostics } = await server.diagnostics(uri, has(code));
    const own = diagnostics.filter((one) => one.code === code);
    return server.connection.sendRequest('textDocument/codeAction', {
      textDocument: { uri },
      range: own[0]!.range,
      context: { diagnostics: own.slice(0, 1), ...(only && { only }) },
    });
  }

  const fixAll = (uri: string): Promise<readonly Action[]> =>
    server.connection.sendRequest('textDocument/codeAction', {
      textDocument: { uri },
      range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } },
      context: { diagnostics: [], only: ['source.fixAll'] },
    });

  it('offer a fix as a minimal edit for the version that is open', async () => {
    const [line = ''] = sciegqa(DISORDERED);
    const uri = await opened('order.jsonl', fileOf([line]));
    const [first] = await actionsFor(uri, 'box/corner-order');
    assert.equal(first?.title, 'Order the corners: [300, 600, 2100, 1500]');
    assert.equal(first.kind, 'quickfix');
    assert.equal(first.isPreferred, true);
    const [change] = first.edit!.documentChanges!;
    assert.deepEqual(change!.textDocument, { uri, version: 1 });
    // The four numbers, each in its place.
    assert.equal(change!.edits.length, 4);
    assert.equal(
      applied(fileOf([line]), change!.edits),
      fileOf([line.replace('2100,1500,300,600', '300,600,2100,1500')]),
    );
  });

  it('never prefer a fix that changes what the record says', async () => {
    const text = fileOf(docmath({ ground_truth: -150 }));
    const uri = await opened('sign.jsonl', text);
    const actions = await actionsFor(uri, 'answer/mismatch');
    assert.ok(
      actions.some(({ title }) => /^Swap the operands: /.test(title)),
      titles(actions),
    );
    assert.ok(
      actions.some(({ title }) => /^Store the executed value 150 /.test(title)),
      titles(actions),
    );
    assert.ok(actions.every(({ isPreferred }) => isPreferred !== true));
  });

  it('fix all of one rule, made when it is chosen', async () => {
    const lines = sciegqa(DISORDERED, {}, DISORDERED);
    const uri = await opened('all-of-rule.jsonl', fileOf(lines));
    const all = (await actionsFor(uri, 'box/corner-order')).find(({ title }) => title.startsWith('Fix all'));
    assert.equal(all?.title, 'Fix all 2 box/corner-order in this file');
    assert.equal(all.edit, undefined);
    const resolved = await server.connection.sendRequest<Action>('codeAction/resolve', all);
    const text = applied(fileOf(lines), resolved.edit!.documentChanges![0]!.edits);
    assert.equal(text, fileOf(lines).replaceAll('2100,1500,300,600', '300,600,2100,1500'));
  });

  it('fix all that is safe on saving, and nothing the second time', async () => {
    const fenced = '```python\ndef solution():\n    return 150\n```';
    const lines = docmath({}, { python_solution: fenced }, { ground_truth: '150', paragraph_evidence: ['0'] });
    const before = `${lines[0]}\n\n${lines[1]}\n${lines[2]}\n`;
    const uri = await opened('safe.jsonl', before);
    await server.diagnostics(uri, has('solution/code-fence'));
    const [action, ...others] = await fixAll(uri);
    assert.equal(others.length, 0);
    assert.equal(action?.kind, 'source.fixAll.auditableQA');
    const after = applied(before, action.edit!.documentChanges![0]!.edits);
    const repaired = docmath({}, { python_solution: 'def solution():\n    return 150' }, { ground_truth: 150 });
    assert.equal(after, fileOf([...repaired.slice(0, 2), repaired[2]!]));
    await server.connection.sendNotification('textDocument/didChange', {
      textDocument: { uri, version: 2 },
      contentChanges: [{ text: after }],
    });
    assert.deepEqual(await fixAll(uri), []);
  });

  it('are in step with what was typed a moment ago', async () => {
    const [line = ''] = sciegqa(DISORDERED);
    const uri = await opened('typed.jsonl', fileOf([line]));
    await server.diagnostics(uri, has('box/corner-order'));
    await server.edit(uri, 2, 0, 0, 0, ' ');
    const [action] = await fixAll(uri);
    const [change] = action!.edit!.documentChanges!;
    assert.equal(change!.textDocument.version, 2);
    assert.equal(
      applied(fileOf([` ${line}`]), change!.edits),
      fileOf([` ${line.replace('2100,1500,300,600', '300,600,2100,1500')}`]),
    );
  });

  it('take a byte order mark off on disk, where the open text does not have it', async () => {
    const text = fileOf(docmath({}));
    const uri = await opened('marked.jsonl', text, `\ufeff${text}`);
    const [action] = await actionsFor(uri, 'file/byte-order-mark');
    assert.equal(action?.command?.command, FIX_ON_DISK);
    await run(action);
    assert.equal(onDisk(uri), text);
  });

  it('leave every other line end alone where a save would not', async () => {
    const [one = '', two = ''] = sciegqa(DISORDERED, {});
    const uri = await opened('mixed.jsonl', fileOf([one, two]), `${one}\r\n${two}\n`);
    await server.diagnostics(uri, has('file/mixed-line-endings'));
    const [action] = await actionsFor(uri, 'box/corner-order');
    assert.equal(action?.edit, undefined);
    await run(action!);
    assert.equal(onDisk(uri), `${one.replace('2100,1500,300,600', '300,600,2100,1500')}\r\n${two}\n`);
  });

  it('refuse to write under unsaved changes, with the reason', async () => {
    const text = fileOf(docmath({}));
    const uri = await opened('dirty.jsonl', text, `\ufeff${text}`);
    const [action] = await actionsFor(uri, 'file/byte-order-mark');
    await server.edit(uri, 2, 0, 0, 0, ' ');
    await run(action!);
    // Told before the command is answered.
    const told = server.shown.find((message) => message.includes('dirty.jsonl')) ?? '';
    assert.match(told, /is not on disk as it is in the editor: save it or revert it first/);
    assert.equal(onDisk(uri), `\ufeff${text}`);
  });

  it('are refused where saving would lose bytes', async () => {
    const [line = ''] = sciegqa({ ...DISORDERED, answer: 'N?rth' });
    const bytes = Buffer.from(fileOf([line]));
    bytes[bytes.indexOf('N?rth') + 1] = 0xf6;
    const uri = await opened('bytes.jsonl', fileOf([line.replace('N?rth', 'N\ufffdrth')]), bytes);
    await server.diagnostics(uri, has('file/encoding'));
    const [action] = await actionsFor(uri, 'box/corner-order');
    assert.match(action?.disabled?.reason ?? '', /not UTF-8/);
    assert.equal(action?.edit, undefined);
    assert.deepEqual(await fixAll(uri), []);
  });

  function run(action: Action): Promise<unknown> {
    const { command, arguments: given } = action.command!;
    return server.connection.sendRequest('workspace/executeCommand', { command, arguments: given });
  }
});

function titles(actions: readonly Action[]): string {
  return actions.map(({ title }) => title).join(' | ');
}

function onDisk(uri: string): string {
  return readFileSync(fileURLToPath(uri), 'utf8');
}

function applied(text: string, edits: readonly Edit[]): string {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  const offset = ({ line, character }: Edit['range']['start']): number => (starts[line] ?? text.length) + character;
  return [...edits]
    .sort((a, b) => offset(b.range.start) - offset(a.range.start))
    .reduce(
      (now, { range, newText }) => now.slice(0, offset(range.start)) + newText + now.slice(offset(range.end)),
      text,
    );
}
