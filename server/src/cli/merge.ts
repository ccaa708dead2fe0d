import path from 'node:path';
import type { MergeConflict, MergedRecord, MergePlan, OnConflict } from '../core/bulk/merge.ts';
import { mergeFiles, MergeProblem } from '../node/bulk/merge.ts';
import type { FileToMerge } from '../node/bulk/merge.ts';
import { writeNewFile } from '../node/bulk/new-file.ts';
import { formOfName } from '../node/files/read.ts';
import { count, fieldOf, openBulkShell } from './bulk-shell.ts';
import type { BulkShell, RecognitionOptions } from './bulk-shell.ts';
import { openRuntime } from './check.ts';
import type { Shell } from './job.ts';
import { oneLine } from './output.ts';
import { UsageError } from './usage.ts';

export interface MergeOptions extends RecognitionOptions {
  readonly output: string;
  readonly onConflict: OnConflict;
  readonly force?: boolean;
}

/** Conflicts that are listed, and differences of each. */
const LISTED = 20;
const DIFFERENCES = 5;

/** Gives the exit code: 0 merged, 1 not merged because of conflicts, 2 could not be done. */
export async function merge(given: readonly string[], options: MergeOptions, shell: Shell): Promise<number> {
  if (given.includes('-')) throw new UsageError('merge reads its files twice; standard input can be read once.');
  if (given.length < 2) throw new UsageError('Name the files to merge, two or more.');
  const paths = given.map((one) => path.resolve(shell.cwd, one));
  const twice = paths.find((one, at) => paths.indexOf(one) !== at);
  const bulk = await openBulkShell(shell, paths);
  if (twice !== undefined) throw new UsageError(`${bulk.shown(twice)} is named twice.`);
  const target = path.resolve(shell.cwd, options.output);
  const runtime = await openRuntime(options, shell);
  try {
    const files: FileToMerge[] = [];
    for (const file of paths) files.push({ path: file, id: await fieldOf(options.id ?? 'id', file, runtime, options) });
    const to = formOfName(target) === 'json' ? 'array' : 'lines';
    const merging = await mergeFiles(files, to, options.onConflict, bulk.run);
    bulk.progress.pause();
    try {
      await tellConflicts(merging.plan, paths, bulk, shell);
      if (merging.plan.conflictCount > 0 && options.onConflict === 'stop') {
        await bulk.note(
          `nothing is written: ${count(merging.plan.conflictCount, 'conflict')}; --on-conflict first, last or keep-both settles them`,
        );
        return 1;
      }
      await writeNewFile(target, merging.bytes(), options.force === true);
      await tellDone(merging.plan, target, options, bulk);
      return 0;
    } finally {
      await merging.close();
    }
  } catch (error) {
    if (error instanceof MergeProblem) return await bulk.refused(error.cause, error.file, target);
    return await bulk.refused(error, target, target);
  } finally {
    await runtime.dispose();
  }
}

async function tellConflicts(plan: MergePlan, paths: readonly string[], bulk: BulkShell, shell: Shell): Promise<void> {
  const place = ({ file, line }: MergedRecord): string => `${oneLine(bulk.shown(paths[file]!))}:${line + 1}`;
  for (const { id, ours, theirs, differences } of plan.conflicts.slice(0, LISTED)) {
    const said = `record “${oneLine(id)}” differs in ${count(differences.total, 'value')}`;
    await shell.out.write(`${place(ours)} and ${place(theirs)}: ${said}\n${differenceLines(differences)}`);
  }
  const more = plan.conflictCount - Math.min(plan.conflicts.length, LISTED);
  if (more > 0) await shell.out.write(`and ${count(more, 'more conflict')}\n`);
}

function differenceLines({ first, total }: MergeConflict['differences']): string {
  const lines = first.slice(0, DIFFERENCES).map(({ pointer, ours, theirs }) => {
    return `    ${oneLine(pointer === '' ? 'the record' : pointer)}: ${shownValue(ours)} → ${shownValue(theirs)}\n`;
  });
  return lines.join('') + (total > lines.length ? `    and ${count(total - lines.length, 'more value')}\n` : '');
}

function shownValue(token: string | null): string {
  return token === null ? 'absent' : oneLine(token);
}

const SETTLED: Readonly<Record<Exclude<OnConflict, 'stop'>, string>> = {
  first: 'settled by the first file',
  last: 'settled by the last file',
  'keep-both': 'kept with new ids',
};

async function tellDone(plan: MergePlan, target: string, { onConflict }: MergeOptions, bulk: BulkShell): Promise<void> {
  const parts = [`${count(plan.taken.length, 'record')} written`];
  if (plan.repeated > 0) parts.push(`${count(plan.repeated, 'repeated record')} left out`);
  if (plan.conflictCount > 0 && onConflict !== 'stop') {
    parts.push(`${count(plan.conflictCount, 'conflict')} ${SETTLED[onConflict]}`);
  }
  await bulk.note(`${bulk.shown(target)}: ${parts.join(', ')}`);
}
