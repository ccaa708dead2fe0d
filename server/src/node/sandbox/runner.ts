/** The sandbox as a `SolutionRunner`: pool, results by content, and one run for requests that are alike. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, sep } from 'node:path';
import type { Cancel, RunRequest, RunResult, SolutionRunner } from '../../core/ports.ts';
import { isPlain } from '../../core/solution/plain.ts';
import { createResultCache } from './cache.ts';
import { ENGINE, PYTHON_VERSION } from './engine.ts';
import { CLOSED, noSandbox } from './outcome.ts';
import { createPool } from './pool.ts';
import type { Pool, PoolRun } from './pool.ts';

export interface SandboxOptions {
  /** Absolute path of child.mjs; thread.mjs and runner.py lie beside it. */
  readonly childPath: string;
  /** Absolute path of the folder with the Pyodide files. */
  readonly pyodideFolder: string;
  /** Absolute path of the snapshot; its manifest lies beside it. Without it a process takes seconds to start. */
  readonly snapshotPath?: string;
  /** Where results are kept between sessions. Without it they are kept in memory only. */
  readonly cacheFolder?: string;
  /** Most processes at work at a time. */
  readonly workers?: number;
  /** Hears what went wrong with processes, one line each. */
  readonly log?: (line: string) => void;
  /** `false`: every run starts from a restored interpreter, also the plain ones. For tests and measurements. */
  readonly trustPlain?: boolean;
}

/** One run and all requests that wait for it. */
interface Shared {
  readonly run: PoolRun;
  readonly waiting: Set<(result: RunResult) => void>;
}

const cancelled = (): Error => Object.assign(new Error('The run was cancelled.'), { name: 'AbortError' });

/** What results depend on beside the request: another runner may word an error differently. */
function identify(childPath: string): string {
  const hash = createHash('sha256').update(`${ENGINE} ${PYTHON_VERSION}`);
  for (const file of ['runner.py', 'thread.mjs']) {
    try {
      hash.update(readFileSync(join(dirname(childPath), file)));
    } catch {
      // The first run will say that the sandbox is not there.
    }
  }
  return hash.digest('hex');
}

/** Nothing is started before the first run. */
export function createSandboxRunner(options: SandboxOptions): SolutionRunner {
  const cache = createResultCache(identify(options.childPath), options.cacheFolder);
  const underWay = new Map<string, Shared>();
  let pool: Pool | undefined;
  let closed = false;

  const openPool = (): Pool => {
    return createPool({
      files: {
        childPath: options.childPath,
        pyodideFolder: options.pyodideFolder.endsWith(sep) ? options.pyodideFolder : options.pyodideFolder + sep,
        snapshotPath: options.snapshotPath ?? null,
      },
      processes: Math.max(1, options.workers ?? (availableParallelism() > 2 ? 2 : 1)),
      log: options.log ?? (() => {}),
    });
  };

  const open = (key: string, request: RunRequest): Shared => {
    const waiting: Shared['waiting'] = new Set();
    const run: PoolRun = {
      request,
      plain: () => options.trustPlain !== false && request.trace === undefined && isPlain(request.source),
      cancelled: false,
      done: (result, repeatable) => {
        underWay.delete(key);
        // Steps are wanted of the few solutions that somebody looks at: they go with the session.
        if (repeatable) cache.put(key, result, request.trace === undefined);
        for (const settle of waiting) settle(result);
      },
    };
    const shared = { run, waiting };
    underWay.set(key, shared);
    return shared;
  };

  const wait = (key: string, request: RunRequest, cancel: Cancel | undefined): Promise<RunResult> =>
    new Promise((resolve, reject) => {
      if (cancel?.aborted) return reject(cancelled());
      const found = cache.get(key);
      if (found) return resolve(found);
      if (closed) return resolve(noSandbox(CLOSED));
      const known = underWay.get(key);
      const shared = known ?? open(key, request);
      const listener = cancel?.onAbort(() => {
        listener?.dispose();
        if (!shared.waiting.delete(settle)) return;
        if (shared.waiting.size === 0) {
          shared.run.cancelled = true;
          underWay.delete(key);
        }
        reject(cancelled());
      });
      const settle = (result: RunResult): void => {
        shared.waiting.delete(settle);
        listener?.dispose();
        resolve(result);
      };
      shared.waiting.add(settle);
      if (known) return;
      pool ??= openPool();
      pool.add(shared.run);
    });

  return {
    async run(request, cancel) {
      await cache.loaded;
      return wait(cache.key(request), request, cancel);
    },
    async dispose() {
      closed = true;
      await pool?.dispose();
      await cache.flush();
    },
  };
}
