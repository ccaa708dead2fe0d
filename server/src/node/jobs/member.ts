/** A thread that checks records: it reads documents itself, and asks for runs of solutions. */
import { parentPort, workerData } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import type { DocumentReader, RunResult, SolutionRunner } from '../../core/ports.ts';
import { createDocumentReader } from '../pages/document-reader.ts';
import { createBatchChecker } from './batch.ts';
import type { BatchChecker } from './batch.ts';
import type { FromMember, MemberData, ToMember } from './messages.ts';

/** Serves until the thread is ended from outside. */
export function startMember(): void {
  const port = parentPort;
  if (port === null) throw new Error('This runs in a thread only');
  const { pdfWorker } = workerData as MemberData;
  let reader: DocumentReader | undefined;
  const readerOf = (): DocumentReader =>
    (reader ??= createDocumentReader({ worker: new URL(pdfWorker), trustMs: Infinity }));
  const { runner, answer } = createAsker(port);
  const files = new Map<number, BatchChecker>();
  port.on('message', (message: ToMember) => {
    if ('run' in message) answer(message.run, message.result);
    else if ('open' in message) {
      // Files come one after the other.
      files.clear();
      const { open, task } = message;
      files.set(open, createBatchChecker(task, runner, task.looks ? readerOf() : undefined));
    } else {
      const { batch, slots, wanted } = message;
      const file = files.get(message.file)!;
      file.check(slots, wanted).then(
        (records) => port.postMessage({ done: batch, records } satisfies FromMember),
        (error: unknown) =>
          port.postMessage({
            failed: error instanceof Error ? (error.stack ?? error.message) : String(error),
          } satisfies FromMember),
      );
    }
  });
}

/** Runs solutions elsewhere. */
function createAsker(port: MessagePort): {
  readonly runner: SolutionRunner;
  answer(run: number, result: RunResult): void;
} {
  const asked = new Map<number, (result: RunResult) => void>();
  let next = 0;
  return {
    runner: {
      run: (request) =>
        new Promise((resolve) => {
          const run = next++;
          asked.set(run, resolve);
          port.postMessage({ run, request } satisfies FromMember);
        }),
      dispose: () => Promise.resolve(),
    },
    answer(run, result) {
      asked.get(run)?.(result);
      asked.delete(run);
    },
  };
}
