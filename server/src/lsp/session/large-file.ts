/** A file that is not taken into memory: its index is made, its session opened, and both follow the file on disk. */
import path from 'node:path';
import type { FileForm } from '../../core/text/types.ts';
import { describe } from '../guard.ts';
import { createCancel } from '../cancel.ts';
import type { Progress } from '../progress.ts';
import type { ServerRuntime } from '../runtime.ts';
import type { Indexed } from '../../node/index/indexer.ts';
import { isSameStamp } from '../../node/index/record-index.ts';
import type { FileStamp } from '../../node/index/record-index.ts';
import type { Patch } from '../../node/index/update.ts';
import { createLargeTable } from './large-table.ts';
import type { LargeTable } from './large-table.ts';
import { createSession } from './session.ts';
import type { Session, SessionHost } from './session.ts';

export interface LargeFile {
  /** Settled when there is a session, or with what kept it from being opened, to stand after the file's name. */
  readonly ready: Promise<string | undefined>;
  session(): Session | undefined;
  /** Brings index and session in step with the file on disk. false: it cannot be read as a large file any more. */
  follow(): Promise<boolean>;
  /**
   * The product has made these patches in the file, which is now as `stamp` says and was before as `before` says: index and session are
   * brought in step, where that can be without reading the file again; else as `follow` does.
   */
  patched(patches: readonly Patch[], before: FileStamp, stamp: FileStamp): Promise<boolean>;
  close(): void;
}

export interface LargeFileHost {
  readonly runtime: Pick<ServerRuntime, 'indexFile' | 'sizeOf' | 'firstRecords' | 'settingsOf'>;
  /** Where indexes are kept; undefined: nowhere. */
  cacheFolder(): string | undefined;
  progress(title: string): Progress;
  /** `size`: in bytes. */
  isLarge(size: number): boolean;
}

export interface LargeSubject {
  readonly uri: string;
  readonly path: string;
  readonly form: FileForm;
}

/** So many records tell the profile, and with it whether records lie inside of others. */
const SAMPLES = 1000;

export function openLarge(
  { uri, path: file, form }: LargeSubject,
  { runtime, cacheFolder, progress, isLarge, changed }: LargeFileHost & { changed(): void },
  host: SessionHost,
): LargeFile {
  const cancel = createCancel();
  const name = path.basename(file);
  let table: LargeTable | undefined;
  let session: Session | undefined;
  let following: Promise<boolean> | undefined;
  /** The index was made in this process and of the file as it is: another one would say the same. */
  let isSure = false;
  let checking: Progress | undefined;

  async function index(records: string | undefined, anew: boolean): Promise<Indexed> {
    const size = (await runtime.sizeOf(file)) ?? 0;
    const shown = progress(`Reading ${name}`);
    const folder = cacheFolder();
    const asked = { file, form, records, anew, cancel, told: (bytes: number) => shown.report(bytes / size) };
    try {
      return await runtime.indexFile(folder === undefined ? asked : { ...asked, cacheFolder: folder });
    } finally {
      shown.done();
    }
  }

  const ownHost: SessionHost = {
    ...host,
    progress(share) {
      if (share === undefined) checking?.done();
      else (checking ??= progress(`Checking ${name}`)).report(share);
      if (share === undefined) checking = undefined;
    },
  };

  async function open(): Promise<string | undefined> {
    const settings = await runtime.settingsOf(file, await runtime.firstRecords(file, SAMPLES), host.overrides());
    const indexed = await index('profile' in settings ? settings.profile.records : undefined, false);
    if ('problem' in indexed) return indexed.problem;
    if (cancel.aborted) {
      indexed.file.close();
      return 'is not read any more';
    }
    isSure = !indexed.isFromCache;
    table = createLargeTable(indexed.file, 0, { stale: () => void follow(true) });
    session = createSession({ uri, path: file, form, table }, ownHost);
    await session.reload();
    return undefined;
  }

  /** One after the other; what changes meanwhile is seen by whoever asks next. */
  function follow(isDoubted = false): Promise<boolean> {
    if (following !== undefined && isDoubted) return following.then(() => follow(true));
    following ??= catchUp(isDoubted)
      .catch((error: unknown) => {
        host.log(`Reading ${file} again failed: ${describe(error)}`);
        return false;
      })
      .finally(() => (following = undefined));
    return following;
  }

  /** `isDoubted`: a record was found otherwise than the index has it, or lies elsewhere under other settings. */
  async function catchUp(isDoubted: boolean): Promise<boolean> {
    if (table === undefined || session === undefined || cancel.aborted) return false;
    const { large } = table;
    const isSame = large.file.isCurrent();
    const isNested = large.wanted === large.file.index.records;
    if (isSame && isNested && (isSure || !isDoubted)) return true;
    const size = await runtime.sizeOf(file);
    if (size === undefined || !isLarge(size)) return false;
    const indexed = await index(large.wanted, isSame && isNested);
    if ('problem' in indexed) {
      host.log(`${file} ${indexed.problem}.`);
      return false;
    }
    indexed.file.close();
    if (cancel.aborted) return false;
    isSure = !indexed.isFromCache;
    large.adopt(indexed.file.index);
    session.change([], session.version + 1);
    await session.reload();
    changed();
    return true;
  }

  async function patched(patches: readonly Patch[], before: FileStamp, stamp: FileStamp): Promise<boolean> {
    await following;
    if (table === undefined || session === undefined || cancel.aborted) return false;
    const { large } = table;
    const isKnown = isSameStamp(large.file.index.stamp, before) && isLarge(stamp.size);
    const updated = isKnown ? large.file.updated(patches, stamp) : undefined;
    if (updated === undefined) return follow();
    large.adopt(updated.index, updated.changed);
    session.change([], session.version + 1);
    changed();
    return true;
  }

  return {
    ready: open(),
    patched,
    session: () => session,
    follow: () => follow(),
    close() {
      cancel.abort();
      checking?.done();
      session?.close();
      table?.large.file.close();
    },
  };
}
