/** Output into a file, which has its name only once it is whole. Pipes and devices are written to as they are. */
import { randomUUID } from 'node:crypto';
import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from '../node/files/errors.ts';
import { describeWriting } from '../node/files/write.ts';
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
  const attempt = async <T>(step: () => Promise<T>): Promise<T> => {
    try {
      return await step();
    } catch (error) {
      throw new UsageError(`The report ${given} ${describeWriting(error)}.`);
    }
  };
  const { target, mode } = await attempt(() => targetOf(path.resolve(cwd, given)));
  const draft = mode === null ? null : path.join(path.dirname(target), `.${path.basename(target)}.${randomUUID()}.tmp`);
  const handle = await attempt(() => (draft === null ? open(target, 'w') : open(draft, 'wx', mode ?? 0o666)));
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
        if (draft !== null) await handle.sync();
        await close();
        if (draft !== null) await rename(draft, target);
      });
    },
    async drop() {
      await close();
      if (draft !== null) await rm(draft, { force: true });
    },
  };
}

/** Links followed. `mode`: of the file that is replaced; undefined: there is none; null: it is none that can be replaced. */
async function targetOf(given: string): Promise<{ readonly target: string; readonly mode: number | null | undefined }> {
  try {
    const target = await realpath(given);
    const found = await stat(target);
    return { target, mode: found.isFile() ? found.mode & 0o777 : null };
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    return { target: given, mode: undefined };
  }
}
