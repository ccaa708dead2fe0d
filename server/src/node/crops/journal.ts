/**
 * What is done already: one line for each image that stands in its place, so that a run that was killed goes on where it
 * stopped. In memory there is a number for each image and no text.
 */
import { closeSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { hashNumber } from '../../core/hash.ts';

export interface JournalEntry {
  /** Path below the output folder without the ending. */
  readonly stem: string;
  readonly ending: string;
  readonly width: number;
  readonly height: number;
  readonly sha256: string;
  /** Absolute path of the page's file, and what it was then. */
  readonly source: string;
  readonly version: string;
}

export interface Journal {
  /** `isOld`: of an earlier run, so that the files have to be looked at again. */
  find(stem: string): { readonly entry: JournalEntry; readonly isOld: boolean } | undefined;
  add(entry: JournalEntry): void;
  close(): void;
}

const LINE_END = 10;
const CHUNK = 64 * 1024;

/**
 * Opens or begins the journal. `head` says of what run it is: one of another run is begun anew, and an unfinished last line
 * counts as not written.
 */
export function openJournal(file: string, head: object): Journal {
  const fd = openSync(file, 'a+');
  const index = new Map<number, number>();
  const headLine = JSON.stringify(head);
  let end = 0;
  let isHead = true;
  for (const { text, at } of linesOf(fd)) {
    if (isHead && text !== headLine) break;
    const entry = isHead ? undefined : entryOf(text);
    if (!isHead && entry === undefined) break;
    if (entry !== undefined) index.set(hashNumber(entry.stem), at);
    isHead = false;
    end = at + Buffer.byteLength(text) + 1;
  }
  ftruncateSync(fd, end);
  const old = end;
  const append = (text: string): number => {
    const at = end;
    const bytes = Buffer.from(`${text}\n`);
    for (let written = 0; written < bytes.length;) written += writeSync(fd, bytes, written);
    end += bytes.length;
    return at;
  };
  if (end === 0) append(headLine);

  return {
    find(stem) {
      const at = index.get(hashNumber(stem));
      const entry = at === undefined ? undefined : entryOf(lineAt(fd, at));
      return entry?.stem === stem ? { entry, isOld: at! < old } : undefined;
    },
    add(entry) {
      index.set(hashNumber(entry.stem), append(JSON.stringify(entry)));
    },
    close: () => closeSync(fd),
  };
}

function entryOf(text: string): JournalEntry | undefined {
  try {
    const value = JSON.parse(text) as Partial<JournalEntry> | null;
    return typeof value?.stem === 'string' && typeof value.sha256 === 'string' ? (value as JournalEntry) : undefined;
  } catch {
    return undefined;
  }
}

/** Whole lines with their offsets in bytes. */
function* linesOf(fd: number): Generator<{ readonly text: string; readonly at: number }> {
  const { size } = fstatSync(fd);
  let rest = Buffer.alloc(0);
  let at = 0;
  for (let read = 0; read < size;) {
    const chunk = Buffer.alloc(CHUNK);
    const count = readSync(fd, chunk, 0, CHUNK, read);
    if (count === 0) return;
    read += count;
    rest = Buffer.concat([rest, chunk.subarray(0, count)]);
    let from = 0;
    for (let to = rest.indexOf(LINE_END); to >= 0; to = rest.indexOf(LINE_END, from)) {
      yield { text: rest.toString('utf8', from, to), at: at + from };
      from = to + 1;
    }
    at += from;
    rest = rest.subarray(from);
  }
}

function lineAt(fd: number, at: number): string {
  let line = Buffer.alloc(0);
  for (;;) {
    const chunk = Buffer.alloc(1024);
    const count = readSync(fd, chunk, 0, chunk.length, at + line.length);
    line = Buffer.concat([line, chunk.subarray(0, count)]);
    const to = line.indexOf(LINE_END);
    if (to >= 0 || count === 0) return line.toString('utf8', 0, to < 0 ? line.length : to);
  }
}
