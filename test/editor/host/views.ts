/** Documents of records inside the extension host: what is saved, and that nothing is lost or doubled when several write at once. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { activated, closeAll, openSettled, textOf } from './files.ts';

const record = (id: string): string =>
  `{"question_id": "${id}",  "question": "How deep?", "python_solution": "def solution():\\n    depth = 41\\n    return depth\\n", "ground_truth": 41.0, "paragraphs": ["It is 41 m deep.\\n\\u20ac 5"], "table_evidence": [], "paragraph_evidence": [0], "note": "old"}`;
const LINES = ['a', 'b', 'c'].map(record);
const TEXT = `${LINES.join('\n')}\n`;

let count = 0;

interface Opened {
  readonly name: string;
  readonly file: vscode.TextDocument;
  readonly view: vscode.TextDocument;
}

async function openView(
  index: number,
  command: 'editRecord' | 'editSolution',
  name = `views-${++count}.jsonl`,
): Promise<Opened> {
  const { document: file } = await openSettled(name, TEXT);
  return { name, file, view: await openViewOf(file, index, command) };
}

async function openViewOf(file: vscode.TextDocument, index: number, command: string): Promise<vscode.TextDocument> {
  await vscode.commands.executeCommand(`auditableQa.${command}`, file.uri.toString(), index);
  const view = vscode.window.activeTextEditor?.document;
  assert.equal(view?.uri.scheme, 'auditable-qa');
  return view;
}

async function replace(document: vscode.TextDocument, from: string, to: string): Promise<void> {
  const at = document.getText().indexOf(from);
  assert.ok(at >= 0, `${from} is not in ${document.getText()}`);
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(document.positionAt(at), document.positionAt(at + from.length)), to);
  assert.ok(await vscode.workspace.applyEdit(edit));
}

/** Replaces a text in one line. */
async function replaceIn(document: vscode.TextDocument, line: number, from: string, to: string): Promise<void> {
  const at = document.lineAt(line).text.indexOf(from);
  assert.ok(at >= 0, `${from} is not in line ${line}`);
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(line, at, line, at + from.length), to);
  assert.ok(await vscode.workspace.applyEdit(edit));
}

/** Waits for an event of a document after which it holds what is wanted. */
function until(document: vscode.TextDocument, wanted: (document: vscode.TextDocument) => boolean): Promise<void> {
  return new Promise((resolve) => {
    if (wanted(document)) return resolve();
    const look = (other: vscode.TextDocument): void => {
      if (other.uri.toString() !== document.uri.toString() || !wanted(document)) return;
      for (const listener of listeners) listener.dispose();
      resolve();
    };
    const listeners = [
      vscode.workspace.onDidChangeTextDocument(({ document: other }) => look(other)),
      vscode.workspace.onDidSaveTextDocument(look),
    ];
  });
}

const lines = (...all: readonly string[]): string => `${all.join('\n')}\n`;

