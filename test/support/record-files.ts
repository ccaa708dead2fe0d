/**
 * Record files on disk and in an editor, and documents that show their records, as server and editor together have them: everything that
 * saving goes through but the connection. Nothing is run, no document is read.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { ViewKind, ViewReadResult, ViewSaveResult } from '../../schemas/views.ts';
import { VIEW_SCHEME } from '../../schemas/views.ts';
import { commonEnds } from '../../server/src/core/edit/difference.ts';
import type { TextEdit } from '../../server/src/core/edit/types.ts';
import type { FileForm } from '../../server/src/core/text/types.ts';
import { createFiles } from '../../server/src/lsp/session/files.ts';
import type { Files, FilesHost } from '../../server/src/lsp/session/files.ts';
import { createSession } from '../../server/src/lsp/session/session.ts';
import type { Session, SessionHost } from '../../server/src/lsp/session/session.ts';
import { createTable } from '../../server/src/lsp/session/table.ts';
import { createViews } from '../../server/src/lsp/views/views.ts';
import type { Views } from '../../server/src/lsp/views/views.ts';
import { readFileFaults } from '../../server/src/node/files/read.ts';
import { readText } from '../../server/src/node/files/read-text.ts';
import { rewriteFile } from '../../server/src/node/files/rewrite.ts';
import { NotWritten } from '../../server/src/node/files/write.ts';
import { quietHost } from './record-session.ts';

/** A document as its client has it. */
export interface ShownRecord {
  readonly uri: string;
  text: string;
  /** The record that the text was changed from. */
  base: string;
  readonly place?: string;
}

export interface RecordFiles {
  readonly files: Files;
  readonly views: Views;
  /** Addresses of documents whose record is another one, in order. */
  readonly told: string[];
  write(name: string, content: string | Uint8Array): string;
  onDisk(uri: string): string;
  /** Opens a file in the editor, as it is on disk. */
  open(uri: string): Promise<void>;
  /** The text of an open file, its lines ended by LF. */
  textOf(uri: string): string;
  /** Makes another text of an open file, by one edit. */
  type(uri: string, text: string): void;
  /** An open file is saved; `bytes`: as the disk has them then. */
  keep(uri: string, bytes?: string): void;
  isDirty(uri: string): boolean;
  isOpen(uri: string): boolean;
  close(uri: string): void;
  /** Another server takes over, which knows nothing of what was open but the open files. */
  restart(): Promise<void>;
  show(uri: string, index: number, kind: ViewKind): Promise<ShownRecord>;
  read(shown: ShownRecord): Promise<ViewReadResult>;
  /** Saves a document like the client does; `meanwhile` is called before edits are made in the open file. */
  save(shown: ShownRecord, meanwhile?: () => void): Promise<ViewSaveResult>;
  stop(): void;
}

interface Opened {
  session: Session;
  text: string;
  version: number;
  saved: string;
}

/** What files over 50 MB need, where there are none. */
export function noLargeFiles(host: SessionHost): FilesHost['large'] {
  return {
    runtime: {
      ...host.runtime,
      sizeOf: () => Promise.resolve(0),
      firstRecords: () => Promise.resolve([]),
      indexFile: () => Promise.resolve({ problem: 'is none of these' }),
    },
    cacheFolder: () => undefined,
    progress: () => ({ report: () => undefined, done: () => undefined }),
    isLarge: () => false,
  };
}

