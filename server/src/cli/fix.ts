/** `fix`: applies what can be put right without a doubt, in rounds, until nothing is left to be done. */
import { createWriteStream } from 'node:fs';
import { mkdtemp, open, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { acceptedIn } from '../core/acceptance/accepted.ts';
import { byPlace } from '../core/checker.ts';
import { chosenFix, MOST_ROUNDS } from '../core/edit/choose.ts';
import { conversionFix, fixWithOthers, MISMATCH, WHOLE_FILE } from '../core/edit/conversions.ts';
import { mergeEdits, placeFix } from '../core/edit/edits.ts';
import type { FileRepair, TextEdit } from '../core/edit/types.ts';
import type { FileForm } from '../core/text/types.ts';
import { convertBoxes } from '../core/evidence/conversion.ts';
import type { Conversion } from '../core/evidence/conversion.ts';
import type { Finding, PlacedFix } from '../core/finding.ts';
import type { NoProfile } from '../core/profile/settings.ts';
import type { FileSettings } from '../core/profile/types.ts';
import { diffFiles } from '../node/files/diff.ts';
import type { DiffLine } from '../node/files/diff.ts';
import { locateEdits } from '../node/files/locate.ts';
import { describeError } from '../node/files/errors.ts';
import { fileSource, formOfName, formOfText } from '../node/files/read.ts';
import { isOwnFile } from '../node/files/walk.ts';
import type { RecordFile } from '../node/files/walk.ts';
import { bytesOf, editedBytes, NotWritten, replaceFile, writeBytes } from '../node/files/write.ts';
import type { FileState } from '../node/files/write.ts';
import type { Runtime } from '../node/runtime.ts';
import { cancelOf, checkSource, isAbort } from '../node/session.ts';
import { findInputs, openRuntime } from './check.ts';
import type { Shell } from './job.ts';
import { createPaint, oneLine } from './output.ts';
import type { Paint, Style } from './output.ts';
import { UsageError } from './usage.ts';
import { unfitText } from './unfit.ts';

export interface FixOptions {
  /** Codes; empty: all rules, safe fixes only. */
  readonly rule: readonly string[];
  readonly write?: boolean;
  readonly solutions?: 'sandbox' | 'python' | 'off';
  readonly pages?: 'on' | 'off';
  readonly config?: string;
  readonly profile?: string;
  readonly jobs?: number;
  readonly cache?: string;
}

interface FixJob {
  readonly options: FixOptions;
  readonly shell: Shell;
  readonly runtime: Runtime;
  /** Of versions that are not written (yet). */
  readonly folder: string;
  readonly paint: Paint;
  files: number;
  changed: number;
  fixes: number;
  /** Error-level findings that stay. */
  errors: number;
  failed: boolean;
}

/** Gives the exit code: 0 no error-level finding is left, 1 there are some, 2 something could not be done. */
export async function fix(paths: readonly string[], options: FixOptions, shell: Shell): Promise<number> {
  const isPipe = paths.includes('-');
  if (isPipe && paths.length > 1) throw new UsageError('Standard input is fixed alone: name - or files, not both.');
  const { inputs, problems } = await findInputs(paths, shell.cwd);
  const runtime = await openRuntime(options, shell);
  const folder = await mkdtemp(path.join(tmpdir(), 'auditable-qa-fix-'));
  const paint = createPaint(shell.out.colors);
  const job: FixJob = {
    options,
    shell,
    runtime,
    folder,
    paint,
    files: 0,
    changed: 0,
    fixes: 0,
    errors: 0,
    failed: false,
  };
  try {
    for (const { shown, message } of problems) await fail(job, shown, message);
    for (const input of inputs) await fixFile(job, input === 'stdin' ? await readPipe(job) : input);
    if (job.files === 0 && !job.failed) {
      await fail(job, paths.join(', '), 'there is no record file that a profile fits');
    }
    await tellSummary(job);
    return job.failed ? 2 : job.errors > 0 ? 1 : 0;
  } finally {
    await runtime.dispose();
    await rm(folder, { recursive: true, force: true });
  }
}

async function fail(job: FixJob, shown: string, message: string): Promise<void> {
  job.failed = true;
  await job.shell.err.write(`auditable-qa: ${oneLine(shown)}: ${oneLine(message)}\n`);
}

/** A file, or standard input under the name of one in the working folder. */
interface FixInput extends RecordFile {
  /** Where its content lies, of standard input. */
  readonly content?: string;
}

const STDIN = '<stdin>';

/** Standard input is read whole before anything is written. */
async function readPipe({ folder, shell }: FixJob): Promise<FixInput> {
  const at = path.join(folder, 'stdin');
  let form: FileForm | undefined;
  const looking = async function* (chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      form ??= formOfText(
        Buffer.from(chunk)
          .toString('utf8')
          .replace(/^\uFEFF/, ''),
      );
      yield chunk;
    }
  };
  try {
    await pipeline(process.stdin, looking, createWriteStream(at), { signal: shell.stop });
  } catch (error) {
    if (isAbort(error)) throw error;
    throw new UsageError(`Standard input could not be kept: its copy ${describeError(error)}.`);
  }
  const content = `${at}.${form === 'json' ? 'json' : 'jsonl'}`;
  await rename(at, content);
  return { path: path.join(shell.cwd, STDIN), shown: STDIN, explicit: true, content };
}

