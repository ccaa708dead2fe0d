/**
 * Results by content. In memory the most recent ones; on disk, where a folder is given, those that any later run would
 * give again.
 *
 * On disk a result is one line of a segment: key, checksum, JSON. A process writes segments of its own, each complete
 * and under a name of its own, so that writers never meet; a damaged line or file is left out. Old segments are merged.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunRequest, RunResult } from '../../core/ports.ts';

/** Rough size of what is kept in memory, in UTF-16 units. */
const MEMORY_LIMIT = 32 << 20;
const ENTRY_OVERHEAD = 300;
const SEGMENT_ENTRIES = 2_000;
const FLUSH_MS = 2_000;
const MERGE_SEGMENTS = 32;
/** Of all segments, in bytes; the oldest go. */
const DISK_LIMIT = 64 << 20;
const SEGMENT = /^[0-9a-f-]{36}\.jsonl$/;
const UNFINISHED = /^[0-9a-f-]{36}\.jsonl\.tmp$/;
/** What a killed process left behind is removed when it is this old. */
const LEFTOVER_MS = 3_600_000;

export interface ResultCache {
  key(request: RunRequest): string;
  get(key: string): RunResult | undefined;
  /** `lasting`: may be kept on disk. */
  put(key: string, result: RunResult, lasting: boolean): void;
  /** Resolves when what lies on disk can be found; at once without a folder. */
  readonly loaded: Promise<void>;
  /** Writes what is not on disk yet. */
  flush(): Promise<void>;
}

/** SHA-256 in base64url, shortened: 128 bits. */
const digest = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22);

function isResult(value: unknown): value is RunResult {
  if (typeof value !== 'object' || value === null) return false;
  const { engine, pythonVersion, stdout, stdoutTruncated, ms, value: number, error } = value as Record<string, unknown>;
  const hasText = (object: unknown, ...names: string[]): boolean =>
    typeof object === 'object' &&
    object !== null &&
    names.every((name) => typeof (object as Record<string, unknown>)[name] === 'string');
  return (
    engine === 'sandbox' &&
    typeof pythonVersion === 'string' &&
    typeof stdout === 'string' &&
    typeof stdoutTruncated === 'boolean' &&
    typeof ms === 'number' &&
    (number === undefined
      ? hasText(error, 'kind', 'type', 'message')
      : hasText(number, 'kind', 'repr') && error === undefined)
  );
}

const sizeOf = (result: RunResult): number =>
  ENTRY_OVERHEAD +
  result.stdout.length +
  (result.value?.repr.length ?? 0) +
  (result.error?.message.length ?? 0) +
  sizeOfSteps(result);

const STEP_OVERHEAD = 100;

function sizeOfSteps({ steps }: RunResult): number {
  let size = 0;
  for (const { changes } of steps?.steps ?? []) {
    size += STEP_OVERHEAD;
    for (const { value } of changes) size += STEP_OVERHEAD + (value?.length ?? 0);
  }
  return size;
}

/** One line of a segment, without the line break. */
const toLine = (key: string, json: string): string => `${key}\t${digest(key + json)}\t${json}`;

function fromLine(line: string): { key: string; result: RunResult } | undefined {
  const [key, checksum, json] = line.split('\t', 3);
  if (!key || !json || checksum !== digest(key + json)) return undefined;
  try {
    const result: unknown = JSON.parse(json);
    return isResult(result) ? { key, result } : undefined;
  } catch {
    // Its checksum fits all the same: somebody else's hand.
    return undefined;
  }
}

/**
 * @param identity everything beside the request that a result depends on: engine, its version, the runner
 * @param folder where results are kept; made when needed
 */
export function createResultCache(identity: string, folder?: string): ResultCache {
  const entries = new Map<string, RunResult>();
  let size = 0;
  let pending: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  const remember = (key: string, result: RunResult): void => {
    if (entries.has(key)) return;
    entries.set(key, result);
    size += sizeOf(result);
    for (const [oldKey, old] of entries) {
      if (size <= MEMORY_LIMIT) break;
      entries.delete(oldKey);
      size -= sizeOf(old);
    }
  };

  const load = async (): Promise<void> => {
    if (folder === undefined) return;
    const segments = await listSegments(folder);
    const lines: string[] = [];
    const read: string[] = [];
    for (const segment of segments) {
      const text = await readFile(segment.path, 'utf8').catch(() => undefined);
      // Another process may have merged it; or it cannot be reached now, and somebody else may read it later.
      if (text === undefined) continue;
      read.push(segment.path);
      for (const line of text.split('\n')) {
        const found = fromLine(line);
        if (!found) continue;
        remember(found.key, found.result);
        if (segments.length > MERGE_SEGMENTS) lines.push(line);
      }
    }
    if (segments.length <= MERGE_SEGMENTS) return;
    // Another process may be merging the same ones: then a result stands in both, which does no harm.
    await writeSegment(folder, [...new Set(lines)]);
    for (const merged of read) await unlink(merged).catch(() => {});
  };

  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    if (folder === undefined || pending.length === 0) return writing;
    const lines = pending;
    pending = [];
    // A full or read-only disk costs the results of this session only.
    writing = writing.then(() => writeSegment(folder, lines).catch(() => {}));
    return writing;
  };

  return {
    loaded: load().catch(() => {}),
    flush,
    key: ({ source, entryPoint, limits: { timeoutMs, memoryMb, outputLimit }, trace }) =>
      digest(
        JSON.stringify([identity, entryPoint, timeoutMs, memoryMb, outputLimit, source, ...(trace ? [trace] : [])]),
      ),
    get(key) {
      const found = entries.get(key);
      if (!found) return undefined;
      // The most recently used are the last to go.
      entries.delete(key);
      entries.set(key, found);
      return found;
    },
    put(key, result, lasting) {
      remember(key, result);
      if (!lasting || folder === undefined) return;
      pending.push(toLine(key, JSON.stringify(result)));
      if (pending.length >= SEGMENT_ENTRIES) void flush();
      else timer ??= setTimeout(() => void flush(), FLUSH_MS);
    },
  };
}

/** Oldest first; those beyond the limit are removed. */
async function listSegments(folder: string): Promise<{ path: string; bytes: number; time: number }[]> {
  const names = await readdir(folder).catch(() => []);
  const found: { path: string; bytes: number; time: number }[] = [];
  for (const name of names) {
    const path = join(folder, name);
    const facts = await stat(path).catch(() => undefined);
    if (facts?.isFile() !== true) continue;
    if (UNFINISHED.test(name) && Date.now() - facts.mtimeMs > LEFTOVER_MS) await unlink(path).catch(() => {});
    if (SEGMENT.test(name)) found.push({ path, bytes: facts.size, time: facts.mtimeMs });
  }
  found.sort((a, b) => b.time - a.time);
  let bytes = 0;
  const kept = found.filter((segment) => (bytes += segment.bytes) <= DISK_LIMIT);
  for (const segment of found.slice(kept.length)) await unlink(segment.path).catch(() => {});
  return kept.reverse();
}

async function writeSegment(folder: string, lines: readonly string[]): Promise<void> {
  if (lines.length === 0) return;
  await mkdir(folder, { recursive: true });
  const path = join(folder, `${randomUUID()}.jsonl`);
  try {
    await writeFile(`${path}.tmp`, `${lines.join('\n')}\n`);
    await rename(`${path}.tmp`, path);
  } catch (error) {
    await rm(`${path}.tmp`, { force: true });
    throw error;
  }
}
