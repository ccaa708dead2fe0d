/** Solutions as temporary files, inside the extension host. */
import assert from 'node:assert/strict';
import { existsSync, lstatSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { activated, openSettled, textOf } from './files.ts';

const record = (id: string): string =>
  `{"question_id": "${id}",  "question": "How deep?", "python_solution": "def solution():\\n    depth = 41\\n    return depth\\n", "ground_truth": 41.0, "paragraphs": ["It is 41 m deep."], "table_evidence": [], "paragraph_evidence": [0]}`;
const LINES = ['a', 'b/c'].map(record);
const TEXT = `${LINES.join('\n')}\n`;
const PYTHON = 'def solution():\n    depth = 41\n    return depth\n';

let count = 0;

interface Opened {
  readonly name: string;
  readonly file: vscode.TextDocument;
  readonly python: vscode.TextDocument;
}

async function open(index: number, text = TEXT): Promise<Opened> {
  const name = `solution-files-${++count}.jsonl`;
  const { document: file } = await openSettled(name, text);
  await vscode.commands.executeCommand('auditableQa.openSolutionFile', file.uri.toString(), index);
  const python = vscode.window.activeTextEditor?.document;
  assert.equal(python?.languageId, 'python');
  assert.equal(python.uri.scheme, 'file');
  return { name, file, python };
}

async function replace(document: vscode.TextDocument, from: string, to: string): Promise<void> {
  const at = document.getText().indexOf(from);
  assert.ok(at >= 0, `${from} is not in ${document.getText()}`);
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(document.positionAt(at), document.positionAt(at + from.length)), to);
  assert.ok(await vscode.workspace.applyEdit(edit));
}

/** Looks again and again: what happens on disk and in the window tells nobody here. */
async function eventually(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const limit = Date.now() + 20_000;
  while (!(await holds())) {
    if (Date.now() > limit) throw new Error(`It did not come: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const onDisk = (document: vscode.TextDocument): string => readFileSync(document.uri.fsPath, 'utf8');

describe('solutions as temporary files', () => {
  before(activated);
  afterEach(async () => {
    await vscode.commands.executeCommand('notifications.clearAll');
    for (const document of vscode.workspace.textDocuments) {
      if (!document.isDirty) continue;
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('workbench.action.files.revert');
    }
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('lie in a folder for the user alone, named after the record', async () => {
    const { python, file } = await open(1);
    const folder = path.dirname(path.dirname(python.uri.fsPath));
    assert.equal(path.dirname(folder), os.tmpdir());
    assert.equal(lstatSync(folder).mode & 0o777, 0o700);
    assert.equal(path.basename(python.uri.fsPath), 'b-c.py');
    assert.equal(python.getText(), PYTHON);
    // Asked for again, it is the same one.
    await vscode.commands.executeCommand('auditableQa.openSolutionFile', file.uri.toString(), 1);
    assert.equal(vscode.window.activeTextEditor?.document, python);
    await vscode.commands.executeCommand('auditableQa.openSolutionFile', file.uri.toString(), 0);
    assert.equal(path.basename(vscode.window.activeTextEditor?.document.uri.fsPath ?? ''), 'a.py');
  });

  it('save into their record, and change nothing else', async () => {
    const { name, file, python } = await open(1);
    await replace(python, 'depth = 41', 'depth = 41  # "m"');
    assert.ok(await python.save());
    const expected = `${LINES[0]!}\n${LINES[1]!.replace('depth = 41', 'depth = 41  # \\"m\\"')}\n`;
    await eventually('the record', () => file.getText() === expected && !file.isDirty);
    assert.equal(await textOf(name), expected);
  });

  it('save into a file that no editor shows any more', async () => {
    const { name, file, python } = await open(0);
    for (const tab of vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs)) {
      if (tab.input instanceof vscode.TabInputText && tab.input.uri.toString() === file.uri.toString()) {
        await vscode.window.tabGroups.close(tab);
      }
    }
    await replace(python, 'depth = 41', 'depth = 42');
    assert.ok(await python.save());
    const expected = `${LINES[0]!.replace('depth = 41', 'depth = 42')}\n${LINES[1]!}\n`;
    await eventually('the record on disk', async () => (await textOf(name)) === expected);
  });

  it('take up what changes in the record, from an editor and on disk', async () => {
    const { name, file, python } = await open(1);
    await replace(file, 'b/c', 'b/d');
    await replace(
      file,
      '"How deep?", "python_solution": "def solution():\\n    depth = 41',
      '"How?", "python_solution": "def solution():\\n    depth = 43',
    );
    await eventually('the first record is another one’s', () => onDisk(python) === PYTHON);
    const [, second] = file.getText().split('\n');
    const edit = new vscode.WorkspaceEdit();
    const at = second!.indexOf('41');
    edit.replace(file.uri, new vscode.Range(1, at, 1, at + 2), '44');
    assert.ok(await vscode.workspace.applyEdit(edit));
    await eventually('the text', () => python.getText() === PYTHON.replace('41', '44') && !python.isDirty);
    assert.ok(await file.save());
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    const saved = await textOf(name);
    writeFileSync(path.join(folder!.uri.fsPath, name), saved.replace('depth = 44', 'depth = 45'));
    await eventually('the text of the disk', () => python.getText() === PYTHON.replace('41', '45'));
  });

  it('go into the record when another program changes them', async () => {
    const { file, python } = await open(0);
    writeFileSync(python.uri.fsPath, PYTHON.replace('41', '46'));
    await eventually('the record', () => file.getText().split('\n')[0]!.includes('depth = 46'));
  });

  it('ask where both were changed, show the difference, and overwrite only then', async () => {
    const { name, file, python } = await open(0);
    await replace(python, 'depth = 41', 'depth = 47');
    await replace(file, 'depth = 41', 'depth = 48');
    assert.ok(await file.save());
    assert.ok(await python.save());
    // Compare is the first answer.
    await eventually('the difference', async () => {
      await vscode.commands.executeCommand('notification.acceptPrimaryAction');
      const { activeTab } = vscode.window.tabGroups.activeTabGroup;
      return activeTab?.input instanceof vscode.TabInputTextDiff;
    });
    assert.ok((await textOf(name)).startsWith(LINES[0]!.replace('depth = 41', 'depth = 48')));
    assert.equal(onDisk(python), PYTHON.replace('41', '47'));
    // Then, to overwrite.
    await eventually('the record', async () => {
      await vscode.commands.executeCommand('notification.acceptPrimaryAction');
      return (await textOf(name)).startsWith(LINES[0]!.replace('depth = 41', 'depth = 47'));
    });
  });

  it('are gone when they are closed, but not with changes that are not in the record', async () => {
    const { file, python } = await open(0);
    const place = python.uri.fsPath;
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    await eventually('the file is gone', () => !existsSync(place));
    await vscode.commands.executeCommand('auditableQa.openSolutionFile', file.uri.toString(), 0);
    const again = vscode.window.activeTextEditor!.document;
    await replace(again, 'depth = 41', 'depth = 49');
    await replace(file, 'depth = 41', 'depth = 50');
    assert.ok(await file.save());
    await vscode.window.showTextDocument(again);
    assert.ok(await again.save());
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    // Closing another one afterwards has gone through the same queue.
    await vscode.commands.executeCommand('auditableQa.openSolutionFile', file.uri.toString(), 1);
    const other = vscode.window.activeTextEditor!.document;
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    await eventually('the other is gone', () => !existsSync(other.uri.fsPath));
    assert.equal(onDisk(again), PYTHON.replace('41', '49'));
  });
});
