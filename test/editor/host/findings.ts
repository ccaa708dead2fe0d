import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { activated, openSettled, textOf, underlinedBy } from './files.ts';

describe('the installed extension', () => {
  it('comes from the package', async () => {
    const extension = await activated();
    assert.equal(extension.isActive, true);
    assert.ok(extension.extensionPath.includes('extensions'), extension.extensionPath);
    assert.ok(!('devDependencies' in extension.packageJSON) || !extension.extensionPath.includes('node_modules'));
  });

  it('underlines the gold that a solution does not yield, and the solution that fails', async () => {
    const { document, status } = await openSettled('first.jsonl', await textOf('docmath.jsonl'));
    assert.deepEqual(
      underlinedBy(document).map(({ code, line }) => [code, line]),
      [
        ['answer/mismatch', 2],
        ['solution/raises', 3],
      ],
    );
    assert.equal(underlinedBy(document)[0]?.text, '42.75');
    assert.match(underlinedBy(document)[1]?.text ?? '', /frist/);
    assert.deepEqual(status.solutions, { done: 3, total: 3, passed: 1 });
    assert.deepEqual(status.counts, { error: 2, warning: 0, info: 0 });
  });

  it('underlines the numbers of a box that its relative box contradicts', async () => {
    const { document } = await openSettled('sciegqa-copy.jsonl', await textOf('sciegqa.jsonl'));
    const [only, ...others] = underlinedBy(document).filter(({ code }) => code !== 'page/document-missing');
    assert.deepEqual(others, []);
    assert.equal(only?.code, 'box/mismatch');
    assert.equal(only.line, 2);
    assert.equal(only.text.replaceAll(/\s/g, ''), '[300,600,2100,1500]');
  });

  it('takes findings back when their cause is mended', async () => {
    const { document } = await openSettled('mended.jsonl', await textOf('docmath.jsonl'));
    const start = document.getText().indexOf('42.75');
    const cleared = new Promise<void>((resolve) => {
      const listener = vscode.languages.onDidChangeDiagnostics(() => {
        if (underlinedBy(document).some(({ code }) => code === 'answer/mismatch')) return;
        listener.dispose();
        resolve();
      });
    });
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, new vscode.Range(document.positionAt(start), document.positionAt(start + 5)), '39.5');
    await vscode.workspace.applyEdit(edit);
    await cleared;
    assert.deepEqual(
      underlinedBy(document).map(({ code }) => code),
      ['solution/raises'],
    );
  });

  it('says nothing on files that are no dataset', async () => {
    const { document, status } = await openSettled('foreign.jsonl', await textOf('log.jsonl'));
    assert.equal(status.profile, null);
    assert.deepEqual(underlinedBy(document), []);
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      document.uri,
      10,
    );
    assert.deepEqual(lenses, []);
  });

  it('tells in lenses what each solution yields', async () => {
    const { document } = await openSettled('lenses.jsonl', await textOf('docmath.jsonl'));
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      document.uri,
      100,
    );
    const titles = lenses.map(({ range, command }) => `${range.start.line + 1}: ${command?.title}`);
    assert.ok(titles.includes('1: ▶ 3 = gold'), titles.join('\n'));
    assert.ok(titles.includes('2: ▶ 39.5 ≠ gold 42.75'), titles.join('\n'));
    assert.ok(
      titles.some((title) => title.startsWith("3: ▶ NameError: name 'frist' is not defined")),
      titles.join('\n'),
    );
  });

  it('explains a finding in the hover', async () => {
    const { document } = await openSettled('hover.jsonl', await textOf('docmath.jsonl'));
    const position = document.positionAt(document.getText().indexOf('42.75') + 1);
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      document.uri,
      position,
    );
    const text = hovers
      .flatMap(({ contents }) => contents)
      .map((content) => (typeof content === 'string' ? content : content.value))
      .join('\n');
    assert.match(text, /answer\/mismatch/);
    assert.match(text, /not the gold/);
  });
});
