/**
 * Rules across the files of one `datasets` entry, for open files: the files before them are read in the background, open
 * ones from the editor and others from disk, and what the rules keep of them (hashes) is handed to the sessions. Nothing
 * is read while somebody types, and no piece of work takes longer than a few ms.
 */
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { createDigest, joinDigests } from '../../core/dataset.ts';
import type { FileDigest } from '../../core/dataset.ts';
import { normalisePath } from '../../core/profile/paths.ts';
import type { FileSettings } from '../../core/profile/types.ts';
import { toCanonical } from '../../core/record/canonical.ts';
import type { DatasetMemory } from '../../core/rules/types.ts';
import { withOuter } from '../../core/text/nested.ts';
import { parseRecordText } from '../../core/text/parse.ts';
import type { DatasetFile, DatasetFiles } from '../../node/dataset-files.ts';
import { createCancel } from '../cancel.ts';
import type { CancelSource } from '../cancel.ts';
import { describe } from '../guard.ts';
import type { Log } from '../guard.ts';
import type { Row } from './rows.ts';
import type { ServerRuntime } from '../runtime.ts';

/** An open file whose entry compares its files. */
export interface DatasetMember {
  readonly path: string;
  readonly settings: FileSettings;
  /** Counts up with the rows. */
  revision(): number;
  rows(): readonly Row[];
  /** What is known of the files before it is other than it was. */
  told(memory: DatasetMemory): void;
}

export interface Datasets {
  /** An open file has come, or has other settings. */
  join(member: DatasetMember): void;
  leave(path: string): void;
  /** The text of an open file has changed: whether or not it has joined. */
  typed(path: string): void;
  /** A record file on disk has changed, has come or is gone. */
  diskChanged(path: string): void;
  /** Configurations have changed. */
  reset(): void;
  dispose(): void;
}

export interface DatasetsHost {
  readonly runtime: Pick<ServerRuntime, 'settingsOf'> & { readonly datasetFiles: DatasetFiles };
  readonly log: Log;
}

/** What is read of one entry at most; more would keep memory and thread busy. Open files do not count. */
export const LIMIT_BYTES = 256 * 1024 * 1024;
export const LIMIT_RECORDS = 500_000;
/** Nothing is read before so many ms have passed without a change. */
const QUIET_MS = 500;
/** Between two pieces of work, so that the thread is never more than about half taken. */
const BREATH_MS = 4;
const SLICE_MS = 4;

/** One entry of one configuration, with the open files that it governs. */
interface Group {
  readonly folder: string;
  readonly entry: number;
  readonly members: Map<string, DatasetMember>;
  /** undefined: to be looked up. */
  files: readonly DatasetFile[] | undefined;
  /** By path; `version` is of the text or of the file on disk. */
  readonly digests: Map<string, { readonly version: string; readonly digest: FileDigest | undefined }>;
  /** What the members were told last, as the digests that it was put together from. */
  readonly told: Map<DatasetMember, readonly FileDigest[]>;
  timer: NodeJS.Timeout | undefined;
  running: CancelSource | undefined;
  /** Something changed while it ran. */
  again: boolean;
  saysLimit: boolean;
}

interface Place {
  readonly path: string;
  readonly member: DatasetMember | undefined;
}

