/** The run of a record's solution as the result of a test: state, what differs, and the place that it is about. */
import type { SolutionOutcome } from '../../../../schemas/protocol.ts';
import { returnedText } from '../../../../schemas/outcome.ts';
import type { SolutionResult } from '../../../../schemas/solutions.ts';
import type { Finding } from '../../core/finding.ts';
import { pointerTo } from '../../core/record/canonical.ts';
import { spanOfPointer } from '../../core/text/offsets.ts';
import { rangeIn, toRange } from '../ranges.ts';
import { placed } from '../session/rows.ts';
import type { Row } from '../session/rows.ts';
import type { Session } from '../session/session.ts';

/** Rules that tell of a run without the right value. */
const OF_RUNS = new Set([
  'answer/mismatch',
  'solution/syntax',
  'solution/entry-point',
  'solution/raises',
  'solution/timeout',
  'solution/memory',
  'solution/not-a-number',
  'solution/unavailable-import',
]);

/** The result of a row that was run, or that cannot be run. `cannot`: why no solution is run now, as a sentence. */
export function solutionResult(session: Session, row: Row, key: number, cannot: string | undefined): SolutionResult {
  // Checked and its findings laid now, if that was not done yet.
  if (row.findings === undefined) session.rowAt({ line: row.line, character: row.column });
  const outcome = row.checked && session.checker?.outcome(row.checked, row.run);
  const plain = { key, expected: goldText(row), actual: outcome?.value ?? null, ...printed(outcome) };
  const skipped = (message: string): SolutionResult => ({ ...plain, state: 'skipped', message, range: null });
  if (outcome === undefined) return skipped('The record has no solution any more.');
  const { error, value, verdict } = outcome;
  if (error === null && value === null) return skipped(hindrance(row) ?? cannot ?? 'It was not run.');
  if (error === null && verdict === 'skipped') return skipped(`It yields ${value}; the record has no gold to compare.`);
  if (verdict !== 'mismatch' && verdict !== 'error') return { ...plain, state: 'passed', message: null, range: null };
  const told = findingOf(row, OF_RUNS);
  const range = told === undefined ? rangeOf(row, verdict === 'mismatch' ? 'gold' : 'solution') : toRange(told);
  const message = told?.message ?? plainMessage(outcome, plain.expected);
  if (error === null) return { ...plain, state: 'failed', message, range };
  return error.returned === true
    ? { ...plain, state: 'failed', actual: error.message, message, range }
    : { ...plain, state: 'errored', expected: null, message, range };
}

function printed(outcome: SolutionOutcome | undefined): { readonly stdout: string; readonly ms: number } {
  return { stdout: outcome?.stdout ?? '', ms: outcome?.ms ?? 0 };
}

/** Findings that were accepted are told, too: the test is no better for it. */
function findingOf(row: Row, codes: ReadonlySet<string>): Finding | undefined {
  return placed(row).find(({ code }) => codes.has(code));
}

/** What keeps a solution from being run, as a finding says it. */
function hindrance(row: Row): string | undefined {
  if (row.checked?.solution?.runnable !== false) return undefined;
  return placed(row).find(({ code, severity }) => code.startsWith('solution/') && severity === 'error')?.message;
}

/** Where a rule is off and nothing else says it. */
function plainMessage({ error, value }: SolutionOutcome, gold: string | null): string {
  if (error === null) return `The solution yields ${value}, not the gold ${gold}.`;
  if (error.returned === true) return `The solution ${returnedText(error.message, error.type)}.`;
  const line = error.line === null ? '' : ` (line ${error.line} of the solution)`;
  return `${error.type}: ${error.message}${line}`;
}

function goldText(row: Row): string | null {
  const record = row.checked?.record;
  const span = record?.gold === undefined ? undefined : spanOfPointer(row.text, pointerTo(record, 'gold'));
  return span === undefined ? null : row.text.slice(span.start, span.end);
}

function rangeOf(row: Row, field: 'gold' | 'solution'): SolutionResult['range'] {
  const record = row.checked?.record;
  const span = record && spanOfPointer(row.text, pointerTo(record, field));
  return span === undefined ? null : rangeIn(row, span);
}
