/**
 * What a test explorer asks of the language server: the solutions of a file, each a test, and runs of them whose results come
 * as they are there. Records are named by the keys of `schemas/records.ts`, which stay theirs while the file is edited.
 */
import type { ProtocolRange } from './protocol.ts';

/** Client → server: the records of a file that have a solution, in the order of the file. Reads a file that is not open. */
export const SOLUTION_LIST = 'auditableQa/solutions/list';
export interface SolutionListParams {
  readonly uri: string;
  /** `revision` of the list that the client has of this epoch; absent: it has none. */
  readonly since?: number;
  readonly epoch?: string;
}
export type SolutionListResult =
  | {
      readonly kind: 'list';
      /** Keys of another epoch name other records. */
      readonly epoch: string;
      readonly revision: number;
      /** null: the same as in the client's list. */
      readonly keys: readonly number[] | null;
      /** false: records are left to be read; `SOLUTIONS_CHANGED` follows. */
      readonly complete: boolean;
    }
  | { readonly kind: 'problem'; readonly message: string };

/** Server → client: a list that was asked for, or an entry of it, may be another one by now. */
export const SOLUTIONS_CHANGED = 'auditableQa/solutions/changed';
export interface SolutionsChangedParams {
  readonly uri: string;
}

/** Client → server: what is shown of solutions. Records that are gone are left out. */
export const SOLUTION_ENTRIES = 'auditableQa/solutions/entries';
export interface SolutionEntriesParams {
  readonly uri: string;
  readonly keys: readonly number[];
  /** `revision` of the last answer: entries that are the same since then are left out. Absent: all are given. */
  readonly since?: number;
}
export interface SolutionEntries {
  readonly revision: number;
  readonly entries: readonly SolutionEntry[];
}
export interface SolutionEntry {
  readonly key: number;
  /** The record's key of the reports, with a number where it repeats: the same in another session. */
  readonly id: string;
  /** 0-based, in the file. */
  readonly index: number;
  /** The record's id; null: it has none. */
  readonly name: string | null;
  /** The beginning of the question. */
  readonly question: string | null;
  /** Of the solution. */
  readonly range: ProtocolRange;
  /** Another one whenever a run may give something else: hash of the solution and the gold. */
  readonly mark: string;
}

/** Client → server: runs solutions; answered when the last one is done or the request is cancelled. */
export const SOLUTION_RUN = 'auditableQa/solutions/run';
export interface SolutionRunParams {
  readonly uri: string;
  readonly keys: readonly number[];
  /** Chosen by the client: named in `SOLUTION_RESULTS`. */
  readonly run: number;
  /** Run again what was run already; else its result is told as it is known. */
  readonly again: boolean;
}
/** Why nothing was run, as a sentence; null: it was. */
export interface SolutionRunResult {
  readonly problem: string | null;
}

/** Server → client, several times during a run. */
export const SOLUTION_RESULTS = 'auditableQa/solutions/results';
export interface SolutionResultsParams {
  readonly run: number;
  readonly uri: string;
  /** Keys of solutions that run now. */
  readonly started: readonly number[];
  readonly results: readonly SolutionResult[];
}
export interface SolutionResult {
  readonly key: number;
  /**
   * `passed`: the gold, within the tolerance or after rounding too. `failed`: another value, or none that is a number.
   * `errored`: it gave no value. `skipped`: it cannot be run, or there is nothing to compare its value with.
   */
  readonly state: 'passed' | 'failed' | 'errored' | 'skipped';
  /** As the finding says it; null: there is nothing to say. */
  readonly message: string | null;
  /** The gold as it is written, and what the solution gives; null: there is none. */
  readonly expected: string | null;
  readonly actual: string | null;
  /** What the message is about: the gold, or the line of the solution. */
  readonly range: ProtocolRange | null;
  readonly stdout: string;
  readonly ms: number;
}
