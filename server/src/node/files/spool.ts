import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Keeps the bytes of a stream that cannot be read twice: the first of them in memory, the rest in a file of its own. */
export interface Spool {
  keep(chunk: Uint8Array): void;
  /** All that was kept, from the beginning. */
  read(): Generator<Uint8Array>;
}

const IN_MEMORY = 16 * 1024 * 1024;
const CHUNK_BYTES = 64 * 1024;

/** `inMemory`: bytes from which on the file is used; `folder`: where it lies. */
export function createSpool(inMemory = IN_MEMORY, folder = tmpdir()): Spool {
  const head: Uint8Array[] = [];
  /** What came after the file could not be written any further, if so. */
  const tail: Uint8Array[] = [];
  let headSize = 0;
  let file: number | undefined;
  let written = 0;
  let isFull = false;

  /** Whether the file has taken the chunk. */
  function write(chunk: Uint8Array): boolean {
    try {
      file ??= openOwnFile(folder);
      for (let at = 0; at < chunk.length;) at += writeSync(file, chunk, at, chunk.length - at, written + at);
    } catch {
      return false;
    }
    written += chunk.length;
    return true;
  }

  return {
    keep(chunk) {
      if (written === 0 && !isFull && headSize + chunk.length <= inMemory) {
        head.push(chunk);
        headSize += chunk.length;
      } else if (isFull || !write(chunk)) {
        isFull = true;
        tail.push(chunk);
      }
    },
    *read() {
      yield* head;
      for (let at = 0; file !== undefined && at < written;) {
        const chunk = new Uint8Array(Math.min(CHUNK_BYTES, written - at));
        const count = readSync(file, chunk, 0, chunk.length, at);
        if (count === 0) throw new Error('What was kept of the stream is lost');
        at += count;
        yield chunk.subarray(0, count);
      }
      yield* tail;
    },
  };
}

/** For nobody else to read, and gone with the process: at once where an open file may lose its name. */
function openOwnFile(folder: string): number {
  const name = path.join(folder, `auditable-qa-${randomUUID()}`);
  const file = openSync(name, 'wx+', 0o600);
  const remove = (): void => rmSync(name, { force: true });
  try {
    remove();
  } catch {
    process.once('exit', () => {
      closeSync(file);
      remove();
    });
  }
  return file;
}
