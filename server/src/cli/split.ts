import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { idsOfList } from '../core/bulk/split.ts';
import { PartExists, splitFile } from '../node/bulk/split.ts';
import type { SplitBy } from '../node/bulk/split.ts';
import { fileToRead } from '../node/bulk/source.ts';
import { describeError } from '../node/files/errors.ts';
import type { Runtime } from '../node/runtime.ts';
import { count, fieldOf, openBulkShell } from './bulk-shell.ts';
import type { RecognitionOptions } from './bulk-shell.ts';
import { openRuntime } from './check.ts';
import type { Shell } from './job.ts';
import { oneLine } from './output.ts';
import { UsageError } from './usage.ts';

export interface SplitOptions extends RecognitionOptions {
  readonly by?: string;
  readonly count?: number;
  readonly ids?: string;
  readonly output: string;
  readonly force?: boolean;
}

/** Ids without a record that are listed. */
const LISTED = 10;

/** Gives the exit code: 0 split, 1 split but ids of the list have no record, 2 nothing was written. */
export async function split(given: string, options: SplitOptions, shell: Shell): Promise<number> {
  if (given === '-') throw new UsageError('split works on files; standard input has no name for its parts.');
  const file = path.resolve(shell.cwd, given);
  const folder = path.resolve(shell.cwd, options.output);
  const bulk = await openBulkShell(shell, [file]);
  const runtime = await openRuntime(options, shell);
  try {
    const by = await splitBy(file, options, shell, runtime);
    const target = { folder, name: path.basename(file), replace: options.force === true };
    const { files, records, missing } = await splitFile(fileToRead(file, bulk.run), by, target);
    bulk.progress.pause();
    for (const part of files) {
      await shell.out.write(`${oneLine(bulk.shown(part.path))}: ${count(part.records, 'record')}\n`);
    }
    await bulk.note(`${bulk.shown(file)}: ${count(records, 'record')} written in ${count(files.length, 'file')}`);
    if (missing.length === 0) return 0;
    const listed = missing.slice(0, LISTED).join(', ') + (missing.length > LISTED ? ', …' : '');
    await bulk.note(`${bulk.shown(file)}: ${count(missing.length, 'id')} of the list not found: ${listed}`);
    return 1;
  } catch (error) {
    return await bulk.refused(error, file, error instanceof PartExists ? error.file : folder);
  } finally {
    await runtime.dispose();
  }
}

async function splitBy(file: string, options: SplitOptions, { cwd }: Shell, runtime: Runtime): Promise<SplitBy> {
  const given = [options.by, options.count, options.ids].filter((one) => one !== undefined);
  if (given.length !== 1) throw new UsageError('Say by what to split: one of --by FIELD, --count N, --ids FILE.');
  if (options.count !== undefined) return { kind: 'count', count: options.count };
  if (options.by !== undefined) return { kind: 'field', field: await fieldOf(options.by, file, runtime, options) };
  const ids = new Set(idsOfList(await readList(path.resolve(cwd, options.ids!), options.ids!)));
  if (ids.size === 0) throw new UsageError(`The list ${options.ids!} holds no id.`);
  return { kind: 'ids', ids, field: await fieldOf(options.id ?? 'id', file, runtime, options) };
}

async function readList(file: string, shown: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new UsageError(`The list ${shown} ${describeError(error)}.`);
  }
}
