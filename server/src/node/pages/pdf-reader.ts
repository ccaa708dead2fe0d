import { Worker } from 'node:worker_threads';
import type { PageAnswers, PageTask, PdfAnswer, PdfQuestion, Sizes } from './pdf-messages.ts';

export type PdfPages = ({ readonly state: 'ok' } & Sizes) | { readonly state: 'unreadable'; readonly reason: string };

export type Performed<Value> =
  | { readonly state: 'ok'; readonly value: Value }
  /** `isLimit`: as `PageImageFault` has it. */
  | { readonly state: 'unreadable'; readonly reason: string; readonly isLimit: boolean };

export interface PdfReaderOptions {
  /** The worker's entry: `dist/pdf-worker.mjs`, or `pdf-worker.ts` where TypeScript runs unbundled. */
  readonly worker: URL;
  /** Time that one PDF may take, in ms. */
  readonly timeoutMs: number;
  /** Heap of the reading thread in MiB; beyond it the PDF counts as unreadable. */
  readonly memoryMb: number;
}

/** PDFs and page images, read one after the other on a thread of its own that is started with the first. */
export interface PdfReader {
  /** Page sizes. Rejects only after `dispose` and where the thread cannot be started at all. */
  read(path: string): Promise<PdfPages>;
  /** What stands on pages. Rejects as `read` does. */
  perform<K extends PageTask['kind']>(task: PageTask & { readonly kind: K }): Promise<Performed<PageAnswers[K]>>;
  dispose(): Promise<void>;
}

type Outcome = Performed<PageAnswers[PageTask['kind']]>;

interface Task {
  readonly task: PageTask;
  readonly settle: (outcome: Outcome) => void;
  readonly fail: (error: Error) => void;
}

/** pdf.js takes a third of a second to load; a machine under load gets this long. */
const START_LIMIT_MS = 30_000;

export function createPdfReader(options: PdfReaderOptions): PdfReader {
  const waiting: Task[] = [];
  let current: Task | undefined;
  let worker: Worker | undefined;
  let ready = false;
  let timer: NodeJS.Timeout | undefined;
  let disposed = false;
  let nextId = 1;

  function pump(): void {
    if (current !== undefined || disposed) return;
    current = waiting.shift();
    if (current === undefined) {
      // An idle thread does not keep the process alive.
      worker?.unref();
      return;
    }
    if (worker === undefined) start();
    else send();
  }

  function start(): void {
    ready = false;
    const started = new Worker(options.worker, {
      resourceLimits: { maxOldGenerationSizeMb: options.memoryMb },
      stdout: true,
      stderr: true,
      env: {},
      execArgv: [],
    });
    worker = started;
    // What pdf.js prints is no concern of the host's output.
    started.stdout.resume();
    started.stderr.resume();
    let reason = 'it ended the PDF reader';
    started.on('message', (answer: PdfAnswer) => {
      if (worker === started) receive(answer);
    });
    started.on('error', (error) => {
      reason = error.message;
      if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') {
        reason = `it needs more than ${options.memoryMb} MB`;
      }
    });
    started.on('exit', () => {
      if (worker !== started) return;
      worker = undefined;
      if (ready)
        finish((task) => task.settle({ state: 'unreadable', reason: `cannot be read: ${reason}`, isLimit: true }));
      else finish((task) => task.fail(new Error(`The PDF reader does not start: ${reason}`)));
    });
    limit(START_LIMIT_MS, (task) => task.fail(new Error('The PDF reader does not start')));
  }

  function limit(ms: number, giveUp: (task: Task) => void): void {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const stuck = worker;
      worker = undefined;
      void stuck?.terminate();
      finish(giveUp);
    }, ms);
  }

  function send(): void {
    if (current === undefined || worker === undefined) return;
    worker.ref();
    const question: PdfQuestion = { id: nextId, task: current.task };
    worker.postMessage(question);
    limit(options.timeoutMs, (task) =>
      task.settle({
        state: 'unreadable',
        reason: `cannot be read within ${options.timeoutMs / 1000} s`,
        isLimit: true,
      }),
    );
  }

  function receive(answer: PdfAnswer): void {
    if (answer.kind === 'ready') {
      ready = true;
      send();
    } else if (ready && answer.id === nextId) {
      const outcome: Outcome =
        answer.kind === 'done'
          ? { state: 'ok', value: answer.value }
          : { state: 'unreadable', reason: answer.reason, isLimit: answer.isLimit };
      finish((task) => task.settle(outcome));
    }
  }

  function finish(answer: (task: Task) => void): void {
    clearTimeout(timer);
    nextId += 1;
    const done = current;
    current = undefined;
    if (done !== undefined) answer(done);
    pump();
  }

  function ask(task: PageTask): Promise<Outcome> {
    return new Promise((settle, fail) => {
      if (disposed) {
        fail(new Error('The PDF reader was disposed of'));
        return;
      }
      waiting.push({ task, settle, fail });
      pump();
    });
  }

  return {
    async read(path) {
      const outcome = await ask({ kind: 'sizes', path });
      if (outcome.state === 'ok') return { state: 'ok', ...(outcome.value as Sizes) };
      return { state: 'unreadable', reason: outcome.reason };
    },
    perform: <K extends PageTask['kind']>(task: PageTask & { readonly kind: K }) =>
      ask(task) as Promise<Performed<PageAnswers[K]>>,
    async dispose() {
      disposed = true;
      clearTimeout(timer);
      const error = new Error('The PDF reader was disposed of');
      for (const task of [...(current === undefined ? [] : [current]), ...waiting.splice(0)]) task.fail(error);
      current = undefined;
      const last = worker;
      worker = undefined;
      await last?.terminate();
    },
  };
}
