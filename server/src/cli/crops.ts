/** `crops`: the evidence of a data set as pictures, with a manifest. */
import os from 'node:os';
import { addAbortSignal } from 'node:stream';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CropKind } from '../core/crops/plan.ts';
import { cropFile } from '../node/crops/crop-file.ts';
import type { CropCounts, CropServices, CropSink } from '../node/crops/crop-file.ts';
import { createCutters } from '../node/crops/cutters.ts';
import { FolderFault, MANIFEST, openOutputFolder } from '../node/crops/output-folder.ts';
import { isInside } from '../node/files/inside.ts';
import { fileSource, sizeOfFile, streamSource } from '../node/files/read.ts';
import { isOwnFile, showPath } from '../node/files/walk.ts';
import type { Runtime } from '../node/runtime.ts';
import { findInputs, openRuntime } from './check.ts';
import type { Input, Shell } from './job.ts';
import { manifestOf } from './manifest.ts';
import { oneLine } from './output.ts';
import { createProgress } from './progress.ts';
import type { Progress } from './progress.ts';
import { unfitText } from './unfit.ts';
import { UsageError } from './usage.ts';

export interface CropsOptions {
  readonly out: string;
  readonly what: CropKind;
  readonly dpi?: number;
  readonly jobs?: number;
  readonly config?: string;
  readonly profile?: string;
}

/** More threads than that wait for the disk, and each takes the memory of a page. */
const MOST_JOBS_UNASKED = 4;
/** Records of one file whose problems are told one by one; the manifest has them all. */
const TOLD = 20;

/** What one invocation shares between its files. */
interface Run {
  readonly options: CropsOptions;
  readonly shell: Shell;
  readonly runtime: Runtime;
  readonly services: CropServices;
  readonly progress: Progress;
  readonly totals: CropCounts;
  failed: boolean;
  anyFile: boolean;
}

/** Gives the exit code: 0 all images are there, 1 some records lack images, 2 something could not be done. */
export async function crops(paths: readonly string[], options: CropsOptions, shell: Shell): Promise<number> {
  const { cwd, installation, stop } = shell;
  const { inputs, problems } = await findInputs(paths, cwd);
  const runtime = await openRuntime(options, shell);
  try {
    const out = path.resolve(cwd, options.out);
    const head = { version: manifestOf(installation).version, what: options.what, dpi: options.dpi ?? null };
    const folder = await openOutputFolder(out, head).catch((error: unknown) => {
      throw error instanceof FolderFault ? new UsageError(`The folder ${options.out} ${error.message}.`) : error;
    });
    const cutters = createCutters({
      worker: installation.cropWorker ?? pathToFileURL(path.join(installation.distFolder, 'crop-worker.mjs')),
      output: { folder: folder.folder, unfinished: folder.unfinished },
      jobs: options.jobs ?? Math.min(MOST_JOBS_UNASKED, os.availableParallelism()),
    });
    // A page that is being drawn is not waited for.
    const end = (): void => void cutters.dispose();
    stop.addEventListener('abort', end, { once: true });
    const mine = inputs.filter((input) => input === 'stdin' || !isInside(folder.folder, input.path));
    const run: Run = {
      options,
      shell,
      runtime,
      services: {
        documents: runtime.documents,
        folder,
        cutters,
        options: { what: options.what, ...(options.dpi !== undefined && { dpi: options.dpi }) },
        stop,
      },
      progress: createProgress(process.stderr, await totalSize(mine)),
      totals: { records: 0, images: 0, faulty: 0 },
      failed: false,
      anyFile: false,
    };
    try {
      for (const { shown, message } of problems) await tell(run, shown, message, true);
      for (const input of mine) await cropInput(run, input);
      if (!run.anyFile && !run.failed) {
        await tell(run, paths.join(', '), 'there is no record file that a profile fits', true);
      }
      stop.throwIfAborted();
      if (run.anyFile) await folder.finish();
    } catch (error) {
      stop.throwIfAborted();
      if (!(error instanceof FolderFault)) throw error;
      throw new UsageError(`The folder ${options.out} ${error.message}. The same command goes on where it stopped.`);
    } finally {
      stop.removeEventListener('abort', end);
      run.progress.pause();
      await cutters.dispose();
      await folder.close();
      if (stop.aborted) await shell.err.write('auditable-qa: stopped; the same command goes on from here\n');
    }
    if (run.anyFile) await shell.out.write(summary(run, showPath(path.join(out, MANIFEST), cwd)));
    if (run.failed) return 2;
    return run.totals.faulty > 0 ? 1 : 0;
  } finally {
    await runtime.dispose();
  }
}

