/** The files of a `datasets` entry on disk, and what the rules across files keep of each. */
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { createDigest } from '../core/dataset.ts';
import type { FileDigest } from '../core/dataset.ts';
import type { Cancel } from '../core/ports.ts';
import type { NoProfile } from '../core/profile/settings.ts';
import { entryIndexOf } from '../core/profile/settings.ts';
import type { FileSettings } from '../core/profile/types.ts';
import { toCanonical } from '../core/record/canonical.ts';
import { createNesting, withOuter } from '../core/text/nested.ts';
import { parseRecordText } from '../core/text/parse.ts';
import type { RecordSlot } from '../core/text/types.ts';
import type { LoadedConfiguration } from './configuration.ts';
import { fileSource } from './files/read.ts';
import { findRecordFilesWithin } from './files/walk.ts';

export interface DatasetFile {
  readonly path: string;
  /** With all links followed. */
  readonly real: string;
}

/** As a file on disk is known: what was read of it holds as long as nothing here changes. */
export interface FileVersion {
  readonly bytes: number;
  readonly text: string;
}

export interface DatasetFiles {
  /**
   * The files that an entry of the configuration in a folder governs, in the order in which a check of that folder reads them.
   * Links that lead out of the folder are not followed.
   */
  ofEntry(folder: string, entry: number): Promise<readonly DatasetFile[]>;
  /** undefined: there is no such file. */
  version(file: string): Promise<FileVersion | undefined>;
  /**
   * Reads a file record by record; `pause` is called between pieces of a few ms. undefined: no profile fits, or it could not be
   * read. Rejects only where `pause` does.
   */
  digest(
    file: string,
    name: string,
    resolve: (samples: readonly unknown[]) => Promise<FileSettings | NoProfile>,
    pause: () => Promise<void>,
    cancel: Cancel,
  ): Promise<FileDigest | undefined>;
}

const SAMPLES = 1000;
const SLICE_MS = 4;

export function createDatasetFiles(
  configurationOf: (file: string) => Promise<LoadedConfiguration | undefined>,
): DatasetFiles {
  return {
    async ofEntry(folder, entry) {
      const files: DatasetFile[] = [];
      for (const { path: file } of await findRecordFilesWithin(path.resolve(folder))) {
        const configuration = await configurationOf(file);
        if (configuration === undefined || path.relative(configuration.folder, folder) !== '') continue;
        if (entryIndexOf(file, configuration) === entry) files.push({ path: file, real: await realpath(file) });
      }
      return files;
    },
    async version(file) {
      try {
        const { size, mtimeMs } = await stat(file);
        return { bytes: size, text: `${size} ${mtimeMs}` };
      } catch {
        return undefined;
      }
    },
    digest,
  };
}

const digest: DatasetFiles['digest'] = async (file, name, resolve, pause, cancel) => {
  const source = fileSource(file);
  let waiting: RecordSlot[] = [];
  let take: ((slot: RecordSlot) => Promise<void>) | undefined;
  let end: (() => FileDigest) | undefined;

  /** false: no profile fits. */
  async function start(): Promise<boolean> {
    const settings = await resolve(waiting.slice(0, SAMPLES).flatMap(({ text }) => parseRecordText(text).value ?? []));
    if (!('profile' in settings)) return false;
    const builder = createDigest(settings, { file: name, path: file });
    const nesting = createNesting(settings.profile.records);
    let since = performance.now();
    take = async (element) => {
      for (const slot of nesting.expand([element])) {
        const { value } = parseRecordText(slot.text);
        if (value !== undefined) builder.add(toCanonical(withOuter(value, slot.outer), settings.profile), slot);
      }
      if (performance.now() - since < SLICE_MS) return;
      await pause();
      since = performance.now();
    };
    end = builder.end;
    return true;
  }

  async function takeAll(): Promise<boolean> {
    if (take === undefined && !(await start())) return false;
    for (const slot of waiting) await take!(slot);
    waiting = [];
    return true;
  }

  for await (const batch of source.open()) {
    await pause();
    if (cancel.aborted) return undefined;
    waiting.push(...batch);
    if ((take !== undefined || waiting.length >= SAMPLES) && !(await takeAll())) return undefined;
  }
  return (await takeAll()) && source.problem === undefined ? end?.() : undefined;
};
