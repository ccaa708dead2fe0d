import { randomUUID } from 'node:crypto';
import { rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { PlannedImage } from '../core/crops/plan.ts';
import type { DocumentReader, SolutionRunner } from '../core/ports.ts';
import { settingsFor } from '../core/profile/settings.ts';
import type { NoProfile, SettingsArgs } from '../core/profile/settings.ts';
import type { FileSettings } from '../core/profile/types.ts';
import type { FileFault } from '../core/text/types.ts';
import { createAcceptedFiles } from './acceptance.ts';
import type { AcceptedFiles } from './acceptance.ts';
import { createConfigurationFinder } from './configuration.ts';
import type { LoadedConfiguration } from './configuration.ts';
import { createCutters } from './crops/cutters.ts';
import type { Cutters } from './crops/cutters.ts';
import type { CutDone } from './crops/messages.ts';
import { createDatasetFiles } from './dataset-files.ts';
import type { DatasetFiles } from './dataset-files.ts';
import { readFileFaults } from './files/read.ts';
import { firstRecords } from './files/first-records.ts';
import { readText } from './files/read-text.ts';
import { findRecordFilesWithin } from './files/walk.ts';
import { createDiskFiles } from './disk/disk-files.ts';
import type { DiskFiles } from './disk/disk-files.ts';
import { indexFile } from './index/indexer.ts';
import type { Indexed, IndexOptions } from './index/indexer.ts';
import { createDocumentReader } from './pages/document-reader.ts';
import type { DocumentReaderOptions } from './pages/document-reader.ts';
import { createNativeRunner } from './native/runner.ts';
import { createSandboxRunner } from './sandbox/runner.ts';
import type { SandboxOptions } from './sandbox/runner.ts';

export interface RuntimeOptions {
  /** Folder of the built program: `pdf-worker.mjs` and `sandbox/` lie in it. */
  readonly distFolder: string;
  /** The PDF worker where it does not lie in `distFolder`. */
  readonly pdfWorker?: URL;
  /** The thread that indexes large files, where it does not lie in `distFolder`. */
  readonly indexWorker?: URL;
  /** The worker that cuts crops, likewise. */
  readonly cropWorker?: URL;
  /** Folder for caches that outlive the process. */
  readonly cacheFolder?: string;
  /** Solutions that run at the same time. */
  readonly jobs?: number;
  /** Hears what went wrong with processes, one line each. */
  readonly log?: (line: string) => void;
  /** How long the file system's answers about documents are believed, in ms; see `DocumentReaderOptions`. */
  readonly trustMs?: number;
  /** Configuration for all files, instead of the nearest one of each. */
  readonly configuration?: LoadedConfiguration;
}

/** What both shells need from the machine. Processes and threads are started when they are first needed. */
export interface Runtime {
  readonly runner: SolutionRunner;
  readonly documents: DocumentReader;
  /** A planned image as PNG, or why there is none, to stand after the name of its file. */
  drawCrop(image: PlannedImage): Promise<CutDone | string>;
  readonly accepted: AcceptedFiles;
  /** The other files of a `datasets` entry. */
  readonly datasetFiles: DatasetFiles;
  configurationOf(file: string): Promise<LoadedConfiguration | undefined>;
  /** Settings of a file from its configuration and its first records. */
  settingsOf(
    file: string,
    samples: readonly unknown[],
    overrides: NonNullable<SettingsArgs['overrides']>,
  ): Promise<FileSettings | NoProfile>;
  /** Another Python of the user for the runs that ask for it: absolute path or name on PATH; undefined: the first on PATH. */
  usePython(python: string | undefined): void;
  /** Faults that only the bytes on disk show: encoding, byte order mark, line ends. */
  fileFaults(file: string): Promise<readonly FileFault[]>;
  /** The whole text of a file without a byte order mark; or what kept it from being read, to stand after the file's name. */
  readText(file: string): Promise<{ readonly text: string } | { readonly problem: string }>;
  /** Opens a file by its records, of which none is kept in memory; see `indexFile`. */
  indexFile(options: IndexOptions): Promise<Indexed>;
  /** In bytes; undefined: there is no such file. */
  sizeOf(file: string): Promise<number | undefined>;
  /** What the first records of a file are, at most about so many; fewer where the file cannot be read or is no record file. */
  firstRecords(file: string, most: number): Promise<readonly unknown[]>;
  /** Absolute paths of the record files in a folder; none where it cannot be read. Ends early when `enough` says so. */
  recordFiles(folder: string, enough: (found: number) => boolean): Promise<readonly string[]>;
  /** Writes record files so that it can be undone. `cacheFolder`: its journal outlives the process there; the first call decides. */
  disk(cacheFolder: string | undefined): DiskFiles;
  dispose(): Promise<void>;
}

export function createRuntime(options: RuntimeOptions): Runtime {
  const finder = createConfigurationFinder();
  const configurationOf = (file: string): Promise<LoadedConfiguration | undefined> =>
    options.configuration === undefined ? finder.nearest(file) : Promise.resolve(options.configuration);
  const documentOptions: DocumentReaderOptions = {
    worker: options.pdfWorker ?? pathToFileURL(path.join(options.distFolder, 'pdf-worker.mjs')),
    ...(options.trustMs !== undefined && { trustMs: options.trustMs }),
  };
  const documents = createDocumentReader(documentOptions);
  const sandbox = createSandboxRunner({
    ...sandboxFiles(path.join(options.distFolder, 'sandbox')),
    ...(options.cacheFolder !== undefined && { cacheFolder: options.cacheFolder }),
    ...(options.jobs !== undefined && { workers: options.jobs }),
    ...(options.log !== undefined && { log: options.log }),
  });
  let cutters: Cutters | undefined;
  const nativeFolder = path.join(options.distFolder, 'native');
  const startNative = (wanted: string | undefined): SolutionRunner =>
    createNativeRunner({
      workerPath: path.join(nativeFolder, 'worker.py'),
      runnerPath: path.join(nativeFolder, 'runner.py'),
      ...(wanted !== undefined && { python: wanted }),
      ...(options.jobs !== undefined && { workers: options.jobs }),
      ...(options.log !== undefined && { log: options.log }),
    });
  let python: string | undefined;
  let native = startNative(python);
  const runner: SolutionRunner = {
    run: (request, cancel) => (request.engine === 'python' ? native : sandbox).run(request, cancel),
    async dispose() {
      await Promise.all([sandbox.dispose(), native.dispose()]);
    },
  };
  let disk: DiskFiles | undefined;
  /** Where there is no folder for caches: gone with the process. */
  let ownFolder: string | undefined;
  const openDisk = (cacheFolder: string | undefined): DiskFiles => {
    if (cacheFolder === undefined) ownFolder = path.join(tmpdir(), `auditable-qa-journal-${randomUUID()}`);
    const folder = cacheFolder === undefined ? ownFolder! : path.join(cacheFolder, 'journal');
    return createDiskFiles({ folder, log: (line) => options.log?.(line) });
  };
  return {
    runner,
    documents,
    async drawCrop({ source, pageSize, pixels }) {
      cutters ??= createCutters({
        worker: options.cropWorker ?? pathToFileURL(path.join(options.distFolder, 'crop-worker.mjs')),
        output: null,
        jobs: 1,
      });
      const done = await cutters.cut({ source, size: pageSize, cuts: [{ target: null, part: pixels }] });
      return done.kind === 'done' ? done.cuts[0]! : done.reason;
    },
    accepted: createAcceptedFiles(),
    datasetFiles: createDatasetFiles(configurationOf),
    configurationOf,
    async settingsOf(file, samples, overrides) {
      const configuration = await configurationOf(file);
      return settingsFor({ filePath: file, samples, overrides, ...(configuration && { configuration }) });
    },
    usePython(wanted) {
      if (wanted === python) return;
      python = wanted;
      void native.dispose();
      native = startNative(python);
    },
    fileFaults: readFileFaults,
    readText,
    indexFile: (asked) =>
      indexFile(options.indexWorker ?? pathToFileURL(path.join(options.distFolder, 'index-worker.mjs')), asked),
    sizeOf: (file) =>
      stat(file).then(
        ({ size }) => size,
        () => undefined,
      ),
    firstRecords,
    async recordFiles(folder, enough) {
      try {
        return (await findRecordFilesWithin(folder, enough)).map(({ path: file }) => file);
      } catch {
        // There is no such folder, or it is not ours to read.
        return [];
      }
    },
    disk: (cacheFolder) => (disk ??= openDisk(cacheFolder)),
    async dispose() {
      await Promise.all([runner.dispose(), documents.dispose(), cutters?.dispose(), disk?.settled()]);
      if (ownFolder !== undefined) await rm(ownFolder, { recursive: true, force: true });
    },
  };
}

/** As `buildSandbox` lays them. */
function sandboxFiles(folder: string): Pick<SandboxOptions, 'childPath' | 'pyodideFolder' | 'snapshotPath'> {
  return {
    childPath: path.join(folder, 'child.mjs'),
    pyodideFolder: path.join(folder, 'pyodide'),
    snapshotPath: path.join(folder, 'snapshot.br'),
  };
}
