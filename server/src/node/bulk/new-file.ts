/** Writes files that were not there before: whole or not at all, and never over another one unless that is asked for. */
import { randomBytes } from 'node:crypto';
import { link, open, rename, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from '../files/errors.ts';
import {
  NotWritten,
  notWritten,
  prefixOf,
  removeLeftovers,
  replaceFile,
  stateOf,
  syncFolder,
  writeBytes,
} from '../files/write.ts';

/** There is a file of this name already. */
export class Exists extends NotWritten {
  constructor() {
    super('exists already');
  }
}

/**
 * Under its name the file appears when it is complete and on the disk. With `replace` it takes the place of one that is there, which
 * must not change meanwhile. Throws NotWritten; what the pieces throw is passed on.
 */
export async function writeNewFile(file: string, pieces: AsyncIterable<Uint8Array>, replace: boolean): Promise<void> {
  let failure: { readonly error: unknown } | undefined;
  async function* watched(): AsyncGenerator<Uint8Array> {
    try {
      yield* pieces;
    } catch (error) {
      failure = { error };
      throw error;
    }
  }
  try {
    if (await exists(file)) {
      if (!replace) throw new Exists();
      await replaceFile(file, watched(), await stateOf(file));
    } else await create(file, watched());
  } catch (error) {
    if (failure !== undefined) throw failure.error;
    throw error instanceof NotWritten ? error : notWritten(error);
  }
}

async function create(file: string, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  const fresh = `${prefixOf(file)}${process.pid}-${randomBytes(6).toString('hex')}.tmp`;
  await removeLeftovers(file);
  try {
    const handle = await open(fresh, 'wx');
    try {
      await writeBytes(handle, pieces);
    } finally {
      await handle.close();
    }
    await giveName(fresh, file);
  } catch (error) {
    await unlink(fresh).catch(() => undefined);
    throw error;
  }
  await syncFolder(path.dirname(file));
}

/** Fails where another file has got the name meanwhile. */
export async function giveName(fresh: string, file: string): Promise<void> {
  try {
    await link(fresh, file);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') throw new Exists();
    // A file system without hard links.
    if (await exists(file)) throw new Exists();
    await rename(fresh, file);
    return;
  }
  await unlink(fresh);
}

export async function exists(file: string): Promise<boolean> {
  try {
    await stat(file);
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw notWritten(error);
  }
}
