import { addAbortSignal } from 'node:stream';
import path from 'node:path';
import { CONFIGURATION_FILE } from '../../../schemas/configuration.ts';
import type { ReportResult, RuleLevel } from '../../../schemas/report.ts';
import type { Finding } from '../core/finding.ts';
import type { NoProfile, SettingsArgs } from '../core/profile/settings.ts';
import { ruleOf } from '../core/rules/registry.ts';
import { configurationFindings, createConfigurationFinder } from '../node/configuration.ts';
import type { LoadedConfiguration } from '../node/configuration.ts';
import { describeError } from '../node/files/errors.ts';
import { fileSource, sizeOfFile, streamSource } from '../node/files/read.ts';
import type { RecordSource } from '../node/files/read.ts';
import { findRecordFiles, isOwnFile, showPath } from '../node/files/walk.ts';
import type { PathProblem, RecordFile } from '../node/files/walk.ts';
import { createRuntime } from '../node/runtime.ts';
import type { Runtime } from '../node/runtime.ts';
import { cancelOf, checkSource, textSettings } from '../node/session.ts';
import { oneLine } from './output.ts';
import type { Output } from './output.ts';
import { createJsonPrinter, createTextPrinter } from './printer.ts';
import type { Printer } from './printer.ts';
import type { Installation } from './program.ts';
import { createProgress } from './progress.ts';
import type { Progress } from './progress.ts';
import { countOutcome, createFindingList, createTotals, toReportResult } from './report.ts';
import type { FindingList, Totals } from './report.ts';
import { UsageError } from './usage.ts';

export interface CheckOptions {
  readonly format: 'text' | 'json';
  readonly solutions?: 'sandbox' | 'python' | 'off';
  /** `check` only. */
  readonly pages?: 'on' | 'off';
  readonly config?: string;
  readonly profile?: string;
  readonly rule: Readonly<Record<string, RuleLevel>>;
  /** 0: all. */
  readonly maxFindings: number;
  readonly jobs?: number;
}

/** What a command may touch of the world. */
export interface Shell {
  readonly out: Output;
  readonly err: Output;
  readonly cwd: string;
  /** Aborted by Ctrl-C, or once nobody reads the output. */
  readonly stop: AbortSignal;
  readonly installation: Installation;
}

type Mode = 'check' | 'run';

/** Standard input, or a file. */
type Input = RecordFile | 'stdin';
const STDIN = '<stdin>';

/** One invocation at work. */
interface Job {
  readonly options: CheckOptions;
  readonly shell: Shell;
  readonly mode: Mode;
  readonly runtime: Runtime;
  readonly printer: Printer;
  readonly totals: Totals;
  readonly progress: Progress;
  /** Configurations whose faults were told, by path. */
  readonly toldConfigurations: Set<string>;
  /** Something could not be done; the rest was. */
  failed: boolean;
}

/** `check` and `run`: all files of the paths, one after the other; gives the exit code. */
export async function check(
  paths: readonly string[],
  options: CheckOptions,
  shell: Shell,
  mode: Mode,
): Promise<number> {
  if (options.solutions === 'python') {
    throw new UsageError('--solutions python comes in a later version; the sandbox runs solutions without any Python.');
  }
  const { inputs, problems } = await findInputs(paths, shell.cwd);
  const runtime = await openRuntime(options, shell);
  try {
    const { out } = shell;
    const job: Job = {
      options,
      shell,
      mode,
      runtime,
      printer: options.format === 'json' ? createJsonPrinter(out) : createTextPrinter(out, options.maxFindings),
      totals: createTotals(),
      progress: createProgress(process.stderr, await totalSize(inputs)),
      toldConfigurations: new Set(),
      failed: false,
    };
    for (const { shown, message } of problems) await fail(job, shown, message);
    for (const input of inputs) await checkInput(job, input);
    if (job.totals.summary.files === 0 && !job.failed) {
      await fail(job, paths.join(', '), 'there is no record file that a profile fits');
    }
    job.progress.pause();
    await job.printer.end(job.totals);
    if (job.failed) return 2;
    return job.totals.summary.errors > 0 ? 1 : 0;
  } finally {
    await runtime.dispose();
  }
}

async function findInputs(
  paths: readonly string[],
  cwd: string,
): Promise<{ readonly inputs: readonly Input[]; readonly problems: readonly PathProblem[] }> {
  const named = paths.filter((given) => given !== '-');
  const { files, problems } = await findRecordFiles(named, cwd);
  return { inputs: named.length < paths.length ? ['stdin', ...files] : files, problems };
}

