/** Merges files by the ids of their records. Of a record, memory holds its place, its id and a hash; its text is read again when written. */
import { createHash } from 'node:crypto';
import { open, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import type { Stats } from 'node:fs';
import { differences } from '../../core/bulk/differences.ts';
import type { RecordField } from '../../core/bulk/field.ts';
import { idEdits } from '../../core/bulk/ids.ts';
import { lineEndIn, plainLayout } from '../../core/bulk/layout.ts';
import type { BulkLayout } from '../../core/bulk/layout.ts';
import { createMerge } from '../../core/bulk/merge.ts';
import type { MergedRecord, MergePlan, OnConflict, Taken } from '../../core/bulk/merge.ts';
import { onOneLine, withoutBlanks } from '../../core/bulk/one-line.ts';
import { createSoundReader } from '../../core/bulk/sound.ts';
import type { Kind, SoundRecord } from '../../core/bulk/sound.ts';
import { applyEdits } from '../../core/edit/edits.ts';
import { parseRecordText } from '../../core/text/parse.ts';
import { describeError } from '../files/errors.ts';
import { formOfName } from '../files/read.ts';
import { NotWritten, textOfBytes } from '../files/write.ts';
import { BrokenFile, isAbort } from './source.ts';
import type { BulkRun } from './source.ts';

export interface FileToMerge {
  /** Absolute. */
  readonly path: string;
  readonly id: RecordField;
}

/** What went wrong with one of the files. */
export class MergeProblem extends Error {
  readonly file: string;
  override readonly cause: NotWritten;
  constructor(file: string, cause: NotWritten) {
    super(cause.message);
    this.file = file;
    this.cause = cause;
  }
}

export interface Merging {
  readonly plan: MergePlan;
  /** The merged file. Throws MergeProblem where a file has changed since it was looked at. */
  bytes(): AsyncGenerator<Uint8Array>;
  /** To be called in any case. */
  close(): Promise<void>;
}

/** Differences of a conflict that are kept to be shown. */
const SHOWN_DIFFERENCES = 20;
const CHUNK_BYTES = 512 * 1024;
const PIECE = 256 * 1024;

interface OpenFile {
  readonly file: FileToMerge;
  readonly handle: FileHandle;
  readonly before: Stats;
  /** In bytes, by record. */
  readonly starts: number[];
  readonly lengths: number[];
}

/** Reads all files and decides; nothing is written yet. Throws MergeProblem. */
export async function mergeFiles(
  files: readonly FileToMerge[],
  to: Kind,
  onConflict: OnConflict,
  run: BulkRun,
): Promise<Merging> {
  const opened: OpenFile[] = [];
  const close = async (): Promise<void> => {
    for (const { handle } of opened) await handle.close();
  };
  const layouts: (BulkLayout | undefined)[] = [];
  const merge = createMerge(onConflict, {
    async compare(ours, theirs) {
      const [one, two] = [await textOf(opened, ours), await textOf(opened, theirs)];
      return differences(one, two, SHOWN_DIFFERENCES);
    },
  });
  try {
    for (const file of files) {
      await guarded(file.path, async () => {
        const handle = await open(file.path, 'r');
        const one: OpenFile = { file, handle, before: await handle.stat(), starts: [], lengths: [] };
        opened.push(one);
        if (!one.before.isFile()) throw new NotWritten('is no regular file');
        layouts.push(await index(one, opened.length - 1, merge.add, run));
        await mustBeSame(one);
      });
    }
  } catch (error) {
    await close();
    throw error;
  }
  const plan = merge.end();
  return { plan, bytes: () => mergedBytes(plan.taken, opened, layoutFor(to, layouts), run), close };
}

async function guarded(file: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (isAbort(error) || error instanceof MergeProblem) throw error;
    throw new MergeProblem(file, error instanceof NotWritten ? error : new NotWritten(describeError(error)));
  }
}

