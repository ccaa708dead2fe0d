/** What the pool and its child processes say to each other, as JSON over IPC. */
import type { RunRequest } from '../../core/ports.ts';

/**
 * One run: id (> 0, unique in the child's life), what runner.py is asked (entry point, output limit and source, with
 * line breaks between), limits; `plain` as 0 or 1.
 */
export type RunMessage = readonly [id: number, request: string, timeoutMs: number, memoryMb: number, plain: 0 | 1];

/** What runner.py is asked. */
export function runnerRequest({ source, entryPoint, limits, trace }: RunRequest): string {
  return `${entryPoint}\n${outputOf(limits.outputLimit, trace)}\n${source}`;
}

/** The line of the output limit; runner.py says what may stand behind it. */
export function outputOf(limit: number, trace: RunRequest['trace']): string {
  return trace === undefined ? String(limit) : `${limit} ${trace === 'run' ? 'trace' : 'steps'}`;
}

export type TrapName = 'timeout' | 'blocked' | 'ended' | 'stack' | 'crash';

/** One answer; `text` is what runner.py said, unread. Either `text` or `trap` is null. */
export type ResultMessage = readonly [
  id: number,
  ms: number,
  text: string | null,
  trap: TrapName | null,
  trapDetail: string,
  refused: string,
  impure: 0 | 1,
];

export type ToChild = { readonly runs: readonly RunMessage[] };

export type FromChild =
  /** `fallback` says why the snapshot was not used. */
  | { readonly ready: true; readonly fallback: string | null }
  | { readonly failed: string }
  /** `heap` is the interpreter's size in bytes. */
  | { readonly results: readonly ResultMessage[]; readonly heap: number }
  /** The run `stuck` did not stop at its time limit; the child is of no use any more. */
  | { readonly stuck: number };

/** How the child is told where its files are: one JSON argument. */
export interface ChildFiles {
  /** Absolute, with a trailing separator. */
  readonly pyodideFolder: string;
  /** Snapshot, compressed with Brotli; beside it stands `<path>.json` of the shape `SnapshotManifest`. */
  readonly snapshotPath: string | null;
}

export interface SnapshotManifest {
  /** SHA-256 in hex of everything the snapshot was made of; see `snapshotInputs`. */
  readonly inputs: string;
  /** SHA-256 in hex of the compressed snapshot. */
  readonly sha256: string;
}

/** Grace after a run's own time limit before its process is given up, in ms. */
export const HARD_GRACE_MS = 1000;
