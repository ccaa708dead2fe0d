import type { StatusParams } from '../../schemas/protocol.ts';

export interface StatusText {
  /** With codicons, for the status item. */
  readonly text: string;
  readonly detail: string;
  /** For screen readers. */
  readonly label: string;
  readonly severity: 'error' | 'warning' | 'info';
  readonly busy: boolean;
}

/** What the status item says of one file; undefined: no profile fits, nothing is said. */
export function statusText(status: StatusParams, trusted: boolean): StatusText | undefined {
  const { profile, counts, solutions } = status;
  if (profile === null) return undefined;
  const found = [
    [counts.error, 'error'],
    [counts.warning, 'warning'],
    [counts.info, 'info'],
  ] as const;
  const told = found.flatMap(([count, name]) => (count > 0 ? [amount(count, name)] : []));
  const faults = told.length === 0 ? 'no findings' : told.join(', ');
  const detail = [profile.reason, amount(status.records, 'record'), faults, solutionsText(solutions, trusted)];
  return {
    text: `${icon(status)} ${profile.title}`,
    detail: detail.filter((part) => part !== '').join(' · '),
    label: `Auditable QA, ${profile.title}: ${faults}${status.running ? ', checking' : ''}`,
    severity: counts.error > 0 ? 'error' : counts.warning > 0 ? 'warning' : 'info',
    busy: status.running,
  };
}

function icon({ counts, running }: StatusParams): string {
  if (running) return '$(sync~spin)';
  if (counts.error > 0) return `$(error) ${counts.error}`;
  if (counts.warning > 0) return `$(warning) ${counts.warning}`;
  return '$(check)';
}

function solutionsText({ done, total, passed }: StatusParams['solutions'], trusted: boolean): string {
  if (total === 0) return '';
  if (!trusted) return `${amount(total, 'solution')} not run: the workspace is not trusted`;
  if (done === 0) return `${amount(total, 'solution')} not run`;
  const failed = done - passed;
  const progress = done === total ? amount(total, 'solution') : `${done} of ${amount(total, 'solution')}`;
  return `${progress} run, ${failed === 0 ? 'all yield the gold' : `${failed} differ or fail`}`;
}

function amount(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}
