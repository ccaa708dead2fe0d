import assert from 'node:assert/strict';
import * as vscode from 'vscode';

describe('the installed extension', () => {
  it('is there, from the package, and starts on a JSONL file', async () => {
    const [file] = await vscode.workspace.findFiles('docmath.jsonl');
    assert.ok(file !== undefined);
    await vscode.window.showTextDocument(file);
    const extension = vscode.extensions.getExtension('auditable-qa.auditable-qa');
    assert.ok(extension !== undefined);
    assert.match(extension.extensionPath, /extensions/);
    await extension.activate();
    assert.equal(extension.isActive, true);
  });
});
