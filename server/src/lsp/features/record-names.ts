/** Ids and questions of the record files of the workspace, read once and kept until the files change. */
import { createNesting } from '../../core/text/nested.ts';
import { parseRecordText } from '../../core/text/parse.ts';
import { readRecords } from '../../core/text/reader.ts';
import type { RecordSlot } from '../../core/text/types.ts';
import { withOuter } from '../../core/text/nested.ts';
import { toCanonical } from '../../core/record/canonical.ts';
import type { Cancel } from '../../core/ports.ts';
import type { Log } from '../guard.ts';
import { describe } from '../guard.ts';
import type { ServerRuntime } from '../runtime.ts';
import type { FileForm } from '../../core/text/types.ts';

export interface NamedRecord {
  readonly id: string;
  readonly question: string;
  /** 0-based among the records of the file. */
  readonly index: number;
  readonly line: number;
  readonly column: number;
}

export interface NamedRecords {
  /** Absolute path of the file. */
  readonly path: string;
  readonly records: readonly NamedRecord[];
}

export interface RecordNames {
  /** File by file; ends early when it is not wanted any more. */
  files(cancel: Cancel): AsyncGenerator<NamedRecords>;
  /** A file was made, changed or removed. */
  changed(path: string): void;
  /** What fits the files may be another profile now. */
  reset(): void;
}

export interface RecordNamesHost {
  /** Absolute paths. */
  folders(): readonly string[];
  readonly runtime: Pick<ServerRuntime, 'readText' | 'settingsOf' | 'recordFiles'>;
  formOf(path: string): FileForm | undefined;
  readonly log: Log;
}

/** Files looked into, and records and UTF-16 units of text kept of them. */
const MOST_FILES = 500;
const MOST_RECORDS = 300_000;
const MOST_TEXT = 60_000_000;
const QUESTION = 300;
const SAMPLES = 20;
/** Work on the server's thread is cut into slices of so many ms, so that requests get their turn. */
const SLICE_MS = 20;

export function createRecordNames({ folders, runtime, formOf, log }: RecordNamesHost): RecordNames {
  let listed: Promise<readonly string[]> | undefined;
  const known = new Map<string, readonly NamedRecord[]>();
  let kept = 0;
  let keptText = 0;

  async function list(cancel: Cancel): Promise<readonly string[]> {
    const found: string[] = [];
    for (const folder of folders()) {
      if (cancel.aborted) break;
      found.push(
        ...(await runtime.recordFiles(folder, (count) => cancel.aborted || found.length + count >= MOST_FILES)),
      );
    }
    // A list that was broken off is not to be taken for the whole.
    if (cancel.aborted) listed = undefined;
    return found.slice(0, MOST_FILES);
  }

  async function read(path: string, cancel: Cancel): Promise<readonly NamedRecord[] | undefined> {
    const form = formOf(path);
    const text = form === undefined ? { problem: '' } : await runtime.readText(path);
    if (form === undefined || 'problem' in text || cancel.aborted) return cancel.aborted ? undefined : [];
    const { slots } = readRecords(text.text, form);
    const samples = slots.slice(0, SAMPLES).map((slot) => parseRecordText(slot.text).value);
    const settings = await runtime.settingsOf(path, samples, {});
    if (!('profile' in settings)) return [];
    const nesting = createNesting(settings.profile.records);
    const records: NamedRecord[] = [];
    let end = performance.now() + SLICE_MS;
    for (const element of slots) {
      if (performance.now() > end) {
        await new Promise((resolve) => setImmediate(resolve));
        if (cancel.aborted) return undefined;
        end = performance.now() + SLICE_MS;
      }
      for (const slot of nesting.expand([element])) {
        const record = named(slot, settings.profile);
        if (record !== undefined) records.push(record);
      }
    }
    return records;
  }

  function remember(path: string, records: readonly NamedRecord[]): void {
    known.set(path, records);
    kept += records.length;
    keptText += sizeOf(records);
  }

  function forget(path: string): void {
    const records = known.get(path);
    if (records === undefined) return;
    known.delete(path);
    kept -= records.length;
    keptText -= sizeOf(records);
  }

  return {
    async *files(cancel) {
      listed ??= list(cancel);
      for (const path of await listed) {
        if (cancel.aborted) return;
        let records = known.get(path);
        if (records === undefined) {
          if (kept >= MOST_RECORDS || keptText >= MOST_TEXT) return;
          try {
            records = await read(path, cancel);
          } catch (error) {
            log(`${path} was not searched: ${describe(error)}`);
            records = [];
          }
          if (records === undefined) return;
          if (!known.has(path)) remember(path, records);
        }
        if (records.length > 0) yield { path, records };
      }
    },
    changed(path) {
      forget(path);
      listed = undefined;
    },
    reset() {
      for (const path of [...known.keys()]) forget(path);
      listed = undefined;
    },
  };
}

function sizeOf(records: readonly NamedRecord[]): number {
  return records.reduce((sum, { id, question }) => sum + id.length + question.length, 0);
}

function named(slot: RecordSlot, profile: Parameters<typeof toCanonical>[1]): NamedRecord | undefined {
  const { value } = parseRecordText(slot.text);
  if (value === undefined) return undefined;
  const { id = '', question = '' } = toCanonical(withOuter(value, slot.outer), profile);
  const { index, line, column } = slot;
  // Copies: a piece of a text keeps the whole text in memory.
  return { id: detached(id), question: detached(question.slice(0, QUESTION)), index, line, column };
}

function detached(text: string): string {
  return ` ${text}`.slice(1);
}
