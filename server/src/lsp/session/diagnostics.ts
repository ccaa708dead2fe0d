import { DiagnosticSeverity } from 'vscode-languageserver/node';
import type { Diagnostic } from 'vscode-languageserver/node';
import { URI } from 'vscode-uri';
import type { Severity } from '../../../../schemas/report.ts';
import type { Finding } from '../../core/finding.ts';
import { toRange } from '../ranges.ts';

export const SOURCE = 'Auditable QA';
/** Code of the note that more was found than is shown. */
export const MORE = 'more-findings';

const LEVELS: Readonly<Record<Severity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
};
const ORDER: readonly Severity[] = ['error', 'warning', 'info'];

export interface DiagnosticContext {
  readonly uri: string;
  /** Address of a rule's page; undefined where there is none. */
  rulePage(code: string): string | undefined;
  /** Whether the client shows related places and links of codes. */
  readonly related: boolean;
  readonly links: boolean;
}

export type Counts = Record<Severity, number>;

export function countFindings(findings: readonly Finding[], counts: Counts): void {
  for (const finding of findings) counts[finding.severity]++;
}

/**
 * At most `limit` diagnostics: errors first, then warnings, then infos, each in order of place; the last one says how many
 * more there are. Editors cap silently, so the choice is made here. `groups` are in order of place.
 */
export function toDiagnostics(
  groups: Iterable<readonly Finding[]>,
  counts: Readonly<Counts>,
  limit: number,
  context: DiagnosticContext,
): Diagnostic[] {
  const total = counts.error + counts.warning + counts.info;
  const room = total > limit ? limit - 1 : limit;
  const shown: Diagnostic[] = [];
  for (const severity of ORDER) {
    if (shown.length >= room || counts[severity] === 0) continue;
    let left = counts[severity];
    for (const findings of groups) {
      for (const finding of findings) {
        if (finding.severity !== severity || shown.length >= room) continue;
        shown.push(toDiagnostic(finding, context));
        left--;
      }
      if (left === 0 || shown.length >= room) break;
    }
  }
  if (total > limit) shown.push(moreNote(total - shown.length, limit));
  return shown;
}

export function toDiagnostic(finding: Finding, context: DiagnosticContext): Diagnostic {
  const diagnostic: Diagnostic = {
    range: toRange(finding),
    severity: LEVELS[finding.severity],
    code: finding.code,
    source: SOURCE,
    message: finding.message,
    data: { fingerprint: finding.fingerprint, pointer: finding.pointer },
  };
  const page = context.links ? context.rulePage(finding.code) : undefined;
  if (page !== undefined) diagnostic.codeDescription = { href: page };
  if (context.related && finding.related.length > 0) {
    diagnostic.relatedInformation = finding.related.map((related) => ({
      location: { uri: uriOf(related, context), range: toRange(related) },
      message: related.message,
    }));
  }
  return diagnostic;
}

function uriOf({ file }: Finding['related'][number], { uri }: DiagnosticContext): string {
  return file?.path === undefined ? uri : URI.file(file.path).toString();
}

function moreNote(count: number, limit: number): Diagnostic {
  const start = { line: 0, character: 0 };
  return {
    range: { start, end: start },
    severity: DiagnosticSeverity.Information,
    code: MORE,
    source: SOURCE,
    message: `${count.toLocaleString('en')} more findings are not shown here (at most ${limit.toLocaleString('en')} are, errors first); \`auditable-qa check\` lists all.`,
  };
}
