import type { Report, ReportFile, ReportFinding, ReportResult, Severity } from '../../../schemas/report.ts';
import type { SolutionOutcome } from '../../../schemas/protocol.ts';
import { byPlace } from '../core/checker.ts';
import { floodKey } from '../core/floods.ts';
import type { Finding, Position, RecordRef } from '../core/finding.ts';
import { positionIn } from '../core/text/offsets.ts';
import type { RecordSlot } from '../core/text/types.ts';
import type { Format } from './job.ts';
import type { ShardFile } from './shard-report.ts';

/** Turns 0-based places into the report's 1-based lines and columns; the only place of the command line that does. */
export function toReportFinding(finding: Finding): ReportFinding {
  const { code, severity, message, record, pointer, start, end, fingerprint, fixes } = finding;
  return {
    code,
    severity,
    message,
    record,
    pointer,
    range: {
      start: { line: start.line + 1, column: start.column + 1 },
      end: { line: end.line + 1, column: end.column + 1 },
    },
    fingerprint,
    fixes: fixes.map(({ title, safe }) => ({ title, safe })),
  };
}

/** One solution's result for any format. */
export interface ResultOfRun extends SolutionOutcome {
  readonly record: RecordRef;
}

export function toReportResult({ record, value, type, gold, verdict, error, stdout, ms }: ResultOfRun): ReportResult {
  return {
    record,
    value,
    type,
    gold,
    verdict,
    error: error && { type: error.type, message: error.message, line: error.line },
    stdout,
    ms: Math.round(ms * 1000) / 1000,
  };
}

/** A finding with its fixes laid in the file. */
export interface LaidFinding extends Finding {
  readonly laidFixes?: readonly LaidFix[];
}

export interface LaidFix {
  readonly title: string;
  readonly replacements: readonly { readonly start: Position; readonly end: Position; readonly text: string }[];
}

/** What a format needs of findings beyond themselves, while their record is at hand. */
export function findingsFor(
  format: Format | 'shard',
): (found: readonly Finding[], slot?: RecordSlot) => readonly LaidFinding[] {
  if (format !== 'sarif' && format !== 'shard') return (found) => found;
  return (found, slot) =>
    slot === undefined
      ? found
      : found.map((finding) =>
          finding.fixes.length === 0 ? finding : { ...finding, laidFixes: layFixes(finding, slot) },
        );
}

function layFixes({ fixes }: Finding, slot: RecordSlot): readonly LaidFix[] {
  return fixes.flatMap(({ title, edits }) => {
    if (edits.length === 0) return [];
    const replacements = edits.map(({ span, text }) => ({
      start: positionIn(slot, span.start),
      end: positionIn(slot, span.end),
      text,
    }));
    return [{ title, replacements }];
  });
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
export type SolutionCounts = Mutable<Report['solutions']>;
type Summary = Mutable<Report['summary']>;

/** One file's part of the report, its findings still as the pipeline gives them. */
export interface CheckedFile extends Omit<ReportFile, 'findings' | 'unreadable' | 'results' | 'shard'> {
  readonly unreadable: number;
  readonly findings: readonly LaidFinding[];
  /** `run` only. */
  readonly results?: readonly ResultOfRun[];
  /** Of a shard only. */
  readonly shard?: ShardFile;
}

/** Counts over all files, of everything that was found, also where lists are cut. */
export interface Totals {
  readonly solutions: SolutionCounts;
  readonly summary: Summary;
}

export function createTotals(): Totals {
  return {
    solutions: { run: 0, passed: 0, failed: 0, skipped: 0 },
    summary: { files: 0, records: 0, errors: 0, warnings: 0, infos: 0 },
  };
}

export function countOutcome(counts: SolutionCounts, outcome: SolutionOutcome): void {
  if (outcome.value === null && outcome.error === null) {
    counts.skipped += 1;
    return;
  }
  counts.run += 1;
  if (outcome.verdict === 'mismatch' || outcome.verdict === 'error') counts.failed += 1;
  else if (outcome.verdict !== 'skipped') counts.passed += 1;
}

/** The findings of one file, counted in the totals and cut to a limit: the gravest stay, in order of place. */
export interface FindingList {
  add(findings: readonly LaidFinding[]): void;
  /** The file is done: of faults that nearly all its records have, `tell` gives what is reported in their place. */
  settle(tell: (one: Finding, count: number) => readonly Finding[] | undefined): void;
  end(): { readonly findings: readonly LaidFinding[]; readonly truncated: boolean };
}

const RANK: Readonly<Record<Severity, number>> = { error: 0, warning: 1, info: 2 };

export function createFindingList(summary: Summary, limit: number): FindingList {
  let kept: LaidFinding[] = [];
  /** What may be told once for the file, by what is told; as many as may be listed. */
  const held = new Map<string, { count: number; readonly findings: LaidFinding[] }>();
  let truncated = false;
  function cut(): void {
    kept.sort((a, b) => RANK[a.severity] - RANK[b.severity] || byPlace(a, b));
    kept.length = limit;
    truncated = true;
  }
  function hold(key: string, finding: LaidFinding): void {
    let same = held.get(key);
    if (same === undefined) held.set(key, (same = { count: 0, findings: [] }));
    same.count += 1;
    if (limit === 0 || same.count <= limit) same.findings.push(finding);
  }

  function countIn({ severity }: Finding, many: number): void {
    if (severity === 'error') summary.errors += many;
    else if (severity === 'warning') summary.warnings += many;
    else summary.infos += many;
  }

  return {
    settle(tell) {
      for (const { count, findings } of held.values()) {
        const told = tell(findings[0]!, count);
        for (const finding of told ?? findings) kept.push(finding);
        if (told === undefined) {
          truncated ||= findings.length < count;
          continue;
        }
        countIn(findings[0]!, -count);
        for (const finding of told) countIn(finding, 1);
      }
      held.clear();
    },
    add(findings) {
      for (const finding of findings) {
        const key = floodKey(finding);
        if (key === undefined) kept.push(finding);
        else hold(key, finding);
        countIn(finding, 1);
      }
      // Cut now and then only, so that a file with a fault on every line is not sorted a million times.
      if (limit > 0 && kept.length > 2 * limit + 1000) cut();
    },
    end() {
      if (limit > 0 && kept.length > limit) cut();
      kept = kept.sort(byPlace);
      return { findings: kept, truncated };
    },
  };
}
