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
  readonly range: { readonly start: ReportPosition; readonly end: ReportPosition };
  readonly fingerprint: string;
  readonly fixes: readonly { readonly title: string; readonly safe: boolean }[];
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
}
