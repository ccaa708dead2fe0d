import { DiagnosticSeverity } from 'vscode-languageserver/node';
import type { Diagnostic } from 'vscode-languageserver/node';
import { parseConfiguration } from '../core/profile/configuration.ts';
import { RULES, ruleOf } from '../core/rules/registry.ts';
import { SOURCE } from './diagnostics.ts';
import { toRange } from './ranges.ts';

const CODES = RULES.map(({ code }) => code);
const LEVELS = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
} as const;

/** Faults of `auditable-qa.json` on their exact places. */
export function configurationDiagnostics(text: string, pageOf: (code: string) => string | undefined): Diagnostic[] {
  return parseConfiguration(text, CODES).faults.map((fault) => {
    const page = pageOf(fault.code);
    return {
      range: toRange(fault),
      severity: LEVELS[ruleOf(fault.code)?.severity ?? 'error'],
      code: fault.code,
      source: SOURCE,
      message: fault.message,
      data: { pointer: fault.pointer },
      ...(page !== undefined && { codeDescription: { href: page } }),
    };
  });
}
