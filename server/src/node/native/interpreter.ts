/** The user's Python: where it is, and one process of it that runs solutions one after the other. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { RunRequest } from '../../core/ports.ts';
import { outputOf } from '../sandbox/messages.ts';

const NAMES = process.platform === 'win32' ? ['python.exe', 'py.exe'] : ['python3', 'python'];
const START_LIMIT_MS = 20_000;
/** Far beyond what the worker itself lets through. */
const LINE_LIMIT = 16 << 20;

/**
 * Absolute path of the Python to use: the one that was named, else the first on PATH. Relative entries of PATH are left
 * out: what a folder holds must not decide what runs. undefined: there is none.
 */
export function findPython(named?: string): string | undefined {
  if (named !== undefined && path.isAbsolute(named)) return existsSync(named) ? named : undefined;
  if (named !== undefined && /[/\\]/.test(named)) return undefined;
  for (const folder of (process.env['PATH'] ?? '').split(path.delimiter)) {
    if (!path.isAbsolute(folder)) continue;
    for (const name of named === undefined ? NAMES : [named]) {
      const candidate = path.join(folder, name);
      if (existsSync(candidate)) return candidate;
    }
  }
  return undefined;
}

/** What a worker says of one run. */
export interface Spoken {
  readonly ms: number;
  /** What runner.py said, unread. */
  readonly text: string | null;
  readonly why: 'timeout' | 'crash' | null;
}

export interface InterpreterEvents {
  onReady(): void;
  onAnswer(spoken: Spoken): void;
  /** Once, however it ended. */
  onEnd(reason: string): void;
}

export interface Interpreter {
  /** Of the user's Python; '' until it is ready. */
  readonly version: string;
  readonly ready: boolean;
  /** One at a time. */
  send(request: RunRequest): void;
  /** Ends it, its process group and that of the solution that it runs. */
  kill(): void;
}

export interface InterpreterFiles {
  readonly python: string;
  /** Absolute paths of worker.py and of runner.py. */
  readonly workerPath: string;
  readonly runnerPath: string;
}

export function startInterpreter(files: InterpreterFiles, events: InterpreterEvents): Interpreter {
  const child = spawn(files.python, ['-I', '-S', '-B', files.workerPath, files.runnerPath], {
    // Not the server's, which is the user's workspace.
    cwd: tmpdir(),
    env: environment(),
    stdio: ['pipe', 'pipe', 'ignore'],
    // A process group of its own, to be ended as a whole.
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  let version = '';
  let ready = false;
  let ended = false;
  let group: number | undefined;
  let kept = '';
  let nextId = 1;

  const finish = (reason: string): void => {
    if (ended) return;
    ended = true;
    clearTimeout(timer);
    end(child, group);
    events.onEnd(reason);
  };
  const timer = setTimeout(() => finish('it did not start in time'), START_LIMIT_MS);

  const hear = (line: string): void => {
    const message = readMessage(line);
    if (message === undefined) return finish('it gave no readable answer');
    if (typeof message['ready'] === 'string') {
      clearTimeout(timer);
      version = message['ready'].slice(0, 20);
      ready = true;
      events.onReady();
    } else if (typeof message['group'] === 'number' && Number.isInteger(message['group']) && message['group'] > 1) {
      group = message['group'];
    } else if ('text' in message) {
      group = undefined;
      const { ms, text, why } = message;
      events.onAnswer({
        ms: typeof ms === 'number' && ms >= 0 ? ms : 0,
        text: typeof text === 'string' ? text : null,
        why: why === 'timeout' ? 'timeout' : typeof text === 'string' ? null : 'crash',
      });
    }
  };

  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    kept += text;
    for (let at = kept.indexOf('\n'); at >= 0 && !ended; at = kept.indexOf('\n')) {
      const line = kept.slice(0, at);
      kept = kept.slice(at + 1);
      hear(line);
    }
    if (kept.length > LINE_LIMIT) finish('it answered without end');
  });
  // An error here means that it is ending; `close` tells.
  child.stdin.on('error', () => {});
  child.on('error', (error) => finish(error.message));
  child.on('close', (code, signal) => finish(`the process ended (${signal ?? code})`));

  return {
    get version() {
      return version;
    },
    get ready() {
      return ready;
    },
    send({ source, entryPoint, limits, trace }) {
      const { timeoutMs, memoryMb, outputLimit } = limits;
      const request = {
        id: nextId++,
        source,
        entry: entryPoint,
        timeout: timeoutMs,
        memory: memoryMb,
        output: outputOf(outputLimit, trace),
      };
      child.stdin.write(`${JSON.stringify(request)}\n`);
    },
    kill: () => finish('it was ended'),
  };
}

/** No variable of the server but what a Python needs to start; one thread for number packages, as solutions are small. */
function environment(): NodeJS.ProcessEnv {
  const kept = [
    'PATH',
    'SYSTEMROOT',
    'SystemRoot',
    'TEMP',
    'TMP',
    'HOME',
    'USERPROFILE',
    'PYENV_ROOT',
    'PYENV_VERSION',
  ];
  return {
    ...Object.fromEntries(kept.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]))),
    TZ: 'UTC',
    OMP_NUM_THREADS: '1',
    OPENBLAS_NUM_THREADS: '1',
    MKL_NUM_THREADS: '1',
  };
}

function end(child: ChildProcess, group: number | undefined): void {
  if (process.platform === 'win32') {
    // Its solution runs inside of it; what that has started is ended with the tree.
    if (child.pid !== undefined)
      spawn('taskkill', ['/pid', String(child.pid), '/T', '/F'], { stdio: 'ignore' }).on('error', () => {});
    child.kill('SIGKILL');
    return;
  }
  for (const pid of [group, child.pid]) {
    if (pid === undefined) continue;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // Gone already.
    }
  }
  child.kill('SIGKILL');
}

function readMessage(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
