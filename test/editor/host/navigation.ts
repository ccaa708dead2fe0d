/** Definition, references, links, outline, folding, selection and symbols, as VS Code gets them from the installed extension. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { activated, openSettled, textOf } from './files.ts';

type Found = vscode.Location | vscode.LocationLink;

const uriOf = (found: Found): vscode.Uri => ('targetUri' in found ? found.targetUri : found.uri);
const rangeOf = (found: Found): vscode.Range =>
  'targetUri' in found ? (found.targetSelectionRange ?? found.targetRange) : found.range;

async function texts(found: readonly Found[]): Promise<string[]> {
  return Promise.all(
    found.map(async (one) => (await vscode.workspace.openTextDocument(uriOf(one))).getText(rangeOf(one))),
  );
}

function positionOf(document: vscode.TextDocument, text: string, shift = 1): vscode.Position {
  const at = document.getText().indexOf(text);
  assert.ok(at >= 0, `${text} is not in ${document.getText()}`);
  return document.positionAt(at + shift);
}

const execute = <T>(command: string, document: vscode.TextDocument, ...more: unknown[]): Thenable<T> =>
  vscode.commands.executeCommand<T>(`vscode.execute${command}`, document.uri, ...more);

async function definition(document: vscode.TextDocument, text: string, shift?: number): Promise<string[]> {
  return texts(await execute<Found[]>('DefinitionProvider', document, positionOf(document, text, shift)));
}

async function viewOf(file: vscode.TextDocument, command: string): Promise<vscode.TextDocument> {
  await vscode.commands.executeCommand(`auditableQa.${command}`, file.uri.toString(), 0);
  const view = vscode.window.activeTextEditor?.document;
  assert.equal(view?.uri.scheme, 'auditable-qa');
  return view;
}

const namesOf = (symbols: readonly vscode.DocumentSymbol[]): string[] =>
  symbols.flatMap(({ name, children }) => [name, ...namesOf(children)]);

describe('navigation', () => {
  let file!: vscode.TextDocument;
  let record!: vscode.TextDocument;
  let solution!: vscode.TextDocument;
  before(async () => {
    await activated();
    file = (await openSettled('navigation.jsonl', await textOf('docmath.jsonl'))).document;
    record = await viewOf(file, 'editRecord');
    solution = await viewOf(file, 'editSolution');
  });
  after(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('leads from citations, literals and names to where they come from', async () => {
    assert.match((await definition(file, '"table_evidence": [1', 19))[0] ?? '', /^"\| Well \| Depth/);
    assert.match((await definition(record, '"table_evidence": [1', 19))[0] ?? '', /^"""\n +\| Well \| Depth/);
    for (const document of [file, record, solution]) {
      assert.deepEqual(await definition(document, 'north = 41', 9), ['41'], document.uri.toString());
      assert.deepEqual(await definition(document, 'north - east', 9), ['east'], document.uri.toString());
    }
  });

  it('shows from the solution the number in the open document of the record', async () => {
    const [found] = await execute<Found[]>('DefinitionProvider', solution, positionOf(solution, '38'));
    assert.equal(uriOf(found!).toString(), record.uri.toString());
    assert.match(record.lineAt(rangeOf(found!).start).text, /East \| 38/);
  });

  it('finds what cites a block and what uses a number of it', async () => {
    for (const document of [file, record]) {
      const number = positionOf(document, 'North | 41', 9);
      assert.ok((await texts(await execute<Found[]>('ReferenceProvider', document, number))).includes('41'));
      const block = positionOf(document, 'The depth of each');
      assert.ok((await texts(await execute<Found[]>('ReferenceProvider', document, block))).includes('0'));
    }
  });

  it('outlines files, records and solutions', async () => {
    const inFile = await execute<vscode.DocumentSymbol[]>('DocumentSymbolProvider', file);
    assert.ok(inFile.some(({ name }) => name.startsWith('wells-0: By how much')));
    const inRecord = namesOf(await execute<vscode.DocumentSymbol[]>('DocumentSymbolProvider', record));
    for (const name of ['question', 'paragraphs[1]', 'solution', 'north']) assert.ok(inRecord.includes(name), name);
    const inSolution = namesOf(await execute<vscode.DocumentSymbol[]>('DocumentSymbolProvider', solution));
    assert.deepEqual(inSolution.slice(0, 3), ['solution', 'north', 'east']);
  });

  it('folds lists and code, and grows selections', async () => {
    const folds = await execute<vscode.FoldingRange[]>('FoldingRangeProvider', record);
    const heads = folds.map(({ start }) => record.lineAt(start).text.trim());
    for (const head of ['"paragraphs": [', '"python_solution": """', 'def solution():'])
      assert.ok(heads.includes(head), head);
    for (const document of [file, record, solution]) {
      const position = positionOf(document, 'north - east');
      const [first] = await execute<vscode.SelectionRange[]>('SelectionRangeProvider', document, [position]);
      const grown: string[] = [];
      for (let one = first; one; one = one.parent!) grown.push(document.getText(one.range));
      const at = grown.indexOf('north - east');
      assert.ok(at > 0, grown.slice(0, 5).join('\n'));
      assert.ok(grown.slice(at).some((text) => text.startsWith('return')));
    }
  });

  it('links documents and pages whose files are there', async () => {
    const { document } = await openSettled('sciegqa-links.jsonl', await textOf('sciegqa.jsonl'));
    const links = await execute<vscode.DocumentLink[]>('LinkProvider', document, 100);
    const shown = links.map(({ range, target }) => [document.getText(range), target?.scheme]);
    assert.deepEqual(shown.slice(0, 2), [
      ['field-report', 'file'],
      ['2', 'command'],
    ]);
    // A definition beside the link would open the file twice.
    assert.deepEqual(await execute('DefinitionProvider', document, positionOf(document, 'field-report')), []);
  });

  it('finds records of the workspace by their ids', async () => {
    const found = await vscode.commands.executeCommand<vscode.SymbolInformation[]>(
      'vscode.executeWorkspaceSymbolProvider',
      'wells-2',
    );
    assert.ok(found.some(({ name, containerName }) => name.startsWith('wells-2') && containerName === 'docmath.jsonl'));
    assert.ok(found.length <= 200);
  });
});
