/** Severities as the page shows them: a mark and a word, never colour alone. */
import type { Severity } from '../../schemas/report.ts';
import { html } from './dom.ts';
import { icon } from './icons.ts';

const ORDER: readonly Severity[] = ['error', 'warning', 'info'];

export function worst(problems: readonly { readonly severity: Severity }[]): Severity | null {
  return ORDER.find((severity) => problems.some((problem) => problem.severity === severity)) ?? null;
}

export function severityMark(severity: Severity): HTMLElement {
  return html('span', { class: `mark mark-${severity}`, role: 'img', 'aria-label': severity }, icon(severity));
}
