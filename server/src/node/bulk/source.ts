/** Files as they are read for bulk work: in pieces, with progress and cancel, and the same from beginning to end. */
import { stat } from 'node:fs/promises';
import type { Unsound } from '../../core/bulk/sound.ts';
import type { FileForm } from '../../core/text/types.ts';
import { describeError } from '../files/errors.ts';
import { formOfName } from '../files/read.ts';
import { bytesOf, NotWritten, textOfBytes } from '../files/write.ts';

/** What bulk work hears of and tells the outside. */
export interface BulkRun {
  /** Work is no longer wanted: throws an AbortError at the next piece. */
  readonly stop: AbortSignal;
  /** So many bytes more were read. */
  advanced(bytes: number): void;
}

export interface BulkSource {
  readonly form: FileForm;
  text(): AsyncIterable<string>;
}

/** The file holds something that would be lost, or records that cannot be read. */
export class BrokenFile extends NotWritten {
  readonly problems: readonly Unsound[];
  constructor(problems: readonly Unsound[]) {
    super(`has ${problems.length === 1 ? 'a fault' : `${problems.length} faults`} that must be repaired first`);
    this.problems = problems;
  }
}

/** Throws NotWritten where the file cannot be read, is not UTF-8, or changes while it is read. */
export function fileToRead(file: string, { stop, advanced }: BulkRun): BulkSource {
  return {
    form: formOfName(file) ?? 'lines',
    async *text() {
      const before = await lookAt(file);
      try {
        yield* stoppable(
          textOfBytes(bytesOf(file), (bytes) => advanced(bytes.length)),
          stop,
        );
      } catch (error) {
        throw error instanceof NotWritten || isAbort(error) ? error : new NotWritten(describeError(error));
      }
      const after = await lookAt(file);
      if (after.size !== before.size || after.mtimeMs !== before.mtimeMs || after.ino !== before.ino) {
        throw new NotWritten('changed while it was read');
      }
    },
  };
}

/** A stream such as standard input; its first sign tells how records lie. */
export function streamToRead(stream: AsyncIterable<Uint8Array>, form: FileForm, { stop }: BulkRun): BulkSource {
  return { form, text: () => stoppable(textOfBytes(stream), stop) };
}

async function* stoppable(pieces: AsyncIterable<string>, stop: AbortSignal): AsyncGenerator<string> {
  for await (const piece of pieces) {
    stop.throwIfAborted();
    yield piece;
  }
}

async function lookAt(file: string) {
  try {
    const stats = await stat(file);
    if (!stats.isFile()) throw new NotWritten(stats.isDirectory() ? 'is a folder' : 'is no regular file');
    return stats;
  } catch (error) {
    throw error instanceof NotWritten ? error : new NotWritten(describeError(error));
  }
}

export function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}