async function openRuntime({ config, jobs }: CheckOptions, { cwd, installation }: Shell): Promise<Runtime> {
  const configuration = config === undefined ? undefined : await loadConfiguration(config, cwd);
  return createRuntime({
    ...installation,
    trustMs: Infinity,
    ...(configuration && { configuration }),
    ...(jobs !== undefined && { jobs }),
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

/** Something could not be done: a line on standard error, and the exit code will be 2. */
async function fail(job: Job, shown: string, message: string): Promise<void> {
  job.failed = true;
  await note(job, shown, message);
}

async function note(job: Job, shown: string, message: string): Promise<void> {
  job.progress.pause();
  await job.shell.err.write(`auditable-qa: ${oneLine(shown)}: ${oneLine(message)}\n`);
}

async function checkInput(job: Job, input: Input): Promise<void> {
  const shown = input === 'stdin' ? STDIN : input.shown;
  // Standard input has the settings of a file in the working folder.
  const file = input === 'stdin' ? path.join(job.shell.cwd, STDIN) : input.path;
  const explicit = input === 'stdin' || input.explicit;
  job.progress.file(shown);
  await tellConfiguration(job, file);
  if (isOwnFile(file)) {
    if (path.basename(file) !== CONFIGURATION_FILE)
      await fail(job, shown, 'belongs to the program and is no record file');
    return;
  }
  const source =
    input === 'stdin'
      ? streamSource(addAbortSignal(job.shell.stop, process.stdin))
      : fileSource(file, (bytes) => job.progress.advance(bytes));
  const checked = await checkRecords(job, source, (samples) => job.runtime.settingsOf(file, samples, overridesOf(job)));
  if (checked.unfit === undefined) await finish(job, shown, checked);
  else await finishUnfit(job, shown, file, explicit, source, checked);
  if (source.problem !== undefined) await fail(job, shown, source.problem);
  else if (source.bytes === 0 && explicit) await note(job, shown, 'is empty: it holds no record');
}

/** The faults of a configuration are reported once, before the first file that it governs. */
async function tellConfiguration(job: Job, file: string): Promise<void> {
  const configuration = await job.runtime.configurationOf(file);
  if (configuration === undefined || job.toldConfigurations.has(configuration.path)) return;
  job.toldConfigurations.add(configuration.path);
  const found = configurationFindings(configuration, job.options.rule);
  if (found.length === 0) return;
  const list = createFindingList(job.totals.summary, job.options.maxFindings);
  list.add(found);
  job.progress.pause();
  const shown = showPath(configuration.path, job.shell.cwd);
  await job.printer.file({ path: shown, profile: 'configuration', records: 0, ...list.end() });
}

interface Checked {
  readonly profile: string;
  readonly records: number;
  readonly unfit?: NoProfile;
  readonly list: FindingList;
  readonly results: ReportResult[] | undefined;
}

async function checkRecords(
  job: Job,
  source: RecordSource,
  resolve: Parameters<typeof checkSource>[1],
): Promise<Checked> {
  const { options, runtime, mode, totals } = job;
  const list = createFindingList(totals.summary, options.maxFindings);
  const results: ReportResult[] | undefined = mode === 'run' ? [] : undefined;
  let profile = '';
  const { records, unfit } = await checkSource(
    source,
    resolve,
    {
      ...(options.solutions !== 'off' && { runner: runtime.runner }),
      ...(mode === 'check' && options.pages !== 'off' && { documents: runtime.documents }),
    },
    {
      settings: (settings) => (profile = settings.profile.name),
      findings: (found) => list.add(mode === 'run' ? found.filter(isAboutSolutions) : found),
      outcome(record, outcome) {
        countOutcome(totals.solutions, outcome);
        results?.push(toReportResult(record, outcome));
      },
    },
    cancelOf(job.shell.stop),
  );
  return { profile, records, list, results, ...(unfit && { unfit }) };
}

async function finish(job: Job, shown: string, { profile, records, list, results }: Checked): Promise<void> {
  job.totals.summary.files += 1;
  job.totals.summary.records += records;
  job.progress.pause();
  await job.printer.file({ path: shown, profile, records, ...list.end(), ...(results && { results }) });
}

/** A file of which the profile is not known: told where it was named; one that holds no readable record has its faults. */
async function finishUnfit(
  job: Job,
  shown: string,
  file: string,
  explicit: boolean,
  source: RecordSource,
  { unfit, records }: Checked,
): Promise<void> {
  // The profile that was asked for does not exist.
  if (job.options.profile !== undefined) throw new UsageError(unfit?.message ?? '');
  if (source.problem !== undefined) return;
  if (records > 0 || source.bytes === 0) {
    if (!explicit) return;
    if (source.bytes > 0) await fail(job, shown, unfit?.message ?? '');
    job.failed = true;
    return;
  }
  if (!explicit && path.extname(file).toLowerCase() === '.json') return;
  await finish(
    job,
    shown,
    await checkRecords(job, source, () => Promise.resolve(textSettings(file, job.options.rule))),
  );
}

function overridesOf({ options: { profile, rule, solutions } }: Job): NonNullable<SettingsArgs['overrides']> {
  return { rules: rule, ...(profile !== undefined && { profile }), ...(solutions !== undefined && { solutions }) };
}

/** `run` reports what concerns solutions, and records that cannot be read. */
function isAboutSolutions({ code, severity }: Finding): boolean {
  const needs = ruleOf(code)?.needs;
  return needs === 'run' || needs === 'solution' || (needs === 'text' && severity === 'error');
}
