/** The JSON report of `auditable-qa check` and `run`, version 1. A contract: see report.schema.json. */

export type Severity = 'error' | 'warning' | 'info';
/** What a configuration may set a rule to. */
export type RuleLevel = Severity | 'off';

export interface ReportRecord {
  /** 0-based. */
  readonly index: number;
  /** 1-based. */
  readonly line: number;
  readonly id: string | null;
}

/** 1-based; columns count UTF-16 units. */
export interface ReportPosition {
  readonly line: number;
  readonly column: number;
}

export interface ReportFinding {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly record: ReportRecord | null;
  readonly pointer: string;
  readonly range: ReportRange;
  readonly fingerprint: string;
  readonly fixes: readonly {
    readonly title: string;
    readonly safe: boolean;
    /** Reports of shards only: what the fix writes; absent where it is about the file. */
    readonly replacements?: readonly { readonly range: ReportRange; readonly text: string }[];
  }[];
  /** Reports of shards only, as the next one: the record's key, with its ordinal where it repeats. */
  readonly recordKey?: string;
  readonly related?: readonly {
    readonly message: string;
    readonly pointer: string;
    /** Name of another file that it lies in. */
    readonly file?: string;
    readonly range: ReportRange;
  }[];
}

export interface ReportRange {
  readonly start: ReportPosition;
  readonly end: ReportPosition;
}

export type Verdict = 'equal' | 'tolerance' | 'rounded' | 'mismatch' | 'error' | 'skipped';

export interface ReportResult {
  readonly record: ReportRecord;
  /** Python's `repr`, so that big integers survive. */
  readonly value: string | null;
  readonly type: string | null;
  readonly gold: number | null;
  readonly verdict: Verdict;
  readonly error: { readonly type: string; readonly message: string; readonly line: number | null } | null;
  readonly stdout: string;
  readonly ms: number;
}

export interface ReportFile {
  readonly path: string;
  readonly profile: string;
  /** That could be read. */
  readonly records: number;
  /** Lines and elements that are no record; absent: none. */
  readonly unreadable?: number;
  readonly findings: readonly ReportFinding[];
  readonly truncated: boolean;
  /** `run` only. */
  readonly results?: readonly ReportResult[];
  readonly shard?: ReportShardFile;
}

/** What `merge-reports` needs of a file that a shard has checked. */
export interface ReportShardFile {
  /** The file as it was checked: its size in bytes and the SHA-256 of its content. */
  readonly bytes: number;
  readonly sha256: string;
  /** The same for equal settings. */
  readonly settings: string;
  /** Why solutions could not be run at all. */
  readonly unavailable?: string;
  /** What kept the file from being read whole. */
  readonly problem?: string;
  /** Of the rules across records. */
  readonly codes: readonly string[];
  /** Of each record of the shard, in the order of the file. */
  readonly items: readonly ReportItems[];
}

/**
 * What rules across records read of one record, by the place of the rule in `codes`. `line` and `column` are 0-based and absent where
 * records are lines; `ordinal` tells how often the record's key came before.
 */
export type ReportItems = readonly [
  index: number,
  items: readonly (readonly [rule: number, item: unknown])[],
  line?: number,
  column?: number,
  ordinal?: number,
];

/** Which part of a check a report is of (`check --shard`). Its findings are raw: nothing accepted or known is left out. */
export interface ReportShard {
  /** From 1. */
  readonly number: number;
  readonly of: number;
  /** Version of the program. */
  readonly program: string;
  /** As on the command line. */
  readonly paths: readonly string[];
  readonly options: {
    readonly solutions?: 'sandbox' | 'python' | 'off';
    readonly pages: 'on' | 'off';
    readonly config?: string;
    readonly profile?: string;
    readonly rule: Readonly<Record<string, RuleLevel>>;
    readonly changedSince?: string;
  };
  /** All files that the paths lead to, as they are told. */
  readonly inputs: readonly string[];
}

export interface Report {
  readonly version: 1;
  readonly files: readonly ReportFile[];
  readonly solutions: {
    readonly run: number;
    readonly passed: number;
    readonly failed: number;
    readonly skipped: number;
  };
  readonly summary: {
    readonly files: number;
    readonly records: number;
    /** Lines and elements that are no record; absent: none. */
    readonly unreadable?: number;
    readonly errors: number;
    readonly warnings: number;
    readonly infos: number;
    /** Findings that were left out since they are accepted; where there is a file of accepted findings. */
    readonly accepted?: number;
    /** Findings that were left out since the baseline has them; with `--baseline`. */
    readonly known?: number;
  };
  readonly shard?: ReportShard;
}