async function totalSize(inputs: readonly Input[]): Promise<number> {
  let total = 0;
  for (const input of inputs) if (input !== 'stdin') total += await sizeOfFile(input.path);
  return total;
}

async function cropInput(run: Run, input: Input): Promise<void> {
  const { options, shell, runtime, services, progress, totals } = run;
  const shown = input === 'stdin' ? '<stdin>' : input.shown;
  const file = input === 'stdin' ? path.join(shell.cwd, shown) : input.path;
  const explicit = input === 'stdin' || input.explicit;
  if (isOwnFile(file)) {
    if (explicit) await tell(run, shown, 'belongs to the program and is no record file', true);
    return;
  }
  progress.file(shown);
  const source = input === 'stdin' ? streamSource(addAbortSignal(shell.stop, process.stdin)) : fileSource(file);
  const size = input === 'stdin' ? 0 : await sizeOfFile(file);
  const overrides = { rules: {}, ...(options.profile !== undefined && { profile: options.profile }) };
  const result = await cropFile(
    source,
    size,
    shown,
    (samples) => runtime.settingsOf(file, samples, overrides),
    services,
    createSink(run, shown, size),
  );
  if (source.problem !== undefined) {
    run.failed = true;
    await tell(run, shown, source.problem, true);
  }
  if (result.state === 'done') {
    run.anyFile = true;
    totals.records += result.counts.records;
    totals.images += result.counts.images;
    totals.faulty += result.counts.faulty;
  } else if (result.state === 'without') {
    if (explicit) await tell(run, shown, withoutText(result.profile, result.field), true);
  } else if (options.profile !== undefined) throw new UsageError(result.unfit.message);
  else if (explicit && source.problem === undefined) {
    await tell(run, shown, unfitText(result.unfit, shell.installation), true);
  }
}

function withoutText(profile: string, field: 'regions' | 'pages' | 'documents'): string {
  const others = field === 'regions' ? '; use --what pages or --what documents' : '';
  return `records of the profile ${profile} have no ${field}${others}`;
}

function createSink(run: Run, shown: string, size: number): CropSink {
  let told = 0;
  let done = 0;
  return {
    reading: (note) => tell(run, shown, note, false),
    async problems({ index, line }, id, problems) {
      told += 1;
      if (told > TOLD) return;
      const record = `record ${index + 1}${id === null ? '' : ` (${id})`}`;
      await tell(run, `${shown}:${line + 1}`, `${record}: ${problems.join(' ')}`, false);
      if (told === TOLD) await tell(run, shown, `what else is missing, "problems" in ${MANIFEST} says`, false);
    },
    progress(share) {
      const now = Math.floor(share * size);
      run.progress.advance(Math.max(0, now - done));
      done = Math.max(done, now);
    },
  };
}

async function tell(run: Run, shown: string, message: string, isFailure: boolean): Promise<void> {
  if (isFailure) run.failed = true;
  run.progress.pause();
  await run.shell.err.write(`auditable-qa: ${oneLine(shown)}: ${oneLine(message)}\n`);
}

function summary({ totals: { records, images, faulty }, options }: Run, manifest: string): string {
  const noun = { crops: 'crop', pages: 'page', documents: 'page' }[options.what];
  const lacking = faulty === 0 ? '' : `; of ${counted(faulty, 'record')} something is missing`;
  return `${manifest}: ${counted(records, 'record')}, ${counted(images, noun)}${lacking}\n`;
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}