describe('documents of records', () => {
  before(activated);
  afterEach(closeAll);

  it('are of languages of their own and show code over many lines', async () => {
    const { view, file } = await openView(1, 'editRecord');
    assert.equal(view.languageId, 'auditable-qa-record');
    assert.match(view.getText(), /^ {2}"python_solution": """\n {4}def solution\(\):$/m);
    const solution = await openViewOf(file, 1, 'editSolution');
    assert.equal(solution.languageId, 'python');
    assert.equal(solution.getText(), 'def solution():\n    depth = 41\n    return depth\n');
  });

  it('save what was changed and no other byte, and undo in the file takes it back', async () => {
    const { view, file, name } = await openView(1, 'editRecord');
    await replace(view, '"old"', '"new"');
    assert.ok(await view.save());
    const saved = lines(LINES[0]!, LINES[1]!.replace('"old"', '"new"'), LINES[2]!);
    assert.equal(file.getText(), saved);
    assert.equal(file.isDirty, false);
    assert.equal(await textOf(name), saved);
    await vscode.window.showTextDocument(file);
    await vscode.commands.executeCommand('undo');
    assert.equal(file.getText(), TEXT);
    await until(view, (document) => document.getText().includes('"old"'));
  });

  it('save into a file with other unsaved changes without saving those', async () => {
    const { view, file, name } = await openView(1, 'editRecord');
    await replace(file, '"question_id": "a"', '"question_id": "first"');
    await replace(view, '"old"', '"new"');
    assert.ok(await view.save());
    assert.equal(
      file.getText(),
      lines(LINES[0]!.replace('"a"', '"first"'), LINES[1]!.replace('"old"', '"new"'), LINES[2]!),
    );
    assert.equal(file.isDirty, true);
    assert.equal(await textOf(name), TEXT);
  });

  it('lose nothing when the file is typed in while one is saved', async () => {
    const { view, file } = await openView(1, 'editRecord');
    await replace(view, '"old"', '"new"');
    const typing = (async () => {
      for (let i = 0; i < 20; i++) {
        const edit = new vscode.WorkspaceEdit();
        edit.insert(file.uri, new vscode.Position(0, LINES[0]!.indexOf('How deep')), `${i % 10}`);
        assert.ok(await vscode.workspace.applyEdit(edit));
      }
    })();
    const saved = await view.save();
    await typing;
    if (!saved) assert.ok(await view.save());
    const [first, second, third] = file.getText().split('\n');
    assert.equal(first, LINES[0]!.replace('How deep', '98765432109876543210How deep'));
    assert.equal(second, LINES[1]!.replace('"old"', '"new"'));
    assert.equal(third, LINES[2]);
  });

  it('take up what two of them change in one file', async () => {
    const { view, file, name } = await openView(0, 'editRecord');
    const other = await openViewOf(file, 2, 'editRecord');
    await replace(view, '"old"', '"one"');
    await replace(other, '"old"', '"two"');
    const [one, two] = await Promise.all([view.save(), other.save()]);
    assert.deepEqual([one, two], [true, true]);
    const expected = lines(LINES[0]!.replace('"old"', '"one"'), LINES[1]!, LINES[2]!.replace('"old"', '"two"'));
    assert.equal(file.getText(), expected);
    assert.equal(await textOf(name), expected);
  });

  it('take up what a record document and the solution document of one record change', async () => {
    const { view, file } = await openView(1, 'editRecord');
    const solution = await openViewOf(file, 1, 'editSolution');
    await replace(view, '"old"', '"new"');
    await replace(solution, 'depth = 41', 'depth = 42');
    assert.ok(await solution.save());
    assert.ok(await view.save());
    assert.equal(
      file.getText(),
      lines(LINES[0]!, LINES[1]!.replace('"old"', '"new"').replace('depth = 41', 'depth = 42'), LINES[2]!),
    );
    await until(view, (document) => document.getText().includes('depth = 42') && !document.isDirty);
    // What was taken up is not taken back by what is saved next.
    await replace(view, '"new"', '"newer"');
    assert.ok(await view.save());
    assert.match(file.getText(), /depth = 42/);
  });

  it('show what changes on disk, and save beside it', async () => {
    const { view, file, name } = await openView(1, 'editRecord');
    await replace(view, '"old"', '"new"');
    const changed = lines(LINES[0]!, LINES[1]!.replace('How deep?', 'How deep is it?'), LINES[2]!);
    const reloaded = until(file, (document) => document.getText() === changed);
    await vscode.workspace.fs.writeFile(file.uri, Buffer.from(changed));
    await reloaded;
    assert.ok(await view.save());
    const expected = changed.replace(/"old"(?=\}\n\{"question_id": "c")/, '"new"');
    assert.equal(await textOf(name), expected);
    await until(view, (document) => document.getText().includes('How deep is it?'));
    assert.match(view.getText(), /"new"/);
  });

  it('overwrite nothing that VS Code has not seen on disk yet', async () => {
    const { view, file, name } = await openView(1, 'editRecord');
    await replace(view, '"old"', '"new"');
    const changed = lines(LINES[0]!, LINES[1]!.replace('How deep?', 'How deep is it?'), LINES[2]!);
    await vscode.workspace.fs.writeFile(file.uri, Buffer.from(changed));
    assert.ok(await view.save());
    assert.equal(await textOf(name), changed.replace(/"old"(?=\}\n\{"question_id": "c")/, '"new"'));
    await until(view, (document) => document.getText().includes('How deep is it?'));
    await until(file, (document) => !document.isDirty && document.getText().includes('"new"'));
  });

  it('do not overwrite unseen what was changed in the same value', async () => {
    const { view, file, name } = await openView(1, 'editRecord');
    await replace(view, '"old"', '"mine"');
    const changed = lines(LINES[0]!, LINES[1]!.replace('"old"', '"theirs"'), LINES[2]!);
    const reloaded = until(file, (document) => document.getText() === changed);
    await vscode.workspace.fs.writeFile(file.uri, Buffer.from(changed));
    await reloaded;
    // VS Code shows the difference and asks; nobody answers here.
    assert.equal(await view.save(), false);
    assert.equal(await textOf(name), changed);
    assert.equal(view.isDirty, true);
    assert.match(view.getText(), /"mine"/);
  });

  it('ask anew when the record was changed again, whatever its size', async () => {
    const { view, file, name } = await openView(1, 'editRecord');
    await replace(view, '"old"', '"mine"');
    // The last one is as long as what the document was changed from.
    let last = '"old"';
    for (const theirs of ['"theirs"', '"new"']) {
      await replaceIn(file, 1, last, theirs);
      last = theirs;
      assert.ok(await file.save());
      assert.equal(await view.save(), false, theirs);
      assert.match(await textOf(name), new RegExp(`"note": ${theirs}`));
    }
  });

  it('are saved without a question after they were reverted', async () => {
    const { view, file, name } = await openView(1, 'editRecord');
    await replace(view, '"old"', '"new"');
    await replaceIn(file, 1, 'How deep', 'And How deep');
    assert.ok(await file.save());
    await vscode.window.showTextDocument(view);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await until(view, (document) => /And How deep[^]*"old"/.test(document.getText()) && !document.isDirty);
    await replace(view, '"old"', '"newer"');
    assert.ok(await view.save());
    assert.match(await textOf(name), /And How deep.*"note": "newer"/);
  });

  it('are UTF-8, whatever files are', async () => {
    const files = vscode.workspace.getConfiguration('files');
    await files.update('encoding', 'windows1252', vscode.ConfigurationTarget.Global);
    try {
      const { view, name } = await openView(1, 'editRecord');
      assert.match(view.getText(), /€ 5/);
      await replace(view, '"old"', '"80 €, Ω"');
      assert.ok(await view.save());
      assert.equal(
        await textOf(name),
        lines(LINES[0]!, LINES[1]!.replace('"old"', '"80 \\u20ac, \\u03a9"'), LINES[2]!),
      );
    } finally {
      await files.update('encoding', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('are saved twice in a row into a file with mixed line ends, which keeps them', async () => {
    const name = `views-${++count}.jsonl`;
    const mixed = `${LINES[0]}\r\n${LINES[1]}\n${LINES[2]}\n`;
    const { document: file } = await openSettled(name, mixed);
    const view = await openViewOf(file, 1, 'editRecord');
    await replace(view, '"old"', '"new"');
    assert.ok(await view.save());
    await replace(view, '"new"', '"newer"');
    assert.ok(await view.save());
    assert.equal(await textOf(name), `${LINES[0]}\r\n${LINES[1]!.replace('"old"', '"newer"')}\n${LINES[2]}\n`);
  });

  it('lose nothing when typing in the file begins at any moment of saving', async function () {
    this.timeout(120_000);
    const { view, file } = await openView(1, 'editRecord');
    let [first, note] = [LINES[0]!, 'old'];
    for (let turn = 0; turn < 24; turn++) {
      await replace(view, `"${note}"`, `"note ${turn}"`);
      note = `note ${turn}`;
      const saving = view.save();
      for (let wait = 0; wait < turn % 12; wait++)
        await vscode.commands.executeCommand('setContext', 'auditable', turn);
      // VS Code refuses what is out of date, as no typing is.
      for (let isTyped = false; !isTyped;) {
        const edit = new vscode.WorkspaceEdit();
        edit.insert(file.uri, new vscode.Position(0, 0), '\n');
        isTyped = await vscode.workspace.applyEdit(edit);
      }
      first = `\n${first}`;
      if (!(await saving)) assert.ok(await view.save());
      assert.equal(file.getText(), lines(first, LINES[1]!.replace('"old"', `"${note}"`), LINES[2]!), `turn ${turn}`);
      assert.ok(await file.save());
    }
  });

  it('are saved while the language server starts anew, and after', async () => {
    const { view, file, name } = await openView(1, 'editRecord');
    await replaceIn(file, 0, '"question_id": "a"', '"question_id": "b"');
    await replaceIn(file, 2, '"question_id": "c"', '"question_id": "b"');
    assert.ok(await file.save());
    await replace(view, '"old"', '"new"');
    const restarted = vscode.commands.executeCommand('auditableQa.restartServer');
    const saved = await view.save();
    await restarted;
    if (!saved) assert.ok(await view.save());
    await replace(view, '"new"', '"newer"');
    assert.ok(await view.save());
    // Of three records that have one id now, it is the one that was opened.
    const [first, third] = [LINES[0]!.replace('"a"', '"b"'), LINES[2]!.replace('"c"', '"b"')];
    assert.equal(await textOf(name), lines(first, LINES[1]!.replace('"old"', '"newer"'), third));
  });

  it('keep what they were changed from when their language is another one', async () => {
    const { view, file, name } = await openView(1, 'editRecord');
    await replace(view, '"old"', '"new"');
    await replaceIn(file, 1, 'How deep', 'And how deep');
    assert.ok(await file.save());
    const json = await vscode.languages.setTextDocumentLanguage(view, 'json');
    assert.ok(await json.save());
    assert.match((await textOf(name)).split('\n')[1]!, /And how deep.*"note": "new"/);
  });

  it('cannot be saved without their record, and can when it is back', async () => {
    const { view, file, name } = await openView(1, 'editRecord');
    await replace(view, '"old"', '"new"');
    const edit = new vscode.WorkspaceEdit();
    edit.delete(file.uri, new vscode.Range(1, 0, 2, 0));
    assert.ok(await vscode.workspace.applyEdit(edit));
    assert.ok(await file.save());
    assert.equal(await view.save(), false);
    assert.equal(await textOf(name), lines(LINES[0]!, LINES[2]!));
    await vscode.window.showTextDocument(file);
    await vscode.commands.executeCommand('undo');
    assert.ok(await file.save());
    assert.ok(await view.save());
    assert.equal(await textOf(name), lines(LINES[0]!, LINES[1]!.replace('"old"', '"new"'), LINES[2]!));
  });

  it('forget what was not saved when they are closed', async () => {
    const { view, file, name } = await openView(1, 'editRecord');
    await replace(view, '"old"', '"lost"');
    await vscode.window.showTextDocument(view);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await replaceIn(file, 1, '"old"', '"theirs"');
    assert.ok(await file.save());
    const again = await openViewOf(file, 1, 'editRecord');
    // A document that VS Code had not let go yet takes the change up when it is told of it.
    await until(again, (document) => document.getText().includes('"theirs"'));
    await replace(again, '"theirs"', '"mine"');
    assert.ok(await again.save());
    assert.equal(await textOf(name), lines(LINES[0]!, LINES[1]!.replace('"old"', '"mine"'), LINES[2]!));
  });

  it('cannot be saved while they are no JSON, and keep what was typed', async () => {
    const { view, name } = await openView(1, 'editRecord');
    await replace(view, '"old"', '"old');
    assert.equal(await view.save(), false);
    assert.equal(await textOf(name), TEXT);
    assert.equal(view.isDirty, true);
  });

  it('write a solution where there was none', async () => {
    const bare = LINES[1]!.replace(/"python_solution": "[^"]*", /, '');
    const { document: file } = await openSettled(`views-${++count}.jsonl`, lines(LINES[0]!, bare, LINES[2]!));
    const view = await openViewOf(file, 1, 'editSolution');
    assert.match(view.getText(), /^def solution\(\):\n/);
    await replace(view, 'answer = ...', 'answer = 41');
    assert.ok(await view.save());
    assert.match(file.getText().split('\n')[1]!, /"python_solution": "def solution\(\):\\n.*answer = 41\\n/);
  });
});
