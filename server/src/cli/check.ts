import { mkdir, readdir } from 'node:fs/promises';
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
import type { Shard } from '../node/jobs/messages.ts';
import { createRuntime } from '../node/runtime.ts';
import type { Runtime } from '../node/runtime.ts';
import { checkInput, tellAccepted } from './check-file.ts';
import { fail } from './job.ts';
import type { CheckOptions, Input, Job, Mode, Shell } from './job.ts';
import { manifestOf } from './manifest.ts';
import type { Printer } from './printer.ts';
import { createPrinter } from './printers.ts';
import { createProgress } from './progress.ts';
import { createTotals } from './report.ts';
import { createShardPrinter } from './shard-report.ts';
import { createSieves } from './sieve.ts';
import { UsageError } from './usage.ts';

/** `check` and `run`; gives the exit code. */
export function check(paths: readonly string[], options: CheckOptions, shell: Shell, mode: Mode): Promise<number> {
  const { shard } = options;
  if (shard !== undefined) return checkShard(paths, options, shard, shell);
  return checkWith(paths, options, shell, mode, createPrinter(options, shell));
}

/** One part of the records. What is accepted or known, and how much is listed, is decided when all parts are put together. */
async function checkShard(
  paths: readonly string[],
  options: CheckOptions,
  shard: Shard,
  shell: Shell,
): Promise<number> {
  const { baseline, maxFindings, solutions, pages = 'on', config, profile, rule, changedSince } = options;
  if (paths.includes('-')) {
    throw new UsageError(
      'Standard input has no shards: merge-reports reads the records again. Write it to a file first.',
    );
  }
  if (baseline !== undefined) throw new UsageError('A shard knows no baseline; give it to merge-reports.');
  if (maxFindings > 0) throw new UsageError('A shard lists all findings; give --max-findings to merge-reports.');
  let inputs: readonly Input[] = [];
  const printer = createShardPrinter(shell.out, () => ({
    ...shard,
    program: manifestOf(shell.installation).version,
    paths,
    options: {
      ...(solutions !== undefined && { solutions }),
      pages,
      ...(config !== undefined && { config }),
      ...(profile !== undefined && { profile }),
      rule,
      ...(changedSince !== undefined && { changedSince }),
    },
    inputs: shownInputs(inputs),
  }));
  const exitCode = await checkWith(paths, options, shell, 'check', printer, (all) => (inputs = all));
  // Whether there are errors is told of all shards together.
  return exitCode === 2 ? 2 : 0;
}

function shownInputs(inputs: readonly Input[]): readonly string[] {
  return inputs.flatMap((input) => (input === 'stdin' ? [] : [input.shown]));
}

/** All files of the paths, one after the other; gives the exit code. */
export async function checkWith(
  paths: readonly string[],
  options: CheckOptions,
  shell: Shell,
  mode: Mode,
  printer: Printer,
  onInputs?: (inputs: readonly Input[]) => void,
): Promise<number> {
  const totals = createTotals();
  const sieves = await createSieves(options, shell.cwd, totals);
  const { inputs, problems } = await findInputs(paths, shell.cwd);
  onInputs?.(inputs);
  const { merged } = options;
  if (merged !== undefined) {
    tellOtherInputs(merged.inputs, shownInputs(inputs));
    Object.assign(totals.solutions, merged.solutions);
  }
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
    if (options.shard === undefined) await tellAccepted(job);
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

/** Merging finds the files that the shards found, or says which are not there, or new. */
function tellOtherInputs(known: readonly string[], found: readonly string[]): void {
  const gone = known.find((shown) => !found.includes(shown));
  if (gone !== undefined)
    throw new UsageError(`${gone} is not there; merging needs the files that the shards checked.`);
  const added = found.find((shown) => !known.includes(shown));
  if (added !== undefined) throw new UsageError(`${added} is new: no shard has seen it.`);
}

/** Threads are started with the first file that is long. */
function openCrew(options: CheckOptions, { installation }: Shell, { runner, documents }: Runtime): Crew | undefined {
  const jobs = jobsOf(options);
  const { entry, distFolder, pdfWorker } = installation;
  if (jobs === 1 || entry === undefined) return undefined;
  return createCrew({
    entry,
    pdfWorker: pdfWorker ?? pathToFileURL(path.join(distFolder, 'pdf-worker.mjs')),
    jobs,
    runner,
    documents,
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
  { config, jobs, cache }: Pick<CheckOptions, 'config' | 'jobs' | 'cache'>,
  { cwd, installation }: Shell,
): Promise<Runtime> {
  const configuration = config === undefined ? undefined : await loadConfiguration(config, cwd);
  const { distFolder, pdfWorker } = installation;
  const cacheFolder = cache === undefined || cache === '' ? undefined : await cacheAt(cache, cwd);
  return createRuntime({
    distFolder,
    ...(pdfWorker && { pdfWorker }),
    trustMs: Infinity,
    ...(configuration && { configuration }),
    ...(cacheFolder !== undefined && { cacheFolder }),
    jobs: jobsOf({ ...(jobs !== undefined && { jobs }) }),
  });
}

/** The folder, made where there is none. One that cannot be written to is good for reading. */
async function cacheAt(given: string, cwd: string): Promise<string> {
  const folder = path.resolve(cwd, given);
  try {
    await mkdir(folder, { recursive: true });
    await readdir(folder);
  } catch (error) {
    throw new UsageError(`The cache ${given} ${describeError(error)}.`);
  }
  return path.join(folder, 'solutions');
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
