/** Files made of files: converted, split, merged. Nothing that is there already is written over. */
import { basename, dirname, join } from 'node:path';
import { URI } from 'vscode-uri';
import type { BulkConflict, BulkMade, BulkMake } from '../../../../schemas/bulk.ts';
import type { RecordField } from '../../core/bulk/field.ts';
import { recordField } from '../../core/bulk/field.ts';
import type { MergeConflict, MergePlan } from '../../core/bulk/merge.ts';
import { convertedBytes } from '../../node/bulk/convert.ts';
import { mergeFiles, MergeProblem } from '../../node/bulk/merge.ts';
import type { FileToMerge } from '../../node/bulk/merge.ts';
import { Exists, writeNewFile } from '../../node/bulk/new-file.ts';
import { BrokenFile, fileToRead } from '../../node/bulk/source.ts';
import type { BulkRun } from '../../node/bulk/source.ts';
import { PartExists, splitFile } from '../../node/bulk/split.ts';
import type { SplitBy } from '../../node/bulk/split.ts';
import { formOfName, sizeOfFile } from '../../node/files/read.ts';
import { NotWritten } from '../../node/files/write.ts';
import type { ServerRuntime } from '../runtime.ts';
import type { BulkWork } from './bulk-edits.ts';

export interface BulkFilesHost {
  readonly runtime: Pick<ServerRuntime, 'firstRecords' | 'settingsOf'>;
  pathOf(uri: string): string | undefined;
}

const SAMPLES = 1000;
const SHOWN_CONFLICTS = 200;
const LISTED_IDS = 10;
const NO_FILE: BulkMade = { kind: 'problem', message: 'This is no file on a disk.' };

/** Thrown inside, caught at the border; the message is a sentence. */
class Refused extends Error {}

export async function makeFiles(make: BulkMake, host: BulkFilesHost, work: BulkWork): Promise<BulkMade> {
  const sources = (make.kind === 'merge' ? make.uris : [make.uri]).map(host.pathOf);
  const target = host.pathOf(make.kind === 'split' ? make.folder : make.target);
  if (target === undefined || sources.some((path) => path === undefined)) return NO_FILE;
  const paths = sources as readonly string[];
  const run = await runOf(paths, work);
  try {
    if (make.kind === 'convert') return await convert(paths[0]!, make.to, target, run);
    if (make.kind === 'split') return await split(paths[0]!, make.by, target, host, run);
    return await merge(paths, make.onConflict, target, host, run);
  } catch (error) {
    return problemOf(error, paths[0]!, target);
  }
}

async function runOf(paths: readonly string[], { stop, progress }: BulkWork): Promise<BulkRun> {
  let total = 0;
  for (const path of paths) total += await sizeOfFile(path);
  let done = 0;
  return {
    stop,
    advanced(bytes) {
      done += bytes;
      progress(total === 0 ? 1 : Math.min(1, done / total));
    },
  };
}

async function convert(path: string, to: 'jsonl' | 'json', target: string, run: BulkRun): Promise<BulkMade> {
  let records = 0;
  const bytes = convertedBytes(
    fileToRead(path, run),
    to === 'jsonl' ? 'lines' : 'array',
    (done) => ({ records } = done),
  );
  await writeNewFile(target, bytes, false);
  return { kind: 'made', files: [{ uri: uriOf(target), records }], notes: [] };
}

async function split(
  path: string,
  by: Extract<BulkMake, { kind: 'split' }>['by'],
  folder: string,
  host: BulkFilesHost,
  run: BulkRun,
): Promise<BulkMade> {
  const target = { folder, name: basename(path), replace: false };
  const { files, missing } = await splitFile(fileToRead(path, run), await splitBy(path, by, host), target);
  const notes: string[] = [];
  if (missing.length > 0) {
    const listed = missing.slice(0, LISTED_IDS).join(', ') + (missing.length > LISTED_IDS ? ', …' : '');
    notes.push(`${missing.length} of the ids are not in the file: ${listed}.`);
  }
  return { kind: 'made', files: files.map((file) => ({ uri: uriOf(file.path), records: file.records })), notes };
}

async function splitBy(
  path: string,
  by: Extract<BulkMake, { kind: 'split' }>['by'],
  host: BulkFilesHost,
): Promise<SplitBy> {
  if (by.kind === 'count') return by;
  if (by.kind === 'field') return { kind: 'field', field: await fieldOf(by.field, path, host) };
  return { kind: 'ids', ids: new Set(by.ids), field: await fieldOf('id', path, host) };
}

async function fieldOf(name: string, path: string, { runtime }: BulkFilesHost): Promise<RecordField> {
  const settings = await runtime.settingsOf(path, await runtime.firstRecords(path, SAMPLES), {});
  const field = recordField(name, settings);
  if (typeof field === 'string') throw new Refused(field);
  return field;
}

async function merge(
  paths: readonly string[],
  onConflict: Extract<BulkMake, { kind: 'merge' }>['onConflict'],
  target: string,
  host: BulkFilesHost,
  run: BulkRun,
): Promise<BulkMade> {
  const files: FileToMerge[] = [];
  for (const path of paths) files.push({ path, id: await fieldOf('id', path, host) });
  const merging = await mergeFiles(files, formOfName(target) === 'json' ? 'array' : 'lines', onConflict, run);
  try {
    const { plan } = merging;
    if (onConflict === 'stop' && plan.conflictCount > 0) {
      const first = plan.conflicts.slice(0, SHOWN_CONFLICTS).map((conflict) => conflictOf(conflict, paths));
      return { kind: 'conflicts', total: plan.conflictCount, first };
    }
    await writeNewFile(target, merging.bytes(), false);
    return { kind: 'made', files: [{ uri: uriOf(target), records: plan.taken.length }], notes: notesOf(plan) };
  } finally {
    await merging.close();
  }
}

function conflictOf({ id, ours, theirs, differences }: MergeConflict, paths: readonly string[]): BulkConflict {
  return {
    id,
    ours: { uri: uriOf(paths[ours.file]!), line: ours.line },
    theirs: { uri: uriOf(paths[theirs.file]!), line: theirs.line },
    differences: differences.first,
    total: differences.total,
  };
}

function notesOf({ repeated, conflictCount }: MergePlan): string[] {
  const notes: string[] = [];
  if (repeated > 0) notes.push(`${repeated} repeated ${repeated === 1 ? 'record was' : 'records were'} left out.`);
  if (conflictCount > 0)
    notes.push(`${conflictCount} ${conflictCount === 1 ? 'conflict was' : 'conflicts were'} settled.`);
  return notes;
}

function problemOf(error: unknown, source: string, target: string): BulkMade {
  if (error instanceof Refused) return { kind: 'problem', message: error.message };
  if (error instanceof MergeProblem) return problemOf(error.cause, error.file, target);
  if (error instanceof Exists) {
    const there = error instanceof PartExists ? error.file : target;
    return {
      kind: 'problem',
      message: `${join(basename(dirname(there)), basename(there))} exists already: nothing was written.`,
    };
  }
  if (error instanceof BrokenFile) {
    const [first] = error.problems;
    const others = error.problems.length > 1 ? ` ${error.problems.length} faults in all.` : '';
    return {
      kind: 'problem',
      message: `${basename(source)}, line ${first!.line + 1}: ${first!.message}${others} Nothing was written.`,
      at: { uri: uriOf(source), line: first!.line },
    };
  }
  if (error instanceof NotWritten) return { kind: 'problem', message: `${basename(source)} ${error.message}.` };
  throw error;
}

function uriOf(path: string): string {
  return URI.file(path).toString();
}
