/** What has changed in files since a revision of their git repository. */
import { execFile } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { ALL_LINES, NO_LINES, parseChangedLines } from '../core/acceptance/changed-lines.ts';
import type { ChangedLines } from '../core/acceptance/changed-lines.ts';

export interface ChangedFiles {
  /**
   * Lines of a file that differ from what the branch started from: the newest common ancestor of the revision and HEAD, as in
   * reviews. Untracked files are new as a whole. Rejects with `GitProblem`.
   */
  linesOf(file: string): Promise<ChangedLines>;
}

/** git cannot tell; the message is for people. */
export class GitProblem extends Error {}

const run = promisify(execFile);
/** A diff is never larger than both versions of its file together. */
const MOST_BYTES = 2 ** 30;
/** Nothing but git itself is to be run: no monitor of the file system, no drivers of the repository. */
const SAFE = ['-c', 'core.fsmonitor=false', '-c', 'core.quotePath=false'];

interface Repository {
  readonly top: string;
  readonly base: string;
  /** Tracked paths that differ, relative to `top`. */
  readonly changed: ReadonlySet<string>;
  readonly untracked: ReadonlySet<string>;
}

export function createChangedFiles(revision: string): ChangedFiles {
  const repositories = new Map<string, Promise<Repository>>();
  const tops = new Map<string, Promise<string>>();

  async function open(top: string): Promise<Repository> {
    const commit = await line(
      top,
      'rev-parse',
      '--verify',
      '--quiet',
      '--end-of-options',
      `${revision}^{commit}`,
    ).catch(() => {
      throw new GitProblem(
        `There is no revision ${revision} in ${top}. Where the history was not fetched (CI), fetch it first.`,
      );
    });
    const base = await line(top, 'merge-base', commit, 'HEAD').catch(() => commit);
    const [changed, untracked] = await Promise.all([
      git(top, 'diff', '--name-only', '-z', '--no-renames', '--no-ext-diff', '--no-textconv', base, '--'),
      git(top, 'ls-files', '--others', '-z'),
    ]);
    return { top, base, changed: names(changed), untracked: names(untracked) };
  }

  return {
    async linesOf(file) {
      const real = await realpath(file);
      const folder = path.dirname(real);
      const top = await memo(tops, folder, () =>
        line(folder, 'rev-parse', '--show-toplevel').catch((error: unknown) => {
          throw new GitProblem(topProblem(folder, error));
        }),
      );
      const { base, changed, untracked } = await memo(repositories, top, () => open(top));
      const name = path
        .relative(await realpath(top), real)
        .split(path.sep)
        .join('/');
      if (untracked.has(name)) return ALL_LINES;
      if (!changed.has(name)) return NO_LINES;
      const options = ['--unified=0', '--no-color', '--no-renames', '--no-ext-diff', '--no-textconv'];
      return parseChangedLines(await git(top, 'diff', ...options, base, '--', `:(top,literal)${name}`));
    },
  };
}

function memo<T>(known: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  let value = known.get(key);
  if (value === undefined) known.set(key, (value = make()));
  return value;
}

async function git(folder: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await run('git', [...SAFE, ...args], { cwd: folder, maxBuffer: MOST_BYTES });
  return stdout;
}

async function line(folder: string, ...args: readonly string[]): Promise<string> {
  return (await git(folder, ...args)).replace(/\r?\n$/, '');
}

function names(list: string): ReadonlySet<string> {
  return new Set(list.split('\0').filter((name) => name !== ''));
}

function topProblem(folder: string, error: unknown): string {
  if ((error as { code?: unknown }).code === 'ENOENT')
    return 'git is not installed, so nobody can tell what has changed.';
  return `${folder} is not in a git repository, so nobody can tell what has changed in it.`;
}
