/**
 * The one way in which the server changes record files: edits of records and whole new versions, written to the disk and kept in a
 * journal, so that they can be undone (schemas/disk.ts). Who shows the file is told.
 */
import type { DiskHistory, DiskUndoResult } from '../../../../schemas/disk.ts';
import type { TextEdit } from '../../core/edit/types.ts';
import { baseName } from '../../core/profile/paths.ts';
import type { Deed, DiskFiles, Written } from '../../node/disk/disk-files.ts';
import type { BytePatch } from '../../node/disk/patches.ts';
import { NotWritten } from '../../node/files/write.ts';
import type { FileState } from '../../node/files/write.ts';
import { patchesOfRows } from './large-edits.ts';
import type { Changes } from '../features/code-actions.ts';
import type { Row } from '../session/rows.ts';
import type { Session } from '../session/session.ts';

/** Each gives what kept the file from being written, to stand after its name; undefined: it is written and all are told. */
export interface DiskWriter {
  /** Makes changes that were found in a session's records. */
  edit(session: Session, changes: Changes, title: string): Promise<string | undefined>;
  /** Makes patches of bytes in a file that is still as `expected`. */
  patch(uri: string, patches: readonly BytePatch[], expected: FileState, title: string): Promise<string | undefined>;
  /**
   * Puts other bytes in the place of a file that is still as `expected` (`stateOf` in node/files/write.ts); they are asked for when it
   * is the file's turn, and it stays as it is where they end in an error.
   */
  replaceWhole(
    uri: string,
    pieces: AsyncIterable<Uint8Array>,
    expected: FileState,
    title: string,
  ): Promise<string | undefined>;
  /** Takes the last change of a file back, or makes it again. `only`: its title, if no other one is meant. */
  step(uri: string, redo: boolean, only?: string): Promise<DiskUndoResult>;
  history(uri: string): Promise<DiskHistory>;
  /** A file may be another one on disk: what can be undone in it may be something else. */
  looked(uri: string): void;
}

export interface DiskWriterHost {
  disk(): DiskFiles;
  pathOf(uri: string): string | undefined;
  /** The session of a file that an editor has open. */
  open(uri: string): Session | undefined;
  /** A file was written, or found otherwise than it was read (then it is not said how): whoever shows it looks again. */
  written(uri: string, how?: Written): Promise<void>;
  changed(uri: string, history: DiskHistory): void;
  log(message: string): void;
}

const NOTHING: DiskHistory = { undo: null, redo: null };
const NO_FILE = 'is no file on a disk';

export function createDiskWriter(host: DiskWriterHost): DiskWriter {
  /** What clients were told last, of the files that something was told about. */
  const told = new Map<string, string>();

  async function historyOf(uri: string): Promise<DiskHistory> {
    const file = host.pathOf(uri);
    return file === undefined ? NOTHING : host.disk().history(file);
  }

  async function tell(uri: string): Promise<DiskHistory> {
    const history = await historyOf(uri);
    told.set(uri, JSON.stringify(history));
    host.changed(uri, history);
    return history;
  }

  async function write(
    uri: string,
    work: (file: string, disk: DiskFiles) => Promise<Written | undefined>,
  ): Promise<string | undefined> {
    const file = host.pathOf(uri);
    if (file === undefined) return NO_FILE;
    let how: Written | undefined;
    try {
      how = await work(file, host.disk());
    } catch (error) {
      if (!(error instanceof NotWritten)) throw error;
      // It may be another one than was read; the next change is to be made in what it is now.
      await host.written(uri);
      return error.message;
    }
    await host.written(uri, how);
    await tell(uri);
    return undefined;
  }

  return {
    edit(session, { rows, repairs }, title) {
      const byIndex = new Map([...rows].map(([row, edits]) => [row.index, { row, edits }]));
      const [only] = repairs.length === 0 && byIndex.size === 1 ? byIndex.keys() : [];
      const deed: Deed = { title, record: only ?? null };
      // What an editor shows, or what is repaired by its lines, is to be on disk as a whole; else the records that are edited are.
      const { large } = session;
      const isWhole = large === undefined && (host.open(session.uri) !== undefined || repairs.length > 0);
      const rewriting = {
        layout: { form: session.form, records: session.checker?.settings.profile.records },
        ...(isWhole && { text: session.text() }),
        editsOf: (index: number): readonly TextEdit[] => byIndex.get(index)?.edits ?? [],
        recordOf: (index: number): string | undefined => textOf(byIndex.get(index)?.row),
        repairs,
      };
      const quick = large && repairs.length === 0 ? () => patchesOfRows(large, rows) : undefined;
      return write(session.uri, (file, disk) => disk.edit(file, rewriting, deed, quick));
    },
    patch: (uri, patches, expected, title) =>
      write(uri, (file, disk) => disk.patch(file, patches, expected, { title, record: null })),
    replaceWhole: (uri, pieces, expected, title) =>
      write(uri, (file, disk) => disk.replaceWhole(file, pieces, expected, { title, record: null })),
    async step(uri, redo, only) {
      let done: Deed | undefined;
      const problem = await write(uri, async (file, disk) => {
        const open = host.open(uri);
        const text = open?.large === undefined ? open?.text() : undefined;
        const stepped = await disk.step(file, redo, { text, only });
        done = { title: stepped.title, record: stepped.record };
        return stepped;
      });
      const history = await historyOf(uri);
      if (done !== undefined && problem === undefined) return { kind: 'done', ...done, ...history };
      const message = `${baseName(host.pathOf(uri) ?? uri)} ${problem ?? NO_FILE}: nothing was changed.`;
      return { kind: 'problem', message, ...history };
    },
    async history(uri) {
      const history = await historyOf(uri);
      // From now on the client is told when it is another one.
      told.set(uri, JSON.stringify(history));
      return history;
    },
    looked(uri) {
      const before = told.get(uri);
      if (before === undefined) return;
      const look = async (): Promise<void> => {
        const history = await historyOf(uri);
        if (JSON.stringify(history) === told.get(uri)) return;
        told.set(uri, JSON.stringify(history));
        host.changed(uri, history);
      };
      look().catch((error: unknown) => host.log(`What can be undone in ${uri} is not known: ${String(error)}`));
    },
  };
}

/** undefined: there is none, or its text is not to be had from the disk any more. */
function textOf(row: Row | undefined): string | undefined {
  try {
    return row?.text;
  } catch {
    return undefined;
  }
}
