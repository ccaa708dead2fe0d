/** The record files of the workspace: found by a walk, recognised by their first records, counted where they have been read. */
import { basename, relative, sep } from 'node:path';
import { URI } from 'vscode-uri';
import type { RecordFile, RecordFilesResult } from '../../../../schemas/records.ts';
import type { FileForm } from '../../core/text/types.ts';
import { describe } from '../guard.ts';
import type { Log } from '../guard.ts';
import type { RecordTable } from './record-list.ts';
import type { ServerRuntime } from '../runtime.ts';
import type { Session } from '../session/session.ts';

export interface RecordFiles {
  files(): RecordFilesResult;
  /** A file was made, changed or removed. */
  changed(path: string): void;
  /** A file's counts may be others, or an editor has opened or closed it. */
  looked(): void;
  /** Other folders, or other profiles may fit. */
  reset(): void;
}

export interface RecordFilesHost {
  /** Absolute paths. */
  folders(): readonly string[];
  open(): Iterable<Session>;
  /** Read for somebody, and not open. */
  loaded(): Iterable<Session>;
  tableOf(session: Session): RecordTable;
  readonly runtime: Pick<ServerRuntime, 'recordFiles' | 'firstRecords' | 'settingsOf'>;
  formOf(path: string): FileForm | undefined;
  told(): void;
  readonly log: Log;
}

/** What the first records of a file tell. */
type Recognised = Pick<RecordFile, 'profile' | 'solutions'>;

const MOST_FILES = 1000;
const SAMPLES = 20;
const TOLD_MS = 400;

export function createRecordFiles(host: RecordFilesHost): RecordFiles {
  const { folders, runtime, log } = host;
  /** By path; null: no profile fits. */
  const known = new Map<string, Recognised | null>();
  let found: readonly string[] = [];
  let looking: Promise<void> | undefined;
  let stale = true;
  let asked = false;
  let timer: NodeJS.Timeout | undefined;

  function tell(): void {
    if (!asked) return;
    timer ??= setTimeout(() => {
      timer = undefined;
      host.told();
    }, TOLD_MS);
  }

  function look(): void {
    if (looking !== undefined || !stale) return;
    stale = false;
    looking = lookRound()
      .catch((error: unknown) => log(`The workspace could not be searched for record files: ${describe(error)}`))
      .finally(() => {
        looking = undefined;
        tell();
        look();
      });
  }

  async function lookRound(): Promise<void> {
    const paths: string[] = [];
    for (const folder of folders()) {
      paths.push(...(await runtime.recordFiles(folder, (count) => stale || paths.length + count >= MOST_FILES)));
    }
    found = [...new Set(paths)].slice(0, MOST_FILES);
    for (const path of found) {
      if (stale) return;
      if (known.has(path)) continue;
      known.set(path, await recognise(path));
      tell();
    }
  }

  async function recognise(path: string): Promise<Recognised | null> {
    if (host.formOf(path) === undefined) return null;
    try {
      const settings = await runtime.settingsOf(path, await runtime.firstRecords(path, SAMPLES), {});
      if (!('profile' in settings)) return null;
      const { title, fields } = settings.profile;
      return { profile: title, solutions: fields.solution !== undefined };
    } catch (error) {
      log(`${path} was not looked into: ${describe(error)}`);
      return null;
    }
  }

  function nameOf(path: string): string {
    const all = folders();
    const folder = all.find((one) => path.startsWith(one.endsWith(sep) ? one : one + sep));
    if (folder === undefined) return basename(path);
    const name = relative(folder, path).split(sep).join('/');
    return all.length > 1 ? `${basename(folder)}/${name}` : name;
  }

  function fileOf(session: Session, open: boolean): RecordFile[] {
    const { uri, path, checker } = session;
    if (checker === undefined) return [];
    const { summaries, counts } = host.tableOf(session);
    const { title, fields } = checker.settings.profile;
    const isRead = summaries.every(({ checked }) => checked);
    const solutions = isRead ? summaries.some(({ solution }) => solution !== null) : fields.solution !== undefined;
    return [{ uri, name: nameOf(path), open, profile: title, records: summaries.length, counts, solutions }];
  }

  return {
    files() {
      asked = true;
      look();
      const open = [...host.open()];
      const loaded = [...host.loaded()];
      const read = [...open.flatMap((one) => fileOf(one, true)), ...loaded.flatMap((one) => fileOf(one, false))];
      const paths = new Set([...open, ...loaded].map(({ path }) => path));
      const unread = found.flatMap((path): RecordFile[] => {
        const recognised = known.get(path) ?? null;
        if (recognised === null || paths.has(path)) return [];
        const uri = URI.file(path).toString();
        return [{ uri, name: nameOf(path), open: false, ...recognised, records: null, counts: null }];
      });
      const files = [...read, ...unread].sort(
        (a, b) => Number(b.open) - Number(a.open) || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0),
      );
      return { files, looking: looking !== undefined };
    },
    changed(path) {
      known.delete(path);
      stale = true;
      if (asked) look();
    },
    looked: tell,
    reset() {
      known.clear();
      stale = true;
      if (asked) look();
    },
  };
}
