import { returnedText } from '../../../schemas/outcome.ts';
import type { ReportFinding, ReportResult, Severity } from '../../../schemas/report.ts';
import { oneLine } from './output.ts';
import type { Paint, Style } from './output.ts';
import type { ResultOfRun, Totals } from './report.ts';

const COLOR: Readonly<Record<Severity, Style>> = { error: 'red', warning: 'yellow', info: 'blue' };

/** `data.jsonl:3:17: error box/out-of-page The box … [record 3 “id”]`. Editors and terminals make the place a link. */
export function findingLine(file: string, finding: ReportFinding, paint: Paint): string {
  const { line, column } = finding.range.start;
  const place = paint('bold', `${oneLine(file)}:${line}:${column}:`);
  const severity = paint(COLOR[finding.severity], finding.severity);
  const record = finding.record === null ? '' : paint('dim', ` [${recordName(finding.record)}]`);
  return `${place} ${severity} ${paint('cyan', finding.code)} ${oneLine(finding.message)}${record}\n`;
}

/** `data.jsonl:3: mismatch: 150 (int), gold 15, 1.2 ms [record 3]`, and what the solution printed below it. */
export function resultLine(file: string, result: ResultOfRun, paint: Paint): string {
  const place = paint('bold', `${oneLine(file)}:${result.record.line}:`);
  const record = paint('dim', ` [${recordName(result.record)}]`);
  const printed =
    result.stdout === '' ? '' : `${result.stdout.replace(/\n$/, '').split('\n').map(printedLine).join('')}`;
  return `${place} ${paint(VERDICT_STYLE[result.verdict], verdictWords(result))}${outcomeText(result)}${record}\n${printed}`;
}

const VERDICT_STYLE: Readonly<Record<ReportResult['verdict'], Style>> = {
  equal: 'green',
  tolerance: 'green',
  rounded: 'green',
  mismatch: 'red',
  error: 'red',
  skipped: 'dim',
};

function verdictWords({ verdict, value }: ResultOfRun): string {
  if (verdict === 'skipped') return value === null ? 'not run' : 'no verdict';
  if (verdict === 'tolerance') return 'within tolerance';
  return verdict === 'rounded' ? 'equal after rounding' : verdict;
}

function printedLine(line: string): string {
  return `    | ${oneLine(line)}\n`;
}

/** Value or error, gold and time, to stand behind the verdict. */
function outcomeText({ value, type, gold, error, verdict, ms }: ResultOfRun): string {
  const golden = gold === null ? [] : [`gold ${gold}`];
  if (error === null && value === null) return golden.length === 0 ? '' : `, ${golden.join()}`;
  const parts = [error === null ? `${oneLine(value ?? '')}${type === null ? '' : ` (${type})`}` : errorText(error)];
  if (verdict === 'skipped') parts.push('no number to compare it with');
  else parts.push(...golden);
  // Programs are computed in no time.
  if (ms > 0) parts.push(`${Math.max(0.1, Math.round(ms * 10) / 10)} ms`);
  return `: ${parts.join(', ')}`;
}

function errorText({ type, message, line, returned }: NonNullable<ResultOfRun['error']>): string {
  if (returned === true) return returnedText(oneLine(message), type);
  return `${type}${message === '' ? '' : `: ${oneLine(message)}`}${line === null ? '' : ` (line ${line})`}`;
}

function recordName({ index, id }: { readonly index: number; readonly id: string | null }): string {
  return id === null ? `record ${index + 1}` : `record ${index + 1} “${oneLine(id)}”`;
}

export function truncatedLine(file: string, limit: number, paint: Paint): string {
  return paint('dim', `${oneLine(file)}: only the ${limit} gravest findings are listed (--max-findings)\n`);
}

/** `2 files, 725 records and 3 that cannot be read: 1 error, 0 warnings, 3 infos. 703 solutions run: 702 passed, 1 failed.` */
export function summaryLine({ summary, solutions }: Totals, paint: Paint): string {
  const unreadable = summary.unreadable ? ` and ${summary.unreadable.toLocaleString('en')} that cannot be read` : '';
  const checked = `${count(summary.files, 'file')}, ${count(summary.records, 'record')}${unreadable}`;
  const errors = count(summary.errors, 'error');
  const found = `${summary.errors > 0 ? paint('red', errors) : errors}, ${count(summary.warnings, 'warning')}, ${count(summary.infos, 'info')}`;
  const others = solutions.run - solutions.passed - solutions.failed;
  const ran = [
    `${solutions.passed.toLocaleString('en')} passed`,
    `${solutions.failed.toLocaleString('en')} failed`,
    ...(others > 0 ? [`${others.toLocaleString('en')} without gold`] : []),
    ...(solutions.skipped > 0 ? [`${solutions.skipped.toLocaleString('en')} not run`] : []),
  ];
  const any = solutions.run + solutions.skipped > 0;
  const known = [
    ...(summary.accepted ? [`${summary.accepted.toLocaleString('en')} accepted`] : []),
    ...(summary.known ? [`${summary.known.toLocaleString('en')} known from the baseline`] : []),
  ];
  const left = known.length === 0 ? '' : ` (not counted: ${known.join(', ')})`;
  return `${checked}: ${found}${left}.${any ? ` ${count(solutions.run, 'solution')} run: ${ran.join(', ')}.` : ''}\n`;
}

function count(number: number, noun: string): string {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
}
