/** Thread that makes the index of one file and ends. */
import { parentPort, workerData } from 'node:worker_threads';
import { describeError } from '../files/errors.ts';
import { buildIndex, NotIndexed } from './build.ts';
import type { IndexRequest } from './build.ts';
import type { IndexMessage } from './index-messages.ts';
import { buffersOf } from './record-index.ts';

const TOLD_BYTES = 4 * 1024 * 1024;

function post(message: IndexMessage, buffers: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, buffers);
}

let told = 0;
try {
  const index = buildIndex(workerData as IndexRequest, (bytes) => {
    if (bytes - told < TOLD_BYTES) return;
    told = bytes;
    post({ kind: 'read', bytes });
  });
  post({ kind: 'done', index }, buffersOf(index));
} catch (error) {
  post({ kind: 'failed', problem: problemOf(error) });
}

function problemOf(error: unknown): string {
  if (error instanceof NotIndexed) return error.message;
  // As V8 says that a text would have more than 2^29 - 24 characters.
  const isTooLong = error instanceof RangeError && error.message === 'Invalid string length';
  return isTooLong ? 'holds a record longer than a text can be (512 MB)' : describeError(error);
}