/** Where each record stands; gives the file's layout, undefined where it has too few records to show one. */
async function index(
  { file, handle, starts, lengths }: OpenFile,
  at: number,
  add: ReturnType<typeof createMerge>['add'],
  { stop, advanced }: BulkRun,
): Promise<BulkLayout | undefined> {
  const reader = createSoundReader(formOfName(file.path) ?? 'lines');
  let offset: number | undefined;
  let first: SoundRecord | undefined;
  let between: string | undefined;
  const take = async (records: readonly SoundRecord[]): Promise<void> => {
    for (const record of records) {
      const { slot, gap, text, value } = record;
      const lead = slot.text.indexOf(text);
      starts.push(offset! + Buffer.byteLength(gap) + Buffer.byteLength(slot.text.slice(0, lead)));
      lengths.push(Buffer.byteLength(text));
      offset! += Buffer.byteLength(gap) + Buffer.byteLength(slot.text);
      if (first === undefined) first = { ...record, text: '', value: {} };
      else between ??= gap;
      const merged: MergedRecord = { file: at, index: starts.length - 1, line: slot.line };
      await add(merged, file.id.of(value, text)?.text, hashOf(text));
    }
  };
  for await (const text of textOfBytes(chunks(handle))) {
    stop.throwIfAborted();
    advanced(Buffer.byteLength(text));
    offset ??= text.charCodeAt(0) === 0xfeff ? 3 : 0;
    const records = reader.push(text);
    // From there on positions would not be those of the file; what is wrong is told at its end.
    if (!reader.failed) await take(records);
  }
  const end = reader.end();
  if (end.problems.length > 0) throw new BrokenFile(end.problems);
  await take(end.records);
  if (first === undefined) return undefined;
  const lineEnd = lineEndIn(first.gap + first.slot.text + (between ?? end.rest)) ?? '\n';
  if (end.kind === 'lines') return plainLayout('lines', lineEnd, true);
  if (between === undefined) return undefined;
  const open = first.gap.replace(/^[^[]*/, '');
  return { kind: 'array', open, between, close: end.rest, empty: '[]' };
}

/** That of the first file where all files are arrays and an array is to be written; else one record on a line. */
function layoutFor(to: Kind, layouts: readonly (BulkLayout | undefined)[]): BulkLayout {
  const known = layouts.filter((layout) => layout !== undefined);
  const [first] = known;
  if (first?.kind === to && known.every(({ kind }) => kind === to)) return first;
  return plainLayout(to, lineEndIn(first?.between ?? '') ?? '\n', true);
}

async function* mergedBytes(
  taken: readonly Taken[],
  opened: readonly OpenFile[],
  { kind, open: begin, between, close, empty }: BulkLayout,
  { stop }: BulkRun,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let waiting = taken.length === 0 ? empty : begin;
  for (const [at, { record, id }] of taken.entries()) {
    stop.throwIfAborted();
    let text = await textOf(opened, record);
    if (id !== undefined) text = withId(text, opened[record.file]!.file, id);
    waiting += (at === 0 ? '' : between) + (kind === 'lines' ? onOneLine(text) : text);
    if (waiting.length < PIECE) continue;
    yield encoder.encode(waiting);
    waiting = '';
  }
  for (const one of opened) await guarded(one.file.path, () => mustBeSame(one));
  yield encoder.encode(waiting + (taken.length === 0 ? '' : close));
}

function withId(text: string, { path, id: field }: FileToMerge, id: string): string {
  const value = parseRecordText(text).value;
  const old = value && field.of(value, text);
  const edits = old && idEdits(text, old.pointer, old.raw, id);
  if (edits === undefined)
    throw new MergeProblem(path, new NotWritten(`has a record that cannot be given the id ${id}`));
  return applyEdits(text, edits);
}

/** By name, since the handle goes on to show a file that was replaced. */
async function mustBeSame({ file, before }: OpenFile): Promise<void> {
  const now = await stat(file.path);
  if (now.size !== before.size || now.mtimeMs !== before.mtimeMs || now.ino !== before.ino) {
    throw new NotWritten('changed while it was read');
  }
}

async function textOf(opened: readonly OpenFile[], { file, index: at }: MergedRecord): Promise<string> {
  const { handle, starts, lengths } = opened[file]!;
  const bytes = Buffer.alloc(lengths[at]!);
  for (let read = 0; read < bytes.length;) {
    const { bytesRead } = await handle.read(bytes, read, bytes.length - read, starts[at]! + read);
    if (bytesRead === 0) throw new MergeProblem(opened[file]!.file.path, new NotWritten('changed while it was read'));
    read += bytesRead;
  }
  return bytes.toString('utf8');
}

async function* chunks(handle: FileHandle): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(CHUNK_BYTES);
  for (let position = 0; ;) {
    const { bytesRead } = await handle.read(buffer, 0, CHUNK_BYTES, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(withoutBlanks(text)).digest('base64').slice(0, 32);
}
