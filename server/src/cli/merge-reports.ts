/** `merge-reports`: what the shards of a check have found, as if one process had checked all of it. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Report, ReportShard, ReportShardFile } from '../../../schemas/report.ts';
import { describeError } from '../node/files/errors.ts';
import { contentVersion } from '../node/files/version.ts';
import type { ContentVersion } from '../node/files/version.ts';
import { checkWith } from './check.ts';
import { createFileOutput } from './file-output.ts';
import type { Format, Merged, Shell } from './job.ts';
import { manifestOf } from './manifest.ts';
import { createPrinter } from './printers.ts';
import { partOf } from './shard-report.ts';
import { UsageError } from './usage.ts';

export interface MergeReportsOptions {
  readonly format: Format;
  /** Absent: standard output. */
  readonly output?: string;
  readonly baseline?: string;
  /** 0: all. */
  readonly maxFindings: number;
}

interface ShardReport {
  /** As on the command line. */
  readonly name: string;
  readonly report: Report;
  readonly shard: ReportShard;
}

/** Gives the exit code that the whole check would have given. */
export async function mergeReports(
  names: readonly string[],
  options: MergeReportsOptions,
  shell: Shell,
): Promise<number> {
  const reports: ShardReport[] = [];
  for (const name of names) reports.push(await readReport(name, shell.cwd));
  const first = fittingReports(reports, manifestOf(shell.installation).version);
  const { format, output, baseline, maxFindings } = options;
  const file = output === undefined ? undefined : await createFileOutput(output, shell.cwd);
  try {
    const printer = createPrinter({ format, maxFindings }, file === undefined ? shell : { ...shell, out: file.out });
    const exitCode = await checkWith(
      first.paths,
      {
        ...first.options,
        format,
        maxFindings,
        jobs: 1,
        ...(baseline !== undefined && { baseline }),
        merged: mergedOf(reports),
      },
      shell,
      'check',
      printer,
    );
    await file?.done();
    return exitCode;
  } catch (error) {
    await file?.drop();
    throw error;
  }
}

async function readReport(name: string, cwd: string): Promise<ShardReport> {
  let text: string;
  try {
    text = await readFile(path.resolve(cwd, name), 'utf8');
  } catch (error) {
    throw new UsageError(`The report ${name} ${describeError(error)}.`);
  }
  let report: Report;
  try {
    report = JSON.parse(text) as Report;
  } catch {
    throw new UsageError(
      `${name} is no whole report: its JSON does not end where it should. Was its shard stopped? Check that shard again.`,
    );
  }
  const shard = report?.shard ?? undefined;
  if (shard === undefined || !Array.isArray(report.files)) {
    throw new UsageError(`${name} is no report of a shard; auditable-qa check --shard I/N writes them.`);
  }
  return { name, report, shard };
}

/** Whether all shards are there once, of one check. Gives what they have in common. */
function fittingReports(reports: readonly ShardReport[], version: string): ReportShard {
  const [first, ...others] = reports;
  if (first === undefined) throw new UsageError('There is no report to be merged.');
  const { of, program } = first.shard;
  if (program !== version) {
    throw new UsageError(`${first.name} was made by version ${program}; this is version ${version}.`);
  }
  for (const other of others) tellDifference(first, other);
  const byNumber = new Map<number, string>();
  for (const { name, shard } of reports) {
    const before = byNumber.get(shard.number);
    if (before !== undefined) throw new UsageError(`${before} and ${name} are both of shard ${shard.number}/${of}.`);
    byNumber.set(shard.number, name);
  }
  const missing = Array.from({ length: of }, (_, i) => i + 1).filter((number) => !byNumber.has(number));
  if (missing.length > 0) {
    const list = missing.map((number) => `${number}/${of}`).join(', ');
    throw new UsageError(`The report of shard ${list} is missing; without it nothing is told.`);
  }
  return first.shard;
}

function tellDifference(a: ShardReport, b: ShardReport): void {
  const fail = (what: string, one: unknown, other: unknown): never => {
    throw new UsageError(
      `${a.name} and ${b.name} are not of one check: ${what} is ${wordOf(one)} in the first and ${wordOf(other)} in the second.`,
    );
  };
  const [one, other] = [a.shard, b.shard];
  if (one.program !== other.program) fail('the version of the program', one.program, other.program);
  if (one.of !== other.of) fail('the number of shards', one.of, other.of);
  if (isOther(one.paths, other.paths)) fail('the list of paths', one.paths, other.paths);
  for (const key of ['solutions', 'pages', 'config', 'profile', 'rule', 'changedSince'] as const) {
    const [mine, yours] = [one.options[key], other.options[key]];
    if (isOther(mine, yours)) fail(`--${key === 'changedSince' ? 'changed-since' : key}`, mine, yours);
  }
  for (const [x, y, reports] of [
    [one, other, [a.name, b.name]],
    [other, one, [b.name, a.name]],
  ] as const) {
    const lacking = x.inputs.find((input) => !y.inputs.includes(input));
    if (lacking !== undefined) {
      throw new UsageError(`${a.name} and ${b.name} are not of one check: ${reports[1]} knows no ${lacking}.`);
    }
  }
}

function isOther(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) !== JSON.stringify(other);
}

function wordOf(value: unknown): string {
  return value === undefined ? 'not given' : typeof value === 'string' ? value : JSON.stringify(value);
}

function mergedOf(reports: readonly ShardReport[]): Merged {
  const solutions = { run: 0, passed: 0, failed: 0, skipped: 0 };
  for (const { report } of reports) {
    for (const key of ['run', 'passed', 'failed', 'skipped'] as const) solutions[key] += report.solutions[key];
  }
  const byPath = reports.map(({ name, report }) => ({
    name,
    files: new Map(report.files.map((file) => [file.path, file])),
  }));
  return {
    inputs: reports[0]!.shard.inputs,
    solutions,
    async partsOf(shown, file) {
      const parts = byPath.flatMap(({ name, files }) => {
        const one = files.get(shown);
        return one?.shard === undefined ? [] : [{ name, file: one, shard: one.shard }];
      });
      if (parts.length === 0) return [];
      if (parts.length < byPath.length) {
        const { name } = byPath.find(({ files }) => !files.has(shown))!;
        throw new UsageError(`${name} does not have ${shown}, as the other reports do.`);
      }
      const now = await versionOf(shown, file);
      for (const { name, shard } of parts) tellChange(shown, name, shard, now);
      return parts.map(({ name, file: one, shard }) => partOf(name, one, shard));
    },
    problemOf: (shown) =>
      byPath.map(({ files }) => files.get(shown)?.shard?.problem).find((problem) => problem !== undefined),
  };
}

async function versionOf(shown: string, file: string): Promise<ContentVersion> {
  try {
    return await contentVersion(file);
  } catch (error) {
    throw new UsageError(`${shown} ${describeError(error)}; merging needs the record files that were checked.`);
  }
}

function tellChange(shown: string, report: string, shard: ReportShardFile, now: ContentVersion): void {
  if (shard.bytes === now.bytes && shard.sha256 === now.sha256) return;
  const sizes = shard.bytes === now.bytes ? '' : `: it had ${shard.bytes} bytes and has ${now.bytes} now`;
  throw new UsageError(`${shown} is not the file that the shard of ${report} has checked${sizes}.`);
}
