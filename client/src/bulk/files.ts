/** Convert, split and merge: asked for in words, made by the server, taken back by moving what was made to the trash. */
import * as vscode from 'vscode';
import type { BulkConflict, BulkMade, BulkMake } from '../../../schemas/bulk.ts';
import { BULK_MAKE } from '../../../schemas/bulk.ts';
import type { RecordFilesResult } from '../../../schemas/records.ts';
import { RECORD_FILES } from '../../../schemas/records.ts';
import { openDocument } from '../records-view/answers.ts';
import type { Server } from '../server.ts';
import type { Changes } from './changes.ts';
import { shownName, tellProblem, withWork } from './work.ts';
import { exists } from '../exists.ts';

export interface BulkFiles {
  convert(file: vscode.Uri): Promise<void>;
  split(file: vscode.Uri): Promise<void>;
  /** `others`: chosen together with the first; none: they are asked for. */
  merge(file: vscode.Uri, others: readonly vscode.Uri[]): Promise<void>;
}

type OnConflict = Extract<BulkMake, { kind: 'merge' }>['onConflict'];

export function createBulkFiles(server: Server, changes: Changes): BulkFiles {
  async function make(title: string, make: BulkMake): Promise<BulkMade | null> {
    return withWork<BulkMade>(server, title, BULK_MAKE, { make });
  }

  async function tell(made: BulkMade | null): Promise<void> {
    if (made === null || made.kind === 'conflicts') return;
    if (made.kind === 'problem') {
      await tellRefused(made);
      return;
    }
    const { files, notes } = made;
    const [first] = files;
    if (first === undefined) return;
    const records = files.reduce((sum, one) => sum + one.records, 0);
    const where = files.length === 1 ? shownName(first.uri) : `${files.length} files beside ${shownName(first.uri)}`;
    const said = `${records.toLocaleString('en')} ${records === 1 ? 'record' : 'records'} written to ${where}.`;
    const answer = await vscode.window.showInformationMessage([said, ...notes].join(' '), 'Open', 'Undo');
    if (answer === 'Open') await vscode.commands.executeCommand('vscode.open', vscode.Uri.parse(first.uri, true));
    if (answer === 'Undo') await trash(files.map(({ uri }) => vscode.Uri.parse(uri, true)));
  }

  /** Who is told may take their time; the command is done. */
  function finish(made: BulkMade | null): void {
    tell(made).catch((error: unknown) => tellProblem(error instanceof Error ? error.message : String(error)));
  }

  return {
    async convert(file) {
      if (!(await saved([file]))) return;
      const to = /\.json$/i.test(file.path) ? 'jsonl' : 'json';
      const target = await askTarget(file, `Convert to ${to === 'json' ? 'a JSON array' : 'JSONL'}`, `.${to}`);
      if (target === undefined) return;
      const asked: BulkMake = { kind: 'convert', uri: file.toString(), to, target: target.toString() };
      finish(await make(`Converting ${shownName(file.toString())}`, asked));
    },
    async split(file) {
      if (!(await saved([file]))) return;
      const by = await askSplit();
      if (by === undefined) return;
      const folder = await askFolder(file);
      if (folder === undefined) return;
      const asked: BulkMake = { kind: 'split', uri: file.toString(), by, folder: folder.toString() };
      finish(await make(`Splitting ${shownName(file.toString())}`, asked));
    },
    async merge(file, others) {
      const files = others.length > 0 ? [file, ...others] : await askOthers(server, file);
      if (files === undefined) return;
      if (!(await saved(files))) return;
      const extension = /\.[^./]*$/.exec(file.path)?.[0] ?? '.jsonl';
      const target = await askTarget(file, `Merge ${files.length} files`, `.merged${extension}`);
      if (target === undefined) return;
      const uris = files.map(String);
      const merge = (onConflict: OnConflict): Promise<BulkMade | null> =>
        make('Merging', { kind: 'merge', uris, target: target.toString(), onConflict });
      let made = await merge('stop');
      if (made?.kind === 'conflicts') {
        const choice = await settle(made, changes);
        made = choice === undefined ? null : await merge(choice);
      }
      finish(made);
    },
  };
}

/** The server reads the disk. false: a file has changes that could not be saved, which was told. */
async function saved(files: readonly vscode.Uri[]): Promise<boolean> {
  for (const file of files) {
    const document = openDocument(file.toString());
    if (document?.isDirty !== true || (await document.save())) continue;
    tellProblem(`${shownName(file.toString())} has changes that could not be saved: nothing was written.`);
    return false;
  }
  return true;
}

async function tellRefused({ message, at }: Extract<BulkMade, { kind: 'problem' }>): Promise<void> {
  const show = 'Show';
  const answer = await vscode.window.showWarningMessage(
    `Auditable QA: ${message}`,
    ...(at === undefined ? [] : [show]),
  );
  if (answer !== show || at === undefined) return;
  const selection = new vscode.Range(at.line, 0, at.line, 0);
  // Not `showTextDocument`: it takes no file over 50 MB.
  await vscode.commands.executeCommand('vscode.open', vscode.Uri.parse(at.uri, true), { selection });
}

async function trash(files: readonly vscode.Uri[]): Promise<void> {
  for (const file of files) {
    try {
      await vscode.workspace.fs.delete(file, { useTrash: true });
    } catch (error) {
      tellProblem(`${shownName(file.toString())} could not be moved to the trash: ${String(error)}`);
    }
  }
}

