/** Solutions in the Test Explorer, inside the extension host. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { activated, closeAll, openSettled } from './files.ts';

interface Tests {
  readonly controller: vscode.TestController;
  run(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void>;
}

const record = (id: string, body: string, gold: number): string =>
  JSON.stringify({
    question_id: id,
    question: `What is ${id}?`,
    python_solution: `def solution():\n    ${body}\n`,
    ground_truth: gold,
    paragraphs: ['It is 41 m deep.'],
    table_evidence: [],
    paragraph_evidence: [0],
  });

const LINES = [
  record('good', 'print("said")\n    return 41', 41),
  record('scaled', 'return 41', 41000),
  record('raises', 'depth = 41\n    return dept', 41),
  record('forbidden', 'import os\n    return 41', 41),
];
const TEXT = `${LINES.join('\n')}\n`;

/** What a run was told, by id of the item. */
interface Told {
  readonly states: Map<string, string>;
  readonly messages: Map<string, vscode.TestMessage>;
  output: string;
  readonly ended: Promise<void>;
}

let count = 0;

describe('solutions in the Test Explorer', () => {
  let tests: Tests;
  let create: vscode.TestController['createTestRun'];
  const told: Told[] = [];

  before(async () => {
    const { exports } = await activated();
    ({ tests } = exports as unknown as { tests: Tests });
    const { controller } = tests;
    create = controller.createTestRun.bind(controller);
    controller.createTestRun = (...args) => overhear(create(...args));
  });
  after(() => (tests.controller.createTestRun = create));
  beforeEach(() => told.splice(0));
  afterEach(closeAll);

  function overhear(run: vscode.TestRun): vscode.TestRun {
    const states = new Map<string, string>();
    const messages = new Map<string, vscode.TestMessage>();
    let end = (): void => undefined;
    const entry: Told = { states, messages, output: '', ended: new Promise((resolve) => (end = resolve)) };
    told.push(entry);
    const message = (one: vscode.TestMessage | readonly vscode.TestMessage[]): vscode.TestMessage =>
      Array.isArray(one) ? (one as readonly vscode.TestMessage[])[0]! : (one as vscode.TestMessage);
    return {
      ...run,
      token: run.token,
      enqueued: (item) => run.enqueued(item),
      started: (item) => run.started(item),
      skipped(item) {
        states.set(item.id, 'skipped');
        run.skipped(item);
      },
      failed(item, one, ms) {
        states.set(item.id, 'failed');
        messages.set(item.id, message(one));
        run.failed(item, one, ms);
      },
      errored(item, one, ms) {
        states.set(item.id, 'errored');
        messages.set(item.id, message(one));
        run.errored(item, one, ms);
      },
      passed(item, ms) {
        states.set(item.id, 'passed');
        run.passed(item, ms);
      },
      appendOutput(text, place, item) {
        entry.output += text;
        run.appendOutput(text, place, item);
      },
      end() {
        run.end();
        end();
      },
    };
  }

  /** Looks again and again: items tell nobody that they have changed. */
  async function eventually<T>(look: () => T | undefined): Promise<T> {
    const limit = Date.now() + 30_000;
    for (;;) {
      const found = look();
      if (found !== undefined) return found;
      if (Date.now() > limit) throw new Error(`It did not come: ${look.toString()}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async function opened(text = TEXT): Promise<{ document: vscode.TextDocument; file: vscode.TestItem }> {
    const { document } = await openSettled(`tests-${++count}.jsonl`, text);
    const file = await eventually(() => {
      const item = tests.controller.items.get(document.uri.toString());
      return item !== undefined && item.children.size > 0 ? item : undefined;
    });
    return { document, file };
  }

  const childrenOf = (item: vscode.TestItem): vscode.TestItem[] =>
    [...item.children].map(([, child]) => child).sort((a, b) => (a.sortText! < b.sortText! ? -1 : 1));

  async function run(include: readonly vscode.TestItem[]): Promise<Told> {
    const source = new vscode.CancellationTokenSource();
    await tests.run(new vscode.TestRunRequest(include), source.token);
    return told.at(-1)!;
  }

  it('are there for an open file, each at the place of its solution', async () => {
    const { document, file } = await opened();
    assert.deepEqual(
      childrenOf(file).map(({ id, label }) => [id, label]),
      ['good', 'scaled', 'raises', 'forbidden'].map((id) => [`id:${id}`, `${id}: What is ${id}?`]),
    );
    const [, scaled] = childrenOf(file);
    assert.equal(JSON.parse(document.getText(scaled!.range)), 'def solution():\n    return 41\n');
  });

  it('pass, fail with expected and actual at the gold, err at the line of the solution, or are skipped', async () => {
    const { document, file } = await opened();
    const { states, messages, output } = await run([file]);
    assert.deepEqual(Object.fromEntries(states), {
      'id:good': 'passed',
      'id:scaled': 'failed',
      'id:raises': 'errored',
      'id:forbidden': 'skipped',
    });
    const scaled = messages.get('id:scaled')!;
    assert.deepEqual([scaled.expectedOutput, scaled.actualOutput], ['41000', '41']);
    assert.equal(document.getText(scaled.location!.range), '41000');
    const finding = vscode.languages
      .getDiagnostics(document.uri)
      .find(({ code }) => typeof code === 'object' && code.value === 'answer/mismatch');
    assert.equal(scaled.message, finding?.message);
    assert.match(String(scaled.message), /a factor of exactly 1000/);
    const raises = messages.get('id:raises')!;
    assert.match(String(raises.message), /NameError/);
    assert.equal(document.getText(raises.location!.range).trim(), 'return dept');
    assert.match(output, /said\r\n/);
    assert.match(output, /forbidden: .*os/);
  });

  it('can be run one at a time', async () => {
    const { file } = await opened();
    const [good] = childrenOf(file);
    assert.deepEqual([...(await run([good!])).states], [['id:good', 'passed']]);
  });

  it('stay the same items while the file is edited', async () => {
    const { document, file } = await opened();
    const [, scaled] = childrenOf(file);
    const more = new vscode.WorkspaceEdit();
    more.insert(document.uri, new vscode.Position(0, 0), `${record('new', 'return 1', 1)}\n`);
    assert.ok(await vscode.workspace.applyEdit(more));
    await eventually(() => (file.children.size === 5 ? true : undefined));
    const name = new vscode.WorkspaceEdit();
    const at = LINES[1]!.indexOf('"scaled"');
    name.replace(document.uri, new vscode.Range(2, at, 2, at + '"scaled"'.length), '"renamed"');
    assert.ok(await vscode.workspace.applyEdit(name));
    await eventually(() => (scaled!.label === 'renamed: What is scaled?' ? true : undefined));
    assert.equal(scaled!.range?.start.line, 2);
    assert.equal(file.children.get('id:scaled'), scaled);
    assert.deepEqual(
      childrenOf(file).map(({ label }) => label.split(':')[0]),
      ['new', 'good', 'renamed', 'raises', 'forbidden'],
    );
    const gone = new vscode.WorkspaceEdit();
    gone.delete(document.uri, new vscode.Range(0, 0, 1, 0));
    assert.ok(await vscode.workspace.applyEdit(gone));
    await eventually(() => (file.children.size === 4 && scaled!.range?.start.line === 1 ? true : undefined));
  });

  it('are run on saving where that is switched on: those that were changed', async () => {
    const { document, file } = await opened();
    const source = new vscode.CancellationTokenSource();
    await tests.run(new vscode.TestRunRequest([file], undefined, undefined, true), source.token);
    try {
      const edit = new vscode.WorkspaceEdit();
      const at = LINES[1]!.indexOf('41000');
      edit.replace(document.uri, new vscode.Range(1, at, 1, at + 5), '41.0');
      assert.ok(await vscode.workspace.applyEdit(edit));
      assert.ok(await document.save());
      const last = await eventually(() => told.at(-1));
      await last.ended;
      assert.deepEqual([...last.states], [['id:scaled', 'passed']]);
    } finally {
      source.cancel();
    }
  });

  it('of files that no editor shows are found, read and run when somebody asks for them', async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    const uri = vscode.Uri.joinPath(folder!.uri, `closed-${++count}.jsonl`);
    await vscode.workspace.fs.writeFile(uri, Buffer.from(TEXT));
    await tests.controller.resolveHandler?.(undefined);
    const file = await eventually(() => tests.controller.items.get(uri.toString()));
    const { states } = await run([file]);
    assert.equal(states.get('id:scaled'), 'failed');
    await vscode.workspace.fs.delete(uri);
    await eventually(() => (tests.controller.items.get(uri.toString()) === undefined ? true : undefined));
  });

  it('of a large file come in groups, which are filled when they are opened', async () => {
    const text = Array.from({ length: 2500 }, (_, at) => record(`r${at}`, `return ${at}`, at)).join('\n');
    const { document } = await openSettled(`tests-${++count}.jsonl`, `${text}\n`);
    const file = await eventually(() => tests.controller.items.get(document.uri.toString()));
    await tests.controller.resolveHandler?.(file);
    const groups = childrenOf(file);
    assert.deepEqual(
      groups.map(({ label, children }) => [label, children.size]),
      [
        ['Solutions 1–1000', 0],
        ['Solutions 1001–2000', 0],
        ['Solutions 2001–2500', 0],
      ],
    );
    await tests.controller.resolveHandler?.(groups[2]);
    assert.equal(groups[2]!.children.size, 500);
    const [first] = childrenOf(groups[2]!);
    assert.equal(first!.range?.start.line, 2000);
    const { states } = await run([groups[2]!]);
    assert.equal([...states.values()].filter((state) => state === 'passed').length, 500);
  });
});
