/** The folder that crops are written to: one run at a time works in it, and it holds nothing unfinished but in one place. */
import { randomUUID } from 'node:crypto';
import { link, lstat, mkdir, open, readFile, readdir, realpath, rename, rm, unlink, writeFile } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { errorCode } from '../files/errors.ts';
import { describeWriting, syncFolder } from '../files/write.ts';
import { openJournal } from './journal.ts';
import type { Journal } from './journal.ts';

export const MANIFEST = 'manifest.jsonl';
/** What is needed to go on; it goes when all is done. */
const STATE = '.auditable-qa-crops';

/** Why the folder cannot be used: to stand after its name. */
export class FolderFault extends Error {}

export interface OutputFolder {
  /** Absolute, links followed. */
  readonly folder: string;
  /** Absolute: images lie in it until they are whole. */
  readonly unfinished: string;
  readonly journal: Journal;
  /** A line of the manifest, without its end. */
  record(line: string): Promise<void>;
  /** Puts the manifest in its place and removes what is needed for going on only. */
  finish(): Promise<void>;
  /** After it another run may go on here. */
  close(): Promise<void>;
}

export interface RunHead {
  readonly version: string;
  readonly what: string;
  readonly dpi: number | null;
}

/** Rejects with `FolderFault`. A run with other options is not gone on with: its images would be mixed up with the new ones. */
export async function openOutputFolder(given: string, head: RunHead): Promise<OutputFolder> {
  try {
    return await openFolder(given, head);
  } catch (error) {
    throw error instanceof FolderFault ? error : new FolderFault(describeWriting(error));
  }
}

async function openFolder(given: string, head: RunHead): Promise<OutputFolder> {
  await mkdir(given, { recursive: true });
  const folder = await realpath(given);
  await checkManifest(path.join(folder, MANIFEST));
  const state = path.join(folder, STATE);
  await mkdir(state, { recursive: true });
  if (!(await lstat(state)).isDirectory()) throw new FolderFault(`has a ${STATE} that is no folder`);
  const release = await lock(path.join(state, 'lock'));
  let journal: Journal | undefined;
  let manifest: FileHandle | undefined;
  try {
    const journalFile = path.join(state, 'journal.jsonl');
    await checkHead(journalFile, head);
    for (const name of await readdir(state)) {
      if (name.endsWith('.tmp')) await unlink(path.join(state, name));
    }
    journal = openJournal(journalFile, head);
    const fresh = path.join(state, 'manifest.tmp');
    manifest = await open(fresh, 'w');
    return handleOf({ folder, state, fresh, release, journal, manifest });
  } catch (error) {
    journal?.close();
    await manifest?.close();
    await release();
    throw error;
  }
}

interface Opened {
  readonly folder: string;
  readonly state: string;
  readonly fresh: string;
  readonly release: () => Promise<void>;
  readonly journal: Journal;
  readonly manifest: FileHandle;
}

function handleOf({ folder, state, fresh, release, journal, manifest }: Opened): OutputFolder {
  let isOpen = true;
  let isFinished = false;
  const shut = async (): Promise<void> => {
    if (!isOpen) return;
    isOpen = false;
    journal.close();
    await manifest.close();
  };
  return {
    folder,
    unfinished: state,
    journal,
    async record(line) {
      await manifest.writeFile(`${line}\n`);
    },
    async finish() {
      await manifest.sync();
      await shut();
      await rename(fresh, path.join(folder, MANIFEST));
      await syncFolder(folder);
      isFinished = true;
    },
    async close() {
      await shut();
      await release();
      if (isFinished) await rm(state, { recursive: true, force: true });
    },
  };
}

/** A manifest of somebody else is not overwritten. */
async function checkManifest(file: string): Promise<void> {
  const first = await firstOf(file, 256);
  if (first.trim() !== '' && !first.startsWith('{"key":')) {
    throw new FolderFault(`holds a ${MANIFEST} that is not of this program; choose another folder`);
  }
}

