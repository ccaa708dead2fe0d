/**
 * "Open solution as temporary file": the solution as a file on disk, for the Python tools that a user has besides. What is saved there
 * goes into the record by the way of solution documents; what changes in the record comes into the file while it has no changes.
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { RecordParams } from '../../../schemas/protocol.ts';
import type {
  ViewChangedParams,
  ViewReadParams,
  ViewReadResult,
  ViewRefParams,
  ViewRefResult,
} from '../../../schemas/views.ts';
import { VIEW_CHANGED, VIEW_FORGET, VIEW_READ, VIEW_REF } from '../../../schemas/views.ts';
import { COMMANDS } from '../ids.ts';
import { recordOf } from '../records.ts';
import type { Server } from '../server.ts';
import { refOf, viewUri } from './address.ts';
import { recordInFile } from './open.ts';
import { NO_ANSWER } from './saving.ts';
import type { Saver } from './saving.ts';
import {
  knownTemporaryFolder,
  newTemporaryFolder,
  readText,
  removeLeftovers,
  solutionFileName,
  withPlainLineEnds,
} from './temporary-folder.ts';
import type { NotedFile, TemporaryFolder } from './temporary-folder.ts';

/** Of the state of the workspace: path of this window's folder. */
const FOLDER = 'solutionFolder';
const TOUCH_MS = 6 * 3_600_000;

interface SolutionFile {
  readonly path: string;
  /** Known to the server alone: no document has this address, so that none takes it along when it is closed. */
  readonly view: vscode.Uri;
  /** As in `NotedFile`. */
  record: string;
  text: string;
  /** The user was told that the record is gone, or asked about a conflict and has not answered. */
  asked: boolean;
}

const COMPARE = 'Compare';
const OVERWRITE = 'Overwrite the record';
const TAKE = 'Take the record’s';