export function createDatasets({ runtime, log }: DatasetsHost): Datasets {
  const groups = new Map<string, Group>();
  let quietUntil = 0;

  function groupOf({ settings }: DatasetMember): Group {
    const key = keyOf(settings);
    let group = groups.get(key);
    if (group === undefined) {
      group = {
        folder: settings.configurationFolder ?? '',
        entry: settings.entry ?? 0,
        members: new Map(),
        files: undefined,
        digests: new Map(),
        told: new Map(),
        timer: undefined,
        running: undefined,
        again: false,
        saysLimit: true,
      };
      groups.set(key, group);
    }
    return group;
  }

  function schedule(group: Group): void {
    if (group.running !== undefined) {
      group.again = true;
      return;
    }
    clearTimeout(group.timer);
    group.timer = setTimeout(() => void start(group), QUIET_MS);
  }

  async function start(group: Group): Promise<void> {
    const cancel = createCancel();
    group.timer = undefined;
    group.running = cancel;
    group.again = false;
    try {
      await update(group, cancel);
    } catch (error) {
      if (!cancel.aborted) log(`Comparing the files in ${group.folder} failed: ${describe(error)}`);
    }
    group.running = undefined;
    if (group.again && group.members.size > 0) schedule(group);
  }

  /** Goes on when nobody types. Rejects when what is done is not wanted any more. */
  async function pause(cancel: CancelSource): Promise<void> {
    let wait = BREATH_MS;
    do {
      await new Promise((resolve) => setTimeout(resolve, wait));
      if (cancel.aborted) throw new Error('cancelled');
      wait = Math.ceil(quietUntil - performance.now());
    } while (wait > 0);
  }

  async function update(group: Group, cancel: CancelSource): Promise<void> {
    await pause(cancel);
    group.files ??= await runtime.datasetFiles.ofEntry(group.folder, group.entry);
    const places = await placesOf(group);
    const last = places.findLastIndex(({ member }) => member !== undefined);
    forget(group, places);
    const before: FileDigest[] = [];
    let [bytes, records, isFull] = [0, 0, false];
    for (const { path: file, member } of places.slice(0, last + 1)) {
      if (member !== undefined) await tell(group, member, [...before], cancel);
      // What stands behind the last open file is compared with nothing here.
      if (file === places[last]!.path) break;
      if (member === undefined && !isFull) {
        const version = await runtime.datasetFiles.version(file);
        bytes += version?.bytes ?? 0;
        isFull = bytes > LIMIT_BYTES || records > LIMIT_RECORDS;
        if (isFull) sayLimit(group, file);
      }
      if (member === undefined && isFull) continue;
      const digest = await (member === undefined
        ? fromDisk(group, file, cancel)
        : fromEditor(group, file, member, cancel));
      if (digest === undefined) continue;
      before.push(digest);
      if (member === undefined) records += digest.records;
    }
  }

  /** The files of the entry in the order of the command line, with the open ones among them. */
  async function placesOf({ files = [], members }: Group): Promise<readonly Place[]> {
    const open = new Map<string, DatasetMember>();
    for (const member of members.values()) open.set(await realpath(member.path).catch(() => member.path), member);
    const places: Place[] = files.map(({ path: file, real }) => {
      const member = open.get(real);
      open.delete(real);
      return { path: file, member };
    });
    // Files that the walk leaves out, such as ignored ones.
    for (const member of open.values()) places.push({ path: member.path, member });
    return places.sort((one, two) => (one.path < two.path ? -1 : 1));
  }

  function forget({ digests, told, members }: Group, places: readonly Place[]): void {
    const paths = new Set(places.map((place) => place.path));
    for (const file of digests.keys()) if (!paths.has(file)) digests.delete(file);
    for (const member of told.keys()) if (members.get(member.path) !== member) told.delete(member);
  }

  async function tell(
    group: Group,
    member: DatasetMember,
    before: readonly FileDigest[],
    cancel: CancelSource,
  ): Promise<void> {
    const last = group.told.get(member);
    if (last?.length === before.length && before.every((digest, at) => digest === last[at])) return;
    const joining = joinDigests(before);
    let step = joining.next();
    for (let since = performance.now(); step.done !== true; step = joining.next()) {
      if (performance.now() - since < SLICE_MS) continue;
      await pause(cancel);
      since = performance.now();
    }
    if (group.members.get(member.path) !== member) return;
    group.told.set(member, before);
    member.told({ file: nameIn(group, member.path), path: member.path, kept: step.value, readOnly: true });
  }

  async function fromDisk(group: Group, file: string, cancel: CancelSource): Promise<FileDigest | undefined> {
    const version = await runtime.datasetFiles.version(file);
    const known = group.digests.get(file);
    if (version === undefined) group.digests.delete(file);
    if (version === undefined || known?.version === version.text) return version && known?.digest;
    const digest = await runtime.datasetFiles.digest(
      file,
      nameIn(group, file),
      (samples) => runtime.settingsOf(file, samples, {}),
      () => pause(cancel),
      cancel,
    );
    group.digests.set(file, { version: version.text, digest });
    return digest;
  }

  async function fromEditor(
    group: Group,
    file: string,
    member: DatasetMember,
    cancel: CancelSource,
  ): Promise<FileDigest> {
    for (;;) {
      const version = `open ${member.revision()}`;
      const known = group.digests.get(file);
      if (known?.version === version && known.digest !== undefined) return known.digest;
      const digest = await digestRows(member, nameIn(group, file), () => pause(cancel));
      // Rows that changed meanwhile are of two texts.
      if (digest === undefined) continue;
      group.digests.set(file, { version, digest });
      return digest;
    }
  }

  function sayLimit(group: Group, file: string): void {
    if (!group.saysLimit) return;
    group.saysLimit = false;
    log(
      `The files of one entry of datasets in ${group.folder} hold more than ${LIMIT_BYTES >> 20} MB or ${LIMIT_RECORDS.toLocaleString('en')} records: ${nameIn(group, file)} and the files behind it are not compared with others here; the command line compares all.`,
    );
  }

  function leave(file: string): void {
    for (const [key, group] of groups) {
      if (!group.members.delete(file)) continue;
      if (group.members.size > 0) schedule(group);
      else {
        stop(group);
        groups.delete(key);
      }
    }
  }

  return {
    join(member) {
      leave(member.path);
      const group = groupOf(member);
      group.members.set(member.path, member);
      schedule(group);
    },
    leave,
    typed(file) {
      if (groups.size === 0) return;
      quietUntil = performance.now() + QUIET_MS;
      for (const group of groups.values()) if (group.members.size > 1 && group.members.has(file)) schedule(group);
    },
    diskChanged(file) {
      for (const group of groups.values()) {
        const relative = path.relative(group.folder, file);
        if (relative.startsWith('..') || path.isAbsolute(relative) || group.members.has(file)) continue;
        if (group.files?.some((known) => known.path === file) !== true || !group.digests.has(file)) {
          group.files = undefined;
        }
        schedule(group);
      }
    },
    reset() {
      for (const group of groups.values()) {
        group.running?.abort();
        group.files = undefined;
        group.saysLimit = true;
        group.digests.clear();
        schedule(group);
      }
    },
    dispose() {
      for (const group of groups.values()) stop(group);
      groups.clear();
    },
  };
}

function stop(group: Group): void {
  clearTimeout(group.timer);
  group.running?.abort();
  group.again = false;
}

function keyOf({ entry, configurationFolder }: FileSettings): string {
  return `${entry} ${configurationFolder}`;
}

/** As people know it: relative to the configuration. */
function nameIn({ folder }: Group, file: string): string {
  return normalisePath(path.relative(folder, file));
}

/** undefined: the rows changed meanwhile. */
async function digestRows(
  { path: file, settings, revision, rows }: DatasetMember,
  name: string,
  pause: () => Promise<void>,
): Promise<FileDigest | undefined> {
  const builder = createDigest(settings, { file: name, path: file });
  const before = revision();
  let since = performance.now();
  for (const row of rows()) {
    const record = (row.brief === undefined ? row.checked?.record : undefined) ?? read(row, settings);
    if (record !== undefined) builder.add(record, row);
    if (performance.now() - since < SLICE_MS) continue;
    await pause();
    if (revision() !== before) return undefined;
    since = performance.now();
  }
  return builder.end();
}

function read({ text, outer }: Row, { profile }: FileSettings) {
  const { value } = parseRecordText(text);
  return value && toCanonical(withOuter(value, outer), profile);
}