/** The file is written; of standard input, the fixed content is what is printed, also where nothing was to be fixed. */
async function write(job: FixJob, input: FixInput, version: string | undefined, state: FileState | undefined) {
  if (input.content !== undefined) {
    for await (const bytes of bytesOf(version ?? input.content)) await job.shell.out.write(bytes);
  } else if (version !== undefined && state !== undefined) {
    await replaceFile(input.path, bytesOf(version), state);
  }
}

async function fixFile(job: FixJob, input: FixInput): Promise<void> {
  if (isOwnFile(input.path)) return;
  const versions: string[] = [];
  try {
    const fixed = await runRounds(job, input, versions);
    if (fixed === undefined) return;
    job.files++;
    job.errors += fixed.errors;
    if (job.options.write === true) await write(job, input, fixed.version, fixed.state);
    if (fixed.version === undefined || fixed.state === undefined) return;
    if (job.options.write !== true) {
      await printDiff(job, diffFiles(input.content ?? input.path, fixed.version, input.shown));
    }
    job.changed++;
    for (const count of fixed.applied.values()) job.fixes += count;
    if (job.options.write === true) await tellFixes(job, input, fixed.applied);
  } catch (error) {
    if (!(error instanceof NotWritten)) throw error;
    await fail(job, input.shown, error.message);
  } finally {
    for (const version of versions) await rm(version, { force: true });
  }
}

interface Fixed {
  /** The last version; undefined: nothing is to be changed. */
  readonly version: string | undefined;
  /** The file as it was in the first round. */
  readonly state: FileState | undefined;
  readonly applied: ReadonlyMap<string, number>;
  readonly errors: number;
}

/** Each round checks the version of the one before. undefined: no profile fits, or the file cannot be read. */
async function runRounds(job: FixJob, input: FixInput, versions: string[]): Promise<Fixed | undefined> {
  const applied = new Map<string, number>();
  const content = input.content ?? input.path;
  let current = content;
  let state: FileState | undefined;
  for (let round = 0; ; round++) {
    const found = await collectFixes(job, input, current);
    if (found === undefined) return undefined;
    const version = round === 0 ? undefined : current;
    if (round === MOST_ROUNDS) return { version, state, applied, errors: found.errors };
    const layout = { form: formOfName(content) ?? 'lines', records: found.nested };
    const { records, repairs } = found;
    if (records.size === 0 && repairs.length === 0) return { version, state, applied, errors: found.errors };
    const counts = new Map<string, number>();
    const located = await locateEdits(
      current,
      layout,
      ({ index }) => {
        const groups = records.get(index);
        if (groups === undefined) return [];
        const { edits, taken } = mergeEdits(groups);
        for (const { code } of taken) counts.set(code, (counts.get(code) ?? 0) + 1);
        return edits;
      },
      repairs.map(({ repair }) => repair),
    );
    if (located.edits.length === 0) return { version, state, applied, errors: found.errors };
    for (const { code } of repairs) counts.set(code, (counts.get(code) ?? 0) + 1);
    for (const [code, count] of counts) applied.set(code, (applied.get(code) ?? 0) + count);
    state ??= located.state;
    const next = path.join(job.folder, `${round}${path.extname(content)}`);
    versions.push(next);
    await writeVersion(next, current, located.edits);
    current = next;
  }
}

