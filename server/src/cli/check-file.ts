import { addAbortSignal } from 'node:stream';
import path from 'node:path';
import { CONFIGURATION_FILE } from '../../../schemas/configuration.ts';
import { saysUnseen, wholeOf } from '../core/acceptance/whole.ts';
import type { Finding } from '../core/finding.ts';
import { floodFinding, isFlood } from '../core/floods.ts';
import type { NoProfile, SettingsArgs } from '../core/profile/settings.ts';
import type { FileSettings } from '../core/profile/types.ts';
import { ruleOf } from '../core/rules/registry.ts';
import { isAcceptedFile } from '../node/acceptance.ts';
import { configurationFindings } from '../node/configuration.ts';
import { describeError } from '../node/files/errors.ts';
import { fileSource, sizeOfFile, streamSource } from '../node/files/read.ts';
import type { RecordSource } from '../node/files/read.ts';
import { isOwnFile, showPath } from '../node/files/walk.ts';
import { watchVersion } from '../node/files/version.ts';
import type { ContentVersion } from '../node/files/version.ts';
import { MemberLost } from '../node/jobs/crew.ts';
import { joinSource, NotJoined } from '../node/jobs/join.ts';
import { settingsMark } from '../node/jobs/settings-mark.ts';
import { cancelOf, checkSource, textSettings } from '../node/session.ts';
import type { SessionServices, SessionSink } from '../node/session.ts';
import { datasetOf } from './datasets.ts';
import { fail, note } from './job.ts';
import type { Input, Job } from './job.ts';
import { countOutcome, createFindingList, findingsFor } from './report.ts';
import type { CheckedFile, FindingList, ResultOfRun } from './report.ts';
import { createItemList } from './shard-report.ts';
import type { ShardFile } from './shard-report.ts';
import type { Sieve } from './sieve.ts';
import { unfitText } from './unfit.ts';
import { UsageError } from './usage.ts';

const STDIN = '<stdin>';
const NO_RECORD = 'holds no record';
/** Nothing is known of standard input. */
const OPEN: Sieve = { keep: (findings) => findings, done: () => undefined };

/** Checks one file and prints what was found; nothing about it stops the others. */
export async function checkInput(job: Job, input: Input): Promise<void> {
  const shown = input === 'stdin' ? STDIN : input.shown;
  // Standard input has the settings of a file in the working folder.
  const file = input === 'stdin' ? path.join(job.shell.cwd, STDIN) : input.path;
  const explicit = input === 'stdin' || input.explicit;
  job.progress.file(shown);
  await tellConfiguration(job, file);
  if (isOwnFile(file)) {
    const accepted = isAcceptedFile(file);
    // Named by a glob along with the record files that it is about.
    if (accepted) await job.sieves.open(file);
    if (accepted || path.basename(file) === CONFIGURATION_FILE) job.anyFile = true;
    else await fail(job, shown, 'belongs to the program and is no record file');
    return;
  }
  const source =
    input === 'stdin'
      ? streamSource(addAbortSignal(job.shell.stop, process.stdin))
      : fileSource(file, (bytes) => job.progress.advance(bytes));
  const size = input === 'stdin' ? undefined : await sizeOfFile(file);
  const sieve = input === 'stdin' ? OPEN : await job.sieves.open(file);
  const checked = await checkRecords(job, shown, file, source, size, sieve, (samples) =>
    job.runtime.settingsOf(file, samples, overridesOf(job)),
  );
  if (checked.unfit === undefined) await finish(job, shown, checked);
  else await finishUnfit(job, shown, file, explicit, source, sieve, checked);
  if (checked.unavailable !== undefined) await fail(job, shown, `solutions were not run: ${checked.unavailable}`);
  const problem = source.problem ?? job.options.merged?.problemOf(shown);
  if (problem !== undefined) await fail(job, shown, problem);
  else if (source.bytes === 0 && explicit) await note(job, shown, 'is empty: it holds no record');
  else if (explicit && checked.unfit === undefined && holdsNothing(checked)) await note(job, shown, NO_RECORD);
}

