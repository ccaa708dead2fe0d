/**
 * The documents of records as files that VS Code opens, keeps and saves like any other: the server says what they hold, and makes what
 * is saved in the record file. VS Code's own question for a file that changed on disk is asked only where both changed the same values.
 */
import * as vscode from 'vscode';
import type { ViewChangedParams, ViewReadParams, ViewReadResult, ViewSaveParams } from '../../../schemas/views.ts';
import { VIEW_CHANGED, VIEW_FORGET, VIEW_READ, VIEW_SCHEME } from '../../../schemas/views.ts';
import type { Server } from '../server.ts';
import { createBases } from './bases.ts';
import type { Base } from './bases.ts';
import { NO_ANSWER } from './saving.ts';
import type { Saver } from './saving.ts';

/** What a document held when it was read or saved. */
interface Held extends Base {
  readonly text: string;
}

const FORGET_MS = 1000;
/** Makes VS Code read a file as UTF-8, and write it so, whatever the settings say. It is not part of the text, and stripped on decoding. */
const BYTE_ORDER_MARK = '\ufeff';

export function registerViewFiles(context: vscode.ExtensionContext, server: Server, saver: Saver): void {
  const changes = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  /** By address, as the record in the file was last. */
  const reads = new Map<string, Held>();
  /** By address, what the open document shows or was changed from. */
  const shown = new Map<string, Held>();
  /** By address, the record of which VS Code was told that it does not go together with the document. */
  const asked = new Map<string, string>();
  const bases = createBases(context.storageUri, (message) => server.output.warn(message));

  /** The document as the record is now. Time and size stay the same while the record does. */
  async function read(uri: vscode.Uri): Promise<Held> {
    const key = uri.toString();
    const before = reads.get(key) ?? (await bases.get(uri));
    const known = shown.get(key) ?? before;
    const params: ViewReadParams = { uri: key, ...(known !== undefined && { record: known.record }) };
    const result: ViewReadResult = (await server.request<ViewReadResult>(VIEW_READ, params)) ?? NO_ANSWER;
    if (result.kind === 'problem') {
      throw result === NO_ANSWER
        ? vscode.FileSystemError.Unavailable(result.message)
        : vscode.FileSystemError.FileNotFound(result.message);
    }
    const { text, record, place } = result;
    // It may have been read by another one meanwhile.
    const last = reads.get(key) ?? before;
    const now: Held =
      last?.record === record && last.place === place
        ? { ...last, text }
        : {
            text,
            record,
            place,
            mtime: Math.max(Date.now(), (last?.mtime ?? 0) + 1),
            // VS Code takes a file for unchanged, whatever its time, that has the size of any time before.
            size: last === undefined ? new TextEncoder().encode(text).length : last.size + 1,
          };
    reads.set(key, now);
    return now;
  }

  function openDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
    const key = uri.toString();
    return vscode.workspace.textDocuments.find((document) => document.uri.toString() === key);
  }

  async function baseOf(uri: vscode.Uri): Promise<Base | undefined> {
    return shown.get(uri.toString()) ?? (await bases.get(uri));
  }

  async function write(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const text = new TextDecoder().decode(content);
    const base = await baseOf(uri);
    // What VS Code writes after it was told of the conflict is what the user chose.
    const overwrites = async (): Promise<string | false> => {
      const { record } = await read(uri);
      return asked.get(uri.toString()) === record && record;
    };
    const result = await saver.save(uri, text, base?.record ?? null, overwrites, placeIn(base));
    switch (result.kind) {
      case 'saved':
        return saved(uri, text, result.record);
      case 'problem':
        throw vscode.FileSystemError.Unavailable(result.message);
      case 'conflict': {
        const names = result.names.join(', ');
        throw vscode.FileSystemError.Unavailable(
          `In the file, other changes were made to ${names}: save again to choose.`,
        );
      }
    }
  }

  /** What was saved is what the document is changed from next. `said`: the record as the document says it. */
  async function saved(uri: vscode.Uri, text: string, said: string): Promise<void> {
    const key = uri.toString();
    asked.delete(key);
    const now = await read(uri);
    const base = { ...now, text, record: said };
    shown.set(key, base);
    // It counts as changed until VS Code says otherwise, and may have been typed in meanwhile.
    bases.set(uri, base);
  }

  /** VS Code takes what it saved for what the file holds; where that is more by now, a later time makes it read again. */
  async function showMerged(document: vscode.TextDocument): Promise<void> {
    const { uri } = document;
    const now = await read(uri);
    if (document.isDirty || now.text === document.getText()) return;
    reads.set(uri.toString(), { ...now, mtime: now.mtime + 1, size: now.size + 1 });
    changes.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }

  /**
   * Where the document has changes that go together with the file's, there is nothing to ask: the file counts as older than whatever
   * VS Code has read.
   */
  async function stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const key = uri.toString();
    const now = await read(uri);
    const plain = { type: vscode.FileType.File, ctime: 0, mtime: now.mtime, size: now.size };
    const document = openDocument(uri);
    if (document?.isDirty !== true) return plain;
    const base = await baseOf(uri);
    const older = { ...plain, mtime: 0 };
    if (base?.record === now.record) return older;
    const { kind } = await saver.ask(uri, document.getText(), base?.record ?? null, {
      ...placeIn(base),
      dryRun: true,
    });
    if (base !== undefined && kind !== 'conflict') return older;
    asked.set(key, now.record);
    return base === undefined ? { ...plain, size: now.size + 1 + (Date.now() % 65_536) } : plain;
  }

  function keepBase(document: vscode.TextDocument): void {
    const { uri } = document;
    if (uri.scheme !== VIEW_SCHEME) return;
    const key = uri.toString();
    if (document.isDirty) {
      const base = shown.get(key);
      if (base !== undefined) bases.set(uri, base);
      return;
    }
    const last = reads.get(key);
    if (last?.text === document.getText()) shown.set(key, last);
    bases.delete(uri);
  }

  function forget(uri: vscode.Uri): void {
    const key = uri.toString();
    for (const kept of [shown, reads, asked]) kept.delete(key);
    bases.delete(uri);
    server.notify(VIEW_FORGET, { uri: key } satisfies ViewReadParams);
  }

  const files: vscode.FileSystemProvider = {
    onDidChangeFile: changes.event,
    watch: () => new vscode.Disposable(() => undefined),
    stat,
    async readFile(uri) {
      const { text } = await read(uri);
      return new TextEncoder().encode(isTakenForUtf8(uri) ? text : BYTE_ORDER_MARK + text);
    },
    writeFile: (uri, content) => saver.inTurn(uri, () => write(uri, content)),
    readDirectory: () => [],
    createDirectory: (uri) => {
      throw vscode.FileSystemError.NoPermissions(uri);
    },
    delete: (uri) => {
      throw vscode.FileSystemError.NoPermissions(uri);
    },
    rename: (uri) => {
      throw vscode.FileSystemError.NoPermissions(uri);
    },
  };

  /** What is open already when the extension starts, or starts again, is known as it is in the file, unless it has changes. */
  async function takeUp(document: vscode.TextDocument): Promise<void> {
    await read(document.uri);
    if (!document.isDirty && !shown.has(document.uri.toString())) keepBase(document);
  }
  for (const document of vscode.workspace.textDocuments) {
    if (document.uri.scheme === VIEW_SCHEME && !document.isDirty) takeUp(document).catch(() => undefined);
  }

  context.subscriptions.push(
    changes,
    vscode.workspace.registerFileSystemProvider(VIEW_SCHEME, files, { isCaseSensitive: true }),
    server.onNotification<ViewChangedParams>(VIEW_CHANGED, ({ uri }) => {
      changes.fire([{ type: vscode.FileChangeType.Changed, uri: vscode.Uri.parse(uri, true) }]);
    }),
    vscode.workspace.onDidOpenTextDocument(keepBase),
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0 || !document.isDirty) keepBase(document);
    }),
    vscode.workspace.onDidSaveTextDocument((document) => {
      if (document.uri.scheme !== VIEW_SCHEME) return;
      showMerged(document).catch((error: unknown) => server.output.warn(String(error)));
    }),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => {
      // Where only its language is another one, it is opened again at once.
      if (uri.scheme === VIEW_SCHEME) setTimeout(() => openDocument(uri) ?? forget(uri), FORGET_MS);
    }),
  );
}

function isTakenForUtf8(uri: vscode.Uri): boolean {
  const files = vscode.workspace.getConfiguration('files', uri);
  return files.get('encoding', 'utf8') === 'utf8' && !files.get('autoGuessEncoding', false);
}

function placeIn(base: Base | undefined): Pick<ViewSaveParams, 'place'> {
  return base?.place === undefined ? {} : { place: base.place };
}
