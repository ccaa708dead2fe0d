import { CodeActionKind, DiagnosticSeverity } from 'vscode-languageserver/node';
import type { CodeAction, CodeActionParams, Diagnostic } from 'vscode-languageserver/node';
import { moveKey } from '../core/profile/configuration-misplaced.ts';
import { positionAt } from '../core/profile/configuration-place.ts';
import { parseConfiguration } from '../core/profile/configuration.ts';
import { RULES, ruleOf } from '../core/rules/registry.ts';
import { SOURCE } from './session/diagnostics.ts';
import { compare, toRange } from './ranges.ts';

const CODES = RULES.map(({ code }) => code);
const LEVELS = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
} as const;

/** Quick fixes at a place of `auditable-qa.json`: a key that stands at the wrong depth is moved to where it belongs. */
export function configurationActions(
  { uri, text, version, versions }: OpenConfiguration,
  { range, context }: Asked,
): CodeAction[] {
  if (context.only !== undefined && !context.only.some((kind) => CodeActionKind.QuickFix.startsWith(kind))) return [];
  return parseConfiguration(text, CODES).faults.flatMap((fault): CodeAction[] => {
    const { target, pointer, found = '' } = fault;
    const place = toRange(fault);
    if (target === undefined || compare(place.end, range.start) < 0 || compare(range.end, place.start) < 0) return [];
    const moves = moveKey(text, pointer, target);
    if (moves === undefined) return [];
    const edits = moves.map(({ span, text: newText }) => ({
      range: toRange({ start: positionAt(text, span.start), end: positionAt(text, span.end) }),
      newText,
    }));
    return [
      {
        title: `Move "${found}" to where it belongs`,
        kind: CodeActionKind.QuickFix,
        diagnostics: context.diagnostics.filter(({ code, data }) => code === fault.code && pointerOf(data) === pointer),
        edit: versions
          ? { documentChanges: [{ textDocument: { uri, version }, edits }] }
          : { changes: { [uri]: edits } },
      },
    ];
  });
}

export interface OpenConfiguration {
  readonly uri: string;
  /** Whether the client takes edits with the version that they are for. */
  readonly versions: boolean;
  readonly version: number;
  readonly text: string;
}

type Asked = Pick<CodeActionParams, 'range' | 'context'>;

function pointerOf(data: unknown): unknown {
  return (data as { readonly pointer?: unknown } | undefined)?.pointer;
}

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