/** The faults of a configuration are reported once, before the first file that it governs. */
async function tellConfiguration(job: Job, file: string): Promise<void> {
  const configuration = await job.runtime.configurationOf(file);
  if (configuration === undefined || job.options.shard !== undefined || job.toldConfigurations.has(configuration.path))
    return;
  job.toldConfigurations.add(configuration.path);
  const all = configurationFindings(configuration, job.options.rule);
  const found = job.sieves.ofConfiguration(configuration.path)(all);
  if (found.length === 0) return;
  const list = createFindingList(job.totals.summary, job.options.maxFindings);
  list.add(found);
  await print(job, {
    path: showPath(configuration.path, job.shell.cwd),
    profile: 'configuration',
    records: 0,
    unreadable: 0,
    ...list.end(),
  });
}

interface Checked {
  readonly profile: string;
  readonly records: number;
  readonly unreadable: number;
  readonly unfit?: NoProfile;
  /** Why its solutions could not be run at all. */
  readonly unavailable: string | undefined;
  readonly list: FindingList;
  readonly results: ResultOfRun[] | undefined;
  readonly part?: ShardFile;
}

async function checkRecords(
  job: Job,
  shown: string,
  file: string,
  source: RecordSource,
  size: number | undefined,
  sieve: Sieve,
  resolve: Parameters<typeof checkSource>[1],
): Promise<Checked> {
  const { options, runtime, mode, totals } = job;
  const { shard, merged } = options;
  const items = createItemList();
  let codes: readonly string[] = [];
  const list = createFindingList(totals.summary, options.maxFindings);
  const results: ResultOfRun[] | undefined = mode === 'run' ? [] : undefined;
  const keep = findingsFor(shard === undefined ? options.format : 'shard');
  let settings: FileSettings | undefined;
  let allSeen = true;
  let unavailable: string | undefined;
  const services: SessionServices = {
    ...(options.solutions !== 'off' && { runner: runtime.runner }),
    probe: mode === 'check',
    dataset: (governing) => datasetOf(runtime, governing, shown),
    ...(mode === 'check' && options.pages !== 'off' && { documents: runtime.documents }),
    ...(sieve.wanted && { wanted: sieve.wanted }),
    ...(job.crew && { crew: job.crew }),
    ...(size !== undefined && { size }),
    ...(shard && { shard }),
  };
  const sink: SessionSink = {
    settings: (resolved) => (settings = resolved),
    findings(found, slot) {
      allSeen &&= !found.some(saysUnseen);
      list.add(keep(sieve.keep(mode === 'run' ? found.filter(isAboutSolutions) : found), slot));
    },
    outcome(record, outcome) {
      countOutcome(totals.solutions, outcome);
      results?.push({ record, ...outcome });
    },
    unavailable: (message) => (unavailable = message),
    across: (all) => (codes = all),
    items: (place, ordinal, read) => items.add(place, ordinal, read),
  };
  const cancel = cancelOf(job.shell.stop);
  const version = shard === undefined ? undefined : await versionToTell(shown, file);
  const { records, unreadable, unfit } = await inWords(
    shown,
    merged === undefined
      ? checkSource(source, resolve, services, sink, cancel)
      : joinSource(source, resolve, await merged.partsOf(shown, file), job.shell.cwd, services, sink, cancel),
  );
  if (version !== undefined && settings !== undefined) {
    const mark = settingsMark(settings, job.shell.cwd);
    const part: ShardFile = {
      ...(await version()),
      settings: mark,
      ...(unavailable !== undefined && { unavailable }),
      ...(source.problem !== undefined && { problem: source.problem }),
      codes,
      items,
    };
    // Which of them are told once for the file is seen when all of them are there.
    list.settle(() => undefined);
    return { profile: settings.profile.name, records, unreadable, unavailable, list, results, part };
  }
  list.settle((one, count) =>
    settings !== undefined && isFlood(count, records)
      ? sieve.keep([floodFinding(one, count, records, settings)])
      : undefined,
  );
  if (settings !== undefined) {
    const ran = settings.solutions.runner !== 'off' && unavailable === undefined;
    const whole = wholeOf({ settings, ran, looked: options.pages !== 'off', allSeen });
    const isRead = source.problem === undefined && merged?.problemOf(shown) === undefined;
    sieve.done((code) => mode === 'check' && isRead && whole(code), settings.rules);
  }
  const profile = settings?.profile.name ?? '';
  return { profile, records, unreadable, unavailable, list, results, ...(unfit && { unfit }) };
}

