import { Worker } from 'node:worker_threads';
import type { CutAnswer, CutQuestion, CutterData, PageDone, PageWork } from './messages.ts';

export interface CutterOptions {
  /** Where to write; null: nothing is written, and cuts have no targets. */
  readonly output: CutterData | null;
  /** The thread's entry: `dist/crop-worker.mjs`, or `crop-worker.ts` where TypeScript runs unbundled. */
  readonly worker: URL;
  /** Pages at the same time, each on a thread of its own. */
  readonly jobs: number;
}

/** Threads that cut pages up. They are started when they are first needed. */
export interface Cutters {
  /** Rejects only after `dispose`. */
  cut(work: PageWork): Promise<PageDone>;
  dispose(): Promise<void>;
}

/** A page takes a second at most; a machine under load, or a hanging decoder, gets this long. */
const LIMIT_MS = 120_000;

interface Task {
  readonly work: PageWork;
  readonly settle: (done: PageDone) => void;
  readonly fail: (error: Error) => void;
}

interface Seat {
  worker: Worker | undefined;
  task: Task | undefined;
  timer: NodeJS.Timeout | undefined;
}

export function createCutters({ worker: entry, jobs, output }: CutterOptions): Cutters {
  const seats: Seat[] = Array.from({ length: jobs }, () => ({ worker: undefined, task: undefined, timer: undefined }));
  const waiting: Task[] = [];
  let disposed = false;
  let nextId = 1;

  function pump(): void {
    for (const seat of seats) {
      if (seat.task !== undefined) continue;
      seat.task = waiting.shift();
      if (seat.task === undefined) return;
      send(seat, seat.task);
    }
  }

  function send(seat: Seat, task: Task): void {
    const id = nextId++;
    const worker = (seat.worker ??= start(seat));
    worker.removeAllListeners('message');
    worker.on('message', (answer: CutAnswer) => {
      if (answer.id === id) finish(seat, answer.done);
    });
    worker.postMessage({ id, work: task.work } satisfies CutQuestion);
    seat.timer = setTimeout(() => {
      const stuck = seat.worker;
      seat.worker = undefined;
      void stuck?.terminate();
      finish(seat, { kind: 'unreadable', reason: `cannot be read within ${LIMIT_MS / 1000} s` });
    }, LIMIT_MS);
  }

  function start(seat: Seat): Worker {
    const worker = new Worker(entry, {
      workerData: output,
      stdout: true,
      stderr: true,
      execArgv: [],
    });
    // What decoders print is no concern of the host's output.
    worker.stdout.resume();
    worker.stderr.resume();
    let reason = 'it ended the program that reads it';
    worker.on('error', (error) => (reason = error.message));
    worker.on('exit', () => {
      if (seat.worker !== worker) return;
      seat.worker = undefined;
      finish(seat, { kind: 'unreadable', reason: `cannot be read: ${reason}` });
    });
    return worker;
  }

  function finish(seat: Seat, done: PageDone): void {
    clearTimeout(seat.timer);
    const { task } = seat;
    seat.task = undefined;
    task?.settle(done);
    if (!disposed) pump();
  }

  return {
    cut: (work) =>
      new Promise((settle, fail) => {
        if (disposed) {
          fail(new Error('The threads were disposed of'));
          return;
        }
        waiting.push({ work, settle, fail });
        pump();
      }),
    async dispose() {
      disposed = true;
      const error = new Error('The threads were disposed of');
      for (const { fail } of waiting.splice(0)) fail(error);
      for (const seat of seats) {
        clearTimeout(seat.timer);
        seat.task?.fail(error);
        seat.task = undefined;
      }
      await Promise.all(
        seats.map(async (seat) => {
          const { worker } = seat;
          seat.worker = undefined;
          await worker?.terminate();
        }),
      );
    },
  };
}
