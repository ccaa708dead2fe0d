/**
 * Saving what shows one record into its file: the server says which edits that takes, or writes the file itself where no editor
 * has it open. Documents of records and files of their own go the same way.
 */
import { stat, utimes } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { ViewSaveParams, ViewSaveResult } from '../../../schemas/views.ts';
import { VIEW_SAVE } from '../../../schemas/views.ts';
import { replaceIn } from '../edits.ts';
import type { Server } from '../server.ts';
import { refOf } from './address.ts';

export type SaveOutcome =
  /** `record`: the record's text as the document says it, the base of what is changed next. */
  { readonly kind: 'saved'; readonly record: string } | Extract<ViewSaveResult, { kind: 'conflict' | 'problem' }>;

export interface Saver {
  /** Address of a record file into which something was saved, by an editor or on disk. */
  readonly onDidSave: vscode.Event<string>;
  /** What saving would do, or (without `dryRun`) what is to be done for it. `base`: the record's text that `text` was changed from. */
  ask(uri: vscode.Uri, text: string, base: string | null, more: Partial<ViewSaveParams>): Promise<ViewSaveResult>;
  /**
   * Makes it so. `overwrites`: asked on a conflict, which text of the record gives way: one that the user has seen, and nothing that
   * came since.
   * @throws where the record file cannot be saved
   */
  save(
    uri: vscode.Uri,
    text: string,
    base: string | null,
    overwrites: () => string | false | Promise<string | false>,
    more?: Pick<ViewSaveParams, 'place'>,
  ): Promise<SaveOutcome>;
  /** What shows records of one file is saved one after the other: each finds the file as the one before left it. */
  inTurn(uri: vscode.Uri, work: () => Promise<void>): Promise<void>;
}

export const NO_ANSWER = { kind: 'problem', message: 'The language server does not answer.' } as const;

/** An edit is asked for anew when the file was typed in meanwhile. */
const TRIES = 5;
/** How long VS Code is waited for to take up what changed on disk. */
const RELOAD_MS = 3000;

export function createSaver(server: Server): Saver {
  /** By record file, the end of the last save. */
  const turns = new Map<string, Promise<void>>();
  const didSave = new vscode.EventEmitter<string>();

  async function ask(
    uri: vscode.Uri,
    text: string,
    base: string | null,
    more: Partial<ViewSaveParams>,
  ): Promise<ViewSaveResult> {
    const file = refOf(uri)?.file;
    const dirty = vscode.workspace.textDocuments.some((open) => open.isDirty && open.uri.toString() === file);
    const params: ViewSaveParams = { uri: uri.toString(), text, base, dirty, ...more };
    return (await server.request<ViewSaveResult>(VIEW_SAVE, params)) ?? NO_ANSWER;
  }

  return {
    onDidSave: didSave.event,
    ask,
    async save(uri, text, base, overwrites, more = {}) {
      for (let tries = 0; tries < TRIES; tries++) {
        let result = await ask(uri, text, base, more);
        if (result.kind === 'conflict') {
          const seen = await overwrites();
          if (seen === false) return result;
          result = await ask(uri, text, seen, more);
        }
        if (result.kind === 'problem' || result.kind === 'conflict') return result;
        if (result.kind === 'written') await reloaded(refOf(uri)?.file);
        if (result.kind !== 'edits' || (await applyToFile(result))) {
          didSave.fire(refOf(uri)?.file ?? '');
          return { kind: 'saved', record: result.record };
        }
      }
      return { kind: 'problem', message: `${await whyNot(refOf(uri)?.file)}: save again.` };
    },
    inTurn(uri, work) {
      const file = refOf(uri)?.file ?? '';
      const done = (turns.get(file) ?? Promise.resolve()).then(work, work);
      turns.set(file, done);
      const end = (): void => {
        if (turns.get(file) === done) turns.delete(file);
      };
      done.then(end, end);
      return done;
    },
  };
}

/** Makes the edits in the open file, and saves it where it had no other changes. false: it was typed in meanwhile. */
export async function applyToFile({
  file,
  version,
  edits,
}: Pick<Extract<ViewSaveResult, { kind: 'edits' }>, 'file' | 'version' | 'edits'>): Promise<boolean> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(file, true));
  if (document.version !== version) return false;
  const wasDirty = document.isDirty;
  if (!wasDirty && !(await isOnDisk(document))) {
    await takenUp(document);
    return false;
  }
  // It may have been typed in while the disk was looked at.
  if (document.version !== version) return false;
  if (!(await replaceIn(document, edits))) return false;
  if (wasDirty) {
    const name = vscode.workspace.asRelativePath(document.uri);
    vscode.window.setStatusBarMessage(`Put into ${name}, which has other changes that are not saved`, 8000);
  } else if (!(await document.save())) {
    throw vscode.FileSystemError.Unavailable(`${document.uri.fsPath} could not be saved; it has the change.`);
  }
  return true;
}

/** Whether the file on disk is what its document shows: VS Code hears of changes a little later. */
async function isOnDisk(document: vscode.TextDocument): Promise<boolean> {
  const bytes = await vscode.workspace.fs.readFile(document.uri);
  const plain = (text: string): string => text.replace(/\r\n?/g, '\n');
  return plain(new TextDecoder().decode(bytes)) === plain(document.getText());
}

/** Settled when an editor that shows a file has what was written on disk. */
async function reloaded(file: string | undefined): Promise<void> {
  const document = openDocument(file);
  if (document?.isDirty === false && !(await isOnDisk(document))) await takenUp(document);
}

function openDocument(file: string | undefined): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === file);
}

/** Why an edit never fitted, without a full stop. */
async function whyNot(file: string | undefined): Promise<string> {
  const document = openDocument(file);
  return document?.isDirty === false && !(await isOnDisk(document))
    ? `VS Code does not show yet what ${vscode.workspace.asRelativePath(document.uri)} holds on disk`
    : 'The file is being changed all the time';
}

/**
 * Settled when a document has taken up what its file holds, or after a while. What was written before VS Code watched the file, as
 * right after a reload of the window, it learns by being made to look.
 */
async function takenUp(document: vscode.TextDocument): Promise<void> {
  const taken = changed(document);
  await touch(document.uri);
  await taken;
}

/** Whoever watches the file is told of it; its times stay as they are, to the millisecond. */
async function touch({ scheme, fsPath }: vscode.Uri): Promise<void> {
  if (scheme !== 'file') return;
  try {
    const { atime, mtime } = await stat(fsPath);
    await utimes(fsPath, atime, mtime);
  } catch {
    // It is not ours to touch, or has gone: what VS Code hears by itself is waited for.
  }
}

/** Settled when a document has changed, or after a while. */
function changed(document: vscode.TextDocument): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      listener.dispose();
      resolve();
    };
    const timer = setTimeout(done, RELOAD_MS);
    const listener = vscode.workspace.onDidChangeTextDocument((event) => {
      if (event.document === document) done();
    });
  });
}
