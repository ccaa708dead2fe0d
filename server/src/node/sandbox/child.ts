/**
 * Entry of the child process. It starts the thread that runs Python and passes messages through; it ends itself when
 * the server is gone and reports the run that does not stop at its time limit.
 */
import { Worker } from 'node:worker_threads';
import type { ChildFiles, FromChild, ToChild } from './messages.ts';
import { HARD_GRACE_MS } from './messages.ts';
import type { ThreadData } from './thread.ts';

const WATCH_MS = 100;

const files = JSON.parse(process.argv[2]!) as ChildFiles;
const progress = new Int32Array(new SharedArrayBuffer(8));
const send = (message: FromChild): void => void process.send!(message);
const end = (): void => process.kill(process.pid, 'SIGKILL') as unknown as void;

const thread = new Worker(new URL('./thread.mjs', import.meta.url), {
  workerData: { files, progress } satisfies ThreadData,
  env: { TZ: 'UTC' },
  execArgv: [],
});
thread.on('message', (message: FromChild) => send(message));
thread.on('error', (error) => {
  process.send!({ failed: String(error.stack ?? error) } satisfies FromChild, undefined, undefined, end);
});
process.on('message', (message: ToChild) => thread.postMessage(message));
// Even in the middle of a run: the thread may be in a loop that hears nothing.
process.on('disconnect', end);

let watched = 0;
let elapsed = 0;
/** Counts its own ticks instead of reading a clock: a machine that slept has not kept a run waiting. */
setInterval(() => {
  const current = Atomics.load(progress, 0);
  if (current === 0 || current !== watched) {
    watched = current;
    elapsed = 0;
    return;
  }
  elapsed += WATCH_MS;
  if (elapsed <= progress[1]! + HARD_GRACE_MS) return;
  send({ stuck: current });
  elapsed = -Infinity;
}, WATCH_MS);