const besides = (file: vscode.Uri, name: string): vscode.Uri => vscode.Uri.joinPath(file, '..', name);
const stemOf = (file: vscode.Uri): string => file.path.replace(/^.*\//, '').replace(/\.[^.]*$/, '');

/** A name beside a file that nothing has yet. */
async function askTarget(file: vscode.Uri, title: string, ending: string): Promise<vscode.Uri | undefined> {
  const stem = stemOf(file);
  let value = `${stem}${ending}`;
  for (let number = 2; await exists(besides(file, value)); number++) value = `${stem}-${number}${ending}`;
  const name = await vscode.window.showInputBox({
    title,
    prompt: 'File to write, beside the file',
    value,
    valueSelection: [0, value.length - (/\.[^.]*$/.exec(value)?.[0].length ?? 0)],
    async validateInput(text) {
      if (text.trim() === '') return 'A name is needed.';
      return (await exists(besides(file, text.trim()))) ? `${text.trim()} exists already.` : undefined;
    },
  });
  return name === undefined ? undefined : besides(file, name.trim());
}

async function askFolder(file: vscode.Uri): Promise<vscode.Uri | undefined> {
  const name = await vscode.window.showInputBox({
    title: 'Split',
    prompt: 'Folder to write into, beside the file; files there are never written over',
    value: `${stemOf(file)}-split`,
    validateInput: (text) => (text.trim() === '' ? 'A name is needed.' : undefined),
  });
  return name === undefined ? undefined : besides(file, name.trim());
}

type SplitBy = Extract<BulkMake, { kind: 'split' }>['by'];

async function askSplit(): Promise<SplitBy | undefined> {
  const items = [
    { label: 'By split', field: 'split' },
    { label: 'By category', field: 'category' },
    { label: 'By document', field: 'document' },
    { label: 'By another value …', description: 'a key, or a JSON pointer such as /meta/source' },
    { label: 'By number …', description: 'so many records in each file' },
    { label: 'By a list of ids …', description: 'the records of these ids, and the others' },
  ];
  const chosen = await vscode.window.showQuickPick(items, { title: 'Split', placeHolder: 'Which records go together' });
  if (chosen === undefined) return undefined;
  if (chosen.field !== undefined) return { kind: 'field', field: chosen.field };
  if (chosen === items[3]) return askField();
  return chosen === items[4] ? askCount() : askIds();
}

async function askField(): Promise<SplitBy | undefined> {
  const field = await vscode.window.showInputBox({ title: 'Split by a value', prompt: 'Key, or JSON pointer' });
  return field === undefined || field.trim() === '' ? undefined : { kind: 'field', field: field.trim() };
}

async function askCount(): Promise<SplitBy | undefined> {
  const given = await vscode.window.showInputBox({
    title: 'Split by number',
    prompt: 'Records in each file',
    validateInput: (text) => (/^[1-9]\d{0,8}$/.test(text.trim()) ? undefined : 'A whole number, 1 or more.'),
  });
  return given === undefined ? undefined : { kind: 'count', count: Number(given) };
}

async function askIds(): Promise<SplitBy | undefined> {
  const [file] = (await vscode.window.showOpenDialog({ title: 'A file with one id to a line' })) ?? [];
  if (file === undefined) return undefined;
  const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
  const ids = text.split(/\r?\n/).flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
  return { kind: 'ids', ids };
}

async function askOthers(server: Server, file: vscode.Uri): Promise<readonly vscode.Uri[] | undefined> {
  const known = await server.request<RecordFilesResult>(RECORD_FILES, {});
  const items = (known?.files ?? [])
    .filter(({ uri }) => vscode.Uri.parse(uri, true).toString() !== file.toString())
    .map(({ uri, name, profile }) => ({ label: name, description: profile, uri }));
  const title = `Merge ${shownName(file.toString())} with …`;
  const chosen = await vscode.window.showQuickPick(items, {
    title,
    canPickMany: true,
    placeHolder: 'Other record files',
  });
  if (chosen === undefined || chosen.length === 0) return undefined;
  return [file, ...chosen.map(({ uri }) => vscode.Uri.parse(uri, true))];
}

const CHOICES: readonly (vscode.QuickPickItem & { readonly onConflict?: OnConflict })[] = [
  { label: 'Keep what the first file says', onConflict: 'first' },
  { label: 'Keep what the last file says', onConflict: 'last' },
  { label: 'Keep both, the later one with a new id', onConflict: 'keep-both' },
  { label: 'Show the conflicts', description: 'both places and what differs' },
  { label: 'Stop', description: 'nothing is written' },
];

async function settle(
  { total, first }: Extract<BulkMade, { kind: 'conflicts' }>,
  changes: Changes,
): Promise<OnConflict | undefined> {
  const title = `${total} ${total === 1 ? 'record says' : 'records say'} something else under the same id`;
  for (;;) {
    const chosen = await vscode.window.showQuickPick(CHOICES, { title, ignoreFocusOut: true });
    if (chosen !== CHOICES[3]) return chosen?.onConflict;
    await changes.showText('conflicts.md', conflictText(first, total), 'markdown');
  }
}

function conflictText(conflicts: readonly BulkConflict[], total: number): string {
  const parts = conflicts.map(({ id, ours, theirs, differences, total: all }) => {
    const rows = differences.map(({ pointer, ours: one, theirs: two }) => {
      return `- ${pointer === '' ? 'the record' : pointer}\n  - ${one ?? '(absent)'}\n  - ${two ?? '(absent)'}`;
    });
    const more = all > differences.length ? [`- and ${all - differences.length} more`] : [];
    const place = ({ uri, line }: BulkConflict['ours']): string => `${shownName(uri)}:${line + 1}`;
    return [`## ${id}`, `${place(ours)} and ${place(theirs)} differ in:`, ...rows, ...more].join('\n');
  });
  const more = total > conflicts.length ? [`and ${total - conflicts.length} more conflicts`] : [];
  return ['# Conflicts', ...parts, ...more, ''].join('\n\n');
}
