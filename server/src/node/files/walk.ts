import type { Dirent } from 'node:fs';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import ignore from 'ignore';
import type { Ignore } from 'ignore';
import { describeError } from './errors.ts';
import { isInside } from './inside.ts';

/** A file to be checked. */
export interface RecordFile {
  /** Absolute. */
  readonly path: string;
  /** As it is told to people: relative to the working folder where it lies inside it. */
  readonly shown: string;
  /** Named on the command line, not met in a folder. */
  readonly explicit: boolean;
}

/** A path that could not be used, in words for people. */
export interface PathProblem {
  readonly shown: string;
  readonly message: string;
}

const EXTENSIONS = new Set(['.jsonl', '.ndjson', '.json']);
const SKIPPED_FOLDERS = new Set(['node_modules', '.git']);
/** The configuration and the files kept beside it (baseline, accepted findings) are never record files. */
const OWN_FILE = /^auditable-qa(?:\..*)?\.jsonl?$/;

export function isOwnFile(file: string): boolean {
  return OWN_FILE.test(path.basename(file));
}

/** Rules of one `.gitignore`, for paths below its folder. */
interface IgnoreFile {
  readonly folder: string;
  readonly rules: Ignore;
}

interface Walk {
  readonly cwd: string;
  readonly files: RecordFile[];
  readonly problems: PathProblem[];
  /** Real paths that were met already: cuts link loops and repeats. */
  readonly met: Set<string>;
  /** Links that lead out of this folder (a real path) are left out. */
  readonly within?: string;
  /** Asked with the number of files found so far: whether to stop. */
  readonly enough?: (found: number) => boolean;
}

/**
 * The record files that paths stand for: files as they are, folders walked. Order: as given, inside a folder by path in
 * code units. A file that several paths lead to comes once; inside a folder its own place wins over links to it.
 */
export async function findRecordFiles(
  paths: readonly string[],
  cwd: string,
): Promise<{ readonly files: readonly RecordFile[]; readonly problems: readonly PathProblem[] }> {
  const walk: Walk = { cwd, files: [], problems: [], met: new Set() };
  for (const given of paths) {
    const absolute = path.resolve(cwd, given);
    try {
      const stats = await stat(absolute);
      if (stats.isDirectory()) await walkRoot(walk, absolute);
      else if (stats.isFile()) await addFile(walk, absolute, true);
      else walk.problems.push({ shown: given, message: 'is neither a file nor a folder' });
    } catch (error) {
      walk.problems.push({ shown: given, message: describeError(error) });
    }
  }
  return { files: walk.files, problems: walk.problems };
}

/**
 * The same for one folder, links that lead out of it left out. Paths that cannot be read are too. Ends early, with what was found until
 * then, when `enough` says so.
 */
export async function findRecordFilesWithin(
  folder: string,
  enough?: (found: number) => boolean,
): Promise<readonly RecordFile[]> {
  const within = await realpath(folder);
  const walk: Walk = { cwd: folder, files: [], problems: [], met: new Set(), within, ...(enough && { enough }) };
  await walkRoot(walk, folder);
  return walk.files;
}

async function walkRoot(walk: Walk, root: string): Promise<void> {
  const inside: Walk = { ...walk, files: [] };
  // Links wait until everything that lies in the folder itself has been met.
  let links: { readonly at: string; readonly ignores: readonly IgnoreFile[] }[] = [];
  const later = (at: string, ignores: readonly IgnoreFile[]): void => void links.push({ at, ignores });
  await walkFolder(inside, root, await ignoresAbove(root), later);
  while (links.length > 0) {
    const round = links;
    links = [];
    for (const { at, ignores } of round) {
      if (walk.enough?.(inside.files.length) === true) break;
      try {
        if (walk.within !== undefined && !isInside(walk.within, await realpath(at))) continue;
        const stats = await stat(at);
        if (ignored(ignores, at, stats.isDirectory())) continue;
        if (stats.isDirectory()) await walkFolder(inside, at, ignores, later);
        else if (stats.isFile() && isRecordName(at)) await addFile(inside, at, false);
      } catch (error) {
        // A dangling link matters only where it claims to be a record file.
        if (isRecordName(at)) walk.problems.push({ shown: show(walk, at), message: describeError(error) });
      }
    }
  }
  inside.files.sort((a, b) => (a.path < b.path ? -1 : 1));
  walk.files.push(...inside.files);
}

