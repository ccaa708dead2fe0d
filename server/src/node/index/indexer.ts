import { Worker } from 'node:worker_threads';
import type { Cancel } from '../../core/ports.ts';
import type { IndexRequest } from './build.ts';
import { createIndexCache } from './index-cache.ts';
import type { IndexMessage } from './index-messages.ts';
import { openIndexed } from './indexed-file.ts';
import type { IndexedFile } from './indexed-file.ts';
import type { RecordIndex } from './record-index.ts';

export interface IndexOptions extends IndexRequest {
  /** Not from the cache. */
  readonly anew?: boolean;
  /** Folder of the cache; absent: nothing is kept. */
  readonly cacheFolder?: string;
  /** Hears how many bytes of the file have been read. */
  readonly told?: (bytes: number) => void;
  readonly cancel?: Cancel;
}

/** `problem`: to stand after the file's name. */
export type Indexed = { readonly file: IndexedFile; readonly isFromCache: boolean } | { readonly problem: string };

/** Heap of the indexing thread, in MiB: the longest record, a few times over. */
const MEMORY_MB = 1024;
const YOUNG_MB = 8;

/**
 * Opens a file by its records: by the index of the cache, or after one pass over the file on a thread of its own. The file
 * must be closed after use. Does not reject.
 */
export async function indexFile(entry: URL, options: IndexOptions): Promise<Indexed> {
  const { file, form, records, cacheFolder, cancel } = options;
  const cache = createIndexCache(cacheFolder);
  const known = options.anew === true ? undefined : await cache.find({ file, form, records });
  if (known !== undefined) return { file: openIndexed(file, known, cache), isFromCache: true };
  const made = await make(entry, options);
  if ('problem' in made) return made;
  if (cancel?.aborted === true) return { problem: CANCELLED };
  await cache.keep(file, made.index);
  return { file: openIndexed(file, made.index, cache), isFromCache: false };
}

const CANCELLED = 'is not read any more';

function make(
  entry: URL,
  { file, form, records, told, cancel }: IndexOptions,
): Promise<{ readonly index: RecordIndex } | { readonly problem: string }> {
  return new Promise((resolve) => {
    const request: IndexRequest = { file, form, records };
    const worker = new Worker(entry, {
      workerData: request,
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB, maxYoungGenerationSizeMb: YOUNG_MB },
      env: {},
      execArgv: [],
    });
    const listening = cancel?.onAbort(() => {
      resolve({ problem: CANCELLED });
      void worker.terminate();
    });
    worker.on('message', (message: IndexMessage) => {
      if (message.kind === 'read') told?.(message.bytes);
      else if (message.kind === 'done') resolve({ index: message.index });
      else resolve({ problem: message.problem });
    });
    worker.on('error', (error) => {
      const isMemory = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      resolve({
        problem: isMemory ? `needs more than ${MEMORY_MB} MB to be read` : `cannot be read: ${error.message}`,
      });
    });
    worker.on('exit', () => {
      listening?.dispose();
      resolve({ problem: 'cannot be read: the thread that reads it ended' });
    });
  });
}
