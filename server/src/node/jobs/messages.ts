/** What the reader of a file and the threads that check its records say to each other. */
import type { SolutionOutcome } from '../../../../schemas/protocol.ts';
import type { Finding, RecordRef } from '../../core/finding.ts';
import type { RecordItems } from '../../core/pipeline.ts';
import type { RunRequest, RunResult } from '../../core/ports.ts';
import type { FileSettings } from '../../core/profile/types.ts';
import type { RecordSlot } from '../../core/text/types.ts';

export interface MemberData {
  /** Address of the PDF worker's entry. */
  readonly pdfWorker: string;
}

/** A part of the records, by their keys. */
export interface Shard {
  /** From 1. */
  readonly number: number;
  readonly of: number;
}

/** How the records of one file are checked. */
export interface FileTask {
  readonly settings: FileSettings;
  readonly runs: boolean;
  readonly looks: boolean;
  readonly probe: boolean;
  /** Whether the file is one of a dataset, so that rules across files have something to do. */
  readonly inDataset: boolean;
  readonly shard?: Shard;
}

export type ToMember =
  | { readonly open: number; readonly task: FileTask }
  | { readonly batch: number; readonly file: number; readonly slots: readonly RecordSlot[]; readonly wanted: boolean }
  | { readonly run: number; readonly result: RunResult };

/** What is known of one record without its place among those with the same key. */
export interface RecordDone {
  /** @see keyNumberOf */
  readonly key: number;
  readonly ref: RecordRef;
  readonly isReadable: boolean;
  readonly items: RecordItems;
  /** As if no record before it had its key. */
  readonly findings: readonly Finding[];
  /** What each of them found: part of its fingerprint. */
  readonly founds: readonly string[];
  readonly outcome?: SolutionOutcome;
  /** Why its solution could not be run at all. */
  readonly unavailable?: string;
}

export type FromMember =
  /** undefined: the record is of another shard. */
  | { readonly done: number; readonly records: readonly (RecordDone | undefined)[] }
  | { readonly run: number; readonly request: RunRequest }
  | { readonly failed: string };
