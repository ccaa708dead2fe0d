import type { Stats } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import path from 'node:path';
import { createRecordReader } from '../../core/text/reader.ts';
import type { RecordReader } from '../../core/text/reader.ts';
import type { FileFault, FileForm, RecordSlot } from '../../core/text/types.ts';
import { createByteDecoder } from './decode.ts';
import { describeError, errorCode } from './errors.ts';
import { createSpool } from './spool.ts';

/** The records of a file in order, batch by batch. */
export interface RecordStream extends AsyncIterable<readonly RecordSlot[]> {
  /** Faults of the bytes and of what is no record; complete once the iteration has ended. */
  readonly faults: readonly FileFault[];
}

/** Something that holds records and can be read from its beginning more than once. */
export interface RecordSource {
  open(): RecordStream;
  /** Bytes that were read when it was read last. */
  readonly bytes: number;
  /** What kept it from being read whole, to stand after its name: what could be read was given out all the same. */
  readonly problem: string | undefined;
}

/** Large buffers, which come and go, would leave the process's memory in pieces that nothing fits into. */
const CHUNK_BYTES = 64 * 1024;

/** Reads a file; `onBytes` hears how many bytes arrived. */
export function fileSource(file: string, onBytes?: (count: number) => void): RecordSource {
  const source = { bytes: 0, problem: undefined as string | undefined };
  /** As it was when it was read first: a second reading must find the same. */
  let before: Stats | undefined;

  async function* chunks(): AsyncGenerator<Uint8Array> {
    source.bytes = 0;
    try {
      // Before it is opened: what changes from here on is seen.
      before ??= await stat(file);
      const handle = await open(file, 'r');
      try {
        const buffer = new Uint8Array(CHUNK_BYTES);
        for (;;) {
          const { bytesRead } = await handle.read(buffer, 0, CHUNK_BYTES, null);
          if (bytesRead === 0) break;
          source.bytes += bytesRead;
          onBytes?.(bytesRead);
          yield buffer.subarray(0, bytesRead);
        }
      } finally {
        await handle.close();
      }
      source.problem ??= await changeSince(file, before);
    } catch (error) {
      source.problem ??= describeError(error);
    }
  }

  return {
    open: () => streamOf(chunks, formOfName(file), (problem) => (source.problem ??= problem)),
    get bytes() {
      return source.bytes;
    },
    get problem() {
      return source.problem;
    },
  };
}

/** Reads a stream such as standard input. It cannot be read twice, so its bytes are kept. */
export function streamSource(stream: AsyncIterable<Uint8Array>, spool = createSpool()): RecordSource {
  const source = { bytes: 0, isRead: false, problem: undefined as string | undefined };

  async function* chunks(): AsyncGenerator<Uint8Array> {
    if (source.isRead) {
      yield* spool.read();
      return;
    }
    try {
      for await (const chunk of stream) {
        spool.keep(chunk);
        source.bytes += chunk.length;
        yield chunk;
      }
      source.isRead = true;
    } catch (error) {
      if (error instanceof Error && error.name === 'AbortError') throw error;
      source.problem = describeError(error);
    }
  }

  return {
    open: () => streamOf(chunks, undefined, (problem) => (source.problem ??= problem)),
    get bytes() {
      return source.bytes;
    },
    get problem() {
      return source.problem;
    },
  };
}

/** 0 where the file cannot be looked at. */
export async function sizeOfFile(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch {
    return 0;
  }
}

/** Faults of a file's bytes and of what is no record in it, without its records. */
export async function readFileFaults(file: string): Promise<readonly FileFault[]> {
  const stream = fileSource(file).open();
  for await (const batch of stream) void batch;
  return stream.faults;
}

/** `onProblem` hears why the rest of the file could not be cut into records. */
function streamOf(
  chunks: () => AsyncIterable<Uint8Array>,
  known: FileForm | undefined,
  onProblem: (problem: string) => void,
): RecordStream {
  let faults: readonly FileFault[] = [];
  async function* slots(): AsyncGenerator<readonly RecordSlot[]> {
    const decoder = createByteDecoder();
    let reader: RecordReader | undefined;
    const attempt = <T>(step: () => T): T | undefined => {
      try {
        return step();
      } catch (error) {
        if (!isTooLong(error)) throw error;
        onProblem('holds a record longer than a text can be (512 MB); it and what follows it are not checked');
        return undefined;
      }
    };
    const readerOf = (text: string): RecordReader => (reader ??= createRecordReader(known ?? formOfText(text)));
    for await (const bytes of chunks()) {
      const text = decoder.push(bytes);
      if (text === '') continue;
      const batch = attempt(() => readerOf(text).push(text));
      if (batch === undefined) {
        // Records may still be held back, waiting for what follows them.
        const held = attempt(() => readerOf(text).end().slots) ?? [];
        if (held.length > 0) yield held;
        return;
      }
      if (batch.length > 0) yield batch;
    }
    const last = decoder.end();
    const batch = attempt(() => readerOf(last.text).push(last.text));
    if (batch === undefined) return;
    if (batch.length > 0) yield batch;
    const end = attempt(() => readerOf('').end());
    if (end === undefined) return;
    if (end.slots.length > 0) yield end.slots;
    // Bytes that are no text have no further faults as a text.
    faults = [...(last.fault === undefined ? [] : [last.fault]), ...(last.readable ? end.faults : [])];
  }
  return {
    [Symbol.asyncIterator]: slots,
    get faults() {
      return faults;
    },
  };
}

/** As V8 says that a text would have more than 2^29 - 24 characters. */
function isTooLong(error: unknown): boolean {
  return error instanceof RangeError && error.message === 'Invalid string length';
}

/** undefined: the name tells nothing. */
export function formOfName(file: string): FileForm | undefined {
  const extension = path.extname(file).toLowerCase();
  if (extension === '.json') return 'json';
  return extension === '.jsonl' || extension === '.ndjson' ? 'lines' : undefined;
}

/** Without a telling name: an array, or an object that goes on after its first line, is a JSON document. */
export function formOfText(text: string): FileForm {
  const start = text.trimStart();
  if (start.startsWith('[')) return 'json';
  const [first = ''] = start.split('\n', 1);
  return start.startsWith('{') && first.length < start.length && /^\{\s*$/.test(first) ? 'json' : 'lines';
}

async function changeSince(file: string, before: Stats): Promise<string | undefined> {
  let now: Stats;
  try {
    now = await stat(file);
  } catch (error) {
    return errorCode(error) === 'ENOENT' ? 'was deleted while it was read' : describeError(error);
  }
  const same = now.size === before.size && now.mtimeMs === before.mtimeMs && now.ino === before.ino;
  return same ? undefined : 'changed while it was read; check it again';
}
