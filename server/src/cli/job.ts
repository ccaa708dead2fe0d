import type { RuleLevel } from '../../../schemas/report.ts';
import type { RecordFile } from '../node/files/walk.ts';
import type { FilePart } from '../node/jobs/join.ts';
import type { Shard } from '../node/jobs/messages.ts';
import type { Crew } from '../node/jobs/crew.ts';
import type { Runtime } from '../node/runtime.ts';
import { oneLine } from './output.ts';
import type { Output } from './output.ts';
import type { Printer } from './printer.ts';
import type { Progress } from './progress.ts';
import type { SolutionCounts, Totals } from './report.ts';
import type { Sieves } from './sieve.ts';

export const FORMATS = ['text', 'json', 'sarif', 'junit', 'github'] as const;
export type Format = (typeof FORMATS)[number];

export interface CheckOptions {
  /** `run` knows the first two. */
  readonly format: Format;
  readonly solutions?: 'sandbox' | 'python' | 'off';
  /** `check` only. */
  readonly pages?: 'on' | 'off';
  readonly config?: string;
  readonly profile?: string;
  readonly rule: Readonly<Record<string, RuleLevel>>;
  /** 0: all. */
  readonly maxFindings: number;
  readonly jobs?: number;
  /** Folder in which results of solutions are kept. */
  readonly cache?: string;
  /** `check` only: path of the findings that are known. */
  readonly baseline?: string;
  /** `check` only: a git revision; records that have not changed since are not told of. */
  readonly changedSince?: string;
  /** `check` only: the part of the records that is checked. */
  readonly shard?: Shard;
  /** `merge-reports` only: what was found already. */
  readonly merged?: Merged;
}

/** Reports of shards, file by file. */
export interface Merged {
  /** Files that the shards have met, as they are told; in order. */
  readonly inputs: readonly string[];
  /** Of all shards. */
  readonly solutions: SolutionCounts;
  /** What they tell of a file that is still the same. Rejects with a usage error where it is not. */
  partsOf(shown: string, file: string): Promise<readonly FilePart[]>;
  /** What kept it from being read whole. */
  problemOf(shown: string): string | undefined;
}

export interface Installation {
  /** Folder with the built worker and sandbox. */
  readonly distFolder: string;
  /** The PDF worker where it does not lie in `distFolder`. */
  readonly pdfWorker?: URL;
  /** The same for the worker that cuts crops. */
  readonly cropWorker?: URL;
  /** The program itself, where its threads start; absent: it has none. */
  readonly entry?: URL;
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

export type Mode = 'check' | 'run';

/** Standard input, or a file. */
export type Input = RecordFile | 'stdin';

/** One invocation at work. */
export interface Job {
  readonly options: CheckOptions;
  readonly shell: Shell;
  readonly mode: Mode;
  readonly runtime: Runtime;
  /** Absent: one record is checked after the other. */
  readonly crew: Crew | undefined;
  readonly printer: Printer;
  readonly sieves: Sieves;
  readonly totals: Totals;
  readonly progress: Progress;
  /** Configurations whose faults were told, by path. */
  readonly toldConfigurations: Set<string>;
  /** At least one file was what was asked for. */
  anyFile: boolean;
  /** Something could not be done; the rest was. */
  failed: boolean;
}

/** Something could not be done: a line on standard error, and the exit code will be 2. */
export async function fail(job: Job, shown: string, message: string): Promise<void> {
  job.failed = true;
  await note(job, shown, message);
}

export async function note(job: Job, shown: string, message: string): Promise<void> {
  job.progress.pause();
  await job.shell.err.write(`auditable-qa: ${oneLine(shown)}: ${oneLine(message)}\n`);
}
