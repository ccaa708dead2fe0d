/**
 * Writes a changed file in the place of the old one, so that at every moment the file is the old or the new version: the
 * new one is written beside it, brought to the disk, and takes the old one's name.
 *
 * Not by write-file-atomic: that takes the new content as one text, while record files are larger than a text may be; it
 * does not look whether somebody else changed the file; and it does not bring the renaming itself to the disk.
 */
import { createHash, randomBytes } from 'node:crypto';
import { open, readdir, readFile, realpath, rename, rm, stat, unlink, writeFile } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import type { TextEdit } from '../../core/edit/types.ts';
import { describeError, errorCode } from './errors.ts';

/** A file was not written, and is as it was before; the message stands after the file's name. */
export class NotWritten extends Error {}

/** What a file was when it was read: it is only replaced while it is still so. */
export interface FileState {
  readonly size: number;
  readonly mtimeMs: number;
  readonly ino: number;
  /** SHA-256 of the bytes, in hex. */
  readonly hash: string;
}

const CHUNK_BYTES = 512 * 1024;
/** What a killed program left behind is removed when it is this old. */
const LEFTOVER_MS = 3_600_000;
/** Reading the largest files once more takes less. */
const LOCK_MS = 120_000;

/** The bytes of a file in pieces. A piece is valid until the next one is asked for. */
export async function* bytesOf(file: string): AsyncGenerator<Uint8Array> {
  const handle = await open(file, 'r');
  try {
    const buffer = new Uint8Array(CHUNK_BYTES);
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, CHUNK_BYTES, null);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

/** Rejects with a file system error where the file cannot be read. */
export async function stateOf(file: string): Promise<FileState> {
  const { size, mtimeMs, ino } = await stat(file);
  const hash = createHash('sha256');
  for await (const bytes of bytesOf(file)) hash.update(bytes);
  return { size, mtimeMs, ino, hash: hash.digest('hex') };
}

/**
 * The text of a UTF-8 file in pieces, a byte order mark at its start included; `onBytes` sees the bytes. Throws NotWritten
 * where bytes are not UTF-8: written again they would be others.
 */
export async function* textOf(file: string, onBytes?: (bytes: Uint8Array) => void): AsyncGenerator<string> {
  yield* textOfBytes(bytesOf(file), onBytes);
}

/** The same for bytes from elsewhere. */
export async function* textOfBytes(
  source: AsyncIterable<Uint8Array>,
  onBytes?: (bytes: Uint8Array) => void,
): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  try {
    for await (const bytes of source) {
      onBytes?.(bytes);
      const text = decoder.decode(bytes, { stream: true });
      if (text !== '') yield text;
    }
    const last = decoder.decode();
    if (last !== '') yield last;
  } catch (error) {
    if (error instanceof TypeError) throw new NotWritten('holds bytes that are not UTF-8; they would be lost');
    throw error;
  }
}

/**
 * The bytes of a file with edits made. Offsets count UTF-16 units of the file's text with its byte order mark; edits are in
 * order of place and do not overlap.
 */
export async function* editedBytes(file: string, edits: readonly TextEdit[]): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let offset = 0;
  let next = 0;
  for await (const text of textOf(file)) {
    const end = offset + text.length;
    let from = offset;
    let piece = '';
    while (next < edits.length) {
      const { span, text: written } = edits[next]!;
      if (span.start >= end) break;
      if (span.start >= from) piece += text.slice(from - offset, span.start - offset) + written;
      from = Math.min(span.end, end);
      if (span.end > end) break;
      next++;
    }
    piece += text.slice(from - offset);
    offset = end;
    if (piece !== '') yield encoder.encode(piece);
  }
  const rest = edits.slice(next).filter(({ span }) => span.start >= offset);
  if (rest.length > 0) yield encoder.encode(rest.map(({ text }) => text).join(''));
}

/** Writes pieces to a file and brings them to the disk; `onBytes` sees them. */
export async function writeBytes(
  handle: FileHandle,
  pieces: AsyncIterable<Uint8Array>,
  onBytes?: (bytes: Uint8Array) => void,
): Promise<void> {
  for await (const piece of pieces) {
    onBytes?.(piece);
    for (let at = 0; at < piece.length;) at += (await handle.write(piece, at)).bytesWritten;
  }
  await handle.sync();
}

/**
 * Puts a new version in the place of a file that is still as `expected`. A link is followed to what it names; mode and,
 * where the system allows it, owner stay. Throws NotWritten where the file cannot be or must not be replaced.
 * `ready` hears of the new version when it is on the disk and has not taken the old one's name yet, while no other writer of ours can
 * change the file; what it throws stops that.
 * @returns the new version's state.
 */
export async function replaceFile(
  file: string,
  pieces: AsyncIterable<Uint8Array>,
  expected: FileState,
  ready?: (fresh: FileState) => Promise<void>,
): Promise<FileState> {
  let target: string;
  try {
    target = await realpath(file);
    await removeLeftovers(target);
  } catch (error) {
    throw notWritten(error);
  }
  const fresh = `${prefixOf(target)}${process.pid}-${randomBytes(6).toString('hex')}.tmp`;
  let handle: FileHandle | undefined;
  let state: FileState;
  try {
    const { mode, uid, gid, nlink, isFile } = await describeTarget(target);
    if (!isFile) throw new NotWritten('is no regular file');
    // A new file in its place would not ask for the right to write in the old one.
    if ((mode & 0o222) === 0) throw new NotWritten('is read-only');
    if (nlink > 1) throw new NotWritten('has more than one name (hard links): the others would keep the old version');
    handle = await open(fresh, 'wx', mode & 0o7777);
    const hash = createHash('sha256');
    await writeBytes(handle, pieces, (bytes) => hash.update(bytes));
    await keepOwner(handle, uid, gid);
    // After the owner, which takes set-id bits away; and the mask for new files has no say here.
    await handle.chmod(mode & 0o7777);
    await handle.sync();
    const { size, mtimeMs, ino } = await handle.stat();
    state = { size, mtimeMs, ino, hash: hash.digest('hex') };
    await handle.close();
    handle = undefined;
    await alone(target, async (isAlone) => {
      if (!isSame(await stateOf(target), expected)) throw new NotWritten(CHANGED);
      await ready?.(state);
      // What is made ready may take its time.
      if (ready !== undefined && !isStamped(await stat(target), expected)) throw new NotWritten(CHANGED);
      if (!(await isAlone())) throw BUSY;
      await rename(fresh, target);
    });
  } catch (error) {
    await handle?.close().catch(() => undefined);
    await unlink(fresh).catch(() => undefined);
    throw error instanceof NotWritten ? error : notWritten(error);
  }
  await syncFolder(path.dirname(target));
  return state;
}

