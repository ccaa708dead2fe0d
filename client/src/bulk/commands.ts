/** Commands of bulk work: from the palette, the explorer, the Records view and quick fixes. */
import * as vscode from 'vscode';
import type { BulkOperation } from '../../../schemas/bulk.ts';
import type { BulkAction, FromRecordsPage } from '../../../schemas/records-page.ts';
import type { CodeChoice, RecordKeysOf, RecordPosition } from '../../../schemas/records.ts';
import { FILE_ORDER, NO_FILTER, RECORD_CODES, RECORD_KEYS, RECORD_POSITION } from '../../../schemas/records.ts';
import { COMMANDS } from '../ids.ts';
import { activeUri } from '../large/documents.ts';
import { recordOf } from '../records.ts';
import type { RecordsView } from '../records-view/host.ts';
import type { Server } from '../server.ts';
import { isViewAddress, recordInFile } from '../views/open.ts';
import { createChanges } from './changes.ts';
import { createBulkFiles } from './files.ts';
import { createOperations } from './operations.ts';
import type { Operations } from './operations.ts';
import { tellProblem } from './work.ts';

type Asked = Pick<Extract<FromRecordsPage, { readonly type: 'bulk' }>, 'action' | 'uri' | 'keys' | 'rules'>;

export function registerBulk(context: vscode.ExtensionContext, server: Server, view: RecordsView): void {
  const changes = createChanges(context, server);
  const operations = createOperations(server, changes);
  const files = createBulkFiles(server, changes);

  /**
   * A menu of the Records view is about what is chosen there; the palette about the record at the cursor, and about what is chosen in
   * the view only where no text is in front.
   */
  async function act(action: BulkAction, from: unknown): Promise<void> {
    const active = activeUri()?.toString();
    if (isOfView(from) || active === undefined) {
      view.act(action);
      return;
    }
    const record = await recordAtCursor(server);
    if (record === null)
      tellProblem('There is no record at the cursor: put it in one, or choose records in the Records view.');
    else await carryOut(server, operations, { action, ...record, rules: [] });
  }

  async function fixEverywhere(uri: unknown, code: unknown): Promise<void> {
    if (typeof uri === 'string' && typeof code === 'string') {
      await operations.run(uri, { kind: 'fix', code }, true);
    } else await act('fixEverywhere', uri);
  }

  const fileOf = (given: unknown): vscode.Uri | undefined => {
    if (given instanceof vscode.Uri) return given;
    const active = isOfView(given) ? undefined : activeUri();
    if (active?.scheme === 'file') return active;
    return view.showing === null ? undefined : vscode.Uri.parse(view.showing.uri, true);
  };
  const onFile = (work: (file: vscode.Uri, others: readonly vscode.Uri[]) => Promise<void>) => {
    return async (given: unknown, chosen?: unknown): Promise<void> => {
      const file = fileOf(given);
      if (file === undefined) return tellProblem('Open a record file first, or choose one in the Records view.');
      const all = Array.isArray(chosen) ? chosen.filter((one) => one instanceof vscode.Uri) : [];
      await work(
        file,
        all.filter((one) => one.toString() !== file.toString()),
      );
    };
  };

  const acts = (action: BulkAction) => (from?: unknown) => act(action, from);

  view.onBulk((asked) => {
    carryOut(server, operations, asked).catch((error: unknown) => tellProblem(String(error)));
  });
  context.subscriptions.push(
    vscode.commands.registerCommand(COMMANDS.addRecord, acts('add')),
    vscode.commands.registerCommand(COMMANDS.duplicateRecords, acts('duplicate')),
    vscode.commands.registerCommand(COMMANDS.deleteRecords, acts('delete')),
    vscode.commands.registerCommand(COMMANDS.moveRecordsUp, acts('moveUp')),
    vscode.commands.registerCommand(COMMANDS.moveRecordsDown, acts('moveDown')),
    vscode.commands.registerCommand(COMMANDS.moveRecordsTo, acts('moveTo')),
    vscode.commands.registerCommand(COMMANDS.renumberRecords, acts('renumber')),
    vscode.commands.registerCommand(COMMANDS.fixEverywhere, fixEverywhere),
    vscode.commands.registerCommand(COMMANDS.convertFile, onFile(files.convert)),
    vscode.commands.registerCommand(COMMANDS.splitFile, onFile(files.split)),
    vscode.commands.registerCommand(COMMANDS.mergeFiles, onFile(files.merge)),
  );
}