export function recordFiles(): RecordFiles {
  const folder = mkdtempSync(join(tmpdir(), 'auditable-qa-files-'));
  const opened = new Map<string, Opened>();
  const told: string[] = [];
  const formOf = (path: string): FileForm => (path.endsWith('.json') ? 'json' : 'lines');
  let { files, views } = start();

  function hostOf(status: Parameters<typeof quietHost>[0]): SessionHost {
    const host = quietHost(status);
    return { ...host, runtime: { ...host.runtime, fileFaults: readFileFaults } };
  }

  function start(): { files: Files; views: Views } {
    const host = hostOf(({ uri }) => made.views.fileLooked(uri));
    const made: { files: Files; views: Views } = {} as never;
    made.files = createFiles({
      open: (uri) => opened.get(uri)?.session,
      pathOf: (uri) => fileURLToPath(uri),
      formOf,
      readText,
      isLarge: () => Promise.resolve(false),
      large: noLargeFiles(host),
      host,
      looked: (uri) => made.views.fileLooked(uri),
      status: () => undefined,
      gone: (uri) => made.views.fileReplaced(uri),
      log: (line) => console.error(line),
    });
    made.views = createViews({
      files: made.files,
      isOpen: (uri) => opened.has(uri),
      host,
      changed: (uri) => void told.push(uri),
      async rewrite({ uri, path, form, text, checker }, row, edits) {
        const layout = { form, records: checker?.settings.profile.records };
        const editsOf = (index: number): readonly TextEdit[] => (index === row.index ? edits : []);
        try {
          await rewriteFile(path, { layout, text: text(), editsOf, repairs: [] });
          await made.files.changed(uri);
          return undefined;
        } catch (error) {
          if (error instanceof NotWritten) return error.message;
          throw error;
        }
      },
    });
    return made;
  }

  async function session(uri: string, text: string, version: number): Promise<Session> {
    const path = fileURLToPath(uri);
    const form = formOf(path);
    const host = hostOf(({ uri: looked }) => views.fileLooked(looked));
    const made = createSession({ uri, path, form, table: createTable(text, version, form) }, host);
    const known = opened.get(uri);
    if (known === undefined) opened.set(uri, { session: made, text, version, saved: text });
    else known.session = made;
    files.drop(uri);
    await made.reload();
    views.fileReplaced(uri);
    return made;
  }

  function onDisk(uri: string): string {
    return readFileSync(fileURLToPath(uri), 'utf8');
  }

  function type(uri: string, text: string): void {
    const file = opened.get(uri)!;
    const { head, tail } = commonEnds(file.text, text);
    const position = (offset: number): { line: number; character: number } => {
      const before = file.text.slice(0, offset).split('\n');
      return { line: before.length - 1, character: before.at(-1)!.length };
    };
    const range = { start: position(head), end: position(file.text.length - tail) };
    file.version++;
    file.session.change([{ range, text: text.slice(head, text.length - tail) }], file.version);
    file.text = text;
  }

  return {
    get files() {
      return files;
    },
    get views() {
      return views;
    },
    told,
    write(name, content) {
      const path = join(folder, name);
      writeFileSync(path, content);
      return pathToFileURL(path).href;
    },
    onDisk,
    async open(uri) {
      await session(
        uri,
        onDisk(uri)
          .replace(/^\ufeff/, '')
          .replaceAll('\r\n', '\n'),
        1,
      );
    },
    textOf: (uri) => opened.get(uri)!.text,
    type,
    keep(uri, bytes) {
      const file = opened.get(uri)!;
      const ends = onDisk(uri).includes('\r\n') ? '\r\n' : '\n';
      const mark = onDisk(uri).startsWith('\ufeff') ? '\ufeff' : '';
      const kept = mark + file.text.replaceAll('\n', ends);
      writeFileSync(fileURLToPath(uri), bytes ?? kept);
      file.saved = file.text;
    },
    isDirty: (uri) => opened.has(uri) && opened.get(uri)!.text !== opened.get(uri)!.saved,
    isOpen: (uri) => opened.has(uri),
    close(uri) {
      opened.get(uri)?.session.close();
      opened.delete(uri);
      views.fileReplaced(uri);
    },
    async restart() {
      files.close();
      for (const one of views.sessions()) one.close();
      ({ files, views } = start());
      for (const [uri, { text, version }] of opened) await session(uri, text, version);
    },
    async show(file, index, kind) {
      const found = await views.reference({ file, index, kind });
      if (found === null || found.problem !== null) throw new Error(found?.problem ?? 'There is no such record.');
      const uri = `${VIEW_SCHEME}:/${encodeURIComponent(found.title)}.${kind}?${encodeURIComponent(JSON.stringify(found.ref))}`;
      const read = await views.read({ uri });
      if (read.kind === 'problem') throw new Error(read.message);
      const { text, record: base, place } = read;
      return { uri, text, base, ...(place !== undefined && { place }) };
    },
    read: ({ uri, base }) => views.read({ uri, record: base }),
    async save({ uri, text, base, place }, meanwhile) {
      for (;;) {
        const { file } = JSON.parse(decodeURIComponent(uri.slice(uri.indexOf('?') + 1))) as { file: string };
        const open = opened.get(file);
        const dirty = open !== undefined && open.text !== open.saved;
        const params = { uri, text, base, dirty, ...(place !== undefined && { place }) };
        const result = await views.save(params);
        if (result.kind !== 'edits') return result;
        meanwhile?.();
        if (open === undefined || open.version !== result.version) continue;
        type(file, withEdits(open.text, result.edits));
        return result;
      }
    },
    stop() {
      for (const { session: one } of opened.values()) one.close();
      for (const one of views.sessions()) one.close();
      files.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Edits of one text, in order of place, as an editor makes them. */
function withEdits(text: string, edits: Extract<ViewSaveResult, { kind: 'edits' }>['edits']): string {
  const lines = text.split('\n');
  const offset = ({ line, character }: { readonly line: number; readonly character: number }): number =>
    lines.slice(0, line).reduce((sum, { length }) => sum + length + 1, 0) + character;
  let changed = text;
  for (const { range, newText } of [...edits].reverse()) {
    changed = changed.slice(0, offset(range.start)) + newText + changed.slice(offset(range.end));
  }
  return changed;
}
