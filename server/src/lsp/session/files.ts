import type { StatusParams } from '../../../../schemas/protocol.ts';
import type { FileForm } from '../../core/text/types.ts';
import type { FileStamp } from '../../node/index/record-index.ts';
import type { Patch } from '../../node/index/update.ts';
import { describe } from '../guard.ts';
import type { Log } from '../guard.ts';
import { createSession } from './session.ts';
import type { Session, SessionHost } from './session.ts';
import { openLarge } from './large-file.ts';
import type { LargeFile, LargeFileHost } from './large-file.ts';
import { createTable } from './table.ts';

/** Sessions of record files that no editor has open: read from disk when something asks for one of their records. */
export interface Files {
  /** The session of an open file, else one from disk; undefined: there is no such file, or it cannot be read. */
  session(uri: string): Promise<Session | undefined>;
  /** The session that is there already. */
  known(uri: string): Session | undefined;
  /** The same without reading anything. */
  atHand(uri: string): Session | undefined;
  /** Why there is none, as a sentence. */
  problem(uri: string): string;
  /** An editor has opened the file, or it has gone from the disk. */
  drop(uri: string): void;
  /** The file may be another one on disk. false: it has no session here. */
  changed(uri: string): Promise<boolean>;
  /**
   * The product itself has made patches in a file, which was as `before` says and is as `stamp` says now: what is known of a large file
   * is brought in step without reading it again. false: it has no session here, or is no large file; `changed` does it then.
   */
  patched(uri: string, patches: readonly Patch[], before: FileStamp, stamp: FileStamp): Promise<boolean>;
  loaded(): Iterable<Session>;
  close(): void;
}

export interface FilesHost {
  readonly open: (uri: string) => Session | undefined;
  readonly pathOf: (uri: string) => string | undefined;
  readonly formOf: (path: string) => FileForm | undefined;
  /** The whole text of a file; a string that says why it cannot be read, to stand after the file's name. */
  readText(path: string): Promise<{ readonly text: string } | { readonly problem: string }>;
  /** Whether a file is too large to be read as a text. */
  isLarge(path: string): Promise<boolean>;
  readonly large: LargeFileHost;
  readonly host: SessionHost;
  /** The records or findings of a file that is not open have changed. */
  looked(uri: string): void;
  /** The same, with what is told of open files. */
  status(params: StatusParams): void;
  /** A file that is not open is not there any more. */
  gone(uri: string): void;
  readonly log: Log;
}

/** Files that are kept at the same time; the one that was asked for longest ago gives way. */
const KEPT = 8;

export function createFiles(given: FilesHost): Files {
  const { open, pathOf, formOf, readText, host, looked, status, gone } = given;
  const loaded = new Map<string, Promise<Session | undefined>>();
  const sessions = new Map<string, Session>();
  const problems = new Map<string, string>();
  /** Files that are read from the disk record by record; while they are opened, too. */
  const larges = new Map<string, LargeFile>();

  // Nobody looks at them as a whole: nothing is published, and nothing is run unasked.
  const silent: SessionHost = {
    ...host,
    publish: () => undefined,
    status(params) {
      looked(params.uri);
      status(params);
    },
    lensesChanged: () => undefined,
    mayRun: (automatic) => !automatic && host.mayRun(false),
  };

  async function load(uri: string): Promise<Session | undefined> {
    const path = pathOf(uri);
    const form = path === undefined ? undefined : formOf(path);
    if (path === undefined || form === undefined) {
      problems.set(uri, 'It is no record file.');
      return undefined;
    }
    if (await given.isLarge(path)) return loadLarge(uri, path, form);
    const read = await readText(path);
    if ('problem' in read) {
      problems.set(uri, `${path} ${read.problem}.`);
      return undefined;
    }
    problems.delete(uri);
    const session = createSession({ uri, path, form, table: createTable(read.text, 0, form) }, silent);
    await session.reload();
    return session;
  }

  async function loadLarge(uri: string, path: string, form: FileForm): Promise<Session | undefined> {
    const file = openLarge({ uri, path, form }, { ...given.large, changed: () => looked(uri) }, silent);
    larges.get(uri)?.close();
    larges.set(uri, file);
    const problem = await file.ready.catch((error: unknown) => {
      given.log(`Opening ${path} failed: ${describe(error)}`);
      return 'changed while it was read; try again';
    });
    if (problem !== undefined) {
      file.close();
      problems.set(uri, `${path} ${problem}.`);
      if (larges.get(uri) === file) larges.delete(uri);
      return undefined;
    }
    problems.delete(uri);
    return file.session();
  }

  function drop(uri: string): void {
    const session = sessions.get(uri);
    larges.get(uri)?.close();
    larges.delete(uri);
    loaded.delete(uri);
    sessions.delete(uri);
    session?.close();
  }

  /** Before it is settled, nothing is known of an open file, not even its profile. */
  async function opened(uri: string): Promise<Session | undefined> {
    const session = open(uri);
    await session?.settled();
    return session;
  }

  /** What cannot be read as a large file any more is let go: whoever asks finds what it is now. */
  async function catchUp(uri: string): Promise<void> {
    const large = larges.get(uri);
    if (large === undefined || (await large.follow()) || larges.get(uri) !== large) return;
    drop(uri);
    gone(uri);
  }

  async function ask(uri: string): Promise<Session | undefined> {
    const session = await opened(uri);
    if (session !== undefined) return session;
    // Clients that watch no files are told of no change.
    if (sessions.has(uri)) await catchUp(uri);
    sessions.get(uri)?.attend();
    let loading = loaded.get(uri);
    loaded.delete(uri);
    loading ??= load(uri).then(
      (found) => {
        // It may have been opened or dropped meanwhile.
        if (found === undefined || loaded.get(uri) !== loading) {
          if (loaded.get(uri) === loading) loaded.delete(uri);
          found?.close();
          return opened(uri);
        }
        sessions.set(uri, found);
        return found;
      },
      (error: unknown) => {
        // Whoever asks next may have more luck.
        if (loaded.get(uri) === loading) loaded.delete(uri);
        throw error;
      },
    );
    loaded.set(uri, loading);
    for (const oldest of loaded.keys()) {
      if (loaded.size <= KEPT) break;
      if (oldest !== uri) drop(oldest);
    }
    return loading;
  }

  return {
    session: ask,
    atHand: (uri) => open(uri) ?? sessions.get(uri),
    known: (uri) => open(uri) ?? sessions.get(uri),
    problem: (uri) => problems.get(uri) ?? 'No profile fits the file.',
    drop,
    async changed(uri) {
      // What is just being read may have been read before it was changed.
      if (!sessions.has(uri)) await loaded.get(uri)?.catch(() => undefined);
      const session = sessions.get(uri);
      const path = pathOf(uri);
      if (session === undefined || path === undefined) return false;
      if (larges.has(uri)) {
        await catchUp(uri);
        return true;
      }
      const read = await readText(path);
      if (sessions.get(uri) !== session) return true;
      if ('problem' in read) {
        drop(uri);
        gone(uri);
        return true;
      }
      if (read.text.replaceAll('\r\n', '\n') === session.text()) return true;
      session.change([{ text: read.text }], session.version + 1);
      await session.reload();
      looked(uri);
      return true;
    },
    patched: async (uri, patches, before, stamp) =>
      sessions.has(uri) && (await larges.get(uri)?.patched(patches, before, stamp)) === true,
    loaded: () => sessions.values(),
    close() {
      for (const uri of [...loaded.keys()]) drop(uri);
    },
  };
}
