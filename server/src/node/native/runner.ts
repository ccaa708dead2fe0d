/**
 * The user's own Python as a `SolutionRunner`. It runs with the user's permissions and is no sandbox: it must never be
 * chosen by a file of a repository, only by the user's own settings or `--solutions python`.
 */
import type { RunRequest, RunResult, SolutionRunner } from '../../core/ports.ts';
import { errorResult, readOutcome, trapError } from '../sandbox/outcome.ts';
import { findPython, startInterpreter } from './interpreter.ts';
import type { Interpreter, InterpreterFiles, Spoken } from './interpreter.ts';

export interface NativeOptions {
  /** Absolute paths of worker.py and of the sandbox's runner.py. */
  readonly workerPath: string;
  readonly runnerPath: string;
  /** Absolute path of a Python, or a name to look for on PATH; absent: `python3` or `python` on PATH. */
  readonly python?: string;
  /** Most processes at work at a time. */
  readonly workers?: number;
  readonly log?: (line: string) => void;
}

interface Waiting {
  readonly request: RunRequest;
  readonly done: (result: RunResult) => void;
}

interface Member {
  readonly interpreter: Interpreter;
  current: Waiting | undefined;
  watch: NodeJS.Timeout | undefined;
  started: boolean;
}

/** After a run's own limit the worker itself should have ended it; this much later, in ms, it is taken for stuck. */
const GRACE_MS = 2_000;
/** Loading packages is not the solution's time; the worker does it before it starts the clock. */
const LOAD_MS = 60_000;
const IDLE_MS = 60_000;

/** Nothing is started before the first run. */
export function createNativeRunner(options: NativeOptions): SolutionRunner {
  const most = Math.max(1, options.workers ?? 1);
  const queue: Waiting[] = [];
  const members = new Set<Member>();
  let python: string | undefined;
  let version = '';
  let disposed = false;
  let idle: NodeJS.Timeout | undefined;

  const unavailable = (message: string): RunResult =>
    own(errorResult({ kind: 'unavailable', type: 'Unavailable', message }, 0), '');

  function start(files: InterpreterFiles): void {
    const member: Member = {
      interpreter: startInterpreter(files, {
        onReady() {
          member.started = true;
          version = member.interpreter.version;
          pump();
        },
        onAnswer(spoken) {
          const waiting = settle(member);
          waiting?.done(toResult(spoken, waiting.request, version));
          pump();
        },
        onEnd: (reason) => lose(member, reason),
      }),
      current: undefined,
      watch: undefined,
      started: false,
    };
    members.add(member);
  }

  function settle(member: Member): Waiting | undefined {
    const waiting = member.current;
    clearTimeout(member.watch);
    member.current = undefined;
    return waiting;
  }

  function lose(member: Member, reason: string): void {
    members.delete(member);
    const waiting = settle(member);
    if (waiting !== undefined) {
      options.log?.(`A Python process was lost: ${reason}`);
      const error = { kind: 'crash', type: 'Crash', message: 'Python ended during this run' } as const;
      waiting.done(own(errorResult(error, 0), version));
    } else if (!member.started && !disposed) {
      failAll(`Python (${python}) did not start: ${reason}`);
    }
    pump();
  }

  function failAll(message: string): void {
    options.log?.(message);
    for (const { done } of queue.splice(0)) done(unavailable(message));
  }

  function pump(): void {
    clearTimeout(idle);
    idle = undefined;
    if (disposed) return;
    if (queue.length === 0) {
      idle = setTimeout(() => endAll(), IDLE_MS);
      idle.unref();
      return;
    }
    python ??= findPython(options.python);
    if (python === undefined) {
      failAll(`there is no ${options.python ?? 'python3'} on this machine`);
      return;
    }
    const free = [...members].filter((member) => member.current === undefined);
    const wanted = Math.min(most - members.size, queue.length - free.length);
    for (let more = 0; more < wanted; more++) start({ ...options, python });
    for (const member of free) if (member.interpreter.ready) give(member);
  }

  function give(member: Member): void {
    const waiting = queue.shift();
    if (waiting === undefined) return;
    member.current = waiting;
    const { limits } = waiting.request;
    member.watch = setTimeout(
      () => {
        settle(member)?.done(own(errorResult(trapError('timeout', '', limits), limits.timeoutMs), version));
        member.interpreter.kill();
      },
      limits.timeoutMs + GRACE_MS + (needsLoading(waiting.request) ? LOAD_MS : 0),
    );
    member.interpreter.send(waiting.request);
  }

  function endAll(): void {
    for (const member of [...members]) if (member.current === undefined) member.interpreter.kill();
  }

  return {
    run: (request, cancel) =>
      new Promise((resolve, reject) => {
        if (cancel?.aborted) return reject(cancelled());
        if (disposed) return resolve(unavailable('it was closed'));
        const waiting: Waiting = {
          request,
          done(result) {
            listening?.dispose();
            resolve(result);
          },
        };
        const listening = cancel?.onAbort(() => {
          listening?.dispose();
          abandon(waiting);
          reject(cancelled());
        });
        queue.push(waiting);
        pump();
      }),
    async dispose() {
      disposed = true;
      clearTimeout(idle);
      failAll('it was closed');
      for (const member of [...members]) {
        settle(member)?.done(unavailable('it was closed'));
        member.interpreter.kill();
      }
    },
  };

  function abandon(waiting: Waiting): void {
    const at = queue.indexOf(waiting);
    if (at >= 0) queue.splice(at, 1);
    for (const member of members) {
      if (member.current !== waiting) continue;
      settle(member);
      member.interpreter.kill();
    }
    pump();
  }
}

const cancelled = (): Error => Object.assign(new Error('The run was cancelled.'), { name: 'AbortError' });

const needsLoading = ({ source }: RunRequest): boolean => /\bimport\b/.test(source);

function toResult({ ms, text, why }: Spoken, request: RunRequest, version: string): RunResult {
  if (text !== null) return own(readOutcome([0, ms, text, null, '', '', 0], request), version);
  if (why === 'timeout') return own(errorResult(trapError('timeout', '', request.limits), ms), version);
  return own(errorResult({ kind: 'crash', type: 'Crash', message: 'Python ended during this run' }, ms), version);
}

function own(result: RunResult, pythonVersion: string): RunResult {
  return { ...result, engine: 'python', pythonVersion };
}