async function writeVersion(to: string, from: string, edits: readonly TextEdit[]): Promise<void> {
  const handle = await open(to, 'w');
  try {
    await writeBytes(handle, editedBytes(from, edits));
  } finally {
    await handle.close();
  }
}

interface FoundFixes {
  readonly records: ReadonlyMap<number, readonly (PlacedFix & { readonly code: string })[]>;
  readonly repairs: readonly { readonly code: string; readonly repair: FileRepair }[];
  readonly errors: number;
  /** Where records lie in the file's elements. */
  readonly nested: string | undefined;
}

async function collectFixes(job: FixJob, input: FixInput, version: string): Promise<FoundFixes | undefined> {
  const { options, runtime, shell } = job;
  const source = fileSource(version);
  const beside = input.content === undefined ? await runtime.accepted.beside(input.path) : undefined;
  const accepted = beside && acceptedIn(beside.list, path.basename(input.path));
  const found: Finding[] = [];
  let errors = 0;
  let nested: string | undefined;
  const { unfit, records } = await checkSource(
    source,
    (samples) => runtime.settingsOf(input.path, samples, overridesOf(options)),
    {
      ...(options.solutions !== 'off' && { runner: runtime.runner }),
      ...(options.pages !== 'off' && { documents: runtime.documents }),
    },
    {
      settings: ({ profile }) => void (nested = profile.records),
      findings(findings) {
        for (const finding of findings) {
          // What somebody decided to leave is left.
          if (accepted?.has(finding.fingerprint) === true) continue;
          if (finding.severity === 'error') errors++;
          // Those without a fix tell whether their record is mixed.
          if (finding.fixes.length > 0 || finding.code === MISMATCH) found.push(finding);
        }
      },
    },
    cancelOf(shell.stop),
  );
  if (source.problem !== undefined) {
    await fail(job, input.shown, source.problem);
    return undefined;
  }
  if (unfit !== undefined) {
    await tellUnfit(job, input, unfit, records > 0);
    return undefined;
  }
  const sorted = sortFixes(found.sort(byPlace), options.rule);
  const whole = options.rule.includes(WHOLE_FILE) ? found.find(({ code }) => code === WHOLE_FILE) : undefined;
  const conversion = whole && conversionFix(whole)?.conversion;
  if (conversion === undefined) return { ...sorted, errors, nested };
  return { ...sorted, records: await convertFile(job, input, version, conversion, sorted.records), errors, nested };
}

function overridesOf({ profile, solutions }: FixOptions): Parameters<Runtime['settingsOf']>[2] {
  return { ...(profile !== undefined && { profile }), ...(solutions !== undefined && { solutions }) };
}

/**
 * The rule on the boxes of a whole file stands on one record, and means all of them: those that can be read as it says are
 * converted. Where it is not known how large all of their pages are, none is: the file would be half converted.
 */
