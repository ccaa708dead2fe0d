/** What the bulk commands share: how files are named, how faults are told, how work is stopped. */
import path from 'node:path';
import type { RecordField } from '../core/bulk/field.ts';
import { recordField } from '../core/bulk/field.ts';
import type { Unsound } from '../core/bulk/sound.ts';
import { Exists } from '../node/bulk/new-file.ts';
import { BrokenFile } from '../node/bulk/source.ts';
import type { BulkRun } from '../node/bulk/source.ts';
import { sizeOfFile } from '../node/files/read.ts';
import { isOwnFile, showPath } from '../node/files/walk.ts';
import { NotWritten } from '../node/files/write.ts';
import type { Runtime } from '../node/runtime.ts';
import type { Shell } from './job.ts';
import { oneLine } from './output.ts';
import { createProgress } from './progress.ts';
import type { Progress } from './progress.ts';
import { UsageError } from './usage.ts';

export interface RecognitionOptions {
  /** Key or JSON pointer. */
  readonly id?: string;
  readonly config?: string;
  readonly profile?: string;
}

/** Faults that are listed of one file; all are counted. */
const LISTED = 20;
const SAMPLES = 1000;

export interface BulkShell {
  readonly run: BulkRun;
  readonly progress: Progress;
  /** A path as it is told to people. */
  shown(file: string): string;
  note(text: string): Promise<void>;
  /**
   * Tells what kept a file from being made and gives the exit code 2. What is no such reason is thrown on, and so is a stop.
   * @param source absolute path that faults belong to @param target absolute path that was to be written
   */
  refused(error: unknown, source: string, target: string): Promise<number>;
}

export async function openBulkShell(shell: Shell, files: readonly string[]): Promise<BulkShell> {
  let total = 0;
  for (const file of files) {
    if (isOwnFile(file)) {
      throw new UsageError(`${showPath(file, shell.cwd)} belongs to the program and is no record file.`);
    }
    total += await sizeOfFile(file);
  }
  const progress = createProgress(process.stderr, total);
  const shown = (file: string): string => showPath(file, shell.cwd);
  const note = (text: string): Promise<void> => {
    progress.pause();
    return shell.err.write(`auditable-qa: ${oneLine(text)}\n`);
  };
  return {
    run: { stop: shell.stop, advanced: (bytes) => progress.advance(bytes) },
    progress,
    shown,
    note,
    async refused(error, source, target) {
      progress.pause();
      shell.stop.throwIfAborted();
      if (!(error instanceof NotWritten)) throw error;
      if (error instanceof Exists) await note(`${shown(target)}: exists already; --force replaces it`);
      else if (error instanceof BrokenFile) await tellProblems(error.problems, shown(source), note);
      else await note(`${shown(source)}: ${error.message}`);
      return 2;
    },
  };
}

async function tellProblems(
  problems: readonly Unsound[],
  shown: string,
  note: (text: string) => Promise<void>,
): Promise<void> {
  for (const { line, index, message } of problems.slice(0, LISTED)) {
    await note(`${shown}:${line + 1}: ${message}${index === null ? '' : ` [record ${index + 1}]`}`);
  }
  const more = problems.length - LISTED;
  const others = more > 0 ? `, of which ${LISTED} are listed` : '';
  await note(`${shown}: nothing is written: ${count(problems.length, 'fault')}${others} must be repaired first`);
}

/** The field of that name in a file's records. */
export async function fieldOf(
  name: string,
  file: string,
  runtime: Runtime,
  { profile }: RecognitionOptions,
): Promise<RecordField> {
  const samples = await runtime.firstRecords(file, SAMPLES);
  const settings = await runtime.settingsOf(file, samples, { rules: {}, ...(profile !== undefined && { profile }) });
  if (profile !== undefined && !('profile' in settings)) throw new UsageError(settings.message);
  const field = recordField(name, settings);
  if (typeof field === 'string') throw new UsageError(`${path.basename(file)}: ${field}`);
  return field;
}

export function count(number: number, noun: string): string {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
}
