/** Splits a file into several, record by record, in the layout of the file. */
import { randomBytes } from 'node:crypto';
import { appendFile, copyFile, link, lstat, mkdir, open, rename, rm, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import type { RecordField } from '../../core/bulk/field.ts';
import { isEnded, lineEndIn, plainLayout } from '../../core/bulk/layout.ts';
import { createSoundReader } from '../../core/bulk/sound.ts';
import type { SoundEnd, SoundRecord } from '../../core/bulk/sound.ts';
import { createSplitNames, partName } from '../../core/bulk/split.ts';
import { errorCode } from '../files/errors.ts';
import { NotWritten, notWritten, prefixOf, removeLeftovers, syncFolder } from '../files/write.ts';
import { exists, Exists, giveName } from './new-file.ts';
import { BrokenFile } from './source.ts';
import type { BulkSource } from './source.ts';

export type SplitBy =
  /** One file for each value of the field, and one for records without it. */
  | { readonly kind: 'field'; readonly field: RecordField }
  /** So many records in each file but the last. */
  | { readonly kind: 'count'; readonly count: number }
  /** The records of these ids, and the others. */
  | { readonly kind: 'ids'; readonly ids: ReadonlySet<string>; readonly field: RecordField };

export interface SplitFile {
  /** Absolute. */
  readonly path: string;
  readonly records: number;
}

export interface SplitDone {
  readonly files: readonly SplitFile[];
  readonly records: number;
  /** Ids that no record has. */
  readonly missing: readonly string[];
}

export interface SplitTarget {
  /** Absolute; made where it is not there. */
  readonly folder: string;
  /** The name of the file that is split: those of its parts follow from it. */
  readonly name: string;
  readonly replace: boolean;
}

/** A file of that name is there already; `file` is its absolute path. */
export class PartExists extends Exists {
  readonly file: string;
  constructor(file: string) {
    super();
    this.file = file;
  }
}

/** Texts that wait to be written, in UTF-16 units, over all parts. */
const MOST_WAITING = 4 * 1024 * 1024;

/**
 * All parts are written in a hidden folder first and get their names when all are complete. Throws BrokenFile and NotWritten; then no
 * part is there. Memory holds a few MB of texts and the parts' names.
 */
export async function splitFile(source: BulkSource, by: SplitBy, target: SplitTarget): Promise<SplitDone> {
  const isNew = !(await exists(target.folder));
  const beside = isNew ? target.folder : path.join(target.folder, target.name);
  const hidden = `${prefixOf(beside)}${process.pid}-${randomBytes(6).toString('hex')}.tmp`;
  try {
    await mkdir(hidden, { recursive: true });
    await removeLeftovers(beside);
    const parts = createParts(hidden);
    const { end, missing } = await distribute(source, by, parts);
    const files = namedParts(await parts.end(end), by, target);
    await publish(files, hidden, target, isNew);
    return {
      files: files.map(({ name, records }) => ({ path: path.join(target.folder, name), records })),
      records: files.reduce((sum, { records }) => sum + records, 0),
      missing,
    };
  } catch (error) {
    throw error instanceof NotWritten || errorCode(error) === undefined || (error as Error).name === 'AbortError'
      ? error
      : notWritten(error);
  } finally {
    // Where it could not be made there is nothing to be removed.
    await rm(hidden, { recursive: true, force: true }).catch(() => undefined);
  }
}

async function distribute(
  source: BulkSource,
  by: SplitBy,
  parts: Parts,
): Promise<{ readonly end: SoundEnd; readonly missing: readonly string[] }> {
  const reader = createSoundReader(source.form);
  const missing = new Set(by.kind === 'ids' ? by.ids : []);
  let count = 0;
  let hasValue = by.kind === 'count';
  const take = async (records: readonly SoundRecord[]): Promise<void> => {
    for (const record of records) {
      const value = by.kind === 'count' ? undefined : by.field.of(record.value, record.text)?.text;
      hasValue ||= value !== undefined;
      if (by.kind === 'count') await parts.add(String(Math.floor(count / by.count)), record);
      else if (by.kind === 'field') await parts.add(value ?? null, record);
      else {
        const isListed = value !== undefined && by.ids.has(value);
        if (isListed) missing.delete(value);
        await parts.add(isListed ? LISTED : OTHERS, record);
      }
      count++;
    }
  };
  for await (const text of source.text()) await take(reader.push(text));
  const end = reader.end();
  if (end.problems.length > 0) throw new BrokenFile(end.problems);
  await take(end.records);
  if (count === 0) throw new NotWritten('holds no record');
  if (!hasValue && by.kind !== 'count') throw new NotWritten(`has no record with a value in ${by.field.name}`);
  return { end, missing: [...missing] };
}

const LISTED = 'listed';
const OTHERS = 'others';

interface Part {
  readonly value: string | null;
  /** In the hidden folder. */
  readonly path: string;
  records: number;
  waiting: string[];
}

interface Parts {
  /** null: the part of records without a value. */
  add(value: string | null, record: SoundRecord): Promise<void>;
  /** Ends all parts as the file ends. In the order in which they were begun. */
  end(end: SoundEnd): Promise<readonly Part[]>;
}

function createParts(hidden: string): Parts {
  const parts = new Map<string | null, Part>();
  let open: string | undefined;
  let between: string | undefined;
  let isArray = false;
  let first: SoundRecord | undefined;
  let waiting = 0;

  const put = (part: Part, text: string): void => {
    part.waiting.push(text);
    waiting += text.length;
  };

  async function flush(): Promise<void> {
    for (const part of parts.values()) {
      if (part.waiting.length === 0) continue;
      await appendFile(part.path, part.waiting.join(''));
      part.waiting = [];
    }
    waiting = 0;
  }

  function learn({ gap, slot }: SoundRecord): void {
    if (open === undefined) {
      first = { gap, slot } as SoundRecord;
      isArray = gap.includes('[');
      open = isArray ? gap.replace(/^[^[]*/, '') : '';
    } else if (between === undefined) {
      const end = lineEndIn(first!.gap + first!.slot.text + gap) ?? '\n';
      between = isArray ? gap : end;
      first = undefined;
    }
  }

  function partOf(value: string | null): Part {
    const known = parts.get(value);
    if (known !== undefined) return known;
    const part: Part = { value, path: path.join(hidden, String(parts.size)), records: 0, waiting: [] };
    parts.set(value, part);
    put(part, open ?? '');
    return part;
  }

  return {
    async add(value, record) {
      learn(record);
      const part = partOf(value);
      put(part, part.records === 0 ? record.text : (between ?? '') + record.text);
      part.records++;
      if (waiting > MOST_WAITING) await flush();
    },
    async end({ rest }) {
      const end = lineEndIn(between ?? rest) ?? '\n';
      const close = isArray ? rest : plainLayout('lines', end, isEnded(rest)).close;
      for (const part of parts.values()) put(part, close);
      await flush();
      for (const part of parts.values()) await syncFile(part.path);
      return [...parts.values()];
    },
  };
}

async function syncFile(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

interface NamedPart {
  readonly name: string;
  readonly from: string;
  readonly records: number;
}

function namedParts(parts: readonly Part[], by: SplitBy, { name }: SplitTarget): readonly NamedPart[] {
  const extension = path.extname(name);
  const stem = path.basename(name, extension);
  const names = createSplitNames(stem, extension, by.kind === 'field' ? by.field.name : 'id');
  return parts.map(({ value, path: from, records }, at) => ({
    name: by.kind === 'count' ? partName(stem, extension, at + 1, parts.length) : names.of(value),
    from,
    records,
  }));
}

async function publish(
  files: readonly NamedPart[],
  hidden: string,
  target: SplitTarget,
  isNew: boolean,
): Promise<void> {
  const { folder, replace } = target;
  if (isNew) {
    for (const { name, from } of files) await rename(from, path.join(hidden, name));
    await syncFolder(hidden);
    await mkdir(path.dirname(folder), { recursive: true });
    await rename(hidden, folder);
    await syncFolder(path.dirname(folder));
    return;
  }
  if (!(await stat(folder)).isDirectory()) throw new NotWritten('is no folder');
  const there = new Set<string>();
  for (const { name } of files) if (await exists(path.join(folder, name))) there.add(name);
  const [first] = there;
  if (first !== undefined && !replace) throw new PartExists(path.join(folder, first));
  for (const name of there) await checkReplaced(folder, name);
  const made: string[] = [];
  const old: { readonly at: string; readonly kept: string }[] = [];
  try {
    for (const { name, from } of files) {
      const at = path.join(folder, name);
      if (there.has(name)) {
        const kept = `${from}.old`;
        await keepBeside(at, kept);
        old.push({ at, kept });
        await rename(from, at);
      } else {
        await giveName(from, at);
        made.push(at);
      }
    }
  } catch (error) {
    for (const at of made) await unlink(at).catch(() => undefined);
    for (const { at, kept } of old) await rename(kept, at);
    throw error;
  }
  await syncFolder(folder);
}

/** What is to be replaced is a file of its own that may be written. */
async function checkReplaced(folder: string, name: string): Promise<void> {
  const stats = await lstat(path.join(folder, name));
  const why = stats.isSymbolicLink()
    ? 'a link'
    : !stats.isFile()
      ? 'no regular file'
      : (stats.mode & 0o222) === 0
        ? 'read-only'
        : undefined;
  if (why !== undefined) throw new NotWritten(`is not written: ${name}, which is there already, is ${why}`);
}

/** The old version has two names until the new one takes the first: at no moment there is none. */
async function keepBeside(file: string, kept: string): Promise<void> {
  try {
    await link(file, kept);
  } catch {
    // Not all systems have such links.
    await copyFile(file, kept);
  }
}