async function convertFile(
  job: FixJob,
  input: RecordFile,
  version: string,
  conversion: Conversion,
  others: FoundFixes['records'],
): Promise<FoundFixes['records']> {
  const { options, runtime, shell } = job;
  const { documents } = runtime;
  const records = new Map<number, readonly (PlacedFix & { readonly code: string })[]>();
  let unknown = 0;
  let settings: FileSettings | undefined;
  await checkSource(
    fileSource(version),
    (samples) => runtime.settingsOf(input.path, samples, { ...overridesOf(options), solutions: 'off' }),
    // Sizes are enough: what stands on the pages is not looked at again.
    { documents: { read: (request, cancel) => documents.read(request, cancel), dispose: () => Promise.resolve() } },
    {
      settings: (resolved) => void (settings = resolved),
      findings: () => undefined,
      record({ index, text }, { record }, { document }) {
        if (record === undefined || settings === undefined) return;
        const converted = convertBoxes(record, settings, document, conversion);
        if (converted.state === 'unknown') unknown++;
        if (converted.state !== 'converted') return;
        const fix = placeFix({ title: '', safe: false, edits: converted.edits }, text);
        if (fix !== undefined) records.set(index, [{ ...fix, code: WHOLE_FILE }]);
      },
    },
    cancelOf(shell.stop),
  );
  const left = new Map([...others].map(([index, fixes]) => [index, fixes.filter(({ code }) => code !== WHOLE_FILE)]));
  if (unknown > 0) {
    const which = `the pages of ${count(unknown, 'record', 'records')}`;
    await shell.err.write(
      `auditable-qa: ${oneLine(input.shown)}: boxes are not converted: the sizes of ${which} are not known, and the file would be half converted\n`,
    );
    return left;
  }
  for (const [index, fixes] of records) left.set(index, [...fixes, ...(left.get(index) ?? [])]);
  return left;
}

async function tellUnfit(job: FixJob, input: RecordFile, unfit: NoProfile, hasRecords: boolean): Promise<void> {
  if (job.options.profile !== undefined) throw new UsageError(unfit.message);
  if (input.explicit)
    await fail(
      job,
      input.shown,
      hasRecords ? unfitText(unfit, job.shell.installation) : 'holds no record that can be read',
    );
}

function sortFixes(found: readonly Finding[], codes: readonly string[]): Pick<FoundFixes, 'records' | 'repairs'> {
  const records = new Map<number, (PlacedFix & { code: string })[]>();
  const repairs: { code: string; repair: FileRepair }[] = [];
  const ofRecord = new Map<number | undefined, Finding[]>();
  for (const finding of found) {
    const index = finding.record?.index;
    ofRecord.set(index, [...(ofRecord.get(index) ?? []), finding]);
  }
  for (const finding of found) {
    const { code, record } = finding;
    if (codes.length > 0 && !codes.includes(code)) continue;
    const chosen =
      codes.length > 0 ? fixWithOthers(finding, ofRecord.get(record?.index) ?? []) : chosenFix(finding, false);
    if (chosen === undefined) continue;
    if (chosen.file !== undefined) repairs.push({ code, repair: chosen.file });
    else if (record !== null) {
      const own = records.get(record.index);
      if (own === undefined) records.set(record.index, [{ ...chosen, code }]);
      else own.push({ ...chosen, code });
    }
  }
  return { records, repairs };
}

const STYLES: Readonly<Record<DiffLine['kind'], Style>> = {
  head: 'bold',
  hunk: 'cyan',
  old: 'red',
  new: 'green',
  note: 'dim',
};

async function printDiff({ shell, paint }: FixJob, lines: AsyncIterable<DiffLine>): Promise<void> {
  for await (const { kind, text } of lines) await shell.out.write(`${paint(STYLES[kind], text)}\n`);
}

async function tellFixes(
  job: FixJob,
  { shown, content }: FixInput,
  applied: ReadonlyMap<string, number>,
): Promise<void> {
  const total = [...applied.values()].reduce((sum, count) => sum + count, 0);
  const codes = [...applied].sort(([a], [b]) => (a < b ? -1 : 1)).map(([code, count]) => `${code} ${count}`);
  const { out, err } = job.shell;
  await (content === undefined ? out : err).write(
    `${oneLine(shown)}: ${count(total, 'fix', 'fixes')} (${codes.join(', ')})\n`,
  );
}

async function tellSummary({ shell, options, changed, fixes, files, errors }: FixJob): Promise<void> {
  if (files === 0) return;
  const left = errors === 0 ? 'no error is left' : `${count(errors, 'error', 'errors')} left`;
  const done =
    changed === 0
      ? 'Nothing to fix'
      : options.write === true
        ? `${count(fixes, 'fix', 'fixes')} written in ${count(changed, 'file', 'files')}`
        : `${count(fixes, 'fix', 'fixes')} in ${count(changed, 'file', 'files')}, not written: --write does that`;
  await shell.err.write(`${done}; ${left}.\n`);
}

function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}
