import { availableParallelism } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { createConfigurationFinder } from '../node/configuration.ts';
import type { LoadedConfiguration } from '../node/configuration.ts';
import { describeError } from '../node/files/errors.ts';
import { sizeOfFile } from '../node/files/read.ts';
import { findRecordFiles } from '../node/files/walk.ts';
import type { PathProblem } from '../node/files/walk.ts';
import { createCrew } from '../node/jobs/crew.ts';
import type { Crew } from '../node/jobs/crew.ts';
import { createRuntime } from '../node/runtime.ts';
import type { Runtime } from '../node/runtime.ts';
import { checkInput, tellAccepted } from './check-file.ts';
import { fail } from './job.ts';
import type { CheckOptions, Input, Job, Mode, Shell } from './job.ts';
import type { Printer } from './printer.ts';
import { createPrinter } from './printers.ts';
import { createProgress } from './progress.ts';
import { createTotals } from './report.ts';
import { createSieves } from './sieve.ts';
import { UsageError } from './usage.ts';

/** `check` and `run`; gives the exit code. */
export function check(paths: readonly string[], options: CheckOptions, shell: Shell, mode: Mode): Promise<number> {
  return checkWith(paths, options, shell, mode, createPrinter(options, shell));
}

/** All files of the paths, one after the other; gives the exit code. */
export async function checkWith(
  paths: readonly string[],
  options: CheckOptions,
  shell: Shell,
  mode: Mode,
  printer: Printer,
): Promise<number> {
  const totals = createTotals();
  const sieves = await createSieves(options, shell.cwd, totals);
  const { inputs, problems } = await findInputs(paths, shell.cwd);
  const runtime = await openRuntime(options, shell);
  const crew = openCrew(options, shell, runtime);
  const progress = createProgress(process.stderr, await totalSize(inputs));
  try {
    const job: Job = {
      options,
      shell,
      mode,
      runtime,
      crew,
      printer,
      sieves,
      totals,
      progress,
      toldConfigurations: new Set(),
      anyFile: false,
      failed: false,
    };
    for (const { shown, message } of problems) await fail(job, shown, message);
    for (const input of inputs) await checkInput(job, input);
    if (!job.anyFile && !job.failed) {
      await fail(job, paths.join(', '), 'there is no record file that a profile fits');
    }
    await tellAccepted(job);
    progress.pause();
    await printer.end(totals, job.failed);
    if (job.failed) return 2;
    return totals.summary.errors > 0 ? 1 : 0;
  } finally {
    progress.pause();
    await crew?.dispose();
    await runtime.dispose();
  }
}

/** Threads are started with the first file that is long. */
function openCrew(options: CheckOptions, { installation }: Shell, { runner }: Runtime): Crew | undefined {
  const jobs = jobsOf(options);
  const { entry, distFolder, pdfWorker } = installation;
  if (jobs === 1 || entry === undefined) return undefined;
  return createCrew({
    entry,
    pdfWorker: pdfWorker ?? pathToFileURL(path.join(distFolder, 'pdf-worker.mjs')),
    jobs,
    runner,
  });
}

/** More than a few take memory and bring little: one thread reads for all of them. */
const MOST_UNASKED = 4;

/** Where nothing is said, as many as there are processors that may be used, four at most. */
function jobsOf({ jobs }: Pick<CheckOptions, 'jobs'>): number {
  return jobs ?? Math.min(MOST_UNASKED, availableParallelism());
}

export async function findInputs(
  paths: readonly string[],
  cwd: string,
): Promise<{ readonly inputs: readonly Input[]; readonly problems: readonly PathProblem[] }> {
  const named = paths.filter((given) => given !== '-');
  const { files, problems } = await findRecordFiles(named, cwd);
  return { inputs: named.length < paths.length ? ['stdin', ...files] : files, problems };
}

export async function openRuntime(
  { config, jobs }: Pick<CheckOptions, 'config' | 'jobs'>,
  { cwd, installation }: Shell,
): Promise<Runtime> {
  const configuration = config === undefined ? undefined : await loadConfiguration(config, cwd);
  const { distFolder, pdfWorker } = installation;
  return createRuntime({
    distFolder,
    ...(pdfWorker && { pdfWorker }),
    trustMs: Infinity,
    ...(configuration && { configuration }),
    jobs: jobsOf({ ...(jobs !== undefined && { jobs }) }),
  });
}

async function loadConfiguration(given: string, cwd: string): Promise<LoadedConfiguration> {
  try {
    return await createConfigurationFinder().load(path.resolve(cwd, given));
  } catch (error) {
    throw new UsageError(`The configuration ${given} ${describeError(error)}.`);
  }
}

async function totalSize(inputs: readonly Input[]): Promise<number> {
  let total = 0;
  for (const input of inputs) if (input !== 'stdin') total += await sizeOfFile(input.path);
  return total;
}