export function registerSolutionFiles(context: vscode.ExtensionContext, server: Server, saver: Saver): void {
  /** By path. */
  const files = new Map<string, SolutionFile>();
  let folder: TemporaryFolder | undefined;
  let noting: Promise<void> = Promise.resolve();

  const log = (error: unknown): void => server.output.warn(String(error));

  /** The folder of this window's last life, with what it holds. */
  const restored = (async () => {
    const before = context.workspaceState.get<string>(FOLDER);
    if (before === undefined) return;
    const known = await knownTemporaryFolder(before);
    if (known === undefined) return;
    use(known);
    for (const { name, view, record, text } of await known.noted()) {
      const file = pathOf(path.join(before, name));
      files.set(file, { path: file, view: vscode.Uri.parse(view, true), record, text, asked: false });
    }
    for (const file of [...files.values()]) await goOn(file);
  })().catch(log);

  /** VS Code may have saved the file, or closed it, while the extension was not there. */
  async function goOn(file: SolutionFile): Promise<void> {
    const now = await readText(file.path);
    if (now === undefined || (now === file.text && !isShown(file.path))) return release(file);
    await (now === file.text ? refresh(file) : writeBack(file, now));
  }

  let making: Promise<TemporaryFolder> | undefined;

  function ownFolder(): Promise<TemporaryFolder> {
    making ??= restored.then(async () => {
      if (folder !== undefined) return folder;
      const made = await newTemporaryFolder();
      use(made);
      await context.workspaceState.update(FOLDER, made.path);
      return made;
    });
    return making;
  }

  /** Other programs change files, too: a formatter in the terminal, say. */
  function use(found: TemporaryFolder): void {
    folder = found;
    const watcher = vscode.workspace.createFileSystemWatcher(
      new vscode.RelativePattern(vscode.Uri.file(found.path), '*/*.py'),
    );
    const look = ({ fsPath }: vscode.Uri): void => {
      const file = files.get(fsPath);
      if (file !== undefined) saver.inTurn(file.view, () => changedOnDisk(file)).catch(log);
    };
    context.subscriptions.push(watcher, watcher.onDidChange(look), watcher.onDidCreate(look));
  }

  async function changedOnDisk(file: SolutionFile): Promise<void> {
    const now = await readText(file.path);
    if (now !== undefined && files.has(file.path)) await writeBack(file, now);
  }

  function note(): Promise<void> {
    const noted = [...files.values()].map(({ path: file, view, record, text }): NotedFile => {
      const name = `${path.basename(path.dirname(file))}/${path.basename(file)}`;
      return { name, view: view.toString(), record, text };
    });
    noting = noting.then(() => folder?.note(noted)).catch(log);
    return noting;
  }

  async function read(view: vscode.Uri): Promise<ViewReadResult> {
    const params: ViewReadParams = { uri: view.toString() };
    return (await server.request<ViewReadResult>(VIEW_READ, params)) ?? NO_ANSWER;
  }

  async function open(uri: unknown, index: unknown): Promise<void> {
    const named = await recordOf(server, uri, index);
    if (named === null) return;
    const { uri: file, index: at } = (await recordInFile(server, named.uri)) ?? named;
    const params: ViewRefParams = { file, index: at, kind: 'solution' };
    const result = await server.request<ViewRefResult>(VIEW_REF, params);
    if (result === null) return;
    const own = await ownFolder();
    const known = (await fileOf({ uri: file, index: at })) ?? (await newFile(own, result));
    if (known !== undefined) await vscode.window.showTextDocument(vscode.Uri.file(known.path), { preview: false });
  }

  /** The file of a record that has one already. */
  async function fileOf({ uri, index }: RecordParams): Promise<SolutionFile | undefined> {
    for (const file of files.values()) {
      const record = await recordInFile(server, file.view.toString());
      if (record?.uri === uri && record.index === index) return file;
    }
    return undefined;
  }

  async function newFile(
    own: TemporaryFolder,
    { ref, title, problem }: ViewRefResult,
  ): Promise<SolutionFile | undefined> {
    const view = viewUri(ref, `${title} (file)`);
    const now = problem === null ? await read(view) : ({ kind: 'problem', message: problem } as const);
    if (now.kind === 'problem') {
      void vscode.window.showWarningMessage(`Auditable QA: ${now.message}`);
      return undefined;
    }
    const file = pathOf(await own.newPlace(solutionFileName(title)));
    await writeFile(file, now.text, { mode: 0o600 });
    const known: SolutionFile = { path: file, view, record: now.record, text: now.text, asked: false };
    files.set(file, known);
    await note();
    return known;
  }

  /** Makes what the file says the record's. `seen`: a text of the record that may be overwritten. */
  async function writeBack(file: SolutionFile, content: string, seen?: string): Promise<void> {
    const text = withPlainLineEnds(content);
    if (text === file.text && seen === undefined) return;
    const name = path.basename(file.path);
    try {
      const result = await saver.save(file.view, text, file.record, () => seen ?? false);
      switch (result.kind) {
        case 'saved':
          file.text = text;
          file.record = result.record;
          file.asked = false;
          await note();
          vscode.window.setStatusBarMessage(`${name} is in ${nameOfRecordFile(file)}`, 4000);
          return await refresh(file);
        case 'problem':
          throw new Error(result.message);
        case 'conflict':
          void ask(file).catch(log);
      }
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      void vscode.window.showErrorMessage(`Auditable QA: ${name} did not get into its record. ${message}`);
    }
  }

  /** Both have changed: nothing is overwritten before the user has said so. */
  async function ask(file: SolutionFile): Promise<void> {
    if (file.asked) return;
    file.asked = true;
    const name = path.basename(file.path);
    const question = `Auditable QA: the solution in ${nameOfRecordFile(file)} was changed too, since ${name} was opened. Which one is to stay?`;
    const now = await read(file.view);
    let answer = await vscode.window.showWarningMessage(question, COMPARE, OVERWRITE, TAKE);
    while (answer === COMPARE) {
      await compare(file);
      answer = await vscode.window.showWarningMessage(question, OVERWRITE, TAKE);
    }
    file.asked = false;
    if (answer === OVERWRITE) {
      const seen = now.kind === 'text' ? now.record : undefined;
      await saver.inTurn(file.view, async () => writeBack(file, (await readText(file.path)) ?? file.text, seen));
    } else if (answer === TAKE) await saver.inTurn(file.view, () => take(file));
  }

  async function compare(file: SolutionFile): Promise<void> {
    const ref = refOf(file.view);
    if (ref === undefined) return;
    const name = path.basename(file.path);
    const theirs = viewUri(ref, path.basename(name, '.py'));
    const title = `${name}: ${nameOfRecordFile(file)} ↔ file`;
    await vscode.commands.executeCommand('vscode.diff', theirs, vscode.Uri.file(file.path), title);
  }

  /** The record's solution for the file's, as an edit that can be undone. */
  async function take(file: SolutionFile): Promise<void> {
    const now = await read(file.view);
    if (now.kind === 'problem') return gone(file, now.message);
    file.text = now.text;
    file.record = now.record;
    await note();
    const document = await vscode.workspace.openTextDocument(vscode.Uri.file(file.path));
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), now.text);
    if (await vscode.workspace.applyEdit(edit)) await document.save();
  }

  /** Brings the record's solution into the file, where that has no changes of its own. */
  async function refresh(file: SolutionFile): Promise<void> {
    const now = await read(file.view);
    if (now.kind === 'problem') return gone(file, now.message);
    const isChanged = openDocument(file.path)?.isDirty === true || (await readText(file.path)) !== file.text;
    if (now.text !== file.text) {
      if (isChanged) return;
      file.text = now.text;
      await writeFile(file.path, now.text);
    }
    file.record = now.record;
    await note();
  }

  function gone(file: SolutionFile, message: string): void {
    if (file.asked || !files.has(file.path)) return;
    file.asked = true;
    void vscode.window.showWarningMessage(`Auditable QA: ${path.basename(file.path)}: ${message}`);
  }

  /** No editor shows it any more. What did not get into the record stays on disk, and is asked about. */
  async function close(file: SolutionFile): Promise<void> {
    const now = await readText(file.path);
    if (isShown(file.path) || !files.has(file.path)) return;
    if (now !== undefined && now !== file.text) return void ask(file).catch(log);
    await release(file);
  }

  async function release(file: SolutionFile): Promise<void> {
    files.delete(file.path);
    server.notify(VIEW_FORGET, { uri: file.view.toString() } satisfies ViewReadParams);
    await folder?.remove(file.path);
    await note();
  }

  const touching = setInterval(() => folder?.touch().catch(log), TOUCH_MS);
  touching.unref();
  void restored.then(() => removeLeftovers(folder?.path, Date.now())).catch(log);

  context.subscriptions.push(
    { dispose: () => clearInterval(touching) },
    vscode.commands.registerCommand(COMMANDS.openSolutionFile, open),
    vscode.workspace.onDidSaveTextDocument((document) => {
      const file = files.get(document.uri.fsPath);
      if (file === undefined) return;
      const text = document.getText();
      saver.inTurn(file.view, () => writeBack(file, text)).catch(log);
    }),
    server.onNotification<ViewChangedParams>(VIEW_CHANGED, ({ uri }) => {
      for (const file of files.values()) {
        if (file.view.toString() === uri) saver.inTurn(file.view, () => refresh(file)).catch(log);
      }
    }),
    vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
      for (const tab of closed) {
        for (const shown of pathsOf(tab)) {
          const file = files.get(shown);
          if (file !== undefined) saver.inTurn(file.view, () => close(file)).catch(log);
        }
      }
    }),
  );
}

/** As VS Code names it: it writes drive letters in its own way. */
function pathOf(file: string): string {
  return vscode.Uri.file(file).fsPath;
}

function nameOfRecordFile({ view }: SolutionFile): string {
  const file = refOf(view)?.file;
  return file === undefined ? 'its file' : vscode.workspace.asRelativePath(vscode.Uri.parse(file, true));
}

function openDocument(file: string): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === 'file' && uri.fsPath === file);
}

function isShown(file: string): boolean {
  return vscode.window.tabGroups.all.some(({ tabs }) => tabs.some((tab) => pathsOf(tab).includes(file)));
}

function pathsOf({ input }: vscode.Tab): readonly string[] {
  if (input instanceof vscode.TabInputText) return [input.uri.fsPath];
  return input instanceof vscode.TabInputTextDiff ? [input.original.fsPath, input.modified.fsPath] : [];
}