type Later = (at: string, ignores: readonly IgnoreFile[]) => void;

async function walkFolder(walk: Walk, folder: string, above: readonly IgnoreFile[], later: Later): Promise<void> {
  let entries: Dirent[];
  try {
    const real = await realpath(folder);
    if (walk.met.has(real)) return;
    walk.met.add(real);
    entries = await readdir(folder, { withFileTypes: true });
  } catch (error) {
    walk.problems.push({ shown: show(walk, folder), message: describeError(error) });
    return;
  }
  const own = entries.some((entry) => entry.name === '.gitignore') ? await readIgnoreFile(folder) : undefined;
  const ignores = own === undefined ? above : [...above, own];
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    if (walk.enough?.(walk.files.length) === true) return;
    const at = path.join(folder, entry.name);
    if (SKIPPED_FOLDERS.has(entry.name)) continue;
    if (entry.isSymbolicLink()) later(at, ignores);
    else if (ignored(ignores, at, entry.isDirectory())) continue;
    else if (entry.isDirectory()) await walkFolder(walk, at, ignores, later);
    else if (entry.isFile() && isRecordName(at)) await addFile(walk, at, false);
  }
}

async function addFile(walk: Walk, file: string, explicit: boolean): Promise<void> {
  const real = await realpath(file);
  if (walk.met.has(real)) return;
  walk.met.add(real);
  walk.files.push({ path: file, shown: show(walk, file), explicit });
}

/** Whether a file of this name may hold records. */
export function isRecordName(file: string): boolean {
  return EXTENSIONS.has(path.extname(file).toLowerCase()) && !isOwnFile(file);
}

/** `.gitignore` files that govern a folder from above, up to the repository's root; none outside a repository. */
async function ignoresAbove(folder: string): Promise<readonly IgnoreFile[]> {
  const found: IgnoreFile[] = [];
  for (let at = folder; ; at = path.dirname(at)) {
    if (at !== folder) {
      const own = await readIgnoreFile(at);
      if (own !== undefined) found.unshift(own);
    }
    if (await exists(path.join(at, '.git'))) break;
    if (at === path.dirname(at)) return [];
  }
  // Whoever names an ignored folder wants what is in it.
  return ignored(found, folder, true) ? [] : found;
}

async function readIgnoreFile(folder: string): Promise<IgnoreFile | undefined> {
  try {
    return { folder, rules: ignore().add(await readFile(path.join(folder, '.gitignore'), 'utf8')) };
  } catch {
    return undefined;
  }
}

/** The innermost `.gitignore` that has a rule for the path decides, as in git. */
function ignored(ignores: readonly IgnoreFile[], at: string, isFolder: boolean): boolean {
  for (let i = ignores.length - 1; i >= 0; i--) {
    const { folder, rules } = ignores[i]!;
    const relative = path.relative(folder, at).split(path.sep).join('/');
    if (relative === '' || relative.startsWith('..')) continue;
    const result = rules.test(isFolder ? `${relative}/` : relative);
    if (result.ignored) return true;
    if (result.unignored) return false;
  }
  return false;
}

async function exists(at: string): Promise<boolean> {
  try {
    await stat(at);
    return true;
  } catch {
    return false;
  }
}

function show(walk: Walk, at: string): string {
  return showPath(at, walk.cwd);
}

/** A path for people: relative to the working folder where it lies inside it, with forward slashes. */
export function showPath(at: string, cwd: string): string {
  const relative = path.relative(cwd, at);
  const inside = relative !== '' && !relative.startsWith('..') && !path.isAbsolute(relative);
  return (inside ? relative : at).split(path.sep).join('/');
}