/** `journal`: its first line says of what run it is. */
async function checkHead(journal: string, head: RunHead): Promise<void> {
  const known = headOf(await firstOf(journal, 1024));
  if (known === undefined || (known.what === head.what && known.dpi === head.dpi)) return;
  const dpi = known.dpi === null ? '' : ` --dpi ${known.dpi}`;
  throw new FolderFault(
    `holds an unfinished run with --what ${known.what}${dpi}; go on with that, choose another folder, or remove ${STATE} in it`,
  );
}

/** undefined: none is written yet, or not whole. */
function headOf(text: string): Omit<RunHead, 'version'> | undefined {
  try {
    const { what, dpi } = JSON.parse(text.split('\n', 1)[0]!) as Partial<RunHead>;
    return typeof what === 'string' && (dpi === null || typeof dpi === 'number') ? { what, dpi } : undefined;
  } catch {
    return undefined;
  }
}

/** The first bytes of a file as text; '' where it is not there. */
async function firstOf(file: string, bytes: number): Promise<string> {
  try {
    const handle = await open(file, 'r');
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, 0);
      return buffer.toString('utf8', 0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return '';
    throw error;
  }
}

interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly token: string;
}

/** How long a lock is believed without a sign of life, in ms; and how often one is given. */
const SILENCE_MS = 120_000;
const SIGN_MS = 15_000;

/** Gives what lets go of it. Rejects with `FolderFault` where another run is at work. */
async function lock(file: string): Promise<() => Promise<void>> {
  const own: Holder = { pid: process.pid, host: os.hostname(), token: randomUUID() };
  for (let attempt = 0; ; attempt++) {
    try {
      await writeFile(file, JSON.stringify(own), { flag: 'wx' });
      break;
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
    const holder = await holderOf(file);
    if (holder !== undefined && (holder === 'young' || holder.isAlive)) {
      if (holder === 'young' && attempt < 10) {
        await pause(100);
        continue;
      }
      const who = holder === 'young' ? 'another run' : `process ${holder.pid} of ${holder.host}`;
      throw new FolderFault(`is being written by ${who}`);
    }
    if (holder !== undefined) await removeStale(file, holder.text);
    if (attempt > 20) throw new FolderFault('is being written by another run');
  }
  const sign = setInterval(() => void touch(file), SIGN_MS);
  sign.unref();
  return async () => {
    clearInterval(sign);
    const text = await readFile(file, 'utf8').catch(() => '');
    if (text.includes(own.token)) await unlink(file).catch(() => undefined);
  };
}

/** Not by its name alone: another run may have found the same one, removed it, and put its own there since. */
async function removeStale(file: string, text: string): Promise<void> {
  const aside = `${file}-${randomUUID()}.tmp`;
  try {
    await rename(file, aside);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return;
    throw error;
  }
  if ((await readFile(aside, 'utf8')) !== text) await link(aside, file).catch(() => undefined);
  await unlink(aside);
}

async function touch(file: string): Promise<void> {
  try {
    const handle = await open(file, 'r+');
    try {
      const now = new Date();
      await handle.utimes(now, now);
    } finally {
      await handle.close();
    }
  } catch {
    // The folder is gone; whatever is written next says so.
  }
}

/** undefined: there is no lock any more. `young`: it is being written. Not alive: nobody holds it. */
async function holderOf(
  file: string,
): Promise<'young' | (Holder & { readonly isAlive: boolean; readonly text: string }) | undefined> {
  try {
    const { mtimeMs } = await lstat(file);
    const silence = Date.now() - mtimeMs;
    const text = await readFile(file, 'utf8');
    let holder: Holder;
    try {
      holder = JSON.parse(text) as Holder;
    } catch {
      return silence < 1_000 ? 'young' : { pid: 0, host: '', token: '', isAlive: false, text };
    }
    // The number of a process that has ended may be another's by now, or our own.
    const isOurs = holder.host === os.hostname();
    const isAlive = silence < SILENCE_MS && (!isOurs || (holder.pid !== process.pid && isRunning(holder.pid)));
    return { ...holder, isAlive, text };
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}
