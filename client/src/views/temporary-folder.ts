/**
 * The folder in which solutions lie as files of their own: one for each window, in the system's folder for temporary files, for
 * the user alone. What it holds is noted in it, so that a window that is reloaded goes on with it, and so that nothing is thrown
 * away that did not get into its record.
 */
import { lstat, mkdtemp, readdir, readFile, rename, rm, rmdir, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

/** A solution that lies as a file. */
export interface NotedFile {
  /** Its place in the folder, with a forward slash: `AbCdEf/wells-0.py`. */
  readonly name: string;
  /** Address by which the server knows what it shows (schemas/views.ts). */
  readonly view: string;
  /** The record's text that the file's text belongs to. */
  readonly record: string;
  /** Text of the file when it said the same as the record. */
  readonly text: string;
}

const PREFIX = 'auditable-qa-solutions-';
const NOTES = 'solutions.json';
const DAY_MS = 86_400_000;
/** Files with changes that did not get into their records are kept longer. */
const KEPT_DAYS = 30;

export interface TemporaryFolder {
  readonly path: string;
  /**
   * A place for a new file of this name: a path that was never used before. An editor may still know the text of a file that was
   * removed a moment ago.
   */
  newPlace(name: string): Promise<string>;
  /** Removes a file, and its place where nothing else was put there. */
  remove(file: string): Promise<void>;
  note(files: readonly NotedFile[]): Promise<void>;
  noted(): Promise<readonly NotedFile[]>;
  /** Says that it is in use. */
  touch(): Promise<void>;
}

export async function newTemporaryFolder(): Promise<TemporaryFolder> {
  // Its mode is 0700, whatever the user's own settings are.
  return folderAt(await mkdtemp(path.join(os.tmpdir(), PREFIX)));
}

/** The folder of before; undefined: it is gone, or not the user's own any more. */
export async function knownTemporaryFolder(folder: string): Promise<TemporaryFolder | undefined> {
  return path.basename(folder).startsWith(PREFIX) && (await isOwn(folder)) ? folderAt(folder) : undefined;
}

/** Removes folders that nobody has used for a day. */
export async function removeLeftovers(own: string | undefined, now: number): Promise<void> {
  for (const name of await readdir(os.tmpdir())) {
    const folder = path.join(os.tmpdir(), name);
    if (!name.startsWith(PREFIX) || folder === own || !(await isOwn(folder))) continue;
    const { mtimeMs } = await lstat(folder);
    const age = (now - mtimeMs) / DAY_MS;
    if (age < 1 || (age < KEPT_DAYS && !(await isInStep(folderAt(folder))))) continue;
    await rm(folder, { recursive: true, force: true });
  }
}

/** Whether all that it holds is in the records. */
async function isInStep(folder: TemporaryFolder): Promise<boolean> {
  const noted = new Map((await folder.noted()).map(({ name, text }) => [name, text]));
  for (const file of await readdir(folder.path, { recursive: true })) {
    if (!file.endsWith('.py')) continue;
    const text = await readText(path.join(folder.path, file));
    if (text !== noted.get(file.split(path.sep).join('/'))) return false;
  }
  return true;
}

/** A folder and no link, of this user, and closed to everybody else. Somebody else may have made one of the same name. */
async function isOwn(folder: string): Promise<boolean> {
  try {
    const stats = await lstat(folder);
    if (!stats.isDirectory()) return false;
    return process.getuid === undefined || (stats.uid === process.getuid() && (stats.mode & 0o077) === 0);
  } catch {
    return false;
  }
}

function folderAt(folder: string): TemporaryFolder {
  const notes = path.join(folder, NOTES);
  return {
    path: folder,
    newPlace: async (name) => path.join(await mkdtemp(folder + path.sep), name),
    async remove(file) {
      const place = path.dirname(file);
      await rm(file, { force: true });
      await rm(path.join(place, '__pycache__'), { recursive: true, force: true });
      await rmdir(place).catch(() => undefined);
    },
    async note(files) {
      await writeFile(`${notes}.new`, JSON.stringify(files), { mode: 0o600 });
      await rename(`${notes}.new`, notes);
    },
    async noted() {
      try {
        return JSON.parse(await readFile(notes, 'utf8')) as NotedFile[];
      } catch {
        return [];
      }
    },
    touch: () => utimes(folder, new Date(), new Date()),
  };
}

/** Text of a file with LF as the line end; undefined: it is not there. */
export async function readText(file: string): Promise<string | undefined> {
  try {
    return withPlainLineEnds(await readFile(file, 'utf8'));
  } catch {
    return undefined;
  }
}

export function withPlainLineEnds(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}

/** The name of a solution's file. */
export function solutionFileName(title: string): string {
  const plain = title.replace(/^\.+|[. ]+$/g, '');
  // Windows knows devices by these names, whatever follows the dot.
  const stem = plain === '' || /^(?:con|prn|aux|nul|com\d|lpt\d)$/i.test(plain) ? `record ${plain}`.trim() : plain;
  return `${stem}.py`;
}
