/** Output into a file, which has its name only once it is whole. */
import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { describeError } from '../node/files/errors.ts';
import type { Output } from './output.ts';
import { UsageError } from './usage.ts';

export interface FileOutput {
  readonly out: Output;
  done(): Promise<void>;
  /** Nothing is left of it. */
  drop(): Promise<void>;
}

/** Rejects, as all of it does, with a usage error where the file cannot be written. */
export async function createFileOutput(given: string, cwd: string): Promise<FileOutput> {
  const target = path.resolve(cwd, given);
  const draft = path.join(path.dirname(target), `.${path.basename(target)}.${randomUUID()}.tmp`);
  const attempt = async <T>(step: () => Promise<T>): Promise<T> => {
    try {
      return await step();
    } catch (error) {
      throw new UsageError(`The report ${given} ${describeError(error)}.`);
    }
  };
  const handle = await attempt(() => open(draft, 'wx'));
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (isOpen) await handle.close();
    isOpen = false;
  };
  return {
    out: {
      write: (text) => attempt(() => handle.appendFile(text)),
      closed: new AbortController().signal,
      colors: false,
    },
    async done() {
      await attempt(async () => {
        await handle.sync();
        await close();
        await rename(draft, target);
      });
    },
    async drop() {
      await close();
      await rm(draft, { force: true });
    },
  };
}