const CHANGED = 'has changed on disk since it was read; check it again';
const BUSY = new NotWritten('is just being written by another window or program; try again');

/**
 * Between the look at a file and the renaming no other writer of ours may do the same: the later one would undo the earlier one's
 * work. What a killed one leaves behind counts for a while only.
 */
async function alone(target: string, work: (isAlone: () => Promise<boolean>) => Promise<void>): Promise<void> {
  const lock = `${prefixOf(target)}lock.tmp`;
  const token = `${process.pid} ${randomBytes(6).toString('hex')} ${hostname()}`;
  const take = (): Promise<void> => writeFile(lock, token, { flag: 'wx' });
  const isOurs = async (): Promise<boolean> => (await readFile(lock, 'utf8').catch(() => '')) === token;
  try {
    await take();
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    if (!(await isLeftBehind(lock))) throw BUSY;
    await unlink(lock).catch(() => undefined);
    await take().catch(() => {
      throw BUSY;
    });
  }
  try {
    await work(isOurs);
  } finally {
    if (await isOurs()) await unlink(lock).catch(() => undefined);
  }
}

/** Its process does not run any more, as far as can be told from here, or has been at it for longer than it takes. */
async function isLeftBehind(lock: string): Promise<boolean> {
  const { mtimeMs } = await stat(lock).catch(() => ({ mtimeMs: 0 }));
  if (Date.now() - mtimeMs > LOCK_MS) return true;
  const [pid, , host] = (await readFile(lock, 'utf8').catch(() => '')).split(' ');
  if (host !== hostname() || !(Number(pid) > 0)) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return errorCode(error) === 'ESRCH';
  }
}

async function describeTarget(target: string) {
  const stats = await stat(target);
  return { mode: stats.mode, uid: stats.uid, gid: stats.gid, nlink: stats.nlink, isFile: stats.isFile() };
}

function isSame(a: FileState, b: FileState): boolean {
  return isStamped(a, b) && a.hash === b.hash;
}

function isStamped(a: Omit<FileState, 'hash'>, b: FileState): boolean {
  return a.size === b.size && a.mtimeMs === b.mtimeMs && a.ino === b.ino;
}

/** A failure of the file system in the words of `NotWritten`. */
export function notWritten(error: unknown): NotWritten {
  return new NotWritten(describeWriting(error));
}

/** Why something could not be written, to stand after its name. */
export function describeWriting(error: unknown): string {
  const code = errorCode(error);
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'cannot be written: the disk is full';
  if (code === 'EROFS') return 'cannot be written: the disk is read-only';
  if (code === 'EACCES' || code === 'EPERM') return 'may not be written (permission denied)';
  return describeError(error);
}

/** Only root gives files away: for others it is their own already, or stays so. */
async function keepOwner(handle: FileHandle, uid: number, gid: number): Promise<void> {
  const own = await handle.stat();
  if (own.uid === uid && own.gid === gid) return;
  try {
    await handle.chown(uid, gid);
  } catch (error) {
    if (!['EPERM', 'EINVAL', 'ENOSYS'].includes(errorCode(error) ?? '')) throw error;
  }
}

/** After it the new name is on the disk too. Systems that cannot sync a folder do without. */
export async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch {
    // The file itself is whole either way.
  }
}

/** Bytes of a file's name that leave room for what is put around it: file systems take 255. */
const LONG_NAME_BYTES = 200;

/** How unfinished versions of a file beside it are called. */
export function prefixOf(target: string): string {
  const name = path.basename(target);
  const hash = (): string => createHash('sha256').update(name).digest('hex').slice(0, 32);
  const shown = Buffer.byteLength(name) > LONG_NAME_BYTES ? hash() : name;
  return path.join(path.dirname(target), `.${shown}.auditable-qa-`);
}

/** Unfinished versions that a killed program left behind. Young ones may be somebody's work. */
export async function removeLeftovers(target: string): Promise<void> {
  const prefix = path.basename(prefixOf(target));
  const folder = path.dirname(target);
  for (const name of await readdir(folder)) {
    if (!name.startsWith(prefix) || !name.endsWith('.tmp')) continue;
    const at = path.join(folder, name);
    if (Date.now() - (await lastWritten(at)) > LEFTOVER_MS) await rm(at, { recursive: true }).catch(() => undefined);
  }
}

/** In ms; of a folder, when one of its files was. */
async function lastWritten(at: string): Promise<number> {
  try {
    const stats = await stat(at);
    let last = stats.mtimeMs;
    if (stats.isDirectory()) {
      for (const name of await readdir(at)) last = Math.max(last, (await stat(path.join(at, name))).mtimeMs);
    }
    return last;
  } catch {
    // Somebody is at work on it.
    return Infinity;
  }
}
