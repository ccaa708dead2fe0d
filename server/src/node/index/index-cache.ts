/**
 * Indexes of files, kept on disk. An index is found again only for a file of the same path, size, time, number and first and
 * last bytes, and only where its own checksum is right; and whatever it says of a record is held against the record's own
 * hash when that is read. Anything else is left out and written anew.
 *
 * A cache file: eight letters, the SHA-256 of all that follows, the length of a JSON header, the header, padding to eight
 * bytes, the lists one after the other.
 */
import { createHash, randomUUID } from 'node:crypto';
import {
  mkdir,
  open,
  readFile,
  readdir,
  realpath,
  rename,
  rm,
  stat,
  unlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import type { FileFault } from '../../core/text/types.ts';
import type { IndexRequest } from './build.ts';
import { buffersOf, isSameStamp } from './record-index.ts';
import type { FileStamp, Places, RecordIndex } from './record-index.ts';

export interface IndexCache {
  /** undefined: there is none that fits the file as it is. */
  find(request: IndexRequest): Promise<RecordIndex | undefined>;
  /** A disk that is full or read-only costs the next start a pass over the file. */
  keep(file: string, index: RecordIndex): Promise<void>;
}

interface Header {
  /** Of the indexed file. */
  readonly path: string;
  readonly stamp: FileStamp;
  readonly ends: string;
  readonly form: RecordIndex['form'];
  readonly records: string | null;
  readonly places: number;
  /** null: the records are not nested. */
  readonly elements: number | null;
  readonly faults: readonly FileFault[];
}

const MAGIC = 'AQINDEX1';
const HASH_BYTES = 32;
const HEAD_BYTES = MAGIC.length + HASH_BYTES + 8;
/** Of the file, at its start and at its end. */
const END_BYTES = 64 * 1024;
/** Of all indexes; those that were used longest ago go. */
const DISK_LIMIT = 256 * 1024 * 1024;
const NAME = /^[0-9A-Za-z_-]{22}\.index$/;
const UNFINISHED = /^[0-9A-Za-z_-]{22}\.index\.[0-9a-f-]{36}\.tmp$/;
/** What a killed process left behind is removed when it is this old. */
const LEFTOVER_MS = 3_600_000;

export function createIndexCache(folder: string | undefined): IndexCache {
  return {
    async find(request) {
      if (folder === undefined) return undefined;
      try {
        const kept = await cachePath(folder, request);
        const bytes = await readFile(kept);
        const now = new Date();
        await utimes(kept, now, now).catch(() => undefined);
        const found = decode(bytes, await realpath(request.file), request);
        if (found === undefined || !isSameStamp(found.index.stamp, await stat(request.file))) return undefined;
        return found.ends === (await endsOf(request.file, found.index.stamp.size)) ? found.index : undefined;
      } catch {
        // None there, or none that can be read: the file itself tells.
        return undefined;
      }
    },
    async keep(file, index) {
      if (folder === undefined) return;
      let fresh: string | undefined;
      try {
        const name = await cachePath(folder, { file, form: index.form, records: index.records });
        const bytes = encode(index, await realpath(file), await endsOf(file, index.stamp.size));
        await mkdir(folder, { recursive: true });
        fresh = `${name}.${randomUUID()}.tmp`;
        await writeFile(fresh, bytes);
        await rename(fresh, name);
        await tidy(folder);
      } catch {
        if (fresh !== undefined) await rm(fresh, { force: true }).catch(() => undefined);
      }
    },
  };
}

async function cachePath(folder: string, { file, form, records }: IndexRequest): Promise<string> {
  const key = JSON.stringify([await realpath(file), form, records ?? null]);
  return path.join(folder, `${createHash('sha256').update(key).digest('base64url').slice(0, 22)}.index`);
}

/** SHA-256 of the first and the last bytes of a file. */
async function endsOf(file: string, size: number): Promise<string> {
  const handle = await open(file, 'r');
  try {
    const hash = createHash('sha256');
    const bytes = Buffer.alloc(END_BYTES);
    for (const start of [0, Math.max(0, size - END_BYTES)]) {
      const { bytesRead } = await handle.read(bytes, 0, END_BYTES, start);
      hash.update(bytes.subarray(0, bytesRead));
    }
    return hash.digest('base64url');
  } finally {
    await handle.close();
  }
}

function encode(index: RecordIndex, file: string, ends: string): Buffer {
  const header: Header = {
    path: file,
    stamp: index.stamp,
    ends,
    form: index.form,
    records: index.records ?? null,
    places: index.places.count,
    elements: index.elements?.count ?? null,
    faults: index.faults,
  };
  const json = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeUInt32LE(json.length);
  const padding = Buffer.alloc(-(HEAD_BYTES + json.length) & 7);
  const body = Buffer.concat([length, json, padding, ...buffersOf(index).map((buffer) => Buffer.from(buffer))]);
  return Buffer.concat([Buffer.from(MAGIC, 'latin1'), createHash('sha256').update(body).digest(), body]);
}

function decode(bytes: Buffer, file: string, request: IndexRequest): { index: RecordIndex; ends: string } | undefined {
  if (bytes.length < HEAD_BYTES || bytes.toString('latin1', 0, MAGIC.length) !== MAGIC) return undefined;
  const body = bytes.subarray(MAGIC.length + HASH_BYTES);
  const sum = createHash('sha256').update(body).digest();
  if (!sum.equals(bytes.subarray(MAGIC.length, MAGIC.length + HASH_BYTES))) return undefined;
  const length = body.readUInt32LE(0);
  const header = JSON.parse(body.toString('utf8', 8, 8 + length)) as Header;
  const { form, records, stamp, ends, faults } = header;
  if (header.path !== file || form !== request.form || (records ?? undefined) !== request.records) return undefined;
  let at = HEAD_BYTES + length + (-(HEAD_BYTES + length) & 7);
  /** Copied, so that lists begin where their kind must. */
  const take = (size: number): ArrayBuffer => {
    if (at + size > bytes.length) throw new RangeError('The index is cut off');
    const part = Uint8Array.prototype.slice.call(bytes, at, at + size).buffer as ArrayBuffer;
    at += size;
    return part;
  };
  const places = takePlaces(header.places, take);
  const elements = header.elements === null ? undefined : takePlaces(header.elements, take);
  const elementOf = header.elements === null ? undefined : new Uint32Array(take(4 * header.places));
  if (at !== bytes.length) return undefined;
  return { index: { form, records: request.records, stamp, places, elements, elementOf, faults }, ends };
}

/** In the order of `buffersOf`. */
function takePlaces(count: number, take: (size: number) => ArrayBuffer): Places {
  return {
    count,
    starts: new Float64Array(take(8 * count)),
    lengths: new Uint32Array(take(4 * count)),
    offsets: new Float64Array(take(8 * count)),
    lines: new Uint32Array(take(4 * count)),
    columns: new Uint32Array(take(4 * count)),
    marks: new Uint32Array(take(8 * count)),
  };
}

async function tidy(folder: string): Promise<void> {
  const found: { file: string; bytes: number; time: number }[] = [];
  for (const name of await readdir(folder)) {
    const file = path.join(folder, name);
    const facts = await stat(file).catch(() => undefined);
    if (facts === undefined) continue;
    const isOld = Date.now() - facts.mtimeMs > LEFTOVER_MS;
    if (UNFINISHED.test(name) && isOld) await unlink(file).catch(() => undefined);
    if (NAME.test(name)) found.push({ file, bytes: facts.size, time: facts.mtimeMs });
  }
  found.sort((one, two) => two.time - one.time);
  let bytes = 0;
  for (const { file, bytes: size } of found) {
    bytes += size;
    if (bytes > DISK_LIMIT) await unlink(file).catch(() => undefined);
  }
}
