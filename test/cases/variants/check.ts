import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ReportFile, ReportFinding } from '../../../schemas/report.ts';
import { HOME, says } from '../format.ts';
import type { Expected, Group, Variant } from './build.ts';

/** Lays a folder per group, with a folder per variant; documents come once per group. */
export function layGroup(group: Group, root: string): void {
  const home = join(root, group.name);
  mkdirSync(home, { recursive: true });
  cpSync(join(HOME, 'documents'), join(home, 'documents'), { recursive: true });
  if (group.dataset !== undefined) {
    const entry = { files: ['**/*.jsonl', '**/*.json'], ...group.dataset };
    const configuration = { datasets: [entry], ...(group.profiles && { profiles: group.profiles }) };
    writeFileSync(join(home, 'auditable-qa.json'), JSON.stringify(configuration));
  }
  for (const variant of group.variants) {
    const path = join(home, variant.name, variant.file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, variant.content);
  }
}

/** What the report has otherwise than the variant says, in words. */
export function faultsOf(variant: Variant, files: readonly ReportFile[]): string[] {
  const findings = files.flatMap((file) => file.findings);
  const text = variant.content.toString('utf8');
  const wrong: string[] = [];
  const taken = new Set<ReportFinding>();
  for (const expected of variant.expect) {
    const reasons = findings.map((finding) => mismatch(finding, expected, text));
    const at = reasons.indexOf('');
    if (at >= 0) taken.add(findings[at]!);
    else wrong.push(`missing ${JSON.stringify(expected)}: ${reasons.filter((reason) => reason !== 'code').join('; ')}`);
  }
  for (const finding of findings) {
    if (!taken.has(finding) && !variant.beside.includes(finding.code)) wrong.push('something else is reported');
    const outside = rangeFault(finding, text);
    if (outside !== undefined) wrong.push(outside);
  }
  return wrong.length === 0 ? [] : [...wrong, ...findings.map((finding) => tell(finding, text))];
}

export function tell(finding: ReportFinding, text: string): string {
  return `${finding.severity} ${finding.code} ${finding.pointer} ‹${slice(text, finding).slice(0, 90)}› ${finding.message}`;
}

function mismatch(finding: ReportFinding, expected: Expected, text: string): string {
  if (finding.code !== expected.code) return 'code';
  if (expected.pointer !== undefined && finding.pointer !== expected.pointer) return `pointer ${finding.pointer}`;
  const { start } = finding.range;
  if (expected.line !== undefined && start.line !== expected.line) return `line ${start.line}`;
  if (expected.column !== undefined && start.column !== expected.column) return `column ${start.column}`;
  if (expected.at !== undefined && slice(text, finding) !== expected.at) return `range ‹${slice(text, finding)}›`;
  const unsaid = expected.mentions?.find((words) => !words.split('|').some((word) => says(finding.message, word)));
  if (unsaid !== undefined) return `does not say ${unsaid}`;
  const said = expected.silent?.find((word) => says(finding.message, word));
  return said === undefined ? '' : `says ${said}`;
}

/** The text under a range; lines end at LF. */
function slice(text: string, { range }: ReportFinding): string {
  const { start, end } = range;
  const lines = text.split('\n').slice(start.line - 1, end.line);
  if (lines.length === 0) return '';
  lines[lines.length - 1] = lines.at(-1)!.slice(0, end.column - 1);
  lines[0] = lines[0]!.slice(start.column - 1);
  return lines.join('\n');
}

/** Ranges lie inside the file and begin before they end. */
export function rangeFault({ code, range }: ReportFinding, text: string): string | undefined {
  const lines = text.split('\n');
  const { start, end } = range;
  const isInside = [start, end].every(
    ({ line, column }) => line >= 1 && line <= lines.length && column >= 1 && column <= lines[line - 1]!.length + 1,
  );
  const isOrdered = start.line < end.line || (start.line === end.line && start.column <= end.column);
  return isInside && isOrdered ? undefined : `${code} has the range ${JSON.stringify(range)}`;
}
