/** One child process: how it is started, as narrow as the runtime allows, and how it is ended. */
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { dirname } from 'node:path';
import type { ChildFiles, FromChild, RunMessage } from './messages.ts';

export interface ProcessFiles extends ChildFiles {
  readonly childPath: string;
}

export interface ProcessEvents {
  onReady(fallback: string | null): void;
  onMessage(message: Extract<FromChild, { results: unknown } | { stuck: unknown }>): void;
  /** Once, however it ended. `started`: whether it had been ready. */
  onEnd(reason: string, started: boolean): void;
}

export interface SandboxProcess {
  send(runs: readonly RunMessage[]): void;
  /** Ends it at once; `onEnd` follows. */
  kill(): void;
}

/** Loading without a snapshot takes 2–6 s on a busy machine. */
const START_LIMIT_MS = 60_000;
const STDERR_KEPT = 2_000;

/** Levels of narrowing that were tried, most first; shared by all processes of a runner. */
export interface Narrowing {
  level: number;
}

/** Node's permission model, a second layer only: it is not made against hostile code, and says so. */
function permissionFlags(files: ProcessFiles): string[] {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const flag =
    major >= 24 || (major === 23 && minor >= 5) || (major === 22 && minor >= 13)
      ? '--permission'
      : '--experimental-permission';
  const folders = new Set([
    dirname(files.childPath),
    files.pyodideFolder,
    files.snapshotPath ? dirname(files.snapshotPath) : '',
  ]);
  folders.delete('');
  return [flag, '--allow-worker', ...[...folders].map((folder) => `--allow-fs-read=${realFolder(folder)}/*`)];
}

/** Node compares with the path behind all links. */
function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}

function flagsOf(files: ProcessFiles, level: number): string[] {
  const quiet = ['--no-warnings', '--no-addons'];
  if (level === 0) return [...quiet, ...permissionFlags(files), '--disallow-code-generation-from-strings'];
  if (level === 1) return [...quiet, ...permissionFlags(files)];
  return [];
}
const LAST_LEVEL = 2;

export function startProcess(files: ProcessFiles, narrowing: Narrowing, events: ProcessEvents): SandboxProcess {
  let child: ChildProcess;
  let started = false;
  let ended = false;
  let killed = false;
  let stderr = '';
  let timer: NodeJS.Timeout | undefined;

  const finish = (reason: string): void => {
    if (ended) return;
    clearTimeout(timer);
    // A runtime that does not know or bear the flags ends before it is ready.
    if (!started && !killed && level < LAST_LEVEL) {
      if (narrowing.level === level) narrowing.level++;
      child.kill('SIGKILL');
      open();
      return;
    }
    ended = true;
    child.kill('SIGKILL');
    events.onEnd(stderr ? `${reason}: ${stderr.trim()}` : reason, started);
  };

  let level = narrowing.level;
  const open = (): void => {
    level = narrowing.level;
    stderr = '';
    const { childPath, pyodideFolder, snapshotPath } = files;
    const opened = fork(childPath, [JSON.stringify({ pyodideFolder, snapshotPath } satisfies ChildFiles)], {
      execArgv: flagsOf(files, level),
      env: process.versions['electron'] ? { ELECTRON_RUN_AS_NODE: '1', TZ: 'UTC' } : { TZ: 'UTC' },
      // Not the server's, which is the user's workspace.
      cwd: dirname(childPath),
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      serialization: 'json',
    });
    child = opened;
    timer = setTimeout(() => opened === child && finish('it did not start in time'), START_LIMIT_MS);
    opened.stderr!.setEncoding('utf8').on('data', (text: string) => {
      if (opened === child) stderr = (stderr + text).slice(-STDERR_KEPT);
    });
    opened.on('error', (error) => opened === child && finish(error.message));
    // 'close' and not 'exit': by then every message that it had sent has been heard.
    opened.on('close', (code, signal) => opened === child && finish(`the process ended (${signal ?? code})`));
    opened.on('message', (message: FromChild) => {
      if (opened !== child || ended || killed) return;
      if ('ready' in message) {
        clearTimeout(timer);
        started = true;
        events.onReady(message.fallback);
      } else if ('failed' in message) {
        stderr ||= message.failed.slice(0, STDERR_KEPT);
        finish('the interpreter did not start');
      } else {
        events.onMessage(message);
      }
    });
    lowerPriority(opened.pid);
  };
  open();

  return {
    send: (runs) => {
      // An error here means that it is ending; `close` tells.
      child.send({ runs }, () => {});
    },
    kill: () => {
      killed = true;
      child.kill('SIGKILL');
    },
  };
}

/** On POSIX. Not lower: time limits are on the wall clock, and a starved run would break them. */
const NICENESS = 5;

/** The editor comes first. */
function lowerPriority(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, process.platform === 'win32' ? constants.priority.PRIORITY_BELOW_NORMAL : NICENESS);
  } catch {
    // Not allowed, or gone already; it works without.
  }
}
