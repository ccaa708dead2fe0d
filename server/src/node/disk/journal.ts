/**
 * What was done to record files, kept in a folder so that it can be taken back, also by another process later. Of each file a folder
 * with `index.json`, and for each step what it takes to go back and forth. Where a file stands among the steps is told by its bytes
 * alone: a process that was killed between writing the file and its journal leaves nothing behind that is wrong.
 */
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { FileState } from '../files/write.ts';

/** A version of a file. */
export type Mark = Pick<FileState, 'size' | 'hash'>;

export interface Step {
  /** Of its files in the journal: a name that no other step has. */
  readonly id: string;
  /** For people: "Move box 2". */
  readonly title: string;
  /** 0-based index of the record that was changed; null: several, or the file as a whole. */
  readonly record: number | null;
  /** What is kept of it: what was changed, or the version of the file that is not the present one. */
  readonly kind: 'patches' | 'whole';
  /** What it takes in the journal. */
  readonly bytes: number;
  readonly before: Mark;
  readonly after: Mark;
}

export interface JournalIndex {
  readonly format: 1;
  readonly file: string;
  /** Each begins with the version that the one before ends with. */
  readonly steps: readonly Step[];
  /** Steps that are done; those after were taken back. Holds while the file is as `state` says. */
  readonly at: number;
  readonly state: FileState;
}

export interface Journal {
  /** undefined: nothing is known of the file. */
  read(file: string): Promise<JournalIndex | undefined>;
  write(index: JournalIndex): Promise<void>;
  /** Where the content of a step lies; of whole versions each has its own. */
  pathOf(file: string, id: string, content: 'patches' | 'before' | 'after'): string;
  /** Removes what belongs to steps that are not in the index any more. */
  sweep(index: JournalIndex): Promise<void>;
  forget(file: string): Promise<void>;
}

export interface JournalLimits {
  readonly steps: number;
  /** What the steps of one file may take. */
  readonly bytes: number;
  /** What all files may take, looked at when the journal is opened; the ones changed longest ago give way. */
  readonly allBytes: number;
}

export const JOURNAL_LIMITS: JournalLimits = { steps: 100, bytes: 512 * 1024 * 1024, allBytes: 2 * 1024 * 1024 * 1024 };

const INDEX = 'index.json';

export function createJournal(folder: string): Journal {
  const folderOf = (file: string): string =>
    path.join(folder, createHash('sha256').update(file).digest('hex').slice(0, 32));

  return {
    async read(file) {
      try {
        const index = JSON.parse(await readFile(path.join(folderOf(file), INDEX), 'utf8')) as JournalIndex;
        return index.format === 1 && index.file === file ? index : undefined;
      } catch {
        // There is none, or a disk that failed has left half of one: nothing is known then.
        return undefined;
      }
    },
    async write(index) {
      const own = folderOf(index.file);
      await mkdir(own, { recursive: true, mode: 0o700 });
      const fresh = path.join(own, `${INDEX}.${randomBytes(6).toString('hex')}`);
      try {
        await writeFile(fresh, JSON.stringify(index), { mode: 0o600, flush: true });
        await rename(fresh, path.join(own, INDEX));
      } catch (error) {
        await rm(fresh, { force: true });
        throw error;
      }
    },
    pathOf: (file, id, content) => path.join(folderOf(file), `${id}.${content}`),
    async sweep({ file, steps }) {
      const own = folderOf(file);
      const kept = new Set(steps.map(({ id }) => id));
      for (const name of await readdir(own).catch(() => [])) {
        if (!name.startsWith(INDEX) && !kept.has(name.slice(0, name.indexOf('.')))) {
          await rm(path.join(own, name), { force: true });
        }
      }
    },
    forget: (file) => rm(folderOf(file), { recursive: true, force: true }),
  };
}

/** Takes the files' journals away that were changed longest ago, until what is left fits. */
export async function trimJournals(folder: string, { allBytes }: Pick<JournalLimits, 'allBytes'>): Promise<void> {
  const kept: { readonly at: string; readonly bytes: number; readonly mtimeMs: number }[] = [];
  for (const name of await readdir(folder).catch(() => [])) {
    const at = path.join(folder, name);
    let bytes = 0;
    let mtimeMs = 0;
    for (const inside of await readdir(at).catch(() => [])) {
      const stats = await stat(path.join(at, inside)).catch(() => undefined);
      bytes += stats?.size ?? 0;
      mtimeMs = Math.max(mtimeMs, stats?.mtimeMs ?? 0);
    }
    kept.push({ at, bytes, mtimeMs });
  }
  kept.sort((a, b) => b.mtimeMs - a.mtimeMs);
  let sum = 0;
  for (const { at, bytes } of kept) {
    sum += bytes;
    if (sum > allBytes) await rm(at, { recursive: true, force: true });
  }
}