function isOfView(from: unknown): boolean {
  return typeof from === 'object' && from !== null && 'webview' in from;
}

async function recordAtCursor(
  server: Server,
): Promise<{ readonly uri: string; readonly keys: readonly number[] } | null> {
  const found = await recordOf(server, undefined, undefined);
  // What a document shows that shows one record may be gone from the file.
  const record = found && isViewAddress(found.uri) ? await recordInFile(server, found.uri) : found;
  if (record === null) return null;
  const { uri, index } = record;
  const params = { uri, filter: NO_FILTER, order: FILE_ORDER, index };
  const position = await server.request<RecordPosition>(RECORD_POSITION, params);
  return position === null ? null : { uri, keys: [position.key] };
}

async function carryOut(server: Server, operations: Operations, { action, uri, keys, rules }: Asked): Promise<void> {
  const asked = await operationFor(server, { action, uri, keys, rules });
  if (asked === undefined) return;
  const looks = asked.kind === 'fix' || asked.kind === 'renumber';
  await operations.run(uri, asked, looks);
}

async function operationFor(server: Server, { action, uri, keys, rules }: Asked): Promise<BulkOperation | undefined> {
  switch (action) {
    case 'duplicate':
    case 'delete':
      return { kind: action, keys };
    case 'add':
      return { kind: 'add', after: keys.at(-1) ?? null };
    case 'moveUp':
      return { kind: 'move', keys, to: 'up' };
    case 'moveDown':
      return { kind: 'move', keys, to: 'down' };
    case 'moveTo':
      return moveTo(keys);
    case 'renumber':
      return renumber(keys);
    case 'fixEverywhere': {
      const [only] = rules;
      const code = only !== undefined && rules.length === 1 ? only : await chooseRule(server, uri, rules);
      return code === undefined ? undefined : { kind: 'fix', code };
    }
  }
}

async function moveTo(keys: readonly number[]): Promise<BulkOperation | undefined> {
  const given = await vscode.window.showInputBox({
    title: keys.length === 1 ? 'Move record' : `Move ${keys.length} records`,
    prompt: 'Number of the record that the first of them becomes; 1 is the first of the file',
    validateInput: (text) => (/^[1-9]\d{0,8}$/.test(text.trim()) ? undefined : 'A whole number, 1 or more.'),
  });
  return given === undefined ? undefined : { kind: 'move', keys, to: Number(given) - 1 };
}

async function renumber(keys: readonly number[]): Promise<BulkOperation | undefined> {
  const isAll = keys.length <= 1;
  const pattern = await vscode.window.showInputBox({
    title: isAll ? 'Renumber all records of the file' : `Renumber ${keys.length} records`,
    prompt: 'Pattern of the ids: {n} is the number, {n:4} the number with at least four digits',
    value: 'q-{n:4}',
    validateInput: (text) => (/\{n(?::\d+)?\}/.test(text) ? undefined : 'The pattern needs {n}.'),
  });
  if (pattern === undefined) return undefined;
  const first = await vscode.window.showInputBox({
    title: 'Renumber',
    prompt: 'Number of the first one',
    value: '1',
    validateInput: (text) => (/^\d{1,9}$/.test(text.trim()) ? undefined : 'A whole number, 0 or more.'),
  });
  if (first === undefined) return undefined;
  return { kind: 'renumber', keys: isAll ? null : keys, pattern, first: Number(first) };
}

/** Among the rules whose findings have a fix that needs no choice. */
async function chooseRule(server: Server, uri: string, wanted: readonly string[]): Promise<string | undefined> {
  const all = { uri, filter: NO_FILTER, order: FILE_ORDER, start: 0, end: Number.MAX_SAFE_INTEGER };
  const keys = (await server.request<readonly number[]>(RECORD_KEYS, all)) ?? [];
  const codes = await server.request<readonly CodeChoice[]>(RECORD_CODES, { uri, keys } satisfies RecordKeysOf);
  const items = (codes ?? [])
    .filter(({ code, fixable }) => fixable > 0 && (wanted.length === 0 || wanted.includes(code)))
    .map(({ code, fixable, safe }) => ({
      label: code,
      description: `${fixable} to fix${safe === fixable ? '' : ', look at each: it changes what records say'}`,
    }));
  if (items.length === 0) {
    tellProblem('No record has a finding that can be fixed without a choice.');
    return undefined;
  }
  const title = 'Fix in all records that have it';
  return (await vscode.window.showQuickPick(items, { title, placeHolder: 'Rule' }))?.label;
}