/** Which version of a file a shard has checked; without it the reports of other shards cannot be held against it. */
async function versionToTell(shown: string, file: string): Promise<() => Promise<ContentVersion>> {
  const inFile = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw new UsageError(`${shown} ${describeError(error)}.`);
    }
  };
  const version = await inFile(() => watchVersion(file));
  return async () => {
    const read = await inFile(version);
    if (read === undefined) throw new UsageError(`${shown} changed while it was checked; check this shard again.`);
    return read;
  };
}

/** Nothing is told of a file whose records were not all checked. */
async function inWords<T>(shown: string, checking: Promise<T>): Promise<T> {
  try {
    return await checking;
  } catch (error) {
    if (error instanceof NotJoined) throw new UsageError(`${shown}: ${error.message}.`);
    if (!(error instanceof MemberLost)) throw error;
    throw new UsageError(
      `${shown}: a thread that checks records was lost (${error.message}), and their findings with it. With --jobs 1 they are checked without threads.`,
    );
  }
}

async function finish(
  job: Job,
  shown: string,
  { profile, records, unreadable, list, results, part }: Checked,
): Promise<void> {
  job.anyFile = true;
  await print(job, {
    path: shown,
    profile,
    records,
    unreadable,
    ...list.end(),
    ...(results && { results }),
    ...(part && { shard: part }),
  });
}

/** Faults of the files of accepted findings, once all record files beside them are done. */
export async function tellAccepted(job: Job): Promise<void> {
  for (const { path: file, findings } of await job.sieves.end()) {
    const list = createFindingList(job.totals.summary, job.options.maxFindings);
    list.add(findings);
    await print(job, {
      path: showPath(file, job.shell.cwd),
      profile: 'accepted findings',
      records: 0,
      unreadable: 0,
      ...list.end(),
    });
  }
}

async function print(job: Job, file: CheckedFile): Promise<void> {
  job.totals.summary.files += 1;
  job.totals.summary.records += file.records;
  if (file.unreadable > 0) job.totals.summary.unreadable = (job.totals.summary.unreadable ?? 0) + file.unreadable;
  job.progress.pause();
  await job.printer.file(file);
}

/** A file of which the profile is not known: told where it was named; one that holds no readable record has its faults. */
async function finishUnfit(
  job: Job,
  shown: string,
  file: string,
  explicit: boolean,
  source: RecordSource,
  sieve: Sieve,
  { unfit, records }: Checked,
): Promise<void> {
  // The profile that was asked for does not exist.
  if (job.options.profile !== undefined) throw new UsageError(unfit?.message ?? '');
  if (source.problem !== undefined) return;
  if (records > 0 || source.bytes === 0) {
    if (!explicit) return;
    if (source.bytes > 0 && unfit !== undefined) await fail(job, shown, unfitText(unfit, job.shell.installation));
    job.failed = true;
    return;
  }
  if (!explicit && path.extname(file).toLowerCase() === '.json') return;
  const asText = await checkRecords(job, shown, file, source, undefined, sieve, () =>
    Promise.resolve(textSettings(file, job.options.rule)),
  );
  if (!holdsNothing(asText)) await finish(job, shown, asText);
  else if (explicit) await fail(job, shown, NO_RECORD);
}

/** Blank lines or an empty array: neither a record nor a fault. */
function holdsNothing({ records, list, part }: Checked): boolean {
  // A shard does not know what the others have.
  return part === undefined && records === 0 && list.end().findings.length === 0;
}

function overridesOf({ options: { profile, rule, solutions } }: Job): NonNullable<SettingsArgs['overrides']> {
  return { rules: rule, ...(profile !== undefined && { profile }), ...(solutions !== undefined && { solutions }) };
}

/** `run` reports what concerns solutions, and records that cannot be read. */
function isAboutSolutions({ code, severity }: Finding): boolean {
  const needs = ruleOf(code)?.needs;
  return needs === 'run' || needs === 'solution' || (needs === 'text' && severity === 'error');
}
