/** Files of known findings on disk: accepted ones beside the data, and baselines. */
import { appendFile, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ACCEPTED_FILE } from '../../../schemas/acceptance.ts';
import type { AcceptedLine, BaselineFinding } from '../../../schemas/acceptance.ts';
import { formatAccepted, parseAccepted } from '../core/acceptance/accepted.ts';
import type { AcceptedList } from '../core/acceptance/accepted.ts';
import { formatBaseline, parseBaseline } from '../core/acceptance/baseline.ts';
import type { KnownFindings } from '../core/acceptance/baseline.ts';
import { describeError, errorCode } from './files/errors.ts';
import { isRecordName } from './files/walk.ts';
import { NotWritten, replaceFile, stateOf } from './files/write.ts';
import { createRecent } from './recent.ts';

/** A file of accepted findings. */
export interface AcceptedFile {
  /** Absolute. */
  readonly path: string;
  readonly list: AcceptedList;
}

export interface AcceptedFiles {
  /** The one beside a record file; undefined: there is none. A file that cannot be read has one fault. */
  beside(file: string): Promise<AcceptedFile | undefined>;
  /** Names of the record files in the folder of a list; none where it cannot be read. */
  recordFiles(list: string): Promise<readonly string[]>;
  /** Adds lines at the end, in the line ends of the file, in one write. Text: why it could not, to stand after the file's name. */
  append(list: string, ...accepted: AcceptedLine[]): Promise<string | undefined>;
}

export function acceptedPath(file: string): string {
  return path.join(path.dirname(file), ACCEPTED_FILE);
}

export function isAcceptedFile(file: string): boolean {
  return path.basename(file) === ACCEPTED_FILE;
}

/** Lists are kept by path, size and time; whether there is one is looked up each time. */
export function createAcceptedFiles(): AcceptedFiles {
  const known = createRecent<string, { readonly version: string; readonly list: AcceptedList }>(100);
  return {
    async beside(file) {
      const at = acceptedPath(file);
      try {
        const stats = await stat(at);
        const version = `${stats.size} ${stats.mtimeMs}`;
        const before = known.get(at);
        if (before?.version === version) return { path: at, list: before.list };
        const list = parseAccepted(await readFile(at, 'utf8'));
        known.set(at, { version, list });
        return { path: at, list };
      } catch (error) {
        return errorCode(error) === 'ENOENT' ? undefined : { path: at, list: unreadable(describeError(error)) };
      }
    },
    async recordFiles(list) {
      const entries = await readdir(path.dirname(list), { withFileTypes: true }).catch(() => []);
      return entries.flatMap((entry) => (isRecordName(entry.name) && !entry.isDirectory() ? [entry.name] : []));
    },
    async append(list, ...accepted) {
      try {
        await appendFile(list, linesAfter(await textOf(list), accepted));
        return undefined;
      } catch (error) {
        return describeError(error).replace('may not be read', 'may not be written');
      }
    },
  };
}

function unreadable(problem: string): AcceptedList {
  const start = { line: 0, column: 0 };
  const message = `The accepted findings cannot be read: the file ${problem}.`;
  return { entries: [], faults: [{ code: 'config/invalid-acceptance', message, start, end: start, found: '' }] };
}

/** What has to be added to a text for the lines to be its last. */
function linesAfter(before: string, accepted: readonly AcceptedLine[]): string {
  const end = before.includes('\r\n') ? '\r\n' : '\n';
  const lines = accepted.map((one) => formatAccepted(one) + end);
  return (before === '' || before.endsWith('\n') ? '' : end) + lines.join('');
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return '';
    throw error;
  }
}

/** Text: why it cannot be used, to stand after its name. */
export async function readBaseline(file: string): Promise<KnownFindings | string> {
  try {
    return parseBaseline(await readFile(file, 'utf8'));
  } catch (error) {
    return describeError(error);
  }
}

/** An older version is replaced as a whole. Text: why it was not written, to stand after its name. */
export async function writeBaseline(file: string, findings: readonly BaselineFinding[]): Promise<string | undefined> {
  const text = formatBaseline(findings);
  try {
    const before = await stateOf(file).catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') return undefined;
      throw error;
    });
    if (before === undefined) await writeFile(file, text);
    else await replaceFile(file, inOnePiece(text), before);
    return undefined;
  } catch (error) {
    return error instanceof NotWritten ? error.message : describeError(error);
  }
}

async function* inOnePiece(text: string): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(new TextEncoder().encode(text));
}

/** A record file as a baseline names it: relative to the baseline's folder, with forward slashes. */
export function nameInBaseline(file: string, baseline: string): string {
  return path.relative(path.dirname(baseline), file).split(path.sep).join('/');
}
